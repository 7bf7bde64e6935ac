/*
 * Memory that a fork shares: who is charged for which page, before and after
 * somebody writes, and what is left when they end.
 */
#include "anon_vma.h"
#include "inherited.h"
#include "oom.h"
#include "opened.h"
#include "rig.h"
#include "rmap.h"
#include "run_private.h"
#include "shrink.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"

enum { PAGES = 64, CLUSTER = 32, TABLES = 100 };

/* A parent in its group with memory that it wrote, and a child that was moved to another group. */
struct family {
	struct rig rig;
	struct machine *m;
	uint32_t group, other;
	uint32_t parent, child;
	uint32_t map, copy;
};

static uint32_t fork_of(struct rig *rig, uint32_t task, uint32_t cpu)
{
	return rig_apply(rig,
			 &(struct op){ .kind = OP_FORK, .task = task, .cpu = cpu, .name = "child" })
		.id;
}

static void family_open(struct family *f, const char *kernel, uint32_t cpus)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, cpus);
	sc.swap_pages = 1000;
	rig_open_scenario(&f->rig, &sc);
	f->m = run_machine(f->rig.run);
	f->group = rig_group(&f->rig, RIG_ROOT, "g", 0);
	f->other = rig_group(&f->rig, RIG_ROOT, "other", 0);
	f->parent = rig_task(&f->rig, f->group, 0);
	f->map = rig_map(&f->rig, f->parent, PAGES);
	assert_int_equal(rig_touch(&f->rig, f->parent, f->map, 0, PAGES), OP_DONE);
	f->child = fork_of(&f->rig, f->parent, cpus - 1);
	f->copy = run_inherited(f->rig.run, f->child, f->map);
	assert_int_not_equal(f->copy, 0);
	rig_apply(&f->rig,
		  &(struct op){ .kind = OP_TASK_MOVE, .task = f->child, .object = f->other });
	rig_drain(&f->rig, f->parent);
}

static void write_to(struct family *f, uint32_t task, uint32_t map, pages_t first, pages_t nr)
{
	assert_int_equal(rig_touch(&f->rig, task, map, first, nr), OP_DONE);
	rig_check(&f->rig, "after a write");
}

static void read_from(struct family *f, uint32_t task, uint32_t map, pages_t nr)
{
	struct op op = { .kind = OP_TOUCH,
			 .task = task,
			 .object = map,
			 .length = nr * PAGE_BYTES,
			 .flags = OPF_READ };

	assert_int_equal(rig_apply(&f->rig, &op).outcome, OP_DONE);
	rig_check(&f->rig, "after a read");
}

static void end(struct family *f, uint32_t task)
{
	rig_apply(&f->rig, &(struct op){ .kind = OP_TASK_EXIT, .task = task });
	rig_check(&f->rig, "after an exit");
}

static pages_t rss(struct family *f, uint32_t task)
{
	struct run_task figures;

	assert_true(run_task(f->rig.run, task, &figures));
	return figures.rss;
}

static pages_t memory(struct family *f, uint32_t group)
{
	return rig_memcg(&f->rig, group).memory;
}

/* Pages of a forked mapping that are present, and those of them that are young. */
static void count_entries(struct family *f, uint32_t map, pages_t *present, pages_t *young)
{
	*present = *young = 0;
	for (pages_t i = 0; i < PAGES; i++) {
		*present += (*rmap_entry(f->m, map, i) & PTE_PRESENT) != 0;
		*young += (*rmap_entry(f->m, map, i) & PTE_YOUNG) != 0;
	}
}

/* Nobody is charged again for what both map; the child has used none of it yet. */
static void fork_charges_no_page(void **state)
{
	(void)state;
	for (size_t i = 0; rig_kernels[i]; i++) {
		pages_t present, young;
		struct family f;

		family_open(&f, rig_kernels[i], 1);
		rig_check(&f.rig, rig_kernels[i]);
		assert_int_equal(memory(&f, f.group), PAGES);
		assert_int_equal(memory(&f, f.other), 0);
		assert_int_equal(rss(&f, f.parent), PAGES);
		assert_int_equal(rss(&f, f.child), PAGES);
		count_entries(&f, f.copy, &present, &young);
		assert_int_equal(present, PAGES);
		assert_int_equal(young, 0);
		rig_close(&f.rig);
	}
}

/* One reads 0-3, the other goes on at 4 where a read of the first would: no page is new, so each
 * is used once.  Opened anew by the parent it is another's; the child keeps where it was. */
static void parent_and_child_share_where_a_read_ended(void **state)
{
	(void)state;
	for (size_t i = 0; rig_kernels[i]; i++) {
		struct op fork = { .kind = OP_FORK, .cpu = 0, .name = "child" };
		const struct open_file *mine, *its;
		struct op open = { .kind = OP_OPEN };
		struct family f;
		uint32_t file, child;

		family_open(&f, rig_kernels[i], 1);
		file = rig_file(&f.rig, 100);
		rig_read(&f.rig, f.parent, file, 0, 4);
		fork.task = f.parent;
		child = rig_apply(&f.rig, &fork).id;
		mine = opened_find(f.m, f.parent, file, 0);
		assert_ptr_equal(opened_find(f.m, child, file, 0), mine);
		assert_int_equal(mine->prev_index, 3);
		fork.task = child;
		assert_ptr_equal(opened_find(f.m, rig_apply(&f.rig, &fork).id, file, 0), mine);
		rig_read(&f.rig, child, file, 4, 4);
		assert_int_equal(mine->prev_index, 7);
		open.task = f.parent;
		open.object = file;
		rig_apply(&f.rig, &open);
		mine = opened_find(f.m, f.parent, file, 0);
		its = opened_find(f.m, child, file, 0);
		assert_int_equal(mine->prev_index, UINT64_MAX);
		assert_int_equal(its->prev_index, 7);
		rig_check(&f.rig, "opened anew");
		rig_close(&f.rig);
	}
}

/* The copy is the writer's, whoever that is; the page stays whose it was, and rss is as before. */
static void the_writer_pays_for_a_copy(void **state)
{
	(void)state;
	for (size_t i = 0; rig_kernels[i]; i++) {
		struct family f;

		family_open(&f, rig_kernels[i], 1);
		write_to(&f, f.child, f.copy, 0, 10);
		assert_int_equal(memory(&f, f.group), PAGES);
		assert_int_equal(memory(&f, f.other), 10);
		/* Those ten are the parent's alone now: it writes to them as they are. */
		write_to(&f, f.parent, f.map, 0, 10);
		assert_int_equal(memory(&f, f.group), PAGES);
		/* Of the others it gets copies, and the old ones are the child's to use. */
		write_to(&f, f.parent, f.map, 10, 5);
		assert_int_equal(memory(&f, f.group), PAGES + 5);
		assert_int_equal(memory(&f, f.other), 10);
		write_to(&f, f.child, f.copy, 10, 5);
		assert_int_equal(memory(&f, f.group), PAGES + 5);
		assert_int_equal(memory(&f, f.other), 10);
		assert_int_equal(rss(&f, f.parent), PAGES);
		assert_int_equal(rss(&f, f.child), PAGES);
		rig_close(&f.rig);
	}
}

/* The window is the open file's, which both have; its pages are the reader's own. */
static void who_reads_ahead_is_charged(void **state)
{
	struct op fork = { .kind = OP_FORK, .name = "child" };
	uint32_t group, other, file;
	struct scenario sc;
	struct rig rig;

	(void)state;
	rig_scenario(&sc, "v6.18-v1", 1);
	sc.era.knobs.readahead = 32;
	rig_open_scenario(&rig, &sc);
	group = rig_group(&rig, RIG_ROOT, "g", 0);
	other = rig_group(&rig, RIG_ROOT, "other", 0);
	fork.task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 256);
	rig_read(&rig, fork.task, file, 0, 1);
	assert_int_equal(rig_memcg(&rig, group).charged, 4);
	fork.object = rig_apply(&rig, &fork).id;
	rig_apply(&rig, &(struct op){ .kind = OP_TASK_MOVE, .task = fork.object, .object = other });
	rig_apply(&rig, &(struct op){ .kind = OP_TASK_EXIT, .task = fork.task });
	rig_read(&rig, fork.object, file, 1, 7);
	assert_int_equal(rig_memcg(&rig, group).charged, 4);
	assert_true(rig_memcg(&rig, other).charged > 4);
	rig_check(&rig, "the child read on");
	rig_close(&rig);
}

/* What only reads copies nothing. */
static void readers_share_on(void **state)
{
	struct family f;

	(void)state;
	family_open(&f, "v2.6.31", 1);
	read_from(&f, f.child, f.copy, PAGES);
	assert_int_equal(memory(&f, f.group), PAGES);
	assert_int_equal(memory(&f, f.other), 0);
	rig_close(&f.rig);
}

/* A page lives as long as somebody has it, in the group that was charged for it. */
static void pages_end_with_their_last_user(void **state)
{
	(void)state;
	for (size_t i = 0; rig_kernels[i]; i++) {
		struct family f;

		family_open(&f, rig_kernels[i], 1);
		write_to(&f, f.child, f.copy, 0, 10);
		end(&f, f.parent);
		assert_int_equal(memory(&f, f.group), PAGES - 10);
		assert_int_equal(memory(&f, f.other), 10);
		assert_int_equal(rss(&f, f.child), PAGES);
		/* The child is alone with them, and need not copy. */
		write_to(&f, f.child, f.copy, 0, PAGES);
		assert_int_equal(memory(&f, f.other), 10);
		end(&f, f.child);
		assert_int_equal(memory(&f, f.group), 0);
		assert_int_equal(memory(&f, f.other), 0);
		rig_close(&f.rig);
	}
}

/* A page in another CPU's queue has one reference more than page tables: from v5.9 on it is
 * copied though nobody else maps it. */
static void a_page_that_another_cpu_holds_is_copied(void **state)
{
	static const struct {
		const char *kernel;
		pages_t copied;
	} rows[] = {
		{ "v3.5", 0 },
		{ "v3.5+reuse=held", 10 },
		{ EXACT_V1, 10 },
		{ EXACT_V1 "+reuse=mapped", 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct family f;
		uint32_t task, map, child, copy;

		family_open(&f, rows[i].kernel, 2);
		task = rig_task(&f.rig, f.group, 0);
		map = rig_map(&f.rig, task, 10);
		/* Ten pages wait in CPU 0's queue, and the child runs on CPU 1. */
		assert_int_equal(rig_touch(&f.rig, task, map, 0, 10), OP_DONE);
		child = fork_of(&f.rig, task, 1);
		copy = run_inherited(f.rig.run, child, map);
		/* The parent's entries go, but its CPU's queue is not emptied: a third has them. */
		for (pages_t page = 0; page < 10; page++) {
			uint32_t slot;

			assert_int_equal(anon_vma_drop(f.m, map, page, &slot), 1);
		}
		assert_int_equal(memory(&f, f.group), PAGES + 10);
		write_to(&f, child, copy, 0, 10);
		assert_int_equal(rss(&f, child), 10);
		/* The copies are there, and the old pages gone with their last entry. */
		assert_int_equal(rig_memcg(&f.rig, f.group).nr_charged,
				 PAGES + 10 + rows[i].copied);
		rig_close(&f.rig);
	}
}

static pages_t shrink_all(struct family *f)
{
	struct reclaim rc = { .target = f->group, .priority = 9, .want = CLUSTER };
	pages_t freed = 0;

	for (int i = 0; i < 4; i++) {
		const struct shrink sh = { .id = { f->group, 0, LRU_INACTIVE_ANON },
					   .nr_to_scan = CLUSTER };

		freed += shrink_inactive(f->m, &rc, &sh);
	}
	return freed;
}

/* The accessed bits of every table are forgotten. */
static void make_old(struct family *f)
{
	for (pages_t i = 0; i < PAGES; i++) {
		*rmap_entry(f->m, f->map, i) &= (uint8_t)~PTE_YOUNG;
		*rmap_entry(f->m, f->copy, i) &= (uint8_t)~PTE_YOUNG;
	}
}

/* What is in swap is shared like what is in memory: one slot, on the account of its page. */
static void swap_is_shared(void **state)
{
	struct family f;

	(void)state;
	family_open(&f, EXACT_V1, 1);
	make_old(&f);
	assert_int_equal(shrink_all(&f), PAGES);
	rig_check(&f.rig, "swapped out");
	assert_int_equal(rig_memcg(&f.rig, f.group).swap, PAGES);
	assert_int_equal(rss(&f, f.parent) + rss(&f, f.child), 0);
	/* The child reads: the page is its parent's group's, as the record of the slot says. */
	read_from(&f, f.child, f.copy, 8);
	assert_int_equal(memory(&f, f.group), 8);
	assert_int_equal(memory(&f, f.other), 0);
	/* The parent still has them in swap, so the slots stay taken. */
	assert_int_equal(rig_memcg(&f.rig, f.group).swap, PAGES);
	/* A write brings the page in and copies it. */
	write_to(&f, f.child, f.copy, 8, 8);
	assert_int_equal(memory(&f, f.group), 16);
	assert_int_equal(memory(&f, f.other), 8);
	/* What a reader got is shared still: a write to it copies. */
	write_to(&f, f.child, f.copy, 0, 2);
	assert_int_equal(memory(&f, f.other), 10);
	/* The last who has it frees the slot. */
	end(&f, f.child);
	assert_int_equal(rig_memcg(&f.rig, f.group).swap, PAGES);
	end(&f, f.parent);
	assert_int_equal(rig_memcg(&f.rig, f.group).swap, 0);
	assert_int_equal(memory(&f, f.group), 0);
	rig_close(&f.rig);
}

/* A task that ended leaves the swap slots that its child has on its group's account. */
static void swap_outlives_the_parent(void **state)
{
	struct family f;

	(void)state;
	family_open(&f, EXACT_V1, 1);
	make_old(&f);
	assert_int_equal(shrink_all(&f), PAGES);
	end(&f, f.parent);
	assert_int_equal(rig_memcg(&f.rig, f.group).swap, PAGES);
	rig_apply(&f.rig, &(struct op){ .kind = OP_GROUP_REMOVE, .object = f.group });
	rig_check(&f.rig, "the parent's group is gone");
	/* Its parent has them now; what comes back is charged to it, too. */
	assert_int_equal(rig_memcg(&f.rig, RIG_ROOT).swap, PAGES);
	write_to(&f, f.child, f.copy, 0, PAGES);
	assert_int_equal(rss(&f, f.child), PAGES);
	assert_int_equal(rig_memcg(&f.rig, RIG_ROOT).swap, 0);
	rig_close(&f.rig);
}

/* Who is killed: what a task shares counts for it whole, in memory and in swap. */
static void shared_swap_counts_for_each(void **state)
{
	struct family f;
	int64_t alone;

	(void)state;
	family_open(&f, EXACT_V1, 1);
	/* A child is as likely to be chosen as its parent. */
	f.m->task[f.parent].oom_adj = -1;
	assert_int_equal(f.m->task[fork_of(&f.rig, f.parent, 0)].oom_adj, -1);
	f.m->task[f.parent].oom_adj = 0;
	alone = oom_select(f.m, f.other).score;
	assert_int_equal(alone, PAGES);
	make_old(&f);
	assert_int_equal(shrink_all(&f), PAGES);
	assert_int_equal(rss(&f, f.child), 0);
	assert_int_equal(oom_select(f.m, f.other).score, alone);
	assert_int_equal(oom_select(f.m, f.group).score, alone);
	rig_close(&f.rig);
}

/* One table that used the page is enough; two activate it from v3.3 on, if both are asked. */
static void every_table_is_asked(void **state)
{
	struct reclaim rc = { .global = true, .priority = 9, .want = CLUSTER };
	struct family f;
	uint32_t slot;

	(void)state;
	family_open(&f, EXACT_V1, 1);
	make_old(&f);
	slot = anon_vma_slot(f.m, f.map, 0);
	assert_int_equal(rmap_uses(f.m, &rc, slot).nr, 0);
	*rmap_entry(f.m, f.copy, 0) |= PTE_YOUNG;
	assert_int_equal(rmap_uses(f.m, &rc, slot).nr, 1);
	assert_int_equal(rmap_uses(f.m, &rc, slot).nr, 0);
	*rmap_entry(f.m, f.copy, 0) |= PTE_YOUNG;
	*rmap_entry(f.m, f.map, 0) |= PTE_YOUNG;
	assert_int_equal(rmap_uses(f.m, &rc, slot).nr, 2);
	/* Reclaim for the parent's group does not ask the child's, which is in another. */
	rc = (struct reclaim){ .target = f.group, .priority = 9, .want = CLUSTER };
	*rmap_entry(f.m, f.copy, 0) |= PTE_YOUNG;
	assert_int_equal(rmap_uses(f.m, &rc, slot).nr, 0);
	rig_close(&f.rig);
}

/* The parent's group pays for the child's page table, its stack of 16 KiB, and the records: 184
 * bytes and 72 for the parent's, which makes no page more. */
static void page_tables_are_copied(void **state)
{
	struct family f;
	uint32_t task, map, child, grandchild, bytes;
	pages_t before;

	(void)state;
	family_open(&f, "v6.18-v1", 1);
	task = rig_task(&f.rig, f.group, 0);
	map = rig_map(&f.rig, task, 3 * 512);
	/* Two of its three tables are there. */
	assert_int_equal(rig_touch(&f.rig, task, map, 0, 1), OP_DONE);
	assert_int_equal(rig_touch(&f.rig, task, map, 1024, 1), OP_DONE);
	before = rig_memcg(&f.rig, f.group).kmem;
	bytes = f.m->cpu[0].byte_nr;
	child = fork_of(&f.rig, task, 0);
	assert_int_equal(rig_memcg(&f.rig, f.group).kmem, before + 2 + 4);
	assert_int_equal(bytes - f.m->cpu[0].byte_nr, 72 + 184);
	assert_int_equal(f.m->task[child].tables, 2);
	grandchild = fork_of(&f.rig, child, 0);
	assert_int_equal(rig_memcg(&f.rig, f.group).kmem, before + 2 * (2 + 4));
	assert_int_equal(bytes - f.m->cpu[0].byte_nr, 72 + 184 + 2 * 72 + 184);
	assert_int_equal(f.m->pages
				 .mapping[run_inherited(f.rig.run, grandchild,
							run_inherited(f.rig.run, child, map))]
				 .forked.depth,
			 2);
	end(&f, child);
	end(&f, grandchild);
	assert_int_equal(rig_memcg(&f.rig, f.group).kmem, before);
	assert_int_equal(f.m->cpu[0].byte_nr, bytes);
	rig_close(&f.rig);
}

/* A limit that has no room for page tables: no child, and nothing is left of it. */
static void a_fork_that_is_refused_leaves_nothing(void **state)
{
	struct op op = { .kind = OP_FORK, .name = "child" };
	struct op_result res;
	struct family f;
	uint32_t task, map;
	struct run_memcg before, after;

	(void)state;
	family_open(&f, "v6.18-v1", 1);
	task = rig_task(&f.rig, f.other, 0);
	map = rig_map(&f.rig, task, TABLES * 512);
	for (pages_t i = 0; i < TABLES; i++)
		assert_int_equal(rig_touch(&f.rig, task, map, i * 512, 1), OP_DONE);
	end(&f, f.child);
	rig_apply(&f.rig, &(struct op){ .kind = OP_GROUP_SET,
					.object = f.other,
					.group = { GROUP_OOM_DISABLE, .oom_disable = true } });
	rig_apply(&f.rig, &(struct op){ .kind = OP_MLOCK,
					.task = task,
					.object = map,
					.length = PAGE_BYTES });
	before = rig_memcg(&f.rig, f.other);
	assert_int_equal(rig_limit(&f.rig, f.other, before.usage), OP_DONE);
	before = rig_memcg(&f.rig, f.other);
	f.m->sc.swap_pages = f.m->host->swap_used;
	op.task = task;
	res = rig_apply(&f.rig, &op);
	assert_int_equal(res.outcome, OP_BLOCKED);
	assert_int_equal(res.id, 0);
	rig_check(&f.rig, "after a fork that failed");
	after = rig_memcg(&f.rig, f.other);
	assert_int_equal(after.memory, before.memory);
	assert_true(after.kmem <= before.kmem + 1);
	rig_close(&f.rig);
}

/* Exec frees what the task alone has, and leaves what others have. */
static void exec_drops_the_address_space(void **state)
{
	(void)state;
	for (size_t i = 0; rig_kernels[i]; i++) {
		struct op op = { .kind = OP_EXECVE, .name = "program" };
		struct op touch = { .kind = OP_TOUCH, .length = PAGE_BYTES };
		struct op_result res;
		struct family f;
		struct diag diag;

		family_open(&f, rig_kernels[i], 1);
		write_to(&f, f.child, f.copy, 0, 10);
		op.task = f.child;
		op.object = rig_file(&f.rig, 32);
		res = rig_apply(&f.rig, &op);
		rig_check(&f.rig, "after exec");
		assert_int_equal(memory(&f, f.other), 0);
		assert_int_equal(memory(&f, f.group), PAGES);
		assert_int_equal(rss(&f, f.child), 0);
		assert_int_equal(f.m->task[f.child].total_vm, 32);
		assert_true(f.m->pages.mapping[res.id].exec);
		assert_int_equal(rig_touch(&f.rig, f.child, res.id, 0, 4), OP_DONE);
		/* What it had before is no memory of its any more. */
		touch.task = f.child;
		touch.object = f.copy;
		assert_int_equal(run_apply(f.rig.run, &touch, &res, &diag), ERR_SCENARIO);
		end(&f, f.child);
		rig_close(&f.rig);
	}
}

/* To v3.3 memory that three tasks map does not go with one of them; from v3.4 on all does. */
static void shared_memory_goes_with_a_task_that_moves(void **state)
{
	static const struct {
		const char *kernel;
		unsigned more;
		pages_t gone;
	} rows[] = {
		{ "v3.1", 0, PAGES }, { "v3.3", 0, PAGES }, { "v3.3", 1, 0 },
		{ "v3.5", 0, PAGES }, { "v3.5", 1, PAGES },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct op op = { .kind = OP_GROUP_SET,
				 .group = { GROUP_MOVE_CHARGE, .move_charge = 1 } };
		struct family f;

		family_open(&f, rows[i].kernel, 1);
		for (unsigned n = 0; n < rows[i].more; n++)
			fork_of(&f.rig, f.parent, 0);
		op.object = f.other;
		rig_apply(&f.rig, &op);
		rig_apply(&f.rig, &(struct op){ .kind = OP_TASK_MOVE,
						.task = f.parent,
						.object = f.other });
		rig_check(&f.rig, "after a move");
		assert_int_equal(memory(&f, f.other), rows[i].gone);
		assert_int_equal(memory(&f, f.group), PAGES - rows[i].gone);
		rig_close(&f.rig);
	}
}

/* A file that is mapped has to be faulted in anew, and is not locked in the child. */
static void mappings_of_files_begin_empty(void **state)
{
	struct op op = { .kind = OP_MAP_FILE, .name = "f", .flags = OPF_RANDOM };
	struct family f;
	uint32_t child, map, copy;

	(void)state;
	family_open(&f, EXACT_V1, 1);
	op.task = f.parent;
	op.object = rig_file(&f.rig, 32);
	map = rig_apply(&f.rig, &op).id;
	rig_apply(&f.rig, &(struct op){ .kind = OP_MLOCK,
					.task = f.parent,
					.object = map,
					.length = 32 * PAGE_BYTES });
	child = fork_of(&f.rig, f.parent, 0);
	copy = run_inherited(f.rig.run, child, map);
	rig_check(&f.rig, "after the fork");
	assert_int_equal(*rmap_entry(f.m, copy, 0), 0);
	assert_false(f.m->pages.mapping[copy].locked);
	assert_int_equal(f.m->pages.mapping[copy].advice, MAP_RANDOM);
	assert_int_equal(rig_touch(&f.rig, child, copy, 0, 32), OP_DONE);
	assert_int_equal(rig_memcg(&f.rig, f.group).mapped, 32);
	rig_close(&f.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fork_charges_no_page),
		cmocka_unit_test(parent_and_child_share_where_a_read_ended),
		cmocka_unit_test(the_writer_pays_for_a_copy),
		cmocka_unit_test(who_reads_ahead_is_charged),
		cmocka_unit_test(readers_share_on),
		cmocka_unit_test(pages_end_with_their_last_user),
		cmocka_unit_test(a_page_that_another_cpu_holds_is_copied),
		cmocka_unit_test(swap_is_shared),
		cmocka_unit_test(swap_outlives_the_parent),
		cmocka_unit_test(shared_swap_counts_for_each),
		cmocka_unit_test(every_table_is_asked),
		cmocka_unit_test(page_tables_are_copied),
		cmocka_unit_test(a_fork_that_is_refused_leaves_nothing),
		cmocka_unit_test(exec_drops_the_address_space),
		cmocka_unit_test(shared_memory_goes_with_a_task_that_moves),
		cmocka_unit_test(mappings_of_files_begin_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
