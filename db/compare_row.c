/*
 * The cells of a row.  What there is not is null, never 0.
 */
#include "compare_row.h"

#include <assert.h>

#include <sqlite3.h>

static const char *const names[NR_COMPARE_COLUMNS] = {
	[COMPARE_METRIC] = "metric", [COMPARE_A] = "a",           [COMPARE_B] = "b",
	[COMPARE_DIFF] = "diff",     [COMPARE_VERDICT] = "verdict", [COMPARE_UNIT] = "unit",
	[COMPARE_EXACT] = "exact",   [COMPARE_A_NR] = "a_nr",     [COMPARE_A_MEAN] = "a_mean",
	[COMPARE_A_SD] = "a_sd",     [COMPARE_B_NR] = "b_nr",     [COMPARE_B_MEAN] = "b_mean",
	[COMPARE_B_SD] = "b_sd",     [COMPARE_LOW] = "low",       [COMPARE_HIGH] = "high",
	[COMPARE_P] = "p",           [COMPARE_P_HOLM] = "p_holm", [COMPARE_WHY] = "why",
};

const char *compare_column_name(enum compare_column column)
{
	assert((unsigned)column < NR_COMPARE_COLUMNS);
	return names[column];
}

static struct compare_cell text_cell(const char *text)
{
	return (struct compare_cell){ .type = text != NULL ? SQLITE_TEXT : SQLITE_NULL,
				      .text = text };
}

static struct compare_cell integer_cell(int64_t value)
{
	return (struct compare_cell){ .type = SQLITE_INTEGER, .integer = value };
}

static struct compare_cell real_cell(bool has, double value)
{
	return (struct compare_cell){ .type = has ? SQLITE_FLOAT : SQLITE_NULL, .real = value };
}

/* nr, mean and sd of a side.  One value has no spread that it could tell of. */
static struct compare_cell side_cell(const struct compare_metric *metric, int side, unsigned which)
{
	const struct student_summary *of = &metric->of[side];

	if (which == 0)
		return integer_cell(of->nr);
	if (which == 1 && metric->is_text)
		return text_cell(of->nr > 0 ? metric->text[side] : NULL);
	if (which == 1)
		return real_cell(of->nr > 0, of->mean);
	return real_cell(of->nr > 1 && !metric->is_text, of->sd);
}

struct compare_cell compare_cell(const struct compare *compare, size_t i,
				 enum compare_column column)
{
	const struct compare_metric *metric = &compare->metric[i];

	switch (column) {
	case COMPARE_METRIC:
		return text_cell(metric->name);
	case COMPARE_A:
	case COMPARE_B:
		return integer_cell(compare->side[column - COMPARE_A].run.id);
	case COMPARE_DIFF:
		return real_cell(metric->has_diff, metric->diff);
	case COMPARE_VERDICT:
		return text_cell(compare_verdict_name(metric->verdict));
	case COMPARE_UNIT:
		return text_cell(metric->unit);
	case COMPARE_EXACT:
		return integer_cell(metric->exact);
	case COMPARE_LOW:
		return real_cell(metric->has_interval, metric->low);
	case COMPARE_HIGH:
		return real_cell(metric->has_interval, metric->high);
	case COMPARE_P:
		return real_cell(metric->has_p, metric->p);
	case COMPARE_P_HOLM:
		return real_cell(metric->has_p, metric->p_holm);
	case COMPARE_WHY:
		return text_cell(metric->why);
	default:
		return side_cell(metric, column >= COMPARE_B_NR,
				 (unsigned)(column - COMPARE_A_NR) % 3);
	}
}

static json_t *cell_json(const struct compare_cell *cell, bool is_bool)
{
	json_t *value = NULL;

	if (is_bool)
		value = json_boolean(cell->integer);
	else if (cell->type == SQLITE_INTEGER)
		value = json_integer(cell->integer);
	else if (cell->type == SQLITE_FLOAT)
		value = json_real(cell->real); /* NULL for infinity, which JSON has not */
	else if (cell->type == SQLITE_TEXT)
		value = json_string(cell->text);
	return value != NULL ? value : json_null();
}

json_t *compare_row_json(const struct compare *compare, size_t i)
{
	json_t *object = json_object();

	for (int c = 0; c < NR_COMPARE_COLUMNS; c++) {
		struct compare_cell cell = compare_cell(compare, i, (enum compare_column)c);

		json_object_set_new(object, names[c], cell_json(&cell, c == COMPARE_EXACT));
	}
	return object;
}
