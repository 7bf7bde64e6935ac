/*
 * The sink that stores a run.  On the engine's thread an event costs a copy
 * into the ring; a second thread takes batches, turns them into rows and
 * stores them, one transaction per 64k records or 250 ms.  When the disk is
 * slower than the engine the ring fills and the engine waits.
 *
 * A failure of the writer ends the run at its next event: the recorder
 * returns the writer's error once it sees it, and drops what comes after.
 */
#include "recorder.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "writer.h"

enum { COMMIT_RECORDS = 65536, COMMIT_MS = 250, SEEN_FIRST = 64 };

struct recorder {
	struct sink sink; /* first: it is a sink */
	struct db *db;
	struct recorder *next; /* in the db's list */
	int64_t id;
	struct db_paths paths;
	uint8_t *seen; /* by css id: its path is known */
	uint32_t nr_seen;
	struct ring ring;
	struct writer writer;
	pthread_t thread;
	bool started;
	_Atomic bool failed; /* diag is set and stays */
	struct diag diag;
	pthread_cond_t stored;    /* with ring.lock, for the three below */
	uint64_t asked, answered; /* flushes */
	bool stop;
};

/* Only to space out commits; no time of this clock is stored. */
static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Takes all there is into the writer's rows; after a failure only throws it away. */
static void drain(struct recorder *rec)
{
	const struct ring_record *record;
	uint64_t nr;

	while ((record = ring_peek(&rec->ring, &nr)), nr) {
		if (nr > RING_BATCH)
			nr = RING_BATCH;
		for (uint64_t i = 0; i < nr; i++)
			writer_add(&rec->writer, &record[i]);
		ring_take(&rec->ring, nr);
		if (rec->writer.nr_gathered >= COMMIT_RECORDS)
			break;
	}
}

/* The first failure stays; from then on rows are gathered and forgotten until the run has
 * noticed. */
static void commit(struct recorder *rec)
{
	if (!rec->failed && writer_commit(&rec->writer, &rec->diag))
		atomic_store(&rec->failed, true);
	if (rec->failed)
		writer_forget(&rec->writer);
}

/* Empties the ring and stores all, whatever is asked meanwhile. */
static void store_all(struct recorder *rec)
{
	uint64_t nr;

	do {
		drain(rec);
		commit(rec);
		ring_peek(&rec->ring, &nr);
	} while (nr);
}

/* The writer's thread.  A flush that is asked for while one is going on is answered by the next
 * round: answered follows asked, never runs ahead of it. */
static void *write_rows(void *arg)
{
	struct recorder *rec = arg;
	uint64_t committed = now_ms();
	bool stop = false;

	while (!stop) {
		uint64_t asked;

		ring_wait(&rec->ring, COMMIT_MS);
		pthread_mutex_lock(&rec->ring.lock);
		asked = rec->asked;
		stop = rec->stop;
		pthread_mutex_unlock(&rec->ring.lock);

		if (stop || asked != rec->answered)
			store_all(rec);
		else
			drain(rec);
		if (rec->writer.nr_gathered >= COMMIT_RECORDS ||
		    now_ms() - committed >= COMMIT_MS) {
			commit(rec);
			committed = now_ms();
		}

		pthread_mutex_lock(&rec->ring.lock);
		rec->answered = asked;
		pthread_cond_broadcast(&rec->stored);
		pthread_mutex_unlock(&rec->ring.lock);
	}
	return NULL;
}

/* What the writer met, told to the engine on the engine's own thread. */
static enum err failure(struct recorder *rec, struct diag *diag)
{
	if (!atomic_load_explicit(&rec->failed, memory_order_acquire))
		return ERR_OK;
	return diag_fail(diag, rec->diag.err, "%s", rec->diag.text);
}

static char *copy_text(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

static enum err no_memory(struct diag *diag)
{
	return diag_fail(diag, ERR_NOMEM, "no memory for a recorder");
}

/* Puts the path of a group into the stream, the first time that it is seen. */
static enum err meet_memcg(struct recorder *rec, uint32_t memcg, struct diag *diag)
{
	struct ring_record *record;
	const char *path;
	char *copy;

	if (memcg >= rec->nr_seen) {
		uint32_t nr = rec->nr_seen ? rec->nr_seen : SEEN_FIRST;
		uint8_t *seen;

		while (nr <= memcg)
			nr *= 2;
		seen = realloc(rec->seen, nr);
		if (!seen)
			return no_memory(diag);
		memset(seen + rec->nr_seen, 0, nr - rec->nr_seen);
		rec->seen = seen;
		rec->nr_seen = nr;
	}
	rec->seen[memcg] = 1;
	if (!memcg)
		return ERR_OK;
	path = rec->paths.path(rec->paths.ctx, memcg);
	copy = copy_text(path && path[0] ? path : "/");
	if (!copy)
		return no_memory(diag);
	record = ring_room(&rec->ring);
	record->kind = RING_MEMCG;
	record->u.memcg.id = memcg;
	record->u.memcg.path = copy;
	ring_put(&rec->ring);
	return ERR_OK;
}

/* The text of a mark lives for the call only, so the ring carries a copy. */
static enum err record_event(struct sink *sink, const struct event *event, struct diag *diag)
{
	struct recorder *rec = (struct recorder *)sink;
	struct ring_record *record;
	enum err err = failure(rec, diag);
	char *text = NULL;

	if (!err && (event->memcg >= rec->nr_seen || !rec->seen[event->memcg]))
		err = meet_memcg(rec, event->memcg, diag);
	if (err)
		return err;
	if (event->text) {
		text = copy_text(event->text);
		if (!text)
			return no_memory(diag);
	}
	record = ring_room(&rec->ring);
	record->kind = RING_EVENT;
	record->u.event = *event;
	record->u.event.text = text;
	ring_put(&rec->ring);
	return ERR_OK;
}

/* Samples have no text and no rule; a group may be sampled before any event names it. */
static enum err record_sample(struct sink *sink, const struct sample *sample, struct diag *diag)
{
	struct recorder *rec = (struct recorder *)sink;
	struct ring_record *record;
	enum err err = failure(rec, diag);

	if (!err && (sample->memcg >= rec->nr_seen || !rec->seen[sample->memcg]))
		err = meet_memcg(rec, sample->memcg, diag);
	if (err)
		return err;
	record = ring_room(&rec->ring);
	record->kind = RING_SAMPLE;
	record->u.sample = *sample;
	ring_put(&rec->ring);
	return ERR_OK;
}

/* Waits until the writer has answered a flush that was asked for after all records were put. */
static enum err record_finish(struct sink *sink, struct diag *diag)
{
	struct recorder *rec = (struct recorder *)sink;
	uint64_t mine;

	pthread_mutex_lock(&rec->ring.lock);
	mine = ++rec->asked;
	pthread_mutex_unlock(&rec->ring.lock);
	ring_hurry(&rec->ring);
	pthread_mutex_lock(&rec->ring.lock);
	while (rec->answered < mine)
		pthread_cond_wait(&rec->stored, &rec->ring.lock);
	pthread_mutex_unlock(&rec->ring.lock);
	return failure(rec, diag);
}

/* Signals are for the thread that runs the engine, never for this one. */
static bool start_thread(struct recorder *rec)
{
	sigset_t all, before;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = pthread_create(&rec->thread, NULL, write_rows, rec) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

/* Which kinds are stored is said by their rows, not here. */
static uint32_t stored_kinds(void)
{
	uint32_t mask = 0;

	for (int i = 0; i < NR_EVENT_KINDS; i++)
		if (event_at((enum event_kind)i)->stored)
			mask |= (uint32_t)1 << i;
	return mask;
}

enum err db_recorder_new(struct db *db, int64_t id, const struct db_paths *paths, struct sink **out,
			 struct diag *diag)
{
	struct recorder *rec;
	enum err err = store_writable(db, diag);

	*out = NULL;
	if (err)
		return err;
	rec = aligned_alloc(_Alignof(struct recorder), sizeof(*rec));
	if (!rec)
		return no_memory(diag);
	memset(rec, 0, sizeof(*rec));
	rec->sink = (struct sink){ "recorder", stored_kinds(), record_event, record_sample,
				   record_finish };
	rec->db = db;
	rec->id = id;
	rec->paths = *paths;
	atomic_init(&rec->failed, false);
	pthread_cond_init(&rec->stored, NULL);
	err = ring_init(&rec->ring, diag);
	if (!err)
		err = writer_open(&rec->writer, db->path, id, diag);
	if (!err && !start_thread(rec))
		err = diag_fail(diag, ERR_NOMEM, "no thread for a recorder");
	rec->started = !err;
	rec->next = db->recorders;
	db->recorders = rec;
	if (err) {
		db_recorder_free(&rec->sink);
		return err;
	}
	*out = &rec->sink;
	return ERR_OK;
}

/* It is in the list since db_recorder_new(), also if that failed. */
static void unlink_recorder(struct recorder *rec)
{
	struct recorder **at = &rec->db->recorders;

	while (*at != rec)
		at = &(*at)->next;
	*at = rec->next;
}

void db_recorder_free(struct sink *sink)
{
	struct recorder *rec = (struct recorder *)sink;

	if (!rec)
		return;
	if (rec->started) {
		pthread_mutex_lock(&rec->ring.lock);
		rec->stop = true;
		pthread_mutex_unlock(&rec->ring.lock);
		ring_hurry(&rec->ring);
		pthread_join(rec->thread, NULL);
	}
	unlink_recorder(rec);
	writer_close(&rec->writer);
	ring_fini(&rec->ring);
	pthread_cond_destroy(&rec->stored);
	free(rec->seen);
	free(rec);
}

enum err recorder_flush(struct db *db, int64_t id, struct diag *diag)
{
	enum err err = ERR_OK;

	for (struct recorder *rec = db->recorders; rec && !err; rec = rec->next)
		if (rec->id == id)
			err = record_finish(&rec->sink, diag);
	return err;
}
