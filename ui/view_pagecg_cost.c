/*
 * Word in struct page, array, records, chunks, nodes, look-asides: what a
 * machine pays for each when all of its RAM is charged, and the sum of it.
 * A part that a layout does not have is a dash.
 */
#include "view_pagecg_cost.h"

#include <stddef.h>
#include <stdio.h>

#include "fmt.h"

enum { LOOKASIDE_CPUS = 8 }; /* as memcglab pagecg takes it */

/* Parts in the order in which a machine pays them: at boot, with charges, in all. */
static const struct {
	const char *name;
	size_t offset;
	const char *doc;
} parts[] = {
	{ "sizeof(struct page)", offsetof(struct pcg_cost, page_bytes),
	  "56 on 64 bits without a word for the controller" },
	{ "its word, all frames", offsetof(struct pcg_cost, word_bytes),
	  "a pointer, charged or not" },
	{ "array at boot", offsetof(struct pcg_cost, array_bytes), "charged or not" },
	{ "a record, allocated", offsetof(struct pcg_cost, object_bytes),
	  "as kmalloc or its own cache rounds it" },
	{ "records, all charged", offsetof(struct pcg_cost, objects_bytes),
	  "when all of RAM is charged" },
	{ "chunks of records", offsetof(struct pcg_cost, chunks_bytes),
	  "leaves of the radix tree of 2008" },
	{ "nodes of the tree", offsetof(struct pcg_cost, nodes_bytes), "over the chunks" },
	{ "look-asides", offsetof(struct pcg_cost, lookaside_bytes),
	  "16 entries on each of 8 CPUs" },
	{ "in all", offsetof(struct pcg_cost, total_bytes), "but struct page itself" },
};

enum { NR_PARTS = sizeof(parts) / sizeof(parts[0]) };

/* "75 497 472  1.76 %"; a share only of the sum. */
static void part_text(const struct pcg_cost *cost, size_t part, const struct pcg_machine *machine,
		      char out[UNITS_TEXT_MAX])
{
	uint64_t value = *(const uint64_t *)(const void *)((const char *)cost + parts[part].offset);
	char count[UNITS_TEXT_MAX];

	if (value == 0)
		snprintf(out, UNITS_TEXT_MAX, "-");
	else if (part == NR_PARTS - 1)
		snprintf(out, UNITS_TEXT_MAX, "%s %5.2f %%", fmt_count(value, count),
			 pcg_cost_percent(cost, machine));
	else
		fmt_count(value, out);
}

void view_draw_pagecg_cost(struct canvas *c, struct rect r, const struct pcg_layout *const *layout,
			   const struct pcg_machine *machine)
{
	struct rect in = layout_inside(r);
	struct pcg_cost cost[2];
	char text[2][UNITS_TEXT_MAX];

	canvas_box(c, r, "every byte, when all of RAM is charged", "derived");
	for (int i = 0; i < 2; i++) {
		const struct pcg_cost_ask ask = { .layout = layout[i],
						  .machine = machine,
						  .charged = UINT64_MAX,
						  .nr_cpus = LOOKASIDE_CPUS };

		pcg_cost(&ask, &cost[i]);
	}
	canvas_printf(c, layout_row(in, 0, ATTR_DIM), " %-22s%24s%24s", "bytes", "A", "B");
	for (size_t p = 0; p < NR_PARTS && (int)p + 1 < in.h; p++) {
		for (int i = 0; i < 2; i++) {
			part_text(&cost[i], p, machine, text[i]);
			if (!layout[i])
				snprintf(text[i], sizeof(text[i]), "-");
		}
		canvas_printf(c, layout_row(in, (int)p + 1, ATTR_TEXT), " %-22s%24s%24s   %s",
			      parts[p].name, text[0], text[1], parts[p].doc);
	}
}
