/*
 * The arithmetic of scan targets: shares of anon and file, decay, forced
 * minimum, batching, and when an inactive list is low.  Worked by hand from
 * the kernels' rules, so no figure here comes from the code under test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy.h"
#include "scan.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { CLUSTER = 32 };

struct share_row {
	pages_t size[2];		/* anon, file */
	uint64_t scanned[2], rotated[2];
	int64_t swappiness;
	uint64_t scanned_after[2], rotated_after[2];
	uint64_t ap, fp;
	unsigned anon, file;		/* percent */
};

static const struct share_row share_rows[] = {
	/* no decay */
	{ { 10000, 30000 }, { 1000, 4000 }, { 500, 100 }, 60,
	  { 1000, 4000 }, { 500, 100 }, 121, 5585, 2, 98 },
	/* file scanned more than a quarter of its pages: halved */
	{ { 10000, 30000 }, { 1000, 8000 }, { 500, 100 }, 60,
	  { 1000, 4000 }, { 500, 50 }, 121, 11061, 1, 99 },
	/* nothing scanned yet */
	{ { 1, 1 }, { 0, 0 }, { 0, 0 }, 60, { 0, 0 }, { 0, 0 }, 61, 141, 30, 70 },
	{ { 1, 1 }, { 0, 0 }, { 0, 0 }, 100, { 0, 0 }, { 0, 0 }, 101, 101, 49, 51 },
	{ { 1, 1 }, { 0, 0 }, { 0, 0 }, 0, { 0, 0 }, { 0, 0 }, 1, 201, 0, 100 },
	/* both halved: one page more than a quarter is enough */
	{ { 4000, 8000 }, { 1001, 2001 }, { 900, 1000 }, 60,
	  { 500, 1000 }, { 450, 500 }, 67, 281, 19, 81 },
	/* mostly anon */
	{ { 20000, 20000 }, { 4000, 4000 }, { 400, 3600 }, 60,
	  { 4000, 4000 }, { 400, 3600 }, 608, 156, 79, 21 },
};

static void shares_follow_recent_use(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(share_rows); i++) {
		const struct share_row *row = &share_rows[i];
		struct scan_stat stat;
		struct scan_share share;

		for (int t = 0; t < 2; t++) {
			stat.scanned[t] = row->scanned[t];
			stat.rotated[t] = row->rotated[t];
		}
		scan_share(&stat, row->size, row->swappiness, true, &share);
		assert_int_equal(share.weight[SCAN_ANON], row->ap);
		assert_int_equal(share.weight[SCAN_FILE], row->fp);
		assert_int_equal(share.denominator, row->ap + row->fp + 1);
		assert_int_equal(share.percent[SCAN_ANON], row->anon);
		assert_int_equal(share.percent[SCAN_FILE], row->file);
		for (int t = 0; t < 2; t++) {
			assert_int_equal(stat.scanned[t], row->scanned_after[t]);
			assert_int_equal(stat.rotated[t], row->rotated_after[t]);
		}
	}
}

/* fe35004fbf9e (3.5): one is no longer added, so that swappiness 0 gives anon no weight. */
static void from_v3_5_on_no_least_weight_is_added(void **state)
{
	static const struct { int64_t swappiness; bool least; uint64_t anon, file; } rows[] = {
		{ 60, true, 61, 141 }, { 60, false, 60, 140 },
		{ 0, true, 1, 201 },   { 0, false, 0, 200 },
	};
	const pages_t size[2] = { 4000, 8000 };

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct scan_stat stat = { { 0, 0 }, { 0, 0 } };
		struct scan_share share;

		scan_share(&stat, size, rows[i].swappiness, rows[i].least, &share);
		assert_int_equal(share.weight[SCAN_ANON], rows[i].anon);
		assert_int_equal(share.weight[SCAN_FILE], rows[i].file);
	}
}

static void exactly_a_quarter_does_not_decay(void **state)
{
	struct scan_stat stat = { { 1000, 2000 }, { 900, 1000 } };
	const pages_t size[2] = { 4000, 8000 };
	struct scan_share share;

	(void)state;
	scan_share(&stat, size, 60, true, &share);
	assert_int_equal(stat.scanned[SCAN_ANON], 1000);
	assert_int_equal(stat.scanned[SCAN_FILE], 2000);
	assert_int_equal(stat.rotated[SCAN_ANON], 900);
	assert_int_equal(stat.rotated[SCAN_FILE], 1000);
}

static void decay_halves_once_a_call(void **state)
{
	struct scan_stat stat = { { 0, 100000 }, { 0, 10 } };
	const pages_t size[2] = { 0, 400 };
	struct scan_share share;

	(void)state;
	scan_share(&stat, size, 60, true, &share);
	assert_int_equal(stat.scanned[SCAN_FILE], 50000);
	assert_int_equal(stat.rotated[SCAN_FILE], 5);
	scan_share(&stat, size, 60, true, &share);
	assert_int_equal(stat.scanned[SCAN_FILE], 25000);
	assert_int_equal(stat.rotated[SCAN_FILE], 2);
}

static void percents_always_add_up(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 2000; i++) {
		struct scan_stat stat = { { i * 37 % 900, i * 91 % 1500 }, { 0, 0 } };
		const pages_t size[2] = { i * 53 % 7000, i * 29 % 9000 };
		struct scan_share share;

		stat.rotated[0] = stat.scanned[0] * (i % 5) / 4;
		stat.rotated[1] = stat.scanned[1] * (i % 3) / 2;
		scan_share(&stat, size, (int64_t)(i % 101), true, &share);
		assert_int_equal(share.percent[SCAN_ANON] + share.percent[SCAN_FILE], 100);
		assert_true(stat.rotated[0] <= stat.scanned[0]);
		assert_true(stat.rotated[1] <= stat.scanned[1]);
	}
}

/* The rules of eras A, B1 and C in limit reclaim. */
static struct scan_rules era_rules(unsigned balance, unsigned forced_min, bool swap)
{
	return (struct scan_rules){
		.balance = scan_balance(balance), .forced_min = forced_min, .cluster = CLUSTER,
		.swap = swap, .forced = true,
	};
}

static const struct scan_share share_e1 = {
	.weight = { 121, 5585 }, .denominator = 5707, .percent = { 2, 98 },
};
static const struct scan_share share_e4 = {
	.weight = { 67, 281 }, .denominator = 349, .percent = { 19, 81 },
};

struct target_row {
	const struct scan_share *share;	/* NULL: without swap */
	enum lru lru;
	pages_t size;
	unsigned priority;
	pages_t a, b1, c;		/* percent; fraction forced after; fraction forced before */
};

static const struct target_row target_rows[] = {
	/* a target by share */
	{ &share_e1, LRU_INACTIVE_FILE, 20000, 12, 3, 3, 3 },
	/* the list is too short for this priority */
	{ &share_e1, LRU_INACTIVE_FILE, 100, 12, 0, 31, 31 },
	/* only the share makes it nothing: forced after, not before */
	{ &share_e4, LRU_INACTIVE_ANON, 8000, 12, 0, 6, 0 },
	/* no swap: all on file, nothing on anon, at any priority */
	{ NULL, LRU_INACTIVE_ANON, 50000, 0, 0, 0, 0 },
	{ NULL, LRU_INACTIVE_ANON, 50000, 12, 0, 0, 0 },
	{ NULL, LRU_ACTIVE_ANON, 0, 12, 0, 0, 0 },
	{ NULL, LRU_INACTIVE_FILE, 300, 0, 300, 300, 300 },
	{ NULL, LRU_INACTIVE_FILE, 300, 12, 0, 32, 32 },
	{ NULL, LRU_ACTIVE_FILE, 0, 12, 0, 32, 32 },
	{ NULL, LRU_ACTIVE_FILE, 0, 0, 0, 32, 32 },
	/* swap at priority 0: the whole list; an empty one is forced in B1 only */
	{ &share_e1, LRU_INACTIVE_FILE, 12345, 0, 12345, 12345, 12345 },
	{ &share_e1, LRU_INACTIVE_ANON, 777, 0, 777, 777, 777 },
	{ &share_e1, LRU_INACTIVE_FILE, 0, 0, 0, 31, 0 },
	/* the step from 6 to 7 of 4096ths */
	{ NULL, LRU_INACTIVE_FILE, 24575, 12, 5, 5, 5 },
	{ NULL, LRU_INACTIVE_FILE, 24576, 12, 6, 6, 6 },
	{ NULL, LRU_INACTIVE_FILE, 25535, 12, 6, 6, 6 },
	{ NULL, LRU_INACTIVE_FILE, 28671, 12, 6, 6, 6 },
	{ NULL, LRU_INACTIVE_FILE, 28672, 12, 7, 7, 7 },
	{ NULL, LRU_INACTIVE_FILE, 25531, 11, 12, 12, 12 },
	{ NULL, LRU_INACTIVE_FILE, 25531, 10, 24, 24, 24 },
};

static void check_target(const struct target_row *row, const struct scan_rules *rules,
			 pages_t expected)
{
	struct scan_share none;

	scan_share_none(&none);
	assert_int_equal(scan_target(rules, row->share ? row->share : &none, row->lru, row->size,
				     row->priority),
			 expected);
}

static void targets_are_worked_by_era(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(target_rows); i++) {
		const struct target_row *row = &target_rows[i];
		bool swap = row->share != NULL;
		struct scan_rules a = era_rules(BALANCE_PERCENT, FORCED_MIN_NONE, swap);
		struct scan_rules b1 = era_rules(BALANCE_FRACTION, FORCED_MIN_AFTER, swap);
		struct scan_rules c = era_rules(BALANCE_FRACTION, FORCED_MIN_BEFORE, swap);

		check_target(row, &a, row->a);
		check_target(row, &b1, row->b1);
		check_target(row, &c, row->c);
	}
}

static void reclaim_that_may_not_force_has_no_minimum(void **state)
{
	static const unsigned policies[] = { FORCED_MIN_AFTER, FORCED_MIN_BEFORE };

	(void)state;
	for (size_t i = 0; i < NR(policies); i++) {
		struct scan_rules rules = era_rules(BALANCE_FRACTION, policies[i], true);

		rules.forced = false;
		assert_int_equal(scan_target(&rules, &share_e1, LRU_INACTIVE_FILE, 100, 12), 0);
		assert_false(scan_is_forced(&rules, &share_e1, LRU_INACTIVE_FILE, 100, 12));
	}
}

static void a_forced_target_is_told_apart(void **state)
{
	struct scan_rules b1 = era_rules(BALANCE_FRACTION, FORCED_MIN_AFTER, true);
	struct scan_rules c = era_rules(BALANCE_FRACTION, FORCED_MIN_BEFORE, true);
	struct scan_rules a = era_rules(BALANCE_PERCENT, FORCED_MIN_NONE, true);

	(void)state;
	assert_true(scan_is_forced(&b1, &share_e1, LRU_INACTIVE_FILE, 100, 12));
	assert_true(scan_is_forced(&c, &share_e1, LRU_INACTIVE_FILE, 100, 12));
	assert_false(scan_is_forced(&b1, &share_e1, LRU_INACTIVE_FILE, 20000, 12));
	assert_false(scan_is_forced(&c, &share_e1, LRU_INACTIVE_FILE, 20000, 12));
	assert_false(scan_is_forced(&a, &share_e1, LRU_INACTIVE_FILE, 100, 12));
}

static void a_percent_loses_what_a_fraction_keeps(void **state)
{
	/* 99 % of 6 is 5: why the trace of 2009 needs a file share of 100 %. */
	static const struct scan_share share = {
		.weight = { 5, 995 }, .denominator = 1001, .percent = { 0, 100 },
	};
	static const struct scan_share share99 = {
		.weight = { 10, 990 }, .denominator = 1001, .percent = { 1, 99 },
	};
	struct scan_rules percent = era_rules(BALANCE_PERCENT, FORCED_MIN_NONE, true);
	struct scan_rules fraction = era_rules(BALANCE_FRACTION, FORCED_MIN_AFTER, true);

	(void)state;
	assert_int_equal(scan_target(&percent, &share, LRU_INACTIVE_FILE, 25535, 12), 6);
	assert_int_equal(scan_target(&percent, &share99, LRU_INACTIVE_FILE, 25535, 12), 5);
	assert_int_equal(scan_target(&fraction, &share, LRU_INACTIVE_FILE, 25535, 12), 5);
}

static void targets_are_saved_up_and_released_whole(void **state)
{
	uint32_t saved = 0;

	(void)state;
	assert_int_equal(scan_batch(&saved, 6, CLUSTER), 0);
	assert_int_equal(saved, 6);
	assert_int_equal(scan_batch(&saved, 12, CLUSTER), 0);
	assert_int_equal(saved, 18);
	assert_int_equal(scan_batch(&saved, 24, CLUSTER), 42);
	assert_int_equal(saved, 0);
	assert_int_equal(scan_batch(&saved, 31, CLUSTER), 0);
	assert_int_equal(scan_batch(&saved, 1, CLUSTER), 32);
	assert_int_equal(saved, 0);
	assert_int_equal(scan_batch(&saved, 40, CLUSTER), 40);
	assert_int_equal(saved, 0);
	assert_int_equal(scan_batch(&saved, 0, CLUSTER), 0);
}

static void what_is_saved_stays_below_the_cluster(void **state)
{
	uint32_t saved = 0;
	uint64_t asked = 0, released = 0;

	(void)state;
	for (pages_t i = 0; i < 5000; i++) {
		asked += i * 13 % 45;
		released += scan_batch(&saved, i * 13 % 45, CLUSTER);
		assert_true(saved < CLUSTER);
		assert_int_equal(released + saved, asked);
	}
}

static void the_inactive_ratio_grows_with_the_root_of_memory(void **state)
{
	static const struct { pages_t pages; uint64_t ratio; } rows[] = {
		{ 0, 1 }, { 1, 1 }, { 262143, 1 }, { 262144, 3 }, { 2 * 262144, 4 },
		{ 4 * 262144, 6 }, { 10 * 262144, 10 }, { 100 * 262144, 31 },
		{ 1024 * 262144, 101 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		assert_int_equal(scan_inactive_ratio(rows[i].pages), rows[i].ratio);
}

static void the_root_is_the_floor_of_the_square_root(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 5000; n++) {
		uint64_t root = scan_isqrt(n);

		assert_true(root * root <= n && (root + 1) * (root + 1) > n);
	}
	assert_int_equal(scan_isqrt(UINT64_MAX), UINT32_MAX);
	assert_int_equal(scan_isqrt((uint64_t)1 << 62), (uint64_t)1 << 31);
}

static void anon_is_low_below_one_part_in_ratio(void **state)
{
	(void)state;
	/* Below 1 GiB the ratio is 1. */
	assert_false(scan_anon_is_low(50, 50));
	assert_true(scan_anon_is_low(50, 51));
	/* 4 GiB in all, ratio 6: 6 * inactive against active, strictly less. */
	assert_true(scan_anon_is_low(149000, 4 * 262144 - 149000));
	assert_false(scan_anon_is_low(150000, 4 * 262144 - 150000));
	/* 1 GiB exactly, ratio 3: 65536 * 3 equals the rest, one page less does not. */
	assert_false(scan_anon_is_low(65536, 196608));
	assert_true(scan_anon_is_low(65535, 196609));
}

static void file_is_low_when_active_is_longer(void **state)
{
	(void)state;
	assert_false(scan_file_is_low(50, 50));
	assert_true(scan_file_is_low(50, 51));
	assert_false(scan_file_is_low(0, 0));
	assert_true(scan_file_is_low(0, 1));
	/* No ratio for file, however much there is. */
	assert_true(scan_file_is_low(4 * 262144, 4 * 262144 + 1));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_follow_recent_use),
		cmocka_unit_test(from_v3_5_on_no_least_weight_is_added),
		cmocka_unit_test(exactly_a_quarter_does_not_decay),
		cmocka_unit_test(decay_halves_once_a_call),
		cmocka_unit_test(percents_always_add_up),
		cmocka_unit_test(targets_are_worked_by_era),
		cmocka_unit_test(reclaim_that_may_not_force_has_no_minimum),
		cmocka_unit_test(a_forced_target_is_told_apart),
		cmocka_unit_test(a_percent_loses_what_a_fraction_keeps),
		cmocka_unit_test(targets_are_saved_up_and_released_whole),
		cmocka_unit_test(what_is_saved_stays_below_the_cluster),
		cmocka_unit_test(the_inactive_ratio_grows_with_the_root_of_memory),
		cmocka_unit_test(the_root_is_the_floor_of_the_square_root),
		cmocka_unit_test(anon_is_low_below_one_part_in_ratio),
		cmocka_unit_test(file_is_low_when_active_is_longer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
