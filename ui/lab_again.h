/*
 * A stored run once more: run again from its texts, or replayed from its
 * operations and held against the hashes of its states.  Both need the
 * store and nothing else.
 */
#ifndef MEMCGLAB_UI_LAB_AGAIN_H
#define MEMCGLAB_UI_LAB_AGAIN_H

#include "lab.h"
#include "provenance.h"

/* What a stored run asked for: texts, parameters, kernel, seed. */
struct lab_again {
	struct db_run run;
	struct lab_scenario scenario;
	struct script_library *library;
	struct lab_param *param;
	size_t nr_params;
};

/**
 * lab_again_open - read all that it takes to run @run again
 * @run: taken over, also after an error
 * @out: released by lab_again_close, also after an error
 * Returns: ERR_USAGE for what the store does not have, by name.
 */
enum err lab_again_open(struct lab *lab, struct db *db, const struct db_run *run,
			struct lab_again *out, struct diag *diag);
void lab_again_close(struct lab_again *again);

/* lab_again_request - the request that makes the run once more; borrows from @again. */
void lab_again_request(const struct lab_again *again, struct lab_request *out);

/* States of a run held against those that were stored of it. */
struct lab_verified {
	uint64_t steps;
	size_t nr, nr_same; /* states; those before the first that differs */
	bool same;
	uint64_t step; /* of the first that differs */
	char stored[DB_HASH_MAX], found[DB_HASH_MAX];
	char why[DB_WORD_MAX]; /* the replay came to no such state; "" if it did */
	int64_t model;         /* revision that made it; 0: not known */
};

/**
 * lab_verify - replay a stored run and compare every hash that is stored of it
 * Returns: ERR_USAGE if nothing is stored that could be compared.
 */
enum err lab_verify(struct db *db, const struct db_run *run, struct lab_verified *out,
		    struct diag *diag);

/* lab_verify_rerun - the same against the states of run @again, where both have one. */
enum err lab_verify_rerun(struct db *db, const struct db_run *run, const struct db_run *again,
			  struct lab_verified *out, struct diag *diag);

/* lab_verified_model - what the revision has to do with it, as a sentence; "" if nothing. */
const char *lab_verified_model(const struct lab_verified *verified, char out[DB_WORD_MAX]);

#endif
