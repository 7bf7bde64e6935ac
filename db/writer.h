/*
 * The writing end of a recorder: turns records into rows, gathers them and
 * stores them in one transaction now and then.  It has its own connection
 * and holds the write lock only while it inserts.
 */
#ifndef MEMCGLAB_DB_WRITER_H
#define MEMCGLAB_DB_WRITER_H

#include "insert.h"
#include "repeat.h"
#include "ring.h"
#include "store.h"

struct writer_text { /* a path or a mark's words, to be stored */
	enum { WRITER_PATH, WRITER_MARK } what;
	int64_t id; /* css id, or key of the event */
	char *text;
};

struct writer {
	int64_t run;
	sqlite3 *sql;
	struct insert event, repeats, sample;
	struct writer_text *text;
	size_t nr_text, room_text;
	struct repeat *repeat;           /* one for each kind of event */
	int64_t kind_id[NR_EVENT_KINDS]; /* in this store */
	int64_t rule_id[NR_RULES];
	uint64_t nr_samples;  /* rows so far */
	uint64_t nr_gathered; /* records since the last commit */
	bool no_memory;
};

/* writer_open - for run @run of the store at @path.  Returns: ERR_DB, ERR_NOMEM. */
enum err writer_open(struct writer *writer, const char *path, int64_t run, struct diag *diag);
void writer_close(struct writer *writer);

/* writer_add - gather one record; takes over its text. */
void writer_add(struct writer *writer, const struct ring_record *record);

/* writer_commit - store all that was gathered.  Returns: ERR_DB, ERR_NOMEM. */
enum err writer_commit(struct writer *writer, struct diag *diag);

/* writer_forget - drop what was gathered: after a failure nothing is stored any more. */
void writer_forget(struct writer *writer);

#endif
