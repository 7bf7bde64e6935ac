/*
 * memcglab run: a request to the lab, its progress, and the comparison.
 *
 * Between slices of a run the lab calls back: there an interrupt that waits
 * is passed on and, on a terminal and after a moment, one progress line is
 * drawn over itself.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "output.h"
#include "points.h"
#include "result.h"

#define FIRST_NS ((ns_t)200000000) /* nothing is drawn for what is faster */
#define AGAIN_NS ((ns_t)100000000)
#define LOOK_NS ((ns_t)20000000) /* between two looks for an interrupt */

struct runner {
	struct command *cmd;
	ns_t begun, drawn, looked;
	bool shown;
};

/* Wall time for the progress line only; results never see it. */
static ns_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (ns_t)ts.tv_sec * 1000000000 + (ns_t)ts.tv_nsec;
}

/* Told to the parent at once: if this process has to be killed, that row is closed by it. */
static void on_started(void *ctx, int64_t run_id)
{
	struct runner *runner = ctx;

	if (runner->cmd->child != NULL)
		child_running(runner->cmd->child, run_id);
}

/* Called after each slice of steps. The look at the clock is cheap, everything else is done at
 * most fifty times a second. */
static void on_progress(void *ctx, uint64_t steps, ns_t sim_ns)
{
	struct runner *runner = ctx;
	ns_t now = now_ns(), wall = now - runner->begun;
	char count[UNITS_TEXT_MAX], rate[UNITS_TEXT_MAX], sim[UNITS_TEXT_MAX];

	if (now - runner->looked < LOOK_NS)
		return;
	runner->looked = now;
	if (runner->cmd->child != NULL && child_interrupted())
		lab_interrupt(runner->cmd->lab);
	if (!runner->cmd->progress || wall < FIRST_NS || now - runner->drawn < AGAIN_NS)
		return;
	runner->drawn = now;
	runner->shown = true;
	fprintf(runner->cmd->notes, "\r%s steps, %s simulated, %s steps/s   ",
		units_format_count((int64_t)steps, count), units_format_time(sim_ns, sim),
		units_format_count((int64_t)(steps * 1000 / (wall / 1000000 + 1)), rate));
	fflush(runner->cmd->notes);
}

/* ---- what is written beside the comparison ---- */

enum { CALLS_SHOWN = 4 }; /* two limit hits of the batched kernel */

/* What the post of 2009-08-20 prints of the same experiment, for the eye. */
struct published {
	const char *scenario, *kernel, *calls;
};

static const struct published posts[] = {
	{ "cat-in-100m", "v2.6.31", "25535/6  25535/6  25535/6  25535/6" },
	{ "cat-in-100m", "v2.6.31+scan_batch=reclaim_stat",
	  "25531/32  25507/10  25531/32  25507/10" },
};

/* NULL for a run that the post did not make. */
static const char *published_calls(const struct db_run *run)
{
	for (size_t i = 0; i < sizeof(posts) / sizeof(posts[0]); i++)
		if (strcmp(posts[i].scenario, run->scenario) == 0 &&
		    strcmp(posts[i].kernel, run->kernel) == 0)
			return posts[i].calls;
	return NULL;
}

/* The last shrink calls as count/scan, the two figures of the kernel's debug line. */
static void put_calls(const struct command *cmd, const struct lab_outcome *outcome, char side)
{
	const char *published = cmd->args->nr_params == 0 ? published_calls(&outcome->run) : NULL;

	if (outcome->nr_calls == 0)
		return;
	fprintf(cmd->out, "%c  last shrink calls, count/scan:", side);
	for (size_t i = outcome->nr_calls > CALLS_SHOWN ? outcome->nr_calls - CALLS_SHOWN : 0;
	     i < outcome->nr_calls; i++)
		fprintf(cmd->out, "  %llu/%llu", (unsigned long long)outcome->call[i].size,
			(unsigned long long)outcome->call[i].nr_to_scan);
	if (published != NULL)
		fprintf(cmd->out, "\n   in the post of 2009-08-20:       %s", published);
	putc('\n', cmd->out);
}

/* Of the first seed only: another seed of the same experiment ends in the same cycle. */
static void put_all_calls(struct command *cmd, const struct lab_outcome *outcome, size_t nr)
{
	putc('\n', cmd->out);
	for (size_t i = 0; i < nr && outcome[i].run.seed == outcome[0].run.seed; i++)
		put_calls(cmd, &outcome[i], (char)('A' + i));
}

/* Failed expectations are said even where they are not the status, and then what to type next. */
static void put_next(struct command *cmd, const struct lab_outcome *outcome, size_t nr)
{
	size_t total, failed = result_failed(outcome, nr, &total);
	long long id = (long long)outcome[0].run.id;

	if (failed > 0)
		fprintf(cmd->out, "\n%zu of %zu expectations failed%s\n", failed, total,
			cmd->args->expect ? "" : " (the status says so only with --expect)");
	else if (total > 0)
		fprintf(cmd->out, "\nall %zu expectations hold\n", total);
	if (id != 0 && !cmd->args->quiet)
		fprintf(cmd->out,
			"next: memcglab tui %lld   memcglab export %lld --as scan-log   "
			"memcglab show %lld\n",
			id, id, id);
	if (id != 0 && !cmd->args->quiet && nr > 1 && outcome[1].side != outcome[0].side &&
	    outcome[1].run.id != 0)
		fprintf(cmd->out,
			"      memcglab compare %lld %lld   what differs, over all seeds\n", id,
			(long long)outcome[1].run.id);
}

/* ---- the same run before ---- */

struct earlier {
	const struct db_run *run;
	int64_t found;
};

/* Of one text and version a run is the same if parameters, kernel and seed are; its tag and its
 * date do not matter. */
static enum err earlier_row(void *ctx, const struct db_point *point)
{
	struct earlier *earlier = ctx;
	const struct db_run *run = earlier->run;

	if (point->id < run->id && point->seed == run->seed &&
	    strcmp(point->kernel, run->kernel) == 0 && point->params != NULL &&
	    run->params != NULL && strcmp(point->params, run->params) == 0)
		earlier->found = point->id;
	return ERR_OK; /* oldest first, and the newest is told */
}

/* A seed that ran before gives the same figures: nobody should take that for evidence. */
static void note_earlier(struct command *cmd, const struct lab_outcome *outcome)
{
	struct earlier earlier = { .run = &outcome->run };
	struct db *db;

	if (cmd->notes == NULL || outcome->run.id == 0 || cmd->args->repeat > 1 ||
	    lab_db(cmd->lab, DB_READ, &db, NULL) != ERR_OK)
		return;
	db_points(db, &outcome->run, earlier_row, &earlier, NULL);
	if (earlier.found != 0)
		fprintf(cmd->notes,
			"seed %llu ran before as run %lld: identical by design, use "
			"--repeat for spread\n",
			(unsigned long long)outcome->run.seed, (long long)earlier.found);
}

/* ---- formats ---- */

/* The shape that scripts rely on: an object with an array "runs". */
static enum err write_json(struct command *cmd, const struct lab_outcome *outcome, size_t nr,
			   struct diag *diag)
{
	json_t *root = json_object(), *runs = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(runs, result_json(&outcome[i], true));
	json_object_set_new(root, "runs", runs);
	return result_dump(root, cmd->out, diag);
}

/* The elements of that array, a line each, for tools that read line by line. */
static enum err write_jsonl(struct command *cmd, const struct lab_outcome *outcome, size_t nr,
			    struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < nr && err == ERR_OK; i++)
		err = result_dump(result_json(&outcome[i], true), cmd->out, diag);
	return err;
}

/* For people: the comparison, the last calls, what to do next. */
static enum err write_table(struct command *cmd, const struct lab_outcome *outcome, size_t nr,
			    struct diag *diag)
{
	enum err err = result_text(outcome, nr, &cmd->style, cmd->out, diag);

	if (err != ERR_OK)
		return err;
	put_all_calls(cmd, outcome, nr);
	put_next(cmd, outcome, nr);
	note_earlier(cmd, outcome);
	return output_check(cmd->out, diag);
}

/* A format that is made of more than rows. */
struct writer {
	const char *format;
	enum err (*write)(struct command *cmd, const struct lab_outcome *outcome, size_t nr,
			  struct diag *diag);
};

static const struct writer writers[] = {
	{ "json", write_json },
	{ "jsonl", write_jsonl },
	{ "table", write_table },
};

/* Formats that are only rows get one row a metric. */
static enum err write_outcomes(struct command *cmd, const struct lab_outcome *outcome, size_t nr,
			       struct diag *diag)
{
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++)
		if (strcmp(writers[i].format, cmd->args->format) == 0)
			return writers[i].write(cmd, outcome, nr, diag);
	return result_rows(outcome, nr, &cmd->style, cmd->out, diag);
}

/* When nothing came to its end, the error says all there is to say. */
static bool any_done(const struct lab_outcome *outcome, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (outcome[i].run.state == RUN_DONE)
			return true;
	return false;
}

/* Only with --expect: a scenario that shows how a kernel misses its goal is no failure of the
 * command. */
static enum err expect_status(const struct lab_outcome *outcome, size_t nr, struct diag *diag)
{
	size_t total, failed = result_failed(outcome, nr, &total);

	if (failed == 0)
		return ERR_OK;
	return diag_fail(diag, ERR_EXPECT, "%zu of %zu expectations failed", failed, total);
}

/* Outcomes that are there are written also when a later kernel failed, and then the failure is
 * the status. */
enum err command_request(struct command *cmd, const struct lab_request *request,
			 struct lab_outcome **out, size_t *nr, struct diag *diag)
{
	struct runner runner = { .cmd = cmd, .begun = now_ns() };
	struct diag wrote = { .err = ERR_OK };
	struct lab_request told = *request;
	enum err err;

	told.ctx = &runner;
	told.started = on_started;
	told.progress = on_progress;
	err = lab_run(cmd->lab, &told, out, nr, diag);
	if (runner.shown)
		fputs("\r\033[K", cmd->notes);
	if (any_done(*out, *nr))
		write_outcomes(cmd, *out, *nr, &wrote);
	if (err == ERR_OK && wrote.err != ERR_OK)
		err = diag_fail(diag, wrote.err, "%s", wrote.text);
	return err;
}

struct lab_request command_asked(const struct args *args)
{
	return (struct lab_request){
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
}

enum err command_run(struct command *cmd, struct diag *diag)
{
	const struct args *args = cmd->args;
	const struct lab_request request = command_asked(args);
	struct lab_outcome *outcome = NULL;
	size_t nr = 0;
	enum err err;

	if (args->repeat < 1 || args->repeat > 100000)
		return diag_fail(diag, ERR_USAGE, "--repeat: from 1 to 100000");
	if (args_pooled(args))
		return command_sweep(cmd, diag);
	if (args->metric != NULL)
		return diag_fail(diag, ERR_USAGE, "--metric chooses among those of a --sweep");
	err = command_request(cmd, &request, &outcome, &nr, diag);
	if (err == ERR_OK && args->expect)
		err = expect_status(outcome, nr, diag);
	lab_outcomes_free(outcome, nr);
	return err;
}
