/*
 * From machine, seed and op log to a run: nothing listens to it.
 */
#include "lab_replay.h"

#include <stdlib.h>

enum err lab_oplog(struct db *db, const struct db_run *run, struct oplog **out, struct diag *diag)
{
	void *data = NULL;
	size_t size = 0;
	enum err err = db_run_oplog(db, run->id, &data, &size, diag);

	if (err == ERR_OK && (data == NULL || size == 0))
		err = diag_fail(diag, ERR_USAGE, "run %lld has no recorded steps (state %s)",
				(long long)run->id, run_state_name(run->state));
	if (err == ERR_OK)
		err = oplog_open(data, size, out, diag);
	free(data);
	return err;
}

enum err lab_replay(struct db *db, const struct db_run *run, uint64_t step, struct run **out,
		    struct diag *diag)
{
	struct oplog *log = NULL;
	struct scenario sc;
	enum err err = lab_machine(run, &sc, diag);

	*out = NULL;
	if (err == ERR_OK)
		err = lab_oplog(db, run, &log, diag);
	if (err == ERR_OK && step != UINT64_MAX && step > oplog_steps(log))
		err = diag_fail(diag, ERR_USAGE, "--at %llu: run %lld has %llu steps",
				(unsigned long long)step, (long long)run->id,
				(unsigned long long)oplog_steps(log));
	if (err == ERR_OK)
		err = run_open(&sc, out, diag);
	if (err == ERR_OK)
		err = oplog_play(log, *out, step, diag);
	oplog_close(log);
	if (err != ERR_OK) {
		run_close(*out);
		*out = NULL;
	}
	return err;
}
