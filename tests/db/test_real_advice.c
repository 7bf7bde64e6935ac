/*
 * Recorded workloads that map files, give advice, read memory that was never
 * written and open a file several times: what each must come to on v6.18.
 */
#include "recorded.h"

#include <stdio.h>

#include "real_drive.h"

enum { FIRST = 1, SECOND = 2, THIRD = 3 };

#define GROUP "exp e\ng g - limit=64M\n"

static int64_t value(const struct recorded *rec, unsigned no, const char *who, const char *counter)
{
	static const char *const phases[] = { "", "a", "b", "c" };

	return recorded_value(rec, no, phases[no], who, counter);
}

static void predict(struct recorded *rec, const char *text)
{
	recorded_text(rec, text);
	recorded_predict(rec, "e", NULL);
}

/* Three page tables for 1,100 pages; records of the mapping and pages come with the first write. */
static void memory_that_is_only_read_is_charged_to_nobody(void **state)
{
	struct recorded rec;

	(void)state;
	predict(&rec, GROUP "t w g 1 0 anon:0:1100:1:r mark:a anon:0:1100:1:w mark:b\n");
	assert_int_equal(value(&rec, FIRST, "g", "rss"), 0);
	assert_int_equal(value(&rec, FIRST, "g", "pgpgin"), 0);
	assert_int_equal(value(&rec, FIRST, "g", "kmem"), 3);
	assert_int_equal(value(&rec, SECOND, "g", "rss"), 1100);
	assert_int_equal(value(&rec, SECOND, "g", "kmem"), 4);
	recorded_close(&rec);
}

/* The first reads page by page; the second has a window: 4 pages for one, then 8, …, 32. */
static void each_opening_of_a_file_reads_ahead_for_itself(void **state)
{
	struct recorded rec;

	(void)state;
	predict(&rec, GROUP "f f o0 1000\nt w g 1 0 open:0:@f:random open:1:@f "
			    "seq:0:0:10:1 mark:a seq:1:500:1:1 mark:b seq:1:501:1:1 mark:c\n");
	assert_int_equal(value(&rec, FIRST, "w", "added:f"), 10);
	/* Neither the file's start nor where this opening's last read ended. */
	assert_int_equal(value(&rec, SECOND, "w", "added:f"), 1);
	assert_int_equal(value(&rec, THIRD, "w", "added:f"), 4);
	recorded_close(&rec);
}

/* 128 KiB are 32 pages: 16 before the fault's page and 15 behind it. */
static void a_fault_reads_a_window_around_its_page(void **state)
{
	struct recorded rec;

	(void)state;
	predict(&rec, GROUP "f f o0 1000\nt w g 1 0 open:0:@f mseq:0:100:1:1 mark:a "
			    "mseq:0:84:32:1 mark:b mseq:0:4:1:1 mark:c\n");
	assert_int_equal(value(&rec, FIRST, "w", "added:f"), 32);
	/* Of the 16 pages from 96 on all are there but the window's mark, page 108. */
	assert_int_equal(value(&rec, FIRST, "g", "mapped_file"), 15);
	/* Page 108 is where the next window begins: pages 116 to 147, and their end is aligned. */
	assert_int_equal(value(&rec, SECOND, "w", "added:f"), 32);
	/* 84 to 127, but for page 116, where that window's mark stands. */
	assert_int_equal(value(&rec, SECOND, "g", "mapped_file"), 43);
	/* Nothing before the file's start is read: pages 0 to 31. */
	assert_int_equal(value(&rec, THIRD, "w", "added:f"), 32);
	recorded_close(&rec);
}

/* After 100 misses more than hits faults read their page only. */
static void faults_that_always_miss_stop_reading_ahead(void **state)
{
	struct recorded rec;

	(void)state;
	predict(&rec, GROUP "f f nr 9\nf g o0 65536\nt w g 1 0 open:0:@g "
			    "rep:1:1 mzipf:0:65536:1:3000:5 mark:a mzipf:0:65536:1:100:9 mark:b\n");
	assert_true(value(&rec, FIRST, "w", "added:g") > 3000);
	assert_true(value(&rec, SECOND, "w", "added:g") <= 32 * 100);
	recorded_close(&rec);
}

static void advice_to_a_file_drops_reads_and_widens(void **state)
{
	struct recorded rec;

	(void)state;
	predict(&rec, GROUP "f f o0 4000\nt w g 1 0 open:0:@f:random seq:0:0:500:1 "
			    "fadv:0:dontneed:100:200 mark:a fadv:0:willneed:0:1000 mark:b "
			    "fadv:0:sequential:0:0 seq:0:2000:2:1 mark:c\n");
	assert_int_equal(value(&rec, FIRST, "w", "deleted:f"), 200);
	/* A device takes 320 pages at once: pages 0 to 319, of which 200 are missing. */
	assert_int_equal(value(&rec, SECOND, "w", "added:f"), 200);
	/* Page 2000 alone, then a first window of 64 pages for it: 4 for one page. */
	assert_int_equal(value(&rec, THIRD, "w", "added:f"), 1 + 4);
	recorded_close(&rec);
}

/* Dirty pages are given to the device, stay, and go to the tail when they are written. */
static void dirty_pages_that_cannot_be_dropped_are_next(void **state)
{
	struct recorded rec;

	(void)state;
	predict(&rec,
		GROUP "f f o0 1\nt w g 1 0 open:0:@f:w write:0:0:64:1 "
		      "fadv:0:dontneed:0:64 mark:a fsync:0 mark:b fadv:0:dontneed:0:64 mark:c\n");
	assert_int_equal(value(&rec, FIRST, "w", "deleted:f"), 0);
	assert_int_equal(value(&rec, FIRST, "g", "dirty"), 0);
	/* The mark waits for the device. */
	assert_int_equal(value(&rec, FIRST, "g", "writeback"), 0);
	assert_int_equal(value(&rec, SECOND, "g", "inactive_file"), 64);
	assert_int_equal(value(&rec, THIRD, "w", "deleted:f"), 64);
	recorded_close(&rec);
}

/* Pages of the first half that had to come back from swap. */
static int64_t came_back(const char *advice)
{
	struct recorded rec;
	char text[512];
	int64_t nr;

	snprintf(text, sizeof(text),
		 "exp zram_e\ng g - limit=8M\nt w g 1 0 anon:0:1500:1:w %s anon:0:1500:1:w "
		 "anon:1:700:1:w mark:a anon:0:750:1:r mark:b\n",
		 advice);
	recorded_text(&rec, text);
	recorded_predict(&rec, "zram_e", NULL);
	nr = value(&rec, SECOND, "g", "pgpgin") - value(&rec, FIRST, "g", "pgpgin");
	recorded_close(&rec);
	return nr;
}

/* Reclaim meets all pages used, keeps them once and takes the oldest, the first half, unless the
 * use of the other half tells it nothing: then that goes, and no page of the first. */
static void advice_holds_for_the_pages_it_names(void **state)
{
	(void)state;
	assert_int_equal(came_back(""), 750);
	assert_int_equal(came_back("adv:0:random:750:750"), 0);
	assert_int_equal(came_back("adv:0:random:0:750"), 750);
	assert_int_equal(came_back("adv:0:random:750:750 adv:0:normal:750:750"), 750);
}

/* Without swap nothing goes; all that advice does is to activate what reclaim could not free. */
static void memory_is_paged_out_where_there_is_swap(void **state)
{
	struct recorded rec;

	(void)state;
	predict(&rec, "exp e\ng g - limit=64M\nt w g 1 0 anon:0:600:1:w adv:0:pageout:0:600 mark:a "
		      "adv:0:cold:0:600 mark:b\n");
	assert_int_equal(value(&rec, FIRST, "g", "rss"), 600);
	assert_int_equal(value(&rec, FIRST, "g", "active_anon"), 600);
	assert_int_equal(value(&rec, SECOND, "g", "inactive_anon"), 600);
	recorded_close(&rec);
	recorded_text(&rec, "exp zram_e\ng g - limit=64M\nt w g 1 0 anon:0:600:1:w "
			    "adv:0:pageout:0:500 mark:a adv:0:willneed:0:300 mark:b "
			    "anon:0:600:1:w mark:c\n");
	recorded_predict(&rec, "zram_e", NULL);
	assert_int_equal(value(&rec, FIRST, "w", "pageouts"), 500);
	assert_int_equal(value(&rec, FIRST, "g", "rss"), 100);
	assert_int_equal(value(&rec, FIRST, "g", "swap"), 500);
	/* Read back, but mapped by nobody; their slots are kept, on nobody's account
	 * (mem_cgroup_swapin_uncharge_swap()). */
	assert_int_equal(value(&rec, SECOND, "g", "rss"), 100);
	assert_int_equal(value(&rec, SECOND, "g", "refault_anon"), 300);
	assert_int_equal(value(&rec, SECOND, "g", "swap"), 200);
	assert_int_equal(value(&rec, THIRD, "g", "rss"), 600);
	assert_int_equal(value(&rec, THIRD, "g", "swap"), 0);
	recorded_close(&rec);
}

/* Given up, memory is on the file list; what was written again since is kept, the rest is freed. */
static void memory_that_was_given_up_is_freed_without_swap(void **state)
{
	struct recorded rec;

	(void)state;
	predict(&rec,
		"exp e\ng g - limit=8M\nf f o0 4000\nt w g 1 0 open:0:@f:random "
		"anon:0:1000:1:w adv:0:free:0:1000 mark:a anon:0:100:1:w seq:0:0:4000:1 mark:b "
		"adv:0:dontneed:0:1000 mark:c\n");
	assert_int_equal(value(&rec, FIRST, "g", "rss"), 1000);
	assert_int_equal(value(&rec, FIRST, "g", "inactive_file"), 1000);
	assert_int_equal(value(&rec, FIRST, "g", "inactive_anon"), 0);
	/* Met once, used: kept.  The stream's end left the 900 others no place. */
	assert_int_equal(value(&rec, SECOND, "g", "rss"), 100);
	assert_int_equal(value(&rec, SECOND, "w", "f_kept"), 100);
	assert_int_equal(value(&rec, SECOND, "w", "pageouts"), 0);
	assert_int_equal(value(&rec, THIRD, "g", "rss"), 0);
	recorded_close(&rec);
}

/* A folio is dirty as a whole, whichever of its pages was written. */
static void large_folios_are_written_and_mapped(void **state)
{
	struct recorded rec;

	(void)state;
	predict(&rec,
		GROUP "f f lf 4096\nt w g 1 0 open:0:@f seq:0:0:1024:1 write:0:512:1:1 mark:a "
		      "fsync:0 mseq:0:0:1024:1:random mark:b fadv:0:dontneed:0:1024 mark:c\n");
	assert_int_equal(value(&rec, FIRST, "g", "dirty"), 32);
	assert_int_equal(value(&rec, SECOND, "g", "dirty"), 0);
	assert_int_equal(value(&rec, SECOND, "g", "mapped_file"), 1024);
	/* Mapped pages are not dropped. */
	assert_int_equal(value(&rec, THIRD, "w", "deleted:f"), 0);
	recorded_close(&rec);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_that_is_only_read_is_charged_to_nobody),
		cmocka_unit_test(each_opening_of_a_file_reads_ahead_for_itself),
		cmocka_unit_test(a_fault_reads_a_window_around_its_page),
		cmocka_unit_test(faults_that_always_miss_stop_reading_ahead),
		cmocka_unit_test(advice_to_a_file_drops_reads_and_widens),
		cmocka_unit_test(dirty_pages_that_cannot_be_dropped_are_next),
		cmocka_unit_test(advice_holds_for_the_pages_it_names),
		cmocka_unit_test(memory_is_paged_out_where_there_is_swap),
		cmocka_unit_test(memory_that_was_given_up_is_freed_without_swap),
		cmocka_unit_test(large_folios_are_written_and_mapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
