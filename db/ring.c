/*
 * The ring: head is written by the putter alone, tail by the taker alone.
 * Waiting is done under the lock; both sides re-check under it, so that no
 * wake-up is lost, and the taker's wait is timed anyway.
 */
#include "ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NS_A_MS = 1000000, NS_A_SECOND = 1000000000 };

/* Waits are timed by the clock that nobody sets, so that a changed date delays no commit. */
enum err ring_init(struct ring *ring, struct diag *diag)
{
	pthread_condattr_t attr;

	memset(ring, 0, sizeof(*ring));
	ring->record = malloc(RING_RECORDS * sizeof(*ring->record));
	if (!ring->record)
		return diag_fail(diag, ERR_NOMEM, "no memory for a recorder");
	atomic_init(&ring->head, 0);
	atomic_init(&ring->tail, 0);
	pthread_mutex_init(&ring->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&ring->filled, &attr);
	pthread_cond_init(&ring->drained, &attr);
	pthread_condattr_destroy(&attr);
	return ERR_OK;
}

void ring_fini(struct ring *ring)
{
	if (!ring->record)
		return;
	pthread_cond_destroy(&ring->filled);
	pthread_cond_destroy(&ring->drained);
	pthread_mutex_destroy(&ring->lock);
	free(ring->record);
	ring->record = NULL;
}

/* The engine is faster than the disk: it waits until the taker has made room.  The taker is woken
 * first, for it may be asleep over less than a batch. */
static void wait_for_room(struct ring *ring, uint64_t head)
{
	pthread_mutex_lock(&ring->lock);
	for (;;) {
		ring->tail_seen = atomic_load_explicit(&ring->tail, memory_order_acquire);
		if (head - ring->tail_seen < RING_RECORDS)
			break;
		pthread_cond_signal(&ring->filled);
		pthread_cond_wait(&ring->drained, &ring->lock);
	}
	pthread_mutex_unlock(&ring->lock);
}

/* The putter's copy of tail is looked at first: tail itself lives in the taker's cache line, and
 * while the copy shows room there is room. */
struct ring_record *ring_room(struct ring *ring)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	if (head - ring->tail_seen >= RING_RECORDS)
		wait_for_room(ring, head);
	return &ring->record[head % RING_RECORDS];
}

/* Release: who sees the new head sees the record.  A wake-up costs more than a record, so there
 * is one for a batch. */
void ring_put(struct ring *ring)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed) + 1;

	atomic_store_explicit(&ring->head, head, memory_order_release);
	if (head % RING_BATCH)
		return;
	pthread_mutex_lock(&ring->lock);
	pthread_cond_signal(&ring->filled);
	pthread_mutex_unlock(&ring->lock);
}

/* Acquire pairs with ring_put(): the records below head are whole.  Only the taker may ask. */
static uint64_t available(struct ring *ring)
{
	return atomic_load_explicit(&ring->head, memory_order_acquire) -
	       atomic_load_explicit(&ring->tail, memory_order_relaxed);
}

/* Less than a batch is taken when the time is over; a hurry is used up by the wait that it ends. */
void ring_wait(struct ring *ring, long ms)
{
	struct timespec until;
	int timed_out = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += ms % 1000 * NS_A_MS;
	until.tv_sec += ms / 1000 + until.tv_nsec / NS_A_SECOND;
	until.tv_nsec %= NS_A_SECOND;

	pthread_mutex_lock(&ring->lock);
	while (!ring->hurry && available(ring) < RING_BATCH && !timed_out)
		timed_out = pthread_cond_timedwait(&ring->filled, &ring->lock, &until);
	ring->hurry = false;
	pthread_mutex_unlock(&ring->lock);
}

/* Not beyond the end of the array: the rest is given by the next call, from the array's start. */
const struct ring_record *ring_peek(struct ring *ring, uint64_t *nr)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	uint64_t to_end = RING_RECORDS - tail % RING_RECORDS;

	*nr = available(ring);
	if (*nr > to_end)
		*nr = to_end;
	return &ring->record[tail % RING_RECORDS];
}

/* Release: the putter may write over these records as soon as it sees the new tail. */
void ring_take(struct ring *ring, uint64_t nr)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	assert(nr <= available(ring));
	atomic_store_explicit(&ring->tail, tail + nr, memory_order_release);
	pthread_mutex_lock(&ring->lock);
	pthread_cond_signal(&ring->drained);
	pthread_mutex_unlock(&ring->lock);
}

/* Under the lock, or the taker could test hurry, find it false and fall asleep after the signal. */
void ring_hurry(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->hurry = true;
	pthread_cond_signal(&ring->filled);
	pthread_mutex_unlock(&ring->lock);
}
