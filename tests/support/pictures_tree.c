/*
 * A tree to look at: builds in groups of their own under one hierarchical
 * limit, one of them with a limit too, and a group beside them.  Each build
 * reads its sources and holds some anonymous memory; a moment of the history
 * is taken after each round.
 */
#include <stdio.h>
#include <string.h>

#include "pictures.h"
#include "rig.h"

enum {
	BUILDS = 14,
	ROUNDS = 120,
	CHUNK = 16,
	JOBS_LIMIT = 12800,
	OWN_LIMIT = 900,
	ANON = 200,
	SYSTEM_LIMIT = 5120,
	STEPS_TOTAL = 4000
};

static const char *const kernels[2] = { "v3.1", "v3.1+lru=per_memcg" };

static uint32_t group(struct run *run, uint32_t parent, const char *name, pages_t limit)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = parent };

	snprintf(op.name, sizeof(op.name), "%s", name);
	op.group = (struct group_conf){
		.set = GROUP_HIERARCHY | (limit ? GROUP_LIMIT : 0),
		.hierarchy = true,
		.limit_pages = limit,
	};
	return pictures_apply(run, &op).id;
}

/* A group with a task that has a file to read; all else follows from that. */
struct build {
	uint32_t group, task, file;
};

static struct build build_new(struct run *run, uint32_t group, uint32_t cpu)
{
	struct build build = { .group = group };
	struct op op = { .kind = OP_TASK_NEW, .object = group, .cpu = cpu, .name = "cc1" };

	build.task = pictures_apply(run, &op).id;
	op = (struct op){ .kind = OP_FILE_NEW,
			  .length = (bytes_t)ROUNDS * CHUNK * PAGE_BYTES,
			  .name = "source" };
	build.file = pictures_apply(run, &op).id;
	op = (struct op){ .kind = OP_MAP_ANON,
			  .task = build.task,
			  .length = ANON * PAGE_BYTES,
			  .name = "heap" };
	op = (struct op){ .kind = OP_TOUCH,
			  .task = build.task,
			  .object = pictures_apply(run, &op).id,
			  .length = ANON * PAGE_BYTES,
			  .flags = OPF_WRITE };
	pictures_apply(run, &op);
	return build;
}

static void read_on(struct run *run, const struct build *build, int round)
{
	const struct op op = { .kind = OP_READ,
			       .task = build->task,
			       .object = build->file,
			       .offset = (uint64_t)round * CHUNK * PAGE_BYTES,
			       .length = CHUNK * PAGE_BYTES };

	pictures_apply(run, &op);
}

/* All builds, each round a chunk; half-way a soft limit is set on one. */
static void work(struct run *run, struct history *history)
{
	uint32_t jobs = group(run, RIG_ROOT, "jobs", JOBS_LIMIT);
	struct op soft = { .kind = OP_GROUP_SET };
	struct build build[BUILDS + 1];
	char name[32];

	history_take(history, run, NULL);
	for (uint32_t i = 0; i < BUILDS; i++) {
		snprintf(name, sizeof(name), "kbuild-%02u", i + 1);
		build[i] = build_new(run, group(run, jobs, name, i == 3 ? OWN_LIMIT : 0), i % 2);
	}
	build[BUILDS] = build_new(run, group(run, RIG_ROOT, "system", SYSTEM_LIMIT), 0);
	soft.object = build[3].group;
	soft.group = (struct group_conf){ .set = GROUP_SOFT, .soft_pages = OWN_LIMIT / 4 * 3 };
	for (int round = 0; round < ROUNDS; round++) {
		if (round == ROUNDS / 2)
			pictures_apply(run, &soft);
		for (int i = 0; i <= BUILDS; i++)
			read_on(run, &build[i], round);
		history_take(history, run, NULL);
	}
}

static void open_side(struct pictures *p, int side)
{
	struct model_side *shown = &p->model.side[side];
	struct scenario sc;
	struct diag diag;

	rig_scenario(&sc, kernels[side], 2);
	snprintf(sc.name, sizeof(sc.name), "kbuild16");
	if (run_open(&sc, &p->run[side], &diag) != ERR_OK)
		fail_msg("%s", diag.text);
	model_side_init(shown, p->run[side], 58 + side, STEPS_TOTAL);
	shown->history = &p->history[side];
	if (run_add_sink(p->run[side], &shown->sink, &diag) != ERR_OK)
		fail_msg("%s", diag.text);
	work(p->run[side], &p->history[side]);
}

struct pictures *pictures_tree(void)
{
	struct pictures *p = pictures_empty();
	struct model *model = &p->model;

	for (int side = 0; side < 2; side++)
		open_side(p, side);
	model->has_b = true;
	model->seed = 3;
	model->steps_total = STEPS_TOTAL;
	model->step = run_steps(p->run[0]);
	model->t_ns = run_now(p->run[0]);
	snprintf(model->scenario, sizeof(model->scenario), "kbuild16");
	return p;
}
