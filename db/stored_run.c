/*
 * The life of a run's row: begun in state running with everything that is
 * needed to do it again, given its figures, and ended.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "recorder.h"
#include "store.h"

enum { UUID_BYTES = 16 };

static const char *const state_names[NR_RUN_STATES] = {
	[RUN_RUNNING] = "running",         [RUN_DONE] = "done",           [RUN_FAILED] = "failed",
	[RUN_INTERRUPTED] = "interrupted", [RUN_ABANDONED] = "abandoned",
};

const char *run_state_name(enum run_state state)
{
	return state_names[state];
}

/* Version 4: random, but for the bits that say so. */
static enum err make_uuid(char out[DB_UUID_MAX], struct diag *diag)
{
	unsigned char byte[UUID_BYTES];
	FILE *file = fopen("/dev/urandom", "rb");
	size_t got = 0;
	char *to = out;

	if (file) {
		setvbuf(file, NULL, _IONBF, 0);
		got = fread(byte, 1, sizeof(byte), file);
		fclose(file);
	}
	if (got != sizeof(byte))
		return diag_fail(diag, ERR_DB, "no random numbers for a run's uuid");
	byte[6] = (unsigned char)((byte[6] & 0x0f) | 0x40);
	byte[8] = (unsigned char)((byte[8] & 0x3f) | 0x80);
	for (int i = 0; i < UUID_BYTES; i++)
		to += snprintf(to, 4, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			       byte[i]);
	return ERR_OK;
}

/* For people who compare wall times; nothing that the model computes depends on it. */
static void describe_host(char out[DB_WORD_MAX])
{
	struct utsname name;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (uname(&name) != 0)
		memset(&name, 0, sizeof(name));
	snprintf(out, DB_WORD_MAX, "%.32s %.48s %.16s, %ld CPUs", name.sysname, name.release,
		 name.machine, cpus);
}

/* The one date in the store: it is for people, and part of no result. */
static void describe_now(char out[DB_TIME_MAX])
{
	time_t now = time(NULL);
	struct tm tm;

	out[0] = '\0';
	if (gmtime_r(&now, &tm))
		strftime(out, DB_TIME_MAX, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

/* A run that somebody deleted may have left figures behind, which are known by its number. */
#define NEXT_ID                                                     \
	"(SELECT 1 + max(coalesce((SELECT max(id) FROM run), 0),"   \
	" coalesce((SELECT max(key) >> 36 FROM event), 0),"         \
	" coalesce((SELECT max(key) >> 36 FROM sample), 0)))"

/* A run that is the first of its command is its own pair, known only once it has its id. */
static enum err insert_run(struct db *db, struct db_run *run, struct diag *diag)
{
	int64_t script = 0;
	sqlite3_stmt *stmt;
	enum err err = run->text ? store_keep_text(db->sql, run->text, &script, diag) : ERR_OK;

	if (!err)
		err = store_prepare(db->sql,
				    "INSERT INTO run (id, uuid, scenario, kernel, alias, created,"
				    " version, host, tag, note, file, params, machine, boot,"
				    " pair, seed, script, pid, started, state, wall_ns, steps)"
				    " VALUES (" NEXT_ID ", ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?,"
				    " ?, ?, ?, ?,"
				    " nullif(?, 0), ?, nullif(?, 0), ?, ?, 'running', 0, 0)",
				    &stmt, diag);
	if (err)
		return err;
	store_bind(stmt, "tttttttttttttiiiii", run->uuid, run->scenario, run->kernel, run->alias,
		   run->created, run->version, run->host, run->tag, run->note, run->file,
		   run->params, run->machine, db->self.boot, run->pair, (int64_t)run->seed, script,
		   db->self.pid, db->self.started);
	err = store_finish(db->sql, stmt, diag);
	if (err)
		return err;
	run->id = sqlite3_last_insert_rowid(db->sql);
	if (run->pair)
		return ERR_OK;
	run->pair = run->id;
	err = store_prepare(db->sql, "UPDATE run SET pair = id WHERE id = ?", &stmt, diag);
	if (err)
		return err;
	store_bind(stmt, "i", run->id);
	return store_finish(db->sql, stmt, diag);
}

/* In the store before the first step: a run that dies at once leaves a row that says so. */
enum err db_run_begin(struct db *db, struct db_run *run, struct diag *diag)
{
	enum err err = store_writable(db, diag);

	if (!err)
		err = make_uuid(run->uuid, diag);
	if (!err)
		err = store_begin(db->sql, diag);
	if (err)
		return err;
	describe_host(run->host);
	describe_now(run->created);
	run->state = RUN_RUNNING;
	run->wall_ns = 0;
	run->steps = 0;
	err = insert_run(db, run, diag);
	return store_end(db->sql, err, diag);
}

/* REPLACE: a run may be ended twice; its state keeps the first end, its log is the last. */
static enum err keep_oplog(struct db *db, int64_t id, const struct db_end *end, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err =
		store_prepare(db->sql, "INSERT OR REPLACE INTO oplog VALUES (?, ?)", &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "ib", id, end->oplog, end->oplog_bytes);
	return store_finish(db->sql, stmt, diag);
}

/* abandoned may still become failed: another process may have looked in between. */
static enum err update_run(struct db *db, int64_t id, const struct db_end *end, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "UPDATE run SET state = ?, error = ?, wall_ns = ?, steps = ?"
				     " WHERE id = ? AND state IN ('running', 'abandoned')",
				     &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "ttiii", run_state_name(end->state), end->error, (int64_t)end->wall_ns,
		   (int64_t)end->steps, id);
	return store_finish(db->sql, stmt, diag);
}

static enum err end_row(struct db *db, int64_t id, const struct db_end *end, struct diag *diag)
{
	enum err err = store_begin(db->sql, diag);

	if (err)
		return err;
	err = update_run(db, id, end, diag);
	if (!err && end->oplog)
		err = keep_oplog(db, id, end, diag);
	return store_end(db->sql, err, diag);
}

/* Not all of the run could be stored: its row says so as soon as it can be written, and on a
 * full disk that little may fit where the op log does not. */
static void end_failed(struct db *db, int64_t id, const struct db_end *end, const char *why)
{
	struct db_end last = *end;

	if (end->state == RUN_DONE) {
		last.state = RUN_FAILED;
		last.error = why;
	}
	if (!end_row(db, id, &last, NULL) || (sqlite3_errcode(db->sql) & 0xff) == SQLITE_BUSY)
		return;
	last.oplog = NULL;
	sqlite3_wal_checkpoint_v2(db->sql, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL);
	end_row(db, id, &last, NULL);
}

enum err db_run_end(struct db *db, int64_t id, const struct db_end *end, struct diag *diag)
{
	struct diag lost = { .err = ERR_OK };
	enum err err = store_writable(db, diag);

	if (err)
		return err;
	/* Rows first: a run that says done has all of them, whenever a kill comes. */
	err = recorder_flush(db, id, &lost);
	if (!err)
		err = end_row(db, id, end, &lost);
	if (!err)
		return ERR_OK;
	end_failed(db, id, end, lost.text);
	return diag_fail(diag, err, "%s", lost.text);
}

/* A metric that is computed again keeps its place and takes the new value. */
static enum err add_metric(struct db *db, int64_t id, const struct db_metric *metric,
			   struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "INSERT INTO metric VALUES (?1, (SELECT count(*) FROM metric"
				     " WHERE run = ?1), ?2, ?3, ?4, ?5) ON CONFLICT (run, name)"
				     " DO UPDATE SET unit = ?3, better = ?4, value = ?5",
				     &stmt, diag);

	if (err)
		return err;
	if (metric->missing)
		store_bind(stmt, "itttn", id, metric->name, metric->unit, metric->better);
	else if (metric->is_text)
		store_bind(stmt, "itttt", id, metric->name, metric->unit, metric->better,
			   metric->text);
	else if (metric->is_real)
		store_bind(stmt, "itttd", id, metric->name, metric->unit, metric->better,
			   metric->real);
	else
		store_bind(stmt, "ittti", id, metric->name, metric->unit, metric->better,
			   metric->integer);
	return store_finish(db->sql, stmt, diag);
}

enum err db_metrics_add(struct db *db, int64_t id, const struct db_metric *metric, size_t n,
			struct diag *diag)
{
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	for (size_t i = 0; i < n && !err; i++)
		err = add_metric(db, id, &metric[i], diag);
	return store_end(db->sql, err, diag);
}

/* Expectations keep their order: the page of results shows them as the scenario states them. */
static enum err add_expect(struct db *db, int64_t id, const struct db_expect *expect,
			   struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "INSERT INTO expect VALUES (?1, (SELECT count(*) FROM expect"
				     " WHERE run = ?1), ?2, ?3, ?4, ?5, ?6)",
				     &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "itti", id, expect->text ? expect->text : "", expect->label,
		   (int64_t)expect->ok);
	if (expect->has_value)
		sqlite3_bind_double(stmt, 5, expect->value);
	if (expect->has_wanted)
		sqlite3_bind_double(stmt, 6, expect->wanted);
	return store_finish(db->sql, stmt, diag);
}

enum err db_expects_add(struct db *db, int64_t id, const struct db_expect *expect, size_t n,
			struct diag *diag)
{
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	for (size_t i = 0; i < n && !err; i++)
		err = add_expect(db, id, &expect[i], diag);
	return store_end(db->sql, err, diag);
}
