/*
 * The machine of a run as JSON and back: memory map, CPUs and every knob by
 * name.  Together with the kernel's name, the seed and the op log it makes
 * a stored run again, step for step.
 */
#include "lab_core.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

static const char *const arch_names[NR_PCG_ARCHS] = {
	[PCG_X86_64] = "x86-64",
	[PCG_X86] = "x86",
	[PCG_X86_PAE] = "x86-pae",
};

/* [start, end) in bytes, as the map was given. */
static json_t *ranges_json(const struct pcg_machine *memory)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < memory->nr_ranges; i++)
		json_array_append_new(list, json_pack("[I,I]", (json_int_t)memory->range[i].start,
						      (json_int_t)memory->range[i].end));
	return list;
}

/* Written for people as well: ram is there although the ranges imply it. */
char *lab_machine_json(const struct scenario *sc)
{
	json_t *knobs = json_object(), *root;
	char *text;

	for (size_t i = 0; i < knob_count(); i++)
		json_object_set_new(knobs, knob_at(i)->name,
				    json_integer(knob_get(&sc->era.knobs, i)));
	root = json_pack("{s:I,s:I,s:b,s:b,s:b,s:I,s:s,s:b,s:I,s:I,s:o,s:o}", "ram",
			 (json_int_t)pcg_ram_bytes(&sc->memory), "cpus", (json_int_t)sc->cpus,
			 "locks", (int)sc->locks, "zones", (int)sc->zones, "huge_pages",
			 (int)sc->huge_pages, "swap_pages", (json_int_t)sc->swap_pages, "arch",
			 arch_names[sc->memory.arch], "flat", (int)sc->memory.flat, "page",
			 (json_int_t)sc->memory.page_bytes, "sections",
			 (json_int_t)sc->memory.sections, "ranges", ranges_json(&sc->memory),
			 "knobs", knobs);
	json_object_update_new(
		root, json_pack("{s:I,s:I,s:b,s:b,s:b}", "nodes", (json_int_t)sc->nodes,
				"swap_pages", (json_int_t)sc->swap_pages, "zones", (int)sc->zones,
				"huge_pages", (int)sc->huge_pages, "locks", (int)sc->locks));
	text = json_dumps(root, JSON_COMPACT);
	json_decref(root);
	return text;
}

/* The store is a file that others can change: nothing in it is trusted to fit. */
static enum err memory_read(const json_t *root, struct pcg_machine *memory, struct diag *diag)
{
	const json_t *ranges = json_object_get(root, "ranges");
	const char *arch = json_string_value(json_object_get(root, "arch"));

	memset(memory, 0, sizeof(*memory));
	memory->flat = json_is_true(json_object_get(root, "flat"));
	memory->page_bytes = (bytes_t)json_integer_value(json_object_get(root, "page"));
	memory->sections = (uint64_t)json_integer_value(json_object_get(root, "sections"));
	if (json_array_size(ranges) > PCG_RANGES_MAX)
		return diag_fail(diag, ERR_DB, "the stored machine has too many ranges");
	for (size_t i = 0; i < json_array_size(ranges); i++) {
		const json_t *range = json_array_get(ranges, i);

		memory->range[memory->nr_ranges++] = (struct pcg_range){
			(bytes_t)json_integer_value(json_array_get(range, 0)),
			(bytes_t)json_integer_value(json_array_get(range, 1)),
		};
	}
	return pcg_arch_find(arch != NULL ? arch : "", &memory->arch, diag);
}

/* By name: a knob that a later version adds keeps its default in an older run. */
static enum err knobs_read(json_t *knobs, struct knobs *out, struct diag *diag)
{
	enum err err = ERR_OK;
	const char *name;
	json_t *value;

	json_object_foreach(knobs, name, value)
	{
		err = knob_set(out, name, json_integer_value(value), diag);
		if (err != ERR_OK)
			break;
	}
	return err;
}

/* Knobs of the run over those of its kernel, in this order. */
enum err lab_machine(const struct db_run *run, struct scenario *out, struct diag *diag)
{
	json_t *root = json_loads(run->machine != NULL ? run->machine : "", 0, NULL);
	enum err err;

	if (root == NULL || json_object_get(root, "cpus") == NULL) {
		json_decref(root);
		return diag_fail(diag, ERR_DB, "run %lld never came to its machine (state %s)",
				 (long long)run->id, run_state_name(run->state));
	}
	scenario_defaults(out);
	snprintf(out->name, sizeof(out->name), "%s", run->scenario);
	out->seed = run->seed;
	out->cpus = (uint32_t)json_integer_value(json_object_get(root, "cpus"));
	/* A run of an earlier version had one node and told of none. */
	if (json_object_get(root, "nodes") != NULL)
		out->nodes = (uint32_t)json_integer_value(json_object_get(root, "nodes"));
	out->swap_pages = (pages_t)json_integer_value(json_object_get(root, "swap_pages"));
	out->zones = json_is_true(json_object_get(root, "zones"));
	out->huge_pages = json_is_true(json_object_get(root, "huge_pages"));
	out->locks = json_is_true(json_object_get(root, "locks"));
	err = era_find(run->kernel, &out->era, diag);
	if (err == ERR_OK)
		err = memory_read(root, &out->memory, diag);
	if (err == ERR_OK)
		err = knobs_read(json_object_get(root, "knobs"), &out->era.knobs, diag);
	json_decref(root);
	return err;
}
