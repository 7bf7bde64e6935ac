/*
 * The models are built with the engine's own ops and seen through the
 * model's own sink, so a picture in a test is one that a user could see.
 */
#include "pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

enum { LIMIT_PAGES = 25600, OTHER_PAGES = 61, CHUNK_PAGES = 32 };
enum { STEPS_TOTAL = 4000, STEPS_NOW = 1700 };

static const char *const kernels[2] = { "unbatched", "batched" };

static const struct model_scenario_row scenarios[6] = {
	{ "cat-in-100m", "Read 10G through a 100M group" },
	{ "page-cgroup-4g", "What page_cgroup costs a 4G machine" },
	{ "two-siblings", "Which of two siblings loses pages" },
	{ "charge-limits", "Which level of a hierarchy refuses" },
	{ "hot-and-scan", "A hot set against a stream" },
	{ "oom-anon", "Anonymous memory over the limit, without swap" },
};

struct op_result pictures_apply(struct run *run, const struct op *op)
{
	struct op_result result;
	struct diag diag;

	if (run_apply(run, op, &result, &diag) != ERR_OK)
		fail_msg("%s", diag.text);
	return result;
}

static uint32_t new_group(struct run *run, uint32_t parent, const char *name, pages_t limit)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = parent };

	snprintf(op.name, sizeof(op.name), "%s", name);
	op.group.set = limit ? GROUP_LIMIT : 0;
	op.group.limit_pages = limit;
	return pictures_apply(run, &op).id;
}

/* jobs/cat with its limit, some pages of a shell, and a file that is read up to STEPS_NOW. */
static void read_file(struct run *run)
{
	uint32_t cat = new_group(run, new_group(run, RIG_ROOT, "jobs", 0), "cat", LIMIT_PAGES);
	struct op op = { .kind = OP_TASK_NEW, .object = cat, .name = "cat" };
	uint32_t task = pictures_apply(run, &op).id, map, file;

	op = (struct op){ .kind = OP_MAP_ANON,
			  .task = task,
			  .length = OTHER_PAGES * PAGE_BYTES,
			  .name = "shell" };
	map = pictures_apply(run, &op).id;
	op = (struct op){ .kind = OP_TOUCH,
			  .task = task,
			  .object = map,
			  .length = OTHER_PAGES * PAGE_BYTES,
			  .flags = OPF_WRITE };
	pictures_apply(run, &op);
	op = (struct op){ .kind = OP_FILE_NEW,
			  .length = (bytes_t)STEPS_TOTAL * CHUNK_PAGES * PAGE_BYTES,
			  .name = "big" };
	file = pictures_apply(run, &op).id;
	op = (struct op){ .kind = OP_READ,
			  .task = task,
			  .object = file,
			  .length = (bytes_t)STEPS_NOW * CHUNK_PAGES * PAGE_BYTES,
			  .chunk = CHUNK_PAGES * PAGE_BYTES };
	pictures_apply(run, &op);
	op = (struct op){ .kind = OP_MARK, .name = "here", .value = 1 };
	pictures_apply(run, &op);
}

static void open_side(struct pictures *p, int side)
{
	struct scenario sc;
	struct diag diag;

	rig_scenario(&sc, kernels[side], 2);
	snprintf(sc.name, sizeof(sc.name), "cat-in-100m");
	if (run_open(&sc, &p->run[side], &diag) != ERR_OK)
		fail_msg("%s", diag.text);
	model_side_init(&p->model.side[side], p->run[side], 52 + side, STEPS_TOTAL);
	if (run_add_sink(p->run[side], &p->model.side[side].sink, &diag) != ERR_OK)
		fail_msg("%s", diag.text);
	read_file(p->run[side]);
}

struct pictures *pictures_empty(void)
{
	struct pictures *p = calloc(1, sizeof(*p));
	struct model *model;

	assert_non_null(p);
	model = &p->model;
	memcpy(p->scenario_row, scenarios, sizeof(scenarios));
	model->scenario_row = p->scenario_row;
	model->nr_scenario_rows = 6;
	model->speed = 1;
	snprintf(model->db_path, sizeof(model->db_path), "/home/user/runs.db");
	assert_int_equal(pcg_machine_ram(&model->machine, (bytes_t)4 << 30, NULL), ERR_OK);
	model->machine.sections = 30;
	return p;
}

static void fill_row(struct model_run_row *row, int64_t id)
{
	bool second = id % 2 != 0;

	*row = (struct model_run_row){ .id = id,
				       .seed = 7,
				       .wall_ns = 1234567890,
				       .steps = 81925,
				       .over_scan = second ? 1.52 : 5.33 };
	snprintf(row->scenario, sizeof(row->scenario), "cat-in-100m");
	snprintf(row->kernel, sizeof(row->kernel), "v2.6.31%s",
		 second ? "+scan_batch=reclaim_stat" : "");
	snprintf(row->alias, sizeof(row->alias), "%s", kernels[second]);
	snprintf(row->state, sizeof(row->state), "%s", id == 50 ? "failed" : "done");
	snprintf(row->created, sizeof(row->created), "2009-08-20T10:4%d:00Z", (int)(id % 10));
	if (id == 50)
		snprintf(row->error, sizeof(row->error),
			 "scenarios/cat-in-100m.lua:7: limit: "
			 "\"100Q\" is not a size");
}

struct pictures *pictures_full(size_t rows)
{
	struct pictures *p = pictures_empty();
	struct model *model = &p->model;

	for (int side = 0; side < 2; side++)
		open_side(p, side);
	for (size_t i = 0; i < rows; i++)
		fill_row(&p->run_row[i], 53 - (int64_t)i);
	model->run_row = p->run_row;
	model->nr_run_rows = rows;
	model->nr_runs = rows;
	model->has_b = true;
	model->seed = 7;
	model->speed = 4;
	model->steps_total = STEPS_TOTAL;
	model->step = run_steps(p->run[0]);
	model->t_ns = run_now(p->run[1]);
	model->db_bytes = 14200000;
	snprintf(model->scenario, sizeof(model->scenario), "cat-in-100m");
	return p;
}

void pictures_close(struct pictures *pictures)
{
	for (int side = 0; side < 2; side++)
		history_fini(&pictures->history[side]);
	run_close(pictures->run[0]);
	run_close(pictures->run[1]);
	free(pictures);
}

char *pictures_dump(const struct canvas *canvas,
		    bool (*dump)(const struct canvas *canvas, FILE *out))
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	assert_true(dump(canvas, out));
	fclose(out);
	return text;
}

char *pictures_draw(struct pictures *pictures, enum view_id view, int w, int h,
		    enum canvas_glyphs glyphs)
{
	canvas_init(&pictures->canvas, w, h, glyphs);
	view_draw(view, &pictures->model, &pictures->canvas);
	return pictures_dump(&pictures->canvas, canvas_dump);
}

int pictures_lines(const char *text)
{
	int lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

int pictures_width(const char *text)
{
	int width = 0, here = 0;

	for (; *text; text++) {
		here = *text == '\n' ? 0 : here + ((*text & 0xc0) != 0x80);
		width = here > width ? here : width;
	}
	return width;
}

int pictures_close_state(void **state)
{
	pictures_close(*state);
	return 0;
}

void pictures_begin(struct pictures *pictures)
{
	memset(&pictures->model.tree, 0, sizeof(pictures->model.tree));
	memset(&pictures->model.locks, 0, sizeof(pictures->model.locks));
	pictures->model.selected = 0;
	pictures->model.filter[0] = pictures->model.message[0] = '\0';
	pictures->model.show = 0;
}

void pictures_must_say(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is missing in\n%s", part, text);
}
