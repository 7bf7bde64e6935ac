/*
 * What a run was made of, besides the scenario's own text and parameters:
 * the libraries that it required, the program that made it, and hashes of
 * its state on the way.  With these the run can be made again, and whether
 * it came out the same can be told, from the store alone.
 */
#ifndef MEMCGLAB_DB_PROVENANCE_H
#define MEMCGLAB_DB_PROVENANCE_H

#include "db.h"

struct db_library {
	const char *name, *text; /* "lib.compile" */
};

struct db_program {
	int64_t model;     /* revision; 0: the store does not know */
	const char *build; /* compiler and flags; NULL: it does not know */
};

enum { DB_HASH_MAX = 33 };

struct db_keyframe {
	uint64_t step; /* so many were made */
	char hash[DB_HASH_MAX];
};

/* db_program_add - what makes run @id.  Once a run. */
enum err db_program_add(struct db *db, int64_t id, const struct db_program *program,
			struct diag *diag);

/* db_libraries_add - texts that run @id required; one that it has already stays as it is. */
enum err db_libraries_add(struct db *db, int64_t id, const struct db_library *library, size_t n,
			  struct diag *diag);

/* db_keyframes_add - hashes of run @id; a step that it has already gets the new one. */
enum err db_keyframes_add(struct db *db, int64_t id, const struct db_keyframe *keyframe, size_t n,
			  struct diag *diag);

/* The same read back.  Callbacks as in db.h; what they are given lives for the call. */
enum err db_program_read(struct db *db, int64_t id,
			 enum err (*row)(void *, const struct db_program *), void *ctx,
			 struct diag *diag);
enum err db_libraries(struct db *db, int64_t id, enum err (*row)(void *, const struct db_library *),
		      void *ctx, struct diag *diag);
enum err db_keyframes(struct db *db, int64_t id,
		      enum err (*row)(void *, const struct db_keyframe *), void *ctx,
		      struct diag *diag);

#endif
