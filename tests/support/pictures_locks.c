/*
 * Locks to look at: four CPUs that charge and uncharge in one group, on a
 * kernel that takes the counter's lock for each page and on one with a stock;
 * the first has a lock of the scenario's own as well.
 */
#include <stdio.h>

#include "pictures.h"
#include "rig.h"

enum { CPUS = 4, HEAP = 64, ROUNDS = 12, THINK_NS = 20000, OWN_HOLD_NS = 500, OWN_COUNT = 50 };

static const char *const kernels[2] = { "v2.6.32", "v2.6.33" };

/* What a CPU's task does, op by op. */
struct hand {
	uint32_t task, map, own;
	int next;
};

static enum workload_state hand_next(void *ctx, const struct op_result *last, struct op *op,
				     struct diag *diag)
{
	struct hand *hand = ctx;
	struct op ops[] = {
		{ .kind = OP_TOUCH, .task = hand->task, .object = hand->map, .flags = OPF_WRITE,
		  .length = HEAP * PAGE_BYTES, .chunk = 8 * PAGE_BYTES },
		{ .kind = OP_THINK, .value = THINK_NS * (1 + hand->next % 3) },
		{ .kind = OP_UNMAP, .task = hand->task, .object = hand->map },
		{ .kind = OP_LOCK, .task = hand->task, .object = hand->own, .count = OWN_COUNT },
	};
	int kinds = hand->own ? 4 : 3;

	(void)last;
	(void)diag;
	if (hand->next == ROUNDS * kinds)
		return WORKLOAD_END;
	*op = ops[hand->next++ % kinds];
	return WORKLOAD_OP;
}

/* The first actor: it waits for the others. */
static enum workload_state wait_next(void *ctx, const struct op_result *last, struct op *op,
				     struct diag *diag)
{
	int *waits = ctx;

	(void)last;
	(void)op;
	(void)diag;
	return (*waits)++ ? WORKLOAD_END : WORKLOAD_WAIT;
}

static void spawn(struct run *run, uint32_t parent, void *ctx,
		  enum workload_state (*next)(void *, const struct op_result *, struct op *,
					      struct diag *))
{
	const struct workload workload = { ctx, next };
	uint32_t actor;
	struct diag diag;

	if (run_spawn(run, parent, &workload, &actor, &diag) != ERR_OK)
		fail_msg("%s", diag.text);
}

static void work(struct run *run, struct history *history, bool own)
{
	struct op group = { .kind = OP_GROUP_NEW, .object = RIG_ROOT, .name = "make" };
	struct op lock = { .kind = OP_LOCK_NEW, .value = OWN_HOLD_NS, .name = "mine" };
	struct hand hand[CPUS] = { { 0 } };
	uint32_t memcg, id;
	bool done = false;
	int waits = 0;

	spawn(run, RUN_NO_ACTOR, &waits, wait_next);
	memcg = pictures_apply(run, &group).id;
	id = own ? pictures_apply(run, &lock).id : 0;
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		struct op task = { .kind = OP_TASK_NEW, .object = memcg, .cpu = cpu,
				   .name = "cc1" };
		struct op map = { .kind = OP_MAP_ANON, .length = HEAP * PAGE_BYTES,
				  .name = "heap" };

		hand[cpu].task = map.task = pictures_apply(run, &task).id;
		hand[cpu].map = pictures_apply(run, &map).id;
		hand[cpu].own = id;
		spawn(run, 0, &hand[cpu], hand_next);
	}
	for (uint64_t step = run_steps(run); !done; step += 10) {
		assert_int_equal(history_take(history, run, NULL), ERR_OK);
		assert_int_equal(run_until(run, step, &done, NULL), ERR_OK);
	}
	assert_int_equal(history_take(history, run, NULL), ERR_OK);
}

struct pictures *pictures_locks(void)
{
	struct pictures *p = pictures_empty();
	struct model *model = &p->model;
	struct scenario sc;
	struct diag diag;

	for (int side = 0; side < 2; side++) {
		rig_scenario(&sc, kernels[side], CPUS);
		sc.locks = true;
		if (run_open(&sc, &p->run[side], &diag) != ERR_OK)
			fail_msg("%s", diag.text);
		model_side_init(&model->side[side], p->run[side], 31 + side, 0);
		model->side[side].history = &p->history[side];
		work(p->run[side], &p->history[side], side == 0);
	}
	model->has_b = true;
	model->seed = 1;
	model->steps_total = model->step = run_steps(p->run[0]);
	model->t_ns = run_now(p->run[0]);
	snprintf(model->scenario, sizeof(model->scenario), "charge-storm");
	return p;
}
