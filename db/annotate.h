/*
 * What users say of stored runs: notes, tags, and which run of a scenario is
 * the one that others are held against.
 */
#ifndef MEMCGLAB_DB_ANNOTATE_H
#define MEMCGLAB_DB_ANNOTATE_H

#include "db.h"

/* db_note_set - the note of run @id; "" removes it. */
enum err db_note_set(struct db *db, int64_t id, const char *note, struct diag *diag);

struct db_tagging {
	const char *tags; /* words parted by blanks; to remove all: "" */
	bool remove;      /* they are taken away */
	bool replace;     /* the run has these and no others */
};

/**
 * db_tags_change - tags that run @id gets or loses
 * @now: receives all its tags
 * Returns: ERR_USAGE if they would be too many to keep.
 */
enum err db_tags_change(struct db *db, int64_t id, const struct db_tagging *tagging,
			char now[DB_WORD_MAX], struct diag *diag);

/* db_baseline_set - run @id becomes the baseline of its scenario, instead of the one before. */
enum err db_baseline_set(struct db *db, int64_t id, struct diag *diag);

/* db_baseline_clear - @scenario has none any more.  Returns: ERR_USAGE if it had none. */
enum err db_baseline_clear(struct db *db, const char *scenario, struct diag *diag);

#endif
