/*
 * Follows lock_time_inc() and lock_point(), kernel/lockdep.c, v2.6.31.  The
 * buckets are the laboratory's own.
 */
#include "lock_tally.h"

enum { US = 1000 };

void lock_tally_time(struct lock_times *times, ns_t t)
{
	times->nr++;
	times->total += t;
	if (t > times->max)
		times->max = t;
	if (t && (!times->min || t < times->min))
		times->min = t;
}

void lock_tally_site(struct lock_sites *sites, enum lock_site site)
{
	uint32_t i;

	for (i = 0; i < sites->nr && sites->site[i] != site; i++)
		;
	if (i == LOCK_SITES)
		return;
	if (i == sites->nr)
		sites->site[sites->nr++] = site;
	sites->count[i]++;
}

/* 0 for no wait, then by powers of two of a microsecond. */
unsigned lock_tally_bucket(ns_t wait)
{
	unsigned i = 1;
	ns_t bound = US;

	if (!wait)
		return 0;
	for (; i < LOCK_BUCKETS - 1 && wait >= bound; i++)
		bound *= 2;
	return i;
}
