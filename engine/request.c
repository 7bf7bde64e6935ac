/*
 * The event that ends a priority loop.
 */
#include "request.h"

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
