/*
 * Actors that end while their CPUs still acquire locks: who joins them waits
 * for the last acquisition, live and in a replay, which is told the steps only.
 */
#include "rig.h"

enum { CHILDREN = 3, CPUS = CHILDREN + 1, HEAP = 64, ROUNDS = 4 };

/* What a child does, op by op: fault its memory in and give it back. */
struct child {
	uint32_t task, map;
	int next;
};

static enum workload_state child_next(void *ctx, const struct op_result *last, struct op *op,
				      struct diag *diag)
{
	struct child *child = ctx;
	bool unmap = child->next % 2 != 0;

	(void)last;
	(void)diag;
	if (child->next == 2 * ROUNDS)
		return WORKLOAD_END;
	child->next++;
	*op = (struct op){ .kind = unmap ? OP_UNMAP : OP_TOUCH,
			   .task = child->task,
			   .object = child->map,
			   .flags = unmap ? 0 : OPF_WRITE,
			   .length = unmap ? 0 : HEAP * PAGE_BYTES,
			   .chunk = 8 * PAGE_BYTES };
	return WORKLOAD_OP;
}

static enum workload_state wait_next(void *ctx, const struct op_result *last, struct op *op,
				     struct diag *diag)
{
	int *waits = ctx;

	(void)last;
	(void)op;
	(void)diag;
	return (*waits)++ ? WORKLOAD_END : WORKLOAD_WAIT;
}

static void open_locked(struct rig *rig)
{
	struct scenario sc;

	rig_scenario(&sc, "v2.6.31", CPUS);
	sc.locks = true;
	rig_open_scenario(rig, &sc);
}

static void live(struct rig *rig)
{
	struct child child[CHILDREN] = { { 0 } };
	struct workload parent;
	uint32_t group, actor;
	bool done = false;
	int waits = 0;

	parent = (struct workload){ &waits, wait_next };
	assert_int_equal(run_spawn(rig->run, RUN_NO_ACTOR, &parent, &actor, &rig->diag), ERR_OK);
	group = rig_group(rig, RIG_ROOT, "make", 0);
	for (uint32_t i = 0; i < CHILDREN; i++) {
		const struct workload workload = { &child[i], child_next };

		child[i].task = rig_task(rig, group, 1 + i);
		child[i].map = rig_map(rig, child[i].task, HEAP);
		assert_int_equal(run_spawn(rig->run, 0, &workload, &actor, &rig->diag), ERR_OK);
	}
	assert_int_equal(run_until(rig->run, UINT64_MAX, &done, &rig->diag), ERR_OK);
	assert_true(done);
}

static void who_joins_waits_for_the_last_acquisition(void **state)
{
	char hash[RUN_HASH_MAX], replayed[RUN_HASH_MAX];
	struct oplog *log = NULL;
	struct rig rig, again;
	const void *data;
	size_t size;

	(void)state;
	open_locked(&rig);
	live(&rig);
	run_hash(rig.run, hash);
	data = run_oplog(rig.run, &size);
	assert_int_equal(oplog_open(data, size, &log, &rig.diag), ERR_OK);
	open_locked(&again);
	assert_int_equal(oplog_play(log, again.run, UINT64_MAX, &again.diag), ERR_OK);
	assert_int_equal(run_now(again.run), run_now(rig.run));
	run_hash(again.run, replayed);
	assert_string_equal(replayed, hash);
	oplog_close(log);
	rig_close(&again);
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_joins_waits_for_the_last_acquisition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
