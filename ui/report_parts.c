/*
 * Plots and verdicts of a report.  What these runs cannot show is left out
 * with its reason, and does not fail the report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart_picture.h"
#include "compare_text.h"
#include "report.h"

/* What a report tries to plot, in this order. */
static const struct wanted {
	const char *metric, *kind, *what;
	bool silent; /* that it cannot be is nothing to tell */
} wanted[] = {
	{ "usage", "series", "usage over time", false },
	{ "nr_reclaimed", "series", "pages reclaimed over time", false },
	{ "nr_to_scan", "histogram", "what shrink calls asked for", false },
	{ "waits", "locks", "waits for locks", true },
};

enum { NR_WANTED = sizeof(wanted) / sizeof(wanted[0]) };

/* The numbers behind the picture, for those who do not see it. */
static json_t *rows_of(const struct chart *chart)
{
	json_t *rows = json_array();
	char x[UNITS_TEXT_MAX], y[UNITS_TEXT_MAX];

	for (size_t s = 0; s < chart->nr_series; s++)
		for (size_t i = 0; i < chart->series[s].nr; i++) {
			const struct chart_point *point = &chart->series[s].point[i];

			snprintf(x, sizeof(x), "%.9g", point->x);
			snprintf(y, sizeof(y), "%.15g", point->y);
			json_array_append_new(
				rows,
				json_pack("{s:s,s:s,s:s}", "series", chart->series[s].label,
					  "x_value", chart->form == CHART_BARS ? chart->tick[i] : x,
					  "y_value", y));
		}
	return rows;
}

static enum err add_plot(const struct chart *chart, json_t *list, bool *missing, struct diag *diag)
{
	char prefix[32], x[CHART_WORDS], y[CHART_WORDS], *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	enum err err;

	if (file == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the plot");
	snprintf(prefix, sizeof(prefix), "plot%zu-", json_array_size(list) + 1);
	err = chart_picture_inline(chart, prefix, file, missing, diag);
	fclose(file);
	if (err == ERR_OK)
		json_array_append_new(
			list,
			json_pack("{s:s,s:s,s:s,s:s,s:o}", "title", chart->title, "picture",
				  text != NULL ? text : "", "x", chart_axis_text(&chart->x, x), "y",
				  chart_axis_text(&chart->y, y), "rows", rows_of(chart)));
	free(text);
	return err;
}

/* Returns: an error of drawing; a refusal becomes a line of the report. */
static enum err try_plot(const struct chart_ask *ask, const struct wanted *want, json_t *out,
			 bool *missing, struct diag *diag)
{
	struct chart *chart = calloc(1, sizeof(*chart));
	struct chart_ask asked = *ask;
	struct diag why = { .err = ERR_OK };
	enum err err;

	if (chart == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the plot");
	asked.metric = want->metric;
	asked.kind = want->kind;
	err = chart_fill(&asked, chart, &why);
	if (err == ERR_OK)
		err = add_plot(chart, json_object_get(out, "plots"), missing, diag);
	else if (err == ERR_USAGE && !want->silent)
		json_array_append_new(json_object_get(out, "refused"),
				      json_pack("{s:s,s:s}", "what", want->what, "text", why.text));
	else if (err != ERR_USAGE)
		diag_fail(diag, err, "%s", why.text);
	chart_free(chart);
	free(chart);
	return err == ERR_USAGE ? ERR_OK : err;
}

enum err report_plots(const struct chart_ask *ask, json_t **out, struct diag *diag)
{
	bool missing = false;
	enum err err = ERR_OK;

	*out = json_pack("{s:[],s:[],s:[]}", "plots", "refused", "missing");
	for (size_t i = 0; i < NR_WANTED && err == ERR_OK; i++)
		err = try_plot(ask, &wanted[i], *out, &missing, diag);
	if (missing)
		json_array_append_new(json_object_get(*out, "missing"),
				      json_pack("{s:s}", "text", gnuplot_install));
	return err;
}

/* ---- verdicts ---- */

/* By which name the page knows a figure of a comparison. */
static const struct {
	const char *name;
	enum compare_field field;
} fields[] = {
	{ "a", COMPARE_FIELD_MEAN_A },  { "b", COMPARE_FIELD_MEAN_B },
	{ "diff", COMPARE_FIELD_DIFF }, { "interval", COMPARE_FIELD_INTERVAL },
	{ "p", COMPARE_FIELD_P },       { "verdict", COMPARE_FIELD_VERDICT },
};

static json_t *verdict_row(const struct compare_metric *metric)
{
	json_t *row = json_pack("{s:s}", "name", metric->name);
	char text[COMPARE_TEXT_MAX];

	for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++)
		json_object_set_new(row, fields[k].name,
				    json_string(compare_text(metric, fields[k].field, 0, text)));
	return row;
}

static json_t *side_text(const struct compare_side *side)
{
	char text[128];

	snprintf(text, sizeof(text), "%zu run%s of %.80s", side->nr, side->nr == 1 ? "" : "s",
		 side->run.kernel);
	return json_string(text);
}

static json_t *comparison(const struct compare *compare)
{
	json_t *rows = json_array();
	char notes[COMPARE_NOTES_MAX];

	for (size_t i = 0; i < compare->nr_metrics; i++)
		if (compare->metric[i].verdict != COMPARE_EQUAL)
			json_array_append_new(rows, verdict_row(&compare->metric[i]));
	return json_pack("[{s:o,s:o,s:o,s:s}]", "nr_a", side_text(&compare->side[0]), "nr_b",
			 side_text(&compare->side[1]), "rows", rows, "notes",
			 compare_text_notes(compare, false, notes));
}

/* Of the first two runs; those of two scenarios, or with nothing to compare, say nothing. */
enum err report_compare(const struct chart_ask *ask, json_t **out, struct diag *diag)
{
	const struct compare_options options = { 0 };
	char a[32], b[32];
	const char *const ref[2] = { a, b };
	struct compare *compare = NULL;
	enum err err;

	*out = NULL;
	if (ask->nr < 2 || strcmp(ask->run[0].scenario, ask->run[1].scenario) != 0) {
		*out = json_array();
		return ERR_OK;
	}
	snprintf(a, sizeof(a), "%lld", (long long)ask->run[0].id);
	snprintf(b, sizeof(b), "%lld", (long long)ask->run[1].id);
	err = compare_open(ask->db, ref, &options, &compare, diag);
	*out = err == ERR_OK ? comparison(compare) : json_array();
	compare_free(compare);
	return err;
}
