/*
 * Copies of a run, so that going back need not begin at the start.
 */
#include "rewind.h"

#include <stdlib.h>
#include <string.h>

#include "keyframe.h"
#include "run_state.h"

/* The run as it was: its own fields as they are, what they point to as copies. */
struct run_frame {
	struct run run;
	struct actor *actor;	/* run.nr_actors of them */
	uint32_t *driven;	/* run.nr_driven of them */
	unsigned char *block;
	size_t block_bytes;
};

void run_frame_free(struct run_frame *frame)
{
	if (!frame)
		return;
	free(frame->actor);
	free(frame->driven);
	free(frame->block);
	free(frame);
}

enum err run_save(const struct run *run, struct run_frame **out, struct diag *diag)
{
	struct run_frame *frame = calloc(1, sizeof(*frame));

	*out = NULL;
	if (frame) {
		frame->run = *run;
		frame->block_bytes = keyframe_bytes(&run->m);
		frame->block = malloc(frame->block_bytes);
		/* One more, since a run has no actor before its first op. */
		frame->actor = malloc((run->nr_actors + 1) * sizeof(*frame->actor));
		frame->driven = malloc((run->nr_driven + 1) * sizeof(*frame->driven));
	}
	if (!frame || !frame->block || !frame->actor || !frame->driven) {
		run_frame_free(frame);
		return diag_fail(diag, ERR_NOMEM, "no memory for a copy of the machine");
	}
	keyframe_copy(&run->m, frame->block);
	for (uint32_t i = 0; i < run->nr_actors; i++)
		frame->actor[i] = run->actor[i];
	for (uint32_t i = 0; i < run->nr_driven; i++)
		frame->driven[i] = run->driven[i];
	*out = frame;
	return ERR_OK;
}

/* The log's bytes stay: those before the copy are the same, those after it are written anew. */
void run_restore(struct run *run, const struct run_frame *frame)
{
	const struct run *then = &frame->run;
	uint32_t i;

	keyframe_restore(&run->m, &then->m, frame->block);
	for (i = 0; i < run->nr_actors; i++) {
		if (i < then->nr_actors)
			run->actor[i] = frame->actor[i];
		else
			memset(&run->actor[i], 0, sizeof(run->actor[i]));
	}
	run->nr_actors = then->nr_actors;
	run->nr_driven = then->nr_driven;
	for (i = 0; i < run->nr_driven; i++)
		run->driven[i] = frame->driven[i];
	run->script_rng = then->script_rng;
	run->log.size = then->log.size;
	run->log.actor = then->log.actor;
	run->log.steps = then->log.steps;
	run->play = then->play;
	run->sampled = then->sampled;
}

uint64_t run_frame_step(const struct run_frame *frame)
{
	/* The host is the block's first region. */
	return ((const struct host *)(const void *)frame->block)->totals.steps;
}

size_t run_frame_bytes(const struct run_frame *frame)
{
	return sizeof(*frame) + frame->block_bytes + frame->run.nr_actors * sizeof(*frame->actor);
}
