/*
 * Groups that are not accounted: nothing of them is counted, what was taken
 * before accounting begins never is, and nothing leads back.
 */
#include <string.h>

#include "contention.h"
#include "rig.h"

enum { EARLY = 10, LATE = 5 };

struct bare {
	struct rig rig;
	uint32_t group, task, map[2];
};

static struct op account(uint32_t group, bool on)
{
	struct op op = { .kind = OP_GROUP_SET, .object = group };

	op.group.set = GROUP_ACCOUNT;
	op.group.account = on;
	return op;
}

/* A group of @parent without accounting, and a task with two mappings in it. */
static void bare_open(struct bare *bare, const char *kernel, bool locks)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = RIG_ROOT, .name = "free" };
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.locks = locks;
	rig_open_scenario(&bare->rig, &sc);
	op.group.set = GROUP_ACCOUNT;
	bare->group = rig_apply(&bare->rig, &op).id;
	bare->task = rig_task(&bare->rig, bare->group, 0);
	bare->map[0] = rig_map(&bare->rig, bare->task, EARLY);
	bare->map[1] = rig_map(&bare->rig, bare->task, LATE);
}

static struct run_memcg of(struct bare *bare)
{
	return rig_memcg(&bare->rig, bare->group);
}

/* Example W30: 10 pages taken, accounting begins, 5 more, all 15 freed: 0, 5, 0; no way back. */
static void only_what_comes_after_is_counted(void **state)
{
	static const char *const kernels[] = {
		"v2.6.25", "v2.6.25+owner=radix", "v2.6.31+swap_account=off",
		"v2.6.33+swap_account=off", "v3.3+swap_account=off",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct bare bare;
		struct op op;
		pages_t stock;

		bare_open(&bare, kernels[i], false);
		rig_touch(&bare.rig, bare.task, bare.map[0], 0, EARLY);
		assert_int_equal(of(&bare).usage, 0);
		assert_int_equal(of(&bare).charged, 0);
		assert_int_equal(of(&bare).nr_charged, 0);
		op = account(bare.group, true);
		assert_int_equal(rig_apply(&bare.rig, &op).outcome, OP_DONE);
		assert_int_equal(of(&bare).usage, 0);
		rig_touch(&bare.rig, bare.task, bare.map[1], 0, LATE);
		stock = of(&bare).stock;
		assert_int_equal(of(&bare).usage - stock, LATE);
		op = account(bare.group, false);
		assert_int_equal(rig_apply(&bare.rig, &op).outcome, OP_BUSY);
		rig_check(&bare.rig, kernels[i]);
		rig_unmap(&bare.rig, bare.task, bare.map[0]);
		assert_int_equal(of(&bare).usage - stock, LATE);
		rig_unmap(&bare.rig, bare.task, bare.map[1]);
		assert_int_equal(of(&bare).usage - stock, 0);
		assert_int_equal(of(&bare).nr_uncharged, LATE);
		rig_check(&bare.rig, kernels[i]);
		rig_close(&bare.rig);
	}
}

/* No counter, no stock, no statistics, no lock; ancestors do not see the pages either. */
static void a_charge_that_is_not_counted_takes_no_lock(void **state)
{
	struct run_lock lock;
	struct bare bare;

	(void)state;
	bare_open(&bare, "v2.6.33+swap_account=off", true);
	rig_touch(&bare.rig, bare.task, bare.map[0], 0, EARLY);
	rig_unmap(&bare.rig, bare.task, bare.map[0]);
	assert_true(run_lock(bare.rig.run, 0, &lock));
	assert_int_equal(lock.sum.hold.nr, 0);
	assert_int_equal(of(&bare).stock, 0);
	rig_close(&bare.rig);
}

static void an_ancestor_does_not_see_what_is_not_counted(void **state)
{
	struct op op = { .kind = OP_GROUP_NEW, .name = "free" };
	uint32_t parent, group, task, map;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v2.6.31+swap_account=off", 1);
	parent = rig_hierarchy(&rig, RIG_ROOT, "h", EARLY / 2);
	op.object = parent;
	op.group.set = GROUP_ACCOUNT;
	group = rig_apply(&rig, &op).id;
	task = rig_task(&rig, group, 0);
	map = rig_map(&rig, task, EARLY);
	assert_int_equal(rig_touch(&rig, task, map, 0, EARLY), OP_DONE);
	assert_int_equal(rig_memcg(&rig, parent).usage, 0);
	assert_int_equal(rig_memcg(&rig, parent).limit_hits, 0);
	op = account(group, true);
	rig_apply(&rig, &op);
	map = rig_map(&rig, task, LATE);
	rig_touch(&rig, task, map, 0, LATE);
	assert_int_equal(rig_memcg(&rig, parent).usage, LATE);
	rig_check(&rig, "below a limit");
	rig_close(&rig);
}

static void refused(struct bare *bare, const struct op *op, const char *word)
{
	struct diag diag = { 0 };

	assert_int_equal(run_apply(bare->rig.run, op, NULL, &diag), ERR_SCENARIO);
	if (!strstr(diag.text, word))
		fail_msg("%s: no \"%s\"", diag.text, word);
}

/* A limit needs accounting; so does the root, and kernels that count more than pages. */
static void what_makes_no_sense_is_refused(void **state)
{
	struct op limit = { .kind = OP_GROUP_SET }, op;
	struct bare bare;

	(void)state;
	bare_open(&bare, "v2.6.25", false);
	limit.object = bare.group;
	limit.group.set = GROUP_LIMIT;
	limit.group.limit_pages = 100;
	refused(&bare, &limit, "is not accounted");
	op = account(RIG_ROOT, true);
	refused(&bare, &op, "the root group takes none");
	/* Both at once: it is accounted first. */
	limit.group.set |= GROUP_ACCOUNT;
	limit.group.account = true;
	assert_int_equal(rig_apply(&bare.rig, &limit).outcome, OP_DONE);
	assert_int_equal(of(&bare).limit, 100);
	limit.kind = OP_GROUP_NEW;
	limit.object = RIG_ROOT;
	limit.group.account = false;
	strcpy(limit.name, "other");
	refused(&bare, &limit, "is not accounted");
	rig_close(&bare.rig);
}

static void it_costs_what_passing_over_costs(void **state)
{
	enum { SKIP = 7 };
	struct op op = { .kind = OP_GROUP_NEW, .object = RIG_ROOT, .name = "free" };
	struct scenario sc;
	struct rig rig;
	uint32_t task, map;
	ns_t before;

	(void)state;
	rig_scenario(&sc, "v2.6.25", 1);
	sc.era.knobs.skip_ns = SKIP;
	sc.era.knobs.fault_ns = 0;
	rig_open_scenario(&rig, &sc);
	op.group.set = GROUP_ACCOUNT;
	task = rig_task(&rig, rig_apply(&rig, &op).id, 0);
	map = rig_map(&rig, task, EARLY);
	before = run_now(rig.run);
	rig_touch(&rig, task, map, 0, EARLY);
	rig_unmap(&rig, task, map);
	assert_int_equal(run_now(rig.run) - before, 2 * EARLY * SKIP);
	rig_close(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_comes_after_is_counted),
		cmocka_unit_test(a_charge_that_is_not_counted_takes_no_lock),
		cmocka_unit_test(an_ancestor_does_not_see_what_is_not_counted),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test(it_costs_what_passing_over_costs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
