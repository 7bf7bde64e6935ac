/*
 * Lock statistics of a run, as lock_stat keeps them: for each class of locks
 * and each CPU.  Times are in nanoseconds.
 */
#ifndef MEMCGLAB_ENGINE_API_CONTENTION_H
#define MEMCGLAB_ENGINE_API_CONTENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "units.h"

struct era;
struct run;

enum { LOCK_SITES = 4, LOCK_NAME_MAX = 64, LOCK_BUCKETS = 10 };

/* From where a lock is taken. */
enum lock_site {
	LOCK_SITE_CHARGE,	/* res_counter_charge() */
	LOCK_SITE_UNCHARGE,	/* res_counter_uncharge() */
	LOCK_SITE_UNDO,		/* the levels below one that refused */
	LOCK_SITE_SOFT,		/* soft limit checks */
	LOCK_SITE_USER,		/* a lock that a scenario made */
	LOCK_SITE_WRITE,	/* generic_file_aio_write() */
	LOCK_SITE_STAT,		/* __mem_cgroup_begin_update_page_stat() */
	LOCK_SITE_MOVE,		/* mem_cgroup_move_account() */
	NR_LOCK_SITES,
	LOCK_SITE_REFERENCE = NR_LOCK_SITES	/* no lock: a group's reference count */
};

/* Waits or holds.  A time of 0 never becomes the least. */
struct lock_times {
	uint64_t nr;
	ns_t min, max, total;
};

/*
 * Of one class on one CPU: the CPU that acquired.
 * Invariant: con_bounces <= wait.nr, which is the contentions, <= hold.nr,
 * which is the acquisitions; acq_bounces <= hold.nr.
 */
struct lock_stat {
	uint64_t con_bounces, acq_bounces;
	struct lock_times wait, hold;
	uint64_t bucket[LOCK_BUCKETS];	/* by wait: 0, < 1 us, < 2, < 4 … 128 and more */
	uint64_t misses;		/* lines that came from other CPUs (knob lock_lines) */
};

/* The first four places that occurred; later ones are not told apart. */
struct lock_sites {
	uint32_t nr;
	enum lock_site site[LOCK_SITES];
	uint64_t count[LOCK_SITES];
};

/* How a kernel's lock_stat prints; the values of the axis of that name. */
enum lock_stat_form {
	LOCK_STAT_SUMS,		/* least and largest times added up over CPUs */
	LOCK_STAT_EXTREMES,	/* of any CPU */
	LOCK_STAT_AVERAGES	/* of any CPU, and averages: version 0.4 */
};

struct run_lock {
	char name[LOCK_NAME_MAX];
	bool atomic;		/* additions to a shared line, no lock */
	struct lock_sites waiter, holder;	/* who had to wait; whom it waited for */
	struct lock_stat sum;	/* over CPUs; the least and the largest time of any CPU */
	ns_t wait_min_sum, wait_max_sum;	/* added up over CPUs, as printed to v2.6.32 */
	ns_t hold_min_sum, hold_max_sum;
	uint32_t waiting;	/* CPUs that wait right now */
};

/* run_lock - class @i of locks.  Returns: false past the last; a run without locks has none. */
bool run_lock(const struct run *run, uint32_t i, struct run_lock *out);

/* lock_site_name - the kernel function. */
const char *lock_site_name(enum lock_site site);

/* Where a call site lies in the code of a kernel: [bytes] into a function of so many. */
struct lock_place {
	uint64_t address;
	uint32_t offset, size;
};

/**
 * lock_site_place - where a site lies in the build that the post of 2009 was measured with
 * Known are its kernel without the patches, which v2.6.31 stands for, and that with them
 * (charge=rfc), of each the charge and the uncharge.  Returns: false if it is not known.
 */
bool lock_site_place(const struct era *era, enum lock_site site, struct lock_place *out);

#endif
