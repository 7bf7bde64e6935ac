/*
 * memcglab pagecg: what each kernel pays to know the owner of every page
 * frame, on any machine: RAM in one piece or with holes, present sections,
 * 32 bits, FLATMEM.  At boot for an array, with each charge for a record.
 *
 * Every row of the table of kernels is listed, also those that cannot run
 * yet: their layout is known.  Without an array nothing is paid at boot.
 */
#include <string.h>

#include "command.h"
#include "output.h"
#include "pcg_cost.h"
#include "result.h"

#define DEFAULT_RAM ((bytes_t)4 << 30)
enum { CPUS_MOST = 4096, DEFAULT_SECTIONS = 30, COLUMNS = 14, FIELDS_MAX = 160 };

/* What a kernel keeps a page's owner in; NULL without the controller. */
static const struct pcg_layout *layout_of(const struct era *era)
{
	if (strcmp(era_value_name(era, AXIS_MEMCG), "off") == 0)
		return NULL;
	return pcg_layout_at(era->value[AXIS_OWNER]);
}

/* The engine says which part of a machine is wrong; here each part is an option. */
static enum err name_option(const struct args *args, enum err err, struct diag *diag)
{
	const char *map = args->ranges != NULL ? "ranges" : "machine";
	char text[sizeof(diag->text)];
	size_t len = strcspn(diag->text, ":");
	bool is_map = strncmp(diag->text, "ram:", 4) == 0 || strncmp(diag->text, "ranges:", 7) == 0;

	memcpy(text, diag->text, sizeof(text));
	return diag_fail(diag, err, "--%.*s%s", is_map ? (int)strlen(map) : (int)len,
			 is_map ? map : text, text + len);
}

/* RAM by one of the two maps, the sections beside it, on an architecture that can have them. */
static enum err memory_read(const struct args *args, bytes_t ram, struct pcg_machine *machine,
			    struct diag *diag)
{
	enum err err = pcg_arch_find(args->arch, &machine->arch, diag);

	if (err == ERR_OK && args->ranges != NULL)
		err = pcg_machine_ranges(machine, args->ranges, diag);
	else if (err == ERR_OK)
		err = pcg_machine_ram(machine, ram, diag);
	machine->sections = args->sections;
	if (args->machine == NULL && args->ranges == NULL && machine->sections == 0 &&
	    !machine->flat && machine->arch == PCG_X86_64)
		machine->sections = DEFAULT_SECTIONS;
	if (err == ERR_OK)
		err = pcg_machine_check(machine, diag);
	return err == ERR_OK ? err : name_option(args, err, diag);
}

/* One map only, whole pages only. The machine of the 2011 post, 30 sections of x86-64, stands in
 * when nothing is said. */
static enum err machine_read(const struct args *args, struct pcg_machine *machine,
			     struct diag *diag)
{
	bytes_t ram = DEFAULT_RAM;

	if (args->machine != NULL && args->ranges != NULL)
		return diag_fail(diag, ERR_USAGE, "--machine and --ranges are two maps: give one");
	if (args->machine != NULL && units_too_large(UNIT_SIZE, args->machine))
		return diag_fail(diag, ERR_USAGE, "--machine: \"%s\" does not fit in 64 bits",
				 args->machine);
	if (args->machine != NULL && !units_parse(UNIT_SIZE, args->machine, &ram))
		return diag_fail(diag, ERR_USAGE, "--machine: \"%s\" is not %s", args->machine,
				 units_accepted(UNIT_SIZE));
	if (args_given(args, OPT_SECTIONS) && args->sections == 0)
		return diag_fail(diag, ERR_USAGE, "--sections: at least 1");
	if (args->cpus == 0 || args->cpus > CPUS_MOST)
		return diag_fail(diag, ERR_USAGE, "--cpus: 1 to %d", CPUS_MOST);
	if (args->page_bytes < 512 || args->page_bytes > 1 << 20 ||
	    (args->page_bytes & (args->page_bytes - 1)) != 0)
		return diag_fail(diag, ERR_USAGE, "--page: a power of two from 512 to 1M");
	*machine = (struct pcg_machine){ .page_bytes = args->page_bytes, .flat = args->flat };
	return memory_read(args, ram, machine, diag);
}

/* With alignment, on this word size; 0 where there is no record at all. */
static uint64_t record_bytes(const struct era *era, const struct pcg_machine *machine)
{
	const struct pcg_layout *layout = layout_of(era);

	return layout != NULL ? pcg_record_bytes(layout, machine->arch) : 0;
}

/* What the boot line of the kernel would say; 0 for records that are made page by page. */
static uint64_t array_bytes(const struct era *era, const struct pcg_machine *machine)
{
	const struct pcg_layout *layout = layout_of(era);

	return layout != NULL ? pcg_array_bytes(layout, machine) : 0;
}

/* Of the RAM in the map, as the post argues: the array is paid by everybody who boots with the
 * controller. */
static double ram_percent(uint64_t bytes, const struct pcg_machine *machine)
{
	bytes_t ram = pcg_ram_bytes(machine);

	return ram > 0 ? 100.0 * (double)bytes / (double)ram : 0;
}

/* "flags 8 + mem_cgroup 8 + ..." */
static void fields_format(const struct era *era, const struct pcg_machine *machine,
			  char out[FIELDS_MAX])
{
	const struct pcg_layout *layout = layout_of(era);
	size_t n = 0;

	out[0] = '\0';
	for (int i = 0; layout != NULL && i < PCG_FIELDS_MAX; i++) {
		const struct pcg_field *field = &layout->field[i];
		unsigned bytes = machine->arch == PCG_X86_64 ? field->bytes64 : field->bytes32;

		if (field->name == NULL || n >= FIELDS_MAX)
			break;
		n += (size_t)snprintf(out + n, FIELDS_MAX - n, "%s%s %u", i > 0 ? " + " : "",
				      field->name, bytes);
	}
}

/* Since 2.6.30 the owner of a slot is an id of two bytes; no era here has v2.6.29's pointers. */
enum { SLOT_BYTES = 2 };

/* Everything, when all of RAM is charged. */
static void cost_of(const struct era *era, const struct args *args,
		    const struct pcg_machine *machine, struct pcg_cost *out)
{
	bool swap = strcmp(era_value_name(era, AXIS_SWAP_ACCOUNT), "off") != 0 ||
		    strcmp(era_value_name(era, AXIS_CGROUP), "v2") == 0;
	const struct pcg_cost_ask ask = { .layout = layout_of(era),
					  .machine = machine,
					  .charged = UINT64_MAX,
					  .nr_cpus = (uint32_t)args->cpus,
					  .swap_bytes = swap ? args->swap_bytes : 0,
					  .slot_bytes = SLOT_BYTES };

	pcg_cost(&ask, out);
}

/* What is paid with charges rather than at boot. */
static uint64_t charged_bytes(const struct pcg_cost *cost)
{
	return cost->objects_bytes + cost->chunks_bytes + cost->nodes_bytes + cost->lookaside_bytes;
}

/* ---- formats ---- */

/* Every part of the cost under its own name; a part that a layout has not is 0. */
static void cost_json(json_t *row, const struct pcg_cost *cost)
{
	const struct {
		const char *name;
		uint64_t value;
	} parts[] = {
		{ "page_bytes", cost->page_bytes },
		{ "word_bytes", cost->word_bytes },
		{ "object_bytes", cost->object_bytes },
		{ "objects_bytes", cost->objects_bytes },
		{ "chunk_order", cost->chunk_order },
		{ "chunk_bytes", cost->chunk_bytes },
		{ "chunks", cost->nr_chunks },
		{ "chunks_bytes", cost->chunks_bytes },
		{ "nodes", cost->nr_nodes },
		{ "nodes_bytes", cost->nodes_bytes },
		{ "lookaside_bytes", cost->lookaside_bytes },
		{ "swap_bytes", cost->swap_bytes },
		{ "total_bytes", cost->total_bytes },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		json_object_set_new(row, parts[i].name, json_integer((json_int_t)parts[i].value));
}

/* record_bytes and bytes are the promised fields; the rest explains them. */
static json_t *row_json(const struct era *era, const struct args *args,
			const struct pcg_machine *machine)
{
	const struct pcg_layout *layout = layout_of(era);
	uint64_t bytes = array_bytes(era, machine);
	char fields[FIELDS_MAX];
	struct pcg_cost cost;
	json_t *row;

	fields_format(era, machine, fields);
	row = json_pack("{s:s,s:s,s:I,s:I,s:f,s:s,s:b,s:s}", "kernel", era->name, "alias",
			era->alias, "record_bytes", (json_int_t)record_bytes(era, machine), "bytes",
			(json_int_t)bytes, "percent", ram_percent(bytes, machine), "layout",
			layout != NULL ? layout->name : "none", "at_boot",
			(int)(layout != NULL && layout->array), "fields", fields);
	cost_of(era, args, machine, &cost);
	cost_json(row, &cost);
	json_object_set_new(row, "total_percent", json_real(pcg_cost_percent(&cost, machine)));
	return row;
}

/* The promised shape: sections, entries, and a row a kernel. */
static enum err write_json(const struct command *cmd, const struct pcg_machine *machine,
			   struct diag *diag)
{
	json_t *root = json_object(), *rows = json_array();
	struct era era;

	for (size_t i = 0; era_at(i, &era); i++)
		json_array_append_new(rows, row_json(&era, cmd->args, machine));
	json_object_set_new(root, "sections", json_integer((json_int_t)pcg_sections(machine)));
	json_object_set_new(root, "entries", json_integer((json_int_t)pcg_entries(machine)));
	json_object_set_new(root, "ram", json_integer((json_int_t)pcg_ram_bytes(machine)));
	json_object_set_new(root, "rows", rows);
	return result_dump(root, cmd->out, diag);
}

/* A count of bytes as a cell. */
static const char *cell(uint64_t value, char out[32])
{
	snprintf(out, 32, "%llu", (unsigned long long)value);
	return out;
}

/* The same figures as a row; "paid" says when the bytes of the record are taken. */
static enum err write_row(struct output *out, const struct args *args, const struct era *era,
			  const struct pcg_machine *machine, struct diag *diag)
{
	static const int types[COLUMNS] = { OUTPUT_TEXT,    OUTPUT_TEXT,    OUTPUT_INTEGER,
					    OUTPUT_INTEGER, OUTPUT_REAL,    OUTPUT_INTEGER,
					    OUTPUT_INTEGER, OUTPUT_INTEGER, OUTPUT_INTEGER,
					    OUTPUT_INTEGER, OUTPUT_REAL,    OUTPUT_TEXT,
					    OUTPUT_TEXT,    OUTPUT_TEXT };
	const struct pcg_layout *layout = layout_of(era);
	char text[9][32], fields[FIELDS_MAX];
	struct pcg_cost cost;
	const char *paid = layout == NULL ? "never" : layout->array ? "at boot" : "per page";

	cost_of(era, args, machine, &cost);
	const char *values[COLUMNS] = {
		era->name,
		era->alias,
		cell(record_bytes(era, machine), text[0]),
		cell(cost.array_bytes, text[1]),
		text[2],
		cell(cost.page_bytes, text[3]),
		cell(cost.word_bytes, text[4]),
		cell(charged_bytes(&cost), text[5]),
		cell(cost.swap_bytes, text[6]),
		cell(cost.total_bytes, text[7]),
		text[8],
		paid,
		layout != NULL ? layout->name : "none",
		fields,
	};

	snprintf(text[2], sizeof(text[2]), "%.2f", ram_percent(cost.array_bytes, machine));
	snprintf(text[8], sizeof(text[8]), "%.2f", pcg_cost_percent(&cost, machine));
	fields_format(era, machine, fields);
	return output_row(out, COLUMNS, values, types, diag);
}

/* In every format of rows; the order is that of the table of kernels. */
static enum err write_rows(const struct command *cmd, const struct pcg_machine *machine,
			   struct diag *diag)
{
	static const char *const names[COLUMNS] = {
		"kernel", "alias", "record_bytes", "bytes", "percent", "struct_page", "word",
		"charged", "swap", "total", "total_percent", "paid", "layout", "fields"
	};
	struct output *out;
	struct era era;
	enum err err = output_new(&cmd->style, cmd->out, &out, diag);

	if (err == ERR_OK)
		err = output_head(out, COLUMNS, names, diag);
	for (size_t i = 0; err == ERR_OK && era_at(i, &era); i++)
		err = write_row(out, cmd->args, &era, machine, diag);
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

/* Needs no store and no scenario: it is arithmetic on tables. */
enum err command_pagecg(struct command *cmd, struct diag *diag)
{
	struct pcg_machine machine = { .page_bytes = PAGE_BYTES };
	char ram[UNITS_TEXT_MAX], entries[UNITS_TEXT_MAX];
	enum err err = machine_read(cmd->args, &machine, diag);

	if (err != ERR_OK)
		return err;
	if (strcmp(cmd->args->format, "json") == 0)
		return write_json(cmd, &machine, diag);
	if (strcmp(cmd->args->format, "table") == 0)
		fprintf(cmd->out, "%s of RAM, %llu sections, %s frames with a record, %s%s\n\n",
			units_format_size(pcg_ram_bytes(&machine), ram),
			(unsigned long long)pcg_sections(&machine),
			units_format_count((int64_t)pcg_entries(&machine), entries),
			cmd->args->arch, machine.flat ? ", FLATMEM" : "");
	return write_rows(cmd, &machine, diag);
}
