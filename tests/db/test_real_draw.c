/*
 * The random sequences of recorded experiments: the first values as their
 * description gives them, and what holds of any such sequence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "real_draw.h"

static void expect_pages(uint64_t seed, uint64_t pages, uint64_t exponent, const uint64_t *want)
{
	struct real_draw draw;

	assert_int_equal(real_draw_open(&draw, seed, pages, exponent, NULL), ERR_OK);
	for (int i = 0; i < 5; i++)
		assert_int_equal(real_draw_next(&draw), want[i]);
	real_draw_close(&draw);
}

static void uniform_pages_begin_as_described(void **state)
{
	static const uint64_t want[] = { 10362, 8597, 20907, 16535, 5413 };

	(void)state;
	expect_pages(11, 32768, 0, want);
}

static void zipf_pages_begin_as_described(void **state)
{
	static const uint64_t want[] = { 0, 31669, 45312, 63821, 31153 };

	(void)state;
	expect_pages(21, 65536, 1000, want);
}

static void one_seed_gives_one_sequence_and_another_seed_another(void **state)
{
	struct real_draw a, b, c;
	unsigned same = 0;

	(void)state;
	real_draw_open(&a, 5, 1000003, 0, NULL);
	real_draw_open(&b, 5, 1000003, 0, NULL);
	real_draw_open(&c, 6, 1000003, 0, NULL);
	for (int i = 0; i < 1000; i++) {
		uint64_t page = real_draw_next(&a);

		assert_true(page < 1000003);
		assert_int_equal(page, real_draw_next(&b));
		same += page == real_draw_next(&c);
	}
	assert_true(same < 10);
}

/* Weights 1 and 1/2 of 3/2: page 0 has two thirds of 30,000 draws; 5 deviations are 408. */
static void zipf_gives_each_rank_its_share(void **state)
{
	struct real_draw draw;
	unsigned first = 0;

	(void)state;
	assert_int_equal(real_draw_open(&draw, 3, 2, 1000, NULL), ERR_OK);
	for (int i = 0; i < 30000; i++)
		first += real_draw_next(&draw) == 0;
	assert_in_range(first, 20000 - 408, 20000 + 408);
	real_draw_close(&draw);
}

static void a_single_page_is_always_drawn(void **state)
{
	struct real_draw draw;

	(void)state;
	assert_int_equal(real_draw_open(&draw, 9, 1, 800, NULL), ERR_OK);
	for (int i = 0; i < 10; i++)
		assert_int_equal(real_draw_next(&draw), 0);
	real_draw_close(&draw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uniform_pages_begin_as_described),
		cmocka_unit_test(zipf_pages_begin_as_described),
		cmocka_unit_test(one_seed_gives_one_sequence_and_another_seed_another),
		cmocka_unit_test(zipf_gives_each_rank_its_share),
		cmocka_unit_test(a_single_page_is_always_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
