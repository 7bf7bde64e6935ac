/*
 * Recording: whatever a sink is told can be read back through the views, with
 * a plain SQLite connection, one row for each fact.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rig.h"
#include "stored.h"
#include "table.h"

enum { MANY = 100000 };

static void nap(long us)
{
	const struct timespec t = { .tv_nsec = us * 1000 };

	nanosleep(&t, NULL);
}

static void finish(struct stored *st, struct sink *sink)
{
	if (sink->finish(sink, &st->diag))
		fail_msg("%s", st->diag.text);
}

static void one_event_of_each_kind_is_read_back(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;
	struct sink *sink;
	int64_t id;

	(void)state;
	stored_open(&st);
	id = stored_begin(&st, "x");
	sink = stored_recorder(&st, id);
	for (int kind = 0; kind < NR_EVENT_KINDS; kind++) {
		struct event event = {
			.t_ns = 100,
			.seq = (uint64_t)kind + 1,
			.step = 5,
			.kind = (enum event_kind)kind,
			.cpu = (uint32_t)kind,
			.memcg = (uint32_t)kind % 4,
			.rule = (enum rule)kind,
			.n = { kind, 2, 3, 4, 5, 6, -7, INT64_MAX },
		};
		if (sink->mask >> kind & 1)
			stored_feed(&st, sink, &event);
	}
	finish(&st, sink);
	for (int kind = 0; kind < NR_EVENT_KINDS; kind++) {
		const char *const paths[] = { "-", "/", "jobs", "jobs/cat" };
		char sql[128], wanted[256];

		snprintf(sql, sizeof(sql), "SELECT * FROM v_events WHERE seq = %d", kind + 1);
		snprintf(wanted, sizeof(wanted), "%d|%d|100|%s|%d|%s|%s|%d|2|3|4|5|6|-7|%lld",
			 (int)id, kind + 1, event_at((enum event_kind)kind)->name, kind,
			 paths[kind % 4], rule_at((enum rule)kind)->name, kind,
			 (long long)INT64_MAX);
		assert_string_equal(stored_sql(&st, sql, text),
				    event_at((enum event_kind)kind)->stored ? wanted : "");
	}
	db_recorder_free(sink);
	stored_close(&st);
}

static void the_mask_asks_for_the_kinds_that_are_stored(void **state)
{
	struct stored st;
	struct sink *sink;

	(void)state;
	stored_open(&st);
	sink = stored_recorder(&st, stored_begin(&st, "x"));
	for (int kind = 0; kind < NR_EVENT_KINDS; kind++)
		assert_int_equal(sink->mask >> kind & 1, event_at((enum event_kind)kind)->stored);
	db_recorder_free(sink);
	stored_close(&st);
}

static sqlite3_stmt *select_run(sqlite3 *base, const char *sql, int64_t id)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(base, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(base));
	sqlite3_bind_int64(stmt, 1, id);
	return stmt;
}

static void same_numbers(sqlite3_stmt *stmt, const int64_t *wanted, int nr)
{
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	for (int i = 0; i < nr; i++)
		assert_int_equal(sqlite3_column_int64(stmt, i), wanted[i]);
}

/* Compares v_scan and v_events, row by row, with what stored_shrink() makes. */
static void same_calls(const struct stored *st, int64_t id, uint64_t nr)
{
	sqlite3_stmt *scan, *events;
	sqlite3 *base;

	assert_int_equal(sqlite3_open(st->path, &base), SQLITE_OK);
	scan = select_run(base,
			  "SELECT call, t_ns, size, nr_to_scan, nr_reclaimed, memcg, list"
			  " FROM v_scan WHERE run = ? ORDER BY call",
			  id);
	events = select_run(base,
			    "SELECT seq, t_ns, b, d, g, h, memcg, kind, rule"
			    " FROM v_events WHERE run = ? ORDER BY seq",
			    id);
	for (uint64_t i = 1; i <= nr; i++) {
		const struct event event = stored_shrink(i);
		const int64_t t = (int64_t)event.t_ns, seq = (int64_t)event.seq;
		const int64_t *n = event.n;

		same_numbers(scan, (int64_t[]){ n[7], t, n[1], n[3], n[6] }, 5);
		assert_string_equal(sqlite3_column_text(scan, 5), "jobs/cat");
		assert_string_equal(sqlite3_column_text(scan, 6), "inactive_file");
		same_numbers(events, (int64_t[]){ seq, t, n[1], n[3], n[6], n[7] }, 6);
		assert_string_equal(sqlite3_column_text(events, 6), "jobs/cat");
		assert_string_equal(sqlite3_column_text(events, 7), "shrink");
		assert_string_equal(sqlite3_column_text(events, 8), "scan_direct");
	}
	assert_int_equal(sqlite3_step(scan), SQLITE_DONE);
	assert_int_equal(sqlite3_step(events), SQLITE_DONE);
	sqlite3_finalize(scan);
	sqlite3_finalize(events);
	sqlite3_close(base);
}

static void a_steady_reader_takes_few_rows_and_reads_back_whole(void **state)
{
	struct stored st;
	struct sink *sink;
	int64_t id;

	(void)state;
	stored_open(&st);
	id = stored_begin(&st, "x");
	sink = stored_recorder(&st, id);
	for (uint64_t i = 1; i <= MANY; i++) {
		struct event event = stored_shrink(i);

		stored_feed(&st, sink, &event);
	}
	stored_end(&st, id, RUN_DONE); /* stores what the recorder still holds */
	assert_true(stored_number(&st, "SELECT count(*) FROM event") < MANY / 100);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_scan"), MANY);
	db_recorder_free(sink);
	sink = stored_recorder(&st, stored_begin(&st, "y"));
	for (uint64_t i = 1; i <= 1000; i++) {
		struct event event = stored_shrink(i);

		stored_feed(&st, sink, &event);
	}
	db_recorder_free(sink);
	same_calls(&st, id, MANY);
	same_calls(&st, id + 1, 1000);
	stored_close(&st);
}

static void an_unsteady_reader_reads_back_whole_as_well(void **state)
{
	struct stored st;
	struct sink *sink;
	uint64_t sum = 0, random = 88172645463325252u;
	int64_t id;

	(void)state;
	stored_open(&st);
	id = stored_begin(&st, "x");
	sink = stored_recorder(&st, id);
	for (uint64_t i = 1; i <= MANY; i++) {
		struct event event = stored_shrink(i);

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		event.n[SHRINK_SIZE] = (int64_t)(random % 1000000);
		sum += i % 97 * (random % 1000000);
		stored_feed(&st, sink, &event);
	}
	finish(&st, sink);
	db_recorder_free(sink);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_scan"), MANY);
	assert_int_equal(stored_number(&st, "SELECT sum(call % 97 * size) FROM v_scan"), sum);
	assert_int_equal(stored_number(&st, "SELECT sum(seq % 97 * b) FROM v_events"), sum);
	stored_close(&st);
}

static void marks_keep_their_words(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;
	struct sink *sink;
	char words[32];

	(void)state;
	stored_open(&st);
	sink = stored_recorder(&st, stored_begin(&st, "x"));
	for (uint64_t i = 1; i <= 6; i++) {
		struct event event = { .t_ns = i, .seq = i, .step = i, .kind = EVENT_MARK };

		snprintf(words, sizeof(words), "mark %d", (int)i);
		event.n[MARK_VALUE] = (int64_t)i * 10;
		event.text = words;
		stored_feed(&st, sink, &event);
	}
	memset(words, 'x', sizeof(words));
	db_recorder_free(sink);
	assert_string_equal(stored_sql(&st,
				       "SELECT seq, t_ns, step, text, value FROM v_marks"
				       " WHERE run = 1",
				       text),
			    "1|1|1|mark 1|10\n2|2|2|mark 2|20\n3|3|3|mark 3|30\n4|4|4|mark 4|40\n"
			    "5|5|5|mark 5|50\n6|6|6|mark 6|60");
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_events WHERE kind = 'mark'"),
			 6);
	stored_close(&st);
}

static void samples_become_series_under_the_names_of_the_engine(void **state)
{
	struct sample sample = { .t_ns = 77, .step = 3, .memcg = 1 };
	char text[STORED_TEXT_MAX], wanted[STORED_TEXT_MAX];
	struct stored st;
	struct sink *sink;
	size_t used = 0;

	(void)state;
	stored_open(&st);
	sink = stored_recorder(&st, stored_begin(&st, "x"));
	for (size_t i = 0; i < sample_desc_count(); i++) {
		uint64_t value = 1000 + i;

		memcpy((char *)&sample + sample_desc_at(i)->offset, &value, sizeof(value));
		used += (size_t)snprintf(wanted + used, sizeof(wanted) - used, "%s1|77|/|%s|%d",
					 i ? "\n" : "", sample_desc_at(i)->name, (int)value);
	}
	assert_int_equal(sink->sample(sink, &sample, &st.diag), ERR_OK);
	sample.memcg = 3;
	sample.usage = PAGES_UNLIMITED;
	assert_int_equal(sink->sample(sink, &sample, &st.diag), ERR_OK);
	finish(&st, sink);
	assert_string_equal(stored_sql(&st, "SELECT * FROM v_series WHERE memcg = '/'", text),
			    wanted);
	assert_int_equal(stored_number(&st, "SELECT value FROM v_series WHERE memcg = 'jobs/cat'"
					    " AND name = 'usage'"),
			 PAGES_UNLIMITED);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_series"),
			 2 * sample_desc_count());
	db_recorder_free(sink);
	stored_close(&st);
}

static void two_recorders_at_once_do_not_mix(void **state)
{
	struct stored st;
	struct sink *a, *b;
	int64_t id;

	(void)state;
	stored_open(&st);
	id = stored_begin(&st, "a");
	a = stored_recorder(&st, id);
	b = stored_recorder(&st, stored_begin(&st, "b"));
	for (uint64_t i = 1; i <= 3000; i++) {
		struct event event = stored_shrink(i);

		stored_feed(&st, a, &event);
		event.memcg = 2;
		stored_feed(&st, b, &event);
	}
	stored_end(&st, id, RUN_DONE);
	stored_end(&st, id + 1, RUN_DONE);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_scan WHERE run = 1"
					    " AND memcg = 'jobs/cat'"),
			 3000);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_scan WHERE run = 2"
					    " AND memcg = 'jobs'"),
			 3000);
	db_recorder_free(a);
	db_recorder_free(b);
	stored_close(&st);
}

static void keys_of_a_run_lie_together(void **state)
{
	struct stored st;
	struct sink *sink;
	struct event event = stored_shrink(5);

	(void)state;
	assert_int_equal(table_key(1, 0), (int64_t)1 << 36);
	assert_true(table_key(3, ((uint64_t)1 << 36) - 1) < table_key(4, 0));
	stored_open(&st);
	stored_begin(&st, "x");
	sink = stored_recorder(&st, stored_begin(&st, "y"));
	event.seq = ((uint64_t)1 << 36) - 1;
	stored_feed(&st, sink, &event);
	db_recorder_free(sink);
	assert_int_equal(stored_number(&st, "SELECT key FROM event"), ((int64_t)3 << 36) - 1);
	assert_int_equal(stored_number(&st, "SELECT seq FROM v_events WHERE run = 2"), event.seq);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_events WHERE run = 1"), 0);
	stored_close(&st);
}

/* The rows are what the program at work believed them to be, kill or no kill. */
static void a_kill_leaves_a_prefix_of_what_was_recorded(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;
	pid_t child;

	(void)state;
	stored_open(&st);
	db_close(st.db);
	st.db = NULL;
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct sink *sink;

		stored_reopen(&st, DB_WRITE);
		sink = stored_recorder(&st, stored_begin(&st, "x"));
		for (uint64_t i = 1;; i++) {
			struct event event = stored_shrink(i);

			event.n[SHRINK_SIZE] = (int64_t)(i * i % 1009); /* no repeats */
			stored_feed(&st, sink, &event);
			if (i % 1000 == 0)
				nap(1000);
		}
	}
	/* Wait for the first rows to arrive, then kill between any two instructions. */
	while (!stored_number(&st, "SELECT count(*) FROM run") ||
	       !stored_number(&st, "SELECT count(*) FROM event"))
		nap(10000);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	stored_reopen(&st, DB_READ);
	assert_string_equal(stored_sql(&st, "PRAGMA integrity_check", text), "ok");
	assert_string_equal(stored_sql(&st, "SELECT state FROM v_runs", text), "abandoned");
	assert_string_equal(stored_sql(&st,
				       "SELECT count(*) > 0, max(call) = count(*), min(call),"
				       " sum(size <> call * call % 1009) FROM v_scan",
				       text),
			    "1|1|1|0");
	stored_close(&st);
}

/* A store that fails under the recorder ends the run instead of losing rows silently. */
static void a_failing_store_is_reported(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;
	struct sink *sink;
	struct event event = stored_shrink(1);
	const struct db_end end = { .state = RUN_DONE };

	(void)state;
	stored_open(&st);
	sink = stored_recorder(&st, stored_begin(&st, "x"));
	stored_sql(&st,
		   "CREATE TRIGGER t BEFORE INSERT ON event BEGIN"
		   " SELECT raise(ABORT, 'the disk is on fire'); END",
		   text);
	stored_feed(&st, sink, &event);
	assert_int_equal(sink->finish(sink, &st.diag), ERR_DB);
	assert_non_null(strstr(st.diag.text, "on fire"));
	assert_int_equal(sink->event(sink, &event, &st.diag), ERR_DB);
	assert_int_equal(db_run_end(st.db, 1, &end, &st.diag), ERR_DB);
	assert_string_equal(stored_sql(&st, "SELECT state FROM v_runs", text), "failed");
	stored_sql(&st, "SELECT error FROM run", text);
	assert_non_null(strstr(text, "on fire"));
	db_recorder_free(sink);
	stored_close(&st);
}

/* A sink's own path function for a run of the engine. */
static const char *path_in_run(void *ctx, uint32_t memcg)
{
	static struct run_memcg group;

	return run_memcg(ctx, memcg, &group) ? group.path : NULL;
}

/* What the second sink of a run kept and what the store holds are the same facts. */
static void same_events(const struct stored *st, const struct rig *rig)
{
	sqlite3_stmt *stmt;
	sqlite3 *base;
	size_t compared = 0;

	assert_int_equal(sqlite3_open(st->path, &base), SQLITE_OK);
	stmt = select_run(base,
			  "SELECT seq, t_ns, cpu, a, b, c, d, e, f, g, h, kind, rule"
			  " FROM v_events WHERE run = ? ORDER BY seq",
			  1);
	for (size_t i = 0; i < rig->nr_events; i++) {
		const struct event *event = &rig->events[i];
		int64_t wanted[3 + EVENT_NUMBERS] = { (int64_t)event->seq, (int64_t)event->t_ns,
						      event->cpu };

		if (!event_at(event->kind)->stored)
			continue;
		memcpy(wanted + 3, event->n, sizeof(event->n));
		same_numbers(stmt, wanted, 3 + EVENT_NUMBERS);
		assert_string_equal(sqlite3_column_text(stmt, 11), event_at(event->kind)->name);
		assert_string_equal(sqlite3_column_text(stmt, 12), rule_at(event->rule)->name);
		compared++;
	}
	assert_true(compared > 400);
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	sqlite3_finalize(stmt);
	sqlite3_close(base);
}

static void a_run_of_the_engine_reads_back_equal(void **state)
{
	struct stored st;
	struct sink *sink;
	struct rig rig;
	struct db_paths paths;
	uint32_t group, task;

	(void)state;
	stored_open(&st);
	rig_open(&rig, "batched", 2);
	paths = (struct db_paths){ path_in_run, rig.run };
	stored_begin(&st, "x");
	assert_int_equal(db_recorder_new(st.db, 1, &paths, &sink, &st.diag), ERR_OK);
	assert_int_equal(run_add_sink(rig.run, sink, &st.diag), ERR_OK);
	group = rig_group(&rig, RIG_ROOT, "cat", 4096);
	task = rig_task(&rig, group, 1);
	rig_read(&rig, task, rig_file(&rig, 20000), 0, 20000);
	rig_touch(&rig, task, rig_map(&rig, task, 64), 0, 64);
	rig_limit(&rig, group, 2048);
	assert_int_equal(run_finish(rig.run, &st.diag), ERR_OK);
	same_events(&st, &rig);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_scan WHERE memcg <> 'cat'"), 0);
	assert_int_equal(stored_number(&st, "SELECT sum(nr_to_scan) FROM v_scan"),
			 rig_memcg(&rig, group).nr_to_scan);
	assert_true(stored_number(&st, "SELECT count(*) FROM v_series WHERE memcg = 'cat'") > 0);
	assert_true(stored_number(&st, "SELECT count(*) FROM event") <
		    stored_number(&st, "SELECT count(*) FROM v_events"));
	rig_close(&rig);
	db_recorder_free(sink);
	stored_close(&st);
}

static void a_reader_gets_no_recorder(void **state)
{
	struct stored st;
	struct sink *sink;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	stored_reopen(&st, DB_READ);
	assert_int_equal(db_recorder_new(st.db, 1, &(struct db_paths){ 0 }, &sink, &st.diag),
			 ERR_DB);
	assert_null(sink);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_event_of_each_kind_is_read_back),
		cmocka_unit_test(the_mask_asks_for_the_kinds_that_are_stored),
		cmocka_unit_test(a_steady_reader_takes_few_rows_and_reads_back_whole),
		cmocka_unit_test(an_unsteady_reader_reads_back_whole_as_well),
		cmocka_unit_test(marks_keep_their_words),
		cmocka_unit_test(samples_become_series_under_the_names_of_the_engine),
		cmocka_unit_test(two_recorders_at_once_do_not_mix),
		cmocka_unit_test(keys_of_a_run_lie_together),
		cmocka_unit_test(a_kill_leaves_a_prefix_of_what_was_recorded),
		cmocka_unit_test(a_failing_store_is_reported),
		cmocka_unit_test(a_run_of_the_engine_reads_back_equal),
		cmocka_unit_test(a_reader_gets_no_recorder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
