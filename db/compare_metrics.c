/*
 * The figures of both sides, a value a run, in the order in which they are
 * shown.  A run's state hash is no figure: it differs wherever anything does.
 */
#include "compare_metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "store.h"

#define STATE_HASH "state_hash"

enum { FNV_BITS_KEPT = 53 }; /* a double holds so many */

/* Who is being read. */
struct reading {
	struct compare *compare;
	int side;
	size_t run;  /* place of the run */
	bool host;   /* its wall time, which is no figure of the model */
	size_t next; /* where the next metric is, if all runs have the same ones */
	char (*hash)[DB_WORD_MAX]; /* state hashes of this side's runs */
	struct diag *diag;
};

/* FNV-1a.  A number that stands for a text: it is compared for being the same, nothing else. */
static double text_number(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return (double)(hash >> (64 - FNV_BITS_KEPT));
}

static double *gaps(size_t nr)
{
	double *value = malloc((nr + 1) * sizeof(*value));

	for (size_t i = 0; value != NULL && i < nr; i++)
		value[i] = NAN;
	return value;
}

/* A metric that no run before this one had. */
static struct compare_metric *metric_new(struct compare *compare, const struct db_metric *from,
					 bool host)
{
	struct compare_metric *all = realloc(compare->metric,
					     (compare->nr_metrics + 1) * sizeof(*all)),
			      *metric;

	if (all == NULL)
		return NULL;
	compare->metric = all;
	metric = &all[compare->nr_metrics];
	memset(metric, 0, sizeof(*metric));
	metric->host = host;
	memcpy(metric->name, from->name, sizeof(metric->name));
	memcpy(metric->unit, from->unit, sizeof(metric->unit));
	memcpy(metric->better, from->better, sizeof(metric->better));
	for (int s = 0; s < 2; s++)
		metric->value[s] = gaps(compare->side[s].nr);
	compare->nr_metrics++;
	return metric->value[0] != NULL && metric->value[1] != NULL ? metric : NULL;
}

/* Runs of a scenario have the same metrics in the same order, nearly always. */
static struct compare_metric *metric_find(struct reading *reading, const char *name)
{
	struct compare *compare = reading->compare;

	for (size_t i = 0; i < compare->nr_metrics; i++) {
		size_t at = (reading->next + i) % compare->nr_metrics;

		if (compare->metric[at].host != reading->host ||
		    strcmp(compare->metric[at].name, name) != 0)
			continue;
		reading->next = at + 1;
		return &compare->metric[at];
	}
	return NULL;
}

static void text_take(struct compare_metric *metric, int side, const char *text)
{
	metric->is_text = true;
	if (metric->text[side][0] == '\0')
		snprintf(metric->text[side], DB_WORD_MAX, "%s", text);
	else if (strcmp(metric->text[side], text) != 0)
		snprintf(metric->text[side], DB_WORD_MAX, "varies");
}

static enum err metric_row(void *ctx, const struct db_metric *from)
{
	struct reading *reading = ctx;
	struct compare_metric *metric;

	if (from->is_text && strcmp(from->name, STATE_HASH) == 0) {
		memcpy(reading->hash[reading->run], from->text, DB_WORD_MAX);
		return ERR_OK;
	}
	metric = metric_find(reading, from->name);
	if (metric == NULL)
		metric = metric_new(reading->compare, from, reading->host);
	if (metric == NULL)
		return diag_fail(reading->diag, ERR_NOMEM, "no memory to compare");
	if (from->missing)
		return ERR_OK;
	if (from->is_text)
		text_take(metric, reading->side, from->text);
	metric->value[reading->side][reading->run] = from->is_text   ? text_number(from->text)
						     : from->is_real ? from->real
								     : (double)from->integer;
	return ERR_OK;
}

/* How long the host took: a column of the run, shown as a metric. */
static enum err wall_row(struct db *db, struct reading *reading, int64_t id)
{
	struct db_metric wall = { .name = "wall", .unit = "s", .better = "lower", .is_real = true };
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, "SELECT wall_ns / 1e9 FROM run WHERE id = ?", &stmt,
				     reading->diag);

	if (err)
		return err;
	store_bind(stmt, "i", id);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		wall.real = sqlite3_column_double(stmt, 0);
	sqlite3_finalize(stmt);
	reading->host = true;
	err = metric_row(reading, &wall);
	reading->host = false;
	return err;
}

static enum err side_metrics(struct db *db, struct reading *reading)
{
	const struct compare_side *side = &reading->compare->side[reading->side];
	enum err err = ERR_OK;

	for (size_t i = 0; i < side->nr && !err; i++) {
		reading->run = i;
		reading->next = 0;
		err = db_metrics(db, side->id[i], metric_row, reading, reading->diag);
		if (!err)
			err = wall_row(db, reading, side->id[i]);
	}
	return err;
}

/* The scenario's own figures are what it is about, then what the engine counts in every run. */
static int metric_place(const struct compare_metric *metric)
{
	if (metric->host)
		return 2;
	for (size_t i = 0; i < run_totals_count(); i++)
		if (strcmp(run_totals_at(i)->name, metric->name) == 0)
			return 1;
	return 0;
}

/* By insertion: the order within a place stays, and there are some dozens. */
static void metrics_sort(struct compare *compare)
{
	for (size_t i = 1; i < compare->nr_metrics; i++) {
		struct compare_metric metric = compare->metric[i];
		int place = metric_place(&metric);
		size_t k = i;

		for (; k > 0 && metric_place(&compare->metric[k - 1]) > place; k--)
			compare->metric[k] = compare->metric[k - 1];
		compare->metric[k] = metric;
	}
}

/* Of the seeds that both sides have. */
static void states_count(struct compare *compare, char (*const hash[2])[DB_WORD_MAX])
{
	const struct compare_side *a = &compare->side[0], *b = &compare->side[1];

	for (size_t i = 0, k = 0; i < a->nr && k < b->nr;) {
		if (a->seed[i] != b->seed[k]) {
			/* In order of the signed number that the store keeps. */
			if ((int64_t)a->seed[i] < (int64_t)b->seed[k])
				i++;
			else
				k++;
			continue;
		}
		compare->nr_same_seeds++;
		compare->nr_same_states += hash[0][i][0] && !strcmp(hash[0][i], hash[1][k]);
		i++;
		k++;
	}
}

enum err compare_metrics_read(struct db *db, struct compare *compare, struct diag *diag)
{
	char(*hash[2])[DB_WORD_MAX];
	enum err err = ERR_OK;

	for (int s = 0; s < 2; s++)
		hash[s] = calloc(compare->side[s].nr + 1, sizeof(*hash[s]));
	if (hash[0] == NULL || hash[1] == NULL) {
		free(hash[0]);
		free(hash[1]);
		return diag_fail(diag, ERR_NOMEM, "no memory to compare");
	}
	for (int s = 0; s < 2 && !err; s++) {
		struct reading reading = {
			.compare = compare, .side = s, .hash = hash[s], .diag = diag
		};

		err = side_metrics(db, &reading);
	}
	if (!err)
		states_count(compare, hash);
	free(hash[0]);
	free(hash[1]);
	metrics_sort(compare);
	return err;
}

/* ---- the chosen metrics ---- */

void compare_metric_drop(struct compare_metric *metric)
{
	free(metric->value[0]);
	free(metric->value[1]);
}

static const char *metric_name_at(const void *ctx, size_t i)
{
	const struct compare *compare = ctx;

	return i < compare->nr_metrics ? compare->metric[i].name : NULL;
}

/* Moves the metric of that name from the rest to the chosen ones, which stand first. */
static enum err choose(struct compare *compare, size_t *chosen, const char *name, struct diag *diag)
{
	char hint[DIAG_HINT_MAX];

	for (size_t i = 0; i < compare->nr_metrics; i++) {
		struct compare_metric metric = compare->metric[i];

		if (strcmp(metric.name, name) != 0)
			continue;
		if (i < *chosen)
			return ERR_OK;
		memmove(&compare->metric[*chosen + 1], &compare->metric[*chosen],
			(i - *chosen) * sizeof(metric));
		compare->metric[(*chosen)++] = metric;
		return ERR_OK;
	}
	return diag_fail(diag, ERR_USAGE, "compare: neither side has a metric \"%s\"; %s", name,
			 diag_hint(name, metric_name_at, compare, hint));
}

enum err compare_metrics_choose(struct compare *compare, const char *names, struct diag *diag)
{
	size_t chosen = 0;
	enum err err = ERR_OK;
	char name[DB_WORD_MAX];

	while (!err && *names != '\0') {
		size_t n = strcspn(names, ",");

		snprintf(name, sizeof(name), "%.*s", (int)n, names);
		err = choose(compare, &chosen, name, diag);
		names += n + (names[n] == ',');
	}
	while (!err && compare->nr_metrics > chosen)
		compare_metric_drop(&compare->metric[--compare->nr_metrics]);
	return err;
}
