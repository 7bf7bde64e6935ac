/*
 * Charge paths, read from outside.  A group is counted by its parent if the
 * parent is hierarchical, which it cannot become once it has children.
 *
 * Invariant: usage = rss + cache + unevictable + queued + kmem + stock, to
 * the page, for each group of each kernel at any step.
 */
#include "levels.h"

#include <string.h>

uint32_t levels_up(const struct run *run, const struct run_memcg *m)
{
	struct run_memcg up;

	return m->parent && run_memcg(run, m->parent, &up) && up.hierarchy ? m->parent : 0;
}

size_t levels_of(const struct run *run, uint32_t id, uint32_t level[LEVELS_MAX])
{
	struct run_memcg m;
	size_t n = 0;

	while (id && n < LEVELS_MAX && run_memcg(run, id, &m)) {
		level[n++] = id;
		id = levels_up(run, &m);
	}
	return n;
}

bool levels_within(const struct run *run, uint32_t id, uint32_t root)
{
	struct run_memcg m;

	while (id != root && run_memcg(run, id, &m))
		id = m.parent;
	return id == root;
}

/* What a level still takes. */
static pages_t left_of(const struct run_memcg *m)
{
	return m->limit > m->usage ? m->limit - m->usage : 0;
}

struct levels_bind levels_binds(const struct run *run, uint32_t id, bool others)
{
	struct levels_bind bind = { 0, PAGES_UNLIMITED };
	uint32_t level[LEVELS_MAX];
	size_t n = levels_of(run, id, level);
	struct run_memcg m;

	for (size_t i = others ? 1 : 0; i < n; i++) {
		if (!run_memcg(run, level[i], &m) || m.limit >= PAGES_UNLIMITED)
			continue;
		/* A charge climbs from below, so the lower of two equals refuses. */
		if (!bind.id || left_of(&m) < bind.left)
			bind = (struct levels_bind){ level[i], left_of(&m) };
	}
	return bind;
}

/* Whether pages of @from are charged to @id. */
static bool counted(const struct run *run, uint32_t from, uint32_t id)
{
	struct run_memcg m;

	while (from && from != id && run_memcg(run, from, &m))
		from = levels_up(run, &m);
	return from == id;
}

bool levels_parts(const struct run *run, uint32_t id, struct levels_parts *out)
{
	struct run_memcg m;

	memset(out, 0, sizeof(*out));
	if (!run_memcg(run, id, &m))
		return false;
	/* Without the controller pages are listed, and nobody is charged. */
	if (strcmp(era_value_name(&run_scenario(run)->era, AXIS_MEMCG), "off") == 0)
		return true;
	out->usage = m.usage;
	out->kmem = m.kmem; /* of the subtree already */
	for (uint32_t i = 1; i <= run_memcg_max(run); i++) {
		if (!run_memcg(run, i, &m) || !counted(run, i, id))
			continue;
		out->rss += m.size[LRU_INACTIVE_ANON] + m.size[LRU_ACTIVE_ANON];
		out->cache += m.size[LRU_INACTIVE_FILE] + m.size[LRU_ACTIVE_FILE];
		out->inactive_file += m.size[LRU_INACTIVE_FILE];
		out->unevictable += m.size[LRU_UNEVICTABLE];
		out->queued += m.queued;
		out->stock += m.stock;
		out->unclean += m.dirty + m.writeback;
		out->dying += m.dying ? m.charged : 0;
		out->nr_dying += m.dying;
	}
	return true;
}

pages_t levels_sum(const struct levels_parts *parts)
{
	return parts->rss + parts->cache + parts->unevictable + parts->queued + parts->kmem +
	       parts->stock;
}

pages_t levels_working_set(const struct levels_parts *parts)
{
	return parts->usage > parts->inactive_file ? parts->usage - parts->inactive_file : 0;
}

/* A dirty page may still be in a queue: then one page too few is told, never one too many. */
pages_t levels_droppable(const struct levels_parts *parts)
{
	return parts->cache > parts->unclean ? parts->cache - parts->unclean : 0;
}

/* The next css id above @after in the hierarchy of @root, from the lowest again at the end. */
static uint32_t next_by_id(const struct run *run, uint32_t root, uint32_t after)
{
	uint32_t max = run_memcg_max(run);
	struct run_memcg m;

	for (uint32_t n = 1; n <= max; n++) {
		uint32_t id = (after + n - 1) % max + 1;

		if (run_memcg(run, id, &m) && levels_within(run, id, root))
			return id;
	}
	return root;
}

/* The first child of @parent that was made after css id @after. */
static uint32_t next_child(const struct run *run, uint32_t parent, uint32_t after)
{
	struct run_memcg m;

	for (uint32_t id = after + 1; id <= run_memcg_max(run); id++)
		if (run_memcg(run, id, &m) && m.parent == parent)
			return id;
	return 0;
}

/* Pre-order: a group before its children, and the root again at the end. */
static uint32_t next_in_tree(const struct run *run, uint32_t root, uint32_t at)
{
	uint32_t next = at ? next_child(run, at, 0) : root;
	struct run_memcg m;

	while (!next && at != root && run_memcg(run, at, &m)) {
		next = next_child(run, m.parent, at);
		at = m.parent;
	}
	return next ? next : root;
}

struct levels_walk levels_walk(const struct run *run, uint32_t root)
{
	const char *kind = era_value_name(&run_scenario(run)->era, AXIS_WALK);
	bool tree = strcmp(kind, "root_node") == 0;
	struct levels_walk walk = { .alone = true, .next = root };
	struct run_memcg m;

	if (!run_memcg(run, root, &m) || !m.hierarchy)
		return walk;
	walk.alone = false;
	walk.many = strcmp(kind, "root_zone_prio") == 0;
	walk.last = tree || walk.many ? m.walk_position : m.last_child;
	walk.next = tree ? next_in_tree(run, root, walk.last) : next_by_id(run, root, walk.last);
	return walk;
}

bool levels_walk_at(const struct run *run, uint32_t root, uint32_t i, struct run_walk *out,
		    uint32_t *next)
{
	const char *kind = era_value_name(&run_scenario(run)->era, AXIS_WALK);

	if (!run_walk(run, root, i, out))
		return false;
	*next = strcmp(kind, "root_node") == 0 ? next_in_tree(run, root, out->last)
					       : next_by_id(run, root, out->last);
	return true;
}
