/*
 * Figures of NUMA nodes: r.node[N] and r.group[path].node[N], from 0 on.
 */
#include "figures.h"

#include "guard.h"
#include "zones.h"

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
