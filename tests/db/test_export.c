/*
 * Exports: the scan log and the boot line to the letter, JSON and CSV as
 * other programs read them, and outputs that break.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "export.h"
#include "stored.h"

enum { OUTPUT_MAX = 1 << 16 };

/* A run with four events, a metric of each type and two expectations. */
static void fill(struct stored *st)
{
	char first[] = "over, \"scan\"", second[] = "never";
	const struct db_metric metric[] = {
		{ .name = "nr_scanned", .unit = "pages", .integer = 64 },
		{ .name = "over_scan",
		  .unit = "x",
		  .better = "lower",
		  .is_real = true,
		  .real = 32.0 / 6 },
		{ .name = "state_hash", .is_text = true, .text = "00ff" },
	};
	const struct db_expect expect[] = {
		{ .text = first,
		  .label = "predicted",
		  .ok = true,
		  .has_value = true,
		  .has_wanted = true,
		  .value = 0.1,
		  .wanted = 0.5 },
		{ .text = second },
	};
	const struct sample sample = { .t_ns = 9, .memcg = 1, .usage = 25600 };
	struct event event = stored_shrink(1);
	struct sink *sink;

	stored_open(st);
	sink = stored_recorder(st, stored_begin(st, "cat-in-100m"));
	event.t_ns = 3682646999;
	stored_feed(st, sink, &event);
	event = stored_shrink(2);
	event.t_ns = 123456000000789;
	event.n[SHRINK_LIST] = LRU_INACTIVE_ANON;
	event.n[SHRINK_SIZE] = 0;
	stored_feed(st, sink, &event);
	event = stored_shrink(3);
	event.n[SHRINK_LIST] = LRU_ACTIVE_FILE; /* no such call exists: it is left out */
	stored_feed(st, sink, &event);
	event = (struct event){ .seq = 4, .kind = EVENT_MARK, .text = "end, \"of\"\nfile" };
	stored_feed(st, sink, &event);
	assert_int_equal(sink->sample(sink, &sample, &st->diag), ERR_OK);
	assert_int_equal(db_metrics_add(st->db, 1, metric, 3, &st->diag), ERR_OK);
	assert_int_equal(db_expects_add(st->db, 1, expect, 2, &st->diag), ERR_OK);
	stored_end(st, 1, RUN_DONE);
	db_recorder_free(sink);
}

/* What @export writes, as a string of the caller. */
static char *output(struct stored *st,
		    enum err (*export)(struct db *, int64_t, FILE *, struct diag *))
{
	char *text = calloc(1, OUTPUT_MAX);
	FILE *file = tmpfile();

	assert_non_null(text);
	assert_non_null(file);
	if (export(st->db, 1, file, &st->diag))
		fail_msg("%s", st->diag.text);
	rewind(file);
	assert_true(fread(text, 1, OUTPUT_MAX, file) < OUTPUT_MAX);
	fclose(file);
	return text;
}

static void the_scan_log_is_as_the_kernel_would_print_it(void **state)
{
	struct stored st;
	char *text;

	(void)state;
	fill(&st);
	text = output(&st, export_scan_log);
	assert_string_equal(text, "[    3.682646] shrink inactive file count=25535 scan=6\n"
				  "[123456.000000] shrink inactive anon count=0 scan=6\n");
	free(text);
	stored_close(&st);
}

static void the_scan_log_equals_the_view_also_for_repeats(void **state)
{
	char line[128], wanted[128];
	struct stored st;
	struct sink *sink;
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	stored_open(&st);
	sink = stored_recorder(&st, stored_begin(&st, "x"));
	for (uint64_t i = 1; i <= 5000; i++) {
		struct event event = stored_shrink(i);

		/* Two calls in turn: their rows overlap and must be merged again. */
		event.n[SHRINK_SIZE] = i % 2 ? 25531 : 25507;
		stored_feed(&st, sink, &event);
	}
	db_recorder_free(sink);
	assert_int_equal(export_scan_log(st.db, 1, file, &st.diag), ERR_OK);
	rewind(file);
	for (uint64_t i = 1; i <= 5000; i++) {
		snprintf(wanted, sizeof(wanted),
			 "[%5d.%06d] shrink inactive file count=%d scan=6\n", 0, (int)(3 * i + 0),
			 i % 2 ? 25531 : 25507);
		assert_non_null(fgets(line, sizeof(line), file));
		assert_string_equal(line, wanted);
	}
	assert_null(fgets(line, sizeof(line), file));
	fclose(file);
	stored_close(&st);
}

static void the_boot_line_names_the_bytes(void **state)
{
	struct pcg_machine machine;
	struct diag diag;
	char line[128];
	int lines = 0;

	(void)state;
	memset(&machine, 0, sizeof(machine));
	machine.page_bytes = PAGE_BYTES;
	machine.sections = 30;
	for (size_t i = 0; i < pcg_layout_count(); i++) {
		const struct pcg_layout *layout = pcg_layout_at(i);
		char wanted[128];
		FILE *file = tmpfile();

		assert_non_null(file);
		if (!layout->array) {
			assert_int_equal(export_boot_line(file, layout, &machine, &diag),
					 ERR_USAGE);
			assert_non_null(strstr(diag.text, layout->name));
			fclose(file);
			continue;
		}
		assert_int_equal(export_boot_line(file, layout, &machine, &diag), ERR_OK);
		rewind(file);
		snprintf(wanted, sizeof(wanted),
			 "[    0.000000] allocated %llu bytes of "
			 "page_cgroup\n",
			 983040ULL * pcg_record_bytes(layout, machine.arch));
		assert_non_null(fgets(line, sizeof(line), file));
		assert_string_equal(line, wanted);
		lines++;
		fclose(file);
	}
	assert_int_equal(lines, 3);
}

static json_int_t integer(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static const char *string(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	assert_true(json_is_string(value));
	return json_string_value(value);
}

static void json_holds_everything(void **state)
{
	json_t *run, *part, *row;
	json_error_t error;
	struct stored st;
	char *text;

	(void)state;
	fill(&st);
	text = output(&st, export_json);
	run = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!run)
		fail_msg("%d:%d: %s in %s", error.line, error.column, error.text, text);
	assert_int_equal(integer(run, "id"), 1);
	assert_int_equal(integer(run, "seed"), 7);
	assert_string_equal(string(run, "state"), "done");
	assert_string_equal(string(run, "kernel"), "v2.6.31");
	assert_string_equal(string(run, "script"), "return scenario {}");
	assert_int_equal(integer(json_object_get(run, "params"), "limit"), 104857600);
	assert_int_equal(integer(json_object_get(run, "machine"), "cpus"), 2);
	part = json_object_get(run, "metrics");
	assert_int_equal(integer(part, "nr_scanned"), 64);
	assert_true(json_real_value(json_object_get(part, "over_scan")) == 32.0 / 6);
	assert_string_equal(string(part, "state_hash"), "00ff");
	assert_string_equal(string(json_object_get(run, "units"), "over_scan"), "x");
	row = json_array_get(json_object_get(run, "expect"), 0);
	assert_string_equal(string(row, "text"), "over, \"scan\"");
	assert_true(json_is_true(json_object_get(row, "ok")));
	assert_true(json_real_value(json_object_get(row, "value")) == 0.1);
	row = json_array_get(json_object_get(run, "expect"), 1);
	assert_true(json_is_false(json_object_get(row, "ok")));
	assert_true(json_is_null(json_object_get(row, "wanted")));
	part = json_object_get(run, "scan");
	assert_int_equal(json_array_size(part), 3);
	assert_int_equal(integer(json_array_get(part, 0), "size"), 25535);
	assert_string_equal(string(json_array_get(part, 0), "memcg"), "jobs/cat");
	part = json_object_get(run, "events");
	assert_int_equal(json_array_size(part), 4);
	assert_string_equal(string(json_array_get(part, 3), "kind"), "mark");
	assert_string_equal(string(json_array_get(json_object_get(run, "marks"), 0), "text"),
			    "end, \"of\"\nfile");
	assert_int_equal(json_array_size(json_object_get(run, "series")), sample_desc_count());
	part = json_object_get(json_object_get(run, "numbers"), "shrink");
	assert_string_equal(json_string_value(json_array_get(part, SHRINK_SIZE)), "size");
	json_decref(run);
	free(text);
	stored_close(&st);
}

static void json_of_a_run_with_nothing_is_complete_too(void **state)
{
	struct stored st;
	json_t *run;
	char *text;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "bad \xff name");
	text = output(&st, export_json);
	run = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(run);
	assert_string_equal(string(run, "scenario"), "bad ? name");
	assert_int_equal(json_array_size(json_object_get(run, "scan")), 0);
	assert_int_equal(json_object_size(json_object_get(run, "metrics")), 0);
	json_decref(run);
	free(text);
	stored_close(&st);
}

static void has_line(const char *text, const char *line)
{
	const char *at = strstr(text, line);

	if (!at || (at != text && at[-1] != '\n') || at[strlen(line)] != '\n')
		fail_msg("no line \"%s\" in:\n%s", line, text);
}

static void csv_has_a_block_for_each_table(void **state)
{
	struct stored st;
	char *text;

	(void)state;
	fill(&st);
	text = output(&st, export_csv);
	has_line(text, "table,run,name,value");
	has_line(text, "param,1,limit,104857600");
	has_line(text, "table,run,kernel,name,unit,better,value");
	has_line(text, "metric,1,v2.6.31,over_scan,x,lower,5.333333333333333");
	has_line(text, "expect,1,\"over, \"\"scan\"\"\",predicted,1,0.1,0.5");
	has_line(text, "expect,1,never,,0,,");
	has_line(text, "table,run,call,t_ns,memcg,zone,list,size,priority,nr_to_scan,nr_taken,"
		       "nr_scanned,nr_reclaimed");
	has_line(text, "scan,1,1,3682646999,jobs/cat,Normal,inactive_file,25535,12,6,32,32,32");
	has_line(text, "events,1,4,0,mark,0,,none,0,0,0,0,0,0,0,0");
	has_line(text, "marks,1,4,0,0,\"end, \"\"of\"\"\nfile\",0");
	has_line(text, "series,1,9,/,usage,25600");
	free(text);
	stored_close(&st);
}

static void a_broken_output_is_told_from_a_closed_pipe(void **state)
{
	enum err (*const exports[])(struct db *, int64_t, FILE *, struct diag *) = {
		export_scan_log,
		export_json,
		export_csv,
	};
	struct stored st;

	(void)state;
	fill(&st);
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < 3; i++) {
		int ends[2];
		FILE *file;

		assert_int_equal(pipe(ends), 0);
		close(ends[0]);
		file = fdopen(ends[1], "w");
		assert_non_null(file);
		assert_int_equal(exports[i](st.db, 1, file, &st.diag), ERR_PIPE);
		fclose(file);
		file = fopen("/dev/full", "w");
		assert_non_null(file);
		assert_int_equal(exports[i](st.db, 1, file, &st.diag), ERR_OUTPUT);
		assert_non_null(strstr(st.diag.text, strerror(ENOSPC)));
		fclose(file);
	}
	assert_int_equal(export_json(st.db, 99, stderr, &st.diag), ERR_USAGE);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_scan_log_is_as_the_kernel_would_print_it),
		cmocka_unit_test(the_scan_log_equals_the_view_also_for_repeats),
		cmocka_unit_test(the_boot_line_names_the_bytes),
		cmocka_unit_test(json_holds_everything),
		cmocka_unit_test(json_of_a_run_with_nothing_is_complete_too),
		cmocka_unit_test(csv_has_a_block_for_each_table),
		cmocka_unit_test(a_broken_output_is_told_from_a_closed_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
