/*
 * Why a figure of a post has none of the model beside it.  Every row that is
 * not modelled is named here, alone or with others of its name; nothing else
 * is.
 */
#include "published.h"

#include <string.h>

static const struct gap {
	const char *table, *row; /* of all sides */
	const char *why;
} gaps[] = {
	{ "execl_2008", "v3-1-6",
	  "what patches 5 and 6 of version 3 change is not known" },
	{ "lock_stat_2009", "waittime_min",
	  "the shortest of a million waits is one chance meeting, and no rule says how short" },
	{ "lock_stat_2009", "waittime_max",
	  "that lock is not fair, so somebody waits for long; the model's is" },
	{ "lock_stat_2009", "holdtime_min", "no rule says how short a hold is: a constant does" },
	{ "lock_stat_2009", "holdtime_max",
	  "the longest holds are those that an interrupt stretched; there are none" },
	{ "lock_stat_2009", "real_s", "a run lasts as long as the share of idle CPUs makes it" },
	{ "lock_stat_2009", "user_s", "time in user mode takes no lock" },
	{ "lock_stat_2009", "sys_s", "of the kernel's time the model has faults and charges only" },
	{ "dirty_stat_2012", "lat_min_us", "all writes of the model cost alike" },
	{ "dirty_stat_2012", "lat_max_us", "nothing stops a writer of the model for long" },
	{ "dirty_stat_2012", "lat_stdev_us", "nothing stops a writer of the model for long" },
	{ "dirty_stat_2012", "dirty_kb_before", "what else the machine had written is not known" },
	{ "memcg_lru_2011", "kbuild-4-majfault",
	  "how many there are hangs on memory and files that the post does not state" },
	{ "memcg_lru_2011", "kbuild-16-majfault",
	  "how many there are hangs on memory and files that the post does not state" },
};

const char *published_why(const struct published_table *table, const struct published_row *row)
{
	for (size_t i = 0; i < sizeof(gaps) / sizeof(gaps[0]) && row->run == NULL; i++)
		if (strcmp(gaps[i].table, table->name) == 0 && strcmp(gaps[i].row, row->row) == 0)
			return gaps[i].why;
	return NULL;
}
