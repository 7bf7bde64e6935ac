/*
 * A run as one file: export --bundle writes it; open checks it, replays it
 * against the states that it holds, and brings it into the store.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle.h"
#include "command.h"
#include "lab_again.h"
#include "output_file.h"
#include "upkeep.h"

/* A folder that nobody else looks into, for the store inside a bundle. */
struct scratch {
	char folder[512], store[528];
};

static enum err scratch_open(struct scratch *scratch, struct diag *diag)
{
	const char *where = getenv("TMPDIR");
	int n = snprintf(scratch->folder, sizeof(scratch->folder), "%s/memcglab-bundle-XXXXXX",
			 where != NULL && where[0] != '\0' ? where : "/tmp");

	if (n >= (int)sizeof(scratch->folder) || mkdtemp(scratch->folder) == NULL)
		return diag_fail(diag, ERR_OUTPUT, "%.200s: no folder could be made there",
				 scratch->folder);
	snprintf(scratch->store, sizeof(scratch->store), "%s/run.db", scratch->folder);
	return ERR_OK;
}

/* The store and what SQLite keeps beside one that is open. */
static void scratch_close(const struct scratch *scratch)
{
	static const char *const beside[] = { "", "-wal", "-shm", "-journal" };
	char path[544];

	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", scratch->store, beside[i]);
		unlink(path);
	}
	rmdir(scratch->folder);
}

enum err command_bundle(struct db *db, const struct db_run *run, const char *path,
			struct diag *diag)
{
	struct output_file file;
	struct scratch scratch;
	enum err err = scratch_open(&scratch, diag);

	if (err != ERR_OK)
		return err;
	err = output_file_open_whole(path, &file, diag);
	if (err == ERR_OK) {
		err = bundle_write(db, run->uuid, scratch.store, file.file, diag);
		err = output_file_close(&file, err, diag);
	}
	scratch_close(&scratch);
	return err;
}

/* ---- open ---- */

/* Replays the run of the bundle's own store.  @run is for the caller to free. */
static enum err check(struct db *inside, struct db_run *run, struct lab_verified *verified,
		      struct diag *diag)
{
	enum err err = db_run_find(inside, "latest", run, diag);

	if (err == ERR_OK)
		err = lab_verify(inside, run, verified, diag);
	if (err == ERR_OK && !verified->same)
		err = diag_fail(diag, ERR_EXPECT,
				"the run of this file differs from its states from step %llu on: "
				"it stays outside of the store",
				(unsigned long long)verified->step);
	return err;
}

static enum err bring(struct command *cmd, const char *store, const struct db_run *run,
		      const struct lab_verified *verified, struct diag *diag)
{
	struct db_merged merged;
	struct db *db;
	int64_t id;
	enum err err = lab_db(cmd->lab, DB_WRITE, &db, diag);

	if (err == ERR_OK)
		err = db_merge(db, store, &merged, diag);
	if (err == ERR_OK)
		err = db_run_id(db, run->uuid, &id, diag);
	if (err != ERR_OK)
		return err;
	fprintf(cmd->out, "run %lld: %s on %s, seed %llu, %s, made by %s\n", (long long)id,
		run->scenario, run->kernel, (unsigned long long)run->seed,
		run_state_name(run->state), run->version);
	fprintf(cmd->out, "%s; %zu stored states are equal to a replay\n",
		merged.added > 0 ? "it is in the store now" : "it was in the store already",
		verified->nr);
	return ERR_OK;
}

enum err command_open(struct command *cmd, struct diag *diag)
{
	struct lab_verified verified;
	struct db_run run = { .id = 0 };
	struct db *inside = NULL;
	struct scratch scratch;
	enum err err = command_no_rows(cmd->args, false, diag);

	if (err == ERR_OK)
		err = scratch_open(&scratch, diag);
	if (err != ERR_OK)
		return err;
	err = bundle_unpack(cmd->args->arg[0], scratch.store, diag);
	if (err == ERR_OK)
		err = db_open(scratch.store, DB_READ, &inside, diag);
	if (err == ERR_OK)
		err = check(inside, &run, &verified, diag);
	db_close(inside);
	if (err == ERR_OK)
		err = bring(cmd, scratch.store, &run, &verified, diag);
	db_run_free(&run);
	scratch_close(&scratch);
	return err;
}
