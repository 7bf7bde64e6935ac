/*
 * The group that LRU and Scan show: the same on both sides, one whose own
 * pages reclaim worked on, and any other by name or one after the other.
 */
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "rig.h"

/* Two sides of one small tree: a parent with a limit, whose pages are its children's. */
struct pair {
	struct rig rig[2];
	struct model *model;
};

static void make_side(struct pair *p, int side, const char *kernel)
{
	struct rig *rig = &p->rig[side];
	uint32_t jobs, big, small, task[2], file;

	rig_open(rig, kernel, 1);
	model_side_init(&p->model->side[side], rig->run, side + 1, 1);
	jobs = rig_hierarchy(rig, RIG_ROOT, "jobs", 1000);
	/* Another order of making: a css id says nothing about the other side. */
	if (side == 1)
		rig_group(rig, RIG_ROOT, "first", 0);
	big = rig_hierarchy(rig, jobs, "big", 0);
	small = rig_hierarchy(rig, jobs, "small", 0);
	task[0] = rig_task(rig, big, 0);
	task[1] = rig_task(rig, small, 0);
	file = rig_file(rig, 3000);
	rig_read(rig, task[0], file, 0, 1800);
	rig_read(rig, task[1], file, 1800, 100);
}

static void open_pair(struct pair *p)
{
	p->model = calloc(1, sizeof(*p->model));
	assert_non_null(p->model);
	make_side(p, 0, "v3.1");
	make_side(p, 1, "v3.3");
	p->model->has_b = true;
}

static void close_pair(struct pair *p)
{
	rig_close(&p->rig[0]);
	rig_close(&p->rig[1]);
	free(p->model);
}

static const char *path_of(const struct pair *p, int side)
{
	static struct run_memcg m;

	assert_true(run_memcg(p->rig[side].run, group_id(p->model, side), &m));
	return m.path;
}

static void both_sides_show_the_group_whose_own_pages_were_scanned(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p);
	assert_string_equal(path_of(&p, 0), "jobs/big");
	assert_string_equal(path_of(&p, 1), "jobs/big");
	assert_int_not_equal(group_id(p.model, 0), group_id(p.model, 1));
	close_pair(&p);
}

/* At an earlier step another group may lead: the picture must not jump while time is played. */
static void once_settled_the_group_stays(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p);
	group_settle(p.model);
	assert_string_equal(group_name(p.model), "jobs/big");
	rig_read(&p.rig[0], rig_task(&p.rig[0], run_memcg_find(p.rig[0].run, "jobs/small"), 0),
		 rig_file(&p.rig[0], 9000), 0, 9000);
	group_settle(p.model);
	assert_string_equal(path_of(&p, 0), "jobs/big");
	close_pair(&p);
}

static void a_group_is_chosen_by_its_path(void **state)
{
	struct diag diag;
	struct pair p;

	(void)state;
	open_pair(&p);
	assert_int_equal(group_choose(p.model, "/jobs/small", &diag), ERR_OK);
	assert_string_equal(path_of(&p, 0), "jobs/small");
	assert_string_equal(path_of(&p, 1), "jobs/small");
	assert_int_equal(group_choose(p.model, "root", &diag), ERR_OK);
	assert_int_equal(group_id(p.model, 0), RIG_ROOT);
	assert_string_equal(group_name(p.model), "root");
	assert_int_equal(group_choose(p.model, "jobs/smal", &diag), ERR_NAME);
	assert_string_equal(diag.text, "no group \"jobs/smal\": did you mean jobs/small?");
	assert_int_equal(group_id(p.model, 1), RIG_ROOT);
	close_pair(&p);
}

static void a_group_of_one_side_only_leaves_the_other_without(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p);
	assert_int_equal(group_choose(p.model, "first", NULL), ERR_OK);
	assert_int_equal(group_id(p.model, 0), 0);
	assert_string_equal(path_of(&p, 1), "first");
	close_pair(&p);
}

static void steps_go_through_all_groups_of_both_sides_and_round(void **state)
{
	static const char *const order[] = { "jobs/small", "first", "root", "jobs", "jobs/big" };
	struct pair p;

	(void)state;
	open_pair(&p);
	group_settle(p.model);
	for (size_t i = 0; i < 5; i++) {
		group_step(p.model, 1);
		assert_string_equal(group_name(p.model), order[i]);
	}
	for (size_t i = 5; i-- > 0;) {
		assert_string_equal(group_name(p.model), order[i]);
		group_step(p.model, -1);
	}
	close_pair(&p);
}

static void without_a_run_there_is_no_group(void **state)
{
	struct model *model = calloc(1, sizeof(*model));
	struct diag diag;

	(void)state;
	assert_non_null(model);
	assert_int_equal(group_id(model, 0), 0);
	group_settle(model);
	group_step(model, 1);
	assert_string_equal(group_name(model), "");
	assert_int_equal(group_choose(model, "jobs", &diag), ERR_NAME);
	assert_string_equal(diag.text, "no group \"jobs\": no run is open");
	free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_sides_show_the_group_whose_own_pages_were_scanned),
		cmocka_unit_test(once_settled_the_group_stays),
		cmocka_unit_test(a_group_is_chosen_by_its_path),
		cmocka_unit_test(a_group_of_one_side_only_leaves_the_other_without),
		cmocka_unit_test(steps_go_through_all_groups_of_both_sides_and_round),
		cmocka_unit_test(without_a_run_there_is_no_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
