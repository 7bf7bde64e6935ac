/*
 * The shipped scenarios: each meets its own expectations on its kernels and
 * on any other that has what it needs, gives the same twenty times and when
 * its ops are played again, and says where it comes from.
 */
#include "scripted.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 64, TEXT_MAX = 1 << 16 };

struct shipped {
	char path[FILES_MAX][128];
	size_t nr;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void find_shipped(struct shipped *shipped)
{
	DIR *dir = opendir("scenarios");
	struct dirent *entry;

	assert_non_null(dir);
	shipped->nr = 0;
	while ((entry = readdir(dir)) != NULL) {
		const char *end = strrchr(entry->d_name, '.');

		if (!end || strcmp(end, ".lua") != 0)
			continue;
		assert_true(shipped->nr < FILES_MAX);
		snprintf(shipped->path[shipped->nr++], sizeof(shipped->path[0]), "scenarios/%.100s",
			 entry->d_name);
	}
	closedir(dir);
	qsort(shipped->path, shipped->nr, sizeof(shipped->path[0]), by_name);
}

static void load_file(struct scripted *s, const char *path)
{
	static char text[TEXT_MAX];
	struct script_file what = { .text = text, .name = path, .lib_dir = "scripts" };
	FILE *file = fopen(path, "rb");

	assert_non_null(file);
	what.size = fread(text, 1, sizeof(text), file);
	fclose(file);
	assert_true(what.size < sizeof(text));
	scripted_init(s);
	s->err = script_load(&what, &s->limits, NULL, &s->script, &s->diag);
	if (s->err)
		fail_msg("%s", s->diag.text);
}

static void expectations_hold(const struct scripted *s, const char *path, const char *kernel)
{
	struct script_expect e;

	assert_true(script_expect_count(s->script) > 0);
	for (size_t i = 0; i < script_expect_count(s->script); i++) {
		script_expect(s->script, i, &e);
		if (!e.ok)
			fail_msg("%s on %s: %s: %g, wanted %g (%s)", path, kernel, e.text, e.value,
				 e.wanted, e.where);
	}
}

/* One file on the kernels that it names, the first two of them compared. */
static void meets_on_its_kernels(const char *path)
{
	struct scripted first, s;
	size_t nr = 1;

	for (size_t k = 0; k < nr; k++) {
		load_file(&s, path);
		nr = script_kernel_count(s.script);
		assert_true(nr >= 1);
		if (!scripted_go(&s, script_kernel(s.script, k)))
			fail_msg("%s", s.diag.text);
		expectations_hold(&s, path, script_kernel(s.script, k));
		if (k == 1) {
			if (script_compare(first.script, s.script, &s.diag))
				fail_msg("%s", s.diag.text);
			expectations_hold(&s, path, "the pair");
		}
		if (k == 0)
			first = s;
		else
			scripted_close(&s);
	}
	scripted_close(&first);
}

static void each_meets_its_expectations_on_its_kernels_and_as_a_pair(void **state)
{
	struct shipped shipped;

	(void)state;
	find_shipped(&shipped);
	assert_true(shipped.nr >= 29);
	for (size_t i = 0; i < shipped.nr; i++)
		meets_on_its_kernels(shipped.path[i]);
}

static bool has_limits(const struct era *era)
{
	return era->runnable && strcmp(era_value_name(era, AXIS_MEMCG), "on") == 0;
}

/* Whether a scenario names this kernel itself, in which case it has been run there. */
static bool names(const struct scripted *s, const char *kernel)
{
	struct era era;

	for (size_t k = 0; k < script_kernel_count(s->script); k++)
		if (era_find(script_kernel(s->script, k), &era, NULL) == ERR_OK &&
		    strcmp(era.name, kernel) == 0)
			return true;
	return false;
}

/* Of another kernel: does it run there as expected, or is it refused for what that one lacks? */
static bool runs_on(struct scripted *s, const char *path, const char *kernel)
{
	load_file(s, path);
	if (names(s, kernel))
		return true;
	if (scripted_go(s, kernel)) {
		expectations_hold(s, path, kernel);
		return true;
	}
	scripted_says(s, ERR_SCENARIO, path);
	if (!strstr(s->diag.text, "needs a kernel ") && !strstr(s->diag.text, "need a kernel ") &&
	    !strstr(s->diag.text, "this kernel has no"))
		fail_msg("%s on %s: %s", path, kernel, s->diag.text);
	return false;
}

static void each_meets_its_expectations_on_any_kernel_that_has_what_it_needs(void **state)
{
	struct shipped shipped;
	size_t ran = 0, refused = 0;
	struct era era;

	(void)state;
	find_shipped(&shipped);
	for (size_t i = 0; i < shipped.nr; i++) {
		for (size_t k = 0; era_at(k, &era); k++) {
			struct scripted s;

			if (!era.runnable)
				continue;
			if (runs_on(&s, shipped.path[i], era.name))
				ran++;
			else
				refused++;
			scripted_close(&s);
		}
	}
	assert_true(ran > refused && refused > 0);
}

/* All metrics as one text. */
static void digest(const struct scripted *s, char *out, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < script_metric_count(s->script); i++) {
		struct script_metric metric;

		script_metric(s->script, i, &metric);
		used += (size_t)snprintf(out + used, size - used, "%s %lld %a %s\n", metric.name,
					 (long long)metric.integer, metric.real, metric.text);
		assert_true(used < size);
	}
}

/* What would take long twenty times and show no more; a scenario has few of these. */
static void make_small(struct scripted *s)
{
	static const char *const small[][2] = {
		{ "file", "200M" },  { "stream", "64M" }, { "size", "20M" },
		{ "rounds", "4" },   { "shm", "256M" },	  { "more", "20M" },
		{ "seconds", "1" },  { "bytes", "8M" },	  { "objects", "15" },
	};

	for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++)
		(void)script_param_set(s->script, small[i][0], small[i][1], &s->diag);
}

/* The other half of a claim: the same scenario with one parameter changed. */
static void each_claim_holds_with_the_parameters_that_turn_it_around(void **state)
{
	static const struct { const char *file, *kernel, *param, *value; } rows[] = {
		{ "shm-outlives", "v6.18-v1", "swap", "8G" },
		{ "shm-outlives", "v3.3", "swap", "8G" },
		{ "dirty-bytes", "v6.18-v1+flusher=dirty_v2", "dirty", "0" },
		{ "usage-parts", "v6.18-v1", "report", "large" },
		{ "usage-parts", "v6.18", "tasks", "7" },
		{ "usage-parts", "v6.1", "threads", "0" },
		{ "charge-reserve", "v6.18-v1", "batch", "64" },
		{ "charge-reserve", "v6.18-v1", "slots", "7" },
		{ "charge-reserve", "v6.18-v1+stat_read=batch", "batch", "64" },
		{ "charge-reserve", "v6.18-v1+stat_read=batch", "cpus", "3" },
		{ "charge-reserve", "v6.18-v1", "pages", "1" },
		{ "small-functional-set", "v3.3", "swap", "64M" },
		{ "small-functional-set", "v6.18-v1", "swap", "64M" },
		{ "swappiness-0-global", "v3.5", "system", "0" },
		{ "swappiness-0-global", "v3.17", "system", "0" },
		{ "swappiness-0-global", "v6.18", "system", "0" },
		{ "swappiness-0-global", "v3.5", "cache", "0" },
		{ "swappiness-200", "v6.18", "swappiness", "100" },
		{ "swappiness-200", "v6.18", "swappiness", "60" },
		{ "thrash-10m", "v6.18", "limit", "14M" },
		{ "streaming-sibling", "v6.18", "hot", "50M" },
		{ "streaming-sibling", "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off",
		  "hot", "50M" },
		{ "streaming-sibling", "v6.18", "stream", "10G" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scripted s;
		char path[128];

		snprintf(path, sizeof(path), "scenarios/%s.lua", rows[i].file);
		load_file(&s, path);
		if (script_param_set(s.script, rows[i].param, rows[i].value, &s.diag))
			fail_msg("%s", s.diag.text);
		if (!scripted_go(&s, rows[i].kernel))
			fail_msg("%s: %s", path, s.diag.text);
		expectations_hold(&s, path, rows[i].kernel);
		scripted_close(&s);
	}
}

static void each_gives_the_same_twenty_times(void **state)
{
	struct shipped shipped;

	(void)state;
	find_shipped(&shipped);
	for (size_t i = 0; i < shipped.nr; i++) {
		char first[4096], again[4096];

		for (int n = 0; n < 20; n++) {
			struct scripted s;

			load_file(&s, shipped.path[i]);
			make_small(&s);
			assert_true(scripted_go(&s, script_kernel(s.script, 0)));
			digest(&s, n ? again : first, sizeof(first));
			if (n)
				assert_string_equal(first, again);
			scripted_close(&s);
		}
	}
}

/* Every op, with all that it sets, is in the log: played into a fresh machine it gives the same. */
static void each_gives_the_same_when_its_ops_are_played_again(void **state)
{
	struct shipped shipped;

	(void)state;
	find_shipped(&shipped);
	for (size_t i = 0; i < shipped.nr; i++) {
		char hash[RUN_HASH_MAX], again[RUN_HASH_MAX];
		struct oplog *log;
		struct run *run;
		struct scripted s;
		const void *data;
		size_t size;

		load_file(&s, shipped.path[i]);
		(void)script_param_set(s.script, "file", "200M", &s.diag);
		assert_true(scripted_go(&s, script_kernel(s.script, 0)));
		run_hash(s.run, hash);
		data = run_oplog(s.run, &size);
		assert_int_equal(oplog_open(data, size, &log, &s.diag), ERR_OK);
		assert_int_equal(run_open(run_scenario(s.run), &run, &s.diag), ERR_OK);
		assert_int_equal(oplog_play(log, run, oplog_steps(log), &s.diag), ERR_OK);
		run_hash(run, again);
		if (strcmp(hash, again) != 0)
			fail_msg("%s: another state when played again", shipped.path[i]);
		oplog_close(log);
		run_close(run);
		scripted_close(&s);
	}
}

static void another_seed_gives_another_state_where_chance_plays_a_part(void **state)
{
	char hash[2][64] = { "", "" };

	(void)state;
	for (uint64_t seed = 0; seed < 2; seed++) {
		struct scripted s;

		load_file(&s, "scenarios/hot-and-scan.lua");
		assert_int_equal(script_seed_set(s.script, 7 + seed, &s.diag), ERR_OK);
		assert_true(scripted_go(&s, "v3.3"));
		expectations_hold(&s, "hot-and-scan", "v3.3");
		snprintf(hash[seed], sizeof(hash[seed]), "%s",
			 scripted_metric(&s, "state_hash").text);
		scripted_close(&s);
	}
	assert_string_not_equal(hash[0], hash[1]);
}

static void each_says_its_claim_source_and_simplification(void **state)
{
	static const char *const words[] = { "Claim: ", "Source: ", "Simplified: " };
	struct shipped shipped;

	(void)state;
	find_shipped(&shipped);
	for (size_t i = 0; i < shipped.nr; i++) {
		struct scripted s;

		load_file(&s, shipped.path[i]);
		for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
			if (!strstr(script_comment(s.script), words[w]))
				fail_msg("%s: its head comment lacks \"%s\"", shipped.path[i],
					 words[w]);
		assert_true(strlen(script_title(s.script)) > 10);
		assert_non_null(strstr(shipped.path[i], script_name(s.script)));
		scripted_close(&s);
	}
}

/* The steady state follows from the rules for any parameters, not for the published ones alone. */
static void the_trace_is_predicted_for_other_parameters(void **state)
{
	static const char *const rows[][4] = {
		{ "16M", "0", "200M", "128K" },	  { "64M", "0", "600M", "100K" },
		{ "200M", "500", "1700M", "1M" }, { "1M", "0", "100M", "4K" },
		{ "300M", "61", "2500M", "128K" }, { "100M", "3", "1000000001", "77777" },
	};
	static const char *const names[] = { "limit", "other", "file", "chunk" };
	struct era era;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (size_t k = 0; era_at(k, &era); k++) {
			struct scripted s;

			if (!has_limits(&era))
				continue;
			load_file(&s, "scenarios/cat-in-100m.lua");
			for (size_t p = 0; p < 4; p++)
				if (script_param_set(s.script, names[p], rows[i][p], &s.diag))
					fail_msg("%s", s.diag.text);
			assert_true(scripted_go(&s, era.name));
			expectations_hold(&s, "cat-in-100m", era.name);
			scripted_close(&s);
		}
	}
}

/* A task that is killed leaves pages unread; what is said of the others still holds. */
static void the_trace_scenario_stands_a_group_that_runs_out_of_memory(void **state)
{
	static const char *const other[] = { "255", "256", "257", "1000", "5000" };
	struct era era;

	(void)state;
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		for (size_t k = 0; era_at(k, &era); k++) {
			struct scripted s;

			if (!has_limits(&era))
				continue;
			load_file(&s, "scenarios/cat-in-100m.lua");
			assert_int_equal(script_param_set(s.script, "limit", "1M", NULL), ERR_OK);
			assert_int_equal(script_param_set(s.script, "file", "16M", NULL), ERR_OK);
			assert_int_equal(script_param_set(s.script, "other", other[i], NULL),
					 ERR_OK);
			assert_true(scripted_go(&s, era.name));
			expectations_hold(&s, "cat-in-100m", era.name);
			scripted_close(&s);
		}
	}
}

static void the_read_of_ten_gigabytes_has_a_step_for_each_chunk(void **state)
{
	struct scripted s;
	int64_t steps;

	(void)state;
	load_file(&s, "scenarios/cat-in-100m.lua");
	assert_true(scripted_go(&s, "batched"));
	steps = scripted_metric(&s, "steps").integer;
	assert_in_range(steps, 81920, 81920 + 16);
	scripted_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_meets_its_expectations_on_its_kernels_and_as_a_pair),
		cmocka_unit_test(each_meets_its_expectations_on_any_kernel_that_has_what_it_needs),
		cmocka_unit_test(each_claim_holds_with_the_parameters_that_turn_it_around),
		cmocka_unit_test(each_gives_the_same_twenty_times),
		cmocka_unit_test(each_gives_the_same_when_its_ops_are_played_again),
		cmocka_unit_test(another_seed_gives_another_state_where_chance_plays_a_part),
		cmocka_unit_test(each_says_its_claim_source_and_simplification),
		cmocka_unit_test(the_trace_is_predicted_for_other_parameters),
		cmocka_unit_test(the_trace_scenario_stands_a_group_that_runs_out_of_memory),
		cmocka_unit_test(the_read_of_ten_gigabytes_has_a_step_for_each_chunk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
