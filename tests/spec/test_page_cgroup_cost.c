/*
 * The bytes of accounting.md, section 4: what each release pays in all, by
 * the posts' and commits' own figures where they give one.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "era.h"
#include "pcg_cost.h"

#define GIB ((bytes_t)1 << 30)

static const struct pcg_layout *layout(const char *name)
{
	for (size_t i = 0; i < pcg_layout_count(); i++)
		if (strcmp(pcg_layout_at(i)->name, name) == 0)
			return pcg_layout_at(i);
	fail_msg("no layout %s", name);
	return NULL;
}

static struct pcg_cost cost_of(const char *name, enum pcg_arch arch, bytes_t ram)
{
	struct pcg_machine machine = { .arch = arch };
	struct pcg_cost_ask ask = { .layout = name ? layout(name) : NULL,
				    .machine = &machine,
				    .charged = UINT64_MAX,
				    .nr_cpus = 64,
				    .slot_bytes = 2 };
	struct pcg_cost cost;

	assert_int_equal(pcg_machine_ram(&machine, ram, NULL), ERR_OK);
	pcg_cost(&ask, &cost);
	return cost;
}

/* 56 and 32 bytes without the controller; a pointer more in 2.6.25 to 2.6.27 and since 3.19. */
static void struct_page_holds_a_word_in_some_releases(void **state)
{
	static const struct {
		const char *name;
		uint64_t bytes64, bytes32;
	} rows[] = { { NULL, 56, 32 },      { "slab40", 64, 36 },  { "slab40_27", 64, 36 },
		     { "radix", 56, 32 },   { "array40", 56, 32 }, { "array32", 56, 32 },
		     { "array16", 56, 32 }, { "pointer", 64, 36 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(cost_of(rows[i].name, PCG_X86_64, GIB).page_bytes,
				 rows[i].bytes64);
		assert_int_equal(cost_of(rows[i].name, PCG_X86, GIB).page_bytes, rows[i].bytes32);
	}
}

/* The text of 2.6.28: 48 GiB of 64-bit save 96 MB of words, 8 GiB of 32-bit save 8 MB. */
static void the_words_of_48_gib_are_96_mib(void **state)
{
	(void)state;
	assert_int_equal(cost_of("slab40_27", PCG_X86_64, 48 * GIB).word_bytes, 96 << 20);
	assert_int_equal(cost_of("slab40_27", PCG_X86_PAE, 8 * GIB).word_bytes, 8 << 20);
}

/* kmalloc gives 64 and 32 bytes for 40 and 24; a cache of its own gives what is asked. */
static void a_record_is_as_big_as_its_allocator_makes_it(void **state)
{
	(void)state;
	assert_int_equal(cost_of("slab40", PCG_X86_64, GIB).object_bytes, 64);
	assert_int_equal(cost_of("slab40", PCG_X86, GIB).object_bytes, 32);
	assert_int_equal(cost_of("slab40_27", PCG_X86_64, GIB).object_bytes, 40);
	assert_int_equal(cost_of("slab40_27", PCG_X86, GIB).object_bytes, 20);
	assert_int_equal(cost_of("slab40", PCG_X86_64, GIB).objects_bytes, 64 << 18);
	/* 64 + 8 bytes a charged page. */
	assert_int_equal(cost_of("slab40", PCG_X86_64, GIB).total_bytes, 72 << 18);
	assert_int_equal(cost_of("array40", PCG_X86_64, GIB).object_bytes, 0);
}

static void a_page_that_is_not_charged_costs_its_word_only(void **state)
{
	struct pcg_machine machine = { .arch = PCG_X86_64 };
	struct pcg_cost_ask ask = { .layout = layout("slab40"), .machine = &machine };
	struct pcg_cost cost;

	(void)state;
	assert_int_equal(pcg_machine_ram(&machine, GIB, NULL), ERR_OK);
	ask.charged = 1000;
	pcg_cost(&ask, &cost);
	assert_int_equal(cost.total_bytes, (8 << 18) + 64000);
	assert_true(fabs(pcg_cost_percent(&cost, &machine) - 100.0 * (2097152 + 64000) / GIB) <
		    1e-12);
}

static void the_order_of_a_chunk_is_the_largest_that_fits_two_pages(void **state)
{
	(void)state;
	assert_int_equal(pcg_chunk_order(48, 4096, 9), 7);  /* 6144; 12288 is too big */
	assert_int_equal(pcg_chunk_order(28, 4096, 10), 8); /* 7168 */
	assert_int_equal(pcg_chunk_order(48, 16384, 11), 9);
	assert_int_equal(pcg_chunk_order(32, 4096, 9), 8); /* 8192 fits exactly */
	assert_int_equal(pcg_chunk_order(1, 4096, 9), 9);  /* never above a pageblock */
}

/* 4 GiB, all charged, order 7, a mask of 64 CPUs. */
static void the_radix_tree_of_4_gib(void **state)
{
	struct pcg_cost cost = cost_of("radix", PCG_X86_64, 4 * GIB);

	(void)state;
	assert_int_equal(cost.chunk_order, 7);
	assert_int_equal(cost.nr_chunks, 8192);
	assert_int_equal(cost.chunk_bytes, 6152);
	assert_int_equal(cost.chunks_bytes, 50397184);
	assert_int_equal(cost.nr_nodes, 131);
	assert_int_equal(cost.nodes_bytes, 72312);
	assert_int_equal(cost.lookaside_bytes, 64 * 256);
	assert_int_equal(cost.word_bytes, 0);
	assert_int_equal(cost.object_bytes, 0);
	/* 48.1 bytes a page. */
	assert_int_equal((cost.chunks_bytes + cost.nodes_bytes) * 10 / (4 * GIB / 4096), 481);
}

static void a_tree_has_a_node_for_each_64(void **state)
{
	(void)state;
	assert_int_equal(pcg_tree_nodes(0), 0);
	assert_int_equal(pcg_tree_nodes(1), 0);
	assert_int_equal(pcg_tree_nodes(2), 1);
	assert_int_equal(pcg_tree_nodes(64), 1);
	assert_int_equal(pcg_tree_nodes(65), 2 + 1);
	assert_int_equal(pcg_tree_nodes(4097), 65 + 2 + 1);
	assert_int_equal(pcg_node_bytes(PCG_X86_64), 552);
	assert_int_equal(pcg_node_bytes(PCG_X86), 288);
}

/* W19: 30 sections. */
static void the_arrays_of_30_sections(void **state)
{
	static const struct {
		const char *name;
		uint64_t bytes;
	} rows[] = { { "array40", 39321600 }, { "array32", 31457280 }, { "array16", 15728640 } };
	struct pcg_machine machine = { .arch = PCG_X86_64 };

	(void)state;
	assert_int_equal(pcg_machine_ram(&machine, 4 * GIB, NULL), ERR_OK);
	machine.sections = 30;
	for (size_t i = 0; i < 3; i++) {
		struct pcg_cost_ask ask = { .layout = layout(rows[i].name),
					    .machine = &machine,
					    .charged = UINT64_MAX };
		struct pcg_cost cost;

		pcg_cost(&ask, &cost);
		assert_int_equal(cost.array_bytes, rows[i].bytes);
		assert_int_equal(cost.total_bytes, rows[i].bytes);
	}
}

/* W27: 513 pages in 2.6.29, 129 from 2.6.30 on, and an array that points to them. */
static void the_owners_of_1_gib_of_swap(void **state)
{
	struct pcg_machine machine = { .arch = PCG_X86_64 };
	struct pcg_cost_ask ask = { .layout = layout("array40"),
				    .machine = &machine,
				    .swap_bytes = GIB,
				    .slot_bytes = 8 };
	struct pcg_cost cost;

	(void)state;
	assert_int_equal(pcg_machine_ram(&machine, GIB, NULL), ERR_OK);
	assert_int_equal(pcg_swap_pages(GIB / 4096, 8, 4096), 513);
	assert_int_equal(pcg_swap_pages(GIB / 4096, 2, 4096), 129);
	assert_int_equal(pcg_swap_pages(0, 2, 4096), 0);
	assert_int_equal(pcg_swap_pages(1, 2, 4096), 1);
	pcg_cost(&ask, &cost);
	assert_int_equal(cost.swap_bytes, 513 * 4096 + 513 * 8);
	ask.slot_bytes = 2;
	pcg_cost(&ask, &cost);
	assert_int_equal(cost.swap_bytes, 129 * 4096 + 129 * 8);
}

static void without_the_controller_nothing_is_paid(void **state)
{
	struct pcg_cost cost = cost_of(NULL, PCG_X86_64, 4 * GIB);

	(void)state;
	assert_int_equal(cost.total_bytes, 0);
	assert_int_equal(cost.page_bytes, 56);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(struct_page_holds_a_word_in_some_releases),
		cmocka_unit_test(the_words_of_48_gib_are_96_mib),
		cmocka_unit_test(a_record_is_as_big_as_its_allocator_makes_it),
		cmocka_unit_test(a_page_that_is_not_charged_costs_its_word_only),
		cmocka_unit_test(the_order_of_a_chunk_is_the_largest_that_fits_two_pages),
		cmocka_unit_test(the_radix_tree_of_4_gib),
		cmocka_unit_test(a_tree_has_a_node_for_each_64),
		cmocka_unit_test(the_arrays_of_30_sections),
		cmocka_unit_test(the_owners_of_1_gib_of_swap),
		cmocka_unit_test(without_the_controller_nothing_is_paid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
