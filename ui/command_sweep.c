/*
 * memcglab run with --sweep: points in a pool of processes, a line of
 * progress, and the table of what came out.
 *
 * The store is open here only before and behind the pool, never across a
 * fork.  A point that fails is counted and told at the end; an interrupt
 * keeps what is done, and --resume does the rest.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "jobs.h"
#include "pool.h"
#include "sweep.h"

#define NS_PER_S ((ns_t)1000000000)
#define FIRST_NS ((ns_t)200000000) /* nothing is drawn for what is faster */
#define AGAIN_NS ((ns_t)100000000)

struct sweeper {
	struct command *cmd;
	struct lab_sweep points;
	struct sweep sweep;
	int64_t *stored; /* runs of points that are done already, [cell] */
	size_t *todo;	 /* points */
	size_t nr_todo, nr_ended, nr_failed;
	size_t nr_expects, nr_expects_failed;
	struct diag first; /* what failed first */
	ns_t begun, drawn;
	bool shown;
};

/* Wall time for the progress line only; results never see it. */
static ns_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (ns_t)ts.tv_sec * NS_PER_S + (ns_t)ts.tv_nsec;
}

/* ---- a point, in its own process ---- */

/* What a point's process tells of each of its runs that is done; its metrics follow. */
struct told_run {
	int64_t run;
	size_t side, nr_metrics, nr_expects, nr_expects_failed;
};

struct point_process {
	struct lab *lab;
	const struct child *child;
};

static void on_started(void *ctx, int64_t run_id)
{
	const struct point_process *process = ctx;

	child_running(process->child, run_id);
}

static void on_progress(void *ctx, uint64_t steps, ns_t sim_ns)
{
	const struct point_process *process = ctx;

	(void)steps;
	(void)sim_ns;
	if (child_interrupted())
		lab_interrupt(process->lab);
}

static void tell(const struct child *child, const struct lab_outcome *outcome)
{
	struct told_run told = {
		.run = outcome->run.id,
		.side = outcome->side,
		.nr_metrics = outcome->nr_metrics,
		.nr_expects = outcome->nr_expects,
	};

	if (outcome->run.state != RUN_DONE)
		return;
	for (size_t i = 0; i < outcome->nr_expects; i++)
		told.nr_expects_failed += !outcome->expect[i].ok;
	child_tell(child, &told, sizeof(told));
	child_tell(child, outcome->metric, outcome->nr_metrics * sizeof(*outcome->metric));
}

static void point_work(void *ctx, size_t item, const struct child *child, struct diag *diag)
{
	struct sweeper *sweeper = ctx;
	struct point_process process = { sweeper->cmd->lab, child };
	size_t point = sweeper->todo[item], nr = 0;
	struct lab_outcome *outcome = NULL;
	struct lab_request request;

	lab_sweep_request(&sweeper->points, point, &request);
	request.stored = &sweeper->stored[point * sweeper->points.nr_eras];
	request.ctx = &process;
	request.started = on_started;
	request.progress = on_progress;
	lab_run(process.lab, &request, &outcome, &nr, diag);
	for (size_t i = 0; i < nr; i++)
		tell(child, &outcome[i]);
	lab_outcomes_free(outcome, nr);
	lab_db_close(process.lab);
}

/* ---- what comes back of it ---- */

/* Runs that were done in a process that died later are done all the same. */
static void told_take(struct sweeper *sweeper, size_t point, const struct pool_result *result)
{
	const char *at = result->told;
	size_t left = result->told_bytes;

	while (left >= sizeof(struct told_run)) {
		struct told_run told;
		const struct db_metric *metric;
		size_t bytes;

		memcpy(&told, at, sizeof(told));
		metric = (const struct db_metric *)(const void *)(at + sizeof(told));
		bytes = sizeof(told) + told.nr_metrics * sizeof(*metric);
		if (bytes > left)
			return;
		sweep_take(&sweeper->sweep, point * sweeper->points.nr_eras + told.side, told.run,
			   metric, told.nr_metrics);
		sweeper->nr_expects += told.nr_expects;
		sweeper->nr_expects_failed += told.nr_expects_failed;
		at += bytes;
		left -= bytes;
	}
}

/* A store that cannot be written to would fail for every point. */
static bool is_hopeless(enum err err)
{
	return err == ERR_DB || err == ERR_NOMEM || err == ERR_OUTPUT;
}

static enum err point_ended(void *ctx, size_t item, const struct pool_result *result,
			    struct diag *diag)
{
	struct sweeper *sweeper = ctx;
	const struct child_end *end = result->end;
	enum err err = result->diag->err;

	told_take(sweeper, sweeper->todo[item], result);
	sweeper->nr_ended++;
	if (end->newest != 0 && sweeper->cmd->child != NULL)
		child_running(sweeper->cmd->child, end->newest);
	if (end->died && end->run_id != 0 && !sweeper->cmd->args->no_db) {
		lab_failed(sweeper->cmd->lab, end->run_id,
			   err == ERR_INTERRUPTED ? RUN_INTERRUPTED : RUN_FAILED,
			   result->diag->text, NULL);
		lab_db_close(sweeper->cmd->lab);
	}
	if (err == ERR_OK || err == ERR_INTERRUPTED)
		return ERR_OK;
	if (sweeper->nr_failed++ == 0)
		sweeper->first = *result->diag;
	return is_hopeless(err) ? diag_fail(diag, err, "%s", result->diag->text) : ERR_OK;
}

/* "1:05" or "9 s": two figures are enough of what is a guess. */
static void left_text(double seconds, char *out, size_t size)
{
	if (seconds < 100)
		snprintf(out, size, "%.0f s", ceil(seconds));
	else if (seconds < 6000)
		snprintf(out, size, "%.0f min", ceil(seconds / 60));
	else
		snprintf(out, size, "%.1f h", seconds / 3600);
}

static void draw_progress(void *ctx)
{
	struct sweeper *sweeper = ctx;
	ns_t now = now_ns(), wall = now - sweeper->begun;
	double rate = (double)sweeper->nr_ended * (double)NS_PER_S / (double)(wall + 1);
	char left[32] = "?";

	if (!sweeper->cmd->progress || wall < FIRST_NS || now - sweeper->drawn < AGAIN_NS)
		return;
	sweeper->drawn = now;
	sweeper->shown = true;
	if (sweeper->nr_ended > 0)
		left_text((double)(sweeper->nr_todo - sweeper->nr_ended) / rate, left,
			  sizeof(left));
	fprintf(sweeper->cmd->notes, "\r%zu/%zu points, %.3g points/s, %s left   ",
		sweeper->nr_ended, sweeper->nr_todo, rate, left);
	fflush(sweeper->cmd->notes);
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
		.work = point_work,
		.ended = point_ended,
		.tick = draw_progress,
	};
	struct diag wrote = { .err = ERR_OK };
	enum err err = todo_make(sweeper, diag);

	if (err != ERR_OK)
		return err;
	sweeper->begun = now_ns();
	err = pool_run(&pool, sweeper->nr_todo, diag);
	if (sweeper->shown)
		fputs("\r\033[K", sweeper->cmd->notes);
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
	const struct lab_request request = {
		.scenario = args->arg[0],
		.kernels = args->kernels,
		.param = args->param,
		.nr_params = args->nr_params,
		.has_seed = args_given(args, OPT_SEED),
		.seed = args->seed,
		.repeat = (uint32_t)args->repeat,
		.tag = args->tag,
		.note = args->note,
	};
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
