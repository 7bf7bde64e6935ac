/*
 * What is compared, read from the store: the runs of each side and their
 * parameters.  compare_metrics.c reads their figures.
 */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "compare_metrics.h"
#include "store.h"

/* ---- the runs of a side ---- */

/* Parameters without the seed; text that is no JSON stands for itself. */
#define PARAMS(run)                                                                      \
	"CASE WHEN json_valid(" run ".params) THEN json_remove(" run ".params, '$.seed')" \
	" ELSE " run ".params END"
/* What computes the figures: the revision of the model, or where it is not known the version. */
#define MODEL(run)                                                                      \
	"coalesce((SELECT nullif(model, 0) FROM program WHERE run = " run ".id), " run  \
	".version)"
/* The files that a scenario required. */
#define LIBRARIES(run)                                                    \
	"(SELECT group_concat(name || ' ' || script) FROM library WHERE run = " run ".id)"

/*
 * Of several runs of a seed the named one comes first, then one of the
 * process that made that one, then the one that was made nearest to it.
 */
static const char runs_sql[] =
	"SELECT r.id, r.seed FROM run AS n JOIN run AS r ON r.id = n.id OR (n.state = 'done'"
	" AND r.state = 'done' AND r.scenario = n.scenario AND r.kernel = n.kernel"
	" AND r.script IS n.script AND r.parent IS n.parent AND r.step IS n.step"
	" AND " PARAMS("r") " IS " PARAMS("n") " AND " MODEL("r") " IS " MODEL("n")
	" AND " LIBRARIES("r") " IS " LIBRARIES("n") ") WHERE n.id = ?"
	" ORDER BY r.seed, r.id = n.id DESC, (r.boot IS n.boot AND r.pid IS n.pid"
	" AND r.started IS n.started) DESC, abs(r.id - n.id)";

static enum err side_add(struct compare_side *side, int64_t id, uint64_t seed, struct diag *diag)
{
	int64_t *ids = realloc(side->id, (side->nr + 1) * sizeof(*ids));
	uint64_t *seeds;

	if (ids == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory to compare");
	side->id = ids;
	seeds = realloc(side->seed, (side->nr + 1) * sizeof(*seeds));
	if (seeds == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory to compare");
	side->seed = seeds;
	ids[side->nr] = id;
	seeds[side->nr++] = seed;
	return ERR_OK;
}

static enum err side_runs(struct db *db, struct compare_side *side, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, runs_sql, &stmt, diag);
	int step = SQLITE_DONE;

	if (err)
		return err;
	store_bind(stmt, "i", side->run.id);
	while (!err && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(stmt, 0);
		uint64_t seed = (uint64_t)sqlite3_column_int64(stmt, 1);

		if (side->nr == 0 || side->seed[side->nr - 1] != seed)
			err = side_add(side, id, seed, diag);
	}
	if (!err && step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "looking for seeds");
	sqlite3_finalize(stmt);
	return err;
}

/* What the run alone does not say: its model, its libraries. */
static enum err side_program(struct db *db, struct compare_side *side, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err =
		store_prepare(db->sql,
			      "SELECT (SELECT model FROM program WHERE run = r.id)," LIBRARIES(
				      "r") " FROM run AS r WHERE r.id = ?",
			      &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "i", side->run.id);
	if (sqlite3_step(stmt) == SQLITE_ROW) {
		const unsigned char *text = sqlite3_column_text(stmt, 1);

		side->model = sqlite3_column_int64(stmt, 0);
		side->libraries = strdup(text ? (const char *)text : "");
	}
	sqlite3_finalize(stmt);
	return side->libraries ? ERR_OK : diag_fail(diag, ERR_NOMEM, "no memory to compare");
}

static bool sides_share(const struct compare *compare)
{
	for (size_t i = 0; i < compare->side[0].nr; i++)
		for (size_t k = 0; k < compare->side[1].nr; k++)
			if (compare->side[0].id[i] == compare->side[1].id[k])
				return true;
	return false;
}

static void side_alone(struct compare_side *side)
{
	side->nr = 1;
	side->id[0] = side->run.id;
	side->seed[0] = side->run.seed;
}

/* ---- parameters ---- */

/* Takes the values over; a missing one is a dash. */
static enum err param_add(struct compare *compare, const char *name, char *a, char *b,
			  struct diag *diag)
{
	struct compare_param *all =
		realloc(compare->param, (compare->nr_params + 1) * sizeof(*all));
	struct compare_param param = { strdup(name),
				       { a != NULL ? a : strdup("-"), b != NULL ? b : strdup("-") },
				       false };

	if (all != NULL)
		compare->param = all;
	if (all == NULL || !param.name || !param.value[0] || !param.value[1]) {
		free(param.name);
		free(param.value[0]);
		free(param.value[1]);
		return diag_fail(diag, ERR_NOMEM, "no memory to compare");
	}
	param.equal = strcmp(param.value[0], param.value[1]) == 0;
	compare->nr_params_equal += param.equal;
	all[compare->nr_params++] = param;
	return ERR_OK;
}

/* A text is itself, all else is JSON. */
static char *value_text(const json_t *value)
{
	if (value == NULL)
		return NULL;
	return json_is_string(value) ? strdup(json_string_value(value))
				     : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
}

/* "7", "7 to 16", "10 from 1 to 99". */
static char *seeds_text(const struct compare_side *side)
{
	uint64_t first = side->seed[0], last = side->seed[side->nr - 1];
	char text[96];

	if (side->nr == 1)
		snprintf(text, sizeof(text), "%" PRIu64, first);
	else if (last - first == side->nr - 1)
		snprintf(text, sizeof(text), "%" PRIu64 " to %" PRIu64, first, last);
	else
		snprintf(text, sizeof(text), "%zu from %" PRIu64 " to %" PRIu64, side->nr, first,
			 last);
	return strdup(text);
}

/* Texts are long: what is said is whose they are. */
static char *whose(const struct compare *compare, int side, const char *a, const char *b)
{
	bool same = strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
	char text[64];

	snprintf(text, sizeof(text), "of run %" PRId64, compare->side[same ? 0 : side].run.id);
	return strdup(text);
}

static enum err texts(struct compare *compare, struct diag *diag)
{
	const struct compare_side *a = &compare->side[0], *b = &compare->side[1];
	enum err err = param_add(compare, "text", whose(compare, 0, a->run.text, b->run.text),
				 whose(compare, 1, a->run.text, b->run.text), diag);

	if (!err && (a->libraries[0] || b->libraries[0]))
		err = param_add(compare, "libraries", whose(compare, 0, a->libraries, b->libraries),
				whose(compare, 1, a->libraries, b->libraries), diag);
	return err;
}

/* In the order in which A's scenario declares them, then those that only B has. */
static enum err declared(struct compare *compare, json_t *const params[2], struct diag *diag)
{
	enum err err = ERR_OK;

	for (int s = 0; s < 2; s++)
		for (void *p = json_object_iter(params[s]); p != NULL && err == ERR_OK;
		     p = json_object_iter_next(params[s], p)) {
			const char *name = json_object_iter_key(p);

			if (strcmp(name, "seed") == 0 ||
			    (s == 1 && json_object_get(params[0], name)))
				continue;
			err = param_add(compare, name, value_text(json_object_get(params[0], name)),
					value_text(json_object_get(params[1], name)), diag);
		}
	return err;
}

static enum err params_read(struct compare *compare, struct diag *diag)
{
	const struct db_run *a = &compare->side[0].run, *b = &compare->side[1].run;
	json_t *const params[2] = { json_loads(a->params ? a->params : "{}", 0, NULL),
				    json_loads(b->params ? b->params : "{}", 0, NULL) };
	enum err err =
		param_add(compare, "scenario", strdup(a->scenario), strdup(b->scenario), diag);

	if (!err)
		err = texts(compare, diag);
	if (!err)
		err = param_add(compare, "kernel", strdup(a->kernel), strdup(b->kernel), diag);
	if (!err)
		err = param_add(compare, "seed", seeds_text(&compare->side[0]),
				seeds_text(&compare->side[1]), diag);
	if (!err)
		err = declared(compare, params, diag);
	json_decref(params[0]);
	json_decref(params[1]);
	return err;
}

/* ---- all together ---- */

void compare_model(const struct compare_side *side, char out[2 * DB_WORD_MAX])
{
	int n = snprintf(out, 2 * DB_WORD_MAX, "memcglab %s", side->run.version);

	if (side->model > 0)
		snprintf(out + n, (size_t)(2 * DB_WORD_MAX - n), ", model revision %" PRId64,
			 side->model);
}

/* Two programs with the same revision of the model give the same figures. */
static bool same_model(const struct compare_side *a, const struct compare_side *b)
{
	if (a->model > 0 || b->model > 0)
		return a->model == b->model;
	return strcmp(a->run.version, b->run.version) == 0;
}

static enum err fill(struct db *db, const char *const ref[2], struct compare *compare,
		     struct diag *diag)
{
	enum err err = ERR_OK;

	for (int s = 0; s < 2 && !err; s++) {
		err = db_run_find(db, ref[s], &compare->side[s].run, diag);
		if (!err)
			err = side_runs(db, &compare->side[s], diag);
		if (!err)
			err = side_program(db, &compare->side[s], diag);
	}
	if (err)
		return err;
	if (sides_share(compare)) {
		side_alone(&compare->side[0]);
		side_alone(&compare->side[1]);
	}
	compare->comparable = same_model(&compare->side[0], &compare->side[1]);
	err = params_read(compare, diag);
	return err ? err : compare_metrics_read(db, compare, diag);
}

enum err compare_open(struct db *db, const char *const ref[2],
		      const struct compare_options *options, struct compare **out,
		      struct diag *diag)
{
	struct compare *compare = calloc(1, sizeof(*compare));
	enum err err;

	*out = NULL;
	if (compare == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory to compare");
	compare->alpha = options->alpha > 0 ? options->alpha : COMPARE_ALPHA;
	err = fill(db, ref, compare, diag);
	if (!err && options->metric != NULL)
		err = compare_metrics_choose(compare, options->metric, diag);
	if (!err)
		err = compare_judge(compare, diag);
	if (err)
		compare_free(compare);
	else
		*out = compare;
	return err;
}

void compare_free(struct compare *compare)
{
	if (compare == NULL)
		return;
	for (size_t i = 0; i < compare->nr_metrics; i++)
		compare_metric_drop(&compare->metric[i]);
	for (size_t i = 0; i < compare->nr_params; i++) {
		free(compare->param[i].name);
		free(compare->param[i].value[0]);
		free(compare->param[i].value[1]);
	}
	for (int s = 0; s < 2; s++) {
		db_run_free(&compare->side[s].run);
		free(compare->side[s].id);
		free(compare->side[s].seed);
		free(compare->side[s].libraries);
	}
	free(compare->metric);
	free(compare->param);
	free(compare);
}
