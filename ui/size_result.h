/*
 * What searches for a smallest value came to, over kernels and seeds.
 */
#ifndef MEMCGLAB_UI_SIZE_RESULT_H
#define MEMCGLAB_UI_SIZE_RESULT_H

#include "bisect.h"
#include "lab_sweep.h"
#include "output.h"

struct size_result {
	const struct lab_sweep *points;
	const char *name;	  /* of the parameter */
	int64_t low, high, step;  /* where it is looked for; set by the caller */
	struct bisect *search;	  /* [kernel * seeds + seed] */
	size_t nr;
};

/* size_result_init - searches that have not asked yet.  Returns: ERR_NOMEM. */
enum err size_result_init(struct size_result *result, const struct lab_sweep *points,
			  const char *name, struct diag *diag);
void size_result_fini(struct size_result *result);

/**
 * size_result_write - a row a kernel; as a table with its verdict in a sentence
 * Returns: ERR_EXPECT with the reason if not every search found a smallest value.
 */
enum err size_result_write(const struct size_result *result, const struct output_style *style,
			   FILE *out, struct diag *diag);

#endif
