/*
 * Laws that hold in any machine, whatever is done to it.  Seeded random ops
 * make groups, tasks and files, read, touch, unmap, move, exit and write
 * limits on every kernel; after every few of them the engine's own
 * invariants and the laws stated here must hold.  The failing seed and op
 * are printed.  Limits and machines are small, so reclaim and out of memory
 * are everyday events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rig.h"

enum {
	SEEDS = 4,
	OPS = 3000,		/* of one seed: 12,000 for each kernel */
	CHECK_EVERY = 5,
	CPUS = 3,
	GROUPS_MAX = 10, TASKS_MAX_ALIVE = 12, FILES = 6, MAPS_MAX = 400,
	FILE_PAGES = 1500,
	SAVED_MAX = 31
};

struct world {
	struct rig rig;
	uint64_t random;
	uint32_t groups[GROUPS_MAX], nr_groups;
	uint32_t tasks[TASKS_MAX_ALIVE], nr_tasks;
	uint32_t files[FILES];
	struct { uint32_t task, map; } maps[MAPS_MAX];
	uint32_t nr_maps;
	const char *kernel;
	uint64_t seed;
	unsigned op;
};

static uint64_t draw(struct world *w, uint64_t n)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return (w->random >> 11) % n;
}

static void broken(const struct world *w, const char *law, const char *detail)
{
	fail_msg("%s, seed %" PRIu64 ", op %u: %s: %s", w->kernel, w->seed, w->op, law, detail);
}

/* Apply an op that may be refused as nonsense; then nothing may have changed. */
static bool try_op(struct world *w, const struct op *op, struct op_result *res)
{
	char before[RUN_HASH_MAX], after[RUN_HASH_MAX];
	bool compare = w->op % 16 == 0;

	memset(res, 0, sizeof(*res));
	if (compare)
		run_hash(w->rig.run, before);
	if (!run_apply(w->rig.run, op, res, &w->rig.diag))
		return true;
	if (w->rig.diag.err != ERR_RANGE && w->rig.diag.err != ERR_NAME &&
	    w->rig.diag.err != ERR_SCENARIO)
		broken(w, "an op ends in no error but a refusal", w->rig.diag.text);
	if (compare) {
		run_hash(w->rig.run, after);
		if (strcmp(before, after))
			broken(w, "a refused op changes nothing", w->rig.diag.text);
	}
	return false;
}

static pages_t some_limit(struct world *w)
{
	return draw(w, 3) ? 40 + draw(w, 400) : 40 + draw(w, 5000);
}

static void do_group(struct world *w)
{
	struct op op = { .kind = OP_GROUP_NEW };
	struct op_result res;

	if (w->nr_groups == GROUPS_MAX)
		return;
	op.object = draw(w, 3) ? w->groups[draw(w, w->nr_groups)] : RIG_ROOT;
	snprintf(op.name, sizeof(op.name), "g%u", w->op);
	op.group.set = GROUP_LIMIT | (draw(w, 2) ? GROUP_HIERARCHY : 0);
	op.group.hierarchy = true;
	op.group.limit_pages = some_limit(w);
	if (try_op(w, &op, &res))
		w->groups[w->nr_groups++] = res.id;
}

static void do_task(struct world *w)
{
	struct op op = { .kind = OP_TASK_NEW, .name = "t" };
	struct op_result res;

	if (w->nr_tasks == TASKS_MAX_ALIVE)
		return;
	op.object = w->groups[draw(w, w->nr_groups)];
	op.cpu = (uint32_t)draw(w, CPUS);
	if (try_op(w, &op, &res))
		w->tasks[w->nr_tasks++] = res.id;
}

/* A live task; dead ones are forgotten on the way.  Returns: 0 if none is left. */
static uint32_t some_task(struct world *w)
{
	while (w->nr_tasks) {
		uint32_t i = (uint32_t)draw(w, w->nr_tasks);
		struct run_task task;

		if (run_task(w->rig.run, w->tasks[i], &task) && task.alive)
			return w->tasks[i];
		w->tasks[i] = w->tasks[--w->nr_tasks];
	}
	return 0;
}

static void do_read(struct world *w)
{
	struct op op = { .kind = OP_READ, .task = some_task(w) };
	struct op_result res;

	op.object = w->files[draw(w, FILES)];
	op.pattern = (enum op_pattern)draw(w, NR_PATTERNS);
	op.offset = draw(w, FILE_PAGES * PAGE_BYTES);
	op.length = 1 + draw(w, FILE_PAGES * PAGE_BYTES - op.offset);
	if (draw(w, 4))
		op.length = 1 + op.length / 16;
	op.count = 1 + draw(w, 100);
	op.value = (int64_t)draw(w, 1500);
	op.chunk = draw(w, 2) * (1 + draw(w, 200000));
	try_op(w, &op, &res);
}

/* Written, waited for, dropped where it is clean; or time passes. */
static void do_write(struct world *w)
{
	static const enum op_kind kinds[] = { OP_WRITE, OP_WRITE, OP_WRITE, OP_WRITE, OP_FSYNC,
					      OP_FADVISE, OP_THINK };
	struct op op = { .kind = kinds[draw(w, sizeof(kinds) / sizeof(kinds[0]))],
			 .task = some_task(w) };
	struct op_result res;

	op.object = w->files[draw(w, FILES)];
	op.offset = draw(w, FILE_PAGES * PAGE_BYTES);
	op.length = 1 + draw(w, FILE_PAGES * PAGE_BYTES - op.offset) / 8;
	op.chunk = draw(w, 2) * (1 + draw(w, 200000));
	if (op.kind == OP_THINK)
		op.value = (int64_t)draw(w, 8) * 1000000000;
	if (op.kind == OP_FADVISE)
		op.value = (int64_t)draw(w, NR_FADVICES);
	try_op(w, &op, &res);
}

static void do_map(struct world *w)
{
	struct op op = { .kind = OP_MAP_ANON, .task = some_task(w), .name = "m" };
	struct op_result res;

	op.length = (1 + draw(w, 200)) * PAGE_BYTES;
	if (w->nr_maps == MAPS_MAX || !try_op(w, &op, &res))
		return;
	w->maps[w->nr_maps].task = op.task;
	w->maps[w->nr_maps++].map = res.id;
}

static void do_touch(struct world *w)
{
	struct op op = { .kind = OP_TOUCH, .flags = OPF_WRITE };
	struct op_result res;
	uint32_t i;

	if (!w->nr_maps)
		return;
	i = (uint32_t)draw(w, w->nr_maps);
	op.task = w->maps[i].task;
	op.object = w->maps[i].map;
	op.offset = draw(w, 100) * PAGE_BYTES;
	op.length = (1 + draw(w, 60)) * PAGE_BYTES;
	try_op(w, &op, &res);
}

static void do_unmap(struct world *w)
{
	struct op op = { .kind = OP_UNMAP };
	struct op_result res;
	uint32_t i;

	if (!w->nr_maps)
		return;
	i = (uint32_t)draw(w, w->nr_maps);
	op.task = w->maps[i].task;
	op.object = w->maps[i].map;
	try_op(w, &op, &res);
	w->maps[i] = w->maps[--w->nr_maps];
}

static void do_limit(struct world *w)
{
	struct op op = { .kind = OP_GROUP_SET, .group = { .set = GROUP_LIMIT } };
	struct op_result res;

	op.object = w->groups[draw(w, w->nr_groups)];
	op.group.limit_pages = some_limit(w);
	if (try_op(w, &op, &res) && res.outcome != OP_DONE && res.outcome != OP_BUSY)
		broken(w, "a limit is done or busy", "another outcome");
}

static void do_move_or_exit(struct world *w)
{
	struct op op = { .kind = draw(w, 3) ? OP_TASK_MOVE : OP_TASK_EXIT };
	struct op_result res;

	op.task = some_task(w);
	op.object = w->groups[draw(w, w->nr_groups)];
	try_op(w, &op, &res);
}

static void do_drop(struct world *w)
{
	struct op op = { .kind = OP_FILE_DROP };
	struct op_result res;

	op.object = w->files[draw(w, FILES)];
	try_op(w, &op, &res);
}

/* Ids and ranges at random: mostly refused. */
static void do_nonsense(struct world *w)
{
	struct op op = { .kind = (enum op_kind)draw(w, OP_FILE_NEW + 1) };
	struct op_result res;

	op.task = (uint32_t)draw(w, 40);
	op.object = (uint32_t)draw(w, 40);
	op.cpu = (uint32_t)draw(w, 2 * CPUS);
	op.offset = draw(w, UINT64_C(1) << 40);
	op.length = draw(w, UINT64_C(1) << 20);
	if (op.kind == OP_GROUP_NEW || op.kind == OP_TASK_NEW || op.kind == OP_FILE_NEW)
		op.object = 1000 + (uint32_t)draw(w, UINT32_MAX - 1000);
	if (op.kind == OP_FILE_NEW)
		op.length = 0;
	try_op(w, &op, &res);
}

static const struct { unsigned weight; void (*act)(struct world *w); } acts[] = {
	{ 2, do_group }, { 6, do_task }, { 38, do_read }, { 12, do_write }, { 8, do_map },
	{ 18, do_touch },
	{ 4, do_unmap }, { 6, do_limit }, { 3, do_move_or_exit }, { 1, do_drop },
	{ 2, do_nonsense },
};

static void act(struct world *w)
{
	uint64_t at = draw(w, 100);
	size_t i = 0;

	while (at >= acts[i].weight)
		at -= acts[i++].weight;
	acts[i].act(w);
}

/* Usage of the groups that charge @id too, one level down. */
static pages_t children_usage(struct world *w, uint32_t id)
{
	struct run_memcg child;
	pages_t sum = 0;

	for (uint32_t i = 1; i <= run_memcg_max(w->rig.run); i++)
		if (run_memcg(w->rig.run, i, &child) && child.parent == id)
			sum += child.usage;
	return sum;
}

static void check_group(struct world *w, uint32_t id)
{
	struct run_memcg g;
	pages_t listed = 0, below;

	if (!run_memcg(w->rig.run, id, &g) || !g.online)
		return;
	for (int lru = 0; lru < NR_LRU; lru++) {
		listed += g.size[lru];
		if (g.saved[lru] > SAVED_MAX)
			broken(w, "less than a cluster is saved up", g.path);
	}
	if (listed + g.queued != g.charged)
		broken(w, "charged pages are listed or queued", g.path);
	if (g.nr_charged - g.nr_uncharged != g.charged)
		broken(w, "what was charged and not uncharged is there", g.path);
	if (g.nr_reclaimed > g.nr_taken || g.nr_reclaimed > g.nr_uncharged)
		broken(w, "no more is reclaimed than taken", g.path);
	if (id == RIG_ROOT)
		return;
	below = g.hierarchy ? children_usage(w, id) : 0;
	if (g.usage != g.charged + g.stock + below)
		broken(w, "usage is own pages, stock and children", g.path);
	if (g.usage > g.limit || g.peak > PAGES_UNLIMITED || g.peak < g.usage)
		broken(w, "usage stays within the limit", g.path);
}

static void check_world(struct world *w)
{
	struct run_totals totals;

	if (run_invariant(w->rig.run, &w->rig.diag))
		broken(w, "invariant", w->rig.diag.text);
	for (uint32_t id = 1; id <= run_memcg_max(w->rig.run); id++)
		check_group(w, id);
	run_totals(w->rig.run, &totals);
	if (totals.nr_reclaimed > totals.nr_uncharged || totals.nr_uncharged > totals.nr_charged)
		broken(w, "totals agree", "reclaimed, uncharged, charged");
}

/* A whole life from one seed; @hash receives the last state's name. */
static void live(const char *kernel, uint64_t seed, char hash[RUN_HASH_MAX])
{
	struct world w = { .random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, .kernel = kernel,
			   .seed = seed };

	rig_open(&w.rig, kernel, CPUS);
	for (int i = 0; i < FILES; i++)
		w.files[i] = rig_file(&w.rig, FILE_PAGES);
	w.groups[w.nr_groups++] = rig_group(&w.rig, RIG_ROOT, "first", 300);
	for (w.op = 0; w.op < OPS; w.op++) {
		act(&w);
		if (w.op % CHECK_EVERY == 0)
			check_world(&w);
		if (w.rig.nr_events > 100000)
			rig_forget(&w.rig);
	}
	check_world(&w);
	run_hash(w.rig.run, hash);
	rig_close(&w.rig);
}

static void laws_hold_under_random_ops(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			char hash[RUN_HASH_MAX];

			live(rig_kernels[k], seed, hash);
		}
	}
}

static void the_same_ops_give_the_same_state(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		char first[RUN_HASH_MAX], second[RUN_HASH_MAX], other[RUN_HASH_MAX];

		live(rig_kernels[k], 99, first);
		live(rig_kernels[k], 99, second);
		live(rig_kernels[k], 100, other);
		assert_string_equal(first, second);
		assert_string_not_equal(first, other);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(laws_hold_under_random_ops),
		cmocka_unit_test(the_same_ops_give_the_same_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
