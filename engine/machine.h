/*
 * The whole state of one simulated host, and what every part of the model
 * needs of it: which policies hold, who listens, where pages are listed.
 *
 * The state lies in one block (block.h); the rest of struct machine is
 * pointers into it and what the run was opened with.
 */
#ifndef MEMCGLAB_ENGINE_MACHINE_H
#define MEMCGLAB_ENGINE_MACHINE_H

#include "machine_state.h"

/* machine_open - Returns: ERR_NOMEM. */
enum err machine_open(struct machine *m, const struct scenario *sc, struct diag *diag);
void machine_close(struct machine *m);

static inline struct memcg *machine_memcg(const struct machine *m, uint32_t id)
{
	return &m->memcgs.memcg[id];
}

static inline unsigned machine_axis(const struct machine *m, enum axis axis)
{
	return m->sc.era.value[axis];
}

static inline const struct knobs *machine_knobs(const struct machine *m)
{
	return &m->sc.era.knobs;
}

/* machine_owner - the css id of the group that pays for what @task uses. */
static inline uint32_t machine_owner(const struct machine *m, uint32_t task)
{
	const struct memcg *memcg = machine_memcg(m, m->task[task].memcg);

	if (memcg->stand_in)
		return memcg->stand_in;
	return m->charges ? m->task[task].memcg : MEMCG_ROOT;
}

/* machine_wants - whether building an event of @kind is worth it. */
static inline bool machine_wants(const struct machine *m, enum event_kind kind)
{
	return m->wanted >> kind & 1;
}

/* machine_has_locks - whether acquisitions are noted and waited for. */
static inline bool machine_has_locks(const struct machine *m)
{
	return m->locks.leaves != 0;
}

/* machine_node - the node of a zone; machine_cpu_node - of a CPU. */
static inline uint32_t machine_node(const struct machine *m, uint32_t zone)
{
	return m->sc.nodes > 1 ? zone / m->host->node_zones : 0;
}

static inline uint32_t machine_cpu_node(const struct machine *m, uint32_t cpu)
{
	return cpu * m->sc.nodes / m->sc.cpus;
}

/* machine_zone - the zone of a page's frame. */
static inline uint32_t machine_zone(const struct machine *m, uint32_t slot)
{
	uint32_t zone = page_zone(m->pages.slot[slot].word);

	return m->sc.nodes > 1 ? zone + m->pages.node[slot] * m->host->node_zones : zone;
}

/* machine_lruvec - a group's lists of one zone (of its node, in v6.18). */
static inline struct lruvec *machine_lruvec(const struct machine *m, uint32_t memcg, uint32_t zone)
{
	return &machine_memcg(m, memcg)->lruvec[m->per_node ? machine_node(m, zone) : zone];
}

/* machine_page_lruvec - the lists of its owner that a page belongs on. */
static inline struct lruvec *machine_page_lruvec(const struct machine *m, uint32_t slot)
{
	return machine_lruvec(m, m->pages.slot[slot].word & PG_MEMCG, machine_zone(m, slot));
}

/**
 * machine_emit - hand an event to the sinks that want it
 * @event: kind, cpu, memcg, rule, n and text; time, step and seq are filled in
 * A sink's error is kept in m->diag and ends the run after the step.
 */
void machine_emit(struct machine *m, struct event *event);

/* machine_tell_cache - EVENT_CACHE of the folio that begins at @slot. */
void machine_tell_cache(struct machine *m, uint32_t slot, bool added);

/* machine_emit_cache - machine_tell_cache, if anybody wants it. */
static inline void machine_emit_cache(struct machine *m, uint32_t slot, bool added)
{
	if (machine_wants(m, EVENT_CACHE))
		machine_tell_cache(m, slot, added);
}

/* machine_taken - @n pages of @owner were reclaimed for m->by.  Past a million pairs of groups
 * further pairs are not counted. */
void machine_taken(struct machine *m, uint32_t owner, uint64_t n);

/* machine_swap_room - slots that @memcg may still take: the free ones, with cgroup v2 within
 * swap.max of each level; for MEMCG_NONE, the whole machine, the free ones. */
pages_t machine_swap_room(const struct machine *m, uint32_t memcg);

/* machine_full - the block or the machine has no room: the run ends after the step with
 * ERR_SCENARIO and @what as its words, unless something failed before. */
void machine_full(struct machine *m, const char *what);

/**
 * machine_list - put a page on the lists of its owner's era, newest first
 * machine_unlist - take a listed page off them
 * The word's position is set; list counts follow.
 */
void machine_list(struct machine *m, uint32_t slot);
void machine_list_run(struct machine *m, uint32_t slot, uint32_t n);	/* alike, successive */
void machine_unlist(struct machine *m, uint32_t slot);

/* machine_list_beside - @n new folios, parts of what listed folio @slot was, stand beside it: see
 * lru_add_beside.  Sizes stay. */
void machine_list_beside(struct machine *m, uint32_t slot, const uint32_t *fresh, uint32_t n);

/* machine_to_tail - a listed page is reclaim's next: on its zone's list, if @group its group's. */
void machine_to_tail(struct machine *m, uint32_t slot, bool group);

/* Whose list: a group's in one zone, or with memcg = MEMCG_NONE the zone's own. */
struct list_id {
	uint32_t memcg, zone;
	enum lru lru;
};

/**
 * machine_isolate - take up to @n oldest pages of a list off
 * They leave the other kind of list and all counts too, and are POS_ISOLATED
 * until they are listed again or freed, within the same step.
 * Returns: how many, fewer than @n only where the list ended.
 */
uint32_t machine_isolate(struct machine *m, struct list_id id, uint32_t n, uint32_t *slot);

/* machine_list_lruvec - the lists, sizes and statistics that @id is one of. */
struct lruvec *machine_list_lruvec(const struct machine *m, struct list_id id);

#endif
