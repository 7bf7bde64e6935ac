/*
 * Reading the lock statistics of a run.  Follows kernel/lockdep.c of
 * v2.6.31, seq_stats() of kernel/lockdep_proc.c.
 */
#include "contention.h"

#include <assert.h>
#include <stdio.h>

#include "policy.h"
#include "run_private.h"

static const char *const site_names[NR_LOCK_SITES] = {
	[LOCK_SITE_CHARGE] = "res_counter_charge",
	[LOCK_SITE_UNCHARGE] = "res_counter_uncharge",
	[LOCK_SITE_UNDO] = "res_counter_charge (undo)",
	[LOCK_SITE_SOFT] = "res_counter_soft_limit_excess",
	[LOCK_SITE_USER] = "scenario",
	[LOCK_SITE_WRITE] = "generic_file_aio_write",
	[LOCK_SITE_STAT] = "__mem_cgroup_begin_update_page_stat",
	[LOCK_SITE_MOVE] = "mem_cgroup_move_account",
};

const char *lock_site_name(enum lock_site site)
{
	assert(site < NR_LOCK_SITES);
	return site_names[site];
}

/* Of the lines that "memcg: reduce lock contention", linux-mm 2009-08-28, prints. */
static const struct {
	uint8_t charge;		/* value of the axis */
	enum lock_site site;
	struct lock_place place;
} places[] = {
	{ CHARGE_PAGE, LOCK_SITE_CHARGE, { 0xffffffff81099224, 0x94, 0x140 } },
	{ CHARGE_PAGE, LOCK_SITE_UNCHARGE, { 0xffffffff8109911c, 0x3c, 0xb0 } },
	{ CHARGE_RFC, LOCK_SITE_CHARGE, { 0xffffffff810991bd, 0x4d, 0x110 } },
	{ CHARGE_RFC, LOCK_SITE_UNCHARGE, { 0xffffffff81099115, 0x35, 0x90 } },
};

bool lock_site_place(const struct era *era, enum lock_site site, struct lock_place *out)
{
	size_t i;

	/* v2.6.32 and later, and v2.6.25, are other code. */
	if (era->value[AXIS_SOFT_LIMIT] != SOFT_LIMIT_OFF ||
	    era->value[AXIS_OWNER] != OWNER_ARRAY40)
		return false;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (places[i].charge != era->value[AXIS_CHARGE] || places[i].site != site)
			continue;
		*out = places[i].place;
		return true;
	}
	return false;
}

static void fold_times(struct lock_times *sum, const struct lock_times *one)
{
	if (one->min && (!sum->min || one->min < sum->min))
		sum->min = one->min;
	if (one->max > sum->max)
		sum->max = one->max;
	sum->nr += one->nr;
	sum->total += one->total;
}

static void fold_cpu(struct run_lock *out, const struct lock_stat *one)
{
	int i;

	out->sum.con_bounces += one->con_bounces;
	out->sum.acq_bounces += one->acq_bounces;
	out->sum.misses += one->misses;
	fold_times(&out->sum.wait, &one->wait);
	fold_times(&out->sum.hold, &one->hold);
	out->wait_min_sum += one->wait.min;
	out->wait_max_sum += one->wait.max;
	out->hold_min_sum += one->hold.min;
	out->hold_max_sum += one->hold.max;
	for (i = 0; i < LOCK_BUCKETS; i++)
		out->sum.bucket[i] += one->bucket[i];
}

bool run_lock(const struct run *run, uint32_t i, struct run_lock *out)
{
	const struct locks *locks = &run_machine_const(run)->locks;
	const struct lock_class *class = &locks->class[i];
	uint32_t cpu;

	if (!locks->leaves || i >= locks->block->region[REGION_LOCK_CLASS].used)
		return false;
	*out = (struct run_lock){ .atomic = class->atomic, .waiter = class->waiter,
				  .holder = class->holder };
	snprintf(out->name, sizeof(out->name), "%s", class->name);
	for (cpu = 0; cpu < locks->cpus; cpu++)
		fold_cpu(out, &locks->stat[i * locks->cpus + cpu]);
	out->waiting = locks_waiting(locks, i);
	return true;
}
