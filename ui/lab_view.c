/*
 * Stored runs as a model: each is made again from its machine, seed and op
 * log in a run whose only sink is the model's side.  Forward is playing the
 * log further, back is the nearest copy before and the log from there.
 *
 * Invariant: the sides of the model that was opened last point to the runs
 * in lab->side; they end with lab_view_close.
 */
#include "lab_core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "group.h"
#include "lab_replay.h"

enum { RUNS_FIRST = 64, VIEW_SCENARIOS_MAX = 256 };

/* ---- one side ---- */

/* A run at its first moment, watched by the side from there on. */
static enum err side_fresh(struct lab_side *side, struct model_side *shown, struct diag *diag)
{
	enum err err;

	run_close(side->run);
	side->run = NULL;
	err = run_open(&side->scenario, &side->run, diag);
	if (err != ERR_OK)
		return err;
	model_side_init(shown, side->run, shown->run_id, oplog_steps(side->oplog));
	snprintf(shown->kernel, sizeof(shown->kernel), "%s", side->scenario.era.name);
	snprintf(shown->alias, sizeof(shown->alias), "%s", side->scenario.era.alias);
	shown->history = &side->history;
	return run_add_sink(side->run, &shown->sink, diag);
}

/* Played to the end: time line and history need the whole run.  Its moments lie evenly in it. */
static enum err side_play(struct lab_side *side, const struct model_side *shown, struct diag *diag)
{
	uint64_t steps = oplog_steps(side->oplog), parts = HISTORY_MOMENTS - 1;
	enum err err = history_take(&side->history, side->run, diag);

	frames_take(&side->frames, side->run, shown);
	for (uint64_t i = 1; i <= parts && err == ERR_OK; i++) {
		uint64_t step = steps / parts * i + steps % parts * i / parts;

		err = oplog_play(side->oplog, side->run, i == parts ? UINT64_MAX : step, diag);
		if (err == ERR_OK)
			err = history_take(&side->history, side->run, diag);
		if (err == ERR_OK)
			frames_take(&side->frames, side->run, shown);
	}
	return err;
}

/* Numbers only; what has no value is left out. */
static enum err metric_row(void *ctx, const struct db_metric *metric)
{
	struct model_metrics *to = ctx;

	if (metric->missing || metric->is_text || to->nr == MODEL_METRICS)
		return ERR_OK;
	snprintf(to->at[to->nr].name, sizeof(to->at[0].name), "%.47s", metric->name);
	to->at[to->nr++].value = metric->is_real ? metric->real : (double)metric->integer;
	return ERR_OK;
}

/* The run as it was stored, from its first step to its last. */
static enum err side_open(struct db *db, const struct db_run *run, struct lab_side *side,
			  struct model_side *shown, struct diag *diag)
{
	enum err err = lab_machine(run, &side->scenario, diag);

	shown->run_id = run->id;
	if (err == ERR_OK)
		err = lab_oplog(db, run, &side->oplog, diag);
	if (err == ERR_OK)
		err = side_fresh(side, shown, diag);
	if (err == ERR_OK)
		err = side_play(side, shown, diag);
	return err;
}

/* From the nearest copy, or the start where none could be kept.  On a long way back another copy
 * is made just before its end, since most who go one step back go on doing so. */
static enum err side_back(struct lab_side *side, struct model_side *shown, uint64_t step,
			  struct diag *diag)
{
	uint8_t timeline[MODEL_TIMELINE];
	enum err err = ERR_OK;

	if (!frames_go(&side->frames, step, side->run, shown)) {
		memcpy(timeline, shown->timeline, sizeof(timeline));
		/* Copies are of the run that ends here. */
		frames_fini(&side->frames);
		err = side_fresh(side, shown, diag);
		memcpy(shown->timeline, timeline, sizeof(timeline));
	}
	if (err != ERR_OK || step <= run_steps(side->run) + FRAMES_NEAR)
		return err;
	err = oplog_play(side->oplog, side->run, step - FRAMES_NEAR, diag);
	if (err == ERR_OK)
		frames_take_near(&side->frames, side->run, shown);
	return err;
}

/* A copy may also lie on the way forward. */
static enum err side_seek(struct lab_side *side, struct model_side *shown, uint64_t step,
			  struct diag *diag)
{
	enum err err = ERR_OK;

	if (side->run == NULL)
		return ERR_OK;
	if (step < run_steps(side->run))
		err = side_back(side, shown, step, diag);
	else
		frames_go(&side->frames, step, side->run, shown);
	return err == ERR_OK ? oplog_play(side->oplog, side->run, step, diag) : err;
}

/* ---- the other run of the same command ---- */

struct partner {
	int64_t id, pair, found;
};

/* Rows come newest first; older than the pair's first run there is none. */
static enum err partner_row(void *ctx, const struct db_run *run)
{
	struct partner *partner = ctx;

	if (run->pair == partner->pair && run->id != partner->id)
		partner->found = run->id;
	return run->id <= partner->pair ? ERR_EXPECT : ERR_OK;
}

/* The pair's first run for a later one, the second for the first; 0: there is none. */
static int64_t partner_find(struct db *db, const struct db_run *run)
{
	struct partner partner = { run->id, run->pair, 0 };

	if (run->pair == 0)
		return 0;
	if (run->pair != run->id)
		return run->pair;
	db_runs(db, 0, partner_row, &partner, NULL);
	return partner.found;
}

/* ---- the model ---- */

/* What does not depend on the step. */
static void model_describe(struct lab *lab, const struct db_run *a, struct model *model)
{
	struct db_info info;
	struct db *db;

	snprintf(model->scenario, sizeof(model->scenario), "%s", a->scenario);
	model->seed = a->seed;
	model->machine = lab->side[0].scenario.memory;
	model->show = 0;
	model->steps_total = oplog_steps(lab->side[0].oplog);
	if (lab->side[1].oplog != NULL && oplog_steps(lab->side[1].oplog) > model->steps_total)
		model->steps_total = oplog_steps(lab->side[1].oplog);
	if (lab_db(lab, DB_READ, &db, NULL) != ERR_OK)
		return;
	snprintf(model->db_path, sizeof(model->db_path), "%.255s", db_path(db));
	if (db_info(db, &info, NULL) == ERR_OK)
		model->db_bytes = info.bytes;
}

/* Sides of unequal length: the longer one says where we are. */
static void model_now(struct lab *lab, struct model *model)
{
	model->step = 0;
	model->t_ns = 0;
	for (int i = 0; i < 2; i++) {
		const struct run *run = lab->side[i].run;

		if (run != NULL && run_steps(run) > model->step)
			model->step = run_steps(run);
		if (run != NULL && run_now(run) > model->t_ns)
			model->t_ns = run_now(run);
	}
}

/* @b is opened by reference, or found as @a's partner, which may stand on the left. */
static enum err rows_find(struct db *db, const char *b, struct db_run row[2], struct diag *diag)
{
	char ref[32];
	int64_t id;

	if (b != NULL)
		return db_run_find(db, b, &row[1], diag);
	id = partner_find(db, &row[0]);
	if (id == 0)
		return ERR_OK;
	snprintf(ref, sizeof(ref), "%lld", (long long)id);
	if (db_run_find(db, ref, &row[1], NULL) != ERR_OK || row[1].steps == 0) {
		db_run_free(&row[1]);
		memset(&row[1], 0, sizeof(row[1]));
	} else if (row[1].id < row[0].id) {
		struct db_run swap = row[0];

		row[0] = row[1];
		row[1] = swap;
	}
	return ERR_OK;
}

/* What cannot be compared is viewed all the same, and a run by its number is found again. */
static void sides_compare(struct lab *lab, struct db *db, struct model *model)
{
	const struct compare_options options = { .alpha = COMPARE_ALPHA };
	char ref[2][32];
	const char *const refs[2] = { ref[0], ref[1] };

	if (!model->has_b)
		return;
	for (int i = 0; i < 2; i++)
		snprintf(ref[i], sizeof(ref[i]), "%lld", (long long)model->side[i].run_id);
	if (compare_open(db, refs, &options, &lab->compare, NULL) == ERR_OK)
		model->compare = lab->compare;
}

/* Whatever was open before is closed first; after an error nothing is open. */
enum err lab_view_open(struct lab *lab, const char *a, const char *b, struct model *model,
		       struct diag *diag)
{
	struct db_run row[2];
	struct db *db;
	enum err err = lab_db(lab, DB_READ, &db, diag);

	lab_view_close(lab, model);
	memset(row, 0, sizeof(row));
	if (err == ERR_OK)
		err = db_run_find(db, a, &row[0], diag);
	if (err == ERR_OK)
		err = rows_find(db, b, row, diag);
	if (err == ERR_OK)
		err = side_open(db, &row[0], &lab->side[0], &model->side[0], diag);
	if (err == ERR_OK && row[1].id != 0) {
		err = side_open(db, &row[1], &lab->side[1], &model->side[1], diag);
		model->has_b = err == ERR_OK;
	}
	for (int i = 0; i < 2 && err == ERR_OK && row[i].id != 0; i++)
		err = db_metrics(db, row[i].id, metric_row, &model->metrics[i], diag);
	if (err == ERR_OK) {
		model_describe(lab, &row[0], model);
		model_now(lab, model);
		/* At the end of the run it is known which group there is most to see of. */
		group_settle(model);
		sides_compare(lab, db, model);
	} else {
		lab_view_close(lab, model);
	}
	db_run_free(&row[0]);
	db_run_free(&row[1]);
	return err;
}

/* Beyond the end means the end. */
enum err lab_view_seek(struct lab *lab, struct model *model, uint64_t step, struct diag *diag)
{
	enum err err = ERR_OK;

	for (int i = 0; i < 2 && err == ERR_OK; i++)
		err = side_seek(&lab->side[i], &model->side[i], step, diag);
	model_now(lab, model);
	return err;
}

/* The sides end before the model forgets them, since each is a sink of its run. */
void lab_view_close(struct lab *lab, struct model *model)
{
	for (int i = 0; i < 2; i++) {
		oplog_close(lab->side[i].oplog);
		run_close(lab->side[i].run);
		history_fini(&lab->side[i].history);
		frames_fini(&lab->side[i].frames);
		memset(&lab->side[i], 0, sizeof(lab->side[i]));
		memset(&model->side[i], 0, sizeof(model->side[i]));
	}
	compare_free(lab->compare);
	lab->compare = NULL;
	model->compare = NULL;
	memset(model->metrics, 0, sizeof(model->metrics));
	model->has_b = false;
	model->has_group = false;
}

/* ---- the lists ---- */

struct lists {
	struct lab *lab;
	struct model *model;
	size_t max; /* rows of runs that there is room for */
};

/* Texts are cut to what a row can show; the store keeps them whole. */
static enum err run_row(void *ctx, const struct db_run *run)
{
	struct lists *lists = ctx;
	struct model *model = lists->model;
	struct model_run_row *row;

	if (model->nr_run_rows == lists->max) {
		size_t max = lists->max ? lists->max * 2 : RUNS_FIRST;

		row = realloc(model->run_row, max * sizeof(*row));
		if (row == NULL)
			return ERR_NOMEM;
		lists->max = max;
		lists->lab->run_row = model->run_row = row;
	}
	row = &model->run_row[model->nr_run_rows++];
	memset(row, 0, sizeof(*row));
	row->id = run->id;
	snprintf(row->scenario, sizeof(row->scenario), "%s", run->scenario);
	snprintf(row->kernel, sizeof(row->kernel), "%s", run->kernel);
	snprintf(row->alias, sizeof(row->alias), "%s", run->alias);
	snprintf(row->state, sizeof(row->state), "%s", run_state_name(run->state));
	snprintf(row->created, sizeof(row->created), "%s", run->created);
	snprintf(row->tag, sizeof(row->tag), "%s", run->tag);
	/* One that does not fit is not offered for editing. */
	if (run->note != NULL && strlen(run->note) < sizeof(row->note))
		strcpy(row->note, run->note);
	row->baseline = run->baseline;
	snprintf(row->error, sizeof(row->error), "%.159s", run->error != NULL ? run->error : "");
	/* A line of the screen: the place and the message, without the source below them. */
	row->error[strcspn(row->error, "\n")] = '\0';
	row->seed = run->seed;
	row->wall_ns = run->wall_ns;
	row->steps = run->steps;
	row->over_scan = isnan(run->figure) ? -1 : run->figure;
	return ERR_OK;
}

/* More scenarios than a screen can list are cut off, not an error. */
static enum err scenario_row(void *ctx, const struct lab_scenario *scenario)
{
	struct model *model = ctx;
	struct model_scenario_row *row;

	if (model->nr_scenario_rows == VIEW_SCENARIOS_MAX)
		return ERR_OK;
	row = &model->scenario_row[model->nr_scenario_rows++];
	snprintf(row->name, sizeof(row->name), "%s", scenario->name);
	snprintf(row->title, sizeof(row->title), "%s", scenario->title);
	return ERR_OK;
}

/* The lists are the lab's: a model is copied and thrown away by its views. */
enum err lab_view_runs(struct lab *lab, struct model *model, struct diag *diag)
{
	const struct db_choice choice = { .where = model->filter, .figure = "over_scan",
					  .brief = true };
	struct lists lists = { .lab = lab, .model = model };
	struct db_info info;
	struct db *db;
	enum err err = lab_db(lab, DB_READ, &db, diag);

	free(lab->run_row);
	lab->run_row = model->run_row = NULL;
	model->nr_run_rows = 0;
	if (err != ERR_OK)
		return err;
	snprintf(model->db_path, sizeof(model->db_path), "%.255s", db_path(db));
	if (db_info(db, &info, NULL) == ERR_OK) {
		model->db_bytes = info.bytes;
		model->nr_runs = info.runs;
	}
	return db_runs_chosen(db, &choice, run_row, &lists, diag);
}

enum err lab_view_filter(struct lab *lab, struct model *model, const char *filter,
			 struct diag *diag)
{
	char before[sizeof(model->filter)];
	struct db *db;
	enum err err = lab_db(lab, DB_READ, &db, diag);

	if (err != ERR_OK || db_where_pending(db, filter))
		return err;
	memcpy(before, model->filter, sizeof(before));
	snprintf(model->filter, sizeof(model->filter), "%.*s", (int)(sizeof(model->filter) - 1),
		 filter);
	for (size_t n = strlen(model->filter); n > 0 && model->filter[n - 1] == ' '; n--)
		model->filter[n - 1] = '\0';
	err = lab_view_runs(lab, model, diag);
	if (err == ERR_OK)
		return ERR_OK;
	memcpy(model->filter, before, sizeof(before));
	lab_view_runs(lab, model, NULL);
	return err;
}

/* Made anew each time: another process may have stored a run meanwhile. */
enum err lab_view_lists(struct lab *lab, struct model *model, struct diag *diag)
{
	free(lab->scenario_row);
	model->nr_scenario_rows = 0;
	model->scenario_row = calloc(VIEW_SCENARIOS_MAX, sizeof(*model->scenario_row));
	lab->scenario_row = model->scenario_row;
	if (model->scenario_row == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the lists");
	lab_scenarios(lab, scenario_row, model, NULL); /* none is no failure */
	return lab_view_runs(lab, model, diag);
}
