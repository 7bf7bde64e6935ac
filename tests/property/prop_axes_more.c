/*
 * Laws under random ops for the kernels that prop_axes.c leaves out, with
 * each single axis replaced by each other value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lives.h"

static void laws_hold_with_each_single_axis_of_the_other_kernels_replaced(void **state)
{
	struct lives lives = { 0 };

	(void)state;
	lives_single_axes(1, 2, &lives);
	lives_tell("single axes", &lives);
	assert_true(lives.kernels > 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(laws_hold_with_each_single_axis_of_the_other_kernels_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
