/*
 * A sweep as it is shown: numbers and sentences for people, rows and one
 * object for programs.  Settings of which nothing is done have no row.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result.h"
#include "sweep.h"

enum { DIGITS = 15, NUMBER_MAX = 48 };

/* ---- words ---- */

static const char *const size_suffixes[] = { "", "K", "M", "G", "T", "P" };
static const char *const time_suffixes[] = { "ns", "us", "ms", "s" };

/* How the numbers of a type of parameter are shortened. */
struct shortening {
	const char *type;
	double by;
	const char *const *suffix;
	size_t nr;
};

static const struct shortening shortenings[] = {
	{ "size", 1024, size_suffixes, 6 },
	{ "time", 1000, time_suffixes, 4 },
};

static const char *type_of(const struct script *script, const char *name)
{
	struct script_param param;

	for (size_t i = 0; i < script_param_count(script); i++) {
		script_param(script, i, &param);
		if (strcmp(param.name, name) == 0)
			return param.type;
	}
	return "";
}

char *sweep_number(const struct script *script, const char *name, double value,
		   char out[SWEEP_TEXT_MAX])
{
	const char *type = type_of(script, name), *suffix = "";

	for (size_t i = 0; i < sizeof(shortenings) / sizeof(shortenings[0]); i++) {
		const struct shortening *way = &shortenings[i];
		size_t step = 0;

		if (strcmp(way->type, type) != 0)
			continue;
		for (; step + 1 < way->nr && fabs(value) >= way->by; step++)
			value /= way->by;
		suffix = way->suffix[step];
	}
	snprintf(out, SWEEP_TEXT_MAX, "%.4g%s", value, suffix);
	return out;
}

/* The same of the only axis. */
static char *along(const struct sweep *sweep, double value, char out[SWEEP_TEXT_MAX])
{
	return sweep_number(sweep->points->script, sweep->points->axis[0].name, value, out);
}

/* What is known of how far off the mean may be. */
static void put_interval(const struct sweep *sweep, const struct crossing *c, char *out,
			 size_t size)
{
	char low[SWEEP_TEXT_MAX], high[SWEEP_TEXT_MAX];

	if (c->has_interval)
		snprintf(out, size, "95 %% interval %.30s to %.30s over %zu paired seeds",
			 along(sweep, c->low, low), along(sweep, c->high, high), c->nr);
	else if (c->nr == 1)
		snprintf(out, size, "one seed, so no interval");
	else if (c->nr_at == c->nr)
		snprintf(out, size, "the same in all %zu seeds", c->nr);
	else
		snprintf(out, size, "in %zu of %zu seeds, so no interval; %zu never, %zu always",
			 c->nr_at, c->nr, c->nr_never + c->nr_equal, c->nr_always);
}

/* Where nothing crosses: one sentence, unless seeds disagree. */
static void put_no_crossing(const struct crossing *c, bool judged, char *out, size_t size)
{
	const char *place = judged ? "ahead of" : "above";

	if (c->nr_unknown > 0)
		snprintf(out, size, "cannot be told: not every run has a figure");
	else if (c->nr_equal == c->nr)
		snprintf(out, size, "A and B are equal at every value");
	else if (c->nr_always == 0)
		snprintf(out, size, "B is never %s A", place);
	else if (c->nr_always == c->nr)
		snprintf(out, size, "B is %s A from the first value on%s", place,
			 c->nr_back > 0 ? ", but not up to the last" : "");
	else
		snprintf(out, size,
			 "B is %s A from the first value on in %zu of %zu seeds, and never in the "
			 "rest",
			 place, c->nr_always, c->nr);
}

char *sweep_sentence(const struct sweep *sweep, size_t metric, const struct crossing *c,
		     char out[SWEEP_SENTENCE_MAX])
{
	char at[SWEEP_TEXT_MAX], after[SWEEP_TEXT_MAX], upto[SWEEP_TEXT_MAX];
	char interval[SWEEP_TEXT_MAX];
	/* Without a better side nobody is ahead: B gets to be the larger one. */
	bool judged = sweep->metric[metric].better[0] != '\0';

	if (c->nr_at == 0 || c->nr_unknown > 0) {
		put_no_crossing(c, judged, out, SWEEP_SENTENCE_MAX);
		return out;
	}
	put_interval(sweep, c, interval, sizeof(interval));
	snprintf(out, SWEEP_SENTENCE_MAX, "B %s A at %.30s = %.20s (between %.20s and %.20s; %s)%s",
		 judged ? "overtakes" : "rises above", sweep->points->axis[0].name,
		 along(sweep, c->mean, at), along(sweep, c->after, after),
		 along(sweep, c->upto, upto), interval,
		 c->nr_back > 0 ? ", and not up to the last value" : "");
	return out;
}

/* ---- rows ---- */

/* A row as it is put together: at most as many cells as there may be columns. */
struct row {
	char text[OUTPUT_COLUMNS_MAX][SWEEP_TEXT_MAX];
	const char *value[OUTPUT_COLUMNS_MAX];
	int type[OUTPUT_COLUMNS_MAX];
	int nr;
};

static char *cell_new(struct row *row, int type)
{
	row->type[row->nr] = type;
	row->value[row->nr] = row->text[row->nr];
	return row->text[row->nr++];
}

/* Whole numbers in groups of three, others with six digits. */
static const char *number_text(double value, char out[NUMBER_MAX])
{
	char text[UNITS_TEXT_MAX];

	if (value == floor(value) && fabs(value) < 1e15)
		snprintf(out, NUMBER_MAX, "%s", units_format_count((int64_t)value, text));
	else
		snprintf(out, NUMBER_MAX, "%.6g", value);
	return out;
}

static void put_for_people(struct row *row, const struct sweep_summary *sum)
{
	char mean[NUMBER_MAX], least[NUMBER_MAX], most[NUMBER_MAX];
	char *out = cell_new(row, OUTPUT_TEXT);

	if (sum->nr == 0)
		strcpy(out, "-");
	else if (sum->least == sum->most)
		snprintf(out, SWEEP_TEXT_MAX, "%s", number_text(sum->mean, mean));
	else
		snprintf(out, SWEEP_TEXT_MAX, "%s (%s .. %s)", number_text(sum->mean, mean),
			 number_text(sum->least, least), number_text(sum->most, most));
}

static void put_real(struct row *row, const struct sweep_summary *sum, double value)
{
	char *out = cell_new(row, sum->nr > 0 ? OUTPUT_REAL : OUTPUT_NULL);

	snprintf(out, SWEEP_TEXT_MAX, "%.*g", DIGITS, value);
	if (sum->nr == 0)
		row->value[row->nr - 1] = NULL;
}

static void put_axes(struct row *row, const struct sweep *sweep, size_t setting, bool people)
{
	const struct lab_sweep *points = sweep->points;

	for (size_t i = 0; i < points->nr_axes; i++) {
		const struct values *values = &points->axis[i].values;
		const struct values_one *one = &values->one[lab_sweep_value(points, setting, i)];

		if (people || !values->numeric)
			strcpy(cell_new(row, OUTPUT_TEXT), one->text);
		else
			snprintf(cell_new(row, OUTPUT_INTEGER), SWEEP_TEXT_MAX, "%lld",
				 (long long)one->number);
	}
}

static bool row_make(struct row *row, const struct sweep *sweep, size_t setting, size_t side,
		     bool people)
{
	const struct era *era = &sweep->points->era[side];
	struct sweep_summary sum;
	size_t done = 0;

	row->nr = 0;
	put_axes(row, sweep, setting, people);
	snprintf(cell_new(row, OUTPUT_TEXT), SWEEP_TEXT_MAX, "%.127s",
		 people && era->alias[0] != '\0' ? era->alias : era->name);
	cell_new(row, OUTPUT_INTEGER);
	for (size_t m = 0; m < sweep->nr_metrics; m++) {
		sweep_summary(sweep, setting, side, m, &sum);
		done = sum.done;
		if (people) {
			put_for_people(row, &sum);
			continue;
		}
		put_real(row, &sum, sum.mean);
		put_real(row, &sum, sum.least);
		put_real(row, &sum, sum.most);
	}
	snprintf(row->text[sweep->points->nr_axes + 1], SWEEP_TEXT_MAX, "%zu", done);
	return done > 0;
}

static void head_make(struct row *row, const struct sweep *sweep, bool people)
{
	static const char *const parts[] = { "", "_min", "_max" };

	row->nr = 0;
	for (size_t i = 0; i < sweep->points->nr_axes; i++)
		snprintf(cell_new(row, OUTPUT_TEXT), SWEEP_TEXT_MAX, "%.63s",
			 sweep->points->axis[i].name);
	strcpy(cell_new(row, OUTPUT_TEXT), "kernel");
	strcpy(cell_new(row, OUTPUT_TEXT), "seeds");
	for (size_t m = 0; m < sweep->nr_metrics; m++)
		for (size_t part = 0; part < (people ? 1 : 3); part++)
			snprintf(cell_new(row, OUTPUT_TEXT), SWEEP_TEXT_MAX, "%.100s%s",
				 sweep->metric[m].name, parts[part]);
}

static enum err write_rows(const struct sweep *sweep, const struct output_style *style, bool people,
			   FILE *file, struct diag *diag)
{
	const struct lab_sweep *points = sweep->points;
	struct output *out;
	struct row row;
	enum err err = output_new(style, file, &out, diag);

	head_make(&row, sweep, people);
	if (err == ERR_OK)
		err = output_head(out, row.nr, row.value, diag);
	for (size_t i = 0; i < points->nr_settings * points->nr_eras && err == ERR_OK; i++)
		if (row_make(&row, sweep, i / points->nr_eras, i % points->nr_eras, people))
			err = output_row(out, row.nr, row.value, row.type, diag);
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

/* ---- json ---- */

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *value_json(const struct values *values, size_t i)
{
	return values->numeric ? json_integer(values->one[i].number)
			       : json_string(values->one[i].text);
}

static json_t *axes_json(const struct sweep *sweep)
{
	json_t *axes = json_object();

	for (size_t i = 0; i < sweep->points->nr_axes; i++) {
		const struct lab_axis *axis = &sweep->points->axis[i];
		json_t *list = json_array();

		for (size_t v = 0; v < axis->values.nr; v++)
			json_array_append_new(list, value_json(&axis->values, v));
		json_object_set_new(axes, axis->name, list);
	}
	return axes;
}

static json_t *runs_json(const struct sweep *sweep, size_t setting, size_t side)
{
	const struct lab_sweep *points = sweep->points;
	json_t *list = json_array();

	for (size_t seed = 0; seed < points->nr_seeds; seed++) {
		size_t point = setting * points->nr_seeds + seed;
		const struct sweep_cell *cell = &sweep->cell[point * points->nr_eras + side];

		if (cell->done)
			json_array_append_new(list, json_integer(cell->run));
	}
	return list;
}

/* One setting on one kernel. */
static json_t *point_json(const struct sweep *sweep, size_t setting, size_t side)
{
	const struct lab_sweep *points = sweep->points;
	json_t *params = json_object(), *metrics = json_object();
	struct sweep_summary sum = { .done = 0 };

	for (size_t i = 0; i < points->nr_axes; i++)
		json_object_set_new(params, points->axis[i].name,
				    value_json(&points->axis[i].values,
					       lab_sweep_value(points, setting, i)));
	for (size_t m = 0; m < sweep->nr_metrics; m++) {
		sweep_summary(sweep, setting, side, m, &sum);
		json_object_set_new(metrics, sweep->metric[m].name,
				    json_pack("{s:o,s:o,s:o}", "mean", real_or_null(sum.mean),
					      "min", real_or_null(sum.least), "max",
					      real_or_null(sum.most)));
	}
	return json_pack("{s:o,s:s,s:s,s:I,s:o,s:o}", "params", params, "kernel",
			 points->era[side].name, "alias", points->era[side].alias, "seeds",
			 (json_int_t)sum.done, "runs", runs_json(sweep, setting, side), "metrics",
			 metrics);
}

static json_t *crossings_json(const struct sweep *sweep)
{
	json_t *list = json_array();
	char text[SWEEP_SENTENCE_MAX];
	struct crossing c;

	for (size_t m = 0; m < sweep->nr_metrics; m++) {
		if (!sweep_crossing(sweep, m, &c))
			continue;
		json_array_append_new(
			list,
			json_pack("{s:s,s:s,s:I,s:I,s:o,s:o,s:o}", "metric", sweep->metric[m].name,
				  "text", sweep_sentence(sweep, m, &c, text), "seeds",
				  (json_int_t)c.nr, "crossing", (json_int_t)c.nr_at, "at",
				  real_or_null(c.nr_at > 0 ? c.mean : NAN), "low",
				  real_or_null(c.has_interval ? c.low : NAN), "high",
				  real_or_null(c.has_interval ? c.high : NAN)));
	}
	return list;
}

static enum err write_json(const struct sweep *sweep, FILE *out, struct diag *diag)
{
	const struct lab_sweep *points = sweep->points;
	json_t *list = json_array();

	for (size_t i = 0; i < points->nr_settings * points->nr_eras; i++) {
		json_t *point = point_json(sweep, i / points->nr_eras, i % points->nr_eras);

		if (json_integer_value(json_object_get(point, "seeds")) > 0)
			json_array_append(list, point);
		json_decref(point);
	}
	return result_dump(json_pack("{s:s,s:o,s:o,s:o}", "scenario", script_name(points->script),
				     "axes", axes_json(sweep), "points", list, "crossings",
				     crossings_json(sweep)),
			   out, diag);
}

/* ---- the whole ---- */

static enum err write_table(const struct sweep *sweep, const struct output_style *style, FILE *out,
			    struct diag *diag)
{
	char text[SWEEP_SENTENCE_MAX];
	struct crossing c;
	enum err err = write_rows(sweep, style, true, out, diag);

	for (size_t m = 0; m < sweep->nr_metrics && err == ERR_OK; m++)
		if (sweep_crossing(sweep, m, &c))
			fprintf(out, "%s%s: %s\n", m == 0 ? "\n" : "", sweep->metric[m].name,
				sweep_sentence(sweep, m, &c, text));
	return err == ERR_OK ? output_check(out, diag) : err;
}

/* Formats that somebody reads, where a mean may stand beside its range. */
static const char *const people_formats[] = { "table", "box", "markdown", "html", "line" };

bool sweep_for_people(const char *format)
{
	for (size_t i = 0; i < sizeof(people_formats) / sizeof(people_formats[0]); i++)
		if (strcmp(people_formats[i], format) == 0)
			return true;
	return false;
}

enum err sweep_write(const struct sweep *sweep, const struct output_style *style, FILE *out,
		     struct diag *diag)
{
	if (strcmp(style->format, "table") == 0)
		return write_table(sweep, style, out, diag);
	if (strcmp(style->format, "json") == 0)
		return write_json(sweep, out, diag);
	return write_rows(sweep, style, sweep_for_people(style->format), out, diag);
}
