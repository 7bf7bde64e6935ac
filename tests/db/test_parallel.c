/*
 * Many processes on one store: eight writers, each with runs, recorder and
 * figures, and a reader meanwhile.  Nobody is told that the database is
 * locked, and every run is complete at the end.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stored.h"

enum { WRITERS = 8, RUNS_EACH = 3, EVENTS_EACH = 20000 };

/* Ends the child with words that the parent's test output shows. */
static void die(const char *what, const struct diag *diag)
{
	fprintf(stderr, "%s: %s\n", what, diag->text);
	_exit(1);
}

static void write_run(struct stored *st, int writer)
{
	const struct db_metric metric = { .name = "writer", .integer = writer };
	const struct db_end end = { RUN_DONE, NULL, 1, 1, "x", 1 };
	struct db_run run = { .scenario = "many", .kernel = "k", .version = "0.1" };
	struct sink *sink;

	if (db_run_begin(st->db, &run, &st->diag))
		die("begin", &st->diag);
	sink = stored_recorder(st, run.id);
	for (uint64_t i = 1; i <= EVENTS_EACH; i++) {
		struct event event = stored_shrink(i);

		event.n[SHRINK_SIZE] = (int64_t)(i * i % 1009) + writer; /* no repeats */
		if (sink->event(sink, &event, &st->diag))
			die("event", &st->diag);
	}
	if (sink->finish(sink, &st->diag))
		die("finish", &st->diag);
	if (db_metrics_add(st->db, run.id, &metric, 1, &st->diag))
		die("metrics", &st->diag);
	if (db_run_end(st->db, run.id, &end, &st->diag))
		die("end", &st->diag);
	db_recorder_free(sink);
}

static void write_runs(struct stored *st, int writer)
{
	for (int i = 0; i < RUNS_EACH; i++) {
		if (db_open(st->path, DB_WRITE, &st->db, &st->diag))
			die("open", &st->diag);
		write_run(st, writer);
		db_close(st->db);
	}
	_exit(0);
}

static enum err ignore_run(void *ctx, const struct db_run *run)
{
	(void)ctx;
	(void)run;
	return ERR_OK;
}

/* Reads until all writers have ended.  Returns: how many ended well. */
static int read_meanwhile(struct stored *st)
{
	int left = WRITERS, well = 0, status;

	while (left) {
		const struct timespec pause = { .tv_nsec = 5000000 };
		struct db *db;

		if (db_open(st->path, DB_READ, &db, &st->diag) ||
		    db_runs(db, 0, ignore_run, NULL, &st->diag))
			fail_msg("%s", st->diag.text);
		db_close(db);
		while (left && waitpid(-1, &status, WNOHANG) > 0) {
			well += WIFEXITED(status) && WEXITSTATUS(status) == 0;
			left--;
		}
		nanosleep(&pause, NULL);
	}
	return well;
}

/* The writers begin with no file at all: they also race to create it. */
static void eight_writers_and_a_reader_do_not_lock_each_other_out(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	stored_new(&st);
	setenv("MEMCGLAB_DB", st.path, 1); /* so that the reader may come first, too */
	for (int i = 0; i < WRITERS; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (!child)
			write_runs(&st, i);
	}
	assert_int_equal(read_meanwhile(&st), WRITERS);
	stored_reopen(&st, DB_READ);
	assert_string_equal(stored_sql(&st, "PRAGMA integrity_check", text), "ok");
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM run WHERE state = 'done'"),
			 WRITERS * RUNS_EACH);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_metrics"), WRITERS * RUNS_EACH);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM (SELECT s.run FROM v_scan s"
					    " GROUP BY s.run HAVING count(*) = 20000"
					    " AND max(call) = 20000)"),
			 WRITERS * RUNS_EACH);
	stored_close(&st);
}

/* Another process that creates the store when it is told to, and says when it has. */
struct creator {
	pid_t pid;
	int go, done;
};

/* Whom the next connection wakes once it has read half of what says whose file this is. */
static struct creator *waiting;

static void creator_start(struct creator *creator, struct stored *st)
{
	int go[2], done[2];
	char byte;

	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(done), 0);
	*creator = (struct creator){ fork(), go[1], done[0] };
	assert_true(creator->pid >= 0);
	if (creator->pid)
		return;
	if (read(go[0], &byte, 1) != 1 || db_open(st->path, DB_WRITE, &st->db, &st->diag))
		die("open", &st->diag);
	db_close(st->db);
	_exit(write(done[1], "x", 1) != 1);
}

static int on_statement(unsigned what, void *ctx, void *stmt, void *sql)
{
	enum { ENOUGH_MS = 500 };
	struct creator *creator = waiting;

	(void)what;
	(void)ctx;
	(void)stmt;
	if (creator && strstr(sql, "user_version")) {
		struct pollfd ready = { creator->done, POLLIN, 0 };

		waiting = NULL;
		assert_int_equal(write(creator->go, "x", 1), 1);
		poll(&ready, 1, ENOUGH_MS);
	}
	return 0;
}

static int watch_connection(sqlite3 *sql, char **error, const void *api)
{
	(void)error;
	(void)api;
	return sqlite3_trace_v2(sql, SQLITE_TRACE_STMT, on_statement, NULL);
}

/* Between the looks at its two numbers it was nobody's file, and then it is ours: no stranger. */
static void a_store_that_somebody_creates_meanwhile_is_ours(void **state)
{
	struct creator creator;
	struct stored st;
	int status;

	(void)state;
	stored_new(&st);
	creator_start(&creator, &st);
	sqlite3_auto_extension((void (*)(void))watch_connection);
	waiting = &creator;
	if (db_open(st.path, DB_WRITE, &st.db, &st.diag))
		fail_msg("%s", st.diag.text);
	sqlite3_reset_auto_extension();
	assert_null(waiting);
	assert_int_equal(waitpid(creator.pid, &status, 0), creator.pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	stored_close(&st);
}

/* Takes the write lock, says so, and gives it back after a while. */
static void hold_lock(const struct stored *st, int said)
{
	const struct timespec while_held = { .tv_nsec = 700000000 };
	sqlite3 *base;

	if (sqlite3_open(st->path, &base) ||
	    sqlite3_exec(base, "BEGIN IMMEDIATE", NULL, NULL, NULL) || write(said, "x", 1) != 1)
		_exit(1);
	nanosleep(&while_held, NULL);
	_exit(sqlite3_exec(base, "COMMIT", NULL, NULL, NULL) || sqlite3_close(base));
}

static void a_busy_store_is_waited_for(void **state)
{
	struct stored st;
	int said[2], status;
	pid_t child;
	char byte;

	(void)state;
	stored_open(&st);
	db_close(st.db);
	assert_int_equal(pipe(said), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		hold_lock(&st, said[1]);
	assert_int_equal(read(said[0], &byte, 1), 1);
	assert_int_equal(db_open(st.path, DB_WRITE, &st.db, &st.diag), ERR_OK);
	assert_int_equal(waitpid(child, &status, WNOHANG), 0);
	write_run(&st, 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_scan"), EVENTS_EACH);
	close(said[0]);
	close(said[1]);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_writers_and_a_reader_do_not_lock_each_other_out),
		cmocka_unit_test(a_store_that_somebody_creates_meanwhile_is_ours),
		cmocka_unit_test(a_busy_store_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
