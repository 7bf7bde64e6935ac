/*
 * The Locks view: pictures of four CPUs that fight for one counter on two
 * kernels, full and empty, against the texts in tests/tui/golden, and the
 * facts that no picture may lose.  MEMCGLAB_GOLDEN=write rewrites them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "lock_rows.h"
#include "pictures.h"
#include "rig.h"

static const struct golden {
	const char *name;
	int w, h;
	enum canvas_glyphs glyphs;
	bool empty;
	struct lock_state state;
} goldens[] = {
	{ "locks-full-80x24", 80, 24, GLYPHS_BRAILLE, false, { .table = false } },
	{ "locks-full-80x24-ascii", 80, 24, GLYPHS_ASCII, false, { .table = false } },
	{ "locks-full-80x24-table", 80, 24, GLYPHS_BRAILLE, false, { .table = true } },
	{ "locks-full-80x24-holders", 80, 24, GLYPHS_BRAILLE, false, { .holders = true } },
	{ "locks-full-100x40", 100, 40, GLYPHS_BLOCK, false, { .table = false } },
	{ "locks-full-160x48", 160, 48, GLYPHS_BRAILLE, false, { .table = false } },
	{ "locks-full-160x48-table", 160, 48, GLYPHS_ASCII, false, { .table = true } },
	{ "locks-full-50x16", 50, 16, GLYPHS_BLOCK, false, { .table = false } },
	{ "locks-80x24-empty", 80, 24, GLYPHS_BRAILLE, true, { .table = false } },
	{ "locks-160x48-empty", 160, 48, GLYPHS_ASCII, true, { .table = false } },
};

static int open_locks(void **state)
{
	*state = pictures_locks();
	return 0;
}

static void every_picture_is_as_recorded(void **state)
{
	struct pictures *empty = pictures_empty();

	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++) {
		const struct golden *g = &goldens[i];
		struct pictures *p = g->empty ? empty : *state;
		char *got;

		pictures_begin(p);
		p->model.locks = g->state;
		got = pictures_draw(p, VIEW_LOCKS, g->w, g->h, g->glyphs);
		golden_picture(g->name, got, g->w, g->h);
	}
	pictures_close(empty);
}

/* The figures are the run's: 4 CPUs * 12 rounds * 64 pages, up and down, memory and memsw, and a
 * look at soft limits every 1001 of them. */
static void the_figures_are_those_of_the_runs(void **state)
{
	struct pictures *p = *state;
	struct run_lock lock;
	char *text, wait[64];

	pictures_begin(p);
	text = pictures_draw(p, VIEW_LOCKS, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, " acquisitions             12 294 ");
	assert_true(run_lock(p->run[0], 0, &lock));
	assert_int_equal(lock.sum.hold.nr, 4 * 12 * 64 * 2 * 2 + 4 * 12 * 64 * 2 / 1001);
	snprintf(wait, sizeof(wait), ".%02llu ",
		 (unsigned long long)(lock.sum.wait.total + 5) / 10 % 100);
	pictures_must_say(strstr(text, "wait total us"), wait);
	free(text);
}

/* A dash is no such value: B has no lock "mine". */
static void a_class_that_one_side_lacks_has_dashes_there(void **state)
{
	struct pictures *p = *state;
	char *text;

	pictures_begin(p);
	snprintf(p->model.filter, sizeof(p->model.filter), "class:mine");
	text = pictures_draw(p, VIEW_LOCKS, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, " mine ");
	pictures_must_say(text, "1 of 1");
	pictures_must_say(text, " acquisitions              2 400             -        -  model");
	pictures_must_say(text, "B has no such class");
	free(text);
	text = pictures_draw(p, VIEW_LOCKS, 160, 48, GLYPHS_ASCII);
	pictures_must_say(text, "B has none");
	free(text);
}

static void rows_are_sorted_and_filtered(void **state)
{
	struct pictures *p = *state;
	struct lock_row row[LOCK_ROWS_MAX];
	struct diag diag;

	pictures_begin(p);
	assert_int_equal(lock_rows(&p->model, row), 2);
	assert_string_equal(lock_row_name(&row[0]), "&counter->lock");
	assert_true(row[0].there[0] && row[0].there[1] && row[1].there[0] && !row[1].there[1]);
	lock_rows_act(&p->model, ACT_REVERSE);
	lock_rows(&p->model, row);
	assert_string_equal(lock_row_name(&row[0]), "mine");
	/* The next columns in turn, each from its largest, and names from a to z. */
	for (int i = 0; i < 4; i++)
		lock_rows_act(&p->model, ACT_SORT);
	assert_string_equal(p->model.message, "sorted by class; S reverses");
	lock_rows(&p->model, row);
	assert_string_equal(lock_row_name(&row[0]), "&counter->lock");
	snprintf(p->model.filter, sizeof(p->model.filter), "acquisitions<5000");
	assert_int_equal(lock_rows(&p->model, row), 1);
	assert_string_equal(lock_row_name(&row[0]), "mine");
	snprintf(p->model.filter, sizeof(p->model.filter), "none of these");
	assert_int_equal(lock_rows_count(&p->model), 0);
	assert_int_equal(lock_rows_filter_check("acquisition>1", &diag), ERR_OK);
	assert_int_equal(lock_rows_filter_check("limit>1", &diag), ERR_NAME);
}

static void what_cannot_be_shown_is_told(void **state)
{
	struct pictures *p = *state, *empty = pictures_empty(), *full = pictures_full(1);
	char *text;

	pictures_begin(p);
	snprintf(p->model.filter, sizeof(p->model.filter), "nothing");
	text = pictures_draw(p, VIEW_LOCKS, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "No class of locks matches the filter.");
	free(text);
	text = pictures_draw(full, VIEW_LOCKS, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "This run does not model locks");
	pictures_must_say(text, "lab.machine { locks = true }");
	free(text);
	text = pictures_draw(empty, VIEW_LOCKS, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "No run is open.");
	free(text);
	pictures_close(full);
	pictures_close(empty);
}

/* Thousandths of a CPU: two moments 1 ms apart, in which 0.5 ms were waited. */
static void waiting_cpus_are_the_time_waited_by_the_time_passed(void **state)
{
	static struct history h;

	(void)state;
	h.nr = 3;
	h.t_ns[1] = 1000000;
	h.t_ns[2] = 3000000;
	h.waited[2][1] = 500000;
	h.waited[2][2] = 500000;
	assert_int_equal(history_waiting(&h, 2, 0, 1000000), 500);
	assert_int_equal(history_waiting(&h, 2, 0, 3000000), 167);
	assert_int_equal(history_waiting(&h, 2, 1000000, 3000000), 0);
	assert_int_equal(history_waiting(&h, 2, 1100000, 2900000), 0);
	assert_int_equal(history_waiting(&h, HISTORY_LOCKS, 0, 1000000), 0);
	assert_int_equal(history_waiting(NULL, 0, 0, 1000000), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_picture_is_as_recorded),
		cmocka_unit_test(the_figures_are_those_of_the_runs),
		cmocka_unit_test(a_class_that_one_side_lacks_has_dashes_there),
		cmocka_unit_test(rows_are_sorted_and_filtered),
		cmocka_unit_test(what_cannot_be_shown_is_told),
		cmocka_unit_test(waiting_cpus_are_the_time_waited_by_the_time_passed),
	};

	return cmocka_run_group_tests(tests, open_locks, pictures_close_state);
}
