/*
 * Waits for memory: who waited, what counts, and for whom.
 */
#include "pressure.h"

#include "rig.h"
#include "run_private.h"

static ns_t stall(struct rig *rig, uint32_t group)
{
	return rig_memcg(rig, group).stall_ns;
}

static void a_wait_counts_for_all_levels_and_adds_up(void **state)
{
	uint32_t up, group, other;
	struct machine *m;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18", 1);
	m = run_machine(rig.run);
	up = rig_group(&rig, RIG_ROOT, "up", 0);
	group = rig_group(&rig, up, "g", 0);
	other = rig_group(&rig, up, "other", 0);
	for (int i = 0; i < 2; i++) {
		ns_t since = m->host->now;

		m->host->now += 500;
		pressure_stalled(m, group, since);
	}
	pressure_stalled(m, group, m->host->now);
	assert_int_equal(stall(&rig, group), 1000);
	assert_int_equal(stall(&rig, up), 1000);
	assert_int_equal(stall(&rig, RIG_ROOT), 1000);
	assert_int_equal(stall(&rig, other), 0);
	rig_close(&rig);
}

/* A file as large as the limit is no wait; one page more is, and asking for reclaim is none. */
static void reclaim_for_a_limit_is_a_wait_and_reclaim_on_demand_is_none(void **state)
{
	uint32_t group, task;
	struct rig rig;

	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		rig_open(&rig, rig_kernels[k], 1);
		group = rig_group(&rig, RIG_ROOT, "g", 256);
		task = rig_task(&rig, group, 0);
		rig_read(&rig, task, rig_file(&rig, 256), 0, 256);
		assert_int_equal(stall(&rig, group), 0);
		rig_read(&rig, task, rig_file(&rig, 64), 0, 64);
		assert_true(stall(&rig, group) > 0);
		rig_close(&rig);
	}
	rig_open(&rig, "v6.18", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 0);
	task = rig_task(&rig, group, 0);
	rig_read(&rig, task, rig_file(&rig, 4096), 0, 4096);
	assert_int_equal(rig_apply(&rig, &(struct op){ .kind = OP_RECLAIM,
						       .object = group,
						       .length = 256 * PAGE_BYTES })
				 .outcome,
			 OP_DONE);
	assert_int_equal(stall(&rig, group), 0);
	rig_close(&rig);
}

/* Pages of the working set that were taken: to read them again is a wait for memory. */
static void only_pages_of_the_working_set_are_waited_for(void **state)
{
	enum { HOT = 512, KEPT = 2048, COLD = 512 };
	uint32_t group, task, hot, kept, cold;
	struct op ask = { .kind = OP_RECLAIM, .length = (COLD + HOT) * PAGE_BYTES };
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18+stat_flush=exact+kmem=off+shadow_shrink=off", 1);
	group = ask.object = rig_group(&rig, RIG_ROOT, "g", 0);
	task = rig_task(&rig, group, 0);
	hot = rig_file(&rig, HOT);
	kept = rig_file(&rig, KEPT);
	cold = rig_file(&rig, COLD);
	for (int i = 0; i < 4; i++) {
		rig_read(&rig, task, i < 2 ? hot : kept, 0, i < 2 ? HOT : KEPT);
		rig_drain(&rig, task);
	}
	rig_read(&rig, task, cold, 0, COLD);
	rig_drain(&rig, task);
	/* The unused pages go, and of the used ones the oldest. */
	rig_apply(&rig, &ask);
	assert_int_equal(stall(&rig, group), 0);
	rig_read(&rig, task, cold, 0, COLD);
	assert_int_equal(stall(&rig, group), 0);
	rig_read(&rig, task, hot, 0, HOT);
	assert_true(stall(&rig, group) > 0);
	rig_close(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_counts_for_all_levels_and_adds_up),
		cmocka_unit_test(reclaim_for_a_limit_is_a_wait_and_reclaim_on_demand_is_none),
		cmocka_unit_test(only_pages_of_the_working_set_are_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
