/*
 * One table of the constants of time: knobs with unit, default and status,
 * and under each the published rows that it was fitted to.  Both come from
 * the tables that runs and checks read, so nothing is said twice.
 */
#include "help_time.h"

#include <string.h>

#include "knob.h"
#include "published.h"

enum { WIDTH = 80 };

/* What is counted or kept for a time, and takes none itself. */
static const char *const switches[] = { "preempt", "lock_lines" };

static bool is_switch(const char *name)
{
	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++)
		if (strcmp(switches[i], name) == 0)
			return true;
	return false;
}

static void row_of(FILE *out, const struct published_fit *fit)
{
	fprintf(out, "    fitted to %s: row %s, %s\n", fit->table, fit->row, fit->side);
}

/* Words in lines of WIDTH columns, set in. */
static void wrapped(FILE *out, const char *text)
{
	int at = 0;

	for (int word; *text != '\0'; text += word + (text[word] == ' ')) {
		word = (int)strcspn(text, " ");
		if (at == 0 || at + 1 + word > WIDTH) {
			fprintf(out, "%s    %.*s", at == 0 ? "" : "\n", word, text);
			at = 4 + word;
			continue;
		}
		fprintf(out, " %.*s", word, text);
		at += 1 + word;
	}
	fputc('\n', out);
}

static void knobs_of_time(FILE *out)
{
	const struct published_set *set = published_all();

	for (size_t i = 0; i < knob_count(); i++) {
		const struct knob_desc *knob = knob_at(i);

		if (strcmp(knob->unit, "ns") != 0 && !is_switch(knob->name))
			continue;
		fprintf(out, "%-18s %11lld %-2s   %s\n", knob->name, (long long)knob->def,
			knob->unit, knob->status);
		wrapped(out, knob->doc);
		for (size_t f = 0; f < set->nr_fits; f++)
			if (set->fit[f].scenario == NULL &&
			    strcmp(set->fit[f].constant, knob->name) == 0)
				row_of(out, &set->fit[f]);
	}
}

/* A parameter is printed once, with all of its rows. */
static void parameters(FILE *out)
{
	const struct published_set *set = published_all();

	for (size_t i = 0; i < set->nr_fits; i++) {
		const struct published_fit *fit = &set->fit[i];
		const struct published_fit *before = i > 0 ? &set->fit[i - 1] : NULL;

		if (fit->scenario == NULL)
			continue;
		if (before == NULL || before->scenario == NULL ||
		    strcmp(before->constant, fit->constant) != 0 ||
		    strcmp(before->scenario, fit->scenario) != 0)
			fprintf(out, "%-18s %11.10g      %s\n", fit->constant, fit->value,
				fit->scenario);
		row_of(out, fit);
	}
}

void help_time(FILE *out)
{
	fputs("time: nothing takes time but by one of these constants\n\n"
	      "A knob is set in a scenario: lab.machine { knobs = { fault_ns = 2000 } }.\n"
	      "What is calibrated names the published rows that it was fitted to; what is\n"
	      "assumed is plausible and follows from no measurement; kernel is a default of\n"
	      "the source.\n\n",
	      out);
	knobs_of_time(out);
	fputs("\nparameters of scenarios that were fitted\n\n", out);
	parameters(out);
}
