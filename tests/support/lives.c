/*
 * The machine and the steps of a life follow from its seed; the kernel's
 * own knobs hold, but for readahead, which two lives in five have, and a slow
 * swap device, which one in four has.
 */
#include "lives.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 1000 };		/* of one life */

static void report(struct world *world, uint64_t seed, const char *why)
{
	struct world_verdict last;

	world_shrink(world, why);
	printf("%s, seed %" PRIu64 ": %s\n%zu steps are enough:\n", world->sc->era.name, seed, why,
	       world->nr);
	world_live(world, stdout, &last);
	fail_msg("%s, seed %" PRIu64 ": %s", world->sc->era.name, seed, last.why);
}

void lives_in(const struct era *era, uint64_t seed, uint64_t ops, struct lives *lives)
{
	struct world_step steps[STEPS];
	struct scenario sc;
	struct diag diag;
	uint64_t done = 0;

	for (; done < ops; seed++) {
		struct world world = { &sc, steps, STEPS, NULL };
		struct world_verdict verdict;

		world_scenario(seed, &sc);
		sc.era = *era;
		sc.era.knobs.readahead = seed % 5 >= 3 ? 32 : 0;
		/* One life in four has a swap device that takes its time. */
		sc.era.knobs.swap_ns = seed % 4 == 3 ? 20000 : 0;
		if (scenario_validate(&sc, &diag)) {
			lives->refused++;
			return;
		}
		world_draw(seed, steps, STEPS);
		if (!world_live(&world, NULL, &verdict))
			report(&world, seed, verdict.why);
		done += verdict.ops;
		lives->ops_refused += verdict.refused;
	}
	lives->ops += done;
	lives->kernels++;
}

void lives_try(const char *name, uint64_t seed, struct lives *lives)
{
	struct diag diag;
	struct era era;

	if (era_find(name, &era, &diag) || !era.runnable)
		lives->refused++;
	else
		lives_in(&era, seed, getenv("MEMCGLAB_SHORT") ? LIVES_OPS_SHORT : LIVES_OPS, lives);
}

/* Each other value of @axis that is modelled. */
static void replace_axis(const struct era *era, enum axis axis, uint64_t seed, struct lives *lives)
{
	const struct axis_desc *desc = axis_at(axis);

	for (unsigned v = 0; desc->values[v]; v++) {
		char name[LIVES_NAME_MAX];

		if (v == era->value[axis] || !(desc->runnable >> v & 1))
			continue;
		snprintf(name, sizeof(name), "%s+%s=%s", era->base, desc->name, desc->values[v]);
		lives_try(name, seed + v, lives);
	}
}

void lives_single_axes(size_t part, size_t parts, struct lives *lives)
{
	struct era era;
	size_t base = 0;

	for (size_t i = 0; era_at(i, &era); i++) {
		if (!era.runnable || strcmp(era.name, era.base) || base++ % parts != part)
			continue;
		for (int axis = 0; axis < NR_AXES; axis++)
			replace_axis(&era, (enum axis)axis, 1000 * i + 10 * (uint64_t)axis, lives);
	}
}

void lives_tell(const char *what, const struct lives *lives)
{
	printf("%s: %u kernels, %u refused, %" PRIu64 " ops of which %" PRIu64 " refused\n", what,
	       lives->kernels, lives->refused, lives->ops, lives->ops_refused);
}
