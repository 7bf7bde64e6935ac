/*
 * Bringing a store of an older schema up to date: a copy of the file first,
 * then what is missing, in one transaction.  Tables are only ever added.
 */
#ifndef MEMCGLAB_DB_MIGRATE_H
#define MEMCGLAB_DB_MIGRATE_H

#include "store.h"

/**
 * migrate_wanted - is the schema older than ours, or a table of it not there?
 * @version: what the file says
 */
enum err migrate_wanted(struct db *db, int64_t version, bool *wanted, struct diag *diag);

/**
 * migrate_do - copy @db's file, then add what its schema lacks
 * db->backup receives the copy's name, unless another process was faster.
 * Returns: ERR_DB; the store is as it was then.
 */
enum err migrate_do(struct db *db, struct diag *diag);

#endif
