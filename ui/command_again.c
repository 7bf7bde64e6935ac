/*
 * memcglab rerun and verify: a stored run made again, from its texts or
 * from its operations.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "lab_again.h"
#include "result.h"
#include "revision.h"

/* ---- verify ---- */

static void put_model(const struct lab_verified *verified, FILE *out)
{
	char model[DB_WORD_MAX];

	if (lab_verified_model(verified, model)[0] != '\0')
		fprintf(out, "%s\n", model);
}

static void put_difference(const struct lab_verified *verified, FILE *out)
{
	if (verified->why[0] != '\0')
		fprintf(out, "%s\n", verified->why);
	else
		fprintf(out, "stored  %s\nfound   %s\n", verified->stored, verified->found);
	put_model(verified, out);
}

/* The number comes first: many of these are read one below the other. */
static void verify_text(const struct db_run *run, const struct lab_verified *verified, FILE *out)
{
	if (verified->same) {
		fprintf(out, "run %lld (%s) verified: %zu stored states are equal, to step %llu\n",
			(long long)run->id, run_state_name(run->state), verified->nr,
			(unsigned long long)run->steps);
		put_model(verified, out);
		return;
	}
	fprintf(out, "run %lld differs: state %zu of %zu, at step %llu, is the first that does\n",
		(long long)run->id, verified->nr_same + 1, verified->nr,
		(unsigned long long)verified->step);
	put_difference(verified, out);
}

static enum err verify_json(const struct db_run *run, const struct lab_verified *verified,
			    FILE *out, struct diag *diag)
{
	json_t *root = json_pack("{s:I,s:s,s:b,s:I,s:I,s:I,s:I,s:i}", "run", (json_int_t)run->id,
				 "state", run_state_name(run->state), "same", (int)verified->same,
				 "steps", (json_int_t)verified->steps, "states",
				 (json_int_t)verified->nr, "equal", (json_int_t)verified->nr_same,
				 "model", (json_int_t)verified->model, "model_now",
				 (int)MODEL_REVISION);

	if (!verified->same)
		json_object_set_new(root, "first_difference",
				    json_pack("{s:I,s:s,s:s,s:s}", "step",
					      (json_int_t)verified->step, "stored",
					      verified->stored, "found", verified->found, "why",
					      verified->why));
	return result_dump(root, out, diag);
}

enum err command_verify(struct command *cmd, struct diag *diag)
{
	struct lab_verified verified;
	struct db_run run = { .id = 0 };
	struct db *db;
	enum err err = command_no_rows(cmd->args, true, diag);

	if (err == ERR_OK)
		err = lab_db(cmd->lab, DB_READ, &db, diag);
	if (err == ERR_OK)
		err = db_run_find(db, cmd->args->arg[0], &run, diag);
	if (err == ERR_OK)
		err = lab_verify(db, &run, &verified, diag);
	if (err == ERR_OK && strcmp(cmd->args->format, "json") == 0)
		err = verify_json(&run, &verified, cmd->out, diag);
	else if (err == ERR_OK)
		verify_text(&run, &verified, cmd->out);
	if (err == ERR_OK && !verified.same)
		err = diag_fail(diag, ERR_EXPECT, "run %lld: the states differ from step %llu on",
				(long long)run.id, (unsigned long long)verified.step);
	db_run_free(&run);
	return err;
}

/* ---- rerun ---- */

/* Whether it came out as it did then. */
static enum err rerun_compare(struct command *cmd, const struct lab_again *again,
			      const struct lab_outcome *outcome, struct diag *diag)
{
	struct lab_verified verified;
	struct db *db;
	enum err err = lab_db(cmd->lab, DB_WRITE, &db, diag);

	if (err == ERR_OK)
		err = lab_verify_rerun(db, &again->run, &outcome->run, &verified, diag);
	if (err != ERR_OK)
		return err;
	if (cmd->notes != NULL && verified.same && verified.nr > 0)
		fprintf(cmd->notes, "run %lld came out as run %lld: %zu stored states are equal\n",
			(long long)outcome->run.id, (long long)again->run.id, verified.nr);
	else if (cmd->notes != NULL && verified.same)
		fprintf(cmd->notes, "of run %lld no state is stored that could be compared\n",
			(long long)again->run.id);
	else if (cmd->notes != NULL)
		put_difference(&verified, cmd->notes);
	if (verified.same)
		return ERR_OK;
	return diag_fail(diag, ERR_EXPECT, "run %lld differs from run %lld from step %llu on",
			 (long long)outcome->run.id, (long long)again->run.id,
			 (unsigned long long)verified.step);
}

/* The texts, parameters, seed and kernel of then; tag and note are new. */
enum err command_rerun(struct command *cmd, struct diag *diag)
{
	struct lab_again again = { .nr_params = 0 };
	struct lab_outcome *outcome = NULL;
	struct lab_request request;
	struct db_run run = { .id = 0 };
	struct db *db;
	size_t nr = 0;
	enum err err = lab_db(cmd->lab, DB_WRITE, &db, diag);

	if (err == ERR_OK)
		err = db_run_find(db, cmd->args->arg[0], &run, diag);
	if (err == ERR_OK)
		err = lab_again_open(cmd->lab, db, &run, &again, diag);
	if (err == ERR_OK) {
		lab_again_request(&again, &request);
		request.tag = cmd->args->tag;
		request.note = cmd->args->note;
		err = command_request(cmd, &request, &outcome, &nr, diag);
	}
	if (err == ERR_OK && nr > 0)
		err = rerun_compare(cmd, &again, &outcome[0], diag);
	lab_outcomes_free(outcome, nr);
	lab_again_close(&again);
	return err;
}
