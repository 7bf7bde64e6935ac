/*
 * What each kernel that can run does on each axis, and the kernel constants:
 * a second statement of the rules' table, read from the kernels' sources
 * independently of engine/era.c and engine/knob.c.  A slip of either shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "era.h"
#include "rig.h"

enum { NR_KERNELS = 5 };

static const char *const kernels[NR_KERNELS] = { "v2.6.31", "v2.6.32", "v3.1", "v3.2", "v3.3" };

static const struct axis_row {
	const char *axis;
	const char *value[NR_KERNELS];
} axis_rows[] = {
	{ "lru", { "double", "double", "double", "double", "per_memcg" } },
	{ "root_listed", { "yes", "counts", "counts", "counts", "yes" } },
	{ "pagevec", { "per_list", "per_list", "per_list", "per_list", "per_list" } },
	{ "activation", { "immediate", "immediate", "queued", "queued", "queued" } },
	{ "touch_queued", { "ignored", "ignored", "ignored", "ignored", "ignored" } },
	{ "new_anon", { "active", "active", "active", "active", "active" } },
	{ "scan_batch", { "zone", "reclaim_stat", "none", "none", "none" } },
	{ "balance", { "percent", "percent", "fraction", "fraction", "fraction" } },
	{ "early_break",
	  { "gt_cumulative", "gt_cumulative", "ge_local", "ge_local", "ge_local" } },
	{ "forced_min", { "none", "none", "after", "before", "before" } },
	{ "forced_global", { "kswapd", "kswapd", "kswapd", "kswapd", "hopeless" } },
	{ "round", { "cluster", "cluster", "asked", "asked", "asked" } },
	{ "fall_through", { "on", "on", "off", "off", "off" } },
	{ "low_scope", { "group", "group", "group", "group_zone", "group_zone" } },
	{ "partial", { "zero", "zero", "freed", "freed", "freed" } },
	{ "walk", { "root", "root", "root", "root", "root_zone_prio" } },
	{ "victim_node", { "current", "current", "rotates", "rotates", "rotates" } },
	{ "charge", { "page", "page", "stock32", "stock32", "stock32" } },
	{ "drain", { "every", "every", "subtree", "subtree", "subtree" } },
	{ "removal", { "charges", "charges", "charges", "charges", "charges" } },
	{ "swap_account", { "equal", "equal", "equal_hit", "equal_hit", "equal_hit" } },
	{ "owner", { "array40", "array40", "array32", "array32", "array16" } },
	{ "swappiness_0", { "scans", "scans", "scans", "scans", "scans" } },
	{ "swappiness_of", { "scanned", "scanned", "scanned", "scanned", "scanned" } },
	{ "tiny_file", { "lists", "lists", "lists", "lists", "lists" } },
	{ "counter", { "bytes", "bytes", "bytes", "bytes", "bytes" } },
	{ "memcg", { "on", "on", "on", "on", "on" } },
};

/* Of a kernel whose walk is one cursor; v3.3 has none. */
static const char *const second_visit[NR_KERNELS - 1] = { "reclaims", "stops", "stops", "stops" };

static const struct knob_row {
	const char *name;
	int64_t value;
} knob_rows[] = {
	{ "swap_cluster_max", 32 }, { "def_priority", 12 },   { "pagevec_size", 14 },
	{ "reclaim_retries", 5 },   { "reclaim_loops", 100 }, { "charge_batch", 32 },
	{ "swappiness", 60 },
};

static struct era era_of(const char *name)
{
	struct diag diag = { 0 };
	struct era era;

	if (era_find(name, &era, &diag) != ERR_OK)
		fail_msg("%s: %s", name, diag.text);
	return era;
}

static const char *value_of(const struct era *era, const char *axis)
{
	for (int i = 0; i < NR_AXES; i++)
		if (strcmp(axis_at((enum axis)i)->name, axis) == 0)
			return era_value_name(era, (enum axis)i);
	fail_msg("no axis %s", axis);
	return NULL;
}

static void each_kernel_has_the_value_of_its_source_on_each_axis(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR_KERNELS; k++) {
		struct era era = era_of(kernels[k]);

		for (size_t i = 0; i < sizeof(axis_rows) / sizeof(axis_rows[0]); i++)
			if (strcmp(value_of(&era, axis_rows[i].axis), axis_rows[i].value[k]) != 0)
				fail_msg("%s: %s is %s, not %s", kernels[k], axis_rows[i].axis,
					 value_of(&era, axis_rows[i].axis), axis_rows[i].value[k]);
	}
}

static void only_v2_6_31_reclaims_its_root_a_second_time(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR_KERNELS - 1; k++) {
		struct era era = era_of(kernels[k]);

		assert_string_equal(value_of(&era, "second_visit"), second_visit[k]);
	}
}

static void each_kernel_that_is_listed_here_can_run(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR_KERNELS; k++)
		assert_true(era_of(kernels[k]).runnable);
}

static void the_batched_patch_changes_one_axis(void **state)
{
	struct era before = era_of("unbatched"), after = era_of("batched");

	(void)state;
	for (int i = 0; i < NR_AXES; i++)
		if (i != AXIS_SCAN_BATCH)
			assert_int_equal(before.value[i], after.value[i]);
	assert_string_equal(value_of(&before, "scan_batch"), "zone");
	assert_string_equal(value_of(&after, "scan_batch"), "reclaim_stat");
}

static void kernel_constants_are_those_of_the_sources(void **state)
{
	struct era era = era_of("v3.1");

	(void)state;
	for (size_t k = 0; k < sizeof(knob_rows) / sizeof(knob_rows[0]); k++) {
		size_t i = 0;

		while (i < knob_count() && strcmp(knob_at(i)->name, knob_rows[k].name) != 0)
			i++;
		assert_true(i < knob_count());
		assert_int_equal(knob_get(&era.knobs, i), knob_rows[k].value);
		assert_string_equal(knob_at(i)->status, "kernel");
	}
}

static void a_name_that_is_missing_or_said_twice_is_refused(void **state)
{
	static const char *const rows[][2] = {
		{ "", "a name is missing" },
		{ "+lru=double", "a name is missing" },
		{ "v3.1+", "without an axis behind it" },
		{ "v3.1++lru=double", "without an axis behind it" },
		{ "v3.11", "\"v3.11\": no such kernel (did you mean v3.1?" },
		{ "v3.1+lur=double", "\"lur\": no such axis (did you mean lru?)" },
		{ "v3.1+lru=double+lru=per_memcg", "lru: the axis is given twice" },
		{ "v3.1+memcg=on+walk=root+memcg=on", "memcg: the axis is given twice" },
	};
	struct era era;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct diag diag = { .err = ERR_OK };

		assert_int_equal(era_find(rows[i][0], &era, &diag), ERR_NAME);
		if (!strstr(diag.text, rows[i][1]))
			fail_msg("%s: \"%s\"", rows[i][0], diag.text);
	}
}

/* Axes are more than 32: one must not be taken for that 32 places before it. */
static void each_axis_can_be_named_beside_each_other_one(void **state)
{
	struct era plain = era_of("v3.1"), era;
	char spec[128];

	(void)state;
	for (int a = 0; a < NR_AXES; a++)
		for (int b = 0; b < a; b++) {
			snprintf(spec, sizeof(spec), "v3.1+%s=%s+%s=%s",
				 axis_at((enum axis)a)->name, era_value_name(&plain, (enum axis)a),
				 axis_at((enum axis)b)->name, era_value_name(&plain, (enum axis)b));
			assert_int_equal(era_find(spec, &era, NULL), ERR_OK);
			assert_string_equal(era.name, "v3.1");
		}
}

/* vm.swappiness went to 100 before v5.8, and goes to 200 since. */
static void swappiness_above_100_needs_a_kernel_that_knows_it(void **state)
{
	static const struct { const char *kernel; int64_t most; } rows[] = {
		{ "v2.6.31", 100 }, { "v3.3", 100 }, { "v3.19", 100 }, { "v6.1", 200 },
		{ "v6.18", 200 }, { "v6.18-v1", 200 },
	};
	struct scenario sc;
	struct run *run;
	struct diag diag;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		rig_scenario(&sc, rows[i].kernel, 1);
		sc.era.knobs.swappiness = rows[i].most;
		assert_int_equal(run_open(&sc, &run, &diag), ERR_OK);
		run_close(run);
		sc.era.knobs.swappiness = 101;
		if (rows[i].most > 100)
			continue;
		assert_int_equal(run_open(&sc, &run, &diag), ERR_RANGE);
		assert_non_null(strstr(diag.text, "101 is not from 0 to 100"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swappiness_above_100_needs_a_kernel_that_knows_it),
		cmocka_unit_test(each_kernel_has_the_value_of_its_source_on_each_axis),
		cmocka_unit_test(only_v2_6_31_reclaims_its_root_a_second_time),
		cmocka_unit_test(each_kernel_that_is_listed_here_can_run),
		cmocka_unit_test(the_batched_patch_changes_one_axis),
		cmocka_unit_test(kernel_constants_are_those_of_the_sources),
		cmocka_unit_test(a_name_that_is_missing_or_said_twice_is_refused),
		cmocka_unit_test(each_axis_can_be_named_beside_each_other_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
