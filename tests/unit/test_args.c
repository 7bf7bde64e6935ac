/*
 * The option table: values are read by their kind, and each refusal names
 * the word and what is accepted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "args.h"

enum { WORDS_MAX = 16 };

#define RUN_OPTIONS                                                                          \
	(OPT_BIT(OPT_KERNEL) | OPT_BIT(OPT_PARAM) | OPT_BIT(OPT_SEED) | OPT_BIT(OPT_NO_DB) | \
	 OPT_BIT(OPT_SIZE))

/* @line's words as an argument vector; the text is kept until the next call. */
static enum err parse(const char *line, struct args *args, struct diag *diag)
{
	static char text[512];
	char *argv[WORDS_MAX + 1];
	int argc = 0;

	snprintf(text, sizeof(text), "%s", line);
	for (char *p = strtok(text, " "); p != NULL && argc < WORDS_MAX; p = strtok(NULL, " "))
		argv[argc++] = p;
	argv[argc] = NULL;
	args_defaults(args);
	return args_parse(args, argc, argv, RUN_OPTIONS, diag);
}

static void refused(const char *line, const char *words)
{
	struct args args;
	struct diag diag = { .err = ERR_OK };

	assert_int_equal(parse(line, &args, &diag), ERR_USAGE);
	if (strstr(diag.text, words) == NULL)
		fail_msg("%s: said \"%s\", not \"%s\"", line, diag.text, words);
}

static void options_and_words_come_in_any_order(void **state)
{
	struct args args;

	(void)state;
	assert_int_equal(parse("run a --seed 7 b -k x,y", &args, NULL), ERR_OK);
	assert_int_equal(args.nr_args, 2);
	assert_string_equal(args.arg[0], "a");
	assert_string_equal(args.arg[1], "b");
	assert_int_equal(args.seed, 7);
	assert_string_equal(args.kernels, "x,y");
	assert_true(args_given(&args, OPT_SEED));
	assert_false(args_given(&args, OPT_NO_DB));
}

static void a_parameter_is_parted_at_its_first_equals_sign(void **state)
{
	struct args args;

	(void)state;
	assert_int_equal(parse("run s -p limit=1G -p text=a=b", &args, NULL), ERR_OK);
	assert_int_equal(args.nr_params, 2);
	assert_string_equal(args.param[0].name, "limit");
	assert_string_equal(args.param[0].value, "1G");
	assert_string_equal(args.param[1].name, "text");
	assert_string_equal(args.param[1].value, "a=b");
}

static void times_and_sizes_have_units(void **state)
{
	struct args args;

	(void)state;
	assert_int_equal(parse("run s --time-limit 3s --mem-limit=64M", &args, NULL), ERR_OK);
	assert_int_equal(args.time_limit_ns, 3000000000);
	assert_int_equal(args.mem_limit, 64 << 20);
}

static void the_limits_have_the_documented_defaults(void **state)
{
	struct args args;

	(void)state;
	args_defaults(&args);
	assert_int_equal(args.time_limit_ns, 600 * (uint64_t)1000000000);
	assert_int_equal(args.instr_limit, 100000000);
	assert_int_equal(args.mem_limit, 256 << 20);
}

static void everything_after_two_dashes_is_a_word(void **state)
{
	struct args args;

	(void)state;
	assert_int_equal(parse("run -- --seed", &args, NULL), ERR_OK);
	assert_int_equal(args.nr_args, 1);
	assert_string_equal(args.arg[0], "--seed");
}

static void a_refusal_names_the_word_and_the_nearest(void **state)
{
	(void)state;
	refused("run s --sede 3", "--sede: did you mean --seed");
	refused("run s --sede=3", "--sede: did you mean --seed");
	refused("run s --zzz 3 t u", "unknown option --zzz");
	refused("run s -z", "unknown option -z");
	refused("run s -zq t", "unknown option -zq");
}

static void an_option_of_another_command_is_unknown(void **state)
{
	(void)state;
	refused("run s --ranges 0-1G", "unknown option --ranges");
}

static void a_missing_or_senseless_value_is_named(void **state)
{
	(void)state;
	refused("run s --seed", "needs a value: --seed N");
	refused("run s -k", "needs a value: --kernel");
	refused("run s --seed=x", "--seed: \"x\" is not");
	refused("run s --time-limit 3Q", "--time-limit: \"3Q\" is not");
	refused("run s --no-db=1", "--no-db takes no value");
	refused("run s -p limit", "\"limit\" is not NAME=VALUE");
	refused("run s -p =3", "\"=3\" is not NAME=VALUE");
	refused("run s --color=red", "\"red\" is not one of auto|always|never");
	refused("run s --color=auto|always", "is not one of");
}

static void what_may_be_given_once_is_refused_the_second_time(void **state)
{
	(void)state;
	refused("run s --seed 1 --seed 2", "--seed is given twice");
	refused("run s --seed 1 --seed 1", "--seed is given twice");
	refused("run s -F csv --format json", "--format is given twice");
	refused("run s --time-limit 1s --time-limit 2s", "--time-limit is given twice");
	refused("run s --color never --color auto", "--color is given twice");
	refused("run s --no-db --no-db", "--no-db is given twice");
	refused("run s -k v3.1 -k v3.3", "--kernel is given twice: write one list, KERNEL,...");
	refused("run s -p limit=1M -p file=2M -p limit=3M", "--param: limit is given twice");
}

static void an_option_before_the_command_counts_too(void **state)
{
	char program[] = "memcglab", db[] = "--db", file[] = "x.db", verb[] = "run";
	char *argv[] = { program, db, file, verb, db, file, NULL };
	struct diag diag = { .err = ERR_OK };
	struct args args;
	int next = 0;

	(void)state;
	args_defaults(&args);
	assert_int_equal(args_global(&args, 6, argv, &next, &diag), ERR_OK);
	assert_int_equal(args_parse(&args, 6 - next, argv + next, RUN_OPTIONS, &diag), ERR_USAGE);
	assert_string_equal(diag.text, "--db is given twice");
}

static void a_number_that_does_not_fit_is_called_so(void **state)
{
	(void)state;
	refused("run s --seed 99999999999999999999", "does not fit in 64 bits");
	refused("run s --mem-limit 99999999P", "does not fit in 64 bits");
	refused("run s --time-limit 99999999h", "does not fit in 64 bits");
}

static void global_options_end_at_the_command(void **state)
{
	char program[] = "memcglab", db[] = "--db", file[] = "x.db", verb[] = "run",
	     option[] = "--seed";
	char *argv[] = { program, db, file, verb, option, NULL };
	struct args args;
	int next = 0;

	(void)state;
	args_defaults(&args);
	assert_int_equal(args_global(&args, 5, argv, &next, NULL), ERR_OK);
	assert_int_equal(next, 3);
	assert_string_equal(args.db, "x.db");
	assert_int_equal(args_global(&args, 1, argv, &next, NULL), ERR_OK);
	assert_int_equal(next, 1);
}

static void every_option_has_a_name_a_meaning_and_a_letter_of_its_own(void **state)
{
	(void)state;
	for (int a = 0; a < NR_OPTIONS; a++) {
		const struct option_desc *desc = args_option((enum option_id)a);

		assert_non_null(desc->name);
		assert_non_null(desc->doc);
		for (int b = 0; b < a; b++) {
			const struct option_desc *other = args_option((enum option_id)b);

			assert_string_not_equal(desc->name, other->name);
			assert_true(desc->letter == 0 || desc->letter != other->letter);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_words_come_in_any_order),
		cmocka_unit_test(a_parameter_is_parted_at_its_first_equals_sign),
		cmocka_unit_test(times_and_sizes_have_units),
		cmocka_unit_test(the_limits_have_the_documented_defaults),
		cmocka_unit_test(everything_after_two_dashes_is_a_word),
		cmocka_unit_test(a_refusal_names_the_word_and_the_nearest),
		cmocka_unit_test(an_option_of_another_command_is_unknown),
		cmocka_unit_test(a_missing_or_senseless_value_is_named),
		cmocka_unit_test(what_may_be_given_once_is_refused_the_second_time),
		cmocka_unit_test(an_option_before_the_command_counts_too),
		cmocka_unit_test(a_number_that_does_not_fit_is_called_so),
		cmocka_unit_test(global_options_end_at_the_command),
		cmocka_unit_test(every_option_has_a_name_a_meaning_and_a_letter_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
