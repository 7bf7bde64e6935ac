/*
 * What the rest of db needs to know of a recorder: that it may still hold
 * rows of a run that is about to end.
 */
#ifndef MEMCGLAB_DB_RECORDER_H
#define MEMCGLAB_DB_RECORDER_H

#include "db.h"

/**
 * recorder_flush - store what live recorders of run @id still hold
 * Returns: ERR_DB if it could not be stored.
 */
enum err recorder_flush(struct db *db, int64_t id, struct diag *diag);

#endif
