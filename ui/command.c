/*
 * Looking up verbs, and what is made from their table: usage and help.  A
 * word of the interface that this version does not have yet is refused as
 * such, so that nobody looks for a spelling mistake.
 */
#include "command.h"

#include <string.h>

#include "output.h"
#include "verbs.h"

enum { USAGE_COLUMNS = 78 };

size_t command_count(void)
{
	size_t n = 0;

	while (verbs_table[n].name != NULL)
		n++;
	return n;
}

const struct verb *command_at(size_t i)
{
	return i < command_count() ? &verbs_table[i] : NULL;
}

/* Names for the nearest; @ctx is one to leave out, or NULL. */
static const char *verb_name_at(const void *ctx, size_t i)
{
	for (const struct verb *verb = verbs_table; verb->name != NULL; verb++)
		if (verb->name != ctx && i-- == 0)
			return verb->name;
	return NULL;
}

/* Two names are offered: one letter too many is often as near to one verb as to its plural. */
enum err command_find(const char *name, const struct verb **out, struct diag *diag)
{
	const char *nearest, *next;

	*out = NULL;
	for (const struct verb *verb = verbs_table; verb->name != NULL && *out == NULL; verb++)
		if (strcmp(verb->name, name) == 0)
			*out = verb;
	if (*out != NULL)
		return ERR_OK;
	for (size_t i = 0; verbs_later[i] != NULL; i++)
		if (strcmp(verbs_later[i], name) == 0)
			return diag_fail(diag, ERR_USAGE, "%s: not in this version yet", name);
	nearest = diag_nearest(name, verb_name_at, NULL);
	next = diag_nearest(name, verb_name_at, nearest);
	return diag_fail(diag, ERR_USAGE,
			 "no command \"%s\": did you mean %s or %s? "
			 "(memcglab help lists all)",
			 name, nearest, next);
}

/* What a verb takes no notice of is refused: nobody should believe that it did something. */
static enum err check_unused(const struct verb *verb, const struct args *args, struct diag *diag)
{
	for (int id = 0; id < NR_OPTIONS; id++)
		if ((verb->unused & args->given & OPT_BIT(id)) != 0)
			return diag_fail(diag, ERR_USAGE, "--%s means nothing to memcglab %s",
					 args_option((enum option_id)id)->name, verb->name);
	return ERR_OK;
}

/* All that can be refused before anything is opened: it costs nothing and leaves no empty file. */
enum err command_check(const struct verb *verb, const struct args *args, struct diag *diag)
{
	if (args->nr_args < verb->min_args)
		return diag_fail(diag, ERR_USAGE, "usage: memcglab %s %s (see memcglab %s --help)",
				 verb->name, verb->args, verb->name);
	if (args->nr_args > verb->max_args)
		return diag_fail(diag, ERR_USAGE, "\"%s\" is one word too many: memcglab %s%s%s",
				 args->arg[verb->max_args], verb->name,
				 verb->args[0] != '\0' ? " " : "", verb->args);
	if (check_unused(verb, args, diag) != ERR_OK)
		return ERR_USAGE;
	return output_format_find(args->format, diag);
}

/* For results that are no rows. */
enum err command_no_rows(const struct args *args, bool json, struct diag *diag)
{
	if (strcmp(args->format, "table") == 0 || (json && strcmp(args->format, "json") == 0))
		return ERR_OK;
	return diag_fail(diag, ERR_USAGE, "--format: \"%s\" cannot show this, only table%s can",
			 args->format, json ? " and json" : "");
}

/* The verbs that have no line in usage, in lines of less than 80 columns. */
static void minor_verbs(FILE *out)
{
	size_t column = 0;

	for (const struct verb *verb = verbs_table; verb->name != NULL; verb++) {
		if (!verb->minor)
			continue;
		if (column == 0 || column + strlen(verb->name) > USAGE_COLUMNS)
			column = (size_t)fprintf(out, "%s", column == 0 ? "  and" : "\n     ") - 1;
		column += (size_t)fprintf(out, " %s", verb->name);
	}
	if (column != 0)
		fputc('\n', out);
}

/* What a newcomer sees first; it fits a terminal of 80 columns and 40 rows. */
void command_usage(FILE *out)
{
	fputs("memcglab: a laboratory for how Linux memory control groups charge and reclaim\n\n"
	      "usage: memcglab [GLOBAL OPTIONS] COMMAND [OPTIONS] [ARGUMENTS]\n\n",
	      out);
	for (const struct verb *verb = verbs_table; verb->name != NULL; verb++)
		if (!verb->minor)
			fprintf(out, "  %-9s %s\n", verb->name, verb->doc);
	minor_verbs(out);
	fputs("\nmemcglab COMMAND --help shows the options of one; memcglab help TOPIC tells of\n"
	      "keys, formats, status, files, library and time.  memcglab alone opens the TUI.\n\n"
	      "example:\n"
	      "  memcglab run cat-in-100m\n",
	      out);
}

/* One option: "  -k, --kernel KERNEL,...   text". */
static void option_help(enum option_id id, FILE *out)
{
	const struct option_desc *desc = args_option(id);
	char left[64];

	snprintf(left, sizeof(left), "%s%s--%s%s%s",
		 desc->letter != 0 ? (char[]){ '-', desc->letter, '\0' } : "   ",
		 desc->letter != 0 ? ", " : " ", desc->name, desc->value != NULL ? " " : "",
		 desc->value != NULL ? desc->value : "");
	fprintf(out, "  %-29s %s\n", left, desc->doc);
}

/* Limits are shown only where there is something that they limit. */
void command_help(const struct verb *verb, FILE *out)
{
	uint64_t shown = verb->options | OPT_BIT(OPT_DB) | OPT_BIT(OPT_FORMAT) |
			 OPT_BIT(OPT_OUTPUT) | OPT_BIT(OPT_QUIET) | OPT_BIT(OPT_HELP);

	shown |= OPTS_LIMITS;
	if (verb->options & OPT_BIT(OPT_VIEW))
		shown |= OPT_BIT(OPT_ASCII);
	shown &= ~verb->unused;
	fprintf(out, "usage: memcglab %s [OPTIONS]%s%s\n\n%s\n%s\noptions:\n", verb->name,
		verb->args[0] != '\0' ? " " : "", verb->args, verb->doc, verb->more);
	for (int id = OPT_KERNEL; id < NR_OPTIONS; id++)
		if ((shown & OPT_BIT(id)) != 0)
			option_help((enum option_id)id, out);
	for (int id = 0; id < OPT_KERNEL; id++)
		if ((shown & OPT_BIT(id)) != 0)
			option_help((enum option_id)id, out);
	fprintf(out, "\nexamples:\n  %s\n  %s\n", verb->example[0], verb->example[1]);
}
