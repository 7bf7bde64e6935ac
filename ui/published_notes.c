/*
 * What stands below the rows of a published table: its pairs of means by
 * Welch's test, and why some rows have no figure of the model.
 */
#include "published_notes.h"

#include <string.h>

#define CHANCE 0.05 /* a p below it is more than chance allows */

/* ---- pairs of means ---- */

/* Is this the first of the two rows of its name?  Then it stands for the pair. */
static bool pair_at(const struct published_table *table, const struct published_row *row,
		    struct student_welch *welch)
{
	if (row != table->row && strcmp(row[-1].row, row->row) == 0)
		return false;
	return published_welch(table, row->row, welch);
}

/* Careful words: what is beyond chance is not yet because of the patch. */
static const char *welch_words(const struct student_welch *welch)
{
	if (welch->p >= CHANCE)
		return "no difference beyond chance";
	return welch->diff < 0 ? "less, by more than chance allows"
			       : "more, by more than chance allows";
}

/* "cat-root  79.558 -> 77.233  -2.9 % (-3.2 to -2.6)  p 4e-12  less, ..." */
static void welch_text(FILE *out, const struct published_row *row,
		       const struct student_welch *welch)
{
	double share = 100 / row->value;

	fprintf(out, "  %-20s %-9s %10.12g -> %-10.12g %+6.2f %% (%+.2f to %+.2f)  p %-8.2g %s\n",
		row->row, row->unit, row[0].value, row[1].value, welch->diff * share,
		welch->low * share, welch->high * share, welch->p, welch_words(welch));
}

/* Only where spread and runs are published; elsewhere significance is not computed. */
void published_notes_welch(FILE *out, const struct published_table *table)
{
	struct student_welch welch;
	bool any = false;

	for (size_t i = 0; i < table->nr; i++) {
		if (!pair_at(table, &table->row[i], &welch))
			continue;
		if (!any)
			fprintf(out,
				"\nthe published pairs of %s, by Welch's test (95 %% interval)\n",
				table->name);
		any = true;
		welch_text(out, &table->row[i], &welch);
	}
}

void published_notes_welch_json(const struct published_table *table, json_t *list)
{
	struct student_welch welch;

	for (size_t i = 0; i < table->nr; i++)
		if (pair_at(table, &table->row[i], &welch))
			json_array_append_new(list, json_pack("{s:s,s:s,s:f,s:f,s:f,s:f,s:f,s:s}",
							      "table", table->name, "row",
							      table->row[i].row, "diff", welch.diff,
							      "low", welch.low, "high", welch.high,
							      "df", welch.df, "p", welch.p,
							      "verdict", welch_words(&welch)));
}

/* ---- gaps ---- */

/* Each row that is not modelled, once for all its sides, and why. */
void published_notes_gaps(FILE *out, const struct published_table *table)
{
	const struct published_row *row = table->row;
	bool any = false;

	for (size_t i = 0; i < table->nr; i++) {
		const char *why = published_why(table, &row[i]);
		bool told = false;

		for (size_t before = 0; before < i && !told; before++)
			told = row[before].run == NULL && strcmp(row[before].row, row[i].row) == 0;
		if (why == NULL || told)
			continue;
		if (!any)
			fprintf(out, "\nnot modelled of %s\n", table->name);
		any = true;
		fprintf(out, "  %-20s %s\n", row[i].row, why);
	}
}

void published_notes_gap_json(json_t *object, const struct published_table *table,
			      const struct published_row *row)
{
	if (row->run == NULL)
		json_object_set_new(object, "why", json_string(published_why(table, row)));
}
