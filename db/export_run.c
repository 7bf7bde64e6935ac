/*
 * A whole run as JSON or CSV.  The long tables are rows of one table here:
 * name and query; both forms write whatever columns the query gives, so a
 * new column of a view is exported without a change.
 */
#include <inttypes.h>
#include <string.h>

#include <jansson.h>

#include "export.h"
#include "out.h"
#include "store.h"

struct part {
	const char *name; /* of the JSON member and of the CSV block */
	const char *sql;  /* ?1 is the run; column "run" is left out in JSON */
};

/* In CSV only: JSON has members of its own for these. */
static const struct part head_parts[] = {
	{ "run", "SELECT v.*, r.steps, r.version, r.host, r.error, r.file, r.pair"
		 " FROM v_runs AS v JOIN run AS r ON r.id = v.run WHERE v.run = ?1" },
	{ "param", "SELECT r.id AS run, j.key AS name, j.value AS value"
		   " FROM run AS r, json_each(r.params) AS j WHERE r.id = ?1" },
	{ "metric", "SELECT m.run, r.kernel, m.name, m.unit, m.better, m.value FROM metric AS m"
		    " JOIN run AS r ON r.id = m.run WHERE m.run = ?1 ORDER BY m.ord" },
	{ "expect", "SELECT run, text, label, ok, value, wanted FROM expect WHERE run = ?1"
		    " ORDER BY ord" },
};

/* The same in both forms; in JSON each is an array with a row a line. */
static const struct part long_parts[] = {
	{ "scan", "SELECT * FROM v_scan WHERE run = ?1 ORDER BY call" },
	{ "events", "SELECT * FROM v_events WHERE run = ?1 ORDER BY seq" },
	{ "marks", "SELECT * FROM v_marks WHERE run = ?1 ORDER BY seq" },
	{ "taken", "SELECT * FROM v_taken WHERE run = ?1 ORDER BY nr DESC, 2, 3" },
	{ "locks", "SELECT * FROM v_lock WHERE run = ?1 ORDER BY contentions DESC, class" },
	{ "lock_sites", "SELECT * FROM v_lock_site WHERE run = ?1 ORDER BY class, block DESC,"
			" count DESC, site" },
	{ "log", "SELECT * FROM v_log WHERE run = ?1 ORDER BY nr" },
	{ "series", "SELECT * FROM v_series WHERE run = ?1 ORDER BY t_ns, memcg, name" },
};

enum {
	NR_HEAD = sizeof(head_parts) / sizeof(head_parts[0]),
	NR_LONG = sizeof(long_parts) / sizeof(long_parts[0])
};

/* Integers of 64 bits are written as such: jansson would do, a double would round them. */
static void json_value(struct out *out, sqlite3_stmt *stmt, int col)
{
	switch (sqlite3_column_type(stmt, col)) {
	case SQLITE_INTEGER:
		out_printf(out, "%" PRId64, (int64_t)sqlite3_column_int64(stmt, col));
		break;
	case SQLITE_FLOAT:
		out_real(out, sqlite3_column_double(stmt, col));
		break;
	case SQLITE_NULL:
		out_puts(out, "null");
		break;
	default:
		out_json(out, (const char *)sqlite3_column_text(stmt, col));
	}
}

/* Column names are member names.  The run is the same in each row and left out. */
static void json_row(struct out *out, sqlite3_stmt *stmt)
{
	bool first = true;

	for (int i = 0; i < sqlite3_column_count(stmt); i++) {
		const char *name = sqlite3_column_name(stmt, i);

		if (strcmp(name, "run") == 0)
			continue;
		out_puts(out, first ? "{" : ",");
		first = false;
		out_json(out, name);
		out_puts(out, ":");
		json_value(out, stmt, i);
	}
	out_puts(out, "}");
}

/* Writes @part's rows with @row, each after @before (the first after @first). */
static enum err put_part(struct db *db, int64_t id, const struct part *part,
			 void (*row)(struct out *out, sqlite3_stmt *stmt, const char *part,
				     uint64_t nr),
			 struct out *out)
{
	sqlite3_stmt *stmt;
	uint64_t nr = 0;
	int step;

	if (sqlite3_prepare_v2(db->sql, part->sql, -1, &stmt, NULL) != SQLITE_OK)
		return ERR_DB;
	store_bind(stmt, "i", id);
	while ((step = sqlite3_step(stmt)) == SQLITE_ROW && !out->error)
		row(out, stmt, part->name, nr++);
	sqlite3_finalize(stmt);
	return step == SQLITE_ROW || step == SQLITE_DONE ? ERR_OK : ERR_DB;
}

static void json_part_row(struct out *out, sqlite3_stmt *stmt, const char *part, uint64_t nr)
{
	(void)part;
	out_puts(out, nr ? ",\n" : "\n");
	json_row(out, stmt);
}

/* SQL NULL is an empty field, as in the sqlite3 shell. */
static void csv_value(struct out *out, sqlite3_stmt *stmt, int col)
{
	switch (sqlite3_column_type(stmt, col)) {
	case SQLITE_NULL:
		break;
	case SQLITE_FLOAT:
		out_real(out, sqlite3_column_double(stmt, col));
		break;
	default:
		out_csv(out, (const char *)sqlite3_column_text(stmt, col));
	}
}

/* Each part is a block with its own head line; the first column names the part, so that a filter
 * on it takes one table out of the file. */
static void csv_part_row(struct out *out, sqlite3_stmt *stmt, const char *part, uint64_t nr)
{
	int n = sqlite3_column_count(stmt);

	if (!nr) {
		out_puts(out, "table");
		for (int i = 0; i < n; i++) {
			out_puts(out, ",");
			out_csv(out, sqlite3_column_name(stmt, i));
		}
		out_puts(out, "\n");
	}
	out_puts(out, part);
	for (int i = 0; i < n; i++) {
		out_puts(out, ",");
		csv_value(out, stmt, i);
	}
	out_puts(out, "\n");
}

/* The next member of the outermost object, on a line of its own. */
static void member(struct out *out, const char *name)
{
	out_puts(out, ",\n");
	out_json(out, name);
	out_puts(out, ": ");
}

static void text_member(struct out *out, const char *name, const char *text)
{
	member(out, name);
	if (text)
		out_json(out, text);
	else
		out_puts(out, "null");
}

/* A member that is stored as JSON text already. */
static void json_member(struct out *out, const char *name, const char *json)
{
	json_t *value = json ? json_loads(json, JSON_DECODE_ANY, NULL) : NULL;

	if (!value && json) {
		text_member(out, name, json);
		return;
	}
	member(out, name);
	out_puts(out, value ? json : "null");
	json_decref(value);
}

struct json_list {
	struct out *out;
	bool units; /* write the units instead of the values */
	uint64_t nr;
};

/* Called twice over: once for the values, once for the units, in the same order. */
static enum err json_metric(void *ctx, const struct db_metric *metric)
{
	struct json_list *list = ctx;

	out_puts(list->out, list->nr++ ? "," : "{");
	out_json(list->out, metric->name);
	out_puts(list->out, ":");
	if (list->units)
		out_json(list->out, metric->unit);
	else if (metric->missing)
		out_puts(list->out, "null");
	else if (metric->is_text)
		out_json(list->out, metric->text);
	else if (metric->is_real)
		out_real(list->out, metric->real);
	else
		out_printf(list->out, "%" PRId64, metric->integer);
	return ERR_OK;
}

/* An object from names to values (or units); empty if the run measured nothing. */
static enum err json_metrics(struct db *db, int64_t id, struct out *out, bool units,
			     struct diag *diag)
{
	struct json_list list = { .out = out, .units = units };
	enum err err;

	member(out, units ? "units" : "metrics");
	err = db_metrics(db, id, json_metric, &list, diag);
	out_puts(out, list.nr ? "}" : "{}");
	return err;
}

static enum err json_expect(void *ctx, const struct db_expect *expect)
{
	struct json_list *list = ctx;

	out_puts(list->out, list->nr++ ? ",\n{\"text\":" : "\n{\"text\":");
	out_json(list->out, expect->text);
	out_puts(list->out, ",\"label\":");
	out_json(list->out, expect->label);
	out_puts(list->out, expect->ok ? ",\"ok\":true,\"value\":" : ",\"ok\":false,\"value\":");
	if (expect->has_value)
		out_real(list->out, expect->value);
	else
		out_puts(list->out, "null");
	out_puts(list->out, ",\"wanted\":");
	if (expect->has_wanted)
		out_real(list->out, expect->wanted);
	else
		out_puts(list->out, "null");
	out_puts(list->out, "}");
	return ERR_OK;
}

/* What the run is, then what is needed to do it again. */
static void json_run(struct out *out, const struct db_run *run)
{
	out_printf(out, "{\"id\": %" PRId64, run->id);
	text_member(out, "uuid", run->uuid);
	text_member(out, "scenario", run->scenario);
	text_member(out, "kernel", run->kernel);
	text_member(out, "alias", run->alias);
	member(out, "seed");
	out_printf(out, "%" PRIu64, run->seed);
	text_member(out, "state", run_state_name(run->state));
	text_member(out, "error", run->error);
	text_member(out, "created", run->created);
	member(out, "wall_ns");
	out_printf(out, "%" PRIu64, run->wall_ns);
	member(out, "steps");
	out_printf(out, "%" PRIu64, run->steps);
	member(out, "pair");
	out_printf(out, "%" PRId64, run->pair);
	text_member(out, "version", run->version);
	text_member(out, "host", run->host);
	text_member(out, "tag", run->tag[0] ? run->tag : NULL);
	text_member(out, "note", run->note);
	text_member(out, "file", run->file);
	json_member(out, "params", run->params ? run->params : "{}");
	json_member(out, "machine", run->machine);
	text_member(out, "script", run->text);
}

/* What a, b, c ... of each kind are. */
static enum err json_numbers(struct db *db, struct out *out, struct diag *diag)
{
	sqlite3_stmt *stmt;
	uint64_t nr = 0;
	enum err err =
		store_prepare(db->sql, "SELECT name, numbers FROM kind ORDER BY id", &stmt, diag);

	if (err)
		return err;
	member(out, "numbers");
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		out_puts(out, nr++ ? "," : "{");
		out_json(out, (const char *)sqlite3_column_text(stmt, 0));
		out_printf(out, ":%s", (const char *)sqlite3_column_text(stmt, 1));
	}
	out_puts(out, nr ? "}" : "{}");
	sqlite3_finalize(stmt);
	return ERR_OK;
}

/* Written as it is read: a run of millions of events is never in memory as a whole. */
static enum err json_all(struct db *db, const struct db_run *run, struct out *out,
			 struct diag *diag)
{
	struct json_list expects = { .out = out };
	enum err err;

	json_run(out, run);
	err = json_metrics(db, run->id, out, false, diag);
	if (!err)
		err = json_metrics(db, run->id, out, true, diag);
	member(out, "expect");
	out_puts(out, "[");
	if (!err)
		err = db_expects(db, run->id, json_expect, &expects, diag);
	out_puts(out, "]");
	if (!err)
		err = json_numbers(db, out, diag);
	for (int i = 0; i < NR_LONG && !err; i++) {
		member(out, long_parts[i].name);
		out_puts(out, "[");
		if (put_part(db, run->id, &long_parts[i], json_part_row, out))
			err = store_fail(db->sql, diag, long_parts[i].name);
		out_puts(out, "]");
	}
	out_puts(out, "}\n");
	return err;
}

/* One block after the other, of different widths; parts without rows leave no trace. */
static enum err csv_all(struct db *db, const struct db_run *run, struct out *out, struct diag *diag)
{
	for (int i = 0; i < NR_HEAD + NR_LONG; i++) {
		const struct part *part = i < NR_HEAD ? &head_parts[i] : &long_parts[i - NR_HEAD];

		if (put_part(db, run->id, part, csv_part_row, out))
			return store_fail(db->sql, diag, part->name);
	}
	return ERR_OK;
}

/* One snapshot for all parts: a run that is going on must not change in between. */
static enum err export_run(struct db *db, int64_t id, FILE *file,
			   enum err (*all)(struct db *db, const struct db_run *run, struct out *out,
					   struct diag *diag),
			   struct diag *diag)
{
	struct out out = { .file = file };
	struct db_run run;
	char ref[32];
	enum err err;

	snprintf(ref, sizeof(ref), "%" PRId64, id);
	err = store_exec(db->sql, "BEGIN", diag);
	if (err)
		return err;
	err = db_run_find(db, ref, &run, diag);
	if (!err)
		err = all(db, &run, &out, diag);
	db_run_free(&run);
	err = store_end(db->sql, err, diag);
	return err ? err : out_end(&out, diag);
}

enum err export_json(struct db *db, int64_t id, FILE *file, struct diag *diag)
{
	return export_run(db, id, file, json_all, diag);
}

enum err export_csv(struct db *db, int64_t id, FILE *file, struct diag *diag)
{
	return export_run(db, id, file, csv_all, diag);
}
