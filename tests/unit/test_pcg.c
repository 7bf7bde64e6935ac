/*
 * page_cgroup records and maps: alignment of fields, sections that ranges
 * share or touch in part, spans with holes, and maps that are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pcg.h"

#define MIB ((bytes_t)1 << 20)
#define GIB ((bytes_t)1 << 30)
#define SECTION (128 * MIB)

static void a_record_is_padded_to_its_widest_field(void **state)
{
	static const struct pcg_layout odd = {
		.field = { { "a", 1, 1, "" }, { "b", 8, 4, "" }, { "c", 2, 2, "" } },
	};
	static const struct pcg_layout pair = { .field = { { "list", 16, 8, "" } } };
	static const struct pcg_layout small = { .field = { { "a", 2, 2, "" },
							    { "b", 1, 1, "" } } };
	static const struct pcg_layout none = { .array = true };

	(void)state;
	assert_int_equal(pcg_record_bytes(&odd, PCG_X86_64), 24);
	assert_int_equal(pcg_record_bytes(&odd, PCG_X86), 12);
	assert_int_equal(pcg_record_bytes(&pair, PCG_X86_64), 16);
	assert_int_equal(pcg_record_bytes(&pair, PCG_X86_PAE), 8);
	assert_int_equal(pcg_record_bytes(&small, PCG_X86_64), 4);
	assert_int_equal(pcg_record_bytes(&none, PCG_X86_64), 0);
}

static void the_layouts_stand_in_the_order_of_the_owner_axis(void **state)
{
	static const char *const names[] = {
		"slab40", "slab40_27", "radix", "array40", "array32", "array16", "pointer",
	};

	(void)state;
	assert_int_equal(pcg_layout_count(), sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < pcg_layout_count(); i++)
		assert_string_equal(pcg_layout_at(i)->name, names[i]);
}

static void an_architecture_is_found_by_name(void **state)
{
	enum pcg_arch arch = PCG_X86_64;
	struct diag diag;

	(void)state;
	assert_int_equal(pcg_arch_find("x86-pae", &arch, &diag), ERR_OK);
	assert_int_equal(arch, PCG_X86_PAE);
	assert_int_equal(pcg_arch_find("x86-64", &arch, &diag), ERR_OK);
	assert_int_equal(arch, PCG_X86_64);
	assert_int_equal(pcg_arch_find("x86-46", &arch, &diag), ERR_NAME);
	assert_non_null(strstr(diag.text, "\"x86-46\""));
	assert_non_null(strstr(diag.text, "x86-64"));
	assert_int_equal(arch, PCG_X86_64);
	for (int i = 0; i < NR_PCG_ARCHS; i++) {
		assert_int_equal(pcg_arch_find(pcg_arch_name((enum pcg_arch)i), &arch, &diag),
				 ERR_OK);
		assert_int_equal(arch, i);
	}
}

static void a_machine_of_ram_is_one_range_from_zero(void **state)
{
	struct pcg_machine m = { .sections = 30, .arch = PCG_X86, .flat = true };
	struct diag diag;

	(void)state;
	assert_int_equal(pcg_machine_ram(&m, 3 * GIB, &diag), ERR_OK);
	assert_int_equal(m.nr_ranges, 1);
	assert_int_equal(m.range[0].start, 0);
	assert_int_equal(m.range[0].end, 3 * GIB);
	assert_int_equal(m.sections, 0);
	assert_int_equal(m.page_bytes, 4096);
	assert_int_equal(m.arch, PCG_X86);
	assert_true(m.flat);
	assert_int_equal(pcg_ram_bytes(&m), 3 * GIB);
}

static void a_machine_without_ram_or_of_part_pages_is_refused(void **state)
{
	struct pcg_machine m = { .nr_ranges = 0 };
	struct diag diag;

	(void)state;
	assert_int_equal(pcg_machine_ram(&m, 0, &diag), ERR_USAGE);
	assert_int_equal(pcg_machine_ram(&m, 4097, &diag), ERR_USAGE);
	m.page_bytes = 65536;
	assert_int_equal(pcg_machine_ram(&m, 4096, &diag), ERR_USAGE);
	assert_int_equal(m.nr_ranges, 0);
}

static void a_list_of_ranges_is_read(void **state)
{
	struct pcg_machine m = { .sections = 5 };
	struct diag diag;

	(void)state;
	assert_int_equal(pcg_machine_ranges(&m, "0-3G,4G-4.75G", &diag), ERR_OK);
	assert_int_equal(m.nr_ranges, 2);
	assert_int_equal(m.range[0].start, 0);
	assert_int_equal(m.range[0].end, 3 * GIB);
	assert_int_equal(m.range[1].start, 4 * GIB);
	assert_int_equal(m.range[1].end, 19 * GIB / 4);
	assert_int_equal(m.sections, 0);
	assert_int_equal(pcg_ram_bytes(&m), 15 * GIB / 4);
	assert_int_equal(pcg_machine_ranges(&m, "1M-2M,2M-3M", &diag), ERR_OK);
	assert_int_equal(m.nr_ranges, 2);
}

static void a_bad_list_of_ranges_is_refused_and_changes_nothing(void **state)
{
	static const char *const texts[] = {
		"", "3G", "0-", "-3G", "0-3G,", ",0-3G", "0-3G,,4G-5G", "3G-0", "1G-1G",
		"0-3Q", "4G-5G,0-3G", "0-3G,2G-4G", "0-3G,0-3G", "0-4097", "1-4096", "0-1G-2G",
		"0 -3G", "0-3G;4G-5G", "0-999999999999999999999G",
		"0-00000000000000000000000000000000000000000000000000001G",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct pcg_machine m = { .nr_ranges = 1, .range = { { 0, GIB } }, .sections = 9 };
		struct diag diag = { .err = ERR_OK };

		if (pcg_machine_ranges(&m, texts[i], &diag) != ERR_USAGE)
			fail_msg("\"%s\" was accepted", texts[i]);
		assert_int_equal(diag.err, ERR_USAGE);
		assert_int_equal(m.nr_ranges, 1);
		assert_int_equal(m.range[0].end, GIB);
		assert_int_equal(m.sections, 9);
	}
}

/* "0-1M,2M-3M,…" with @nr ranges. */
static void write_ranges(char *text, size_t size, unsigned nr)
{
	size_t len = 0;

	for (unsigned i = 0; i < nr; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%uM-%uM", i ? "," : "", 2 * i,
					2 * i + 1);
}

static void a_map_has_32_ranges_at_most(void **state)
{
	struct pcg_machine m = { .nr_ranges = 0 };
	char text[1024];
	struct diag diag;

	(void)state;
	write_ranges(text, sizeof(text), PCG_RANGES_MAX);
	assert_int_equal(pcg_machine_ranges(&m, text, &diag), ERR_OK);
	assert_int_equal(m.nr_ranges, PCG_RANGES_MAX);
	assert_int_equal(pcg_sections(&m), 1);
	write_ranges(text, sizeof(text), PCG_RANGES_MAX + 1);
	assert_int_equal(pcg_machine_ranges(&m, text, &diag), ERR_USAGE);
}

static void a_section_is_present_if_any_ram_lies_in_it(void **state)
{
	static const struct { struct pcg_range range; uint64_t sections; } rows[] = {
		{ { 0, 4096 }, 1 },
		{ { SECTION - 4096, SECTION }, 1 },
		{ { SECTION, SECTION + 4096 }, 1 },
		{ { SECTION - 4096, SECTION + 4096 }, 2 },
		{ { 0, SECTION }, 1 },
		{ { 0, SECTION + 4096 }, 2 },
		{ { 4096, 3 * SECTION - 4096 }, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pcg_machine m = { .nr_ranges = 1 };

		m.range[0] = rows[i].range;
		assert_int_equal(pcg_sections(&m), rows[i].sections);
		assert_int_equal(pcg_entries(&m), rows[i].sections * 32768);
	}
}

static void a_section_shared_by_ranges_is_paid_for_once(void **state)
{
	struct pcg_machine m = {
		.nr_ranges = 4,
		.range = {
			{ 0, 640 * 1024 },			/* the hole below 1M */
			{ MIB, SECTION + 4096 },		/* into section 1 */
			{ SECTION + 8192, SECTION + 16384 },
			{ 4 * SECTION - 4096, 4 * SECTION },	/* the end of section 3 */
		},
	};

	(void)state;
	assert_int_equal(pcg_sections(&m), 3);
	assert_int_equal(pcg_ram_bytes(&m), 640 * 1024 + SECTION - MIB + 4096 + 8192 + 4096);
}

static void the_order_of_ranges_does_not_matter_to_sections(void **state)
{
	struct pcg_machine m = {
		.nr_ranges = 3,
		.range = {
			{ 9 * SECTION, 10 * SECTION },
			{ 0, SECTION / 2 },
			{ SECTION / 2, 2 * SECTION },
		},
	};

	(void)state;
	assert_int_equal(pcg_sections(&m), 3);
	m.flat = true;
	assert_int_equal(pcg_entries(&m), 10 * 32768);
}

/* The definition itself: a section counts if some range begins before its end and ends after. */
static uint64_t count_one_by_one(const struct pcg_machine *m, uint64_t nr_sections)
{
	uint64_t nr = 0;

	for (uint64_t s = 0; s < nr_sections; s++) {
		bool present = false;

		for (uint32_t i = 0; i < m->nr_ranges; i++)
			present |= m->range[i].start < (s + 1) * SECTION &&
				   m->range[i].end > s * SECTION;
		nr += present;
	}
	return nr;
}

static void sections_agree_with_their_definition_on_many_maps(void **state)
{
	uint64_t x = 12345;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct pcg_machine m = { .nr_ranges = 0 };
		bytes_t at = 0;

		while (m.nr_ranges < 12) {
			x = x * 6364136223846793005U + 1442695040888963407U;
			at += (x >> 40) % 40 * 8 * MIB;
			m.range[m.nr_ranges].start = at;
			at += ((x >> 20) % 50 + 1) * 4 * MIB;
			m.range[m.nr_ranges++].end = at;
		}
		assert_int_equal(pcg_sections(&m), count_one_by_one(&m, at / SECTION + 1));
	}
}

static void given_sections_override_the_map(void **state)
{
	struct pcg_machine m = {
		.sections = 30, .nr_ranges = 1, .range = { { 0, 4 * GIB } },
	};

	(void)state;
	assert_int_equal(pcg_sections(&m), 30);
	assert_int_equal(pcg_ram_bytes(&m), 4 * GIB);
	m.nr_ranges = 0;
	assert_int_equal(pcg_ram_bytes(&m), 30 * SECTION);
}

static void flat_memory_pays_for_its_holes(void **state)
{
	struct pcg_machine m = {
		.flat = true, .nr_ranges = 2,
		.range = { { MIB, 2 * MIB }, { 9 * MIB, 10 * MIB } },
	};

	(void)state;
	assert_int_equal(pcg_entries(&m), 9 * MIB / 4096);
	assert_int_equal(pcg_ram_bytes(&m), 2 * MIB);
}

static void larger_pages_make_fewer_records(void **state)
{
	struct pcg_machine m = { .sections = 2, .page_bytes = 65536 };

	(void)state;
	assert_int_equal(pcg_entries(&m), 2 * 2048);
	m.flat = true;
	m.nr_ranges = 1;
	m.range[0].end = GIB;
	assert_int_equal(pcg_entries(&m), 16384);
}

static void a_machine_too_big_to_count_is_the_largest_number(void **state)
{
	struct pcg_machine m = { .sections = UINT64_MAX / 2 };

	(void)state;
	assert_true(pcg_array_bytes(pcg_layout_at(3), &m) == UINT64_MAX);
	assert_true(pcg_ram_bytes(&m) == UINT64_MAX);
}

static void cannot_be(const struct pcg_machine *m, enum err err, const char *words)
{
	struct diag diag = { .err = ERR_OK };

	assert_int_equal(pcg_machine_check(m, &diag), err);
	if (!strstr(diag.text, words))
		fail_msg("\"%s\" lacks \"%s\"", diag.text, words);
}

/* Sections times their bytes is what the architecture's addresses reach. */
static void a_machine_that_cannot_be_is_refused(void **state)
{
	static const uint64_t most[NR_PCG_ARCHS] = { 524288, 64, 128 };
	struct pcg_machine m = { .nr_ranges = 1 };

	(void)state;
	for (int i = 0; i < NR_PCG_ARCHS; i++) {
		m.arch = (enum pcg_arch)i;
		m.sections = most[i];
		m.range[0].end = most[i] * pcg_section_bytes(m.arch);
		assert_int_equal(pcg_machine_check(&m, NULL), ERR_OK);
		m.sections++;
		cannot_be(&m, ERR_RANGE, "sections: ");
		m.sections = 0;
		m.range[0].end += 4096;
		cannot_be(&m, ERR_RANGE, pcg_arch_name(m.arch));
	}
}

static void flat_memory_is_for_32_bits_and_knows_no_sections(void **state)
{
	struct pcg_machine m = { .flat = true, .nr_ranges = 1, .range = { { 0, GIB } } };

	(void)state;
	cannot_be(&m, ERR_USAGE, "flat: x86-64");
	m.arch = PCG_X86;
	assert_int_equal(pcg_machine_check(&m, NULL), ERR_OK);
	m.sections = 3;
	cannot_be(&m, ERR_USAGE, "no sections");
	m.arch = PCG_X86_PAE;
	m.sections = 0;
	assert_int_equal(pcg_machine_check(&m, NULL), ERR_OK);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_padded_to_its_widest_field),
		cmocka_unit_test(the_layouts_stand_in_the_order_of_the_owner_axis),
		cmocka_unit_test(an_architecture_is_found_by_name),
		cmocka_unit_test(a_machine_of_ram_is_one_range_from_zero),
		cmocka_unit_test(a_machine_without_ram_or_of_part_pages_is_refused),
		cmocka_unit_test(a_list_of_ranges_is_read),
		cmocka_unit_test(a_bad_list_of_ranges_is_refused_and_changes_nothing),
		cmocka_unit_test(a_map_has_32_ranges_at_most),
		cmocka_unit_test(a_section_is_present_if_any_ram_lies_in_it),
		cmocka_unit_test(a_section_shared_by_ranges_is_paid_for_once),
		cmocka_unit_test(the_order_of_ranges_does_not_matter_to_sections),
		cmocka_unit_test(sections_agree_with_their_definition_on_many_maps),
		cmocka_unit_test(given_sections_override_the_map),
		cmocka_unit_test(flat_memory_pays_for_its_holes),
		cmocka_unit_test(larger_pages_make_fewer_records),
		cmocka_unit_test(a_machine_too_big_to_count_is_the_largest_number),
		cmocka_unit_test(a_machine_that_cannot_be_is_refused),
		cmocka_unit_test(flat_memory_is_for_32_bits_and_knows_no_sections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
