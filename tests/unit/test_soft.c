/*
 * Soft limits: at which events the tree of excesses is brought up to date,
 * which group is the largest in it, and how much is taken from it.
 */
#include "pass.h"
#include "reclaim_soft.h"
#include "rig.h"
#include "run_private.h"
#include "soft.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"

struct one {
	struct rig rig;
	struct machine *m;
	uint32_t group, task;
};

static uint32_t new_group(struct one *one, const char *name, pages_t file, pages_t soft)
{
	struct op op = {
		.kind = OP_GROUP_SET, .object = rig_group(&one->rig, RIG_ROOT, name, 0),
		.group = { .set = GROUP_SOFT, .soft_pages = soft },
	};

	one->task = rig_task(&one->rig, op.object, 0);
	if (file)
		rig_read(&one->rig, one->task, rig_file(&one->rig, file), 0, file);
	rig_drain(&one->rig, one->task);
	assert_int_equal(rig_apply(&one->rig, &op).outcome, OP_DONE);
	return op.object;
}

static void one_open(struct one *one, const char *kernel, pages_t file, pages_t soft)
{
	rig_open(&one->rig, kernel, 1);
	one->m = run_machine(one->rig.run);
	one->group = new_group(one, "g", file, soft);
}

/* The events of a group at which its place in the tree is made anew. */
static void check_updates(const char *kernel, const uint64_t *want, size_t nr)
{
	uint64_t seen = 0, event = 0;
	struct one one;

	one_open(&one, kernel, 0, 0);
	machine_memcg(one.m, one.group)->counter.usage = 100;
	for (size_t i = 0; i < nr;) {
		uint64_t inserts = one.m->host->soft_inserts;

		soft_event(one.m, one.group, 0, false);
		event++;
		seen = one.m->host->soft_inserts - inserts;
		assert_int_equal(seen, event == want[i]);
		i += seen;
	}
	rig_close(&one.rig);
}

static void the_tree_is_brought_up_to_date_now_and_then(void **state)
{
	/* A charge looks before it is counted; the count begins anew at each update. */
	static const uint64_t by_count[] = { 1002, 2003, 3004, 4005 };
	/* Thresholds come each 129 events, and the tree's turn with the first above 1024 more. */
	static const uint64_t by_target[] = { 1, 1033, 2065, 3097 };
	static const char *const later[] = { "v3.1", "v3.2", "v3.3", EXACT_V1, "v6.18-v1" };

	(void)state;
	check_updates("v2.6.32", by_count, NR(by_count));
	for (size_t i = 0; i < NR(later); i++)
		check_updates(later[i], by_target, NR(by_target));
}

static void an_uncharge_looks_after_it_is_counted(void **state)
{
	uint64_t inserts;
	struct one one;

	(void)state;
	one_open(&one, "v2.6.32", 0, 0);
	machine_memcg(one.m, one.group)->counter.usage = 100;
	inserts = one.m->host->soft_inserts;
	for (int i = 0; i < 1000; i++)
		soft_event(one.m, one.group, 0, true);
	assert_int_equal(one.m->host->soft_inserts, inserts);
	soft_event(one.m, one.group, 0, true);
	assert_int_equal(one.m->host->soft_inserts, inserts + 1);
	rig_close(&one.rig);
}

static void v2_6_31_has_no_soft_limits(void **state)
{
	struct op op = { .kind = OP_GROUP_SET, .group = { .set = GROUP_SOFT, .soft_pages = 1 } };
	struct op_result res;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v2.6.31", 1);
	op.object = rig_group(&rig, RIG_ROOT, "g", 0);
	assert_int_not_equal(run_apply(rig.run, &op, &res, &rig.diag), ERR_OK);
	rig_close(&rig);
}

static void of_equal_excesses_the_later_is_larger(void **state)
{
	struct one one;
	uint32_t other;

	(void)state;
	one_open(&one, "v3.1", 64, 24);
	other = new_group(&one, "other", 96, 56);
	assert_int_equal(soft_excess(one.m, one.group), 40);
	assert_int_equal(soft_excess(one.m, other), 40);
	soft_insert(one.m, other, 0);
	soft_insert(one.m, one.group, 0);
	assert_int_equal(soft_largest(one.m, 0, MEMCG_NONE), one.group);
	soft_insert(one.m, other, 0);
	assert_int_equal(soft_largest(one.m, 0, MEMCG_NONE), other);
	assert_int_equal(soft_largest(one.m, 0, other), one.group);
	/* What counts is the excess when it was inserted. */
	machine_memcg(one.m, one.group)->counter.usage += 100;
	assert_int_equal(soft_largest(one.m, 0, MEMCG_NONE), other);
	soft_insert(one.m, one.group, 0);
	assert_int_equal(soft_largest(one.m, 0, MEMCG_NONE), one.group);
	machine_memcg(one.m, one.group)->counter.usage -= 100;
	rig_close(&one.rig);
}

/*
 * One pass at priority 0 frees 64 in v2.6.32, a cluster later.  A quarter of
 * the excess is enough: after one pass over a lone group to v3.2, after two
 * full rounds from v3.3 on.
 */
static void about_a_quarter_of_the_excess_is_taken(void **state)
{
	static const struct { const char *kernel; pages_t excess, freed; } rows[] = {
		{ "v2.6.32", 100, 64 }, { "v3.1", 100, 32 }, { "v3.2", 100, 32 },
		{ "v3.3", 100, 64 }, { EXACT_V1, 100, 64 },
		{ "v2.6.32", 1000, 256 }, { "v3.1", 1000, 256 }, { "v3.3", 1000, 256 },
		{ EXACT_V1, 1000, 256 },
		/* within its limit: that ends it */
		{ "v2.6.32", 10, 64 }, { "v3.1", 10, 32 }, { "v3.3", 10, 32 }, { EXACT_V1, 10, 32 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;
		pages_t usage, freed;

		one_open(&one, rows[i].kernel, 3000, 0);
		usage = rig_memcg(&one.rig, one.group).usage;
		soft_set(one.m, one.group, usage - rows[i].excess);
		soft_insert(one.m, one.group, 0);
		freed = reclaim_soft(one.m, 0, 0);
		if (freed != rows[i].freed)
			fail_msg("%s: %d pages of an excess of %d", rows[i].kernel, (int)freed,
				 (int)rows[i].excess);
		assert_int_equal(rig_memcg(&one.rig, one.group).charged, 3000 - freed);
		for (size_t k = 0; k < rig_count(&one.rig, EVENT_SHRINK); k++)
			assert_int_equal(rig_nth(&one.rig, EVENT_SHRINK, k)->n[SHRINK_PRIORITY], 0);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

/* Groups with nothing to give: each try puts one back in its place. */
static void three_groups_are_tried_in_vain(void **state)
{
	static const char *const kernels[] = { "v2.6.32", "v3.1", "v3.3", EXACT_V1 };
	static const char *const names[] = { "a", "b", "c", "d", "e" };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct one one;
		uint64_t inserts;

		one_open(&one, kernels[k], 0, PAGES_UNLIMITED);
		for (size_t i = 0; i < NR(names); i++) {
			uint32_t group = new_group(&one, names[i], 0, 0);

			rig_touch(&one.rig, one.task, rig_map(&one.rig, one.task, 100), 0, 50 + i);
			rig_drain(&one.rig, one.task);
			soft_insert(one.m, group, 0);
		}
		inserts = one.m->host->soft_inserts;
		assert_int_equal(reclaim_soft(one.m, 0, 0), 0);
		assert_int_equal(one.m->host->soft_inserts - inserts, 3);
		rig_close(&one.rig);
	}
}

/* A group whose pages are all active: v3.3 moves some over, v6.18 does not. */
static void active_pages_are_left_alone_in_v6_18(void **state)
{
	static const struct { const char *kernel; bool moves; } rows[] = {
		{ "v3.1", true }, { "v3.3", true }, { EXACT_V1, false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;
		uint32_t file;

		one_open(&one, rows[i].kernel, 0, 0);
		file = rig_file(&one.rig, 1000);
		for (int twice = 0; twice < 2; twice++) {
			rig_read(&one.rig, one.task, file, 0, 1000);
			rig_drain(&one.rig, one.task);
		}
		assert_int_equal(rig_memcg(&one.rig, one.group).size[LRU_ACTIVE_FILE], 1000);
		soft_insert(one.m, one.group, 0);
		reclaim_soft(one.m, 0, 0);
		assert_int_equal(rig_count(&one.rig, EVENT_DEACTIVATE) > 0, rows[i].moves);
		rig_close(&one.rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tree_is_brought_up_to_date_now_and_then),
		cmocka_unit_test(an_uncharge_looks_after_it_is_counted),
		cmocka_unit_test(v2_6_31_has_no_soft_limits),
		cmocka_unit_test(of_equal_excesses_the_later_is_larger),
		cmocka_unit_test(about_a_quarter_of_the_excess_is_taken),
		cmocka_unit_test(three_groups_are_tried_in_vain),
		cmocka_unit_test(active_pages_are_left_alone_in_v6_18),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
