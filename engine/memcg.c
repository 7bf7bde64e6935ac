/*
 * Groups and the two walks over a hierarchy.  Follows v2.6.31 and v3.3
 * mm/memcontrol.c.
 */
#include "memcg.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void memcgs_open(struct memcgs *memcgs, struct block *block, int64_t swappiness)
{
	memcgs->block = block;
	memcgs->memcg = block_at(block, REGION_MEMCG);
	block_take(block, REGION_MEMCG, 2);
	memcgs->memcg[MEMCG_ROOT].online = true;
	memcgs->memcg[MEMCG_ROOT].swappiness = swappiness;
	memcgs->memcg[MEMCG_ROOT].counter.limit = PAGES_UNLIMITED;
	memcgs->memcg[MEMCG_ROOT].high = memcgs->memcg[MEMCG_ROOT].soft = PAGES_UNLIMITED;
	memcgs->memcg[MEMCG_ROOT].memsw.limit = PAGES_UNLIMITED;
	memcgs->memcg[MEMCG_ROOT].memsw.swap_max = PAGES_UNLIMITED;
}

uint32_t memcg_max(const struct memcgs *memcgs)
{
	return memcgs->block->region[REGION_MEMCG].used - 1;
}

static uint32_t css_id_take(struct memcgs *memcgs)
{
	uint32_t id;

	for (id = MEMCG_ROOT; id <= memcg_max(memcgs); id++)
		if (!memcg_exists(&memcgs->memcg[id]))
			return id;
	if (id > MEMCG_MAX || block_take(memcgs->block, REGION_MEMCG, 1) == UINT32_MAX)
		return MEMCG_NONE;
	return id;
}

static uint32_t last_born(const struct memcgs *memcgs, uint32_t parent)
{
	uint32_t id, born = 0;

	for (id = MEMCG_ROOT + 1; id <= memcg_max(memcgs); id++)
		if (memcg_exists(&memcgs->memcg[id]) && memcgs->memcg[id].parent == parent &&
		    memcgs->memcg[id].born > born)
			born = memcgs->memcg[id].born;
	return born;
}

uint32_t memcg_new(struct memcgs *memcgs, uint32_t parent, const char *name)
{
	struct memcg *up = &memcgs->memcg[parent], *memcg;
	size_t need = strlen(up->path) + 1 + strlen(name) + 1;
	uint32_t id;

	assert(up->online);
	if (need > GROUP_PATH_MAX)
		return MEMCG_NONE;
	id = css_id_take(memcgs);
	if (!id)
		return MEMCG_NONE;
	memcg = &memcgs->memcg[id];
	memset(memcg, 0, sizeof(*memcg));
	snprintf(memcg->path, GROUP_PATH_MAX, "%.*s%s%s", (int)strlen(up->path), up->path,
		 up->path[0] ? "/" : "", name);
	memcg->parent = parent;
	memcg->born = last_born(memcgs, parent) + 1;
	memcg->online = true;
	memcg->hierarchy = up->hierarchy;
	memcg->counter_parent = up->hierarchy ? parent : MEMCG_NONE;
	memcg->swappiness = up->swappiness;
	memcg->oom_disable = up->hierarchy && up->oom_disable;
	memcg->counter.limit = PAGES_UNLIMITED;
	memcg->high = memcg->soft = PAGES_UNLIMITED;
	memcg->memsw.limit = memcg->memsw.swap_max = PAGES_UNLIMITED;
	up->nr_children++;
	return id;
}

void memcg_offline(struct memcgs *memcgs, uint32_t id)
{
	struct memcg *memcg = &memcgs->memcg[id];
	uint32_t up;

	assert(id != MEMCG_ROOT && memcg->online);
	assert(!memcg->nr_children && !memcg->nr_tasks);
	memcgs->memcg[memcg->parent].nr_children--;
	memcg->online = false;
	memcg->dying = true;
	memcg->min = memcg->low = 0;
	for (up = memcg->parent; up; up = memcgs->memcg[up].parent)
		memcgs->memcg[up].nr_dying++;
}

void memcg_release(struct memcgs *memcgs, uint32_t id)
{
	struct memcg *memcg = &memcgs->memcg[id];
	uint32_t up, node;

	assert(memcg->dying && !memcg->charged && !memcg->nr_dying);
	memcg->dying = false;
	for (up = memcg->parent; up; up = memcgs->memcg[up].parent) {
		memcgs->memcg[up].nr_dying--;
		for (node = 0; node < NODES_MAX; node++)
			if (memcgs->memcg[up].walk_position[node] == id) {
				memcgs->memcg[up].walk_position[node] = MEMCG_NONE;
				memcgs->memcg[up].walked = true;
			}
	}
}

bool memcg_in_subtree(const struct memcgs *memcgs, uint32_t id, uint32_t root)
{
	while (id != root && id != MEMCG_NONE)
		id = memcgs->memcg[id].parent;
	return id == root;
}

/* Lowest css id above @after in the hierarchy of @root; MEMCG_NONE: none. */
static uint32_t css_next(const struct memcgs *memcgs, uint32_t root, uint32_t after)
{
	uint32_t id;

	for (id = after + 1; id <= memcg_max(memcgs); id++)
		if (memcg_exists(&memcgs->memcg[id]) && memcg_in_subtree(memcgs, id, root))
			return id;
	return MEMCG_NONE;
}

uint32_t memcg_count_subtree(const struct memcgs *memcgs, uint32_t root)
{
	uint32_t id = MEMCG_NONE, n = 0;

	if (!memcgs->memcg[root].hierarchy)
		return 1;
	while ((id = css_next(memcgs, root, id)) != MEMCG_NONE)
		n++;
	return n;
}

uint32_t memcg_select_victim(struct memcgs *memcgs, uint32_t root)
{
	struct memcg *memcg = &memcgs->memcg[root];
	uint32_t id;

	if (!memcg->hierarchy)
		return root;
	id = css_next(memcgs, root, memcg->last_child);
	if (!id)
		id = css_next(memcgs, root, MEMCG_NONE);
	assert(id);
	memcg->last_child = id;
	memcg->walked = true;
	return id;
}

uint32_t memcg_iter_first(struct memcgs *memcgs, uint32_t root, uint32_t zone, unsigned priority)
{
	struct memcg_iter *iter = &memcgs->memcg[root].iter[zone][priority];

	assert(priority < PRIORITIES);
	if (!memcgs->memcg[root].hierarchy)
		return root;
	memcgs->memcg[root].walked = true;
	for (;;) {
		iter->position = css_next(memcgs, root, iter->position);
		if (iter->position)
			return iter->position;
		iter->generation++;
	}
}
