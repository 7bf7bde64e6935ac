/*
 * Zones: watermarks, reserves and the check against them, worked by hand
 * for a machine of 4 GiB in three zones; and at how many free pages kswapd
 * lets a zone alone, watched pass by pass.
 */
#include <inttypes.h>
#include <string.h>

#include "frame.h"
#include "policy.h"
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define MIB ((bytes_t)1 << 20)

enum { DMA, DMA32, NORMAL };

struct marks {
	pages_t wmark[ZONES_MAX][NR_WMARKS];
};

/* DMA 16 MiB, DMA32 up to 3 GiB, Normal 1 GiB. */
static const pages_t four_gib[ZONES_MAX] = { 4096, 782336, 262144 };

static const struct marks plain = {
	{ { 8, 10, 12 }, { 1528, 1910, 2292 }, { 512, 640, 768 } } };
static const struct marks plain_scaled = {
	{ { 8, 12, 16 }, { 1528, 2310, 3092 }, { 512, 774, 1036 } } };
static const struct marks huge = {
	{ { 66, 82, 99 }, { 12606, 15757, 18909 }, { 4224, 5280, 6336 } } };
static const struct marks huge_scaled = {
	{ { 66, 82, 98 }, { 12606, 15757, 18908 }, { 4224, 5280, 6336 } } };

static void check_marks(const struct zone *zone, const struct marks *want, const char *what)
{
	for (int z = 0; z < ZONES_MAX; z++)
		for (int w = 0; w < NR_WMARKS; w++)
			if (zone[z].wmark[w] != want->wmark[z][w])
				fail_msg("%s: zone %d, mark %d is %" PRIu64 ", not %" PRIu64, what,
					 z, w, zone[z].wmark[w], want->wmark[z][w]);
}

/* A machine of 4 GiB, or with the zones of @ranges. */
static void open_zones(struct rig *rig, const char *kernel, bool huge_pages)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.zones = true;
	sc.huge_pages = huge_pages;
	sc.memory.nr_ranges = 2;
	sc.memory.range[0] = (struct pcg_range){ 0, 3072 * MIB };
	sc.memory.range[1] = (struct pcg_range){ 4096 * MIB, 5120 * MIB };
	rig_open_scenario(rig, &sc);
}

static void watermarks_follow_the_square_root_of_memory(void **state)
{
	static const struct { bool wide, huge; const struct marks *marks; } rows[] = {
		{ false, false, &plain }, { true, false, &plain_scaled },
		{ false, true, &huge }, { true, true, &huge_scaled },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct zone_plan plan = {
			.nr = ZONES_MAX, .wide_steps = rows[i].wide, .huge_pages = rows[i].huge };
		struct zone zone[ZONES_MAX];

		memset(zone, 0, sizeof(zone));
		memcpy(plan.present, four_gib, sizeof(four_gib));
		zone_set_marks(&plan, zone);
		check_marks(zone, rows[i].marks, rows[i].wide ? "scaled" : "quarter");
		assert_int_equal(zone[DMA].reserve[DMA], 0);
		assert_int_equal(zone[DMA].reserve[DMA32], 3056);
		assert_int_equal(zone[DMA].reserve[NORMAL], 4080);
		assert_int_equal(zone[DMA32].reserve[NORMAL], 1024);
		assert_int_equal(zone[NORMAL].reserve[NORMAL], 0);
	}
}

static void each_kernel_sets_its_own_marks(void **state)
{
	static const struct { const char *kernel; bool huge; const struct marks *marks; } rows[] = {
		{ "v2.6.31", false, &plain }, { "v2.6.32", false, &plain },
		{ "v3.1", false, &plain }, { "v3.2", false, &plain }, { "v3.3", false, &plain },
		{ "v6.18-v1", false, &plain_scaled }, { "v6.18", false, &plain_scaled },
		{ "v3.1", true, &huge }, { "v3.3", true, &huge }, { "v6.18", true, &huge_scaled },
		/* Before 2.6.38 there are no transparent huge pages to make room for. */
		{ "v2.6.31", true, &plain }, { "v2.6.32", true, &plain },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct machine *m;
		struct rig rig;

		open_zones(&rig, rows[i].kernel, rows[i].huge);
		m = run_machine(rig.run);
		for (int z = 0; z < ZONES_MAX; z++) {
			assert_int_equal(m->host->zone[z].present, four_gib[z]);
			assert_int_equal(m->host->zone[z].free, four_gib[z]);
		}
		check_marks(m->host->zone, rows[i].marks, rows[i].kernel);
		rig_close(&rig);
	}
}

static void huge_pages_take_a_twentieth_at_most(void **state)
{
	struct zone_plan plan = { .present = { 0, 20000 }, .nr = 2, .huge_pages = true };
	struct zone zone[ZONES_MAX];

	(void)state;
	/* 11 * 512 pages for each of two zones is more than 5 % of 20000. */
	memset(zone, 0, sizeof(zone));
	zone_set_marks(&plan, zone);
	assert_int_equal(zone[1].wmark[WMARK_MIN], 1000);
	assert_int_equal(zone[0].wmark[WMARK_HIGH], 0);
}

static void min_free_kbytes_is_clamped(void **state)
{
	static const struct { uint64_t lowmem_mib, kib; } rows[] = {
		{ 16, 512 }, { 64, 1024 }, { 256, 2048 }, { 1024, 4096 }, { 2048, 5792 },
		{ 4096, 8192 }, { 8192, 11585 }, { 16384, 16384 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		assert_int_equal(zone_min_free_kbytes(rows[i].lowmem_mib << 10, false),
				 rows[i].kib);
		assert_int_equal(zone_min_free_kbytes(rows[i].lowmem_mib << 10, true), rows[i].kib);
	}
	/* 16 * 1024 is 128 squared: below it, and far above, the square root is cut off. */
	assert_int_equal(zone_min_free_kbytes(0, false), 128);
	assert_int_equal(zone_min_free_kbytes(1023, false), 128);
	assert_int_equal(zone_min_free_kbytes(1024 + 17, false), 129);
	assert_int_equal(zone_min_free_kbytes(((uint64_t)262144 << 10) - 1, false), 65535);
	assert_int_equal(zone_min_free_kbytes((uint64_t)262144 << 10, false), 65536);
	assert_int_equal(zone_min_free_kbytes((uint64_t)300000 << 10, false), 65536);
	assert_int_equal(zone_min_free_kbytes((uint64_t)300000 << 10, true), 70108);
	assert_int_equal(zone_min_free_kbytes(((uint64_t)4194304 << 10) - 1, true), 262143);
	assert_int_equal(zone_min_free_kbytes((uint64_t)5000000 << 10, true), 262144);
}

static void a_zone_is_fine_strictly_above_its_mark(void **state)
{
	static const struct { const char *kernel; pages_t first_ok; } rows[] = {
		{ "v2.6.31", 2293 }, { "v2.6.32", 2293 }, { "v3.1", 2295 }, { "v3.2", 2295 },
		{ "v3.3", 2293 }, { "v6.18", 2293 },
		{ "v3.1+wmark_quirk=off", 2293 }, { "v3.3+wmark_quirk=on", 2295 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct machine *m;
		struct rig rig;

		open_zones(&rig, rows[i].kernel, false);
		m = run_machine(rig.run);
		m->host->zone[DMA32].free = rows[i].first_ok - 1;
		assert_false(zone_ok(m, DMA32, 2292, DMA32));
		m->host->zone[DMA32].free = rows[i].first_ok;
		assert_true(zone_ok(m, DMA32, 2292, DMA32));
		/* Nor is there more to give away than before when there is next to nothing. */
		m->host->zone[DMA32].free = 0;
		assert_false(zone_ok(m, DMA32, 0, DMA32));
		/* A request that may go higher leaves the reserve alone: 1024 pages. */
		m->host->zone[DMA32].free = rows[i].first_ok + 1023;
		assert_false(zone_ok(m, DMA32, 2292, NORMAL));
		m->host->zone[DMA32].free++;
		assert_true(zone_ok(m, DMA32, 2292, NORMAL));
		rig_close(&rig);
	}
}

/* Watches the free pages of DMA32, and keeps Normal short so that kswapd goes on. */
struct watch {
	struct sink sink;		/* first: the sink's functions get the watch back */
	struct machine *m;
	pages_t free, most_before;	/* now; most at the start of a pass over DMA32 */
	ns_t pass;			/* when the latest pass began: examining takes no time */
	unsigned shrinks;
};

static enum err watch_event(struct sink *sink, const struct event *event, struct diag *diag)
{
	struct watch *watch = (struct watch *)sink;
	struct zone *zone = watch->m->host->zone;

	(void)diag;
	if (zone[DMA32].free != watch->free) {
		if (event->t_ns != watch->pass && watch->most_before < watch->free)
			watch->most_before = watch->free;
		watch->shrinks++;
		watch->pass = event->t_ns;
	}
	watch->free = zone[DMA32].free;
	zone[NORMAL].free = 0;
	return ERR_OK;
}

struct enough {
	const char *kernel;
	bytes_t dma32, normal;		/* sizes */
	pages_t listed;			/* on DMA32's list at first; Normal has 2000 */
	pages_t pages;			/* free pages that are not enough yet, reserve included */
};

/*
 * 64 MiB and 16 MiB: min_free 1144 KiB, so DMA32 has 228/285/342 and gives
 * 16 to the reserve; a hundredth of it is 164 pages.  256 and 16 MiB: 2111
 * KiB, 496/620/744, a hundredth is 656, more than the low mark.
 */
static const struct enough enoughs[] = {
	{ "v2.6.31", 64 * MIB, 16 * MIB, 12000, 8 * 342 + 16 },
	{ "v2.6.32", 64 * MIB, 16 * MIB, 12000, 8 * 342 + 16 },
	{ "v3.1", 64 * MIB, 16 * MIB, 4000, 342 + 164 + 16 + 2 },
	{ "v3.2", 64 * MIB, 16 * MIB, 4000, 342 + 164 + 16 + 2 },
	{ "v3.3", 64 * MIB, 16 * MIB, 4000, 342 + 164 + 16 },
	{ "v3.1", 256 * MIB, 16 * MIB, 4000, 744 + 620 + 16 + 2 },
	{ "v3.3", 256 * MIB, 16 * MIB, 4000, 744 + 620 + 16 },
	{ "v3.3+kswapd_enough=8high", 256 * MIB, 16 * MIB, 12000, 8 * 744 + 16 },
	{ "v2.6.32+kswapd_enough=gap", 64 * MIB, 16 * MIB, 4000, 342 + 164 + 16 },
};

static void watched_open(struct rig *rig, struct watch *watch, const struct enough *row)
{
	struct scenario sc;

	rig_scenario(&sc, row->kernel, 1);
	sc.zones = true;
	sc.era.knobs.scan_ns = 0;
	sc.memory.nr_ranges = 2;
	sc.memory.range[0] = (struct pcg_range){ 16 * MIB, 16 * MIB + row->dma32 };
	sc.memory.range[1] = (struct pcg_range){ 4096 * MIB, 4096 * MIB + row->normal };
	rig_open_scenario(rig, &sc);
	*watch = (struct watch){
		.sink = { .name = "watch", .mask = 1u << EVENT_SHRINK, .event = watch_event },
		.m = run_machine(rig->run),
	};
	assert_int_equal(run_add_sink(rig->run, &watch->sink, &rig->diag), ERR_OK);
}

/* Pages on both zones' lists, then so few free in either that kswapd wakes. */
static void run_short(struct rig *rig, struct watch *watch, uint32_t task, pages_t free,
		      pages_t listed)
{
	struct zone *zone = watch->m->host->zone;
	uint32_t file = rig_file(rig, 20000), taken;

	zone[NORMAL].free = 3000;
	zone[DMA32].free = 0;
	rig_read(rig, task, file, 0, 2000);
	zone[NORMAL].free = 0;
	zone[DMA32].free = 1 << 20;
	rig_read(rig, task, file, 2000, listed);
	rig_drain(rig, task);
	assert_int_equal(watch->shrinks, 0);
	watch->free = zone[DMA32].free = free;
	zone[NORMAL].free = 0;
	assert_true(frame_take(watch->m, 0, 1, &taken));
	assert_int_equal(taken, DMA32);
	/* The frame just taken was free when kswapd ended. */
	watch->free = zone[DMA32].free + 1;
}

/* The starts lie one page apart, so that each figure of a pass's length is met. */
static void kswapd_lets_a_zone_alone_when_enough_is_free(void **state)
{
	enum { STARTS = 64, START = 100 };

	(void)state;
	for (size_t i = 0; i < NR(enoughs); i++) {
		pages_t last_not_enough = 0, least_end = UINT64_MAX;

		for (pages_t start = 0; start < STARTS; start++) {
			struct watch watch;
			struct rig rig;

			watched_open(&rig, &watch, &enoughs[i]);
			run_short(&rig, &watch,
				  rig_task(&rig, rig_group(&rig, RIG_ROOT, "g", 0), 0),
				  START + start, enoughs[i].listed);
			if (watch.most_before > last_not_enough)
				last_not_enough = watch.most_before;
			if (watch.free < least_end)
				least_end = watch.free;
			rig_close(&rig);
		}
		if (last_not_enough != enoughs[i].pages || least_end != enoughs[i].pages + 1)
			fail_msg("%s: shrinks at %" PRIu64 ", ends at %" PRIu64 ", not %" PRIu64,
				 enoughs[i].kernel, last_not_enough, least_end, enoughs[i].pages);
	}
}

/* 100 pages of files that nothing frees: kswapd loses hope with the 600th look, not before.  With
 * swap left 50 of memory count too. */
static void a_zone_is_hopeless_when_six_times_its_pages_were_scanned(void **state)
{
	struct scenario sc;
	struct machine *m;
	struct zone *zone;
	struct rig rig;

	(void)state;
	rig_scenario(&sc, "v3.1", 1);
	sc.swap_pages = 10;
	rig_open_scenario(&rig, &sc);
	m = run_machine(rig.run);
	zone = &m->host->zone[0];
	zone->lruvec.size[LRU_INACTIVE_FILE] = 60;
	zone->lruvec.size[LRU_ACTIVE_FILE] = 40;
	zone->lruvec.size[LRU_INACTIVE_ANON] = 50;
	m->host->swap_used = 10;
	zone->pages_scanned = 599;
	assert_true(zone_reclaimable(m, 0));
	zone->pages_scanned = 600;
	assert_false(zone_reclaimable(m, 0));
	m->host->swap_used = 9;
	assert_true(zone_reclaimable(m, 0));
	zone->pages_scanned = 900;
	assert_false(zone_reclaimable(m, 0));
	rig_close(&rig);
}

/* 2,000 pages in one zone and 4,000 in the other: a list drawn in cells shows all of them, a third
 * of each cell from the smaller one. */
static void a_list_in_cells_has_the_pages_of_all_zones(void **state)
{
	struct run_cell cell[10];
	struct watch watch;
	struct rig rig;
	uint32_t group, task, file;
	struct zone *zone;

	(void)state;
	watched_open(&rig, &watch, &enoughs[0]);
	zone = watch.m->host->zone;
	group = rig_group(&rig, RIG_ROOT, "g", 0);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 20000);
	zone[NORMAL].free = 3000;
	zone[DMA32].free = 0;
	rig_read(&rig, task, file, 0, 2000);
	zone[NORMAL].free = 0;
	zone[DMA32].free = 1 << 20;
	rig_read(&rig, task, file, 2000, 4000);
	rig_drain(&rig, task);
	assert_int_equal(rig_memcg(&rig, group).size[LRU_INACTIVE_FILE], 6000);
	assert_int_equal(run_lru_cells(rig.run, group, LRU_INACTIVE_FILE, 10, cell), 600);
	for (int i = 0; i < 10; i++)
		assert_int_equal(cell[i].pages, 600);
	rig_close(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_in_cells_has_the_pages_of_all_zones),
		cmocka_unit_test(watermarks_follow_the_square_root_of_memory),
		cmocka_unit_test(each_kernel_sets_its_own_marks),
		cmocka_unit_test(huge_pages_take_a_twentieth_at_most),
		cmocka_unit_test(min_free_kbytes_is_clamped),
		cmocka_unit_test(a_zone_is_fine_strictly_above_its_mark),
		cmocka_unit_test(kswapd_lets_a_zone_alone_when_enough_is_free),
		cmocka_unit_test(a_zone_is_hopeless_when_six_times_its_pages_were_scanned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
