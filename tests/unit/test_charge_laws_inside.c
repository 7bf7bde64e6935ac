/*
 * Laws of accounting that take a look inside: who comes to a lock first has
 * it first and waits as long as those before him take, each page has one
 * owner, and a group's dirty pages are those whose flag says so.
 */
#include <string.h>

#include "rig.h"
#include "run_private.h"
#include "writeback.h"

enum { CPUS = 5, LOCKS = 2, HOLD = 100, TURNS = 4000, PAGES = 60, ROUNDS = 400 };

/* ---- law 8 ---- */

/* A lock as a queue of one server: who came when, and when the last one leaves. */
struct queue {
	ns_t last_arrival, last_start, free_at;
	uint64_t waits;
	ns_t waited, longest;
};

/* One acquisition is carried out; @q is what must come of it. */
static void take_turn(struct locks *locks, struct queue *q, uint32_t first)
{
	uint32_t cpu, lock;
	ns_t arrival = locks_earliest(locks, &cpu), start;

	lock = locks->note[cpu * LOCK_NOTES + locks->cpu[cpu].done].lock;
	q += lock - first;
	locks_run(locks, cpu);
	start = locks->cpu[cpu].start;
	/* The order of coming is the order of having. */
	assert_true(arrival >= q->last_arrival && start >= q->last_start);
	assert_true(start == (arrival > q->free_at ? arrival : q->free_at));
	if (start > arrival) {
		q->waits++;
		q->waited += start - arrival;
		q->longest = start - arrival > q->longest ? start - arrival : q->longest;
	}
	q->last_arrival = arrival;
	q->last_start = start;
	q->free_at = locks->lock[lock].free_at;
	assert_int_equal(q->free_at - start, HOLD);
}

static void waits_are_what_those_before_take(void **state)
{
	struct queue q[LOCKS] = { { 0 } };
	struct run_lock got;
	struct scenario sc;
	struct locks *locks;
	struct rig rig;
	uint32_t class, first, cpu;

	(void)state;
	rig_scenario(&sc, "v2.6.31", CPUS);
	sc.locks = true;
	rig_open_scenario(&rig, &sc);
	locks = &run_machine(rig.run)->locks;
	class = lock_class_new(locks, "test", HOLD, 0, false);
	first = lock_new(locks, class, 0, LOCKS);
	for (unsigned n = 0; n < TURNS; n++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			ns_t now = locks->cpu[cpu].next + (n * 53 + cpu * 29) % 211;

			if (locks_pending(locks, cpu))
				continue;
			locks_begin(locks, cpu, 0, now);
			lock_note(locks, cpu, first + (n + cpu) % LOCKS, LOCK_SITE_CHARGE, now);
			locks_end(locks, cpu, now);
		}
		take_turn(locks, q, first);
	}
	assert_true(run_lock(rig.run, class, &got));
	assert_int_equal(got.sum.hold.nr, TURNS);
	assert_true(q[0].waits > TURNS / 8 && q[0].waits < TURNS / 2);
	assert_int_equal(got.sum.wait.nr, q[0].waits + q[1].waits);
	assert_int_equal(got.sum.wait.total, q[0].waited + q[1].waited);
	assert_int_equal(got.sum.wait.max,
			 q[0].longest > q[1].longest ? q[0].longest : q[1].longest);
	rig_close(&rig);
}

/* ---- laws 9 and 11 ---- */

/* Two groups that read, write and touch the same files, in turns of their own. */
struct pair {
	struct rig rig;
	struct machine *m;
	uint32_t group[2], task[2], map[2], file[2];
};

static void pair_open(struct pair *p, const char *kernel)
{
	rig_open(&p->rig, kernel, 2);
	p->m = run_machine(p->rig.run);
	for (uint32_t i = 0; i < 2; i++) {
		p->group[i] = rig_group(&p->rig, RIG_ROOT, i ? "b" : "a", i ? 0 : 2 * PAGES);
		p->task[i] = rig_task(&p->rig, p->group[i], i);
		p->file[i] = rig_file(&p->rig, 2 * PAGES);
		p->map[i] = rig_map(&p->rig, p->task[i], PAGES);
	}
}

static void pair_act(struct pair *p, uint32_t n)
{
	static const enum op_kind kinds[] = { OP_WRITE, OP_READ, OP_WRITE, OP_TOUCH, OP_WRITE,
					      OP_READ,	OP_FSYNC, OP_UNMAP };
	uint32_t who = n * 7 % 3 & 1;
	struct op op = { .kind = kinds[n * 5 % 8], .task = p->task[who] };

	op.object = op.kind == OP_TOUCH || op.kind == OP_UNMAP ? p->map[who] : p->file[n % 2];
	op.offset = n * 37 % PAGES * PAGE_BYTES;
	op.length = (1 + n * 11 % (PAGES - n * 37 % PAGES)) * PAGE_BYTES;
	rig_apply(&p->rig, &op);
	if (n % 5 == 0)
		writeback_start_file(p->m, p->file[n % 2], 3);
	if (n % 41 == 0)
		rig_apply(&p->rig, &(struct op){ .kind = OP_FILE_DROP, .object = p->file[0] });
}

/* What the pages themselves say of a group. */
struct seen {
	pages_t owned, dirty, writeback;
};

static void see(const struct pair *p, struct seen seen[MEMCG_MAX + 1])
{
	const struct machine *m = p->m;

	memset(seen, 0, (MEMCG_MAX + 1) * sizeof(seen[0]));
	for (uint32_t slot = LEAF_SLOTS; slot < m->block.region[REGION_LEAF].used << LEAF_SHIFT;
	     slot++) {
		uint32_t word = m->pages.slot[slot].word;

		if (!(word & PG_RESIDENT))
			continue;
		seen[word & PG_MEMCG].owned++;
		/* Memory is written to swap, which nobody counts as dirty. */
		seen[word & PG_MEMCG].dirty += !(word & PG_ANON) && (word & PG_DIRTY);
		seen[word & PG_MEMCG].writeback += !(word & PG_ANON) && (word & PG_WRITEBACK);
	}
}

static void a_page_has_one_owner_and_is_dirty_for_it(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v3.5+stat=dirty", "v6.18-v1" };
	static struct seen seen[MEMCG_MAX + 1];

	(void)state;
	for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		pages_t dirty = 0, writeback = 0, all = 0;
		struct pair p;

		pair_open(&p, kernels[k]);
		for (uint32_t n = 0; n < ROUNDS; n++) {
			struct seen sum = { 0 };

			pair_act(&p, n);
			see(&p, seen);
			assert_int_equal(seen[0].owned, 0);
			for (uint32_t id = RIG_ROOT; id <= p.group[1]; id++) {
				struct run_memcg memcg = rig_memcg(&p.rig, id);

				assert_int_equal(memcg.charged, seen[id].owned);
				assert_int_equal(memcg.dirty, seen[id].dirty);
				assert_int_equal(memcg.writeback, seen[id].writeback);
				sum.owned += seen[id].owned;
				sum.dirty += seen[id].dirty;
				sum.writeback += seen[id].writeback;
			}
			assert_int_equal(sum.owned, p.m->host->resident);
			assert_int_equal(sum.dirty, p.m->host->dirty);
			assert_int_equal(sum.writeback, p.m->host->writeback);
			dirty = seen[p.group[1]].dirty > dirty ? seen[p.group[1]].dirty : dirty;
			writeback |= sum.writeback;
			all = sum.owned > all ? sum.owned : all;
		}
		/* There was something to be told apart. */
		assert_true(dirty > PAGES / 2 && writeback && all > 2 * PAGES);
		rig_close(&p.rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_are_what_those_before_take),
		cmocka_unit_test(a_page_has_one_owner_and_is_dirty_for_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
