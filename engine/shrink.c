/*
 * One shrink call.  Invariants: pages that are kept stay in their order;
 * pages isolated by a call are freed or listed again before it ends; a
 * page that another queue holds is never freed.
 *
 * MODEL: swap is written at once.
 */
#include "shrink.h"

#include <assert.h>

#include "counter_lock.h"
#include "gone.h"
#include "judge.h"
#include "policy.h"
#include "rmap.h"
#include "soft.h"
#include "swap.h"
#include "workingset.h"
#include "writeback.h"

enum {
	BATCH_MAX = 32,
	OUTCOME_FREED = -1,
	THROTTLE_NS = 100000000, /* HZ / 10 */
	SWAP_COST = 32           /* of one page written, in pages examined in vain (v6.18) */
};

/* What a call did beside freeing. */
struct tally {
	pages_t taken;
	uint32_t written;   /* to swap */
	uint32_t dirty;     /* met dirty, not given to the device yet */
	uint32_t met;       /* met dirty at all */
	uint32_t held;      /* met mapped or in the swap cache */
	uint32_t writeback; /* met under writeback */
};

struct batch {
	uint32_t nr; /* folios */
	uint32_t pages;
	uint32_t slot[BATCH_MAX];
};

static void count(struct machine *m, uint32_t memcg, size_t in_totals, size_t in_memcg, uint64_t n)
{
	uint64_t *total = (uint64_t *)(void *)((char *)&m->host->totals + in_totals);
	uint64_t *own = (uint64_t *)(void *)((char *)machine_memcg(m, memcg) + in_memcg);

	*total += n;
	*own += n;
}

#define COUNT(m, id, name, n) \
	count(m, id, offsetof(struct run_totals, name), offsetof(struct memcg, name), n)

static void isolate(struct machine *m, const struct shrink *sh, pages_t nr, struct batch *batch)
{
	uint32_t i;

	assert(nr <= BATCH_MAX);
	batch->nr = machine_isolate(m, sh->id, (uint32_t)nr, batch->slot);
	batch->pages = batch->nr;
	for (i = 0; m->pages.folios && i < batch->nr; i++)
		batch->pages += page_nr(&m->pages, batch->slot[i]) - 1;
	m->host->now += (ns_t)machine_knobs(m)->scan_ns * batch->pages;
}

/* Recent use is counted where the lists that are reclaimed have their statistics. */
static void count_isolated(struct machine *m, const struct shrink *sh, uint32_t nr)
{
	machine_list_lruvec(m, sh->id)->stat.scanned[SCAN_TYPE(sh->id.lru)] += nr;
}

static void count_rotated(struct machine *m, const struct shrink *sh, uint32_t nr)
{
	machine_list_lruvec(m, sh->id)->stat.rotated[SCAN_TYPE(sh->id.lru)] += nr;
}

/* A page leaves memory, with a shadow where the era keeps them.  Returns: pages written. */
static uint32_t evict(struct machine *m, const struct reclaim *rc, uint32_t slot)
{
	uint32_t nr = page_nr(&m->pages, slot), i;

	if (m->pages.slot[slot].word & PG_ANON)
		return swap_out(m, rc->target, slot);
	/* Memory that was given up leaves nothing behind. */
	if (rmap_of_memory(m, slot)) {
		anon_vma_unmap(m, slot, true);
		page_remove(&m->pages, slot);
		return 0;
	}
	machine_emit_cache(m, slot, false);
	if (machine_axis(m, AXIS_REFAULT) == REFAULT_ON) {
		workingset_evict(m, rc->target, slot);
		return 0;
	}
	for (i = 0; i < nr; i++) {
		if (m->has_nodes)
			nodes_delete(m, rc->cpu, slot + i, false);
		page_lose(&m->pages, slot + i);
	}
	return 0;
}

static int64_t outcome_of(uint32_t word, enum rule rule)
{
	if (judge_frees(rule))
		return OUTCOME_FREED;
	if (rule == RULE_CULL)
		return LRU_UNEVICTABLE;
	return (word & PG_ANON ? LRU_INACTIVE_ANON : LRU_INACTIVE_FILE) + judge_activates(rule);
}

static void emit_page(struct machine *m, const struct shrink *sh, uint32_t slot, enum rule rule)
{
	uint32_t word = m->pages.slot[slot].word;
	int64_t outcome = outcome_of(word, rule);
	struct event event = { .kind = EVENT_PAGE, .memcg = sh->id.memcg, .rule = rule };
	pages_t index;

	event.n[PAGE_FILE] = page_identity(&m->pages, slot, &index);
	event.n[PAGE_INDEX] = (int64_t)index;
	event.n[PAGE_LIST] = sh->id.lru;
	event.n[PAGE_REFERENCED] = (word & PG_REFERENCED) != 0;
	event.n[PAGE_DIRTY] = (word & PG_DIRTY) != 0;
	event.n[PAGE_OUTCOME] = outcome;
	machine_emit(m, &event);
}

static struct bucket bucket_of(const struct machine *m, const struct shrink *sh)
{
	return (struct bucket){ sh->id.memcg, machine_node(m, sh->id.zone) };
}

/* Puts an examined page back. */
static void put_back(struct machine *m, const struct shrink *sh, uint32_t slot, enum rule rule)
{
	uint32_t owner = m->pages.slot[slot].word & PG_MEMCG, nr = page_nr(&m->pages, slot);
	uint32_t node = machine_node(m, machine_zone(m, slot));

	if (rule == RULE_CULL) {
		m->pages.slot[slot].word |= PG_UNEVICTABLE | PG_MLOCKED;
	} else if (judge_activates(rule)) {
		m->pages.slot[slot].word |= PG_ACTIVE;
		count_rotated(m, sh, nr);
		COUNT(m, owner, nr_activated, nr);
		if (machine_axis(m, AXIS_REFAULT) == REFAULT_ON)
			workingset_age(m, (struct bucket){ owner, node }, nr);
	} else {
		COUNT(m, owner, nr_rotated, nr);
	}
	machine_list(m, slot);
}

/* A page's frame and charge are given back. */
static void let_go(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word, nr = page_nr(&m->pages, slot);
	uint32_t zone = machine_zone(m, slot);

	m->host->resident -= nr;
	rmap_tally(m, slot, -1);
	rmap_unmap(m, slot);
	zone_free(m, zone, nr);
	machine_memcg(m, word & PG_MEMCG)->nr_reclaimed += nr;
	charge_free_buffers(m, cpu, slot);
	charge_uncharge_folio(m, word & PG_MEMCG, nr, (word & PG_SWAP_CACHE) != 0);
	machine_taken(m, word & PG_MEMCG, nr);
	soft_event(m, word & PG_MEMCG, zone, true);
}

static bool is_dirty_file(uint32_t word)
{
	return (word & (PG_DIRTY | PG_ANON)) == PG_DIRTY;
}

/* What a page is before it is judged. */
static void note_met(const struct machine *m, uint32_t slot, struct tally *tally)
{
	uint32_t word = m->pages.slot[slot].word, nr;

	if (!(word & (PG_DIRTY | PG_MAPPED | PG_SWAP_CACHE | PG_WRITEBACK)))
		return;
	nr = page_nr(&m->pages, slot);
	if (is_dirty_file(word))
		tally->met += nr;
	if (word & (PG_MAPPED | PG_SWAP_CACHE))
		tally->held += nr;
	if (word & PG_WRITEBACK)
		tally->writeback += nr;
}

/* Examines isolated pages, oldest first; those that stay are listed again.  Returns: freed. */
static uint32_t examine(struct machine *m, const struct reclaim *rc, const struct shrink *sh,
			const struct batch *batch, struct tally *tally)
{
	bool tell = machine_wants(m, EVENT_PAGE);
	uint32_t freed = 0, kept = 0, i;
	enum rule rule[BATCH_MAX];
	uint32_t stay[BATCH_MAX];

	counter_window_open(m, WINDOW_RECLAIM);
	for (i = 0; i < batch->nr; i++) {
		uint32_t slot = batch->slot[i];

		assert(!(m->pages.slot[slot].word & PG_UNEVICTABLE));
		note_met(m, slot, tally);
		rule[kept] = judge_page(m, rc, slot);
		if (tell)
			emit_page(m, sh, slot, rule[kept]);
		if (!judge_frees(rule[kept])) {
			if (is_dirty_file(m->pages.slot[slot].word))
				tally->dirty += page_nr(&m->pages, slot);
			if (rule[kept] == RULE_WRITE_SWAP)
				tally->written += page_nr(&m->pages, slot);
			stay[kept++] = slot;
			continue;
		}
		freed += page_nr(&m->pages, slot);
		let_go(m, rc->cpu, slot);
		tally->written += evict(m, rc, slot);
	}
	counter_window_close(m, WINDOW_RECLAIM);
	for (i = 0; i < kept; i++)
		put_back(m, sh, stay[i], rule[i]);
	return freed;
}

/* The rounds of one call; round=cluster takes whole clusters until as many as asked were tried. */
static pages_t shrink_rounds(struct machine *m, const struct reclaim *rc, const struct shrink *sh,
			     struct tally *tally)
{
	bool whole = machine_axis(m, AXIS_ROUND) == ROUND_CLUSTER;
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max, freed = 0;
	struct batch batch;

	*tally = (struct tally){ 0 };
	do {
		isolate(m, sh, whole ? cluster : sh->nr_to_scan, &batch);
		count_isolated(m, sh, batch.pages);
		freed += examine(m, rc, sh, &batch, tally);
		tally->taken += batch.pages;
	} while (whole && batch.nr && tally->taken < sh->nr_to_scan);
	return freed;
}

/*
 * Nothing but dirty pages was met.  From v4.11 on that wakes the flusher, in
 * v6.18 also for a v1 group, whose writers no limit of their own slows down:
 * such a reclaimer waits for it as well.
 */
static void all_dirty(struct machine *m, const struct reclaim *rc)
{
	unsigned flusher = machine_axis(m, AXIS_FLUSHER);
	bool legacy = !rc->global && machine_axis(m, AXIS_CGROUP) == CGROUP_V1;
	ns_t since = m->host->now;

	if (flusher == FLUSHER_SCANNED || (flusher == FLUSHER_DIRTY_V2 && legacy))
		return;
	writeback_flusher(m, MEMCG_NONE, WRITES_MAX - m->host->writeback);
	if (!legacy)
		return;
	writeback_progress(m, (pages_t)machine_knobs(m)->swap_cluster_max, THROTTLE_NS);
	writeback_told(m, rc->target, RULE_WAIT_DIRTY, since);
}

/* v3.2 to v3.19: enough of a call is under writeback, all of it at the first priority, a half at
 * the next, and the zone was flagged as congested.  After: shrink_inactive_list(), v3.2. */
static bool waits_for_batch(const struct machine *m, const struct reclaim *rc,
			    const struct tally *tally)
{
	unsigned deeper = (unsigned)machine_knobs(m)->def_priority - rc->priority;

	if (machine_axis(m, AXIS_NAP) != NAP_NEVER || rc->kswapd || !rc->global || !rc->congested)
		return false;
	return tally->writeback && tally->writeback >= tally->taken >> deeper;
}

/* What a call met is told to the request: whether the device held all dirty pages up. */
static void note_dirty(struct machine *m, struct reclaim *rc, const struct tally *tally)
{
	ns_t since = m->host->now;

	if (tally->dirty && tally->dirty == tally->taken)
		all_dirty(m, rc);
	if (tally->met && tally->met == tally->dirty && writeback_congested(m))
		rc->congested = true;
	if (waits_for_batch(m, rc, tally)) {
		writeback_progress(m, 1, THROTTLE_NS);
		writeback_told(m, rc->target, RULE_NAP, since);
	}
}

/* Pages that count as scanned: to v3.19 mapped ones and those of the swap cache do so twice. */
static uint64_t scanned(const struct machine *m, const struct tally *tally)
{
	return tally->taken + (machine_axis(m, AXIS_FLUSHER) == FLUSHER_SCANNED ? tally->held : 0);
}

pages_t shrink_inactive(struct machine *m, struct reclaim *rc, const struct shrink *sh)
{
	struct event event = {
		.kind = EVENT_SHRINK,
		.cpu = rc->cpu,
		.memcg = sh->id.memcg,
		.rule = sh->rule,
	};
	struct tally tally;
	pages_t freed;

	assert(sh->id.lru == LRU_INACTIVE_ANON || sh->id.lru == LRU_INACTIVE_FILE);
	event.n[SHRINK_LIST] = sh->id.lru;
	event.n[SHRINK_SIZE] = (int64_t)machine_list_lruvec(m, sh->id)->size[sh->id.lru];
	event.n[SHRINK_PRIORITY] = rc->priority;
	event.n[SHRINK_TO_SCAN] = (int64_t)sh->nr_to_scan;
	event.n[SHRINK_CALL] = (int64_t)++m->host->nr_shrink_calls;
	writeback_due(m);
	pagevec_drain(m, rc->cpu);
	freed = shrink_rounds(m, rc, sh, &tally);
	note_dirty(m, rc, &tally);
	rc->scanned += scanned(m, &tally);
	if (rc->global)
		m->host->zone[sh->id.zone].pages_scanned += tally.taken;
	COUNT(m, sh->id.memcg, nr_to_scan, sh->nr_to_scan);
	COUNT(m, sh->id.memcg, nr_taken, tally.taken);
	COUNT(m, sh->id.memcg, nr_scanned, tally.taken);
	m->host->totals.nr_reclaimed += freed;
	if (machine_axis(m, AXIS_BALANCE) == BALANCE_COST)
		workingset_cost(m, bucket_of(m, sh), SCAN_TYPE(sh->id.lru),
				SWAP_COST * tally.written + tally.taken - freed);
	event.n[SHRINK_TAKEN] = (int64_t)tally.taken;
	event.n[SHRINK_SCANNED] = (int64_t)tally.taken;
	event.n[SHRINK_RECLAIMED] = (int64_t)freed;
	if (machine_wants(m, EVENT_SHRINK))
		machine_emit(m, &event);
	return freed;
}

pages_t shrink_given(struct machine *m, uint32_t cpu, const uint32_t *slot, uint32_t nr)
{
	struct reclaim rc = {
		.cpu = cpu,
		.global = true,
		.target = MEMCG_ROOT,
		.ignores_use = true,
		.priority = (unsigned)machine_knobs(m)->def_priority,
	};
	struct tally tally = { 0 };
	pages_t freed = 0;
	uint32_t i;

	for (i = 0; i < nr; i++)
		machine_unlist(m, slot[i]);
	for (i = 0; i < nr; i++) {
		struct batch batch = { 1, page_nr(&m->pages, slot[i]), { slot[i] } };
		uint32_t word = m->pages.slot[slot[i]].word;
		struct shrink sh = { { word & PG_MEMCG, machine_zone(m, slot[i]),
				       word & PG_ANON ? LRU_INACTIVE_ANON : LRU_INACTIVE_FILE },
				     1,
				     RULE_NONE };

		count_isolated(m, &sh, batch.pages);
		freed += examine(m, &rc, &sh, &batch, &tally);
	}
	m->host->totals.nr_reclaimed += freed;
	return freed;
}

void shrink_active(struct machine *m, struct reclaim *rc, const struct shrink *sh)
{
	struct event event = {
		.kind = EVENT_DEACTIVATE,
		.cpu = rc->cpu,
		.memcg = sh->id.memcg,
		.rule = sh->rule,
	};
	uint32_t rotated = 0, moved = 0, stay = 0, i;
	struct batch batch;
	enum rule rule;

	assert(sh->id.lru == LRU_ACTIVE_FILE || sh->id.lru == LRU_ACTIVE_ANON);
	event.n[DEACT_LIST] = sh->id.lru;
	event.n[DEACT_SIZE] = (int64_t)machine_list_lruvec(m, sh->id)->size[sh->id.lru];
	event.n[DEACT_PRIORITY] = rc->priority;
	event.n[DEACT_TO_SCAN] = (int64_t)sh->nr_to_scan;
	pagevec_drain(m, rc->cpu);
	isolate(m, sh, sh->nr_to_scan, &batch);
	count_isolated(m, sh, batch.pages);
	if (rc->global)
		m->host->zone[sh->id.zone].pages_scanned += batch.pages;
	for (i = 0; i < batch.nr; i++) {
		uint32_t *word = &m->pages.slot[batch.slot[i]].word;
		uint32_t nr = page_nr(&m->pages, batch.slot[i]);
		bool used;

		rule = judge_active(m, rc, batch.slot[i], &used);
		rotated += used ? nr : 0;
		moved += rule == RULE_DEACTIVATE ? nr : 0;
		stay += rule == RULE_KEEP_EXEC ? nr : 0;
		if (rule == RULE_CULL)
			*word |= PG_UNEVICTABLE | PG_MLOCKED;
		if (rule == RULE_DEACTIVATE) {
			*word &= ~(uint32_t)PG_ACTIVE;
			if (machine_axis(m, AXIS_REFAULT) == REFAULT_ON)
				*word |= PG_WORKINGSET;
		}
		machine_list(m, batch.slot[i]);
	}
	count_rotated(m, sh, rotated);
	if (machine_axis(m, AXIS_BALANCE) == BALANCE_COST)
		workingset_cost(m, bucket_of(m, sh), SCAN_TYPE(sh->id.lru), stay);
	COUNT(m, sh->id.memcg, nr_deactivated, moved);
	event.n[DEACT_TAKEN] = batch.pages;
	event.n[DEACT_DEACTIVATED] = moved;
	if (machine_wants(m, EVENT_DEACTIVATE))
		machine_emit(m, &event);
}
