/*
 * Operations: the only way to change a machine.  Set-up is made of ops too,
 * so seed + kernel + machine + ops reproduce a run.  A read or touch op is a
 * run of pages done in chunks; each chunk is one step, any other op is one.
 */
#ifndef MEMCGLAB_ENGINE_API_WORKLOAD_H
#define MEMCGLAB_ENGINE_API_WORKLOAD_H

#include <stdbool.h>

#include "advice.h"
#include "diag.h"
#include "units.h"

enum op_kind {
	OP_NONE,
	OP_GROUP_NEW,	/* @object = parent memcg id, @name, @group; result id = memcg id */
	OP_GROUP_SET,	/* @object = memcg id, @group: may shrink, may be refused */
	OP_GROUP_REMOVE,	/* @object = memcg id; busy while it has tasks, children or pages */
	OP_TASK_NEW,	/* @object = memcg id, @cpu, @name, @value = oom_adj, @count = threads */
	OP_TASK_MOVE,	/* @task, @object = memcg id; charges stay behind */
	OP_TASK_EXIT,	/* @task: its anonymous mappings are unmapped */
	OP_FILE_NEW,	/* @length [bytes], @name; result id = file id */
	OP_FILE_DROP,	/* @object = file id: a span of it is a hole now; @length 0: all of it */
	OP_READ,	/* @task reads file @object, [@offset, @offset + @length) bytes */
	OP_WRITE,	/* @task writes file @object, as OP_READ */
	OP_FSYNC,	/* @task waits until file @object is clean */
	OP_MAP_ANON,	/* @task, @length [bytes], @name; result id = mapping id */
	OP_MAP_FILE,	/* @task maps all of file @object, @flags; result id = mapping id */
	OP_TOUCH,	/* @task touches mapping @object, [@offset, @offset + @length) bytes */
	OP_UNMAP,	/* @task drops all of mapping @object's pages */
	OP_DRAIN,	/* the CPU of @task (or @cpu) lists all that it has queued */
	OP_RECLAIM,	/* memory.reclaim of group @object: @length [bytes]; busy: less was freed */
	OP_FLUSH,	/* group statistics are flushed after @value more pages enter, 0: now */
	OP_MARK,	/* @name, @value: an event for the time line */
	OP_THINK,	/* the actor's clock advances by @value [ns] */
	OP_SPAWN,	/* @value = new actor: its clock starts at this actor's */
	OP_JOIN,	/* @value = ended actor: this actor's clock is at least its */
	OP_FADVISE,	/* @task, file @object open as @handle, span, @value = enum fadvice */
	OP_STAT_READ,	/* memory.stat of group @object is read: done_pages counters looked at */
	OP_FORCE_EMPTY,	/* group @object is reclaimed while that helps; busy if pages are left */
	OP_OPEN,	/* @task opens file @object as @handle, anew; @flags */
	OP_MADVISE,	/* @task, mapping @object, span, @value = enum madvice */
	OP_MLOCK,	/* @task locks a span of mapping @object in memory, as OP_TOUCH */
	OP_MUNLOCK,	/* the reverse */
	OP_LOCK_NEW,	/* a lock @name, held @value [ns] a time; result id = lock id */
	OP_LOCK,	/* @task takes lock @object @count times, after each @value [ns] of work */
	OP_EXEC,	/* @task replaces itself @count times: @offset anon, @length file pages */
	OP_FORK,	/* @task forks: @cpu, @name of the child; result id = task id, 0: failed */
	OP_EXECVE,	/* @task's mappings go, then it maps file @object, as OP_MAP_FILE */
	OP_SLAB,	/* @task makes @count kernel objects of @length bytes; OPF_FREE: frees */
	NR_OP_KINDS
};

/* How the pages of a read or touch are drawn from [offset, offset + length). */
enum op_pattern {
	PATTERN_SEQ,		/* in ascending order, once */
	PATTERN_UNIFORM,	/* @count pages, uniform */
	PATTERN_ZIPF,		/* @count pages, zipf with exponent @value / 1000, scattered */
	NR_PATTERNS
};

enum {
	OP_NAME_MAX = 64,
	GROUP_PATH_MAX = 256
};

enum {				/* group_conf.set: which members are given */
	GROUP_LIMIT = 1,
	GROUP_SWAPPINESS = 2,
	GROUP_HIERARCHY = 4,
	GROUP_OOM_DISABLE = 8,
	GROUP_MIN = 16,		/* these need cgroup v2 */
	GROUP_LOW = 32,
	GROUP_HIGH = 64,
	GROUP_OOM_GROUP = 128,
	GROUP_SOFT = 256,	/* needs cgroup v1 of v2.6.32 or later */
	GROUP_MEMSW = 512,	/* needs cgroup v1 with swap_account */
	GROUP_SWAP_MAX = 1024,
	GROUP_MOVE_CHARGE = 2048,	/* needs move_charge=chosen */
	GROUP_ACCOUNT = 4096,	/* needs neither memsw nor kernel memory to be counted */
	GROUP_V2_ONLY = GROUP_MIN | GROUP_LOW | GROUP_HIGH | GROUP_OOM_GROUP | GROUP_SWAP_MAX
};

/* Settings of a group; those whose bit is not in @set stay as they are. */
struct group_conf {
	uint32_t set;		/* GROUP_LIMIT … */
	bool hierarchy, oom_disable, oom_group;	/* hierarchy: use_hierarchy */
	bool account;		/* pages of its tasks are counted; off: from the start only */
	pages_t min_pages, low_pages, high_pages, soft_pages;
	pages_t limit_pages, memsw_pages;	/* memsw_pages: of memory and swap together */
	pages_t swap_max_pages;
	uint32_t move_charge;	/* of tasks that come: 1 memory, 2 files that they map */
	int64_t swappiness;
};

struct op {
	enum op_kind kind;
	enum op_pattern pattern;
	uint32_t actor;		/* whose clock passes; 0 is the scenario's run function */
	uint32_t task, object, cpu, flags;
	uint32_t handle;	/* by which @task has the file open; 0 unless said */
	uint64_t offset;	/* [bytes] */
	uint64_t length;	/* [bytes] */
	uint64_t chunk;		/* [bytes] a step; 0 = all in one step */
	uint64_t count;		/* [pages] to draw for the random patterns; of a lock: times */
	int64_t value;
	struct group_conf group;
	char name[OP_NAME_MAX];
};

enum op_outcome {
	OP_DONE,		/* the whole op is done */
	OP_MORE,		/* this step is done, more steps remain */
	OP_KILLED,		/* the acting task was killed out of memory: the op ended there */
	OP_NOMEM,		/* a charge failed and nobody was killed: the op ended there */
	OP_BUSY,		/* a limit could not be lowered: EBUSY */
	OP_BLOCKED		/* oom_disable: the task sleeps at its limit, the op ended there */
};

struct op_result {
	enum op_outcome outcome;
	uint32_t id;		/* of what was made */
	uint64_t done_pages;	/* accessed so far by this op */
	ns_t clock_ns;		/* the actor's clock after the step */
};

enum workload_state {
	WORKLOAD_OP,		/* @op holds the next op */
	WORKLOAD_WAIT,		/* waits until every workload that it spawned has ended */
	WORKLOAD_END,
	WORKLOAD_FAIL		/* @diag says why; the run ends */
};

/**
 * struct workload - a source of ops, one actor of a run
 * @next: called when this actor's last op is complete and its clock is the
 *        earliest; @last is that op's result (zeroed the first time)
 * The caller owns @ctx and keeps it until the run is over.
 */
struct workload {
	void *ctx;
	enum workload_state (*next)(void *ctx, const struct op_result *last, struct op *op,
				    struct diag *diag);
};

const char *op_kind_name(enum op_kind kind);

#endif
