/*
 * What priority loops of every era have in common: the flusher that is woken
 * between priorities, and the event that ends them.
 */
#include "request.h"

#include "policy.h"
#include "writeback.h"

enum {
	NAP_BELOW = 10,		/* priorities at which reclaim waits for the device */
	NAP_NS = 100000000	/* HZ / 10 at most */
};

void request_wake_flusher(struct machine *m, const struct reclaim *rc)
{
	uint64_t cluster = (uint64_t)machine_knobs(m)->swap_cluster_max;

	if (machine_axis(m, AXIS_FLUSHER) == FLUSHER_SCANNED && rc->scanned > cluster + cluster / 2)
		writeback_flusher(m, MEMCG_NONE, rc->scanned);
}

/* From v3.2 on only reclaim for the machine flags a zone whose device is congested. */
static bool naps(const struct machine *m, const struct reclaim *rc)
{
	unsigned nap = machine_axis(m, AXIS_NAP);

	if (nap == NAP_NONE || (nap == NAP_NEVER && !rc->global))
		return false;
	return nap == NAP_ALWAYS || rc->congested;
}

void request_help_writers(struct machine *m, const struct reclaim *rc)
{
	ns_t since = m->host->now;

	request_wake_flusher(m, rc);
	if (!rc->scanned || rc->priority >= NAP_BELOW || !naps(m, rc))
		return;
	writeback_progress(m, 1, NAP_NS);
	writeback_told(m, rc->target, RULE_NAP, since);
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
