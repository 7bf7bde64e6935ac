/*
 * Finds runs by words, see chart_runs.h.
 */
#include "chart_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* A place for one more, zeroed; it counts once it is filled. */
static struct db_run *more(struct chart_runs *runs, struct diag *diag)
{
	if (runs->nr == CHART_RUNS_MAX) {
		diag_fail(diag, ERR_USAGE, "more than %d runs", CHART_RUNS_MAX);
		return NULL;
	}
	if (runs->nr == runs->room) {
		size_t room = runs->room != 0 ? runs->room * 2 : 16;
		struct db_run *run = realloc(runs->run, room * sizeof(*run));

		if (run == NULL) {
			diag_fail(diag, ERR_NOMEM, "no memory for the runs");
			return NULL;
		}
		runs->run = run;
		runs->room = room;
	}
	memset(&runs->run[runs->nr], 0, sizeof(runs->run[0]));
	return &runs->run[runs->nr];
}

static enum err find_one(struct db *db, const char *ref, struct chart_runs *out, struct diag *diag)
{
	struct db_run *run = more(out, diag);
	enum err err = run != NULL ? db_run_find(db, ref, run, diag) : diag->err;

	if (err == ERR_OK)
		out->nr++;
	return err;
}

/* "3..14".  Returns: false if it is none. */
static bool is_range(const char *ref, long long *from, long long *to)
{
	char *end;

	*from = strtoll(ref, &end, 10);
	if (end == ref || strncmp(end, "..", 2) != 0 || end[2] == '\0')
		return false;
	*to = strtoll(end + 2, &end, 10);
	return *end == '\0' && *from > 0;
}

/* Numbers of runs that were deleted are passed over; none at all is an error. */
static enum err find_range(struct db *db, const char *ref, struct chart_runs *out,
			   struct diag *diag)
{
	size_t before = out->nr;
	long long from, to;

	if (!is_range(ref, &from, &to) || to - from >= CHART_RUNS_MAX)
		return diag_fail(diag, ERR_USAGE, "%s: more than %d runs", ref, CHART_RUNS_MAX);
	for (long long id = from; id <= to; id++) {
		struct diag none = { .err = ERR_OK };
		char one[32];
		enum err err;

		snprintf(one, sizeof(one), "%lld", id);
		err = find_one(db, one, out, &none);
		if (err != ERR_OK && err != ERR_USAGE)
			return diag_fail(diag, err, "%s", none.text);
	}
	if (out->nr == before)
		return diag_fail(diag, ERR_USAGE, "%s: no such runs", ref);
	return ERR_OK;
}

enum err chart_runs_find(struct db *db, const char *const *ref, size_t nr, struct chart_runs *out,
			 struct diag *diag)
{
	long long from, to;
	enum err err = ERR_OK;

	for (size_t i = 0; i < nr && err == ERR_OK; i++)
		err = is_range(ref[i], &from, &to) ? find_range(db, ref[i], out, diag)
						   : find_one(db, ref[i], out, diag);
	return err;
}

/* ---- those that differ in one parameter ---- */

struct like {
	struct db *db;
	const char *by;
	struct chart_runs *runs;
	json_t *params; /* of the first, without @by and its seed */
	struct diag *diag;
};

/* Parameters without those in which runs may differ. */
static json_t *bare(const struct db_run *run, const char *by)
{
	json_t *params = json_loads(run->params != NULL ? run->params : "{}", 0, NULL), *value;
	const char *name;
	void *next;

	json_object_del(params, by);
	json_object_foreach_safe(params, next, name,
				 value) if (json_is_integer(value) &&
					    (uint64_t)json_integer_value(value) == run->seed &&
					    strcmp(name, "seed") == 0)
		json_object_del(params, name);
	return params;
}

static enum err on_run(void *ctx, const struct db_run *run)
{
	struct like *like = ctx;
	json_t *params;
	char ref[32];
	bool same;

	if (strcmp(run->scenario, like->runs->run[0].scenario) != 0 || run->state != RUN_DONE ||
	    run->id == like->runs->run[0].id)
		return ERR_OK;
	params = bare(run, like->by);
	same = json_equal(params, like->params);
	json_decref(params);
	snprintf(ref, sizeof(ref), "%lld", (long long)run->id);
	return same ? find_one(like->db, ref, like->runs, like->diag) : ERR_OK;
}

static int by_id(const void *a, const void *b)
{
	const struct db_run *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

enum err chart_runs_like(struct db *db, const char *by, struct chart_runs *runs, struct diag *diag)
{
	struct like like = { db, by, runs, NULL, diag };
	enum err err;

	if (runs->nr != 1)
		return ERR_OK;
	like.params = bare(&runs->run[0], by);
	err = db_runs(db, 0, on_run, &like, diag);
	json_decref(like.params);
	qsort(runs->run, runs->nr, sizeof(*runs->run), by_id);
	return err;
}

void chart_runs_free(struct chart_runs *runs)
{
	for (size_t i = 0; i < runs->nr; i++)
		db_run_free(&runs->run[i]);
	free(runs->run);
	memset(runs, 0, sizeof(*runs));
}
