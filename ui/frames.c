/*
 * A copy holds the run's state and the side's ring of calls and sums, since
 * a run that is brought back tells its sinks nothing.
 */
#include "frames.h"

#include <stdlib.h>
#include <string.h>

static size_t copy_bytes(const struct frames_copy *copy)
{
	return copy->frame ? run_frame_bytes(copy->frame) + sizeof(*copy) : 0;
}

static void copy_drop(struct frames_copy *copy)
{
	run_frame_free(copy->frame);
	copy->frame = NULL;
}

static bool copy_make(struct frames_copy *copy, const struct run *run,
		      const struct model_side *side)
{
	copy_drop(copy);
	if (run_save(run, &copy->frame, NULL) != ERR_OK)
		return false;
	copy->side = *side;
	return true;
}

/* Every second one goes; the first stays, from which all others can be reached. */
static void thin_out(struct frames *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->nr; i++) {
		if (i % 2 == 0) {
			f->copy[kept++] = f->copy[i];
			continue;
		}
		f->bytes -= copy_bytes(&f->copy[i]);
		copy_drop(&f->copy[i]);
	}
	memset(&f->copy[kept], 0, (f->nr - kept) * sizeof(*f->copy));
	f->nr = kept;
	f->every = f->every ? f->every * 2 : 1;
	if (f->nr > 1 && run_frame_step(f->copy[1].frame) > f->every)
		f->every = run_frame_step(f->copy[1].frame);
}

/* The first at once, each further one some steps after the last. */
static bool is_time(const struct frames *f, const struct run *run)
{
	uint64_t every = f->every ? f->every : 1;

	return f->nr == 0 || run_steps(run) >= run_frame_step(f->copy[f->nr - 1].frame) + every;
}

void frames_take(struct frames *f, const struct run *run, const struct model_side *side)
{
	if (!f->copy)
		f->copy = calloc(FRAMES_MAX, sizeof(*f->copy));
	if (!f->copy || !is_time(f, run))
		return;
	if (f->nr == FRAMES_MAX || f->bytes > FRAMES_BYTES)
		thin_out(f);
	if (f->nr == FRAMES_MAX || f->bytes > FRAMES_BYTES)
		return;
	if (!copy_make(&f->copy[f->nr], run, side))
		return;
	f->bytes += copy_bytes(&f->copy[f->nr++]);
}

void frames_take_near(struct frames *f, const struct run *run, const struct model_side *side)
{
	copy_make(&f->near, run, side);
}

/* The latest copy at or before @step; NULL if none is. */
static const struct frames_copy *copy_before(const struct frames *f, uint64_t step)
{
	const struct frames_copy *best = NULL;

	for (size_t i = 0; i < f->nr && run_frame_step(f->copy[i].frame) <= step; i++)
		best = &f->copy[i];
	if (f->near.frame && run_frame_step(f->near.frame) <= step &&
	    (!best || run_frame_step(f->near.frame) > run_frame_step(best->frame)))
		best = &f->near;
	return best;
}

bool frames_go(const struct frames *f, uint64_t step, struct run *run, struct model_side *side)
{
	const struct frames_copy *copy = copy_before(f, step);
	uint8_t timeline[MODEL_TIMELINE];

	if (!copy || (run_steps(run) <= step && run_steps(run) >= run_frame_step(copy->frame)))
		return false;
	memcpy(timeline, side->timeline, sizeof(timeline));
	run_restore(run, copy->frame);
	*side = copy->side;
	memcpy(side->timeline, timeline, sizeof(timeline));
	return true;
}

void frames_fini(struct frames *f)
{
	for (size_t i = 0; i < f->nr; i++)
		copy_drop(&f->copy[i]);
	copy_drop(&f->near);
	free(f->copy);
	memset(f, 0, sizeof(*f));
}
