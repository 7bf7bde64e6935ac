/*
 * The names that conditions on runs know.  Columns are the table below;
 * metrics and parameters are whatever the store holds, asked for only when a
 * name is none of the columns.
 */
#include "where_column.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

enum { NAMES_MAX = 1000, NEAR_NAMES = 3 };

/* v_runs has them under the same names; those that lists of runs use instead stand below them. */
static const struct {
	const char *name, *sql;
	enum where_kind kind;
} columns[] = {
	{ "run", "r.id", WHERE_INTEGER },
	{ "uuid", "r.uuid", WHERE_TEXT },
	{ "scenario", "r.scenario", WHERE_TEXT },
	{ "kernel", "r.kernel", WHERE_KERNEL },
	{ "alias", "r.alias", WHERE_TEXT },
	{ "seed", "r.seed", WHERE_SEED },
	{ "state", "r.state", WHERE_TEXT },
	{ "parent", "r.parent", WHERE_INTEGER },
	{ "step", "r.step", WHERE_INTEGER },
	{ "created", "r.created", WHERE_DATE },
	{ "wall_ns", "r.wall_ns", WHERE_TIME },
	{ "tag", "coalesce(r.tag, '')", WHERE_WORDS },
	{ "note", "coalesce(r.note, '')", WHERE_TEXT },
	{ "steps", "r.steps", WHERE_INTEGER },
	{ "version", "r.version", WHERE_TEXT },
	{ "error", "coalesce(r.error, '')", WHERE_TEXT },
	{ "baseline", "EXISTS (SELECT 1 FROM baseline AS b WHERE b.run = r.id)", WHERE_INTEGER },
	{ "id", "r.id", WHERE_INTEGER },
	{ "wall", "r.wall_ns", WHERE_TIME },
};

enum { NR_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Names with what stands before them, and which of them are left out: those already near. */
struct names {
	char *name[NAMES_MAX];
	size_t n;
	const char *used[NEAR_NAMES];
	size_t nr_used;
};

static const char *name_at(const void *ctx, size_t i)
{
	const struct names *names = ctx;

	for (size_t k = 0; k < names->n; k++) {
		bool used = false;

		for (size_t u = 0; u < names->nr_used; u++)
			used |= names->used[u] == names->name[k];
		if (!used && i-- == 0)
			return names->name[k];
	}
	return NULL;
}

/* What a query gives, in order; what does not fit a list of names is nobody's typing error. */
static void add_names(sqlite3 *base, const char *sql, struct names *names)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(base, sql, -1, &stmt, NULL) != SQLITE_OK)
		return;
	while (names->n < NAMES_MAX && sqlite3_step(stmt) == SQLITE_ROW) {
		names->name[names->n] = strdup((const char *)sqlite3_column_text(stmt, 0));
		names->n += names->name[names->n] != NULL;
	}
	sqlite3_finalize(stmt);
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

#define METRIC_PREFIX "metric."
#define PARAM_PREFIX "param."

/* All names that could be meant where @word stands. */
static struct names *names_for(sqlite3 *base, const char *word)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	if (begins(word, PARAM_PREFIX)) {
		add_names(base,
			  "SELECT DISTINCT '" PARAM_PREFIX "' || j.key FROM run, "
			  "json_each(run.params) AS j ORDER BY 1",
			  names);
		return names;
	}
	for (size_t i = 0; i < NR_COLUMNS && !begins(word, METRIC_PREFIX); i++) {
		names->name[names->n] = strdup(columns[i].name);
		names->n += names->name[names->n] != NULL;
	}
	add_names(base,
		  begins(word, METRIC_PREFIX) ? "SELECT DISTINCT '" METRIC_PREFIX
						"' || name FROM metric ORDER BY 1"
					      : "SELECT DISTINCT name FROM metric ORDER BY 1",
		  names);
	return names;
}

static void names_free(struct names *names)
{
	for (size_t i = 0; names && i < names->n; i++)
		free(names->name[i]);
	free(names);
}

/* "over_scan", "over_scanned" and "steps": the nearest first. */
static void list_near(struct names *names, const char *word, char near[WHERE_NEAR_MAX])
{
	size_t at = 0;

	near[0] = '\0';
	for (const char *name; names->nr_used < NEAR_NAMES; names->used[names->nr_used++] = name) {
		name = diag_nearest(word, name_at, names);
		if (!name)
			break;
		at += (size_t)snprintf(near + at, WHERE_NEAR_MAX - at, "%s%.70s", at ? ", " : "",
				       name);
	}
}

/* The only name that begins so.  NULL: there is none, or there are several. */
static const char *only_one(const struct names *names, const char *word)
{
	const char *found = NULL;

	for (size_t i = 0; i < names->n && word[0]; i++) {
		if (!begins(names->name[i], word))
			continue;
		if (found && strcmp(found, names->name[i]) != 0)
			return NULL;
		found = names->name[i];
	}
	return found;
}

static bool find_column(const char *name, struct where_column *out)
{
	for (size_t i = 0; i < NR_COLUMNS; i++) {
		if (strcmp(columns[i].name, name) != 0)
			continue;
		*out = (struct where_column){ .kind = columns[i].kind, .sql = columns[i].sql };
		snprintf(out->name, sizeof(out->name), "%s", name);
		out->is_text = columns[i].kind < WHERE_INTEGER;
		return true;
	}
	return false;
}

/* One row of a query with one text bound to it. */
static bool ask(sqlite3 *base, const char *sql, const char *name, struct where_column *out)
{
	sqlite3_stmt *stmt;
	bool found;

	if (sqlite3_prepare_v2(base, sql, -1, &stmt, NULL) != SQLITE_OK)
		return false;
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_TRANSIENT);
	found = sqlite3_step(stmt) == SQLITE_ROW;
	if (found) {
		const char *unit = (const char *)sqlite3_column_text(stmt, 0);

		snprintf(out->unit, sizeof(out->unit), "%s", unit ? unit : "");
		out->is_text = sqlite3_column_int(stmt, 1) != 0;
	}
	sqlite3_finalize(stmt);
	return found;
}

/* The unit is that of any run that has the metric: a name means one thing. */
static bool find_metric(sqlite3 *base, const char *name, struct where_column *out)
{
	*out = (struct where_column){ .kind = WHERE_METRIC };
	if (begins(name, METRIC_PREFIX))
		name += strlen(METRIC_PREFIX);
	snprintf(out->name, sizeof(out->name), "%s", name);
	return ask(base,
		   "SELECT unit, typeof(value) = 'text' FROM metric WHERE name = ?"
		   " ORDER BY value IS NULL LIMIT 1",
		   name, out);
}

static bool find_param(sqlite3 *base, const char *name, struct where_column *out)
{
	*out = (struct where_column){ .kind = WHERE_PARAM };
	snprintf(out->name, sizeof(out->name), "$.\"%.100s\"", name + strlen(PARAM_PREFIX));
	return ask(base,
		   "SELECT '', json_type(params, ?1) NOT IN ('integer', 'real') FROM run"
		   " WHERE json_type(params, ?1) IS NOT NULL LIMIT 1",
		   out->name, out);
}

/* By its whole name. */
static bool find_whole(sqlite3 *base, const char *name, struct where_column *out)
{
	if (begins(name, PARAM_PREFIX))
		return find_param(base, name, out);
	return find_column(name, out) || find_metric(base, name, out);
}

bool where_column_find(sqlite3 *base, const char *name, struct where_column *out,
		       char near[WHERE_NEAR_MAX])
{
	const char *whole;
	struct names *names;
	bool found = find_whole(base, name, out);

	near[0] = '\0';
	if (found)
		return true;
	names = names_for(base, name);
	if (!names)
		return false;
	whole = only_one(names, name);
	found = whole && find_whole(base, whole, out);
	if (!found)
		list_near(names, name, near);
	names_free(names);
	return found;
}

bool where_column_begins(sqlite3 *base, const char *word)
{
	struct names *names = names_for(base, word);
	bool found = false;

	for (size_t i = 0; names && i < names->n && !found; i++)
		found = begins(names->name[i], word);
	names_free(names);
	return found;
}

/* What a suffix is a suffix of, and how many of its units are one of the column's. */
static const struct {
	const char *unit;
	enum unit_kind kind;
	double divisor;
} scales[] = {
	{ "pages", UNIT_SIZE, PAGE_BYTES }, { "bytes", UNIT_SIZE, 1 }, { "B", UNIT_SIZE, 1 },
	{ "kB", UNIT_SIZE, 1 << 10 },       { "KiB", UNIT_SIZE, 1 << 10 },
	{ "MiB", UNIT_SIZE, 1 << 20 },      { "ns", UNIT_TIME, 1 },
	{ "us", UNIT_TIME, 1e3 },           { "ms", UNIT_TIME, 1e6 },
	{ "s", UNIT_TIME, 1e9 },
};

/* With a suffix; parameters are stored in bytes, nanoseconds or whole numbers. */
static bool read_units(const struct where_column *column, const char *text, double *number)
{
	enum unit_kind kind = column->kind == WHERE_TIME ? UNIT_TIME : UNIT_COUNT;
	double divisor = 1;
	uint64_t value;
	bool ok = false;

	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		if (column->kind != WHERE_METRIC || strcmp(scales[i].unit, column->unit) != 0)
			continue;
		kind = scales[i].kind;
		divisor = scales[i].divisor;
	}
	if (column->kind == WHERE_PARAM)
		ok = units_parse(UNIT_SIZE, text, &value) || units_parse(UNIT_TIME, text, &value);
	if (!ok && !units_parse(kind, text, &value))
		return false;
	*number = (double)value / divisor;
	return true;
}

/* An integer stays one: a real would lose the last digits of a seed. */
bool where_column_number(const struct where_column *column, const char *text,
			 struct where_value *out)
{
	uint64_t whole = 0;
	char *end;

	*out = (struct where_value){ .kind = 'd' };
	if (text[0] == '\0')
		return false;
	if (text[strspn(text, "0123456789")] == '\0' && units_parse(UNIT_COUNT, text, &whole)) {
		out->kind = 'i';
		out->integer = (int64_t)whole;
		out->real = (double)whole;
		return true;
	}
	out->real = strtod(text, &end);
	if (*end == '\0' && strspn(text, "0123456789.eE+-") == strlen(text))
		return true;
	return read_units(column, text, &out->real);
}
