/*
 * Which states of a run are hashed: few enough to cost nothing, the same
 * ones each time, and always the last.
 */
#include <stdio.h>
#include <string.h>

#include "keyframes.h"
#include "scripted.h"

enum { SLICE = 8 };

/* One task reads a file of @pages pages @times times through a group of 64 pages. */
static void record(int pages, int times, struct keyframes *frames)
{
	char body[512], hash[RUN_HASH_MAX];
	struct scripted s;
	bool done = false;
	struct era era;

	snprintf(body, sizeof(body),
		 "return scenario { name = \"x\", run = function(lab)\n"

		 "local g = lab.group(\"g\", { limit = \"256K\" })\n"
		 "local t, f = lab.task(\"t\", { group = g }), lab.file(\"f\", { size = %d })\n"
		 "for i = 1, %d do t:read(f, { bytes = %d, chunk = \"16K\" }) end end }",
		 pages * 4096, times, pages * 4096);
	memset(frames, 0, sizeof(*frames));
	scripted_init(&s);
	assert_true(scripted_load(&s, body));
	assert_int_equal(era_find("v3.3", &era, &s.diag), ERR_OK);
	assert_int_equal(script_open(s.script, &era, &s.run, &s.diag), ERR_OK);
	while (!done) {
		if (script_run(s.script, run_steps(s.run) + SLICE, &done, &s.diag) != ERR_OK)
			fail_msg("%s", s.diag.text);
		if (!done)
			keyframes_take(frames, s.run);
	}
	keyframes_end(frames, s.run);
	assert_true(frames->nr > 0);
	run_hash(s.run, hash);
	assert_string_equal(frames->at[frames->nr - 1].hash, hash);
	assert_int_equal(frames->at[frames->nr - 1].step, run_steps(s.run));
	scripted_close(&s);
}

static void the_same_run_has_the_same_keyframes(void **state)
{
	static struct keyframes a, b;

	(void)state;
	record(512, 40, &a);
	record(512, 40, &b);
	assert_int_equal(a.nr, b.nr);
	assert_memory_equal(a.at, b.at, a.nr * sizeof(a.at[0]));
	for (size_t i = 1; i < a.nr; i++) {
		assert_true(a.at[i].step > a.at[i - 1].step);
		assert_string_not_equal(a.at[i].hash, a.at[i - 1].hash);
	}
}

static void a_long_run_has_no_more_of_them_but_further_apart(void **state)
{
	static struct keyframes a, b;

	(void)state;
	record(512, 40, &a);
	record(512, 400, &b);
	assert_in_range(a.nr, 4, KEYFRAMES_MAX + 1);
	assert_in_range(b.nr, KEYFRAMES_MAX / 2, KEYFRAMES_MAX + 1);
	assert_true(b.every > 4 * SLICE);
	for (size_t i = 1; i + 1 < b.nr; i++)
		assert_true(b.at[i].step - b.at[i - 1].step >= b.every);
}

/* 25,600 steps of 4 pages: hashing has gone through less than half as many pages as reading. */
static void hashing_is_paid_for_by_work(void **state)
{
	static struct keyframes frames;

	(void)state;
	record(256, 400, &frames);
	assert_in_range(frames.spent_pages, 1, 400 * 256 / 2);
}

/* A run that fills a large state uses each page once, and is hashed once at its end. */
static void a_run_without_the_work_is_hashed_at_its_end_only(void **state)
{
	static struct keyframes frames;

	(void)state;
	record(60, 1, &frames);
	assert_int_equal(frames.nr, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_run_has_the_same_keyframes),
		cmocka_unit_test(a_long_run_has_no_more_of_them_but_further_apart),
		cmocka_unit_test(hashing_is_paid_for_by_work),
		cmocka_unit_test(a_run_without_the_work_is_hashed_at_its_end_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
