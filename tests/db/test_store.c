/*
 * Opening a store: what is created, what is refused and left untouched, what
 * a read-only place allows, and which runs are found to be abandoned.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "owner.h"
#include "query.h"
#include "stored.h"
#include "table.h"

enum { NOBODY = 65534, JUNK_BYTES = 4096 };

static void write_file(const char *path, const void *data, size_t size)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* A file's bytes, to see that they stay as they are. */
static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *data = malloc(1 << 20);

	assert_non_null(file);
	assert_non_null(data);
	*size = fread(data, 1, 1 << 20, file);
	fclose(file);
	return data;
}

static void refused(struct stored *st, const char *words)
{
	for (int mode = DB_READ; mode <= DB_WRITE; mode++) {
		struct db *db = (struct db *)st;

		assert_int_equal(db_open(st->path, (enum db_mode)mode, &db, &st->diag), ERR_DB);
		assert_null(db);
		assert_int_equal(st->diag.err, ERR_DB);
		if (!strstr(st->diag.text, words))
			fail_msg("\"%s\" lacks \"%s\"", st->diag.text, words);
		assert_non_null(strstr(st->diag.text, st->path));
	}
}

static void execute(struct stored *st, const char *sql)
{
	char text[STORED_TEXT_MAX];

	stored_sql(st, sql, text);
}

static void a_new_store_is_marked_as_ours(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	stored_open(&st);
	assert_int_equal(stored_number(&st, "PRAGMA application_id"), TABLE_APPLICATION_ID);
	assert_int_equal(stored_number(&st, "PRAGMA user_version"), TABLE_SCHEMA);
	assert_string_equal(stored_sql(&st, "PRAGMA journal_mode", text), "wal");
	assert_string_equal(stored_sql(&st, "PRAGMA integrity_check", text), "ok");
	assert_string_equal(stored_sql(&st,
				       "SELECT count(*) FROM pragma_table_list WHERE"
				       " schema = 'main' AND type = 'table' AND NOT strict"
				       " AND name NOT LIKE 'sqlite_%'",
				       text),
			    "0");
	assert_string_equal(db_path(st.db), st.path);
	stored_close(&st);
}

static void missing_folders_are_made_for_writing_only(void **state)
{
	struct stored st;
	char folder[160], path[192];
	struct db *db;

	(void)state;
	stored_new(&st);
	snprintf(folder, sizeof(folder), "%s/a", st.folder);
	snprintf(path, sizeof(path), "%s/b/runs.db", folder);
	assert_int_equal(db_open(path, DB_READ, &db, &st.diag), ERR_DB);
	assert_int_equal(access(folder, F_OK), -1);
	assert_int_equal(db_open(path, DB_WRITE, &db, &st.diag), ERR_OK);
	db_close(db);
	unlink(path);
	*strrchr(path, '/') = '\0';
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(folder), 0);
	stored_close(&st);
}

static void the_default_file_is_created_even_for_reading(void **state)
{
	struct db_info info;
	struct stored st;
	char *before = getenv("MEMCGLAB_DB");
	char kept[4096], path[DB_PATH_MAX];

	(void)state;
	snprintf(kept, sizeof(kept), "%s", before ? before : "");
	stored_new(&st);
	setenv("MEMCGLAB_DB", st.path, 1);
	assert_int_equal(db_default_path(path, &st.diag), ERR_OK);
	assert_string_equal(path, st.path);
	stored_reopen(&st, DB_READ);
	assert_int_equal(db_info(st.db, &info, &st.diag), ERR_OK);
	assert_int_equal(info.runs, 0);
	assert_int_equal(info.schema, TABLE_SCHEMA);
	assert_true(info.bytes > 0);
	stored_close(&st);

	unsetenv("MEMCGLAB_DB");
	setenv("XDG_DATA_HOME", "/data", 1);
	assert_int_equal(db_default_path(path, &st.diag), ERR_OK);
	assert_string_equal(path, "/data/memcglab/runs.db");
	setenv("XDG_DATA_HOME", "relative", 1);
	setenv("HOME", "/home/x", 1);
	assert_int_equal(db_default_path(path, &st.diag), ERR_OK);
	assert_string_equal(path, "/home/x/.local/share/memcglab/runs.db");
	if (before)
		setenv("MEMCGLAB_DB", kept, 1);
}

static void an_empty_file_is_taken_for_a_new_store(void **state)
{
	struct stored st;

	(void)state;
	for (int mode = DB_READ; mode <= DB_WRITE; mode++) {
		stored_new(&st);
		write_file(st.path, "", 0);
		stored_reopen(&st, (enum db_mode)mode);
		assert_int_equal(stored_number(&st, "PRAGMA user_version"), TABLE_SCHEMA);
		stored_close(&st);
	}
}

/* A kill between the first page and the schema leaves just that. */
static void a_database_without_tables_is_taken_for_a_new_store(void **state)
{
	struct stored st;
	sqlite3 *base;

	(void)state;
	stored_new(&st);
	assert_int_equal(sqlite3_open(st.path, &base), SQLITE_OK);
	assert_int_equal(sqlite3_exec(base, "PRAGMA journal_mode=WAL; VACUUM", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(base);
	assert_true(stored_number(&st, "PRAGMA page_count") > 0);
	stored_reopen(&st, DB_WRITE);
	assert_int_equal(stored_number(&st, "PRAGMA user_version"), TABLE_SCHEMA);
	stored_close(&st);
}

static void junk_is_no_database_and_stays_as_it_is(void **state)
{
	char junk[JUNK_BYTES];
	struct stored st;
	size_t size;
	char *after;

	(void)state;
	stored_new(&st);
	for (size_t i = 0; i < sizeof(junk); i++)
		junk[i] = (char)(i * 7919 >> 3);
	write_file(st.path, junk, sizeof(junk));
	refused(&st, "not a memcglab database");
	after = read_file(st.path, &size);
	assert_int_equal(size, sizeof(junk));
	assert_memory_equal(after, junk, size);
	free(after);
	write_file(st.path, "SQLite", 6);
	refused(&st, "not a memcglab database");
	stored_close(&st);

	stored_new(&st);
	assert_int_equal(mkdir(st.path, 0700), 0);
	refused(&st, "not a memcglab database");
	assert_int_equal(rmdir(st.path), 0);
	stored_close(&st);
}

static void a_damaged_database_is_an_error_and_no_crash(void **state)
{
	struct stored st;
	struct db *db;
	size_t size;
	char *data;

	(void)state;
	stored_open(&st);
	stored_reopen(&st, DB_WRITE);
	db_close(st.db);
	st.db = NULL;
	data = read_file(st.path, &size);
	assert_true(size > 300);
	memset(data + 100, 0xa5, size - 100);
	write_file(st.path, data, size);
	assert_int_equal(db_open(st.path, DB_READ, &db, &st.diag), ERR_DB);
	assert_int_equal(db_open(st.path, DB_WRITE, &db, &st.diag), ERR_DB);
	write_file(st.path, data, 150);
	assert_int_equal(db_open(st.path, DB_WRITE, &db, &st.diag), ERR_DB);
	free(data);
	stored_close(&st);
}

static void another_programs_database_is_refused(void **state)
{
	struct stored st;
	sqlite3 *base;

	(void)state;
	stored_new(&st);
	assert_int_equal(sqlite3_open(st.path, &base), SQLITE_OK);
	assert_int_equal(sqlite3_exec(base, "CREATE TABLE a (b)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(base);
	refused(&st, "not a memcglab database");
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM sqlite_schema"), 1);
	execute(&st, "PRAGMA application_id=252006673");
	refused(&st, "not a memcglab database");
	stored_close(&st);
}

static void a_newer_database_is_refused_and_left_untouched(void **state)
{
	struct stored st;
	size_t size, again;
	char *before, *after;

	(void)state;
	stored_open(&st);
	db_close(st.db);
	st.db = NULL;
	execute(&st, "PRAGMA user_version=9999");
	before = read_file(st.path, &size);
	refused(&st, "version 9999");
	refused(&st, "version 4");
	after = read_file(st.path, &again);
	assert_int_equal(size, again);
	assert_memory_equal(before, after, size);
	free(before);
	free(after);
	stored_close(&st);
}

/* A newer program may have written the version into the log only. */
static void a_newer_version_in_the_log_is_seen_as_well(void **state)
{
	struct stored st;
	sqlite3 *base;

	(void)state;
	stored_open(&st);
	assert_int_equal(sqlite3_open(st.path, &base), SQLITE_OK);
	assert_int_equal(sqlite3_exec(base, "PRAGMA user_version=99", NULL, NULL, NULL), SQLITE_OK);
	refused(&st, "version 99");
	sqlite3_close(base);
	stored_close(&st);
}

/* Lets everybody pass through the folder that all tests share. */
static void open_the_way(const struct stored *st)
{
	char above[64];
	struct stat stat_of;

	snprintf(above, sizeof(above), "%s", st->folder);
	*strrchr(above, '/') = '\0';
	if (stat(above, &stat_of) == 0 && !(stat_of.st_mode & S_IXOTH))
		chmod(above, (stat_of.st_mode & 0777) | S_IXGRP | S_IXOTH);
}

/* Runs @test in a child without the rights of root; it must exit with 0. */
static void as_nobody(void (*test)(struct stored *st), struct stored *st)
{
	int status;
	pid_t child;

	open_the_way(st);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		if (geteuid() == 0 && setuid(NOBODY) != 0)
			_exit(3);
		test(st);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static enum err count_run(void *ctx, const struct db_run *run)
{
	*(int *)ctx += run->state == RUN_DONE;
	return ERR_OK;
}

static enum err count_row(void *ctx, int n, const char *const *values, const int *types)
{
	(void)n;
	(void)values;
	(void)types;
	++*(int *)ctx;
	return ERR_OK;
}

static void read_what_cannot_be_written(struct stored *st)
{
	struct db_query_sink sink = { 0 };
	struct db_run run = { .version = "0.1" };
	int runs = 0, rows = 0;
	struct db *db;

	sink.ctx = &rows;
	sink.row = count_row;
	if (db_open(st->path, DB_WRITE, &db, &st->diag) != ERR_DB)
		_exit(4);
	if (db_open(st->path, DB_READ, &db, &st->diag))
		_exit(5);
	if (db_runs(db, 0, count_run, &runs, &st->diag) || runs != 1)
		_exit(6);
	if (db_query(db, "SELECT * FROM v_runs", &sink, &st->diag) || rows != 1)
		_exit(7);
	if (db_run_begin(db, &run, &st->diag) != ERR_DB)
		_exit(8);
	db_close(db);
}

static int count_files(const char *folder)
{
	char command[160];
	int nr = -1;
	FILE *pipe;

	snprintf(command, sizeof(command), "ls -A %s | wc -l", folder);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_int_equal(fscanf(pipe, "%d", &nr), 1);
	pclose(pipe);
	return nr;
}

static void a_read_only_store_is_read_and_nothing_is_left_beside_it(void **state)
{
	struct stored st;
	size_t size, again;
	char *before, *after;

	(void)state;
	stored_open(&st);
	stored_end(&st, stored_begin(&st, "x"), RUN_DONE);
	db_close(st.db);
	st.db = NULL;
	before = read_file(st.path, &size);
	for (int i = 0; i < 3; i++) {
		/* The file alone, the folder alone, both. */
		chmod(st.path, i == 1 ? 0666 : 0444);
		chmod(st.folder, i == 0 ? 0777 : 0555);
		as_nobody(read_what_cannot_be_written, &st);
		assert_int_equal(count_files(st.folder), 1);
	}
	after = read_file(st.path, &again);
	assert_int_equal(size, again);
	assert_memory_equal(before, after, size);
	free(before);
	free(after);
	chmod(st.folder, 0777);
	stored_close(&st);
}

static void a_read_only_store_with_a_live_writer_shows_its_newest_rows(void **state)
{
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_end(&st, stored_begin(&st, "x"), RUN_DONE);
	chmod(st.path, 0444);
	chmod(st.folder, 0777);
	as_nobody(read_what_cannot_be_written, &st);
	chmod(st.path, 0644);
	stored_close(&st);
}

static void a_run_whose_process_was_killed_is_abandoned(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;
	int64_t done;
	int ready[2];
	pid_t child;
	char byte;

	(void)state;
	stored_open(&st);
	done = stored_begin(&st, "first");
	stored_end(&st, done, RUN_DONE);
	db_close(st.db);
	st.db = NULL;
	assert_int_equal(pipe(ready), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		stored_reopen(&st, DB_WRITE);
		stored_begin(&st, "second");
		if (write(ready[1], "x", 1) == 1)
			pause();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);

	/* While it lives it is running. */
	stored_reopen(&st, DB_READ);
	assert_string_equal(stored_sql(&st, "SELECT scenario, state FROM v_runs", text),
			    "first|done\nsecond|running");
	kill(child, SIGKILL);
	/* Dead but not yet waited for is dead enough. */
	while (stored_reopen(&st, DB_READ),
	       stored_number(&st, "SELECT count(*) FROM run WHERE state = 'running'"))
		;
	waitpid(child, NULL, 0);
	stored_reopen(&st, DB_READ);
	assert_string_equal(stored_sql(&st, "SELECT scenario, state FROM v_runs", text),
			    "first|done\nsecond|abandoned");
	assert_string_equal(stored_sql(&st, "PRAGMA integrity_check", text), "ok");
	close(ready[0]);
	close(ready[1]);
	stored_close(&st);
}

static void the_same_process_number_is_not_the_same_process(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	stored_open(&st);
	for (int i = 0; i < 3; i++)
		stored_begin(&st, "x");
	execute(&st, "UPDATE run SET started = started - 1 WHERE id = 1");
	execute(&st, "UPDATE run SET boot = 'another' WHERE id = 2");
	stored_reopen(&st, DB_WRITE);
	assert_string_equal(stored_sql(&st, "SELECT state FROM run", text),
			    "abandoned\nabandoned\nrunning");
	stored_close(&st);
}

static void a_process_knows_itself_alive(void **state)
{
	struct owner self, other;

	(void)state;
	owner_self(&self);
	assert_int_equal(self.pid, getpid());
	assert_true(owner_alive(&self, &self));
	other = self;
	other.pid = 0;
	assert_false(owner_alive(&other, &self));
	other.pid = INT32_MAX;
	assert_false(owner_alive(&other, &self));
}

static void odd_paths_are_files_like_any_other(void **state)
{
	const char *const names[] = { ":memory:", "file:x?mode=memory", "a b%20?#.db", "-x" };
	char home[4096];
	struct stored st;
	struct db *db;

	(void)state;
	stored_new(&st);
	assert_non_null(getcwd(home, sizeof(home)));
	assert_int_equal(chdir(st.folder), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(db_open(names[i], DB_WRITE, &db, &st.diag), ERR_OK);
		db_close(db);
		assert_int_equal(access(names[i], F_OK), 0);
	}
	assert_int_equal(db_open("", DB_WRITE, &db, &st.diag), ERR_DB);
	assert_int_equal(chdir(home), 0);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_store_is_marked_as_ours),
		cmocka_unit_test(missing_folders_are_made_for_writing_only),
		cmocka_unit_test(the_default_file_is_created_even_for_reading),
		cmocka_unit_test(an_empty_file_is_taken_for_a_new_store),
		cmocka_unit_test(a_database_without_tables_is_taken_for_a_new_store),
		cmocka_unit_test(junk_is_no_database_and_stays_as_it_is),
		cmocka_unit_test(a_damaged_database_is_an_error_and_no_crash),
		cmocka_unit_test(another_programs_database_is_refused),
		cmocka_unit_test(a_newer_database_is_refused_and_left_untouched),
		cmocka_unit_test(a_newer_version_in_the_log_is_seen_as_well),
		cmocka_unit_test(a_read_only_store_is_read_and_nothing_is_left_beside_it),
		cmocka_unit_test(a_read_only_store_with_a_live_writer_shows_its_newest_rows),
		cmocka_unit_test(a_run_whose_process_was_killed_is_abandoned),
		cmocka_unit_test(the_same_process_number_is_not_the_same_process),
		cmocka_unit_test(a_process_knows_itself_alive),
		cmocka_unit_test(odd_paths_are_files_like_any_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
