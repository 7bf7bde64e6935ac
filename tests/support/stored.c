/*
 * Temporary stores.  A failing test leaves its folder behind to be looked at;
 * the runner removes all of them with the test's own TMPDIR.
 */
#include "stored.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void stored_new(struct stored *st)
{
	const char *tmp = getenv("TMPDIR");

	memset(st, 0, sizeof(*st));
	snprintf(st->folder, sizeof(st->folder), "%.40s/store-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(st->folder));
	snprintf(st->path, sizeof(st->path), "%s/runs.db", st->folder);
}

void stored_open(struct stored *st)
{
	stored_new(st);
	stored_reopen(st, DB_WRITE);
}

void stored_reopen(struct stored *st, enum db_mode mode)
{
	db_close(st->db);
	if (db_open(st->path, mode, &st->db, &st->diag))
		fail_msg("%s", st->diag.text);
}

void stored_close(struct stored *st)
{
	DIR *folder;
	struct dirent *entry;
	char path[512];

	db_close(st->db);
	folder = opendir(st->folder);
	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		snprintf(path, sizeof(path), "%s/%s", st->folder, entry->d_name);
		unlink(path);
	}
	closedir(folder);
	rmdir(st->folder);
}

int64_t stored_begin(struct stored *st, const char *name)
{
	struct db_run run = {
		.kernel = "v2.6.31",
		.alias = "unbatched",
		.version = "0.1",
		.seed = 7,
		.file = "scenarios/x.lua",
		.text = "return scenario {}",
		.params = "{\"limit\": 104857600, \"shape\": \"even\"}",
		.machine = "{\"cpus\": 2}",
	};

	snprintf(run.scenario, sizeof(run.scenario), "%s", name);
	if (db_run_begin(st->db, &run, &st->diag))
		fail_msg("%s", st->diag.text);
	return run.id;
}

void stored_end(struct stored *st, int64_t id, enum run_state state)
{
	const struct db_end end = { .state = state, .wall_ns = 1000, .steps = 10 };

	if (db_run_end(st->db, id, &end, &st->diag))
		fail_msg("%s", st->diag.text);
}

static const char *path_of(void *ctx, uint32_t memcg)
{
	static const char *const paths[] = { "?", "", "jobs", "jobs/cat" };

	(void)ctx;
	return memcg < sizeof(paths) / sizeof(paths[0]) ? paths[memcg] : "many";
}

struct sink *stored_recorder(struct stored *st, int64_t id)
{
	const struct db_paths paths = { .path = path_of };
	struct sink *sink;

	if (db_recorder_new(st->db, id, &paths, &sink, &st->diag))
		fail_msg("%s", st->diag.text);
	return sink;
}

void stored_feed(struct stored *st, struct sink *sink, const struct event *event)
{
	if (sink->event(sink, event, &st->diag))
		fail_msg("%s", st->diag.text);
}

struct event stored_shrink(uint64_t nr)
{
	return (struct event){
		.t_ns = 3000 * nr + 500,
		.seq = nr,
		.step = nr * 2,
		.kind = EVENT_SHRINK,
		.cpu = 1,
		.memcg = 3,
		.rule = RULE_SCAN_DIRECT,
		.n = { LRU_INACTIVE_FILE, 25535, 12, 6, 32, 32, 32, (int64_t)nr },
	};
}

const char *stored_sql(const struct stored *st, const char *sql, char out[STORED_TEXT_MAX])
{
	sqlite3_stmt *stmt;
	sqlite3 *base;
	size_t used = 0;
	int step;

	assert_int_equal(sqlite3_open_v2(st->path, &base, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	sqlite3_busy_timeout(base, 5000);
	if (sqlite3_prepare_v2(base, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(base));
	out[0] = '\0';
	while ((step = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(stmt); i++) {
			const char *text = (const char *)sqlite3_column_text(stmt, i);

			used += (size_t)snprintf(out + used, STORED_TEXT_MAX - used, "%s%s",
						 i ? "|" : (used ? "\n" : ""), text ? text : "-");
			assert_true(used < STORED_TEXT_MAX);
		}
	}
	if (step != SQLITE_DONE)
		fail_msg("%s: %s", sql, sqlite3_errmsg(base));
	sqlite3_finalize(stmt);
	sqlite3_close(base);
	return out;
}

int64_t stored_number(const struct stored *st, const char *sql)
{
	char text[STORED_TEXT_MAX];

	return strtoll(stored_sql(st, sql, text), NULL, 10);
}
