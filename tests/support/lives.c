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
		lives_in(&era, seed, LIVES_OPS, lives);
}

void lives_tell(const char *what, const struct lives *lives)
{
	printf("%s: %u kernels, %u refused, %" PRIu64 " ops of which %" PRIu64 " refused\n", what,
	       lives->kernels, lives->refused, lives->ops, lives->ops_refused);
}
