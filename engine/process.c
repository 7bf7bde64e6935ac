/*
 * What a task is made of, copied or replaced.  Follows kernel/fork.c and
 * fs/exec.c of v2.6.31 and v6.18.
 *
 * MODEL: a child's open files are its own, in the state in which the parent's
 * were, where the kernel shares them; a task's own records (task_struct,
 * vm_area_struct) are charged to nobody unless the scenario says how large they
 * are (OP_SLAB); no file is mapped for private writing.
 */
#include "process.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "anon.h"
#include "anon_vma.h"
#include "inherited.h"
#include "opened.h"
#include "policy.h"
#include "run_private.h"
#include "thread_stack.h"
#include "unmap.h"
#include "vma.h"

uint32_t process_new(struct machine *m, uint32_t memcg, uint32_t cpu, const char *name)
{
	uint32_t id = block_take(&m->block, REGION_TASK, 1);

	if (id == UINT32_MAX) {
		machine_full(m, "too many tasks for this version");
		return 0;
	}
	m->task[id].memcg = memcg;
	m->task[id].cpu = cpu;
	m->task[id].started = m->host->now;
	snprintf(m->task[id].name, OP_NAME_MAX, "%s", name);
	return id;
}

void process_begin(struct machine *m, uint32_t task)
{
	assert(!m->task[task].alive);
	m->task[task].alive = true;
	machine_memcg(m, m->task[task].memcg)->nr_tasks++;
}

void process_maps(struct machine *m, uint32_t task_id, uint32_t mapping)
{
	struct task *task = &m->task[task_id];

	assert(!m->pages.mapping[mapping].task);
	m->pages.mapping[mapping].task = task_id;
	task->total_vm += m->pages.mapping[mapping].nr_pages;
	if (!task->first_map)
		task->first_map = mapping;
}

/* A task maps a file that it has open.  Returns: the mapping, UINT32_MAX if there is no room. */
static uint32_t map_file(struct machine *m, uint32_t task, const struct mapping *file,
			 uint32_t open)
{
	uint32_t id = page_view_new(&m->pages, file->name, (uint32_t)(file - m->pages.mapping));

	if (id == UINT32_MAX) {
		machine_full(m, "mappings are too many for this version");
		return id;
	}
	m->pages.mapping[id].open = open;
	process_maps(m, task, id);
	return id;
}

void process_map_file(struct machine *m, const struct op *op, struct op_result *res)
{
	struct open_file *open = opened_find(m, op->task, op->object, op->handle);
	struct mapping *map;

	if (!open)
		return;
	res->id = map_file(m, op->task, &m->pages.mapping[op->object],
			   (uint32_t)(open - m->open) + 1);
	if (res->id == UINT32_MAX)
		return;
	map = &m->pages.mapping[res->id];
	snprintf(map->name, sizeof(map->name), "%s", op->name);
	map->exec = (op->flags & OPF_EXEC) != 0;
	map->advice = op->flags & OPF_RANDOM       ? MAP_RANDOM
		      : op->flags & OPF_SEQUENTIAL ? MAP_SEQUENTIAL
						   : MAP_NORMAL;
}

/* Page tables over memory are copied: as many as the parent has, for the parent to pay. */
static enum limit_result copy_tables(struct machine *m, uint32_t parent, uint32_t from, uint32_t to)
{
	struct mapping *old = &m->pages.mapping[from], *copy = &m->pages.mapping[to];
	enum limit_result result = LIMIT_OK;
	pages_t index;

	assert(!copy->nr_tables && old->task == parent);
	for (index = 0; result == LIMIT_OK && index < old->nr_pages;
	     index += (pages_t)1 << TABLE_SHIFT) {
		if (!*page_table_flag(&m->pages, old, index))
			continue;
		result = limit_charge_kmem(m, parent, m->task[parent].memcg, KMEM_PAGETABLES);
		if (result != LIMIT_OK)
			continue;
		*page_table_flag(&m->pages, copy, index) = m->task[parent].memcg;
		copy->nr_tables++;
		m->task[copy->task].tables++;
	}
	return result;
}

/* The records of who maps the pages: of each piece one for each memory that it comes from, and one
 * of its own. */
static enum limit_result copy_records(struct machine *m, uint32_t parent, const struct mapping *old,
				      struct mapping *copy)
{
	uint32_t memcg = m->task[parent].memcg, chains;
	enum limit_result result;

	if (!old->records)
		return LIMIT_OK;
	copy->forked.depth = old->forked.depth + 1;
	chains = unmap_chains(m, copy);
	result = anon_charge_chains(m, parent, memcg, chains);
	if (result != LIMIT_OK)
		return result;
	result = limit_charge_bytes(m, parent, memcg, KMEM_ANON_VMA, ANON_VMA_BYTES);
	copy->records = result == LIMIT_OK ? memcg : MEMCG_NONE;
	if (result != LIMIT_OK)
		charge_give_chains(m, m->task[parent].cpu, memcg, chains);
	return result;
}

static enum limit_result copy_memory(struct machine *m, uint32_t parent, uint32_t child,
				     uint32_t from)
{
	const struct mapping *old = &m->pages.mapping[from];
	uint32_t to = page_mapping_new(&m->pages, old->name, old->bytes, true);
	enum limit_result result;

	if (to == UINT32_MAX) {
		machine_full(m, "mappings are too many for this version");
		return LIMIT_NOMEM;
	}
	process_maps(m, child, to);
	if (!vma_copy(m, from, to))
		machine_full(m, "pieces of mappings are too many for this version");
	result = copy_records(m, parent, old, &m->pages.mapping[to]);
	if (result == LIMIT_OK)
		result = copy_tables(m, parent, from, to);
	if (result == LIMIT_OK && !anon_vma_copy(m, from, to)) {
		machine_full(m, "forked memory is too much for this version");
		result = LIMIT_NOMEM;
	}
	return result;
}

static void copy_view(struct machine *m, uint32_t child, uint32_t from)
{
	const struct mapping *old = &m->pages.mapping[from];
	uint32_t to = map_file(m, child, &m->pages.mapping[old->file], old->open);

	if (to == UINT32_MAX)
		return;
	memcpy(m->pages.mapping[to].name, old->name, sizeof(old->name));
	m->pages.mapping[to].exec = old->exec;
	if (!vma_copy(m, from, to))
		machine_full(m, "pieces of mappings are too many for this version");
	m->pages.mapping[to].forked.parent = from;
}

void process_fork(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	uint32_t parent = op->task, nr = m->block.region[REGION_MAPPING].used, i;
	uint32_t child = process_new(m, m->task[parent].memcg, op->cpu, op->name);
	enum limit_result result = LIMIT_OK;
	bool more = false;

	if (!child)
		return;
	m->task[child].oom_adj = m->task[parent].oom_adj;
	opened_fork(m, parent, child);
	result = thread_stack_charge(m, parent, child, 1);
	for (i = m->task[parent].first_map; i && i < nr && result == LIMIT_OK; i++) {
		const struct mapping *map = &m->pages.mapping[i];

		if (map->task != parent || map->gone || map->forked.store)
			continue;
		if (map->file)
			copy_view(m, child, i);
		else
			result = copy_memory(m, parent, child, i);
	}
	process_begin(m, child);
	res->id = child;
	if (result == LIMIT_OK)
		return;
	unmap_exit(m, child, &more);
	res->id = 0;
	res->outcome = access_outcome(result);
}

void process_execve(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	struct op op = progress->op;
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;
	struct task *task = &m->task[op.task];
	bool more = true;

	progress->done_pages += unmap_all(m, op.task, &more);
	res->done_pages = progress->done_pages;
	if (more) {
		res->outcome = OP_MORE;
		return;
	}
	for (i = 1; i < nr; i++)
		if (m->pages.mapping[i].task == op.task)
			m->pages.mapping[i].gone = true;
	task->first_map = 0;
	op.flags |= OPF_EXEC;
	process_map_file(m, &op, res);
}

uint32_t run_inherited(const struct run *run, uint32_t task, uint32_t mapping)
{
	const struct machine *m = run_machine_const(run);
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;

	for (i = 1; i < nr; i++)
		if (m->pages.mapping[i].task == task &&
		    m->pages.mapping[i].forked.parent == mapping)
			return i;
	return 0;
}
