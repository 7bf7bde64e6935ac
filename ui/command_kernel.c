/*
 * memcglab kernel: the table of kernels, and one of them in full: each axis
 * with its values, each constant with its status, the rules with the source
 * they were read in, and what stands in where a rule is not known.
 */
#include <string.h>

#include "command.h"
#include "memory_stat.h"
#include "output.h"
#include "result.h"

enum { LIST_COLUMNS = 4 };

/* ---- list ---- */

/* All that a kernel's row says, for programs. */
static enum err list_json(struct command *cmd, struct diag *diag)
{
	json_t *rows = json_array(), *root = json_object();
	struct era era;

	for (size_t i = 0; era_at(i, &era); i++)
		json_array_append_new(rows, json_pack("{s:s,s:s,s:b,s:s,s:s,s:s}", "kernel",
						      era.name, "alias", era.alias, "runnable",
						      (int)era.runnable, "doc", era.doc, "source",
						      era.source, "note", era.note));
	json_object_set_new(root, "kernels", rows);
	return result_dump(root, cmd->out, diag);
}

/* In the order of the table: the oldest first, a post's change right after its base. */
static enum err kernel_list(struct command *cmd, struct diag *diag)
{
	static const char *const names[] = { "kernel", "alias", "runs", "what it is" };
	static const int types[] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT };
	struct output *out;
	struct era era;
	enum err err;

	if (strcmp(cmd->args->format, "json") == 0)
		return list_json(cmd, diag);
	err = output_new(&cmd->style, cmd->out, &out, diag);
	if (err == ERR_OK)
		err = output_head(out, LIST_COLUMNS, names, diag);
	for (size_t i = 0; err == ERR_OK && era_at(i, &era); i++) {
		const char *values[] = { era.name, era.alias, era.runnable ? "yes" : "no",
					 era.doc };

		err = output_row(out, LIST_COLUMNS, values, types, diag);
	}
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

/* ---- show, as JSON ---- */

/* Axis by name with the value's name; the numbers behind both are of no concern outside. */
static json_t *axes_json(const struct era *era)
{
	json_t *axes = json_object();

	for (int a = 0; a < NR_AXES; a++)
		json_object_set_new(axes, axis_at((enum axis)a)->name,
				    json_string(era_value_name(era, (enum axis)a)));
	return axes;
}

/* Constants as they would be in a run on this kernel that changes none of them. */
static json_t *knobs_json(const struct era *era)
{
	json_t *knobs = json_array();

	for (size_t i = 0; i < knob_count(); i++) {
		const struct knob_desc *knob = knob_at(i);

		json_array_append_new(
			knobs, json_pack("{s:s,s:I,s:s,s:s,s:s}", "name", knob->name, "value",
					 (json_int_t)knob_get(&era->knobs, i), "unit", knob->unit,
					 "status", knob->status, "doc", knob->doc));
	}
	return knobs;
}

/* One object; the texts of the axes are in the text form only, since they do not depend on the
 * kernel. */
static enum err show_json(struct command *cmd, const struct era *era, struct diag *diag)
{
	return result_dump(
		json_pack("{s:s,s:s,s:s,s:b,s:s,s:s,s:s,s:o,s:o}", "kernel", era->name, "alias",
			  era->alias, "base", era->base != NULL ? era->base : "", "runnable",
			  (int)era->runnable, "doc", era->doc, "source", era->source, "note",
			  era->note, "axes", axes_json(era), "knobs", knobs_json(era)),
		cmd->out, diag);
}

/* ---- show, as text ---- */

/* All values of an axis, the kernel's own marked: what could be swapped in is seen beside it. */
static void put_axis(const struct era *era, enum axis axis, FILE *out)
{
	const struct axis_desc *desc = axis_at(axis);

	fprintf(out, "%s: %s\n", desc->name, desc->doc);
	for (int v = 0; desc->values[v] != NULL; v++)
		fprintf(out, "  %c %-14s %s%s\n", era->value[axis] == v ? '*' : ' ',
			desc->values[v], desc->value_docs[v],
			(desc->runnable & 1u << v) != 0 ? "" : "  (not modelled yet)");
}

/* The status says how much a number may be trusted: read in the source, or assumed. */
static void put_knobs(const struct era *era, FILE *out)
{
	fputs("\nconstants (kernel: of the source, assumed: until a published figure says "
	      "otherwise)\n",
	      out);
	for (size_t i = 0; i < knob_count(); i++) {
		const struct knob_desc *knob = knob_at(i);

		fprintf(out, "  %-17s %9lld %-6s %-8s %s\n", knob->name,
			(long long)knob_get(&era->knobs, i), knob->unit, knob->status, knob->doc);
	}
}

/* Names that the model has no term for stand in brackets. */
static void put_memory_stat(const struct era *era, FILE *out)
{
	enum { LINE = 78 };
	struct memory_stat line;
	int used = LINE;

	fputs("\nmemory.stat (in brackets: not modelled)", out);
	for (uint32_t i = 0; memory_stat_name(era, i, &line); i++) {
		int w = (int)strlen(line.name) + (line.modelled ? 0 : 2);

		used += 1 + w;
		if (used >= LINE) {
			fputs("\n ", out);
			used = 2 + w;
		}
		fprintf(out, line.modelled ? " %s" : " (%s)", line.name);
	}
	fputs("\n", out);
	for (uint32_t i = 0; memory_stat_name(era, i, &line); i++)
		if (!line.modelled && strncmp(line.name, "total_", strlen("total_")) != 0)
			fprintf(out, "  %-17s %s\n", line.name, line.why);
}

/* Every decision that an event can name, with the function of the kernel that it follows. */
static void put_rules(FILE *out)
{
	fputs("\nrules (an event names the one it followed)\n", out);
	for (int r = RULE_NONE + 1; r < NR_RULES; r++) {
		const struct rule_desc *rule = rule_at((enum rule)r);

		fprintf(out, "  %-3s %s\n      %s\n", rule->code, rule->doc, rule->source);
	}
}

/* From the name down to the rules: whoever wants to know what v3.1 means here reads it top to
 * bottom. */
static enum err show_text(struct command *cmd, const struct era *era, struct diag *diag)
{
	FILE *out = cmd->out;

	fprintf(out, "%s%s%s%s\n%s\n", era->name, era->alias[0] != '\0' ? " (" : "", era->alias,
		era->alias[0] != '\0' ? ")" : "", era->doc);
	if (era->source[0] != '\0')
		fprintf(out, "source: %s\n", era->source);
	if (era->note[0] != '\0')
		fprintf(out, "note: %s\n", era->note);
	fprintf(out, "runs in this version: %s\n\naxes (* this kernel's value)\n",
		era->runnable ? "yes" : "no");
	for (int a = 0; a < NR_AXES; a++)
		put_axis(era, (enum axis)a, out);
	put_knobs(era, out);
	put_memory_stat(era, out);
	put_rules(out);
	return output_check(out, diag);
}

/* ---- show, as rows: axes and constants alike ---- */

/* Axes and constants in one list, so that two kernels can be compared with diff. */
static enum err show_rows(struct command *cmd, const struct era *era, struct diag *diag)
{
	static const char *const names[] = { "name", "value", "unit", "status", "doc" };
	static const int types[] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT,
				     OUTPUT_TEXT };
	struct output *out;
	enum err err = output_new(&cmd->style, cmd->out, &out, diag);

	if (err == ERR_OK)
		err = output_head(out, 5, names, diag);
	for (int a = 0; a < NR_AXES && err == ERR_OK; a++) {
		const struct axis_desc *axis = axis_at((enum axis)a);
		const char *values[] = { axis->name, era_value_name(era, (enum axis)a), "", "axis",
					 axis->doc };

		err = output_row(out, 5, values, types, diag);
	}
	for (size_t i = 0; i < knob_count() && err == ERR_OK; i++) {
		char number[32];
		const char *values[] = { knob_at(i)->name, number, knob_at(i)->unit,
					 knob_at(i)->status, knob_at(i)->doc };

		snprintf(number, sizeof(number), "%lld", (long long)knob_get(&era->knobs, i));
		err = output_row(out, 5, values, types, diag);
	}
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

/* Any combination that era_find accepts, not only the rows of the table. */
static enum err kernel_show(struct command *cmd, struct diag *diag)
{
	struct era era;
	enum err err;

	if (cmd->args->nr_args < 2)
		return diag_fail(diag, ERR_USAGE, "usage: memcglab kernel show NAME");
	err = era_find(cmd->args->arg[1], &era, diag);
	if (err != ERR_OK)
		return err;
	if (strcmp(cmd->args->format, "json") == 0)
		return show_json(cmd, &era, diag);
	if (strcmp(cmd->args->format, "table") == 0)
		return show_text(cmd, &era, diag);
	return show_rows(cmd, &era, diag);
}

/* Two words, list and show; anything else is a mistake worth a message. */
enum err command_kernel(struct command *cmd, struct diag *diag)
{
	if (strcmp(cmd->args->arg[0], "list") == 0)
		return kernel_list(cmd, diag);
	if (strcmp(cmd->args->arg[0], "show") == 0)
		return kernel_show(cmd, diag);
	return diag_fail(diag, ERR_USAGE, "kernel %s: not one of list, show", cmd->args->arg[0]);
}
