/*
 * A ring of records between the engine's thread and the writer's: one puts,
 * one takes, without a lock while there is room.  The one that puts pays a
 * copy of about 120 bytes a record; it is woken or wakes only once a batch.
 */
#ifndef MEMCGLAB_DB_RING_H
#define MEMCGLAB_DB_RING_H

#include <pthread.h>
#include <stdatomic.h>

#include "event.h"

enum {
	RING_RECORDS = 16384, /* a power of two */
	RING_BATCH = 4096     /* the taker is woken after so many */
};

enum ring_kind {
	RING_EVENT,
	RING_SAMPLE,
	RING_MEMCG /* a group seen for the first time */
};

struct ring_record {
	enum ring_kind kind;
	union {
		struct event event; /* text: on the heap, the taker's */
		struct sample sample;
		struct {
			uint32_t id;
			char *path; /* on the heap, the taker's */
		} memcg;
	} u;
};

struct ring {
	struct ring_record *record;
	_Alignas(64) _Atomic uint64_t head; /* records put so far */
	_Alignas(64) _Atomic uint64_t tail; /* records taken so far */
	_Alignas(64) uint64_t tail_seen;    /* the putter's copy of tail */
	pthread_mutex_t lock;
	pthread_cond_t filled, drained;
	bool hurry; /* under lock: somebody waits for the taker */
};

enum err ring_init(struct ring *ring, struct diag *diag);
void ring_fini(struct ring *ring);

/* ring_room - where the next record goes, to be filled; waits while the ring is full. */
struct ring_record *ring_room(struct ring *ring);
void ring_put(struct ring *ring); /* it is filled: hand it over */

/* ring_wait - the taker waits for a batch, a hurry or @ms milliseconds. */
void ring_wait(struct ring *ring, long ms);

/**
 * ring_peek - the records that can be taken
 * @nr: receives how many lie one after the other from the returned one
 */
const struct ring_record *ring_peek(struct ring *ring, uint64_t *nr);
void ring_take(struct ring *ring, uint64_t nr); /* they are done with */

/* ring_hurry - the taker shall not wait for a full batch. */
void ring_hurry(struct ring *ring);

#endif
