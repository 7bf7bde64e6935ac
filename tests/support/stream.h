/*
 * A second opinion on streaming reads under a limit.  It keeps counts only,
 * of one group with clean, unmapped, once-read file pages and some other
 * pages that reclaim never frees, and follows the written rules of limit
 * reclaim on its own; it shares no code with the engine.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_STREAM_H
#define MEMCGLAB_TESTS_SUPPORT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

enum { STREAM_CPUS = 2, STREAM_LINES_MAX = 4096 };

enum stream_break { BREAK_GT_CUMULATIVE, BREAK_GE_CUMULATIVE, BREAK_GE_LOCAL };

/* What of a kernel a stream can tell. */
struct stream_rules {
	const char *kernel;
	bool batched;			/* targets are saved up to 32 */
	enum stream_break early_break;
	bool forced;			/* a target of 0 becomes 32 */
	bool whole_rounds;		/* isolates 32 whatever is asked, till so many were tried */
	bool stock;			/* charges 32 at a time where they fit */
	bool drain_at_walk;		/* reclaim returns stocks: others' at the next read */
};

extern const struct stream_rules stream_kernels[];	/* ends with a NULL kernel */

struct stream_line {
	uint64_t count, scan;
	uint64_t hit;			/* number of the limit hit it belongs to, from 1 */
};

struct stream {
	const struct stream_rules *rules;
	uint64_t limit, usage;		/* [pages] */
	uint64_t listed;		/* of the group on its inactive file list */
	uint64_t queued[STREAM_CPUS];	/* of the group in the add queue */
	uint64_t foreign[STREAM_CPUS];	/* of others in the same queue */
	uint64_t stock[STREAM_CPUS];
	bool drain_later[STREAM_CPUS];
	uint64_t saved, hits, freed;
	struct stream_line line[STREAM_LINES_MAX];
	unsigned nr_lines;
};

const struct stream_rules *stream_rules(const char *kernel);

/* stream_init - an empty group; @foreign pages of others wait in CPU 0's queue. */
void stream_init(struct stream *s, const char *kernel, uint64_t limit, uint64_t foreign);

/* stream_other - charge @nr pages that reclaim never frees, below the limit. */
void stream_other(struct stream *s, uint64_t nr);

/* stream_read - read @nr new pages on @cpu. */
void stream_read(struct stream *s, unsigned cpu, uint64_t nr);

#endif
