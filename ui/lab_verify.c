/*
 * Stored hashes against a replay, or against those of another run.  A run
 * of an earlier schema has one hash, the metric state_hash of its end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_again.h"
#include "lab_replay.h"
#include "revision.h"

struct states {
	struct db_keyframe *at;
	size_t nr;
	uint64_t end; /* steps of the run */
	struct diag *diag;
};

static enum err state_add(void *ctx, const struct db_keyframe *state)
{
	struct states *states = ctx;
	struct db_keyframe *all = realloc(states->at, (states->nr + 1) * sizeof(*all));

	if (all == NULL)
		return diag_fail(states->diag, ERR_NOMEM, "no memory for hashes");
	states->at = all;
	all[states->nr++] = *state;
	return ERR_OK;
}

/* The figure that reports show: it must belong to the state that the run ended in. */
static enum err metric_row(void *ctx, const struct db_metric *metric)
{
	struct states *states = ctx;
	struct db_keyframe end = { .step = states->end };

	if (strcmp(metric->name, "state_hash") != 0 || !metric->is_text)
		return ERR_OK;
	snprintf(end.hash, sizeof(end.hash), "%.32s", metric->text);
	return state_add(states, &end);
}

static enum err program_row(void *ctx, const struct db_program *program)
{
	*(int64_t *)ctx = program->model;
	return ERR_OK;
}

static enum err states_read(struct db *db, const struct db_run *run, struct states *out,
			    struct diag *diag)
{
	enum err err;

	*out = (struct states){ .end = run->steps, .diag = diag };
	err = db_keyframes(db, run->id, state_add, out, diag);
	if (err == ERR_OK)
		err = db_metrics(db, run->id, metric_row, out, diag);
	return err;
}

/* The first state that differs ends the comparison: those behind it follow from it. */
static void hold(struct lab_verified *out, const struct db_keyframe *stored, const char *found)
{
	if (strcmp(stored->hash, found) == 0) {
		out->nr_same++;
		return;
	}
	out->same = false;
	out->step = stored->step;
	memcpy(out->stored, stored->hash, sizeof(out->stored));
	snprintf(out->found, sizeof(out->found), "%s", found);
}

/* A replay that stops on the way differs as well: of a damaged log, or of another model. */
static void replay_to(const struct oplog *log, struct run *run, const struct db_keyframe *state,
		      struct lab_verified *out)
{
	struct diag why = { .err = ERR_OK };
	char hash[RUN_HASH_MAX] = "";

	if (oplog_play(log, run, state->step, &why) != ERR_OK)
		snprintf(out->why, sizeof(out->why), "%.127s", why.text);
	else if (run_steps(run) != state->step)
		snprintf(out->why, sizeof(out->why), "the op log ends at step %llu",
			 (unsigned long long)run_steps(run));
	else
		run_hash(run, hash);
	hold(out, state, hash);
}

static enum err replay_all(struct db *db, const struct db_run *run, const struct states *states,
			   struct lab_verified *out, struct diag *diag)
{
	struct oplog *log = NULL;
	struct run *again = NULL;
	struct scenario machine;
	enum err err = lab_oplog(db, run, &log, diag);

	if (err == ERR_OK)
		err = lab_machine(run, &machine, diag);
	if (err == ERR_OK)
		err = run_open(&machine, &again, diag);
	for (size_t i = 0; i < states->nr && out->same && err == ERR_OK; i++)
		replay_to(log, again, &states->at[i], out);
	run_close(again);
	oplog_close(log);
	return err;
}

enum err lab_verify(struct db *db, const struct db_run *run, struct lab_verified *out,
		    struct diag *diag)
{
	struct states states;
	enum err err = states_read(db, run, &states, diag);

	*out = (struct lab_verified){ .steps = run->steps, .nr = states.nr, .same = true };
	if (err == ERR_OK)
		err = db_program_read(db, run->id, program_row, &out->model, diag);
	if (err == ERR_OK && states.nr == 0)
		err = diag_fail(diag, ERR_USAGE,
				"run %lld cannot be verified: no hash of a state of it is stored "
				"(state %s)",
				(long long)run->id, run_state_name(run->state));
	if (err == ERR_OK)
		err = replay_all(db, run, &states, out, diag);
	free(states.at);
	return err;
}

/* The hash of @step among @states, NULL if there is none. */
static const char *state_at(const struct states *states, uint64_t step)
{
	for (size_t i = 0; i < states->nr; i++)
		if (states->at[i].step == step)
			return states->at[i].hash;
	return NULL;
}

/* A run that was interrupted ends in the middle of the other. */
enum err lab_verify_rerun(struct db *db, const struct db_run *run, const struct db_run *again,
			  struct lab_verified *out, struct diag *diag)
{
	struct states old, new = { .nr = 0 };
	enum err err = states_read(db, run, &old, diag);

	*out = (struct lab_verified){ .steps = run->steps, .same = true };
	if (err == ERR_OK)
		err = states_read(db, again, &new, diag);
	if (err == ERR_OK)
		err = db_program_read(db, run->id, program_row, &out->model, diag);
	for (size_t i = 0; i < old.nr && out->same && err == ERR_OK; i++) {
		const char *found = state_at(&new, old.at[i].step);

		out->nr += found != NULL;
		if (found != NULL)
			hold(out, &old.at[i], found);
	}
	if (err == ERR_OK && out->same && run->state == RUN_DONE && run->steps != again->steps) {
		out->same = false;
		out->step = again->steps;
		snprintf(out->why, sizeof(out->why), "it ended after %llu steps, not %llu",
			 (unsigned long long)again->steps, (unsigned long long)run->steps);
	}
	free(old.at);
	free(new.at);
	return err;
}

const char *lab_verified_model(const struct lab_verified *verified, char out[DB_WORD_MAX])
{
	out[0] = '\0';
	if (verified->model == 0)
		snprintf(out, DB_WORD_MAX, "made before model revisions were stored; this is %d",
			 MODEL_REVISION);
	else if (verified->model != MODEL_REVISION)
		snprintf(out, DB_WORD_MAX,
			 "made by model revision %lld, this is revision %d: states may differ",
			 (long long)verified->model, MODEL_REVISION);
	return out;
}
