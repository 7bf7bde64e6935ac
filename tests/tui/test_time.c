/*
 * Any step of a stored run, forwards and backwards: what is shown there is
 * what a run made from its start shows, whichever way one came.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frames.h"
#include "lab.h"
#include "rig.h"

enum { JUMPS = 25 };

static const char scenario_text[] =
	"return scenario { name = 'back', kernels = { 'v3.1', 'v3.3' },\n"
	"  setup = function(lab)\n"
	"    lab.machine { ram = '256M' }\n"
	"    local jobs = lab.group('jobs', { limit = '8M', hierarchy = true })\n"
	"    return { a = lab.task('a', { group = jobs:group('a') }),\n"
	"      b = lab.task('b', { group = jobs:group('b') }),\n"
	"      f = lab.file('f', { size = '64M' }) }\n"
	"  end,\n"
	"  run = function(lab, p, w)\n"
	"    for i = 0, 15 do\n"
	"      w.a:read(w.f, { offset = i * 4194304, bytes = '4M', chunk = '16K' })\n"
	"      w.b:read(w.f, { bytes = '1M', chunk = '4K' })\n"
	"    end\n"
	"  end }\n";

struct view {
	struct lab *lab;
	struct model *model;
};

static void must(enum err err, const struct diag *diag)
{
	if (err != ERR_OK)
		fail_msg("%s", diag->text);
}

static void open_view(struct view *v)
{
	struct lab_options options = { 0 };
	struct diag diag = { 0 };

	script_limits_defaults(&options.limits);
	v->model = calloc(1, sizeof(*v->model));
	assert_non_null(v->model);
	must(lab_open(&options, &v->lab, &diag), &diag);
	must(lab_view_open(v->lab, "1", "2", v->model, &diag), &diag);
}

static void close_view(struct view *v)
{
	lab_view_close(v->lab, v->model);
	lab_close(v->lab);
	free(v->model);
}

/* One pair of runs serves all tests. */
static int run_once(void **state)
{
	struct lab_request request = { .scenario = "back.lua" };
	struct lab_outcome *outcome = NULL;
	struct lab_options options = { 0 };
	struct diag diag = { 0 };
	struct lab *lab;
	size_t nr = 0;
	FILE *file;

	(void)state;
	script_limits_defaults(&options.limits);
	assert_int_equal(chdir(getenv("TMPDIR")), 0);
	file = fopen("back.lua", "w");
	assert_non_null(file);
	fputs(scenario_text, file);
	fclose(file);
	must(lab_open(&options, &lab, &diag), &diag);
	must(lab_run(lab, &request, &outcome, &nr, &diag), &diag);
	assert_int_equal(nr, 2);
	lab_outcomes_free(outcome, nr);
	lab_close(lab);
	return 0;
}

/* A run made from its start to a step, by its log alone. */
struct walked {
	struct run *run;
	struct model_side *side;
};

static void walk(struct lab *lab, const char *ref, uint64_t step, struct walked *w)
{
	struct oplog *oplog = NULL;
	struct diag diag = { 0 };
	struct scenario sc;
	struct db_run row;
	void *data = NULL;
	size_t size = 0;
	struct db *db;

	must(lab_db(lab, DB_READ, &db, &diag), &diag);
	must(db_run_find(db, ref, &row, &diag), &diag);
	must(lab_machine(&row, &sc, &diag), &diag);
	must(db_run_oplog(db, row.id, &data, &size, &diag), &diag);
	must(oplog_open(data, size, &oplog, &diag), &diag);
	must(run_open(&sc, &w->run, &diag), &diag);
	w->side = calloc(1, sizeof(*w->side));
	assert_non_null(w->side);
	model_side_init(w->side, w->run, row.id, row.steps);
	must(run_add_sink(w->run, &w->side->sink, &diag), &diag);
	must(oplog_play(oplog, w->run, step, &diag), &diag);
	oplog_close(oplog);
	db_run_free(&row);
	free(data);
}

static void walked_free(struct walked *w)
{
	run_close(w->run);
	free(w->side);
}

static void same_side(const struct model_side *a, const struct model_side *b)
{
	char hash[2][RUN_HASH_MAX];

	run_hash(a->run, hash[0]);
	run_hash(b->run, hash[1]);
	assert_string_equal(hash[0], hash[1]);
	assert_int_equal(a->nr_shrink, b->nr_shrink);
	assert_int_equal(a->sum_scanned, b->sum_scanned);
	assert_int_equal(a->nr_hits, b->nr_hits);
	assert_int_equal(a->last.step, b->last.step);
	assert_int_equal(a->last.first_call, b->last.first_call);
	for (uint64_t call = 1; call <= a->nr_shrink; call++) {
		const struct model_shrink *x = model_shrink(a, call), *y = model_shrink(b, call);

		assert_int_equal(x != NULL, y != NULL);
		if (x)
			assert_memory_equal(x, y, sizeof(*x));
	}
}

/* Both sides of the model against runs that never went back. */
static void check_here(struct view *v)
{
	static const char *const ref[2] = { "1", "2" };

	for (int side = 0; side < 2; side++) {
		struct walked w;

		walk(v->lab, ref[side], v->model->step, &w);
		same_side(&v->model->side[side], w.side);
		walked_free(&w);
	}
}

static void seek(struct view *v, uint64_t step)
{
	struct diag diag = { 0 };

	must(lab_view_seek(v->lab, v->model, step, &diag), &diag);
}

static void every_way_to_a_step_shows_the_same(void **state)
{
	uint8_t timeline[MODEL_TIMELINE];
	uint64_t seed = 12345, steps;
	struct view v;

	(void)state;
	open_view(&v);
	steps = v.model->steps_total;
	assert_true(steps > 5000);
	memcpy(timeline, v.model->side[0].timeline, sizeof(timeline));
	for (int i = 0; i < JUMPS; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		seek(&v, 4 + (seed >> 33) % (steps - 4));
		check_here(&v);
		for (int k = 0; k < 3; k++)
			seek(&v, v.model->step - 1);
		check_here(&v);
		seek(&v, v.model->step + 2);
		check_here(&v);
		assert_memory_equal(timeline, v.model->side[0].timeline, sizeof(timeline));
	}
	seek(&v, 0);
	check_here(&v);
	close_view(&v);
}

/* One step back must not make the run from its start: a copy is never far. */
static void copies_lie_close_whatever_their_number(void **state)
{
	struct frames frames = { 0 };
	struct model_side *side = calloc(1, sizeof(*side));
	uint64_t far = 0, first;
	struct rig rig;
	uint32_t task, file;

	(void)state;
	assert_non_null(side);
	rig_open(&rig, "v3.3", 1);
	model_side_init(side, rig.run, 1, 1000);
	task = rig_task(&rig, RIG_ROOT, 0);
	file = rig_file(&rig, 2000);
	frames_take(&frames, rig.run, side);
	first = run_steps(rig.run);
	for (pages_t i = 0; i < 2000; i++) {
		rig_read(&rig, task, file, i, 1);
		frames_take(&frames, rig.run, side);
		assert_true(frames.nr <= FRAMES_MAX && frames.bytes <= FRAMES_BYTES);
	}
	for (uint64_t to = 2000; to >= 100; to -= 100) {
		assert_true(frames_go(&frames, to, rig.run, side));
		assert_true(run_steps(rig.run) <= to);
		far = to - run_steps(rig.run) > far ? to - run_steps(rig.run) : far;
	}
	/* 128 copies of 2 000 steps, and half of them after they were thinned out. */
	assert_in_range(far, 0, 2 * 2000 / (FRAMES_MAX / 2));
	assert_true(frames_go(&frames, first, rig.run, side));
	assert_int_equal(run_steps(rig.run), first);
	assert_false(frames_go(&frames, first, rig.run, side));
	assert_false(frames_go(&frames, first - 1, rig.run, side));
	frames_fini(&frames);
	free(side);
	rig_close(&rig);
}

/* Where the next steps back will go a copy is made on the first of them. */
static void the_second_step_back_is_near_a_copy(void **state)
{
	struct frames frames = { 0 };
	struct model_side *side = calloc(1, sizeof(*side));
	struct rig rig;
	uint32_t task, file;

	(void)state;
	assert_non_null(side);
	rig_open(&rig, "v3.3", 1);
	model_side_init(side, rig.run, 1, 1000);
	task = rig_task(&rig, RIG_ROOT, 0);
	file = rig_file(&rig, 2000);
	frames_take(&frames, rig.run, side);
	rig_read(&rig, task, file, 0, 900);
	frames_take_near(&frames, rig.run, side);
	rig_read(&rig, task, file, 900, 100);
	assert_true(frames_go(&frames, run_steps(rig.run) - 1, rig.run, side));
	assert_int_equal(run_steps(rig.run), run_frame_step(frames.near.frame));
	frames_fini(&frames);
	free(side);
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_way_to_a_step_shows_the_same, run_once),
		cmocka_unit_test(copies_lie_close_whatever_their_number),
		cmocka_unit_test(the_second_step_back_is_near_a_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
