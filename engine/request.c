/*
 * What priority loops of every era have in common: the flusher that is woken
 * between priorities, and the event that ends them.
 */
#include "request.h"

#include "policy.h"
#include "writeback.h"

void request_wake_flusher(struct machine *m, const struct reclaim *rc)
{
	uint64_t cluster = (uint64_t)machine_knobs(m)->swap_cluster_max;

	if (machine_axis(m, AXIS_FLUSHER) == FLUSHER_SCANNED && rc->scanned > cluster + cluster / 2)
		writeback_flusher(m, MEMCG_NONE, rc->scanned);
}

void request_emit(struct machine *m, const struct reclaim *rc, enum rule rule, pages_t returned)
{
	struct event event = {
		.kind = EVENT_RECLAIM, .cpu = rc->cpu, .memcg = rc->target, .rule = rule,
	};

	event.n[RECL_TARGET] = rc->target;
	event.n[RECL_PRIORITY] = rc->priority;
	event.n[RECL_SCANNED] = (int64_t)rc->scanned;
	event.n[RECL_RECLAIMED] = (int64_t)rc->freed;
	event.n[RECL_RETURNED] = (int64_t)returned;
	if (machine_wants(m, EVENT_RECLAIM))
		machine_emit(m, &event);
}
