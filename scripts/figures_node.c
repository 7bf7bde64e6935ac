/*
 * Figures of NUMA nodes: r.node[N] and r.group[path].node[N], from 0 on.
 */
#include "figures.h"

#include "guard.h"
#include "walk.h"
#include "zones.h"

static const struct guard walks_guard = { "r.group[…].walks", NULL, NULL };
static const struct guard group_nodes_guard = { "r.group[…].node", NULL, NULL };
static const struct guard group_node_guard = { "r.group[…].node[…]", NULL, NULL };
static const struct guard nodes_guard = { "r.node", NULL, NULL };
static const struct guard node_guard = { "r.node[…]", NULL, NULL };

void figures_push_group_nodes(lua_State *L, const struct run *run, uint32_t id)
{
	lua_newtable(L);
	for (uint32_t node = 0; node < run_scenario(run)->nodes; node++) {
		lua_newtable(L);
		for (int lru = 0; lru < NR_LRU; lru++)
			figures_set_count(L, lru_name((enum lru)lru),
					  run_memcg_node(run, id, node, (enum lru)lru));
		guard_push(L, &group_node_guard);
		lua_rawseti(L, -2, node);
	}
	guard_push(L, &group_nodes_guard);
}

/* A place of a walk: what it is for, and the path of the group visited last. */
static void push_walk(lua_State *L, const struct run *run, const struct run_walk *at)
{
	struct run_memcg last;
	struct run_zone zone;

	lua_newtable(L);
	if (at->node >= 0)
		figures_set_count(L, "node", (uint64_t)at->node);
	if (at->zone >= 0 && run_zone(run, (uint32_t)at->zone, &zone)) {
		lua_pushstring(L, zone.name);
		lua_setfield(L, -2, "zone");
		figures_set_count(L, "priority", (uint64_t)at->priority);
		figures_set_count(L, "rounds", at->rounds);
	}
	if (at->last && run_memcg(run, at->last, &last)) {
		lua_pushstring(L, last.path);
		lua_setfield(L, -2, "last");
	}
}

void figures_push_walks(lua_State *L, const struct run *run, uint32_t id)
{
	struct run_walk at;

	lua_newtable(L);
	for (uint32_t i = 0; run_walk(run, id, i, &at); i++) {
		push_walk(L, run, &at);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	guard_push(L, &walks_guard);
}

void figures_push_nodes(lua_State *L, const struct run *run)
{
	struct run_zone zone;

	lua_newtable(L);
	for (uint32_t node = 0; node < run_scenario(run)->nodes; node++) {
		pages_t present = 0, free = 0, high = 0, size[NR_LRU] = { 0 };

		for (uint32_t i = 0; run_zone(run, i, &zone); i++) {
			if (zone.node != node)
				continue;
			present += zone.present;
			free += zone.free;
			high += zone.high;
			for (int lru = 0; lru < NR_LRU; lru++)
				size[lru] += zone.size[lru];
		}
		lua_newtable(L);
		figures_set_count(L, "present_pages", present);
		figures_set_count(L, "free_pages", free);
		figures_set_count(L, "high_pages", high);
		for (int lru = 0; lru < NR_LRU; lru++)
			figures_set_count(L, lru_name((enum lru)lru), size[lru]);
		guard_push(L, &node_guard);
		lua_rawseti(L, -2, node);
	}
	guard_push(L, &nodes_guard);
}
