/*
 * Two groups that write, on v3.5 and with dirty pages counted: what of the
 * first file is on its way to the disk, and what stays dirty.
 */
#include "pictures.h"

#include <string.h>

#include "rig.h"

enum { PAGES = 600, PART = 20 };

static const char *const kernels[2] = { "v3.5", "v3.5+stat=dirty" };

static uint32_t make_group(struct run *run, uint32_t parent, const char *name)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = parent };

	snprintf(op.name, sizeof(op.name), "%s", name);
	op.group = (struct group_conf){ .set = GROUP_HIERARCHY, .hierarchy = true };
	return pictures_apply(run, &op).id;
}

static void work(struct run *run, struct history *history)
{
	uint32_t fio = make_group(run, RIG_ROOT, "fio"), memcg[2];
	struct op task = { .kind = OP_TASK_NEW, .name = "job" };
	struct op file = { .kind = OP_FILE_NEW, .length = PAGES * PAGE_BYTES, .name = "file" };
	struct op write[2] = { { .kind = OP_WRITE, .length = PART * PAGE_BYTES },
			       { .kind = OP_WRITE, .length = PART * PAGE_BYTES } };

	memcg[0] = make_group(run, fio, "job0-3");
	memcg[1] = make_group(run, fio, "job4-7");
	make_group(run, RIG_ROOT, "system");
	for (int i = 0; i < 2; i++) {
		task.object = memcg[i];
		write[i].task = pictures_apply(run, &task).id;
		write[i].object = pictures_apply(run, &file).id;
	}
	for (uint64_t page = 0; page < PAGES; page += PART) {
		for (int i = 0; i < 2; i++) {
			/* The second group writes half as much. */
			write[i].offset = page / (uint64_t)(i + 1) / PART * PART * PAGE_BYTES;
			pictures_apply(run, &write[i]);
		}
		assert_int_equal(history_take(history, run, NULL), ERR_OK);
	}
}

struct pictures *pictures_dirty(void)
{
	static const struct { const char *name; double value[2]; } metrics[] = {
		{ "write_kb_s", { 334358, 325513 } },
		{ "runt_ms", { 3136.1, 3221.3 } },
		{ "lat_avg_us", { 81.449, 84.049 } },
	};
	struct pictures *p = pictures_empty();
	struct model *model = &p->model;
	struct scenario sc;
	struct diag diag;

	for (int side = 0; side < 2; side++) {
		rig_scenario(&sc, kernels[side], 1);
		sc.locks = true;
		if (run_open(&sc, &p->run[side], &diag) != ERR_OK)
			fail_msg("%s", diag.text);
		model_side_init(&model->side[side], p->run[side], 49 + side, 0);
		model->side[side].history = &p->history[side];
		snprintf(model->side[side].kernel, sizeof(model->side[side].kernel), "%s",
			 sc.era.name);
		work(p->run[side], &p->history[side]);
		for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
			struct model_metrics *to = &model->metrics[side];

			snprintf(to->at[i].name, sizeof(to->at[i].name), "%s", metrics[i].name);
			to->at[i].value = metrics[i].value[side];
			to->nr = i + 1;
		}
	}
	model->has_b = true;
	model->seed = 5;
	model->steps_total = model->step = run_steps(p->run[0]);
	model->t_ns = run_now(p->run[0]);
	snprintf(model->scenario, sizeof(model->scenario), "dirty-stat-2012");
	return p;
}
