/*
 * Eras (kernels): rows that pick one value on each axis.  An axis is one
 * respect in which kernels differ; model code looks up its policy by the
 * axis value and never asks which era it runs.
 */
#ifndef MEMCGLAB_ENGINE_API_ERA_H
#define MEMCGLAB_ENGINE_API_ERA_H

#include <stdbool.h>

#include "knob.h"
#include "units.h"

enum axis {
	AXIS_LRU,
	AXIS_ROOT_LISTED,
	AXIS_PAGEVEC,
	AXIS_ACTIVATION,
	AXIS_TOUCH_QUEUED,
	AXIS_TOUCH_READ,
	AXIS_NEW_ANON,
	AXIS_SCAN_BATCH,
	AXIS_BALANCE,
	AXIS_EARLY_BREAK,
	AXIS_FORCED_MIN,
	AXIS_ROUND,
	AXIS_FALL_THROUGH,
	AXIS_DEACTIVATE,
	AXIS_ANON_AGING,
	AXIS_LOW_SCOPE,
	AXIS_USED_ONCE,
	AXIS_FILE_WRITEOUT,
	AXIS_ROTATE_GROUP,
	AXIS_TOUCH_WRITE,
	AXIS_PARTIAL,
	AXIS_WALK,
	AXIS_SECOND_VISIT,
	AXIS_SKIP,
	AXIS_CHARGE,
	AXIS_DRAIN,
	AXIS_OOM_SCORE,
	AXIS_OOM_CHARGE,
	AXIS_SOFT_LIMIT,
	AXIS_KSWAPD_ENOUGH,
	AXIS_WMARK_STEPS,
	AXIS_WMARK_QUIRK,
	AXIS_HUGE_PAGES,
	AXIS_COUNTER,
	AXIS_CGROUP,
	AXIS_HIERARCHY,
	AXIS_REFAULT,
	AXIS_STAT_FLUSH,
	AXIS_KMEM,
	AXIS_SHADOW_SHRINK,
	AXIS_OWNER,
	AXIS_STAT,
	AXIS_MEMCG,
	NR_AXES
};

enum {
	ERA_NAME_MAX = 128,
	AXIS_VALUES_MAX = 8
};

struct axis_desc {
	const char *name;			/* "scan_batch" */
	const char *doc;
	const char *values[AXIS_VALUES_MAX + 1];	/* ends with NULL */
	const char *value_docs[AXIS_VALUES_MAX];
	unsigned runnable;			/* bit v: value v is modelled */
};

struct era {
	char name[ERA_NAME_MAX];	/* canonical: base, then the replaced axes in table order */
	const char *base;		/* the row it came from */
	const char *alias;		/* "" if the name has none */
	const char *doc;		/* one line */
	const char *source;		/* files and release the row was read in */
	const char *note;		/* "" or which older rule stands in for a missing one */
	uint8_t value[NR_AXES];
	bool runnable;			/* every axis value is modelled */
	struct knobs knobs;
};

const struct axis_desc *axis_at(enum axis axis);

/* era_at - row @i of the kernel table, named combinations too.  Returns: false past the last. */
bool era_at(size_t i, struct era *out);

/**
 * era_find - a kernel by name or alias, with any axes replaced
 * @spec: "v3.1", "batched", "v3.1+lru=per_memcg"; several "+axis=value"
 * @out:  receives a copy, with its canonical name
 * Returns: ERR_NAME for an unknown kernel, axis or value (with the nearest
 * name), ERR_USAGE for a combination that makes no sense (with the reason).
 */
enum err era_find(const char *spec, struct era *out, struct diag *diag);

/* era_limit_pages - a limit of @limit bytes in pages, as the kernel's counter rounds it. */
pages_t era_limit_pages(const struct era *era, bytes_t limit);

/* era_value_name - the word for the value of @axis in @era. */
const char *era_value_name(const struct era *era, enum axis axis);

#endif
