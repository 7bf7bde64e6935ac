/*
 * A sink that keeps what the views show of one run: a ring of the latest
 * shrink calls, sums since the start, the newest reclaim, and one byte for
 * each part of the time line.
 *
 * Nothing here reads the run's groups; list sizes are read when a view draws
 * them, so they always belong to the step that is shown.
 */
#include "model.h"

#include <string.h>

enum { CELL_RECLAIM = 1, CELL_OOM = 2, CELL_MARK = 4 };

/* Which cell of the time line stands for @step of the whole run. */
static void mark_time(struct model_side *side, uint64_t step, uint8_t what)
{
	uint64_t total = side->steps_total ? side->steps_total : 1;
	uint64_t cell = step / total >= 1 ? MODEL_TIMELINE - 1 : step * MODEL_TIMELINE / total;

	side->timeline[cell] |= what;
}

/* Numbers of an event are signed; those that views show are counts, never negative. */
static uint64_t number(const struct event *event, int i)
{
	return event->n[i] < 0 ? 0 : (uint64_t)event->n[i];
}

/* One more call: into the ring over the oldest one, and into the sums since the start. */
static void keep_shrink(struct model_side *side, const struct event *event)
{
	struct model_shrink *s = &side->shrink[side->nr_shrink % MODEL_SHRINKS];

	side->nr_shrink++;
	*s = (struct model_shrink){
		.call = side->nr_shrink,
		.step = event->step,
		.t_ns = event->t_ns,
		.memcg = event->memcg,
		.list = (enum lru)event->n[SHRINK_LIST],
		.size = number(event, SHRINK_SIZE),
		.priority = number(event, SHRINK_PRIORITY),
		.nr_to_scan = number(event, SHRINK_TO_SCAN),
		.nr_taken = number(event, SHRINK_TAKEN),
		.nr_scanned = number(event, SHRINK_SCANNED),
		.nr_reclaimed = number(event, SHRINK_RECLAIMED),
		.rule = event->rule,
	};
	side->sum_to_scan += s->nr_to_scan;
	side->sum_scanned += s->nr_scanned;
	side->sum_reclaimed += s->nr_reclaimed;
	/* A retry round goes on with the reclaim of its step; else, without a refused charge
	 * before it (a lowered limit), the first call opens a reclaim of its own. */
	if (side->last.ended && side->last.step == event->step)
		side->last.ended = false;
	if (side->last.first_call == 0 || side->last.ended)
		side->last = (struct model_reclaim){ .step = event->step,
						     .t_ns = event->t_ns,
						     .first_call = side->nr_shrink };
}

/* A refused charge opens a reclaim: what is written down is why the charge was refused. */
static void keep_hit(struct model_side *side, const struct event *event)
{
	side->nr_hits++;
	side->last = (struct model_reclaim){
		.step = event->step,
		.t_ns = event->t_ns,
		.memcg = (uint32_t)number(event, HIT_AT),
		.usage = number(event, HIT_USAGE),
		.limit = number(event, HIT_LIMIT),
		.failcnt = number(event, HIT_FAILCNT),
		.pages = number(event, HIT_PAGES),
		.first_call = side->nr_shrink + 1,
	};
}

/* A priority loop has ended.  Retry rounds may follow in the same step. */
static void keep_reclaim(struct model_side *side, const struct event *event)
{
	side->last.ended = true;
	side->last.step = event->step;
	side->last.priority = number(event, RECL_PRIORITY);
	side->last.nr_scanned = number(event, RECL_SCANNED);
	side->last.nr_reclaimed = number(event, RECL_RECLAIMED);
	side->last.returned = event->n[RECL_RETURNED] != 0;
}

/* The sink: every kind of the mask has its place here, others never arrive. */
static enum err on_event(struct sink *sink, const struct event *event, struct diag *diag)
{
	struct model_side *side = (struct model_side *)(void *)sink; /* its first member */

	(void)diag;
	verdict_note(&side->facts, event);
	switch (event->kind) {
	case EVENT_SHRINK:
		keep_shrink(side, event);
		mark_time(side, event->step, CELL_RECLAIM);
		break;
	case EVENT_LIMIT_HIT:
		keep_hit(side, event);
		break;
	case EVENT_RECLAIM:
		keep_reclaim(side, event);
		break;
	case EVENT_OOM:
		side->nr_ooms++;
		mark_time(side, event->step, CELL_OOM);
		break;
	case EVENT_MARK:
		side->nr_marks++;
		mark_time(side, event->step, CELL_MARK);
		break;
	default:
		break;
	}
	return ERR_OK;
}

void model_side_init(struct model_side *side, struct run *run, int64_t run_id, uint64_t steps_total)
{
	memset(side, 0, sizeof(*side));
	side->sink.name = "model";
	side->sink.mask = 1u << EVENT_SHRINK | 1u << EVENT_LIMIT_HIT | 1u << EVENT_RECLAIM |
			  1u << EVENT_MARK | VERDICT_EVENTS;
	side->sink.event = on_event;
	side->run = run;
	side->run_id = run_id;
	side->steps_total = steps_total;
	if (run) {
		const struct era *era = &run_scenario(run)->era;

		memcpy(side->kernel, era->name, sizeof(side->kernel));
		strncpy(side->alias, era->alias ? era->alias : "", sizeof(side->alias) - 1);
	}
}

const struct model_shrink *model_shrink(const struct model_side *side, uint64_t call)
{
	if (call == 0 || call > side->nr_shrink || call + MODEL_SHRINKS <= side->nr_shrink)
		return NULL;
	return &side->shrink[(call - 1) % MODEL_SHRINKS];
}

const struct model_shrink *model_shrink_of(const struct model_side *side, uint32_t memcg)
{
	uint64_t call = side->nr_shrink;
	const struct model_shrink *s = model_shrink(side, call);

	while (s && s->memcg != memcg)
		s = model_shrink(side, --call);
	return s;
}
