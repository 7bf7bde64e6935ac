/*
 * What the controller adds to the time of a page: its owner's record, the
 * charge below the root, the second list.  Each is one number a page, and
 * passes on the clock of the task.
 */
#include "rig.h"

enum {
	PAGES = 96,
	LISTED = 84,		/* six queues of 14 went to the lists, 12 pages wait */
	FAULT_NS = 1000, OWNER_NS = 200, MEMBER_NS = 70, SECOND_NS = 3
};

/* The time that reading PAGES pages takes, by a task of a group or of the root. */
static ns_t time_of(const char *kernel, bool member, bool at_once)
{
	uint32_t memcg = RIG_ROOT, task, file;
	struct scenario sc;
	struct rig rig;
	ns_t begin;

	rig_scenario(&sc, kernel, 1);
	sc.era.knobs.fault_ns = FAULT_NS;
	sc.era.knobs.owner_ns = OWNER_NS;
	sc.era.knobs.member_ns = MEMBER_NS;
	sc.era.knobs.second_list_ns = SECOND_NS;
	sc.era.knobs.io_ns = 0;
	rig_open_scenario(&rig, &sc);
	if (member)
		memcg = rig_group(&rig, RIG_ROOT, "g", 0);
	task = rig_task(&rig, memcg, 0);
	file = rig_file(&rig, PAGES);
	begin = run_now(rig.run);
	if (at_once)
		rig_read(&rig, task, file, 0, PAGES);
	for (pages_t i = 0; i < PAGES && !at_once; i++)
		rig_read(&rig, task, file, i, 1);
	begin = run_now(rig.run) - begin;
	rig_check(&rig, kernel);
	rig_close(&rig);
	return begin;
}

static void a_page_takes_longer_with_the_controller_in_a_group_and_on_two_lists(void **state)
{
	static const struct {
		const char *kernel;
		bool member;
		ns_t page, listed;
	} rows[] = {
		{ "v3.1+memcg=off", false, FAULT_NS, 0 },
		{ "v3.1+lru=per_memcg+memcg=off", false, FAULT_NS, 0 },
		{ "v3.1", false, FAULT_NS + OWNER_NS, SECOND_NS },
		{ "v3.1+lru=per_memcg", false, FAULT_NS + OWNER_NS, 0 },
		{ "v3.1", true, FAULT_NS + OWNER_NS + MEMBER_NS, SECOND_NS },
		{ "v3.1+lru=per_memcg", true, FAULT_NS + OWNER_NS + MEMBER_NS, 0 },
		{ "v2.6.31", true, FAULT_NS + OWNER_NS + MEMBER_NS, SECOND_NS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ns_t want = PAGES * rows[i].page + LISTED * rows[i].listed;

		assert_int_equal(time_of(rows[i].kernel, rows[i].member, true), want);
		assert_int_equal(time_of(rows[i].kernel, rows[i].member, false), want);
	}
}

/* They are fitted to one machine of 2011, so they are nothing unless a scenario says so. */
static void the_numbers_are_zero_unless_a_scenario_sets_them(void **state)
{
	struct scenario sc;

	(void)state;
	rig_scenario(&sc, "v3.1", 1);
	assert_int_equal(sc.era.knobs.owner_ns, 0);
	assert_int_equal(sc.era.knobs.member_ns, 0);
	assert_int_equal(sc.era.knobs.second_list_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_page_takes_longer_with_the_controller_in_a_group_and_on_two_lists),
		cmocka_unit_test(the_numbers_are_zero_unless_a_scenario_sets_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
