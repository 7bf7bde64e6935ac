/*
 * One simulated host: pointers into its block of state, and what the run
 * was opened with.
 */
#ifndef MEMCGLAB_ENGINE_MACHINE_STATE_H
#define MEMCGLAB_ENGINE_MACHINE_STATE_H

#include "machine_parts.h"
#include "nodes.h"

struct machine {
	struct block block;
	struct pages pages;
	struct lists lists;
	struct memcgs memcgs;
	struct locks locks;		/* of counters first: two for each css id */
	struct host *host;
	struct cpu *cpu;		/* by number, sc.cpus of them */
	struct task *task;		/* by id, from 1 */
	struct open_file *open;
	struct vma *vma;		/* pieces of mappings, from 1 */
	ns_t *actor_clock;		/* [ns] by actor: end of its latest step */
	struct leaf_nodes *nodes;	/* by leaf */
	struct upper_node *upper;
	bool has_nodes;			/* page-cache trees are modelled */
	bool charges;			/* there is a controller */
	bool per_node;			/* a group has one set of lists for all zones */
	struct scenario sc;		/* .era.knobs are the knobs */
	pages_t ram_pages;		/* of the memory map; all of them are frames */
	struct sink *sink[SINKS_MAX];
	size_t nr_sinks;
	uint32_t wanted;		/* event kinds that any sink wants */
	struct stock *stock;		/* charge=rfc: by CPU, then by group */
	int16_t *gathered;		/* stat_read=batch: see stat_batch.h */
	struct taken *taken;
	struct write *write;		/* the rings of all devices */
	uint32_t on_cpu;		/* of the step under way */
	struct uncharge_window window;
	uint32_t by;			/* css id of the group that reclaim works for right now */
	bool noswap;			/* that reclaim is for memsw: swapping would not help */
	uint32_t last_taken;		/* a hint */
	struct diag diag;		/* first failure of a sink or of the block */
};

#endif
