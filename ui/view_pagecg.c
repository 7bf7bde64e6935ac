/*
 * The owner record of each side's kernel field by field, and what it costs
 * on machines of several sizes.  Static: no run and no time is needed; with
 * nothing open it compares the two kernels of the published figures.
 *
 * The 4G machine is the one of the message: 30 of its 32 sections present.
 * The other sizes have every frame present.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fmt.h"
#include "view_pagecg_cost.h"

enum { LAYOUT_ROWS = 11, TALL_LAYOUT_ROWS = 17, TALL = 36, SECTION_MIB = 128 };
enum { WIDE_COST = 100, FIELD_W = 12, WIDE_FIELD_W = 24, WIDE_LAYOUT = 64 };	/* of the record */

static const bytes_t gib = (bytes_t)1 << 30;

/* Sizes of the table; the last ones are left out first where rows are few. */
static const struct {
	const char *name;
	bytes_t ram_gib;
	uint64_t sections;
} machines[] = {
	{ "1G", 1, 0 },   { "4G", 4, 30 },    { "16G", 16, 0 },
	{ "64G", 64, 0 }, { "256G", 256, 0 }, { "1T", 1024, 0 },
};

/* Figures of the message, for the 4G machine. */
static const struct {
	const char *layout;
	bytes_t bytes;
} published[] = {
	{ "array32", 31457280 },
	{ "array16", 15728640 },
};

struct owner {
	char name[ERA_NAME_MAX];
	const struct pcg_layout *layout;
};

/* The kernel of a side and its record; without a run, the two of the message. */
static void owner_of(const struct model *model, int side, struct owner *out)
{
	static const char *const without_run[2] = { "v3.1", "v3.3" };
	const struct model_side *s = &model->side[side];
	bool open = s->kernel[0] != '\0';
	struct era era;

	snprintf(out->name, sizeof(out->name), "%s", open ? view_side_name(s) : without_run[side]);
	out->layout = NULL;
	if (era_find(open ? s->kernel : without_run[side], &era, NULL) == ERR_OK &&
	    strcmp(era_value_name(&era, AXIS_MEMCG), "off") != 0)
		out->layout = pcg_layout_at(era.value[AXIS_OWNER]);
}

/* Two kernels with nothing open, else the sides of the model. */
static int owners(const struct model *model, const struct canvas *c, int side[2])
{
	bool both = model->has_b || model->side[0].kernel[0] == '\0';

	side[0] = both && model->show == 2 ? 1 : 0;
	side[1] = 1;
	return both && model->show == 0 && c->w >= VIEW_BOTH_W && c->h >= VIEW_BOTH_H ? 2 : 1;
}

/* What the message says for this layout on the 4G machine, "-" if nothing. */
static const char *published_bytes(const struct pcg_layout *layout, char out[UNITS_TEXT_MAX])
{
	for (size_t i = 0; layout && i < sizeof(published) / sizeof(published[0]); i++)
		if (strcmp(layout->name, published[i].layout) == 0)
			return fmt_count(published[i].bytes, out);
	return "-";
}

/* A field is as wide as the word size of the machine says. */
static unsigned field_bytes(const struct pcg_field *field, enum pcg_arch arch)
{
	return arch == PCG_X86_64 ? field->bytes64 : field->bytes32;
}

/* A field starts at a multiple of its size, but of a word at most. */
static unsigned field_start(unsigned offset, unsigned bytes, enum pcg_arch arch)
{
	unsigned word = arch == PCG_X86_64 ? 8 : 4, align = bytes < word ? bytes : word;

	return align ? (offset + align - 1) / align * align : offset;
}

/* Fields are named up to the last; unused places of the array are not. */
static size_t field_count(const struct pcg_layout *layout)
{
	size_t n = 0;

	while (n < PCG_FIELDS_MAX && layout->field[n].name)
		n++;
	return n;
}

/* One edge of the drawn record; beside the lowest stands where the record ends. */
static void draw_edge(struct canvas *c, struct span at, const char *offset,
		      const char *const ends[2])
{
	int w = at.w >= WIDE_LAYOUT ? WIDE_FIELD_W : FIELD_W;

	canvas_printf(c, at, "%3s %s", offset, ends[0]);
	canvas_fill(c, (struct rect){ at.x + 5, at.y, w, 1 }, 0x2500, ATTR_DIM);
	canvas_text(c, (struct span){ at.x + 5 + w, at.y, 1, ATTR_TEXT }, ends[1]);
}

/* One field: its offset, its name inside the drawing, its size and use beside it. */
static void draw_field(struct canvas *c, struct span at, const struct pcg_field *field,
		       unsigned bytes, unsigned offset)
{
	int w = at.w >= WIDE_LAYOUT ? WIDE_FIELD_W : FIELD_W;
	const char *use = w == FIELD_W && field->brief ? field->brief : field->doc;

	canvas_printf(c, (struct span){ at.x, at.y, 4, ATTR_DIM }, "%3u", offset);
	canvas_printf(c, (struct span){ at.x + 4, at.y, w + 1, ATTR_TEXT }, "\u2502 %s",
		      field->name);
	canvas_printf(c, (struct span){ at.x + 5 + w, at.y, at.w - 5 - w, ATTR_TEXT },
		      "\u2502 %2u %s", bytes, use);
}

/* The record as a drawing, then what kind of kernel keeps it and where. */
static void draw_record(struct canvas *c, struct rect in, const struct pcg_layout *layout,
			enum pcg_arch arch)
{
	static const char *const top[2] = { "\u250c", "\u2510" }, *const low[2] = { "\u2514",
										    "\u2518" };
	static const char *const mid[2] = { "\u251c", "\u2524" };
	int y = 0, n = (int)field_count(layout);
	bool lines = in.h >= 2 * n + 3; /* room for lines between the fields */
	unsigned offset = 0;
	char end[UNITS_TEXT_MAX];

	draw_edge(c, layout_row(in, y++, ATTR_TEXT), "", top);
	for (int i = 0; i < n; i++) {
		unsigned bytes = field_bytes(&layout->field[i], arch);

		offset = field_start(offset, bytes, arch);
		if (lines && i > 0)
			draw_edge(c, layout_row(in, y++, ATTR_TEXT), "", mid);
		draw_field(c, layout_row(in, y++, ATTR_TEXT), &layout->field[i], bytes, offset);
		offset += bytes;
	}
	snprintf(end, sizeof(end), "%" PRIu64, pcg_record_bytes(layout, arch));
	draw_edge(c, layout_row(in, y++, ATTR_TEXT), end, low);
	layout_top(&in, y);
	layout_left(&in, 1);
	view_wrap(c, in, ATTR_TEXT, layout->doc);
}

/* One side's pane; a kernel without a record says so in words. */
static void draw_layout(const struct model *model, struct canvas *c, struct rect r, int side)
{
	enum pcg_arch arch = model->machine.arch;
	struct owner owner;
	char title[256], right[64];

	owner_of(model, side, &owner);
	snprintf(title, sizeof(title), "%c %s  %s", 'A' + side, owner.name,
		 owner.layout ? owner.layout->name : "");
	if (!owner.layout || field_count(owner.layout) == 0) {
		view_empty(c, r, title,
			   owner.layout
				   ? owner.layout->doc
				   : "No owner record is known for this kernel; kernel list names "
				     "those that have one.");
		return;
	}
	snprintf(right, sizeof(right), "%" PRIu64 " B", pcg_record_bytes(owner.layout, arch));
	canvas_box(c, r, title, right);
	draw_record(c, layout_inside(r), owner.layout, arch);
}

/* Name, pages, bytes of A and B, saved, shares, label: 77 cells, a blank before every number. */
#define WIDE_ROW " %-5s%12s%15s%15s%8s %5s %5s %8s"

struct table {
	struct canvas *c;
	const struct pcg_layout *layout[2];
	bool percent; /* there is room for shares of RAM */
};

/* One machine: frames with a record, bytes of both sides, what is saved, and the label. */
static void table_row(const struct table *t, struct span at, const char *name,
		      const struct pcg_machine *machine, bytes_t ram)
{
	char pages[UNITS_TEXT_MAX], text[2][UNITS_TEXT_MAX], share[2][UNITS_TEXT_MAX];
	char saved[UNITS_TEXT_MAX] = "-";
	uint64_t bytes[2] = { 0, 0 };

	for (int i = 0; i < 2; i++) {
		bool array = t->layout[i] && t->layout[i]->array;

		bytes[i] = array ? pcg_array_bytes(t->layout[i], machine) : 0;
		snprintf(text[i], sizeof(text[i]), "-");
		snprintf(share[i], sizeof(share[i]), "-");
		if (!array)
			continue;
		fmt_count(bytes[i], text[i]);
		snprintf(share[i], sizeof(share[i]), "%.2f", (double)bytes[i] * 100 / (double)ram);
	}
	if (bytes[0] >= bytes[1] && bytes[1] > 0)
		units_format_size(bytes[0] - bytes[1], saved);
	fmt_count(pcg_entries(machine), pages);
	if (t->percent)
		canvas_printf(t->c, at, WIDE_ROW, name, pages, text[0], text[1], saved, share[0],
			      share[1], machine->sections ? "derived" : "extrap.");
	else
		canvas_printf(t->c, at, "%-5s%11s %14s %14s", name, pages, text[0], text[1]);
}

/* Is the machine of the open run, or the one that + and - chose, none of the table's? */
static bool own_machine(const struct model *model)
{
	const struct pcg_machine *m = &model->machine;
	bytes_t ram = pcg_ram_bytes(m);

	if (m->nr_ranges == 0 && m->sections == 0)
		return false;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (m->arch == PCG_X86_64 && !m->flat && machines[i].sections == m->sections &&
		    (machines[i].sections || machines[i].ram_gib * gib == ram))
			return false;
	return true;
}

/* The published figures stand right under the machine that they were read on. */
static int draw_published(const struct table *t, struct rect in, int y)
{
	char text[2][UNITS_TEXT_MAX];
	const char *a = published_bytes(t->layout[0], text[0]);
	const char *b = published_bytes(t->layout[1], text[1]);

	if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
		return y;
	if (t->percent)
		canvas_printf(t->c, layout_row(in, y, ATTR_GOOD), WIDE_ROW, "", "published", a, b,
			      "", "", "", "exact");
	else
		canvas_printf(t->c, layout_row(in, y, ATTR_GOOD), "%-5s%11s %14s %14s", "publ.", "",
			      a, b);
	return y + 1;
}

/* The records of both sides.  A run alone has no B: its columns hold dashes, never A's figures. */
static void layouts_of(const struct model *model, const struct pcg_layout *layout[2])
{
	struct owner owner;

	for (int i = 0; i < 2; i++) {
		owner_of(model, i, &owner);
		layout[i] = i == 1 && model->side[0].kernel[0] && !model->has_b ? NULL
										: owner.layout;
	}
}

/* Machines from the most interesting down, as many as there are rows. */
static void draw_table(const struct model *model, struct canvas *c, struct rect r)
{
	struct rect in = layout_inside(r);
	struct table t = { .c = c, .percent = in.w >= 77 };
	int y = 1;

	layouts_of(model, t.layout);
	canvas_box(c, r, "memory for the array",
		   t.percent ? "derived = arithmetic, no fitting" : "derived");
	if (t.percent)
		canvas_printf(c, layout_row(in, 0, ATTR_DIM), WIDE_ROW, "RAM", "pages", "A bytes",
			      "B bytes", "saved", "A %", "B %", "label");
	else
		canvas_printf(c, layout_row(in, 0, ATTR_DIM), "%-5s%11s %14s %14s", "RAM", "pages",
			      "A bytes", "B bytes");
	if (own_machine(model))
		table_row(&t, layout_row(in, y++, ATTR_SELECTED), "this", &model->machine,
			  pcg_ram_bytes(&model->machine));
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]) && y < in.h - 1; i++) {
		struct pcg_machine m = { .arch = PCG_X86_64 };

		if (pcg_machine_ram(&m, machines[i].ram_gib * gib, NULL) != ERR_OK)
			continue;
		m.sections = machines[i].sections;
		table_row(&t, layout_row(in, y++, ATTR_TEXT), machines[i].name, &m,
			  machines[i].ram_gib * gib);
		if (machines[i].sections)
			y = draw_published(&t, in, y);
	}
	layout_top(&in, y);
	layout_left(&in, 1);
	view_wrap(c, in, ATTR_DIM,
		  "4G: 30 of 32 sections present; extrap.: every frame; -: no array at boot");
}

/* The last line: which machine "this" is, or what is compared with nothing open. */
static void draw_note(const struct model *model, struct canvas *c, struct rect r)
{
	const struct pcg_machine *m = &model->machine;
	bool set = m->nr_ranges > 0 || m->sections > 0;
	char pages[UNITS_TEXT_MAX], size[UNITS_TEXT_MAX];

	if (set)
		canvas_printf(c, layout_row(r, 0, ATTR_DIM),
			      " this machine: %s, %s page records, %" PRIu64 " sections of %dM",
			      units_format_size(pcg_ram_bytes(m), size),
			      fmt_count(pcg_entries(m), pages), pcg_sections(m), SECTION_MIB);
	else
		canvas_text(c, layout_row(r, 0, ATTR_DIM),
			    " no run is open: v3.1 against v3.3; + and - add another machine");
}

/* All parts, for the machine of the open run or else the one of the message. */
static void draw_cost(const struct model *model, struct canvas *c, struct rect r)
{
	struct pcg_machine published_on = { .arch = PCG_X86_64 };
	const struct pcg_layout *layout[2];
	bool own = model->machine.nr_ranges > 0 || model->machine.sections > 0;

	layouts_of(model, layout);
	if (pcg_machine_ram(&published_on, 4 * gib, NULL) != ERR_OK)
		return;
	published_on.sections = 30;
	view_draw_pagecg_cost(c, r, layout, own ? &model->machine : &published_on);
}

void view_draw_pagecg(const struct model *model, struct canvas *c, struct rect body)
{
	int side[2], n = owners(model, c, side);
	int rows = body.h >= TALL ? TALL_LAYOUT_ROWS : body.h >= 20 ? LAYOUT_ROWS : 0;
	int cost = body.h >= TALL && body.w >= WIDE_COST ? VIEW_PAGECG_COST_H : 0;
	struct rect panes, table;

	/* A small screen shows the figures; the record is for taller ones. */
	panes = layout_top(&body, rows);
	table = layout_top(&body, body.h - 1 - cost);
	if (cost > 0)
		draw_cost(model, c, layout_top(&body, cost));
	for (int i = 0; i < n && rows > 0; i++)
		draw_layout(model, c, layout_left(&panes, i == n - 1 ? panes.w : panes.w / 2),
			    side[i]);
	draw_table(model, c, table);
	draw_note(model, c, body);
}
