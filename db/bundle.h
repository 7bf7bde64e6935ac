/*
 * One run as one file: a header that tells the format, the length and the
 * XXH3-128 of all that follows, then a zstd frame of a store that holds this
 * run only.  A file that differs in any byte from what was written is refused.
 */
#ifndef MEMCGLAB_DB_BUNDLE_H
#define MEMCGLAB_DB_BUNDLE_H

#include <stdio.h>

#include "db.h"

enum { BUNDLE_FORMAT = 1 };

/**
 * bundle_write - run @uuid of @db as a bundle
 * @scratch: path of a file that is not there yet; none is left
 * Returns: ERR_USAGE for a run that is not there or not at its end, ERR_OUTPUT.
 */
enum err bundle_write(struct db *db, const char *uuid, const char *scratch, FILE *out,
		      struct diag *diag);

/**
 * bundle_unpack - check the bundle @path and write its store to @store
 * @store: path of a file that is not there yet; none is left on an error
 * Returns: ERR_DB for a file that is no bundle, of a newer format, cut short or changed.
 */
enum err bundle_unpack(const char *path, const char *store, struct diag *diag);

#endif
