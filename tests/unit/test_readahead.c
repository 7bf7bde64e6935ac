/*
 * Windows of a file that is read in order, where the file system uses large
 * folios (v6.18 mm/readahead.c): how long they are, and of what folios.
 */
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { WINDOW = 32 };

/*
 * The first window is four times what is asked for, in single pages, and its
 * second page carries the marker.  Each later one is twice as long with
 * folios four times as large, and ends where such a folio does: 8 pages as 4
 * + 4, then of 16 pages and folios of 16 only what is before page 16.
 */
static void each_window_has_folios_four_times_as_large(void **state)
{
	static const struct {
		pages_t read, first,
			folio; /* read so far; then this page is in a folio of so many */
	} rows[] = {
		{ 1, 0, 1 }, { 1, 3, 1 }, { 2, 4, 4 }, { 2, 8, 4 }, { 5, 12, 4 },
	};
	struct op op = { .kind = OP_FILE_NEW, .length = 4096 * PAGE_BYTES, .name = "file",
			 .flags = OPF_LARGE };
	uint32_t task, file, slot;
	pages_t done = 0;
	struct scenario sc;
	struct machine *m;
	struct rig rig;

	(void)state;
	rig_scenario(&sc, "v6.18", 1);
	sc.era.knobs.readahead = WINDOW;
	rig_open_scenario(&rig, &sc);
	m = run_machine(rig.run);
	task = rig_task(&rig, rig_group(&rig, RIG_ROOT, "g", 0), 0);
	file = rig_apply(&rig, &op).id;
	for (size_t i = 0; i < NR(rows); i++) {
		for (; done < rows[i].read; done++)
			rig_read(&rig, task, file, done, 1);
		slot = page_find(&m->pages, &m->pages.mapping[file], rows[i].first);
		assert_true(m->pages.slot[slot].word & PG_RESIDENT);
		assert_int_equal(page_head(&m->pages, slot), slot);
		assert_int_equal(page_nr(&m->pages, slot), rows[i].folio);
	}
	/* Nothing of the next window is there yet. */
	slot = page_find(&m->pages, &m->pages.mapping[file], 16);
	assert_false(m->pages.slot[slot].word & PG_RESIDENT);
	rig_close(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_window_has_folios_four_times_as_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
