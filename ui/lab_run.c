/*
 * A request: one scenario, some kernels, some seeds, each a run of its own.
 *
 * All that a user can get wrong (kernels, parameters) is checked before
 * anything runs.  Each run gets a fresh script, so no Lua state leaks from
 * A to B; A's stays open until B is judged, because compare looks at both.
 * A run that ends badly keeps its row, its error and its steps so far.
 */
#include "lab_core.h"

#include <stdio.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "keyframes.h"
#include "printed.h"

enum { SLICE_STEPS = 1024 }; /* between two looks at progress and interrupts */

/* One scenario on one kernel with one seed. */
struct trial {
	struct sink calls; /* first: it is a sink, which keeps the latest shrink calls */
	struct script *script;
	struct run *run;
	struct db *db; /* NULL: it is not stored */
	struct sink *recorder;
	struct lab_outcome *outcome;
	struct verdict_facts facts;
	struct keyframes keyframes;
	bool hit; /* a limit, and no call yet */
	char path[GROUP_PATH_MAX]; /* the answer of trial_path */
	ns_t begun;
};

struct job {
	struct lab *lab;
	struct lab_request request;
	struct db *db; /* NULL: nothing is stored */
	struct lab_scenario scenario;
	struct era *era;
	size_t nr_eras;
	struct lab_outcome *outcome;
	size_t nr;
	struct trial first, other; /* A stays open while B, C … run */
	int64_t pair;
};

/* How long it took is stored beside the result, never in it. */
static ns_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (ns_t)ts.tv_sec * 1000000000 + (ns_t)ts.tv_nsec;
}

/* A copy of a text that may be missing. */
static char *copy(const char *text)
{
	return text != NULL ? strdup(text) : NULL;
}

/* Cuts what does not fit; all of these have been checked before or are for display. */
static void word_copy(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%s", text != NULL ? text : "");
}

/* ---- before the run ---- */

/* What the store keeps to make the run again: text, parameters, kernel, seed, machine. */
static void run_describe(const struct job *job, const struct trial *trial, const struct era *era,
			 struct db_run *run)
{
	word_copy(run->scenario, sizeof(run->scenario), script_name(trial->script));
	word_copy(run->kernel, sizeof(run->kernel), era->name);
	word_copy(run->alias, sizeof(run->alias), era->alias);
	word_copy(run->version, sizeof(run->version), lab_version());
	word_copy(run->tag, sizeof(run->tag), job->request.tag);
	run->seed = script_seed(trial->script);
	run->note = copy(job->request.note);
	run->file = copy(job->scenario.file);
	run->text = copy(job->scenario.text);
	run->params = script_params_json(trial->script);
	run->machine = trial->run != NULL ? lab_machine_json(run_scenario(trial->run))
					  : strdup("{}");
	run->pair = job->pair;
	run->state = RUN_RUNNING;
}

/* The recorder asks for a path when it first meets a group; groups are never renamed. */
static const char *trial_path(void *ctx, uint32_t memcg)
{
	struct trial *trial = ctx;
	struct run_memcg group;

	trial->path[0] = '\0';
	if (run_memcg(trial->run, memcg, &group))
		memcpy(trial->path, group.path, sizeof(trial->path));
	return trial->path;
}

/* The row in the store; from here on the run can be found, whatever happens.  A side that is
 * stored already is made again for the others to be compared with, and keeps its row. */
static enum err trial_store(struct job *job, struct trial *trial, struct diag *diag)
{
	const int64_t *stored = job->request.stored;
	struct db_run *row = &trial->outcome->run;
	enum err err = ERR_OK;

	row->id = stored != NULL ? stored[trial->outcome->side] : 0;
	if (row->id == 0 && job->db != NULL) {
		err = db_run_begin(job->db, row, diag);
		trial->db = job->db;
	}
	if (err != ERR_OK)
		return err;
	if (job->pair == 0)
		job->pair = row->id;
	row->pair = job->pair;
	if (trial->db == NULL)
		return ERR_OK;
	err = lab_provenance(trial->db, row->id, trial->script, diag);
	if (err != ERR_OK)
		return err;
	if (job->request.started != NULL)
		job->request.started(job->request.ctx, row->id);
	return ERR_OK;
}

/* A moving window: at the end it holds the steady state of the run. */
static enum err call_take(struct sink *sink, const struct event *event, struct diag *diag)
{
	struct trial *trial = (struct trial *)sink;
	struct lab_outcome *out = trial->outcome;

	(void)diag;
	verdict_note(&trial->facts, event);
	trial->hit |= event->kind == EVENT_LIMIT_HIT;
	if (event->kind != EVENT_SHRINK)
		return ERR_OK;
	if (out->nr_calls == LAB_CALLS)
		memmove(out->call, out->call + 1, sizeof(out->call) - sizeof(out->call[0]));
	else
		out->nr_calls++;
	out->call[out->nr_calls - 1] = (struct lab_call){
		.size = (uint64_t)event->n[SHRINK_SIZE],
		.nr_to_scan = (uint64_t)event->n[SHRINK_TO_SCAN],
		.first = trial->hit,
	};
	trial->hit = false;
	return ERR_OK;
}

/* Who watches: the latest calls always, the store if there is one. */
static enum err trial_record(struct trial *trial, struct diag *diag)
{
	const struct db_paths paths = { .path = trial_path, .ctx = trial };
	enum err err;

	trial->calls = (struct sink){
		.name = "calls",
		.mask = 1u << EVENT_SHRINK | 1u << EVENT_LIMIT_HIT | VERDICT_EVENTS,
		.event = call_take,
	};
	err = run_add_sink(trial->run, &trial->calls, diag);
	if (err != ERR_OK || trial->db == NULL)
		return err;
	err = db_recorder_new(trial->db, trial->outcome->run.id, &paths, &trial->recorder, diag);
	return err == ERR_OK ? run_add_sink(trial->run, trial->recorder, diag) : err;
}

/* ---- the run ---- */

/* In slices, so that between two of them progress is told and an interrupt is noticed even if no
 * signal handler is allowed to run. */
static enum err trial_steps(struct job *job, struct trial *trial, struct diag *diag)
{
	const struct lab_request *request = &job->request;
	enum err err = ERR_OK;
	bool done = false;

	atomic_store(&job->lab->running, trial->run);
	while (err == ERR_OK && !done) {
		if (job->lab->interrupted != 0)
			err = diag_fail(diag, ERR_INTERRUPTED, "interrupted");
		else
			err = script_run(trial->script, run_steps(trial->run) + SLICE_STEPS, &done,
					 diag);
		if (trial->db != NULL && !done)
			keyframes_take(&trial->keyframes, trial->run);
		if (request->progress != NULL)
			request->progress(request->ctx, run_steps(trial->run), run_now(trial->run));
	}
	atomic_store(&job->lab->running, NULL);
	return err;
}

/* compare() sees the first kernel on the left and this one on the right. */
static enum err trial_judge(struct job *job, struct trial *trial, struct diag *diag)
{
	enum err err = script_judge(trial->script, diag);

	if (err == ERR_OK && trial == &job->other)
		err = script_compare(job->first.script, trial->script, diag);
	return err;
}

/* ---- after the run ---- */

/* Kept in memory for whoever asked, and in the store for later. */
static enum err results_take(struct trial *trial, struct diag *diag)
{
	struct lab_outcome *out = trial->outcome;
	enum err err = lab_results(trial->script, out, diag);

	if (err == ERR_OK && trial->db != NULL)
		err = db_metrics_add(trial->db, out->run.id, out->metric, out->nr_metrics, diag);
	if (err == ERR_OK && trial->db != NULL)
		err = db_expects_add(trial->db, out->run.id, out->expect, out->nr_expects, diag);
	return err;
}

/* Of a run that ended badly too: how its groups stood by then. */
static enum err verdict_take(struct trial *trial, struct diag *diag)
{
	struct lab_outcome *out = trial->outcome;
	size_t first = out->nr_metrics;
	enum err err = lab_verdict(trial->run, &trial->facts, out, diag);

	if (err == ERR_OK && trial->db != NULL)
		err = lab_verdict_store(trial->db, trial->run, out, first, diag);
	return err;
}

/* The final state of the row.  A failure here counts only if nothing failed before. */
static enum err trial_end(struct job *job, struct trial *trial, enum err err, struct diag *diag)
{
	struct db_run *row = &trial->outcome->run;
	struct diag store = { .err = ERR_OK };
	struct db_end end;

	row->wall_ns = now_ns() - trial->begun;
	row->steps = trial->run != NULL ? run_steps(trial->run) : 0;
	row->state = err == ERR_OK            ? RUN_DONE
		     : err == ERR_INTERRUPTED ? RUN_INTERRUPTED
					      : RUN_FAILED;
	if (err != ERR_OK)
		row->error = copy(diag != NULL ? diag->text : "failed");
	lab_print_end(job->lab);
	if (trial->db == NULL || row->id == 0)
		return err;
	if (trial->outcome->printed_size > 0)
		db_printed_add(trial->db, row->id, trial->outcome->printed, &store);
	end = (struct db_end){ row->state, row->error, row->wall_ns, row->steps, NULL, 0 };
	if (trial->run != NULL) {
		keyframes_end(&trial->keyframes, trial->run);
		db_keyframes_add(trial->db, row->id, trial->keyframes.at, trial->keyframes.nr,
				 &store);
		lab_libraries(trial->db, row->id, trial->script, &store);
		end.oplog = run_oplog(trial->run, &end.oplog_bytes);
	}
	db_run_end(trial->db, row->id, &end, &store);
	if (err == ERR_OK && store.err != ERR_OK)
		return diag_fail(diag, store.err, "%s", store.text);
	return err;
}

/* The run before its recorder: a run may still tell its sinks that it ends. */
static void trial_close(struct trial *trial)
{
	script_free(trial->script);
	run_close(trial->run);
	db_recorder_free(trial->recorder);
	memset(trial, 0, sizeof(*trial));
}

/* Finish always runs: what the recorder holds must reach the store, also of a failed run. */
static enum err trial_run(struct job *job, struct trial *trial, struct diag *diag)
{
	struct diag finish = { .err = ERR_OK }, verdict = { .err = ERR_OK };
	enum err err = trial_record(trial, diag);

	if (err == ERR_OK)
		err = trial_steps(job, trial, diag);
	if (run_finish(trial->run, &finish) != ERR_OK && err == ERR_OK)
		err = diag_fail(diag, finish.err, "%s", finish.text);
	if (err == ERR_OK)
		err = trial_judge(job, trial, diag);
	if (err == ERR_OK)
		err = results_take(trial, diag);
	if (verdict_take(trial, &verdict) != ERR_OK && err == ERR_OK)
		err = diag_fail(diag, verdict.err, "%s", verdict.text);
	return err;
}

/* A place of its own for each side: sinks are known by their address. */
static enum err trial_do(struct job *job, const struct era *era, uint64_t offset, struct diag *diag)
{
	struct trial *trial = job->first.script == NULL ? &job->first : &job->other;
	struct diag open = { .err = ERR_OK };
	enum err opened, err;

	assert(job->outcome != NULL);
	*trial = (struct trial){ .outcome = &job->outcome[job->nr], .begun = now_ns() };
	lab_print_begin(job->lab, trial->outcome);
	err = lab_ready(job->lab, &job->request, job->request.first + offset, &trial->script, diag);
	if (err != ERR_OK) {
		lab_print_end(job->lab);
		free(trial->outcome->printed);
		return err;
	}
	trial->outcome->side = (uint32_t)(era - job->era);
	job->nr++;
	opened = script_open(trial->script, era, &trial->run, &open);
	run_describe(job, trial, era, &trial->outcome->run);
	err = trial_store(job, trial, diag);
	if (err == ERR_OK && opened != ERR_OK)
		err = diag_fail(diag, open.err, "%s", open.text);
	if (err == ERR_OK)
		err = trial_run(job, trial, diag);
	return trial_end(job, trial, err, diag);
}

/* All kernels with one seed: a pair in the store. */
static enum err job_seed(struct job *job, uint64_t offset, struct diag *diag)
{
	enum err err = ERR_OK;

	job->pair = 0;
	for (size_t i = 0; i < job->nr_eras && err == ERR_OK; i++) {
		err = trial_do(job, &job->era[i], offset, diag);
		trial_close(&job->other);
	}
	trial_close(&job->first);
	return err;
}

/* What can be refused before anything runs. */
static enum err job_prepare(struct job *job, struct diag *diag)
{
	struct lab_request *request = &job->request;
	struct script *script = NULL;
	enum err err = ERR_OK;

	if (request->loaded != NULL)
		job->scenario = *request->loaded;
	else
		err = lab_scenario_find(job->lab, request->scenario, &job->scenario, diag);
	request->loaded = &job->scenario;
	if (err == ERR_OK)
		err = lab_ready(job->lab, request, request->first, &script, diag);
	if (err == ERR_OK)
		err = lab_kernels(request->kernels, script, &job->era, &job->nr_eras, diag);
	script_free(script);
	if (err == ERR_OK && !job->lab->no_db && !request->unstored)
		err = lab_db(job->lab, DB_WRITE, &job->db, diag);
	return err;
}

/* A failure ends the request: what comes after would be compared with something that is not
 * there. */
enum err lab_run(struct lab *lab, const struct lab_request *request, struct lab_outcome **out,
		 size_t *nr, struct diag *diag)
{
	struct job job = { .lab = lab, .request = *request };
	uint64_t repeat = request->repeat > 0 ? request->repeat : 1;
	enum err err;

	lab->interrupted = 0;
	err = job_prepare(&job, diag);
	if (err == ERR_OK) {
		job.outcome = calloc(repeat * job.nr_eras, sizeof(*job.outcome));
		if (job.outcome == NULL)
			err = diag_fail(diag, ERR_NOMEM, "no memory for the runs");
	}
	for (uint64_t i = 0; i < repeat && err == ERR_OK; i++)
		err = job_seed(&job, i, diag);
	free(job.era);
	if (request->loaded == NULL)
		free(job.scenario.text);
	*out = job.outcome;
	*nr = job.nr;
	return err;
}

/* Frees what lab_run gave out, also after an error. */
void lab_outcomes_free(struct lab_outcome *outcome, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		for (size_t j = 0; j < outcome[i].nr_expects; j++)
			free(outcome[i].expect[j].text);
		free(outcome[i].expect);
		free(outcome[i].metric);
		free(outcome[i].taken);
		free(outcome[i].lock);
		free(outcome[i].printed);
		db_run_free(&outcome[i].run);
	}
	free(outcome);
}
