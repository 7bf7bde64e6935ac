/*
 * What counts as work and cost are pages, not seconds: the clock of the host
 * may not decide what is stored.
 */
#include "keyframes.h"

#include <string.h>

enum {
	WORK_FACTOR = 16, /* pages used for each page hashed: a few percent of a run */
	CHEAP_FACTOR = 2, /* while all of it is quick: some milliseconds */
	CHEAP_PAGES = 1 << 18,
	SLOT_BYTES = 16 /* of state a page, about */
};

/* How many pages hashing goes through: those that are there and those that have left a trace. */
static uint64_t cost_pages(const struct run *run)
{
	pages_t resident;
	double bytes = run_footprint(run, &resident) * (double)resident;

	return 1 + (uint64_t)(bytes / SLOT_BYTES);
}

/* Every second one goes; what comes is as far apart as the nearest two that stay. */
static void thin_out(struct keyframes *frames)
{
	size_t kept = 0;

	frames->every = UINT64_MAX;
	for (size_t i = 1; i < frames->nr; i += 2) {
		frames->at[kept] = frames->at[i];
		if (kept && frames->at[kept].step - frames->at[kept - 1].step < frames->every)
			frames->every = frames->at[kept].step - frames->at[kept - 1].step;
		kept++;
	}
	frames->nr = kept;
}

static void add(struct keyframes *frames, const struct run *run)
{
	struct db_keyframe *frame = &frames->at[frames->nr++];

	frame->step = run_steps(run);
	run_hash(run, frame->hash);
}

static bool is_time(const struct keyframes *frames, const struct run *run)
{
	uint64_t last = frames->nr ? frames->at[frames->nr - 1].step : 0;

	return run_steps(run) > last && run_steps(run) - last >= frames->every;
}

void keyframes_take(struct keyframes *frames, const struct run *run)
{
	uint64_t cost = cost_pages(run), spent = frames->spent_pages + cost;
	struct run_totals totals;

	run_totals(run, &totals);
	if (!is_time(frames, run) ||
	    spent * (spent > CHEAP_PAGES ? WORK_FACTOR : CHEAP_FACTOR) > totals.nr_accesses)
		return;
	if (frames->nr == KEYFRAMES_MAX)
		thin_out(frames);
	if (!is_time(frames, run))
		return;
	frames->spent_pages += cost;
	add(frames, run);
}

void keyframes_end(struct keyframes *frames, const struct run *run)
{
	uint64_t last = frames->nr ? frames->at[frames->nr - 1].step : 0;

	if (run_steps(run) > last)
		add(frames, run);
}
