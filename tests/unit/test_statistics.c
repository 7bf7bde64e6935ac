/*
 * What is counted of a group's pages: once a change, by the rule of the
 * kernel, in the time that the knobs say; the lock of a file under which
 * writers stand in line; the lock that a move of charges makes them take.
 */
#include "account.h"

#include <string.h>

#include "contention.h"
#include "policy.h"
#include "rig.h"
#include "run_private.h"
#include "writeback.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define HOLD ((ns_t)11963)

enum { VFS = 165, STAT = 330, MOVE = 50, RCU = 6000000, SIZE = 512 };

struct host_with {
	struct rig rig;
	uint32_t group, task, file;
};

/* Locks, and time for nothing but what is tested here. */
static void host_open(struct host_with *h, const char *kernel, uint32_t cpus)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, cpus);
	sc.locks = true;
	sc.era.knobs.hit_ns = sc.era.knobs.fault_ns = sc.era.knobs.io_ns = 0;
	rig_open_scenario(&h->rig, &sc);
	h->group = rig_group(&h->rig, RIG_ROOT, "g", 0);
	h->task = rig_task(&h->rig, h->group, 0);
	h->file = rig_file(&h->rig, SIZE);
}

static enum op_outcome act(struct host_with *h, enum op_kind kind, pages_t first, pages_t nr)
{
	struct op op = { .kind = kind, .task = h->task, .object = h->file,
			 .offset = first * PAGE_BYTES, .length = nr * PAGE_BYTES };

	return rig_apply(&h->rig, &op).outcome;
}

static struct run_stat_counts counts(const struct host_with *h)
{
	struct run_stat_counts out;

	run_stat_counts(h->rig.run, &out);
	return out;
}

static struct run_lock files_lock(const struct host_with *h)
{
	struct run_lock lock;
	uint32_t i;

	for (i = 0; run_lock(h->rig.run, i, &lock); i++)
		if (!strcmp(lock.name, "&sb->s_type->i_mutex_key"))
			return lock;
	fail_msg("no file was written");
	return lock;
}

/* W26: three writes of a block count it once, in one bracket. */
static void a_page_is_counted_once_however_often_it_is_written(void **state)
{
	static const struct { const char *kernel; uint64_t brackets; ns_t ns; } rows[] = {
		{ "v3.5", 0, 0 },
		{ "v3.5+stat=vfs", 0, VFS },
		{ "v3.5+stat=dirty", 1, VFS + STAT },
		{ "v3.17", 0, 0 },		/* pages under writeback only */
		{ "v6.1", 1, VFS + STAT },
		{ "v6.18-v1", 0, VFS + STAT },	/* counted, with nothing to guard against */
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct host_with h;

		host_open(&h, rows[i].kernel, 1);
		for (int n = 0; n < 3; n++)
			assert_int_equal(act(&h, OP_WRITE, 7, 1), OP_DONE);
		assert_int_equal(counts(&h).nr_brackets, rows[i].brackets);
		assert_int_equal(counts(&h).nr_move_locked, 0);
		assert_int_equal(counts(&h).stat_ns, rows[i].ns);
		assert_int_equal(rig_memcg(&h.rig, h.group).dirty, 1);
		assert_int_equal(files_lock(&h).sum.hold.total, 3 * HOLD + rows[i].ns);
		rig_check(&h.rig, rows[i].kernel);
		rig_close(&h.rig);
	}
}

/* A page that is written once more while it is written out is dirty and under writeback both. */
static void dirty_and_under_writeback_can_both_be(void **state)
{
	struct host_with h;
	struct machine *m;

	(void)state;
	host_open(&h, "v3.5+stat=dirty", 1);
	m = run_machine(h.rig.run);
	assert_int_equal(act(&h, OP_WRITE, 0, 1), OP_DONE);
	m->host->now = run_now(h.rig.run);
	assert_int_equal(writeback_start_file(m, h.file, 1), 1);
	assert_int_equal(rig_memcg(&h.rig, h.group).dirty, 0);
	assert_int_equal(rig_memcg(&h.rig, h.group).writeback, 1);
	/* Dirty, then clean for the disk, then under writeback. */
	assert_int_equal(counts(&h).nr_brackets, 3);
	assert_int_equal(counts(&h).stat_ns, VFS + 3 * STAT);
	assert_int_equal(act(&h, OP_WRITE, 0, 1), OP_DONE);
	assert_int_equal(rig_memcg(&h.rig, h.group).dirty, 1);
	assert_int_equal(rig_memcg(&h.rig, h.group).writeback, 1);
	assert_int_equal(counts(&h).nr_brackets, 4);
	rig_check(&h.rig, "dirty again");
	/* Its file goes, and with it a dirty page. */
	assert_int_equal(act(&h, OP_FSYNC, 0, 1), OP_DONE);
	assert_int_equal(act(&h, OP_WRITE, 0, 1), OP_DONE);
	assert_int_equal(act(&h, OP_FILE_DROP, 0, 1), OP_DONE);
	assert_int_equal(rig_memcg(&h.rig, h.group).dirty, 0);
	assert_int_equal(rig_memcg(&h.rig, h.group).writeback, 0);
	rig_check(&h.rig, "dropped");
	rig_close(&h.rig);
}

/* Which changes of two pages, one of the root's and one of a group's, are counted. */
static void the_root_is_counted_by_rule(void **state)
{
	static const struct { const char *kernel; uint64_t alone, both, skipped; } rows[] = {
		{ "v3.5+stat=dirty", 1, 3, 0 },
		{ "v3.5+stat=dirty+root_stat=global", 0, 1, 2 },
		{ "v3.5+stat=dirty+root_stat=late", 0, 2, 1 },
		{ "v3.5+stat=dirty+memcg=off", 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct host_with h;

		rig_open(&h.rig, rows[i].kernel, 1);
		h.task = rig_task(&h.rig, RIG_ROOT, 0);
		h.file = rig_file(&h.rig, SIZE);
		assert_int_equal(act(&h, OP_WRITE, 0, 1), OP_DONE);
		assert_int_equal(counts(&h).nr_brackets, rows[i].alone);
		h.group = rig_group(&h.rig, RIG_ROOT, "g", 0);
		assert_int_equal(act(&h, OP_WRITE, 1, 1), OP_DONE);
		h.task = rig_task(&h.rig, h.group, 0);
		assert_int_equal(act(&h, OP_WRITE, 2, 1), OP_DONE);
		assert_int_equal(counts(&h).nr_brackets, rows[i].both);
		assert_int_equal(counts(&h).nr_root_skipped, rows[i].skipped);
		/* Without locks no time is told apart for it. */
		assert_int_equal(counts(&h).stat_ns, 0);
		rig_close(&h.rig);
	}
}

/* Pages of a group that is not accounted are nobody's. */
static void pages_of_a_group_that_is_not_accounted_are_not_counted(void **state)
{
	struct op group = { .kind = OP_GROUP_NEW, .object = RIG_ROOT, .name = "n",
			    .group = { .set = GROUP_ACCOUNT, .account = false } };
	struct host_with h;

	(void)state;
	host_open(&h, "v3.5+stat=dirty+swap_account=off", 1);
	h.task = rig_task(&h.rig, rig_apply(&h.rig, &group).id, 0);
	assert_int_equal(act(&h, OP_WRITE, 0, 2), OP_DONE);
	assert_int_equal(counts(&h).nr_brackets, 0);
	assert_int_equal(counts(&h).stat_ns, 2 * VFS);
	rig_close(&h.rig);
}

/* W25: 1000 dirty pages, of which groups have 300 and 250; and groups that were read late. */
static void the_root_has_what_the_groups_leave(void **state)
{
	(void)state;
	assert_int_equal(account_root(1000, 300 + 250), 450);
	assert_int_equal(account_root(1000, 1010), 0);
	assert_int_equal(account_root(0, 0), 0);
}

static void counting_the_root_by_what_is_left_is_for_dirty_pages(void **state)
{
	struct diag diag = { 0 };
	struct era era;

	(void)state;
	assert_int_equal(era_find("v3.5+root_stat=global", &era, &diag), ERR_USAGE);
	assert_non_null(strstr(diag.text, "root_stat=global needs stat=dirty"));
}

/* W23: eight writers and one lock, which is held 11.963 us a write: a cycle is eight of these. */
static void writers_of_a_file_stand_in_line(void **state)
{
	enum { WRITERS = 8, WRITES = 50 };
	struct host_with h;
	struct run_lock lock;
	uint32_t task[WRITERS], i;

	(void)state;
	host_open(&h, "v3.5", WRITERS);
	for (i = 0; i < WRITERS; i++)
		task[i] = rig_task(&h.rig, h.group, i);
	for (i = 0; i < WRITERS * WRITES; i++) {
		struct op op = { .kind = OP_WRITE, .task = task[i % WRITERS], .object = h.file,
				 .actor = 1 + i % WRITERS, .length = PAGE_BYTES,
				 .offset = i * PAGE_BYTES };

		if (i < WRITERS) {
			struct op spawn = { .kind = OP_SPAWN, .value = 1 + i };

			rig_apply(&h.rig, &spawn);
		}
		rig_apply(&h.rig, &op);
	}
	lock = files_lock(&h);
	assert_int_equal(lock.sum.hold.nr, WRITERS * WRITES);
	assert_int_equal(lock.sum.hold.total, WRITERS * WRITES * HOLD);
	assert_int_equal(lock.sum.hold.min, HOLD);
	assert_int_equal(lock.sum.hold.max, HOLD);
	assert_string_equal(lock_site_name(LOCK_SITE_WRITE), "generic_file_aio_write");
	rig_close(&h.rig);
}

/* Two files do not wait for each other; several pages of one call are one hold. */
static void each_file_has_its_own_lock(void **state)
{
	struct host_with h;
	struct run_lock lock;
	uint32_t second;

	(void)state;
	host_open(&h, "v3.5", 2);
	second = rig_file(&h.rig, SIZE);
	assert_int_equal(act(&h, OP_WRITE, 0, 5), OP_DONE);
	h.file = second;
	assert_int_equal(act(&h, OP_WRITE, 0, 1), OP_DONE);
	lock = files_lock(&h);
	assert_int_equal(lock.sum.hold.nr, 2);
	assert_int_equal(lock.sum.hold.max, 5 * HOLD);
	assert_int_equal(lock.sum.hold.min, HOLD);
	assert_int_equal(lock.sum.wait.nr, 0);
	rig_close(&h.rig);
}

/* Followed by cache lines the lock is held as long. */
static void a_lock_whose_lines_are_followed_is_held_as_long(void **state)
{
	struct host_with h;
	struct scenario sc;

	(void)state;
	rig_scenario(&sc, "v3.5", 2);
	sc.locks = true;
	sc.era.knobs.lock_lines = 1;
	sc.era.knobs.hit_ns = sc.era.knobs.fault_ns = 0;
	rig_open_scenario(&h.rig, &sc);
	h.group = rig_group(&h.rig, RIG_ROOT, "g", 0);
	h.task = rig_task(&h.rig, h.group, 0);
	h.file = rig_file(&h.rig, SIZE);
	assert_int_equal(act(&h, OP_WRITE, 0, 3), OP_DONE);
	assert_int_equal(act(&h, OP_WRITE, 0, 1), OP_DONE);
	assert_int_equal(files_lock(&h).sum.hold.nr, 2);
	assert_int_equal(files_lock(&h).sum.hold.total, 4 * HOLD);
	rig_check(&h.rig, "lines");
	rig_close(&h.rig);
}

static void a_scenario_cannot_take_the_lock_of_a_file(void **state)
{
	struct host_with h;
	struct op op = { .kind = OP_LOCK, .count = 1 };
	struct diag diag = { 0 };
	struct machine *m;

	(void)state;
	host_open(&h, "v3.5", 1);
	m = run_machine(h.rig.run);
	assert_int_equal(act(&h, OP_WRITE, 0, 1), OP_DONE);
	op.task = h.task;
	op.object = m->pages.mapping[h.file].inode_lock;
	assert_true(op.object > 0);
	assert_int_equal(run_apply(h.rig.run, &op, NULL, &diag), ERR_RANGE);
	rig_close(&h.rig);
}

/* A mapped page of a file comes and goes: with a lock each time, or only while charges move. */
static void the_lock_of_a_move_is_taken_while_it_is_under_way(void **state)
{
	static const struct { const char *kernel; uint64_t before, during, after; } rows[] = {
		{ "v2.6.25", 0, 0, 0 },
		{ "v2.6.31", 2, 4, 6 },
		{ "v3.1", 0, 2, 2 },
		{ "v3.5", 0, 2, 2 },
		{ "v6.18-v1", 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		uint64_t want[] = { rows[i].before, rows[i].during, rows[i].after };
		struct host_with h;
		struct machine *m;

		rig_open(&h.rig, rows[i].kernel, 1);
		m = run_machine(h.rig.run);
		h.group = rig_group(&h.rig, RIG_ROOT, "g", 0);
		h.task = rig_task(&h.rig, h.group, 0);
		h.file = rig_file(&h.rig, SIZE);
		for (int n = 0; n < 3; n++) {
			struct op map = { .kind = OP_MAP_FILE, .task = h.task, .object = h.file,
					  .name = "m" };
			struct op think = { .kind = OP_THINK, .value = RCU };

			if (n == 1)
				account_moving(m, h.group);
			if (n == 2)
				rig_apply(&h.rig, &think);
			map.object = rig_apply(&h.rig, &map).id;
			assert_int_equal(rig_touch(&h.rig, h.task, map.object, 0, 1), OP_DONE);
			rig_unmap(&h.rig, h.task, map.object);
			assert_int_equal(counts(&h).nr_move_locked, want[n]);
		}
		assert_int_equal(counts(&h).nr_brackets > 0,
				 machine_axis(m, AXIS_MOVE_LOCK) != MOVE_LOCK_NONE);
		rig_close(&h.rig);
	}
}

/* Another group's pages are counted without it; its own cost a lock more. */
static void only_pages_of_the_group_that_loses_charges_are_locked(void **state)
{
	struct host_with h;
	struct machine *m;
	uint32_t other;
	ns_t from;

	(void)state;
	host_open(&h, "v3.5+stat=dirty", 1);
	m = run_machine(h.rig.run);
	other = rig_group(&h.rig, RIG_ROOT, "other", 0);
	/* The mover has waited for the grace period; who counts meanwhile takes the lock. */
	from = m->host->now;
	account_moving(m, h.group);
	assert_int_equal(m->host->now - from, RCU);
	m->host->now = from;
	assert_int_equal(act(&h, OP_WRITE, 0, 1), OP_DONE);
	assert_int_equal(counts(&h).nr_move_locked, 1);
	assert_int_equal(counts(&h).stat_ns, VFS + STAT + MOVE);
	h.task = rig_task(&h.rig, other, 0);
	assert_int_equal(act(&h, OP_WRITE, 1, 1), OP_DONE);
	assert_int_equal(counts(&h).nr_move_locked, 1);
	assert_int_equal(counts(&h).nr_brackets, 2);
	rig_close(&h.rig);
}

/* A task takes its dirty mapped page along: both counters go with it. */
static void a_moved_page_is_dirty_for_its_new_group(void **state)
{
	struct host_with h;
	struct op map = { .kind = OP_MAP_FILE, .name = "m" }, move = { .kind = OP_TASK_MOVE };
	struct op set = { .kind = OP_GROUP_SET,
			  .group = { .set = GROUP_MOVE_CHARGE, .move_charge = 3 } };
	uint32_t to;

	(void)state;
	host_open(&h, "v3.5+stat=dirty", 1);
	to = rig_group(&h.rig, RIG_ROOT, "to", 0);
	assert_int_equal(act(&h, OP_WRITE, 0, 1), OP_DONE);
	map.task = move.task = h.task;
	map.object = h.file;
	set.object = move.object = to;
	rig_apply(&h.rig, &set);
	assert_int_equal(rig_touch(&h.rig, h.task, rig_apply(&h.rig, &map).id, 0, 1), OP_DONE);
	assert_int_equal(rig_apply(&h.rig, &move).outcome, OP_DONE);
	assert_int_equal(rig_memcg(&h.rig, h.group).dirty, 0);
	assert_int_equal(rig_memcg(&h.rig, to).dirty, 1);
	assert_true(run_now(h.rig.run) > RCU);
	rig_check(&h.rig, "moved");
	/* With nothing left to move it only sleeps, and its CPU is idle. */
	set.object = move.object = h.group;
	rig_apply(&h.rig, &set);
	move.task = rig_task(&h.rig, to, 0);
	rig_apply(&h.rig, &move);
	assert_int_equal(run_machine(h.rig.run)->cpu[0].slept, RCU);
	rig_close(&h.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_is_counted_once_however_often_it_is_written),
		cmocka_unit_test(dirty_and_under_writeback_can_both_be),
		cmocka_unit_test(the_root_is_counted_by_rule),
		cmocka_unit_test(pages_of_a_group_that_is_not_accounted_are_not_counted),
		cmocka_unit_test(the_root_has_what_the_groups_leave),
		cmocka_unit_test(counting_the_root_by_what_is_left_is_for_dirty_pages),
		cmocka_unit_test(writers_of_a_file_stand_in_line),
		cmocka_unit_test(each_file_has_its_own_lock),
		cmocka_unit_test(a_lock_whose_lines_are_followed_is_held_as_long),
		cmocka_unit_test(a_scenario_cannot_take_the_lock_of_a_file),
		cmocka_unit_test(the_lock_of_a_move_is_taken_while_it_is_under_way),
		cmocka_unit_test(only_pages_of_the_group_that_loses_charges_are_locked),
		cmocka_unit_test(a_moved_page_is_dirty_for_its_new_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
