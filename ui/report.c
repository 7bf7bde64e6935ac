/*
 * The data of a report: rows of queries as they come, put where the template
 * looks for them.  No figure is computed or rounded here.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query.h"

enum { SQL_MAX = 1024 };

/* The rows of a query as an array of objects. */
struct rows {
	json_t *array;
	char names[16][64];
};

static enum err rows_head(void *ctx, int n, const char *const *names)
{
	struct rows *rows = ctx;

	for (int i = 0; i < n && i < 16; i++)
		snprintf(rows->names[i], sizeof(rows->names[i]), "%s", names[i]);
	return ERR_OK;
}

/* Bytes that are no UTF-8 would be no text of the page either: a question mark says so. */
static json_t *text_of(const char *text)
{
	json_t *value = json_string(text);

	return value != NULL ? value : json_string("?");
}

static enum err rows_row(void *ctx, int n, const char *const *values, const int *types)
{
	struct rows *rows = ctx;
	json_t *object = json_object();

	(void)types;
	for (int i = 0; i < n && i < 16; i++)
		json_object_set_new(object, rows->names[i],
				    text_of(values[i] != NULL ? values[i] : "-"));
	json_array_append_new(rows->array, object);
	return ERR_OK;
}

/* Returns: the array, NULL on an error. */
static json_t *ask_rows(struct db *db, const char *sql, struct diag *diag)
{
	struct rows rows = { .array = json_array() };
	const struct db_query_sink sink = { &rows, rows_head, rows_row };

	if (db_query(db, sql, &sink, diag) == ERR_OK)
		return rows.array;
	json_decref(rows.array);
	return NULL;
}

static const char *text_at(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "-";
}

static void letter_set(json_t *object, size_t i)
{
	char letter[16];

	snprintf(letter, sizeof(letter), i < 26 ? "%c" : "R%d", i < 26 ? (int)('A' + i) : (int)i);
	json_object_set_new(object, "letter", json_string(letter));
}

/* ---- what was run ---- */

/* What is words of a run: note, tags, error, and metrics that are no numbers; a line each. */
static enum err add_words(const struct chart_ask *ask, size_t i, json_t *words, struct diag *diag)
{
	long long id = (long long)ask->run[i].id;
	json_t *rows;
	char sql[SQL_MAX];

	snprintf(sql, sizeof(sql),
		 "select 'note' as what, note as text from run where id = %lld and note <> '' "
		 "union all select 'tag', tag from run where id = %lld and tag <> '' "
		 "union all select 'error', error from run where id = %lld and error <> '' "
		 "union all select name, value from metric where run = %lld and "
		 "typeof(value) = 'text' and name <> 'verdict'",
		 id, id, id, id);
	rows = ask_rows(ask->db, sql, diag);
	if (rows == NULL)
		return diag->err;
	for (size_t k = 0; k < json_array_size(rows); k++)
		letter_set(json_array_get(rows, k), i);
	json_array_extend(words, rows);
	json_decref(rows);
	return ERR_OK;
}

static enum err add_runs(const struct chart_ask *ask, json_t *data, struct diag *diag)
{
	json_t *runs = json_array(), *words = json_array();
	char sql[SQL_MAX];

	json_object_set_new(data, "runs", runs);
	json_object_set_new(data, "words", words);
	for (size_t i = 0; i < ask->nr; i++) {
		json_t *rows, *run;

		snprintf(
			sql, sizeof(sql),
			"select r.id as run, r.kernel || iif(r.alias = '', '', ' (' || r.alias || "
			"')') as kernel_text, r.seed, r.state, r.steps, r.version, r.created, "
			"r.note, r.tag, r.error, coalesce(p.model, '-') as model, coalesce((select "
			"value from metric where run = r.id and name = 'verdict'), '-') as verdict "
			"from run r left join program p on p.run = r.id where r.id = %lld",
			(long long)ask->run[i].id);
		rows = ask_rows(ask->db, sql, diag);
		if (rows == NULL)
			return diag->err;
		run = json_array_get(rows, 0);
		letter_set(run, i);
		json_array_append(runs, run);
		json_decref(rows);
		if (add_words(ask, i, words, diag) != ERR_OK)
			return diag->err;
	}
	return ERR_OK;
}

/* The line of a scenario's text that says its title: title = "...".  NULL: none. */
static json_t *claim_of(const char *text)
{
	const char *at = text != NULL ? strstr(text, "title") : NULL;
	const char *open = at != NULL ? strchr(at, '"') : NULL;
	const char *close = open != NULL ? strchr(open + 1, '"') : NULL;

	if (close == NULL || memchr(at, '\n', (size_t)(open - at)) != NULL)
		return json_array();
	return json_pack("[{s:s#}]", "text", open + 1, (int)(close - open - 1));
}

/* Each scenario once, with its claim and its text as it was run. */
static void add_scenarios(const struct chart_ask *ask, json_t *data)
{
	json_t *scenarios = json_array(), *scripts = json_array();

	for (size_t i = 0; i < ask->nr; i++) {
		const struct db_run *run = &ask->run[i];
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen |= strcmp(ask->run[k].scenario, run->scenario) == 0;
		if (seen)
			continue;
		json_array_append_new(scenarios,
				      json_pack("{s:o,s:o}", "name", text_of(run->scenario),
						"claims", claim_of(run->text)));
		json_array_append_new(
			scripts, json_pack("{s:o,s:o}", "name",
					   text_of(run->file != NULL ? run->file : run->scenario),
					   "text", text_of(run->text != NULL ? run->text : "")));
	}
	json_object_set_new(data, "scenarios", scenarios);
	json_object_set_new(data, "scripts", scripts);
}

/* ---- side by side ---- */

/* The row of @name in @table; a new one has a dash for each run. */
static json_t *side_row(json_t *table, const json_t *from, size_t nr)
{
	const char *name = text_at(from, "name");
	json_t *row, *cells;

	for (size_t i = 0; i < json_array_size(table); i++)
		if (strcmp(text_at(json_array_get(table, i), "name"), name) == 0)
			return json_array_get(table, i);
	cells = json_array();
	for (size_t i = 0; i < nr; i++)
		json_array_append_new(cells, json_pack("{s:s}", "value", "-"));
	row = json_pack("{s:s,s:s,s:o}", "name", name, "unit", text_at(from, "unit"), "cells",
			cells);
	json_array_append_new(table, row);
	return row;
}

/* Rows whose cells are not all alike are marked. */
static void mark_differing(json_t *table)
{
	for (size_t i = 0; i < json_array_size(table); i++) {
		json_t *row = json_array_get(table, i);
		const json_t *cells = json_object_get(row, "cells");
		bool differs = false;

		for (size_t k = 1; k < json_array_size(cells); k++)
			differs |= !json_equal(json_array_get(cells, k), json_array_get(cells, 0));
		json_object_set_new(row, "class", json_string(differs ? " class=\"differs\"" : ""));
	}
}

/* One query a run, with columns name, unit and value. */
static enum err add_sides(const struct chart_ask *ask, json_t *data, const char *name,
			  const char *query, struct diag *diag)
{
	json_t *table = json_array(), *rows;
	char sql[SQL_MAX];

	json_object_set_new(data, name, table);
	for (size_t i = 0; i < ask->nr; i++) {
		snprintf(sql, sizeof(sql), "%s%lld", query, (long long)ask->run[i].id);
		rows = ask_rows(ask->db, sql, diag);
		if (rows == NULL)
			return diag->err;
		for (size_t k = 0; k < json_array_size(rows); k++) {
			const json_t *from = json_array_get(rows, k);
			json_t *cells = json_object_get(side_row(table, from, ask->nr), "cells");

			json_object_set(json_array_get(cells, i), "value",
					json_object_get(from, "value"));
		}
		json_decref(rows);
	}
	mark_differing(table);
	return ERR_OK;
}

static enum err add_expects(const struct chart_ask *ask, json_t *data, struct diag *diag)
{
	json_t *expects = json_array();
	char sql[SQL_MAX];

	json_object_set_new(data, "expects", expects);
	for (size_t i = 0; i < ask->nr; i++) {
		json_t *rows, *table;

		snprintf(sql, sizeof(sql),
			 "select text, label, iif(ok, 'yes', 'no') as ok, value, wanted from "
			 "v_expect where run = %lld",
			 (long long)ask->run[i].id);
		rows = ask_rows(ask->db, sql, diag);
		if (rows == NULL)
			return diag->err;
		table = json_pack("{s:o}", "rows", rows);
		letter_set(table, i);
		if (json_array_size(rows) > 0)
			json_array_append(expects, table);
		json_decref(table);
	}
	json_object_set_new(data, "no_expects",
			    json_array_size(expects) > 0 ? json_array() : json_pack("[{}]"));
	return ERR_OK;
}

/* ---- how to make it again ---- */

static void add_again(const struct chart_ask *ask, json_t *data)
{
	json_t *again = json_array();
	char line[256];

	for (size_t i = 0; i < ask->nr; i++) {
		snprintf(line, sizeof(line),
			 "memcglab rerun %lld      # %.60s on %.100s, seed %llu",
			 (long long)ask->run[i].id, ask->run[i].scenario, ask->run[i].kernel,
			 (unsigned long long)ask->run[i].seed);
		json_array_append_new(again, json_pack("{s:o}", "line", text_of(line)));
	}
	json_object_set_new(data, "again", again);
}

static void add_title(const struct chart_ask *ask, json_t *data)
{
	char title[256], sub[256];

	snprintf(title, sizeof(title), "memcglab: %.100s", ask->run[0].scenario);
	snprintf(sub, sizeof(sub), "%zu run%s, made %s to %s UTC by memcglab %s", ask->nr,
		 ask->nr == 1 ? "" : "s", ask->run[0].created, ask->run[ask->nr - 1].created,
		 ask->run[0].version);
	json_object_set_new(data, "title", text_of(title));
	json_object_set_new(data, "sub", text_of(sub));
	json_object_set_new(data, "program", text_of(lab_version()));
}

enum err report_data(const struct chart_ask *ask, json_t **out, struct diag *diag)
{
	json_t *data = json_object();
	enum err err = add_runs(ask, data, diag);

	*out = data;
	add_title(ask, data);
	add_scenarios(ask, data);
	add_again(ask, data);
	if (err == ERR_OK)
		err = add_sides(
			ask, data, "metrics",
			"select name, unit, value from metric where typeof(value) <> 'text' "
			"and run = ",
			diag);
	if (err == ERR_OK)
		err = add_sides(ask, data, "params",
				"select key as name, '' as unit, value from run, "
				"json_each(run.params) where run.id = ",
				diag);
	return err == ERR_OK ? add_expects(ask, data, diag) : err;
}
