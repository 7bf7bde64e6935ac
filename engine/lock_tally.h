/*
 * How lock_stat adds one wait, one hold, one place to what it has counted.
 */
#ifndef MEMCGLAB_ENGINE_LOCK_TALLY_H
#define MEMCGLAB_ENGINE_LOCK_TALLY_H

#include "contention.h"

/* lock_tally_time - one wait or hold more; a time of 0 never becomes the least. */
void lock_tally_time(struct lock_times *times, ns_t t);

/* lock_tally_site - once more from @site; a fifth place is not told apart. */
void lock_tally_site(struct lock_sites *sites, enum lock_site site);

/* lock_tally_bucket - Returns: which of struct lock_stat's buckets a wait of @wait belongs to. */
unsigned lock_tally_bucket(ns_t wait);

#endif
