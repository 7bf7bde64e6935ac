/*
 * Requests in processes of their own, see point.h.  The store is open in one
 * of them at a time: never across a fork.
 */
#include "point.h"

#include <stdlib.h>
#include <string.h>

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

/* The figures of a run follow it. */
static void tell(const struct child *child, const struct lab_outcome *outcome)
{
	struct point_run told = {
		.run = outcome->run.id,
		.side = outcome->side,
		.seed = outcome->run.seed,
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

void point_work(struct lab *lab, const struct lab_request *given, const struct child *child,
		struct diag *diag)
{
	struct point_process process = { lab, child };
	struct lab_request request = *given;
	struct lab_outcome *outcome = NULL;
	size_t nr = 0;

	request.ctx = &process;
	request.started = on_started;
	request.progress = on_progress;
	lab_run(lab, &request, &outcome, &nr, diag);
	for (size_t i = 0; i < nr; i++)
		tell(child, &outcome[i]);
	lab_outcomes_free(outcome, nr);
	lab_db_close(lab);
}

/* What came is read as far as it is whole. */
void point_read(const struct pool_result *result,
		void (*take)(void *ctx, const struct point_run *run), void *ctx)
{
	const char *at = result->told;
	size_t left = result->told_bytes;

	while (left >= sizeof(struct point_run)) {
		struct point_run told;
		struct db_metric *metric;
		size_t bytes;

		memcpy(&told, at, sizeof(told));
		bytes = told.nr_metrics * sizeof(*metric);
		if (bytes > left - sizeof(told))
			return;
		metric = malloc(bytes + 1);
		if (metric == NULL)
			return;
		memcpy(metric, at + sizeof(told), bytes);
		told.metric = metric;
		take(ctx, &told);
		free(metric);
		at += sizeof(told) + bytes;
		left -= sizeof(told) + bytes;
	}
}

void point_bury(struct lab *lab, const struct pool_result *result)
{
	enum err err = result->diag->err;

	if (!result->end->died || result->end->run_id == 0)
		return;
	lab_failed(lab, result->end->run_id, err == ERR_INTERRUPTED ? RUN_INTERRUPTED : RUN_FAILED,
		   result->diag->text, NULL);
	lab_db_close(lab);
}

bool point_hopeless(enum err err)
{
	return err == ERR_DB || err == ERR_NOMEM || err == ERR_OUTPUT;
}
