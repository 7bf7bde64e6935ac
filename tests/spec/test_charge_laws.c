/*
 * Laws of accounting that are seen from outside: usage against pages and
 * stocks, levels against each other, limits at every event, lock statistics
 * that add up, the same tables from the same seed.  Each is shown on a
 * situation worked by hand first, and then on a storm: CPUs that read,
 * touch, unmap and end in groups of one hierarchy.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contention.h"
#include "memory_stat.h"
#include "rig.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

static void open_with_locks(struct rig *rig, const char *kernel, uint32_t cpus, uint64_t seed)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, cpus);
	sc.locks = true;
	sc.seed = seed;
	sc.swap_pages = 4096;
	rig_open_scenario(rig, &sc);
}

static void force_empty(struct rig *rig, uint32_t group)
{
	rig_apply(rig, &(struct op){ .kind = OP_FORCE_EMPTY, .object = group });
}

static void end_task(struct rig *rig, uint32_t task)
{
	rig_apply(rig, &(struct op){ .kind = OP_TASK_EXIT, .task = task });
}

static void is_used(struct rig *rig, uint32_t group, pages_t charged, pages_t stock, pages_t usage)
{
	struct run_memcg memcg = rig_memcg(rig, group);

	assert_int_equal(memcg.charged, charged);
	assert_int_equal(memcg.stock, stock);
	assert_int_equal(memcg.usage, usage);
}

/* Law 1: usage is the pages that are charged and what stocks hold; nothing goes below zero. */
static void usage_is_pages_and_stocks(void **state)
{
	uint32_t group, first, second, map;
	struct rig rig;

	(void)state;
	open_with_locks(&rig, "v2.6.33", 2, 1);
	group = rig_group(&rig, RIG_ROOT, "g", 0);
	first = rig_task(&rig, group, 0);
	second = rig_task(&rig, group, 1);
	map = rig_map(&rig, first, 33);
	/* Two batches of 32 on CPU 0, one on CPU 1. */
	rig_touch(&rig, first, map, 0, 33);
	is_used(&rig, group, 33, 31, 64);
	rig_touch(&rig, second, rig_map(&rig, second, 1), 0, 1);
	is_used(&rig, group, 34, 62, 96);
	/* What is uncharged goes into no stock; what its window gathered is gone with its end. */
	rig_unmap(&rig, first, map);
	is_used(&rig, group, 1, 62, 63);
	end_task(&rig, second);
	is_used(&rig, group, 0, 62, 62);
	end_task(&rig, first);
	force_empty(&rig, group);
	is_used(&rig, group, 0, 0, 0);
	/* Once more of nothing. */
	force_empty(&rig, group);
	is_used(&rig, group, 0, 0, 0);
	rig_close(&rig);
}

/* Law 2: 10 pages of a parent's own, 20 and 30 of its children's, each on a CPU of its own. */
static void a_parent_has_what_its_children_have(void **state)
{
	static const pages_t own[] = { 10, 20, 30 };
	static const struct { const char *kernel; pages_t parent, child[2]; } rows[] = {
		{ "v2.6.31", 60, { 20, 30 } },
		{ "v2.6.32", 60, { 20, 30 } },
		/* A batch each: 22, 12 and 2 pages are over. */
		{ "v2.6.33", 96, { 32, 32 } },
		{ "v3.19", 96, { 32, 32 } },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		uint32_t group[3], cpu;
		struct rig rig;

		open_with_locks(&rig, rows[i].kernel, 3, 1);
		group[0] = rig_hierarchy(&rig, RIG_ROOT, "parent", 0);
		group[1] = rig_group(&rig, group[0], "a", 0);
		group[2] = rig_group(&rig, group[0], "b", 0);
		for (cpu = 0; cpu < 3; cpu++) {
			uint32_t task = rig_task(&rig, group[cpu], cpu);

			rig_touch(&rig, task, rig_map(&rig, task, own[cpu]), 0, own[cpu]);
		}
		assert_int_equal(rig_memcg(&rig, group[0]).usage, rows[i].parent);
		assert_int_equal(rig_memcg(&rig, group[1]).usage, rows[i].child[0]);
		assert_int_equal(rig_memcg(&rig, group[2]).usage, rows[i].child[1]);
		rig_close(&rig);
	}
}

/* Law 4: 31 pages a CPU are over at most, and on each of four CPUs they are; none without stock. */
static void stocks_hold_31_pages_a_cpu_at_most(void **state)
{
	enum { CPUS = 4, ROUNDS = 70 };
	static const struct { const char *kernel; pages_t slack; } rows[] = {
		{ "v2.6.25", 0 },	{ "v2.6.31", 0 },
		{ "v2.6.32", 0 },	{ "v2.6.33", 31 },
		{ "v3.1", 31 },		{ "v3.6", 31 },
		{ "v3.17", 31 },	{ "v3.19", 31 },
		{ "v6.1+kmem=off", 63 },	{ "v6.18-v1+kmem=off", 63 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		uint32_t group, task[CPUS], map[CPUS], n;
		pages_t most = 0;
		struct rig rig;

		open_with_locks(&rig, rows[i].kernel, CPUS, 1);
		group = rig_group(&rig, RIG_ROOT, "g", 0);
		for (n = 0; n < CPUS; n++) {
			task[n] = rig_task(&rig, group, n);
			map[n] = rig_map(&rig, task[n], ROUNDS);
		}
		for (n = 0; n < CPUS * ROUNDS; n++) {
			struct run_memcg memcg;
			pages_t slack;

			rig_touch(&rig, task[n % CPUS], map[n % CPUS], n / CPUS, 1);
			memcg = rig_memcg(&rig, group);
			slack = memcg.usage - memcg.charged;
			assert_int_equal(slack, memcg.stock);
			if (slack > rows[i].slack * CPUS)
				fail_msg("%s: %d pages are over", rows[i].kernel, (int)slack);
			most = slack > most ? slack : most;
		}
		assert_int_equal(most, rows[i].slack * CPUS);
		rig_close(&rig);
	}
}

/* A line of memory.stat. */
static uint64_t stat_of(struct rig *rig, uint32_t group, const char *name)
{
	struct memory_stat line;

	for (uint32_t i = 0; memory_stat_line(rig->run, group, i, &line); i++)
		if (strcmp(line.name, name) == 0)
			return line.value;
	fail_msg("there is no line %s", name);
	return 0;
}

/* Law 10: 5 pages of a file and 7 of memory are taken, 7 and then 3 go, 2 of the file are left. */
static void charges_less_uncharges_are_cache_and_rss(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v2.6.33", "v3.1", "v3.19" };

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct op drop = { .kind = OP_FILE_DROP, .length = 3 * PAGE_BYTES };
		uint32_t group, task, map;
		struct rig rig;

		open_with_locks(&rig, kernels[i], 1, 1);
		group = rig_group(&rig, RIG_ROOT, "g", 0);
		task = rig_task(&rig, group, 0);
		map = rig_map(&rig, task, 7);
		drop.object = rig_file(&rig, 5);
		rig_read(&rig, task, drop.object, 0, 5);
		rig_touch(&rig, task, map, 0, 7);
		assert_int_equal(stat_of(&rig, group, "pgpgin"), 12);
		assert_int_equal(stat_of(&rig, group, "pgpgout"), 0);
		assert_int_equal(stat_of(&rig, group, "cache"), 5 * PAGE_BYTES);
		assert_int_equal(stat_of(&rig, group, "rss"), 7 * PAGE_BYTES);
		rig_unmap(&rig, task, map);
		rig_apply(&rig, &drop);
		assert_int_equal(stat_of(&rig, group, "pgpgin"), 12);
		assert_int_equal(stat_of(&rig, group, "pgpgout"), 10);
		assert_int_equal(stat_of(&rig, group, "cache"), 2 * PAGE_BYTES);
		assert_int_equal(stat_of(&rig, group, "rss"), 0);
		rig_close(&rig);
	}
}

/* ---- a storm ---- */

enum { STORM_CPUS = 4, STORM_GROUPS = 3, STORM_PAGES = 90, STORM_OPS = 160 };

/* What one task does, over and over, and what it remembers of it. */
struct storm_task {
	struct run *run;
	uint32_t task, map, file, actor;
	unsigned op;
};

struct storm {
	struct rig rig;
	struct sink watch;
	uint32_t group[STORM_GROUPS];
	struct storm_task task[STORM_CPUS];
	uint64_t looks, above;	/* groups looked at, of them above their limit */
	const char *kernel;
};

static enum workload_state next_op(void *ctx, const struct op_result *last, struct op *op,
				   struct diag *diag)
{
	struct storm_task *t = ctx;
	struct run_task task;

	(void)diag;
	if (!run_task(t->run, t->task, &task) || !task.alive || t->op == STORM_OPS)
		return WORKLOAD_END;
	*op = (struct op){ .task = t->task, .actor = t->actor, .name = "m" };
	if (t->op > 0 && t->op % 4 == 1)
		t->map = last->id;
	op->length = STORM_PAGES * PAGE_BYTES;
	op->object = t->map;
	op->chunk = 8 * PAGE_BYTES;
	switch (t->op++ % 4) {
	case 0:
		op->kind = OP_MAP_ANON;
		break;
	case 1:
		op->kind = OP_TOUCH;
		break;
	case 2:
		op->kind = OP_UNMAP;
		break;
	default:
		op->kind = OP_READ;
		op->object = t->file;
	}
	return WORKLOAD_OP;
}

/* Every group at every event, that is in the middle of steps too. */
static enum err look(struct sink *sink, const struct event *event, struct diag *diag)
{
	struct storm *s = (struct storm *)((char *)sink - offsetof(struct storm, watch));

	(void)event;
	(void)diag;
	for (uint32_t id = 2; id <= run_memcg_max(s->rig.run); id++) {
		struct run_memcg memcg;

		if (!run_memcg(s->rig.run, id, &memcg))
			continue;
		s->looks++;
		s->above += memcg.usage > memcg.limit;
	}
	return ERR_OK;
}

/* A parent of @limit pages and two children; a task on each CPU, two of them in one group. */
static void storm_open(struct storm *s, const char *kernel, uint32_t cpus, pages_t limit,
		       uint64_t seed)
{
	memset(s, 0, sizeof(*s));
	s->kernel = kernel;
	open_with_locks(&s->rig, kernel, cpus, seed);
	s->watch = (struct sink){ .name = "watch", .mask = ~0u, .event = look };
	assert_int_equal(run_add_sink(s->rig.run, &s->watch, &s->rig.diag), ERR_OK);
	s->group[0] = rig_hierarchy(&s->rig, RIG_ROOT, "parent", limit);
	s->group[1] = rig_group(&s->rig, s->group[0], "a", limit ? limit / 2 : 0);
	s->group[2] = rig_group(&s->rig, s->group[0], "b", 0);
	for (uint32_t i = 0; i < cpus; i++) {
		struct storm_task *t = &s->task[i];
		struct workload workload = { t, next_op };
		uint32_t parent = i ? s->task[0].actor : RUN_NO_ACTOR;

		t->run = s->rig.run;

		t->task = rig_task(&s->rig, s->group[i % STORM_GROUPS], i);
		t->file = rig_file(&s->rig, STORM_PAGES);
		assert_int_equal(run_spawn(s->rig.run, parent, &workload, &t->actor, &s->rig.diag),
				 ERR_OK);
	}
}

static void storm_run(struct storm *s)
{
	if (run_until(s->rig.run, UINT64_MAX, NULL, &s->rig.diag))
		fail_msg("%s: %s", s->kernel, s->rig.diag.text);
	rig_check(&s->rig, s->kernel);
}

/* Law 3: usage is within the limit at every instant, while a group is reclaimed too. */
static void usage_never_passes_a_limit(void **state)
{
	static const char *const kernels[] = {
		"v2.6.31", "v2.6.32", "v2.6.31+charge=rfc+nr_cpus=8", "v2.6.33", "v3.1", "v3.3",
		"v3.6", "v3.17", "v3.19",
	};

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct storm s;

		storm_open(&s, kernels[i], STORM_CPUS, 150, 7);
		storm_run(&s);
		if (s.above || s.looks < 1000)
			fail_msg("%s: %d of %d above the limit", kernels[i], (int)s.above,
				 (int)s.looks);
		/* The limit was met: nothing is shown by one that nobody comes near. */
		assert_true(rig_memcg(&s.rig, s.group[0]).failcnt > 0);
		assert_true(rig_memcg(&s.rig, s.group[0]).peak == 150);
		rig_close(&s.rig);
	}
}

static uint64_t at_sites(const struct lock_sites *sites)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < sites->nr; i++)
		sum += sites->count[i];
	return sum;
}

/*
 * Laws 5 and 6.  Without limits the sites are two, and what each takes is known from the pages:
 * memory and memsw of d levels for each charge and for each uncharge; d is 1 for the parent and
 * 2 for its children.
 */
static void acquisitions_are_those_of_the_sites(void **state)
{
	struct run_lock lock;
	uint64_t want = 0;
	struct storm s;

	(void)state;
	storm_open(&s, "v2.6.31", STORM_CPUS, 0, 7);
	storm_run(&s);
	for (size_t i = 0; i < STORM_GROUPS; i++) {
		struct run_memcg memcg = rig_memcg(&s.rig, s.group[i]);

		want += (memcg.nr_charged + memcg.nr_uncharged) * 2 * (i ? 2 : 1);
	}
	assert_true(run_lock(s.rig.run, 0, &lock));
	assert_int_equal(lock.sum.hold.nr, want);
	assert_true(lock.sum.wait.nr > 100);
	assert_int_equal(lock.waiter.nr, 2);
	assert_int_equal(at_sites(&lock.waiter), lock.sum.wait.nr);
	assert_int_equal(at_sites(&lock.holder), lock.sum.wait.nr);
	assert_true(lock.sum.con_bounces <= lock.sum.wait.nr);
	assert_true(lock.sum.wait.nr <= lock.sum.hold.nr);
	assert_true(lock.sum.acq_bounces <= lock.sum.hold.nr);
	assert_true(lock.sum.con_bounces > 0 && lock.sum.acq_bounces > 0);
	rig_close(&s.rig);
}

/* Laws 6 and 7, in kernels with and without stock, limits and undone charges. */
static void bounces_are_fewer_than_what_bounces(void **state)
{
	static const char *const kernels[] = {
		"v2.6.31", "v2.6.32", "v2.6.31+charge=rfc+nr_cpus=8", "v2.6.33", "v3.1", "v3.17",
		"v3.19",
	};

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		for (uint32_t cpus = 1; cpus <= STORM_CPUS; cpus += STORM_CPUS - 1) {
			struct run_lock lock;
			struct storm s;

			storm_open(&s, kernels[i], cpus, 150, 7);
			storm_run(&s);
			assert_true(run_lock(s.rig.run, 0, &lock));
			assert_true(lock.sum.hold.nr > 100);
			assert_true(lock.sum.con_bounces <= lock.sum.wait.nr);
			assert_true(lock.sum.wait.nr <= lock.sum.hold.nr);
			assert_true(lock.sum.acq_bounces <= lock.sum.hold.nr);
			if ((lock.sum.acq_bounces == 0) != (cpus == 1) ||
			    (cpus == 1 && lock.sum.wait.nr + lock.sum.con_bounces > 0))
				fail_msg("%s, %d CPUs: %d waits, %d bounces", kernels[i], (int)cpus,
					 (int)lock.sum.wait.nr, (int)lock.sum.acq_bounces);
			rig_close(&s.rig);
		}
	}
}

/* All that a storm leaves in tables. */
struct tables {
	struct run_lock lock;
	struct run_memcg memcg[STORM_GROUPS];
	size_t nr_events;
	char hash[RUN_HASH_MAX];
};

static void tables_of(const char *kernel, uint64_t seed, struct tables *out)
{
	struct storm s;

	memset(out, 0, sizeof(*out));
	storm_open(&s, kernel, STORM_CPUS, 150, seed);
	storm_run(&s);
	assert_true(run_lock(s.rig.run, 0, &out->lock));
	for (size_t i = 0; i < STORM_GROUPS; i++)
		out->memcg[i] = rig_memcg(&s.rig, s.group[i]);
	out->nr_events = s.rig.nr_events;
	run_hash(s.rig.run, out->hash);
	rig_close(&s.rig);
}

/* Law 13. */
static void the_same_seed_gives_the_same_tables(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v2.6.33", "v3.19" };

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct tables first, second, other;

		tables_of(kernels[i], 7, &first);
		tables_of(kernels[i], 7, &second);
		tables_of(kernels[i], 8, &other);
		assert_memory_equal(&first.lock.sum, &second.lock.sum, sizeof(first.lock.sum));
		assert_memory_equal(&first.lock.waiter, &second.lock.waiter,
				    sizeof(first.lock.waiter));
		assert_memory_equal(&first.lock.holder, &second.lock.holder,
				    sizeof(first.lock.holder));
		for (size_t n = 0; n < STORM_GROUPS; n++) {
			assert_int_equal(first.memcg[n].nr_scanned, second.memcg[n].nr_scanned);
			assert_int_equal(first.memcg[n].failcnt, second.memcg[n].failcnt);
			assert_int_equal(first.memcg[n].pgpgout, second.memcg[n].pgpgout);
		}
		assert_int_equal(first.nr_events, second.nr_events);
		assert_string_equal(first.hash, second.hash);
		/* Another seed draws other holds; additions all take as long. */
		assert_true(first.lock.atomic ||
			    first.lock.sum.hold.total != other.lock.sum.hold.total);
		assert_string_not_equal(first.hash, other.hash);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(usage_is_pages_and_stocks),
		cmocka_unit_test(a_parent_has_what_its_children_have),
		cmocka_unit_test(stocks_hold_31_pages_a_cpu_at_most),
		cmocka_unit_test(charges_less_uncharges_are_cache_and_rss),
		cmocka_unit_test(usage_never_passes_a_limit),
		cmocka_unit_test(acquisitions_are_those_of_the_sites),
		cmocka_unit_test(bounces_are_fewer_than_what_bounces),
		cmocka_unit_test(the_same_seed_gives_the_same_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
