/*
 * The engine's locks alone: tasks on their own CPUs take one lock, always
 * fought over.  Prints `name value` lines that bench.py puts into its table.
 *
 *   locks CPUS ACQUISITIONS        of all CPUs together
 */
#include <stdio.h>
#include <stdlib.h>

#include "contention.h"
#include "measure.h"

enum { HOLD_NS = 350, THINK_NS = 1000 };

/* One CPU's task: it takes the lock and ends. */
struct taker {
	struct op op;
	bool done;
};

static enum workload_state next_op(void *ctx, const struct op_result *last, struct op *op,
				   struct diag *diag)
{
	struct taker *taker = ctx;

	(void)last;
	(void)diag;
	if (taker->done)
		return WORKLOAD_END;
	*op = taker->op;
	taker->done = true;
	return WORKLOAD_OP;
}

/* The first actor: it waits for the others. */
static enum workload_state next_wait(void *ctx, const struct op_result *last, struct op *op,
				     struct diag *diag)
{
	bool *waited = ctx;

	(void)last;
	(void)op;
	(void)diag;
	if (*waited)
		return WORKLOAD_END;
	*waited = true;
	return WORKLOAD_WAIT;
}

/* A task for each CPU, ready to take the lock. */
static void spawn_all(struct run *run, struct taker *taker, uint32_t cpus, uint64_t acquisitions)
{
	struct op lock = { .kind = OP_LOCK_NEW, .value = HOLD_NS, .name = "bench" };
	uint32_t id = apply(run, &lock), actor, cpu;
	struct diag diag = { 0 };

	for (cpu = 0; cpu < cpus; cpu++) {
		struct op task = { .kind = OP_TASK_NEW, .object = 1, .cpu = cpu, .name = "t" };
		struct workload workload = { &taker[cpu], next_op };

		taker[cpu].op = (struct op){ .kind = OP_LOCK, .object = id, .value = THINK_NS,
					     .count = acquisitions / cpus };
		taker[cpu].op.task = apply(run, &task);
		if (run_spawn(run, 0, &workload, &actor, &diag) != ERR_OK)
			give_up(&diag);
	}
}

int main(int argc, char **argv)
{
	static struct taker taker[CPUS_MAX];
	bool waited = false;
	struct workload first = { &waited, next_wait };
	struct scenario sc;
	struct run_lock figures;
	struct run *run;
	struct diag diag = { 0 };
	uint64_t acquisitions = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	uint32_t actor;
	double start;

	scenario_defaults(&sc);
	sc.cpus = argc == 3 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
	sc.locks = true;
	if (!sc.cpus || sc.cpus > CPUS_MAX || acquisitions < sc.cpus) {
		fprintf(stderr, "usage: locks CPUS ACQUISITIONS\n");
		return EXIT_FAILURE;
	}
	if (era_find("v2.6.31", &sc.era, &diag) != ERR_OK || run_open(&sc, &run, &diag) != ERR_OK ||
	    run_spawn(run, RUN_NO_ACTOR, &first, &actor, &diag) != ERR_OK)
		give_up(&diag);
	spawn_all(run, taker, sc.cpus, acquisitions);
	start = now_s();
	if (run_until(run, UINT64_MAX, NULL, &diag) != ERR_OK)
		give_up(&diag);
	printf("seconds %.6f\n", now_s() - start);
	run_lock(run, 1, &figures);
	printf("acquisitions %llu\n", (unsigned long long)figures.sum.hold.nr);
	printf("contentions %llu\n", (unsigned long long)figures.sum.wait.nr);
	run_close(run);
	return EXIT_SUCCESS;
}
