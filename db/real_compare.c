/*
 * Each predicted counter with its recorded fellows.  A counter that a run
 * does not name (a priority, the controller's row) was 0 there; one that the
 * model does not name (a phase that never came) is predicted as 0.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "real_check.h"
#include "real_count.h"
#include "real_csv.h"

struct compare {
	struct real_check *out;
	struct real_figures recorded;	/* sorted by key, then run */
	unsigned runs;			/* bit of each run that was recorded */
	struct diag *diag;
};

/* ---- keys ---- */

/* A phase is found by its name and how often that name came before, not by its number: free
 * tasks may reach their marks in another order than in the record. */
static int by_key(const struct real_figure *a, const struct real_figure *b)
{
	int order = strcmp(a->phase, b->phase);

	if (order == 0)
		order = (a->occurrence > b->occurrence) - (a->occurrence < b->occurrence);
	if (order == 0)
		order = strcmp(a->who, b->who);
	return order != 0 ? order : strcmp(a->counter, b->counter);
}

/* The order of sorting: all runs of one counter stand side by side. */
static int by_key_and_run(const void *a, const void *b)
{
	const struct real_figure *x = a, *y = b;
	int order = by_key(x, y);

	return order != 0 ? order : (x->rep > y->rep) - (x->rep < y->rep);
}

/* The first recorded figure that is not before @key. */
static size_t find(const struct real_figures *figures, const struct real_figure *key)
{
	size_t low = 0, high = figures->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_key(&figures->figure[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- values ---- */

/* What the runs of @mask recorded.  Returns: how many. */
static size_t values(const struct compare *c, const struct real_figure *key, unsigned mask,
		     int64_t out[REAL_RUNS])
{
	size_t i = find(&c->recorded, key), nr = 0;

	for (unsigned rep = 1; rep <= REAL_RUNS; rep++) {
		const struct real_figure *f = &c->recorded.figure[i];

		if (!(mask >> (rep - 1) & 1))
			continue;
		while (i < c->recorded.nr && by_key(f, key) == 0 && f->rep < rep)
			f = &c->recorded.figure[++i];
		out[nr++] = i < c->recorded.nr && by_key(f, key) == 0 && f->rep == rep ? f->value
										       : 0;
	}
	return nr;
}

/* For the median, which needs the runs in order. */
static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The error is a share of the nearest end of the range, so that counters of all sizes compare;
 * a range that ends at 0 is taken as if it ended at 1. */
static struct real_row row_of(const struct compare *c, const struct real_figure *predicted,
			      unsigned mask)
{
	struct real_row row = { .no = predicted->no, .predicted = (double)predicted->value };
	int64_t value[REAL_RUNS] = { 0 };
	size_t nr = values(c, predicted, mask, value);
	size_t low, high;
	double nearest;

	memcpy(row.phase, predicted->phase, REAL_WORD_MAX);
	memcpy(row.who, predicted->who, REAL_WORD_MAX);
	memcpy(row.counter, predicted->counter, REAL_WORD_MAX);
	if (nr == 0)
		return row;
	qsort(value, nr, sizeof(*value), by_value);
	low = (nr - 1) / 2;
	high = nr / 2;
	row.min = (double)value[0];
	row.max = (double)value[nr - 1];
	row.median = ((double)value[low] + (double)value[high]) / 2;
	nearest = row.predicted < row.min ? row.min : row.max;
	if (row.predicted < row.min || row.predicted > row.max)
		row.error = fabs(row.predicted - nearest) / fmax(1, fabs(nearest));
	return row;
}

/* A hash has no range: it is that of one of the runs, or it is not. */
static bool hash_match(const struct compare *c, const struct real_figure *predicted, unsigned mask)
{
	int64_t value[REAL_RUNS];
	size_t nr = values(c, predicted, mask, value);

	for (size_t i = 0; i < nr; i++)
		if (value[i] == predicted->value)
			return true;
	return false;
}

/* ---- rows ---- */

/* A row for each counter, also for those that are 0 everywhere: what is not counted is a claim
 * too. */
static enum err add_row(struct compare *c, const struct real_figure *predicted)
{
	struct real_check *out = c->out;
	struct real_row *more = realloc(out->row, (out->nr_rows + 1) * sizeof(*more));

	if (more == NULL)
		return diag_fail(c->diag, ERR_NOMEM, "no memory for rows");
	out->row = more;
	more[out->nr_rows] = row_of(c, predicted, c->runs);
	out->outside += more[out->nr_rows++].error > 0;
	return ERR_OK;
}

/* Both hashes of a task and phase come one after the other. */
static enum err add_order(struct compare *c, const struct real_figure *predicted)
{
	struct real_check *out = c->out;
	bool match = hash_match(c, predicted, c->runs);
	struct real_order *order;

	if (strcmp(predicted->counter, "del_hash") == 0) {
		out->order[out->nr_orders - 1].del_match = match;
		out->order_misses += !match;
		return ERR_OK;
	}
	order = realloc(out->order, (out->nr_orders + 1) * sizeof(*order));
	if (order == NULL)
		return diag_fail(c->diag, ERR_NOMEM, "no memory for orders");
	out->order = order;
	order += out->nr_orders++;
	*order = (struct real_order){ .no = predicted->no, .add_match = match };
	memcpy(order->phase, predicted->phase, REAL_WORD_MAX);
	memcpy(order->who, predicted->who, REAL_WORD_MAX);
	return ERR_OK;
}

/* In the order of the prediction, which is that of the recorded columns. */
static enum err add_predicted(struct compare *c, const struct real_figures *predicted)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < predicted->nr && err == ERR_OK; i++) {
		const struct real_figure *figure = &predicted->figure[i];

		err = figure->is_hash ? add_order(c, figure) : add_row(c, figure);
	}
	return err;
}

/* What was recorded of a phase or task that the prediction does not have. */
static enum err add_unpredicted(struct compare *c, const struct real_figures *predicted)
{
	struct real_figures sorted = { .nr = predicted->nr };
	enum err err = ERR_OK;

	sorted.figure = calloc(predicted->nr + 1, sizeof(*sorted.figure));
	if (sorted.figure == NULL)
		return diag_fail(c->diag, ERR_NOMEM, "no memory for rows");
	memcpy(sorted.figure, predicted->figure, predicted->nr * sizeof(*sorted.figure));
	qsort(sorted.figure, sorted.nr, sizeof(*sorted.figure), by_key_and_run);
	for (size_t i = 0; i < c->recorded.nr && err == ERR_OK; i++) {
		struct real_figure zero = c->recorded.figure[i];
		size_t at = find(&sorted, &zero);

		if ((i > 0 && by_key(&zero, &c->recorded.figure[i - 1]) == 0) ||
		    (at < sorted.nr && by_key(&zero, &sorted.figure[at]) == 0))
			continue;
		zero.value = 0;
		err = zero.is_hash ? add_order(c, &zero) : add_row(c, &zero);
	}
	free(sorted.figure);
	return err;
}

/* Runs are small numbers, so a set of them is a mask. */
static unsigned runs_of(const struct real_variant *variant)
{
	unsigned mask = 0;

	for (size_t i = 0; i < variant->nr_reps; i++)
		mask |= 1u << (variant->rep[i] - 1);
	return mask;
}

/* The variant against its own runs. */
static void judge_variant(const struct compare *c, struct real_variant *variant,
			  const struct real_figures *predicted)
{
	unsigned mask = runs_of(variant);

	for (size_t i = 0; i < predicted->nr; i++) {
		const struct real_figure *figure = &predicted->figure[i];
		struct real_row row;

		if (figure->is_hash) {
			variant->order_misses += strcmp(figure->counter, "del_hash") == 0 &&
						 !hash_match(c, figure, mask);
			continue;
		}
		row = row_of(c, figure, mask);
		variant->outside += row.error > 0;
		if (row.error > variant->worst.error)
			variant->worst = row;
	}
}

/* ---- evictions of the first run ---- */

/* One milestone: every 512th eviction with the hash of all before it. */
static enum err read_eviction(struct real_csv *csv, struct real_eviction *out, bool *more,
			      struct diag *diag)
{
	int64_t evicted = 0, added = 0, page = 0;
	enum err err = real_csv_next(csv, more, diag);

	*out = (struct real_eviction){ .evicted = 0 };
	if (err != ERR_OK || !*more)
		return err;
	err = real_csv_number(csv, "evicted", &evicted, diag);
	if (err == ERR_OK)
		err = real_csv_number(csv, "added_before", &added, diag);
	if (err == ERR_OK)
		err = real_csv_number(csv, "page", &page, diag);
	out->evicted = (uint64_t)evicted;
	out->added = (uint64_t)added;
	out->page = (uint64_t)page;
	out->hash = strtoull(real_csv_text(csv, "hash"), NULL, 16);
	snprintf(out->file, REAL_WORD_MAX, "%s", real_csv_text(csv, "file"));
	return err;
}

/* Milestone by milestone; the first whose hash differs lies behind the departure. */
static enum err follow(struct real_csv *csv, const struct real_trail *trail, struct real_check *out,
		       struct diag *diag)
{
	bool more = true;
	enum err err;

	for (size_t i = 0;; i++) {
		struct real_eviction recorded;

		err = read_eviction(csv, &recorded, &more, diag);
		if (err != ERR_OK || (!more && i >= trail->nr))
			return err;
		if (more && i < trail->nr && recorded.hash == trail->eviction[i].hash) {
			out->after = recorded;
			continue;
		}
		out->departs = true;
		out->recorded = recorded;
		if (i < trail->nr)
			out->predicted = trail->eviction[i];
		return ERR_OK;
	}
}

/* Milestones were recorded of the first run only; a folder may have none of them. */
static enum err follow_trail(const struct real_set *set, const char *exp,
			     const struct real_trail *trail, struct real_check *out,
			     struct diag *diag)
{
	char name[REAL_WORD_MAX + 16];
	struct real_csv csv;
	enum err err;

	snprintf(name, sizeof(name), "evict_%s.csv", exp);
	err = real_csv_open(&csv, set->dir, name, diag);
	if (err == ERR_USAGE)
		return ERR_OK;
	out->has_trail = err == ERR_OK;
	if (err == ERR_OK)
		err = follow(&csv, trail, out, diag);
	real_csv_close(&csv);
	return err;
}

/* ---- an experiment ---- */

/* Whether this prediction is the one to follow the first run's milestones. */
static bool has_run(const struct real_variant *variant, unsigned rep)
{
	return runs_of(variant) >> (rep - 1) & 1;
}

/* Predict once, compare with all that share these flushes.  The rows of the result show the first
 * variant alone. */
static enum err check_variant(struct compare *c, const struct real_set *set,
			      const struct real_experiment *exp, size_t v,
			      const struct real_watch *watch)
{
	struct real_variant *variant = &c->out->variant[v];
	struct real_prediction predicted;
	enum err err = real_predict(exp, &variant->flushes, watch, &predicted, c->diag);

	if (err != ERR_OK)
		return err;
	judge_variant(c, variant, &predicted.figures);
	if (v == 0) {
		memcpy(c->out->note, predicted.note, REAL_TEXT_MAX);
		err = add_predicted(c, &predicted.figures);
		if (err == ERR_OK)
			err = add_unpredicted(c, &predicted.figures);
	}
	if (err == ERR_OK && has_run(variant, 1))
		err = follow_trail(set, exp->name, &predicted.trail, c->out, c->diag);
	real_prediction_free(&predicted);
	return err;
}

/* Flushes are read first and by themselves, then everything is predicted from them, and the
 * recorded counters are only looked at beside a finished prediction. */
enum err real_check_run(const struct real_set *set, const struct real_experiment *exp,
			const struct real_watch *watch, struct real_check *out, struct diag *diag)
{
	struct compare c = { .out = out, .diag = diag };
	enum err err;

	memset(out, 0, sizeof(*out));
	if (real_missing(exp, out->missing))
		return ERR_OK;
	err = real_variants(set, exp->name, &out->variant, &out->nr_variants, diag);
	if (err == ERR_OK && out->nr_variants == 0)
		err = diag_fail(diag, ERR_IMPORT, "%s/phases.csv: no run of %s", set->dir,
				exp->name);
	if (err == ERR_OK)
		err = real_recorded(set, exp->name, &c.recorded, diag);
	if (err == ERR_OK && c.recorded.nr > 0)
		qsort(c.recorded.figure, c.recorded.nr, sizeof(*c.recorded.figure), by_key_and_run);
	for (size_t v = 0; v < out->nr_variants; v++)
		c.runs |= runs_of(&out->variant[v]);
	for (size_t v = 0; v < out->nr_variants && err == ERR_OK; v++)
		err = check_variant(&c, set, exp, v, watch);
	free(c.recorded.figure);
	if (err != ERR_OK)
		real_check_free(out);
	return err;
}

/* Zeroed memory is fine, so a failed check can be freed as well. */
void real_check_free(struct real_check *check)
{
	free(check->row);
	free(check->order);
	real_variants_free(check->variant, check->nr_variants);
	memset(check, 0, sizeof(*check));
}
