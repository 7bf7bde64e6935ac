/*
 * Moving charges with a task.  All that will move is charged to the new group
 * before anything moves.  Follows mem_cgroup_can_attach() and
 * mem_cgroup_move_account(), mm/memcontrol.c, v3.1.
 */
#include "immigrate.h"

#include <assert.h>

#include "account.h"
#include "limit.h"
#include "policy.h"
#include "rmap.h"
#include "swap.h"

enum { FEW_TASKS = 2 };		/* that may map memory which goes (move_charge=few) */
enum { MOVE_MEMORY = 1, MOVE_FILES = 2 };	/* bits of move_charge_at_immigrate */

/* A page is visited: whether it goes, and then it goes. */
typedef void visit_fn(struct machine *m, uint32_t slot, uint32_t to, uint32_t cpu, pages_t *nr);

static void count_page(struct machine *m, uint32_t slot, uint32_t to, uint32_t cpu, pages_t *nr)
{
	(void)to;
	(void)cpu;
	*nr += page_nr(&m->pages, slot);
}

static void move_page(struct machine *m, uint32_t slot, uint32_t to, uint32_t cpu, pages_t *nr)
{
	uint32_t from = m->pages.slot[slot].word & PG_MEMCG;

	*nr -= page_nr(&m->pages, slot);
	remove_page_to(m, cpu, slot, to);
	account_moved(m, from);
}

/* Whether page @index of a task's mapping is one that goes: of its old group, listed, and of a file
 * one that it maps alone. */
static bool goes(const struct machine *m, uint32_t id, pages_t index, uint32_t slot)
{
	const struct mapping *map = &m->pages.mapping[id];
	uint32_t word = m->pages.slot[slot].word, view;

	if (map->forked.store)
		return false;
	if (!(word & PG_RESIDENT) || page_pos(word) != POS_LISTED ||
	    (word & PG_MEMCG) != m->task[map->task].memcg || slot != page_head(&m->pages, slot))
		return false;
	if (!map->file)
		return anon_vma_mapped(m, id, index, slot) &&
		       (machine_axis(m, AXIS_MOVE_CHARGE) != MOVE_CHARGE_FEW ||
			anon_vma_users(m, slot).present <= FEW_TASKS);
	if (!(*rmap_entry(m, id, index) & PTE_PRESENT))
		return false;
	for (view = m->pages.mapping[map->file].first_view; view;
	     view = m->pages.mapping[view].next_view)
		if (view != id && (*rmap_entry(m, view, index) & PTE_PRESENT))
			return false;
	return true;
}

static void each_page(struct machine *m, uint32_t task, uint32_t to, visit_fn *visit, pages_t *nr)
{
	uint32_t id, used = m->block.region[REGION_MAPPING].used;
	pages_t index;

	for (id = 1; id < used; id++) {
		const struct mapping *map = &m->pages.mapping[id];
		uint32_t bit = map->file ? MOVE_FILES : MOVE_MEMORY;

		if (map->task != task || !(machine_memcg(m, to)->move_charge & bit))
			continue;
		for (index = 0; index < map->nr_pages; index++) {
			uint32_t slot = rmap_slot(m, id, index);

			if (goes(m, id, index, slot))
				visit(m, slot, to, m->task[task].cpu, nr);
		}
	}
}

/* Charges all that will move.  Returns: false if there is no room, and nothing is charged. */
static bool charge_ahead(struct machine *m, uint32_t task, uint32_t to, pages_t *charged)
{
	pages_t nr = 0, done;
	uint32_t i;

	for (i = 0; i < m->sc.cpus; i++)
		pagevec_drain(m, i);
	each_page(m, task, to, count_page, &nr);
	for (done = 0; done < nr; done++)
		if (!limit_charge_idle(m, m->task[task].cpu, to, 1))
			break;
	*charged = done;
	if (done == nr)
		return true;
	if (done)
		counter_uncharge(&m->memcgs, to, done);
	return false;
}

bool immigrate_task(struct machine *m, uint32_t task_id, uint32_t memcg)
{
	struct task *task = &m->task[task_id];
	bool moves = machine_memcg(m, memcg)->move_charge && memcg != task->memcg;
	pages_t left = 0;

	assert(task->alive);
	if (moves)
		account_moving(m, task->memcg);
	if (moves && !charge_ahead(m, task_id, memcg, &left))
		return false;
	if (moves)
		each_page(m, task_id, memcg, move_page, &left);
	/* Reclaim for the new group may have freed some of them meanwhile. */
	if (left)
		counter_uncharge(&m->memcgs, memcg, left);
	machine_memcg(m, task->memcg)->nr_tasks--;
	swap_move(m, task_id, memcg);
	task->memcg = memcg;
	machine_memcg(m, memcg)->nr_tasks++;
	return true;
}
