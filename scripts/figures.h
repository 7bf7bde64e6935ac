/*
 * r: the results of a run as scenarios read them.  Read-only, and complete
 * when it is made, so reading cannot change anything.
 */
#ifndef MEMCGLAB_SCRIPTS_FIGURES_H
#define MEMCGLAB_SCRIPTS_FIGURES_H

#include "loaded.h"

/**
 * figures_push - push the results of @subject, with its computed metrics
 * @L: the state that reads them; may be another script's
 */
void figures_push(lua_State *L, const struct script *subject);

/**
 * figures_push_group - push what r.group shows of one group, as it is now
 * figures_push_totals - push what r.total shows, so far
 * figures_push_group_nodes - push a group's own listed pages on each NUMA node, from 0
 * figures_push_walks - push where walks over a group's hierarchy stand
 * figures_push_nodes - push frames of each node, and pages of all groups listed there
 * figures_push_locks - push what r.lock shows, so far; of bind_lock.c
 * figures_push_spread - push r.spread for r.group, which is at @groups
 * figures_keep_mark - r.mark[@name] is @value, the last one counts
 */
void figures_push_group(lua_State *L, const struct run *run, const struct run_memcg *memcg);
void figures_push_totals(lua_State *L, const struct run *run);
void figures_push_group_nodes(lua_State *L, const struct run *run, uint32_t id);
void figures_push_walks(lua_State *L, const struct run *run, uint32_t id);
void figures_push_nodes(lua_State *L, const struct run *run);
void figures_push_locks(lua_State *L, const struct run *run);
void figures_push_spread(lua_State *L, int groups);
void figures_keep_mark(lua_State *L, const char *name, int64_t value);

/* figures_set_count - field @name of the table on top is @value. */
void figures_set_count(lua_State *L, const char *name, uint64_t value);

/* figures_add_metric - make @metric readable in the results at @index. */
void figures_add_metric(lua_State *L, int index, const struct metric *metric);

#endif
