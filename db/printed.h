/*
 * What a scenario printed: the log of a run, line by line.
 */
#ifndef MEMCGLAB_DB_PRINTED_H
#define MEMCGLAB_DB_PRINTED_H

#include "db.h"

/* db_printed_add - the whole log of run @id at once; @text: lines, each ended by a newline. */
enum err db_printed_add(struct db *db, int64_t id, const char *text, struct diag *diag);

/* db_printed - the lines of run @id in order; each lives for the callback, whose error ends it and
 * is returned. */
enum err db_printed(struct db *db, int64_t id, enum err (*row)(void *ctx, const char *line),
		    void *ctx, struct diag *diag);

#endif
