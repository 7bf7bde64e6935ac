/*
 * What reclaim does about dirty pages between its priorities: when the flusher
 * is woken, and which kernels sleep until a page is written.
 */
#include "memcg.h"
#include "pass.h"
#include "request.h"
#include "rig.h"
#include "run_private.h"
#include "shrink.h"
#include "writeback.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { LIMIT = 64, CLUSTER = 32 };

struct writer {
	struct rig rig;
	struct machine *m;
	uint32_t group, task;
};

/* A group full of @dirty modified pages that a slow device is to take, 1 ms each. */
static void writer_open(struct writer *w, const char *kernel, pages_t dirty)
{
	struct op op = { .kind = OP_WRITE, .length = dirty * PAGE_BYTES };

	rig_open(&w->rig, kernel, 1);
	w->m = run_machine(w->rig.run);
	w->m->sc.era.knobs.write_ns = 1000000;
	w->group = rig_group(&w->rig, RIG_ROOT, "g", LIMIT);
	op.task = w->task = rig_task(&w->rig, w->group, 0);
	op.object = rig_file(&w->rig, dirty);
	assert_int_equal(rig_apply(&w->rig, &op).outcome, OP_DONE);
	assert_int_equal(rig_memcg(&w->rig, w->group).dirty, dirty);
}

/* writeback_threshold is nr_to_reclaim and half of it; above it, for all that was scanned. */
static void the_flusher_wakes_above_one_and_a_half_clusters(void **state)
{
	static const struct {
		uint64_t scanned;
		pages_t written;
	} rows[] = {
		{ 0, 0 }, { CLUSTER, 0 }, { 48, 0 }, { 49, 49 }, { 60, 60 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct reclaim rc = { .scanned = rows[i].scanned };
		struct run_memcg g;
		struct writer w;

		writer_open(&w, "v3.2", LIMIT);
		rc.target = w.group;
		request_wake_flusher(w.m, &rc);
		g = rig_memcg(&w.rig, w.group);
		assert_int_equal(g.writeback, rows[i].written);
		assert_int_equal(g.dirty, LIMIT - rows[i].written);
		rig_check(&w.rig, "after the flusher");
		rig_close(&w.rig);
	}
}

static size_t naps(const struct rig *rig)
{
	size_t nr = 0;

	for (size_t i = 0; i < rig->nr_events; i++)
		nr += rig->events[i].kind == EVENT_WAIT && rig->events[i].rule == RULE_NAP;
	return nr;
}

/* Below priority 10 only, and only if something was scanned.  From v3.1 on the device has to be
 * congested, which from v3.2 on only reclaim for the machine notices; v6.1 has no naps. */
static void who_naps(void **state)
{
	static const struct {
		const char *kernel;
		unsigned priority;
		uint64_t scanned;
		bool global, congested, naps;
	} rows[] = {
		{ "v2.6.32", 9, 1, false, false, true },  { "v2.6.32", 10, 1, false, false, false },
		{ "v2.6.32", 9, 0, false, false, false }, { "v2.6.32", 9, 1, true, false, true },
		{ "v3.1", 9, 1, false, false, false },    { "v3.1", 9, 1, false, true, true },
		{ "v3.2", 9, 1, false, true, false },     { "v3.2", 9, 1, true, true, true },
		{ "v3.2", 9, 1, true, false, false },     { "v6.1", 9, 1, true, true, false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct reclaim rc = { .priority = rows[i].priority,
				      .scanned = rows[i].scanned,
				      .global = rows[i].global,
				      .congested = rows[i].congested };
		struct writer w;

		writer_open(&w, rows[i].kernel, 40);
		rc.target = rows[i].global ? RIG_ROOT : w.group;
		assert_int_equal(writeback_flusher(w.m, MEMCG_NONE, 40), 40);
		rig_forget(&w.rig);
		request_help_writers(w.m, &rc);
		if ((naps(&w.rig) == 1) != rows[i].naps)
			fail_msg("row %zu, %s: %zu naps", i, rows[i].kernel, naps(&w.rig));
		rig_close(&w.rig);
	}
}

/* A page more than the limit while all others wait for the device: to v2.6.33 reclaim sleeps
 * below priority 10, later only where the zone was flagged, which a limit never does from v3.2. */
static void reclaim_for_a_limit_sleeps_by_era(void **state)
{
	static const struct {
		const char *kernel;
		bool sleeps;
	} rows[] = {
		{ "v2.6.32", true }, { "v2.6.33", true }, { "v3.2+nap=always", true },
		{ "v3.2", false },   { "v3.3", false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct writer w;

		writer_open(&w, rows[i].kernel, LIMIT);
		rig_forget(&w.rig);
		rig_read(&w.rig, w.task, rig_file(&w.rig, 1), 0, 1);
		if ((naps(&w.rig) > 0) != rows[i].sleeps)
			fail_msg("%s: %zu naps", rows[i].kernel, naps(&w.rig));
		rig_close(&w.rig);
	}
}

/* 56 pages are under way, in one request of 56 ms: as many as a limit of 51 and its tenth allow.
 * Nobody waits from v6.1 on, nor does kswapd. */
static void a_pass_waits_for_the_dirty_limit_and_a_tenth(void **state)
{
	enum { WRITTEN = 56, WRITE_MS = 56 };
	static const struct {
		const char *kernel;
		int64_t pages;
		bool kswapd, waits;
	} rows[] = {
		{ "v2.6.32", 51, false, false },  { "v2.6.32", 50, false, true },
		{ "v2.6.32", 50, true, false },   { "v3.19", 51, false, false },
		{ "v3.19", 50, false, true },     { "v3.19+writeout_wait=off", 50, false, false },
		{ "v6.18-v1", 50, false, false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct reclaim rc = { .priority = 12,
				      .want = CLUSTER,
				      .global = rows[i].kswapd,
				      .kswapd = rows[i].kswapd };
		struct writer w;
		ns_t since;

		writer_open(&w, rows[i].kernel, WRITTEN);
		w.m->sc.era.knobs.scan_ns = 0;
		w.m->sc.era.knobs.reclaim_ns = 0;
		assert_int_equal(writeback_flusher(w.m, MEMCG_NONE, WRITTEN), WRITTEN);
		w.m->sc.era.knobs.dirty_bytes = rows[i].pages * PAGE_BYTES;
		rc.target = w.group;
		since = w.m->host->now;
		pass_lists(w.m, &rc, w.group);
		if (rig_memcg(&w.rig, w.group).writeback != (rows[i].waits ? 0 : WRITTEN))
			fail_msg("%s at %d", rows[i].kernel, (int)rows[i].pages);
		assert_int_equal(w.m->host->now - since, rows[i].waits ? WRITE_MS * 1000000 : 0);
		rig_close(&w.rig);
	}
}

/* 32 pages are isolated, the oldest under writeback: a half of them is enough at priority 11, an
 * eighth at 9.  Only where reclaim for the machine has flagged the zone, and to v3.19. */
static void a_batch_under_writeback_is_waited_for_by_priority(void **state)
{
	static const struct {
		const char *kernel;
		unsigned priority;
		pages_t written;
		bool global, congested, waits;
	} rows[] = {
		{ "v3.2", 12, 31, true, true, false },    { "v3.2", 12, 32, true, true, true },
		{ "v3.2", 11, 15, true, true, false },    { "v3.2", 11, 16, true, true, true },
		{ "v3.19", 9, 3, true, true, false },     { "v3.19", 9, 4, true, true, true },
		{ "v3.2", 11, 16, true, false, false },   { "v3.2", 11, 16, false, true, false },
		{ "v2.6.32", 11, 16, true, true, false }, { "v3.1", 11, 16, true, true, false },
		{ "v6.1", 11, 16, true, true, false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct reclaim rc = { .priority = rows[i].priority,
				      .want = CLUSTER,
				      .global = rows[i].global,
				      .congested = rows[i].congested };
		struct shrink sh = { .id = { .lru = LRU_INACTIVE_FILE }, .nr_to_scan = CLUSTER };
		struct writer w;

		writer_open(&w, rows[i].kernel, rows[i].written);
		rig_read(&w.rig, w.task, rig_file(&w.rig, LIMIT), 0, 60 - rows[i].written);
		rig_drain(&w.rig, w.task);
		assert_int_equal(writeback_flusher(w.m, MEMCG_NONE, LIMIT), rows[i].written);
		rig_forget(&w.rig);
		rc.target = sh.id.memcg = w.group;
		shrink_inactive(w.m, &rc, &sh);
		if (naps(&w.rig) != rows[i].waits)
			fail_msg("row %zu, %s: %zu naps", i, rows[i].kernel, naps(&w.rig));
		rig_close(&w.rig);
	}
}

/* Memory of the task, on the inactive list whatever the kernel begins with. */
static void make_inactive(struct writer *w, pages_t nr)
{
	uint32_t map;

	rig_limit(&w->rig, w->group, 4 * LIMIT);
	map = rig_map(&w->rig, w->task, nr);
	rig_touch(&w->rig, w->task, map, 0, nr);
	rig_drain(&w->rig, w->task);
	for (pages_t i = 0; i < nr; i++) {
		uint32_t slot = page_find(&w->m->pages, &w->m->pages.mapping[map], i);

		machine_unlist(w->m, slot);
		w->m->pages.slot[slot].word &= ~(uint32_t)PG_ACTIVE;
		machine_list(w->m, slot);
	}
}

/* Mapped pages and those of the swap cache count twice to v3.19: they wake it sooner. */
static void mapped_pages_count_twice_as_scanned(void **state)
{
	static const struct {
		const char *kernel;
		bool anon;
		uint64_t scanned;
	} rows[] = {
		{ "v2.6.31", true, 2 * CLUSTER },
		{ "v3.19", true, 2 * CLUSTER },
		{ "v3.19", false, CLUSTER },
		{ "v6.18", true, CLUSTER },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		enum lru lru = rows[i].anon ? LRU_INACTIVE_ANON : LRU_INACTIVE_FILE;
		struct reclaim rc = { .priority = 12, .want = CLUSTER };
		struct shrink sh = { .id = { .lru = lru }, .nr_to_scan = CLUSTER };
		struct writer w;

		writer_open(&w, rows[i].kernel, 1);
		rig_read(&w.rig, w.task, rig_file(&w.rig, LIMIT), 0, CLUSTER);
		rig_drain(&w.rig, w.task);
		if (rows[i].anon)
			make_inactive(&w, CLUSTER);
		rc.target = sh.id.memcg = w.group;
		shrink_inactive(w.m, &rc, &sh);
		assert_int_equal(rc.scanned, rows[i].scanned);
		rig_close(&w.rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_flusher_wakes_above_one_and_a_half_clusters),
		cmocka_unit_test(who_naps),
		cmocka_unit_test(reclaim_for_a_limit_sleeps_by_era),
		cmocka_unit_test(a_batch_under_writeback_is_waited_for_by_priority),
		cmocka_unit_test(mapped_pages_count_twice_as_scanned),
		cmocka_unit_test(a_pass_waits_for_the_dirty_limit_and_a_tenth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
