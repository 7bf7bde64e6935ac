/*
 * The one parser and formatter of sizes, times and counts: what it reads,
 * what it refuses, and what it writes for people.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "units.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define TIB ((uint64_t)1 << 40)
#define SECOND ((uint64_t)1000000000)
#define NR(table) (sizeof(table) / sizeof((table)[0]))

struct reading {
	const char *text;
	uint64_t value;
};

static void check_readings(enum unit_kind kind, const struct reading *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint64_t value = 77;

		if (!units_parse(kind, rows[i].text, &value))
			fail_msg("\"%s\" was refused", rows[i].text);
		if (value != rows[i].value)
			fail_msg("\"%s\" was read as %llu", rows[i].text,
				 (unsigned long long)value);
	}
}

static void check_refusals(enum unit_kind kind, const char *const *texts, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint64_t value = 77;

		if (units_parse(kind, texts[i], &value))
			fail_msg("\"%s\" was accepted", texts[i]);
		assert_int_equal(value, 77);
	}
}

static void sizes_are_read_in_powers_of_1024(void **state)
{
	static const struct reading rows[] = {
		{ "0", 0 }, { "1", 1 }, { "4096", 4096 }, { "4096B", 4096 }, { "26_000", 26000 },
		{ "4K", 4 * KIB }, { "128k", 128 * KIB }, { "100M", 100 * MIB },
		{ "100MiB", 100 * MIB }, { "100MB", 100 * MIB }, { "1.5G", 1536 * MIB },
		{ "4.75G", 19 * GIB / 4 }, { "0.5K", 512 }, { "1T", TIB }, { "2P", 2048 * TIB },
		{ "1.50G", 1536 * MIB }, { "2.0M", 2 * MIB }, { "0K", 0 },
		{ "0.0009765625K", 1 }, { "16383P", 16383 * 1024 * TIB },
		{ "18446744073709551615", UINT64_MAX },
	};

	(void)state;
	check_readings(UNIT_SIZE, rows, NR(rows));
}

static void what_is_no_size_is_refused(void **state)
{
	static const char *const texts[] = {
		"", " ", "100Q", "M", "-1", "+1", " 1M", "1M ", "1 M", "1.5", "1.", ".5G", "1..5G",
		"1.3K", "0.1G", "1e6", "0x10", "12_", "_12", "1__2", "1.5_0G", "1Mi", "1KK", "BB",
		"1iB", "1BB", "18446744073709551616", "16384P", "99999999999999999999999", "1.5B",
		"1.0000000000000000000G", "3ms", "1.0000000000000001K",
	};

	(void)state;
	check_refusals(UNIT_SIZE, texts, NR(texts));
}

static void what_does_not_fit_is_told_from_what_is_none(void **state)
{
	static const char *const large[] = {
		"18446744073709551616", "16384P", "99999999999999999999999",
		"99999999999999999999.5G", "9_999999999_9999999999K",
	};
	static const char *const others[] = {
		"18446744073709551615", "1P", "", "x", "99999999999999999999999Q",
		"99999999999999999999999.5", "-99999999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < NR(large); i++)
		if (!units_too_large(UNIT_SIZE, large[i]))
			fail_msg("\"%s\" fits", large[i]);
	for (size_t i = 0; i < NR(others); i++)
		if (units_too_large(UNIT_SIZE, others[i]))
			fail_msg("\"%s\" is too large", others[i]);
	assert_true(units_too_large(UNIT_TIME, "6000000h"));
	assert_true(units_too_large(UNIT_COUNT, "99999999999999999999"));
}

static void times_are_read_with_their_unit(void **state)
{
	static const struct reading rows[] = {
		{ "430ns", 430 }, { "3ms", 3000000 }, { "2.5us", 2500 }, { "1.5s", 1500000000 },
		{ "2m", 120 * SECOND }, { "1h", 3600 * SECOND }, { "0", 0 }, { "0s", 0 },
		{ "0.25m", 15 * SECOND },
	};
	static const char *const refused[] = {
		"5", "1.5ns", "3 ms", "3MS", "ms", "3mss", "0.0000000001s", "-3ms", "100M",
		"6000000h",
	};

	(void)state;
	check_readings(UNIT_TIME, rows, NR(rows));
	check_refusals(UNIT_TIME, refused, NR(refused));
}

static void counts_are_read_in_powers_of_1000(void **state)
{
	static const struct reading rows[] = {
		{ "12", 12 }, { "26_000", 26000 }, { "2k", 2000 }, { "2K", 2000 },
		{ "3M", 3000000 }, { "1.5k", 1500 }, { "1G", 1000000000 }, { "0", 0 },
		{ "1_000_000", 1000000 },
	};
	static const char *const refused[] = {
		"", "1.5", "1.0001k", "2ki", "2kB", "2T", "25 535", "-4", "0.5", "0.0", "12x",
	};

	(void)state;
	check_readings(UNIT_COUNT, rows, NR(rows));
	check_refusals(UNIT_COUNT, refused, NR(refused));
}

static void each_kind_says_what_it_accepts(void **state)
{
	(void)state;
	assert_string_equal(units_accepted(UNIT_SIZE),
			    "a size (write 100M, 1.5G or a number of bytes)");
	assert_non_null(units_accepted(UNIT_TIME));
	assert_non_null(units_accepted(UNIT_COUNT));
}

struct writing {
	uint64_t value;
	const char *text;
};

static void check_writings(char *(*format)(uint64_t, char *), const struct writing *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		char text[UNITS_TEXT_MAX];

		assert_ptr_equal(format(rows[i].value, text), text);
		assert_string_equal(text, rows[i].text);
	}
}

static void sizes_are_written_for_people(void **state)
{
	static const struct writing rows[] = {
		{ 0, "0" }, { 1, "1" }, { 1023, "1 023" }, { 1024, "1K" }, { 12345, "12 345" },
		{ 4096, "4K" }, { 100 * MIB, "100M" }, { 1536 * MIB, "1.5G" },
		{ 2000000000, "1.86G" }, { 10 * GIB, "10G" }, { 10 * GIB + 4096, "10.00G" },
		{ 5 * GIB / 4, "1.25G" }, { GIB - 1, "1.00G" }, { GIB - 6000, "1023.99M" },
		{ 4096 * 25535, "99.75M" }, { MIB - 1, "1 048 575" }, { 3 * TIB, "3T" },
		{ UINT64_MAX, "16384.00P" },
	};

	(void)state;
	check_writings(units_format_size, rows, NR(rows));
}

static void times_are_written_for_people(void **state)
{
	static const struct writing rows[] = {
		{ 0, "0ns" }, { 430, "430ns" }, { 999, "999ns" }, { 1000, "1us" },
		{ 3680000, "3.68ms" }, { 8700000000, "8.7s" }, { 1234567, "1.23ms" },
		{ 999999, "1.00ms" }, { 600 * SECOND, "600s" },
	};

	(void)state;
	check_writings(units_format_time, rows, NR(rows));
}

static void counts_are_written_in_groups_of_three(void **state)
{
	static const struct { int64_t value; const char *text; } rows[] = {
		{ 0, "0" }, { 7, "7" }, { 999, "999" }, { 1000, "1 000" }, { 25535, "25 535" },
		{ 983040, "983 040" }, { 31457280, "31 457 280" }, { -1, "-1" },
		{ -25535, "-25 535" }, { -999, "-999" },
		{ INT64_MAX, "9 223 372 036 854 775 807" },
		{ INT64_MIN, "-9 223 372 036 854 775 808" },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		char text[UNITS_TEXT_MAX];

		assert_ptr_equal(units_format_count(rows[i].value, text), text);
		assert_string_equal(text, rows[i].text);
	}
}

static void an_exact_size_reads_back_as_it_was_written(void **state)
{
	(void)state;
	for (uint64_t mib = 1; mib < 1024; mib += 7) {
		char text[UNITS_TEXT_MAX];
		uint64_t value = 0;

		units_format_size(mib * MIB, text);
		assert_true(units_parse(UNIT_SIZE, text, &value));
		assert_int_equal(value, mib * MIB);
	}
}

static void bytes_round_up_to_pages(void **state)
{
	(void)state;
	assert_int_equal(units_pages(0), 0);
	assert_int_equal(units_pages(1), 1);
	assert_int_equal(units_pages(4096), 1);
	assert_int_equal(units_pages(4097), 2);
	assert_int_equal(units_pages(100 * MIB), 25600);
	assert_int_equal(units_pages(UINT64_MAX), (uint64_t)1 << 52);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_read_in_powers_of_1024),
		cmocka_unit_test(what_is_no_size_is_refused),
		cmocka_unit_test(what_does_not_fit_is_told_from_what_is_none),
		cmocka_unit_test(times_are_read_with_their_unit),
		cmocka_unit_test(counts_are_read_in_powers_of_1000),
		cmocka_unit_test(each_kind_says_what_it_accepts),
		cmocka_unit_test(sizes_are_written_for_people),
		cmocka_unit_test(times_are_written_for_people),
		cmocka_unit_test(counts_are_written_in_groups_of_three),
		cmocka_unit_test(an_exact_size_reads_back_as_it_was_written),
		cmocka_unit_test(bytes_round_up_to_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
