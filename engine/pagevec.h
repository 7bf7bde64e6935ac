/*
 * Per-CPU queues of pages on their way to a list.  While queued a page is
 * charged but on no list and in no list count.
 */
#ifndef MEMCGLAB_ENGINE_PAGEVEC_H
#define MEMCGLAB_ENGINE_PAGEVEC_H

#include <stdbool.h>
#include <stdint.h>

enum { PAGEVEC_MAX = 31 };	/* v6.18; knob pagevec_size says how many are used */

struct machine;

/* A queue of one CPU, oldest first; drained before it is full, or by the add that fills it. */
struct pagevec {
	uint32_t nr;			/* places taken */
	uint32_t slot[PAGEVEC_MAX];	/* SLOT_NONE: the page was freed meanwhile */
};

/**
 * pagevec_add - queue a new resident page on @cpu for the list of its flags
 * The add that fills the queue lists all of it, in order.  The page must be
 * new (POS_NONE, asserted); it is charged and counted as queued until then.
 * Listing counts as recent use: scanned + 1, and rotated + 1 for an active
 * list, in the zone's statistics and the owner's.
 * After: __lru_cache_add(), mm/swap.c:217, v2.6.31.
 */
void pagevec_add(struct machine *m, uint32_t cpu, uint32_t slot);

/* pagevec_add_folio - a folio of more than one page: the queue that it is put in drains at once. */
void pagevec_add_folio(struct machine *m, uint32_t cpu, uint32_t slot);

/* pagevec_add_run - pagevec_add of @n new pages alike with successive slots. */
void pagevec_add_run(struct machine *m, uint32_t cpu, uint32_t slot, uint32_t n);

/**
 * pagevec_activate - move a listed inactive page to its active list
 * At once, or with activation=queued and several CPUs when the queue is full.
 * While it waits the queue holds a reference: reclaim keeps the page (PG_HELD).
 * After: activate_page(), mm/swap.c, v2.6.31; mm/swap.c:304, v3.1.
 */
void pagevec_activate(struct machine *m, uint32_t cpu, uint32_t slot);

/* Where else a listed page may be sent to. */
enum page_move {
	MOVE_INVALIDATED,	/* an invalidation could not free it: where reclaim is next */
	MOVE_DEACTIVATED,	/* MADV_COLD: from the active list to the inactive one */
	MOVE_GIVEN_UP,		/* MADV_FREE: memory that may be freed without swap, as a file's */
	NR_MOVES
};

/**
 * pagevec_move - queue a listed page for such a move
 * A dirty page that was to be invalidated goes to the head of its inactive list
 * and to the tail when it is written; a clean one to the tail; a mapped one stays.
 * After: deactivate_page(), mm/swap.c, v3.1; lru_deactivate_file(), lru_deactivate(),
 * lru_lazyfree(), v6.18.
 */
void pagevec_move(struct machine *m, uint32_t cpu, uint32_t slot, enum page_move move);

/* pagevec_holds - whether a queued page waits in the add queue of @cpu.  Only that CPU's own
 * queue can mark it active (touch_queued=activates). */
bool pagevec_holds(struct machine *m, uint32_t cpu, uint32_t slot);

/* pagevec_drain - list all that @cpu has queued, add queues by list first, then moves,
 * activations last.
 * Every shrink call begins with it, for its own CPU only.  After: lru_add_drain(), v2.6.31. */
void pagevec_drain(struct machine *m, uint32_t cpu);

/* pagevec_forget - a page that is about to be freed leaves every queue (its place stays taken). */
void pagevec_forget(struct machine *m, uint32_t slot);

#endif
