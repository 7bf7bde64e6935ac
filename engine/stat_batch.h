/*
 * Statistics of groups that CPUs gather before they are to be seen
 * (stat_read=batch).
 */
#ifndef MEMCGLAB_ENGINE_STAT_BATCH_H
#define MEMCGLAB_ENGINE_STAT_BATCH_H

#include "machine.h"
#include "policy.h"

/* What is gathered.  Sizes of lists are not: those are exact in every kernel. */
enum batch_item {
	BATCH_RSS, BATCH_CACHE, BATCH_SHMEM, BATCH_MAPPED, BATCH_DIRTY, BATCH_WRITEBACK,
	BATCH_SWAP, BATCH_PGPGIN, BATCH_PGPGOUT, BATCH_PGFAULT, BATCH_PGMAJFAULT, NR_BATCH_ITEMS
};

static inline bool stat_batched(const struct machine *m)
{
	return machine_axis(m, AXIS_STAT_READ) == STAT_READ_BATCH;
}

/**
 * stat_batch_add - @item of group @memcg changes by @change at once, on the CPU of this step
 * stat_batch_gather - the same, where it is known that stat_read is batch
 * stat_batch_run - @n changes of 1, one after the other
 * What a CPU has gathered is added to the group's counter when it is more
 * than charge_batch, up or down.  Nothing with any other stat_read.
 * After: mod_memcg_state(), __count_memcg_events(), include/linux/memcontrol.h, v4.16.
 */
void stat_batch_gather(struct machine *m, uint32_t memcg, enum batch_item item, int64_t change);
static inline void stat_batch_add(struct machine *m, uint32_t memcg, enum batch_item item,
				  int64_t change)
{
	if (stat_batched(m))
		stat_batch_gather(m, memcg, item, change);
}
void stat_batch_run(struct machine *m, uint32_t memcg, enum batch_item item, uint64_t n);

/* stat_batch_held - what CPUs have gathered and not added yet. */
int64_t stat_batch_held(const struct machine *m, uint32_t memcg, enum batch_item item);

/* stat_batch_forget - the group is gone, and its number is free for another. */
void stat_batch_forget(struct machine *m, uint32_t memcg);

#endif
