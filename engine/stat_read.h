/*
 * What it costs to read a group's statistics: counters that are looked at.
 */
#ifndef MEMCGLAB_ENGINE_STAT_READ_H
#define MEMCGLAB_ENGINE_STAT_READ_H

#include "machine.h"

/* stat_read_changed - statistics of @memcg have changed on @cpu since they were read. */
static inline void stat_read_changed(struct machine *m, uint32_t memcg, uint32_t cpu)
{
	machine_memcg(m, memcg)->stat_cpus[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

/**
 * stat_read - counters that a read of memory.stat of @memcg's subtree looks at
 * Groups that are dying count as others do.
 * stat_read=sum:   about 70 items of each group on each CPU
 * stat_read=batch: 70 items of each group, to which CPUs add what they gathered
 * stat_read=tree:  70 items of each group and CPU that changed since the last
 *                  read, which is forgotten then, and those of the group itself
 * MODEL: what changes statistics is charging.  What has changed decides
 * nothing else, so it is no part of the hash that names a state.
 * After: memcg_stat_show(), v4.15; a983b5ebee57 (4.16); cgroup_rstat_flush(),
 * kernel/cgroup/rstat.c, v6.18.
 */
uint64_t stat_read(struct machine *m, uint32_t memcg);

#endif
