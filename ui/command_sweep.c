/*
 * memcglab run with --sweep: points in a pool of processes, a line of
 * progress, and the table of what came out.
 *
 * The store is open here only before and behind the pool, never across a
 * fork.  A point that fails is counted and told at the end; an interrupt
 * keeps what is done, and --resume does the rest.
 */
#include <stdlib.h>

#include "command.h"
#include "jobs.h"
#include "point.h"
#include "progress.h"
#include "sweep.h"

struct sweeper {
	struct command *cmd;
	struct lab_sweep points;
	struct sweep sweep;
	int64_t *stored; /* runs of points that are done already, [cell] */
	size_t *todo;	 /* points */
	size_t nr_todo, nr_ended, nr_failed;
	size_t nr_expects, nr_expects_failed;
	struct diag first; /* what failed first */
	struct progress progress;
	size_t point; /* whose runs are read */
};

/* ---- a point, in its own process, and what comes back of it ---- */

static void sweep_work(void *ctx, size_t item, const struct child *child, struct diag *diag)
{
	struct sweeper *sweeper = ctx;
	size_t point = sweeper->todo[item];
	struct lab_request request;

	lab_sweep_request(&sweeper->points, point, &request);
	request.stored = &sweeper->stored[point * sweeper->points.nr_eras];
	point_work(sweeper->cmd->lab, &request, child, diag);
}

static void run_take(void *ctx, const struct point_run *run)
{
	struct sweeper *sweeper = ctx;

	sweep_take(&sweeper->sweep, sweeper->point * sweeper->points.nr_eras + run->side, run->run,
		   run->metric, run->nr_metrics);
	sweeper->nr_expects += run->nr_expects;
	sweeper->nr_expects_failed += run->nr_expects_failed;
}

static enum err point_ended(void *ctx, size_t item, const struct pool_result *result,
			    struct diag *diag)
{
	struct sweeper *sweeper = ctx;
	enum err err = result->diag->err;

	sweeper->point = sweeper->todo[item];
	point_read(result, run_take, sweeper);
	point_bury(sweeper->cmd->lab, result);
	sweeper->nr_ended++;
	if (result->end->newest != 0 && sweeper->cmd->child != NULL)
		child_running(sweeper->cmd->child, result->end->newest);
	if (err == ERR_OK || err == ERR_INTERRUPTED)
		return ERR_OK;
	if (sweeper->nr_failed++ == 0)
		sweeper->first = *result->diag;
	return point_hopeless(err) ? diag_fail(diag, err, "%s", result->diag->text) : ERR_OK;
}

static void draw(void *ctx)
{
	struct sweeper *sweeper = ctx;

	progress_draw(&sweeper->progress, sweeper->nr_ended, sweeper->nr_todo);
}

/* ---- what is to be done ---- */

/* All metrics of a stored run, as a fresh one would tell them. */
struct stored_metrics {
	struct db_metric *metric;
	size_t nr;
};

static enum err metric_row(void *ctx, const struct db_metric *metric)
{
	struct stored_metrics *all = ctx;
	struct db_metric *grown = realloc(all->metric, (all->nr + 1) * sizeof(*grown));

	if (grown == NULL)
		return ERR_NOMEM;
	all->metric = grown;
	grown[all->nr++] = *metric;
	return ERR_OK;
}

static enum err stored_read(struct sweeper *sweeper, struct db *db, struct diag *diag)
{
	size_t nr = sweeper->points.nr_points * sweeper->points.nr_eras;
	enum err err = ERR_OK;

	for (size_t i = 0; i < nr && err == ERR_OK; i++) {
		struct stored_metrics all = { .nr = 0 };

		if (sweeper->stored[i] == 0)
			continue;
		err = db_metrics(db, sweeper->stored[i], metric_row, &all, diag);
		sweep_take(&sweeper->sweep, i, sweeper->stored[i], all.metric, all.nr);
		free(all.metric);
	}
	return err;
}

/* With --resume the points that are stored leave the list. */
static enum err todo_make(struct sweeper *sweeper, struct diag *diag)
{
	const struct command *cmd = sweeper->cmd;
	size_t sides = sweeper->points.nr_eras, nr = sweeper->points.nr_points;
	struct db *db = NULL;
	enum err err = ERR_OK;

	sweeper->stored = calloc(nr * sides, sizeof(*sweeper->stored));
	sweeper->todo = calloc(nr, sizeof(*sweeper->todo));
	if (sweeper->stored == NULL || sweeper->todo == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for a sweep");
	if (!cmd->args->no_db)
		err = lab_db(cmd->lab, DB_WRITE, &db, diag);
	if (err == ERR_OK && cmd->args->resume)
		err = lab_sweep_stored(&sweeper->points, sweeper->stored, diag);
	if (err == ERR_OK && cmd->args->resume)
		err = stored_read(sweeper, db, diag);
	lab_db_close(cmd->lab);
	for (size_t i = 0; i < nr; i++) {
		size_t side = 0;

		while (side < sides && sweeper->stored[i * sides + side] != 0)
			side++;
		if (side < sides)
			sweeper->todo[sweeper->nr_todo++] = i;
	}
	if (err == ERR_OK && cmd->args->resume && cmd->notes != NULL)
		fprintf(cmd->notes, "%zu of %zu points are stored as done\n", nr - sweeper->nr_todo,
			nr);
	return err;
}

static enum err check(const struct args *args, struct diag *diag)
{
	if (args->jobs < 1 || args->jobs > POOL_WORKERS_MAX)
		return diag_fail(diag, ERR_USAGE, "--jobs: from 1 to %d", POOL_WORKERS_MAX);
	if (args->resume && args->no_db)
		return diag_fail(diag, ERR_USAGE, "--resume: nothing is stored with --no-db");
	if (args->emit_jobs != NULL && args->no_db)
		return diag_fail(diag, ERR_USAGE, "--emit-jobs: jobs store what they do");
	return ERR_OK;
}

/* ---- the end ---- */

static enum err tell_end(const struct sweeper *sweeper, enum err err, struct diag *diag)
{
	const struct args *args = sweeper->cmd->args;
	size_t nr = sweeper->points.nr_points;

	if (err == ERR_INTERRUPTED)
		return diag_fail(diag, err, "interrupted: %zu of %zu points are done%s",
				 sweep_done(&sweeper->sweep), nr,
				 args->no_db ? "" : ", --resume does the rest");
	if (err != ERR_OK)
		return err;
	if (sweeper->nr_failed > 0)
		return diag_fail(diag, sweeper->first.err,
				 "%zu of %zu points failed, the first so: %.500s",
				 sweeper->nr_failed, nr, sweeper->first.text);
	if (args->expect && sweeper->nr_expects_failed > 0)
		return diag_fail(diag, ERR_EXPECT, "%zu of %zu expectations failed",
				 sweeper->nr_expects_failed, sweeper->nr_expects);
	return ERR_OK;
}

static enum err sweep_run(struct sweeper *sweeper, struct diag *diag)
{
	const struct args *args = sweeper->cmd->args;
	struct pool pool = {
		.workers = args->jobs,
		.limit_ns = args->time_limit_ns,
		.ctx = sweeper,
		.work = sweep_work,
		.ended = point_ended,
		.tick = draw,
	};
	struct diag wrote = { .err = ERR_OK };
	enum err err = todo_make(sweeper, diag);

	if (err != ERR_OK)
		return err;
	progress_begin(&sweeper->progress, sweeper->cmd->progress ? sweeper->cmd->notes : NULL,
		       "points");
	err = pool_run(&pool, sweeper->nr_todo, diag);
	progress_end(&sweeper->progress);
	if (sweep_done(&sweeper->sweep) > 0)
		sweep_write(&sweeper->sweep, &sweeper->cmd->style, sweeper->cmd->out, &wrote);
	if (err == ERR_OK && wrote.err != ERR_OK)
		err = diag_fail(diag, wrote.err, "%s", wrote.text);
	return tell_end(sweeper, err, diag);
}

enum err command_sweep(struct command *cmd, struct diag *diag)
{
	const struct args *args = cmd->args;
	struct sweeper sweeper = { .cmd = cmd };
	const struct lab_request request = command_asked(args);
	const struct lab_axes axes = { args->sweep, args->nr_sweeps };
	enum err err = check(args, diag);

	if (err == ERR_OK)
		err = lab_sweep_open(cmd->lab, &request, &axes, &sweeper.points, diag);
	if (err == ERR_OK)
		err = sweep_init(&sweeper.sweep, &sweeper.points, args->metric, diag);
	if (err == ERR_OK)
		err = args->emit_jobs != NULL ? jobs_emit(cmd, &sweeper.points, diag)
					      : sweep_run(&sweeper, diag);
	sweep_fini(&sweeper.sweep);
	lab_sweep_close(&sweeper.points);
	free(sweeper.stored);
	free(sweeper.todo);
	return err;
}
