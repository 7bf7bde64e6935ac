/*
 * The store of runs: one SQLite file.  Opens and creates it, records a run
 * through a sink, lists and reads stored runs, answers read-only SQL.
 *
 * Schema 1: application_id, user_version 1, WAL, busy_timeout 5 s, STRICT
 * tables, foreign keys, views (table_views.c).  A run whose process no longer lives (boot
 * id, process id and its start are kept) is marked abandoned at the next open.
 */
#ifndef MEMCGLAB_DB_DB_H
#define MEMCGLAB_DB_DB_H

#include "event.h"
#include "scenario.h"

struct db;

enum db_mode {
	DB_READ, /* must exist, unless it is the default file: then it is created */
	DB_WRITE /* created if missing, with its folders */
};

enum run_state { RUN_RUNNING, RUN_DONE, RUN_FAILED, RUN_INTERRUPTED, RUN_ABANDONED, NR_RUN_STATES };
const char *run_state_name(enum run_state state);

enum { DB_PATH_MAX = 4096, DB_UUID_MAX = 37, DB_TIME_MAX = 32, DB_WORD_MAX = 128 };

/* db_default_path - MEMCGLAB_DB, else memcglab/runs.db in $XDG_DATA_HOME or ~/.local/share. */
enum err db_default_path(char out[DB_PATH_MAX], struct diag *diag);

/**
 * db_open - open or create the store at @path
 * Returns: ERR_DB for a file that is no database, that is not ours, that a
 * newer version wrote (both versions are named), or that cannot be opened.
 * A read-only file opens in DB_READ mode; DB_WRITE on it is ERR_DB.
 */
enum err db_open(const char *path, enum db_mode mode, struct db **out, struct diag *diag);
void db_close(struct db *db); /* NULL is fine */
const char *db_path(const struct db *db);
const char *db_backup(const struct db *db); /* where it was kept as it was, if db_open changed it */

/* A run's row.  Its strings live for the callback of db_runs, or until db_run_free. */
struct db_run {
	int64_t id;
	char uuid[DB_UUID_MAX];
	char scenario[SCENARIO_NAME_MAX];
	char kernel[ERA_NAME_MAX], alias[ERA_NAME_MAX];
	uint64_t seed;
	enum run_state state;
	char created[DB_TIME_MAX]; /* UTC, ISO 8601 */
	uint64_t wall_ns, steps;
	char version[DB_WORD_MAX], host[DB_WORD_MAX], tag[DB_WORD_MAX];
	char *note, *error; /* NULL if none */
	char *file;         /* scenario's path as given */
	char *text;         /* scenario's whole text */
	char *params;       /* JSON object, name -> value, in declared order */
	char *machine;      /* JSON object: the struct scenario, for people */
	int64_t pair;       /* id of the first run of the same command; own id if first */
	bool baseline;      /* of its scenario; read, never written with the row */
	double figure; /* of a list that asked for a metric: its value; NAN: none */
};

/**
 * db_run_begin - insert a run in state running, in its own transaction
 * @run: scenario kernel alias seed version tag note file text params machine
 *       pair (0: itself) are read; id, uuid, created, host are filled in
 */
enum err db_run_begin(struct db *db, struct db_run *run, struct diag *diag);

/* How a run came to its end. */
struct db_end {
	enum run_state state;
	const char *error; /* NULL or the text of a failure */
	uint64_t wall_ns, steps;
	const void *oplog; /* NULL or the run's op log, kept as a blob */
	size_t oplog_bytes;
};

/**
 * db_run_end - store what recorders still hold, then how run @id ended
 * A run that has ended already keeps its state; an abandoned one may end.
 * If not all can be stored, the row becomes failed with the reason, if it can.
 */
enum err db_run_end(struct db *db, int64_t id, const struct db_end *end, struct diag *diag);

/* Who a recorder asks for the path of a memcg (css id -> path) that it has not seen before. */
struct db_paths {
	const char *(*path)(void *ctx, uint32_t memcg);
	void *ctx;
};

/**
 * db_recorder_new - a sink that stores shrink calls, events and samples of run @id
 * It hands batches to a writer thread with its own connection: one transaction
 * per 64k records or 250 ms.  finish waits until all is stored.
 */
enum err db_recorder_new(struct db *db, int64_t id, const struct db_paths *paths, struct sink **out,
			 struct diag *diag);
void db_recorder_free(struct sink *sink);

struct db_metric {
	char name[DB_WORD_MAX], unit[DB_WORD_MAX], better[8];
	bool missing;          /* no such value: 0/0, or nothing to measure */
	bool is_text, is_real; /* else an integer */
	int64_t integer;
	double real;
	char text[DB_WORD_MAX];
};
struct db_expect {
	char *text; /* owned by whoever made it */
	char label[DB_WORD_MAX];
	bool ok, has_value, has_wanted;
	double value, wanted;
};
enum err db_metrics_add(struct db *db, int64_t id, const struct db_metric *metric, size_t n,
			struct diag *diag);
enum err db_expects_add(struct db *db, int64_t id, const struct db_expect *expect, size_t n,
			struct diag *diag);

/* Reading.  Each callback may return an error, which ends the reading and is returned. */
enum err db_metrics(struct db *db, int64_t id, enum err (*row)(void *, const struct db_metric *),
		    void *ctx, struct diag *diag);
enum err db_expects(struct db *db, int64_t id, enum err (*row)(void *, const struct db_expect *),
		    void *ctx, struct diag *diag);
struct db_scan { /* one stored shrink call: a row of v_scan */
	uint64_t call;
	ns_t t_ns;
	char memcg[GROUP_PATH_MAX];
	const char *zone, *list;
	uint64_t size, priority, nr_to_scan, nr_taken, nr_scanned, nr_reclaimed, step;
};
enum err db_scans(struct db *db, int64_t id, enum err (*row)(void *ctx, const struct db_scan *s),
		  void *ctx, struct diag *diag);

/* db_runs - rows newest first, at most @limit; 0 = all. */
enum err db_runs(struct db *db, uint64_t limit, enum err (*row)(void *ctx, const struct db_run *r),
		 void *ctx, struct diag *diag);

/* db_run_find - "52", "latest", "latest:SCENARIO", "baseline:SCENARIO".  ERR_USAGE: none. */
enum err db_run_find(struct db *db, const char *ref, struct db_run *out, struct diag *diag);
enum err db_run_oplog(struct db *db, int64_t id, void **data, size_t *size, struct diag *diag);
void db_run_free(struct db_run *run); /* frees its strings, not @run */

struct db_info {
	uint64_t runs, running;
	bytes_t bytes;
	int schema;
};
enum err db_info(struct db *db, struct db_info *out, struct diag *diag);

#endif
