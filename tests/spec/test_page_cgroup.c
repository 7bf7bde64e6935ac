/*
 * The published sizes of the page_cgroup array: a "4G" x86-64 machine of
 * 2011 printed 31,457,280 bytes before and 15,728,640 after the second list
 * entry went, which is 983,040 records, or thirty 128 MiB sections.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pcg.h"

#define MIB ((bytes_t)1 << 20)
#define NR(table) (sizeof(table) / sizeof((table)[0]))

static const struct pcg_layout *layout(const char *name)
{
	for (size_t i = 0; i < pcg_layout_count(); i++)
		if (!strcmp(pcg_layout_at(i)->name, name))
			return pcg_layout_at(i);
	fail_msg("no layout %s", name);
	return NULL;
}

static void thirty_sections_cost_the_published_bytes(void **state)
{
	static const struct { const char *name; uint64_t bytes; } rows[] = {
		{ "array40", 39321600 }, { "array32", 31457280 }, { "array16", 15728640 },
		{ "slab40", 0 }, { "slab40_27", 0 }, { "radix", 0 }, { "pointer", 0 },
	};
	struct pcg_machine m = { .sections = 30 };

	(void)state;
	assert_int_equal(pcg_entries(&m), 983040);
	for (size_t i = 0; i < NR(rows); i++)
		assert_int_equal(pcg_array_bytes(layout(rows[i].name), &m), rows[i].bytes);
}

static void the_second_list_entry_was_half_of_the_array(void **state)
{
	struct pcg_machine m = { .sections = 30 };
	uint64_t before = pcg_array_bytes(layout("array32"), &m);
	uint64_t after = pcg_array_bytes(layout("array16"), &m);

	(void)state;
	assert_int_equal(before - after, 2 * 8 * 983040);
	assert_int_equal(before, 2 * after);
}

static void four_full_gibibytes_are_32_sections(void **state)
{
	struct pcg_machine m = { .nr_ranges = 0 };

	(void)state;
	assert_int_equal(pcg_machine_ram(&m, 4096 * MIB, NULL), ERR_OK);
	assert_int_equal(pcg_sections(&m), 32);
	assert_int_equal(pcg_array_bytes(layout("array40"), &m), 41943040);
	assert_int_equal(pcg_array_bytes(layout("array32"), &m), 33554432);
	assert_int_equal(pcg_array_bytes(layout("array16"), &m), 16777216);
}

static void two_different_maps_give_thirty_sections(void **state)
{
	static const char *const maps[] = { "0-3G,4G-4.75G", "0-3.75G" };

	(void)state;
	for (size_t i = 0; i < NR(maps); i++) {
		struct pcg_machine m = { .nr_ranges = 0 };

		assert_int_equal(pcg_machine_ranges(&m, maps[i], NULL), ERR_OK);
		assert_int_equal(pcg_sections(&m), 30);
		assert_int_equal(pcg_ram_bytes(&m), 3840 * MIB);
		assert_int_equal(pcg_array_bytes(layout("array32"), &m), 31457280);
		assert_int_equal(pcg_array_bytes(layout("array16"), &m), 15728640);
	}
}

/* A firmware's real habits: a hole below 1M, RAM that ends inside a section, a remapped part. */
static void holes_and_part_sections_are_paid_for(void **state)
{
	static const struct { const char *map; uint64_t sections; } rows[] = {
		{ "0-636K,1M-3327M,4G-4864M", 32 },	/* 26 to 3328M, 6 above 4G */
		{ "0-636K,1M-3328M,4G-4864M", 32 },
		{ "0-636K,1M-3329M,4G-4864M", 33 },	/* one page more is one section more */
		{ "0-3G,3076M-3080M,4G-4.75G", 31 },
		{ "0-1M,120M-130M,1G-1025M", 3 },
		{ "64M-192M", 2 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct pcg_machine m = { .nr_ranges = 0 };

		assert_int_equal(pcg_machine_ranges(&m, rows[i].map, NULL), ERR_OK);
		assert_int_equal(pcg_sections(&m), rows[i].sections);
		assert_int_equal(pcg_array_bytes(layout("array32"), &m),
				 rows[i].sections * 32768 * 32);
	}
}

static void flat_32_bit_memory_costs_20_16_and_8_bytes_a_frame(void **state)
{
	static const struct { const char *name; uint64_t bytes; } rows[] = {
		{ "array40", 4587520 }, { "array32", 3670016 }, { "array16", 1835008 },
	};
	struct pcg_machine m = { .arch = PCG_X86, .flat = true };

	(void)state;
	assert_int_equal(pcg_machine_ram(&m, 896 * MIB, NULL), ERR_OK);
	assert_int_equal(pcg_entries(&m), 229376);
	for (size_t i = 0; i < NR(rows); i++)
		assert_int_equal(pcg_array_bytes(layout(rows[i].name), &m), rows[i].bytes);
	/* The same span with a hole costs the same. */
	assert_int_equal(pcg_machine_ranges(&m, "0-640K,1M-896M", NULL), ERR_OK);
	assert_int_equal(pcg_array_bytes(layout("array40"), &m), 4587520);
}

static void each_release_has_its_record_size(void **state)
{
	static const struct { const char *name; uint64_t bytes64, bytes32; } rows[] = {
		{ "slab40", 40, 24 }, { "slab40_27", 40, 20 }, { "radix", 48, 28 },
		{ "array40", 40, 20 }, { "array32", 32, 16 }, { "array16", 16, 8 },
		{ "pointer", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const struct pcg_layout *l = layout(rows[i].name);

		assert_int_equal(pcg_record_bytes(l, PCG_X86_64), rows[i].bytes64);
		assert_int_equal(pcg_record_bytes(l, PCG_X86), rows[i].bytes32);
		assert_int_equal(pcg_record_bytes(l, PCG_X86_PAE), rows[i].bytes32);
	}
}

static void a_section_is_64_128_or_512_mib(void **state)
{
	static const struct { enum pcg_arch arch; bytes_t mib; } rows[] = {
		{ PCG_X86, 64 }, { PCG_X86_64, 128 }, { PCG_X86_PAE, 512 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct pcg_machine m = { .arch = rows[i].arch };

		assert_int_equal(pcg_section_bytes(rows[i].arch), rows[i].mib * MIB);
		assert_int_equal(pcg_machine_ram(&m, 1024 * MIB, NULL), ERR_OK);
		assert_int_equal(pcg_sections(&m), 1024 / rows[i].mib);
		assert_int_equal(pcg_entries(&m), 262144);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(thirty_sections_cost_the_published_bytes),
		cmocka_unit_test(the_second_list_entry_was_half_of_the_array),
		cmocka_unit_test(four_full_gibibytes_are_32_sections),
		cmocka_unit_test(two_different_maps_give_thirty_sections),
		cmocka_unit_test(holes_and_part_sections_are_paid_for),
		cmocka_unit_test(flat_32_bit_memory_costs_20_16_and_8_bytes_a_frame),
		cmocka_unit_test(each_release_has_its_record_size),
		cmocka_unit_test(a_section_is_64_128_or_512_mib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
