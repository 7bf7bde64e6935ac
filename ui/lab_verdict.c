/*
 * The end of a run as figures: verdict, the three numbers (usage, working
 * set, what can be dropped), the parts that make the usage and those of the
 * kernel memory in it, the matrix of
 * who took pages from whom, and lock statistics.
 */
#include "lab_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmem.h"
#include "levels.h"
#include "locks.h"
#include "taken.h"

enum { FIGURES = 11 + NR_KMEM_PARTS };

/* Room for the figures behind those of the scenario. */
static struct db_metric *metrics_grow(struct lab_outcome *out)
{
	struct db_metric *metric =
		realloc(out->metric, (out->nr_metrics + FIGURES) * sizeof(*metric));

	if (metric != NULL)
		out->metric = metric;
	return metric;
}

/* A scenario's own metric of that name has been stored already, and stays. */
static struct db_metric *metric_new(struct lab_outcome *out, const char *name)
{
	struct db_metric *metric = &out->metric[out->nr_metrics];

	for (size_t i = 0; i < out->nr_metrics; i++)
		if (strcmp(out->metric[i].name, name) == 0)
			return NULL;
	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	out->nr_metrics++;
	return metric;
}

static void add_text(struct lab_outcome *out, const char *name, const char *text)
{
	struct db_metric *metric = metric_new(out, name);

	if (metric == NULL)
		return;
	metric->is_text = true;
	snprintf(metric->text, sizeof(metric->text), "%.127s", text);
}

static void add_pages(struct lab_outcome *out, const char *name, pages_t pages)
{
	struct db_metric *metric = metric_new(out, name);

	if (metric == NULL)
		return;
	snprintf(metric->unit, sizeof(metric->unit), "pages");
	metric->integer = (int64_t)pages;
}

/* What the group's kernel memory is, as far as there is any. */
static void add_kmem(const struct run *run, uint32_t id, struct lab_outcome *out)
{
	bytes_t bytes[NR_KMEM_PARTS];

	run_kmem(run, id, bytes);
	for (int i = 0; i < NR_KMEM_PARTS; i++) {
		struct db_metric *metric;
		char name[64];

		snprintf(name, sizeof(name), "%s_bytes", kmem_part_name((enum kmem_part)i));
		metric = bytes[i] ? metric_new(out, name) : NULL;
		if (metric == NULL)
			continue;
		snprintf(metric->unit, sizeof(metric->unit), "bytes");
		metric->integer = (int64_t)bytes[i];
	}
}

/* A path as v_taken has it. */
static void taken_path(const struct run *run, uint32_t id, char out[GROUP_PATH_MAX])
{
	struct run_memcg m;

	if (!run_memcg(run, id, &m))
		snprintf(out, GROUP_PATH_MAX, "#%" PRIu32, id);
	else
		snprintf(out, GROUP_PATH_MAX, "%s", m.path[0] != '\0' ? m.path : "/");
}

/* Most pages first, then by name, as the store gives them. */
static int by_pages(const void *a, const void *b)
{
	const struct lab_taken *x = a, *y = b;
	int order = (x->nr < y->nr) - (x->nr > y->nr);

	if (order == 0)
		order = strcmp(x->by, y->by);
	return order != 0 ? order : strcmp(x->owner, y->owner);
}

static enum err add_taken(const struct run *run, struct lab_outcome *out, struct diag *diag)
{
	uint32_t by, owner, n = 0;
	uint64_t nr;

	while (run_taken(run, n, &by, &owner, &nr))
		n++;
	out->taken = calloc((size_t)n + 1, sizeof(*out->taken));
	if (out->taken == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for who took pages from whom");
	for (uint32_t i = 0; i < n && run_taken(run, i, &by, &owner, &nr); i++) {
		taken_path(run, by, out->taken[i].by);
		taken_path(run, owner, out->taken[i].owner);
		out->taken[i].nr = nr;
	}
	out->nr_taken = n;
	qsort(out->taken, n, sizeof(*out->taken), by_pages);
	return ERR_OK;
}

/* Most contentions first; classes with as many stay in their order. */
static void sort_locks(struct run_lock *lock, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && lock[k].sum.wait.nr > lock[k - 1].sum.wait.nr; k--) {
			struct run_lock other = lock[k];

			lock[k] = lock[k - 1];
			lock[k - 1] = other;
		}
}

static enum err add_locks(const struct run *run, struct lab_outcome *out, struct diag *diag)
{
	struct run_lock lock;

	while (run_lock(run, (uint32_t)out->nr_locks, &lock)) {
		struct run_lock *all = realloc(out->lock, (out->nr_locks + 1) * sizeof(*all));

		if (all == NULL)
			return diag_fail(diag, ERR_NOMEM, "no memory for lock statistics");
		out->lock = all;
		all[out->nr_locks++] = lock;
	}
	sort_locks(out->lock, out->nr_locks);
	return ERR_OK;
}

enum err lab_verdict(const struct run *run, const struct verdict_facts *facts,
		     struct lab_outcome *out, struct diag *diag)
{
	enum err err;
	uint32_t group = verdict_group(run);
	struct levels_parts parts;
	struct verdict verdict;
	struct run_memcg m;

	if (metrics_grow(out) == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the verdict");
	verdict_of(run, facts, &verdict);
	add_text(out, "verdict", verdict.text);
	if (run_memcg(run, group, &m) && levels_parts(run, group, &parts)) {
		add_text(out, "verdict_group", m.path[0] != '\0' ? m.path : "/");
		add_pages(out, "usage_pages", parts.usage);
		add_pages(out, "working_set_pages", levels_working_set(&parts));
		add_pages(out, "can_be_dropped_pages", levels_droppable(&parts));
		add_pages(out, "rss_pages", parts.rss);
		add_pages(out, "cache_pages", parts.cache);
		add_pages(out, "unevictable_pages", parts.unevictable);
		add_pages(out, "kmem_pages", parts.kmem);
		add_pages(out, "stock_pages", parts.stock);
		add_pages(out, "queued_pages", parts.queued);
		add_kmem(run, group, out);
		if (parts.nr_dying)
			add_pages(out, "dying_pages", parts.dying);
	}
	err = add_taken(run, out, diag);
	return err == ERR_OK ? add_locks(run, out, diag) : err;
}

/* In the order of their numbers, which the run knows. */
static enum err locks_store(struct db *db, const struct run *run, const struct lab_outcome *out,
			    struct diag *diag)
{
	struct run_lock *lock = calloc(out->nr_locks + 1, sizeof(*lock));
	enum err err = ERR_OK;

	if (lock == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for lock statistics");
	for (uint32_t i = 0; i < out->nr_locks; i++)
		run_lock(run, i, &lock[i]);
	err = db_locks_add(db, out->run.id, lock, out->nr_locks, diag);
	free(lock);
	return err;
}

enum err lab_verdict_store(struct db *db, const struct run *run, const struct lab_outcome *out,
			   size_t first, struct diag *diag)
{
	struct db_taken *taken = calloc(out->nr_taken + 1, sizeof(*taken));
	enum err err =
		db_metrics_add(db, out->run.id, out->metric + first, out->nr_metrics - first, diag);

	if (taken == NULL && err == ERR_OK)
		err = diag_fail(diag, ERR_NOMEM, "no memory for who took pages from whom");
	for (uint32_t i = 0; err == ERR_OK && i < out->nr_taken; i++)
		run_taken(run, i, &taken[i].by, &taken[i].owner, &taken[i].nr);
	if (err == ERR_OK)
		err = db_taken_add(db, out->run.id, taken, out->nr_taken, diag);
	free(taken);
	return err == ERR_OK ? locks_store(db, run, out, diag) : err;
}
