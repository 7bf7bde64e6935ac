/*
 * Add queues and activate queues.  Invariant: between steps an add queue
 * holds fewer pages than its size.  Follows v2.6.31 and v3.1 mm/swap.c.
 *
 * MODEL: a page freed while queued leaves a place that counts as taken
 * until the queue drains, as the kernel's reference does.
 */
#include "pagevec.h"

#include <assert.h>

#include "machine.h"
#include "policy.h"

/* Listing counts as recent use, in the zone's statistics and the owner's. */
static void count_scanned(struct machine *m, uint32_t slot, uint32_t word, uint32_t n)
{
	unsigned type = page_lru(word) == LRU_UNEVICTABLE ? SCAN_FILE : SCAN_TYPE(page_lru(word));
	struct scan_stat *zone = &m->host->zone[machine_zone(m, slot)].lruvec.stat;
	struct scan_stat *owner = &machine_page_lruvec(m, slot)->stat;
	unsigned active = (word & PG_ACTIVE) != 0;

	zone->scanned[type] += n;
	owner->scanned[type] += n;
	zone->rotated[type] += active * n;
	owner->rotated[type] += active * n;
}

/* The queue for pages of @lru: one for each list, or the first for all. */
static struct pagevec *add_queue(struct machine *m, uint32_t cpu, enum lru lru)
{
	return &m->cpu[cpu].add[machine_axis(m, AXIS_PAGEVEC) == PAGEVEC_SINGLE ? 0 : lru];
}

/* Lists all of a queue in order, so the last one added is the newest. */
static void add_drain(struct machine *m, struct pagevec *vec)
{
	uint32_t i;

	for (i = 0; i < vec->nr; i++) {
		uint32_t slot = vec->slot[i], word;

		if (slot == SLOT_NONE)
			continue;
		word = m->pages.slot[slot].word;
		assert(page_pos(word) == POS_QUEUED);
		machine_memcg(m, word & PG_MEMCG)->queued -= page_nr(&m->pages, slot);
		machine_list(m, slot);
		count_scanned(m, slot, word, page_nr(&m->pages, slot));
	}
	vec->nr = 0;
}

/* Leaves pages in the queue, which has room for them. */
static void enqueue(struct machine *m, struct pagevec *vec, uint32_t slot, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint32_t *word = &m->pages.slot[slot + i].word;

		*word = page_with_pos(*word, POS_QUEUED);
		vec->slot[vec->nr++] = slot + i;
	}
	if (n)
		machine_memcg(m, m->pages.slot[slot].word & PG_MEMCG)->queued += n;
}

void pagevec_add_run(struct machine *m, uint32_t cpu, uint32_t slot, uint32_t n)
{
	uint32_t size = (uint32_t)machine_knobs(m)->pagevec_size;
	uint32_t word = m->pages.slot[slot].word;
	struct pagevec *vec = add_queue(m, cpu, page_lru(word));
	uint32_t stay = (vec->nr + n) % size, pass;

	assert(page_pos(word) == POS_NONE && vec->nr < size);
	if (vec->nr + n < size) {
		enqueue(m, vec, slot, n);
		return;
	}
	/* What waits and what passes straight through is listed in one order. */
	add_drain(m, vec);
	pass = n > stay ? n - stay : 0;
	if (pass) {
		machine_list_run(m, slot, pass);
		count_scanned(m, slot, word, pass);
	}
	enqueue(m, vec, slot + pass, n - pass);
}

void pagevec_add(struct machine *m, uint32_t cpu, uint32_t slot)
{
	pagevec_add_run(m, cpu, slot, 1);
}

/* A page that was freed, isolated or activated meanwhile is left as it is. */
void pagevec_add_folio(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	struct pagevec *vec = add_queue(m, cpu, page_lru(*word));

	*word = page_with_pos(*word, POS_QUEUED);
	machine_memcg(m, *word & PG_MEMCG)->queued += page_nr(&m->pages, slot);
	vec->slot[vec->nr++] = slot;
	add_drain(m, vec);
}

static void activate_now(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	struct event event = {
		.kind = EVENT_PAGE, .cpu = cpu, .memcg = *word & PG_MEMCG,
		.rule = RULE_TOUCH_ACTIVATE,
	};
	pages_t index;

	if (page_pos(*word) != POS_LISTED || (*word & (PG_ACTIVE | PG_UNEVICTABLE)))
		return;
	machine_unlist(m, slot);
	*word |= PG_ACTIVE;
	machine_list(m, slot);
	count_scanned(m, slot, *word, page_nr(&m->pages, slot));
	machine_memcg(m, *word & PG_MEMCG)->nr_activated += page_nr(&m->pages, slot);
	m->host->totals.nr_activated += page_nr(&m->pages, slot);
	if (!machine_wants(m, EVENT_PAGE))
		return;
	event.n[PAGE_FILE] = page_identity(&m->pages, slot, &index);
	event.n[PAGE_INDEX] = (int64_t)index;
	event.n[PAGE_LIST] = page_lru(*word) - 1;
	event.n[PAGE_OUTCOME] = page_lru(*word);
	machine_emit(m, &event);
}

static bool vec_has(const struct pagevec *vec, uint32_t slot)
{
	uint32_t i;

	for (i = 0; i < vec->nr; i++)
		if (vec->slot[i] == slot)
			return true;
	return false;
}

/* Several CPUs may have queued one page; the last of them lets it go. */
static bool held_by_any(const struct machine *m, uint32_t slot)
{
	uint32_t cpu, i;

	for (cpu = 0; cpu < m->sc.cpus; cpu++) {
		if (vec_has(&m->cpu[cpu].activate, slot))
			return true;
		for (i = 0; i < NR_MOVES; i++)
			if (vec_has(&m->cpu[cpu].move[i], slot))
				return true;
	}
	return false;
}

/* A queue lets a page go. */
static void release(struct machine *m, uint32_t slot)
{
	if (!held_by_any(m, slot))
		m->pages.slot[slot].word &= ~(uint32_t)PG_HELD;
}

static void activate_drain(struct machine *m, uint32_t cpu)
{
	struct pagevec vec = m->cpu[cpu].activate;
	uint32_t i;

	assert(m->cpu[cpu].activate.nr <= (uint32_t)machine_knobs(m)->pagevec_size);
	m->cpu[cpu].activate.nr = 0;
	for (i = 0; i < vec.nr; i++) {
		if (vec.slot[i] == SLOT_NONE)
			continue;
		release(m, vec.slot[i]);
		activate_now(m, cpu, vec.slot[i]);
	}
}

static bool is_mapped(const struct machine *m, uint32_t slot)
{
	uint32_t i;

	for (i = 0; i < page_nr(&m->pages, slot); i++)
		if (m->pages.slot[slot + i].word & PG_MAPPED)
			return true;
	return false;
}

/* Whether a queued move still makes sense. */
static bool moves(const struct machine *m, uint32_t slot, enum page_move move)
{
	uint32_t word = m->pages.slot[slot].word;

	if (page_pos(word) != POS_LISTED || (word & (PG_UNEVICTABLE | PG_MLOCKED)))
		return false;
	switch (move) {
	case MOVE_INVALIDATED:
		return !is_mapped(m, slot);
	case MOVE_DEACTIVATED:
		return (word & PG_ACTIVE) != 0;
	default:
		return (word & PG_ANON) && !(word & PG_SWAP_CACHE);
	}
}

static void move_now(struct machine *m, uint32_t slot, enum page_move move)
{
	uint32_t *word = &m->pages.slot[slot].word, nr = page_nr(&m->pages, slot);

	if (!moves(m, slot, move))
		return;
	machine_unlist(m, slot);
	if (*word & PG_ACTIVE) {
		machine_memcg(m, *word & PG_MEMCG)->nr_deactivated += nr;
		m->host->totals.nr_deactivated += nr;
	}
	*word &= ~(uint32_t)(PG_ACTIVE | PG_REFERENCED);
	if (move == MOVE_GIVEN_UP)
		*word &= ~(uint32_t)PG_ANON;
	machine_list(m, slot);
	count_scanned(m, slot, *word, nr);
	if (move != MOVE_INVALIDATED)
		return;
	if (*word & (PG_DIRTY | PG_WRITEBACK))
		*word |= PG_RECLAIM;
	else
		machine_to_tail(m, slot, true);
}

static void move_drain(struct machine *m, uint32_t cpu, enum page_move move)
{
	struct pagevec vec = m->cpu[cpu].move[move];
	uint32_t i;

	m->cpu[cpu].move[move].nr = 0;
	for (i = 0; i < vec.nr; i++) {
		if (vec.slot[i] == SLOT_NONE)
			continue;
		release(m, vec.slot[i]);
		move_now(m, vec.slot[i], move);
	}
}

void pagevec_move(struct machine *m, uint32_t cpu, uint32_t slot, enum page_move move)
{
	struct pagevec *vec = &m->cpu[cpu].move[move];

	assert(vec->nr < (uint32_t)machine_knobs(m)->pagevec_size);
	if (!moves(m, slot, move))
		return;
	/* v6.18: a page that a queue holds is off the lists for everybody else. */
	if (machine_axis(m, AXIS_PAGEVEC) == PAGEVEC_SINGLE && (m->pages.slot[slot].word & PG_HELD))
		return;
	m->pages.slot[slot].word |= PG_HELD;
	vec->slot[vec->nr++] = slot;
	if (vec->nr >= (uint32_t)machine_knobs(m)->pagevec_size)
		move_drain(m, cpu, move);
}

void pagevec_activate(struct machine *m, uint32_t cpu, uint32_t slot)
{
	struct pagevec *vec = &m->cpu[cpu].activate;

	if (machine_axis(m, AXIS_ACTIVATION) == ACTIVATION_IMMEDIATE || m->sc.cpus == 1) {
		activate_now(m, cpu, slot);
		return;
	}
	m->pages.slot[slot].word |= PG_HELD;
	vec->slot[vec->nr++] = slot;
	if (vec->nr >= (uint32_t)machine_knobs(m)->pagevec_size)
		activate_drain(m, cpu);
}

bool pagevec_holds(struct machine *m, uint32_t cpu, uint32_t slot)
{
	const struct pagevec *vec = add_queue(m, cpu, page_lru(m->pages.slot[slot].word));
	uint32_t i;

	for (i = 0; i < vec->nr; i++)
		if (vec->slot[i] == slot)
			return true;
	return false;
}

void pagevec_drain(struct machine *m, uint32_t cpu)
{
	int lru, move;

	for (lru = 0; lru < NR_LRU; lru++)
		add_drain(m, &m->cpu[cpu].add[lru]);
	for (move = 0; move < NR_MOVES; move++)
		move_drain(m, cpu, (enum page_move)move);
	activate_drain(m, cpu);
}

static void vec_forget(struct pagevec *vec, uint32_t slot)
{
	uint32_t i;

	for (i = 0; i < vec->nr; i++)
		if (vec->slot[i] == slot)
			vec->slot[i] = SLOT_NONE;
}

void pagevec_forget(struct machine *m, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word, cpu, i;

	for (cpu = 0; cpu < m->sc.cpus; cpu++) {
		if (page_pos(word) == POS_QUEUED)
			vec_forget(add_queue(m, cpu, page_lru(word)), slot);
		if (!(word & PG_HELD))
			continue;
		vec_forget(&m->cpu[cpu].activate, slot);
		for (i = 0; i < NR_MOVES; i++)
			vec_forget(&m->cpu[cpu].move[i], slot);
	}
	if (page_pos(word) == POS_QUEUED)
		machine_memcg(m, word & PG_MEMCG)->queued -= page_nr(&m->pages, slot);
}
