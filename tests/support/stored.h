/*
 * A store in a folder of its own, for tests: opened, filled with runs and
 * events, asked with plain SQL through a connection that knows nothing of
 * memcglab, and removed at the end.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_STORED_H
#define MEMCGLAB_TESTS_SUPPORT_STORED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "db.h"

enum { STORED_TEXT_MAX = 8192 };

struct stored {
	char folder[64], path[128];
	struct db *db;
	struct diag diag;
};

/* stored_new - an empty folder; nothing is opened yet. */
void stored_new(struct stored *st);

/* stored_open - a new folder with a store opened for writing. */
void stored_open(struct stored *st);

/* stored_reopen - close and open once more in @mode; must work. */
void stored_reopen(struct stored *st, enum db_mode mode);

/* stored_close - close it and remove the folder. */
void stored_close(struct stored *st);

/* stored_begin - a run of scenario @name.  Returns: its id. */
int64_t stored_begin(struct stored *st, const char *name);
void stored_end(struct stored *st, int64_t id, enum run_state state);

/* stored_recorder - a recorder of run @id; the groups are "" (1), "jobs" (2), "jobs/cat" (3). */
struct sink *stored_recorder(struct stored *st, int64_t id);

/* stored_feed - one event, which must be taken. */
void stored_feed(struct stored *st, struct sink *sink, const struct event *event);

/* stored_shrink - the @nr-th call and event of a steady reader, by group jobs/cat. */
struct event stored_shrink(uint64_t nr);

/* stored_sql - all rows of @sql, columns parted by '|' and rows by '\n'; a plain connection. */
const char *stored_sql(const struct stored *st, const char *sql, char out[STORED_TEXT_MAX]);

/* stored_number - the one number that @sql gives. */
int64_t stored_number(const struct stored *st, const char *sql);

#endif
