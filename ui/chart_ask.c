/*
 * The table of kinds, and what the questions of all kinds share.
 */
#include "chart_ask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "query.h"

enum { WARM_NONE = 0 };

static const struct kind {
	const char *name;
	chart_fill_fn *fill;
	const char *metric; /* what it shows without one; NULL: one has to be named */
} kinds[] = {
	{ "series", chart_over_time, "usage" },
	{ "histogram", chart_histogram, NULL },
	{ "sweep", chart_sweep, NULL },
	{ "mrc", chart_miss_ratio, "miss_ratio" },
	{ "strip", chart_strip, "inactive_file" },
	{ "locks", chart_waits, "waits" },
};

enum { NR_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

const char *chart_kind_name(size_t i)
{
	return i < NR_KINDS ? kinds[i].name : NULL;
}

static const char *kind_name_at(const void *ctx, size_t i)
{
	(void)ctx;
	return chart_kind_name(i);
}

/* ---- questions ---- */

struct asked {
	chart_row_fn *row;
	void *ctx;
	struct diag *diag;
};

static enum err on_row(void *ctx, int n, const char *const *values, const int *types)
{
	struct asked *asked = ctx;
	double value[4] = { NAN, NAN, NAN, NAN };

	(void)types;
	for (int i = 0; i < n && i < 4; i++)
		if (values[i] != NULL)
			value[i] = strtod(values[i], NULL);
	return asked->row(asked->ctx, value, asked->diag);
}

enum err chart_query(struct db *db, const char *sql, chart_row_fn *row, void *ctx,
		     struct diag *diag)
{
	struct asked asked = { row, ctx, diag };
	const struct db_query_sink sink = { &asked, NULL, on_row };

	return db_query(db, sql, &sink, diag);
}

static enum err on_text(void *ctx, int n, const char *const *values, const int *types)
{
	char *out = ctx;

	(void)n;
	(void)types;
	if (out[0] == '\0' && values[0] != NULL)
		snprintf(out, CHART_WORDS, "%s", values[0]);
	return ERR_OK;
}

enum err chart_text_query(struct db *db, const char *sql, char out[CHART_WORDS], struct diag *diag)
{
	const struct db_query_sink sink = { out, NULL, on_text };

	out[0] = '\0';
	return db_query(db, sql, &sink, diag);
}

char *chart_quoted(const char *text, char out[2 * CHART_WORDS])
{
	size_t n = 0;

	out[n++] = '\'';
	for (; *text != '\0' && n + 4 < 2 * CHART_WORDS; text++) {
		if (*text == '\'')
			out[n++] = '\'';
		out[n++] = *text;
	}
	out[n++] = '\'';
	out[n] = '\0';
	return out;
}

/* ---- runs ---- */

void chart_label(const struct chart_ask *ask, size_t i, char out[CHART_WORDS])
{
	const struct db_run *run = &ask->run[i];

	snprintf(out, CHART_WORDS, "%c  run %lld  %.60s%s%.60s%s", (char)('A' + i),
		 (long long)run->id, run->kernel, run->alias[0] != '\0' ? " (" : "", run->alias,
		 run->alias[0] != '\0' ? ")" : "");
}

struct found {
	double value;
	bool any;
};

static enum err on_found(void *ctx, const double value[4], struct diag *diag)
{
	struct found *found = ctx;

	(void)diag;
	found->value = value[0];
	found->any = true;
	return ERR_OK;
}

/* A word, such as the verdict, is no number and is not read as 0. */
enum err chart_metric(const struct chart_ask *ask, size_t i, const char *name,
		      struct chart_figure *out, struct diag *diag)
{
	long long id = (long long)ask->run[i].id;
	char sql[1024], text[2 * CHART_WORDS], type[CHART_WORDS];
	struct found found = { 0 };
	enum err err;

	snprintf(sql, sizeof(sql),
		 "select typeof(value) from v_metrics where run = %lld and name = %s", id,
		 chart_quoted(name, text));
	err = chart_text_query(ask->db, sql, type, diag);
	if (err != ERR_OK)
		return err;
	if (type[0] == '\0')
		return diag_fail(diag, ERR_USAGE,
				 "--metric: run %lld (%s) has no metric \"%.60s\": memcglab show "
				 "%lld lists those that it has",
				 id, ask->run[i].scenario, name, id);
	if (strcmp(type, "null") == 0)
		return diag_fail(diag, ERR_USAGE,
				 "--metric: %.60s has no value in run %lld: nothing was there to "
				 "be measured",
				 name, id);
	if (strcmp(type, "text") == 0)
		return diag_fail(diag, ERR_USAGE, "--metric: %.60s is a word, not a number", name);
	snprintf(sql, sizeof(sql), "select value from v_metrics where run = %lld and name = %s", id,
		 text);
	err = chart_query(ask->db, sql, on_found, &found, diag);
	out->value = found.value;
	snprintf(sql, sizeof(sql), "select unit from v_metrics where run = %lld and name = %s", id,
		 text);
	if (err == ERR_OK)
		err = chart_text_query(ask->db, sql, type, diag);
	snprintf(out->unit, sizeof(out->unit), "%.31s", type);
	return err;
}

/* Of the first run: the group whose pages reclaim took, else the fullest; the deepest of equals. */
enum err chart_group(const struct chart_ask *ask, char group[CHART_WORDS], struct diag *diag)
{
	char sql[1024], quoted[2 * CHART_WORDS], found[CHART_WORDS];
	enum err err = ERR_OK;

	snprintf(sql, sizeof(sql),
		 "select memcg from v_series where run = %lld and name in ('nr_reclaimed', 'usage')"
		 " group by memcg order by max(iif(name = 'nr_reclaimed', value, 0)) desc,"
		 " max(value) desc, length(memcg) desc limit 1",
		 (long long)ask->run[0].id);
	if (ask->group != NULL)
		snprintf(group, CHART_WORDS, "%s", ask->group);
	else
		err = chart_text_query(ask->db, sql, group, diag);
	for (size_t i = 0; i < ask->nr && err == ERR_OK; i++) {
		snprintf(sql, sizeof(sql),
			 "select memcg from v_series where run = %lld and memcg = %s limit 1",
			 (long long)ask->run[i].id, chart_quoted(group, quoted));
		err = chart_text_query(ask->db, sql, found, diag);
		if (err == ERR_OK && (found[0] == '\0' || group[0] == '\0'))
			err = diag_fail(diag, ERR_USAGE,
					"run %lld has no samples of group \"%.100s\"",
					(long long)ask->run[i].id, group);
	}
	return err;
}

/* The parameter warmup holds steps; the first fact behind them tells when they were over. */
enum err chart_warm(const struct chart_ask *ask, size_t i, double *steps, double *seconds,
		    struct diag *diag)
{
	const struct db_run *run = &ask->run[i];
	json_t *params = json_loads(run->params != NULL ? run->params : "{}", 0, NULL);
	struct found found = { 0 };
	char sql[256];
	enum err err = ERR_OK;

	*steps = (double)json_integer_value(json_object_get(params, "warmup"));
	*seconds = 0;
	json_decref(params);
	if (*steps <= WARM_NONE)
		return ERR_OK;
	snprintf(sql, sizeof(sql),
		 "select min(t_ns) / 1e9 from (select key, t_ns, step from sample union all "
		 "select key, t_ns, step from event) where step >= %.0f and "
		 "key between %lld << 36 and (%lld << 36) + 68719476735",
		 *steps, (long long)run->id, (long long)run->id);
	err = chart_query(ask->db, sql, on_found, &found, diag);
	if (err == ERR_OK && found.any && !isnan(found.value))
		*seconds = found.value;
	return err;
}

/* ---- kinds ---- */

/* The usual kind of a metric: over time if it is kept so, else the runs against each other. */
static const char *usual_kind(const struct chart_ask *ask)
{
	const char *metric = ask->metric;

	if (ask->by != NULL)
		return "sweep";
	if (metric == NULL || chart_is_sample(metric) || chart_is_call(metric))
		return "series";
	if (strcmp(metric, "waits") == 0)
		return "locks";
	if (strcmp(metric, "miss_ratio") == 0)
		return "mrc";
	return ask->nr > 1 ? "sweep" : "series";
}

enum err chart_fill(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	struct chart_ask asked = *ask;
	const char *name = ask->kind != NULL ? ask->kind : usual_kind(ask);
	char hint[DIAG_HINT_MAX];
	size_t k = 0;

	while (k < NR_KINDS && strcmp(kinds[k].name, name) != 0)
		k++;
	if (k == NR_KINDS)
		return diag_fail(diag, ERR_USAGE, "--kind: no kind of plot \"%.60s\": %s", name,
				 diag_hint(name, kind_name_at, NULL, hint));
	if (asked.metric == NULL)
		asked.metric = kinds[k].metric;
	if (asked.metric == NULL)
		return diag_fail(diag, ERR_USAGE, "--kind %s needs a --metric", name);
	return kinds[k].fill(&asked, chart, diag);
}
