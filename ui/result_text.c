/*
 * The comparison as people read it: which sides there are, the parameters,
 * the metrics with a column a side, and each expectation with its label,
 * our figure and the one it is held against.
 *
 * A dash is "no such value"; 0 is zero.  The scenario's own metrics stand
 * first, the engine's totals after them.
 */
#include "result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmt.h"
#include "kmem.h"
#include "output.h"

enum {
	SIDES_MAX = 16,
	DIGITS = 6,
	CELL_MAX = 2 * UNITS_TEXT_MAX + 8,
	HASH_SHOWN = 12,
	MIB = 1 << 20
};

/* Outcomes grouped by side, as side_of says. */
struct sides {
	const struct lab_outcome *outcome;
	size_t nr, nr_sides;
	const struct lab_outcome *first[SIDES_MAX];
};

/* Runs come seed by seed: the place among those of the same seed is the side. */
static size_t side_of(const struct sides *sides, size_t i)
{
	size_t place = 0;

	while (place < i && sides->outcome[i - place - 1].run.seed == sides->outcome[i].run.seed)
		place++;
	return place;
}

/* The first outcome of each side stands for its kernel. */
static void sides_find(struct sides *sides)
{
	for (size_t i = 0; i < sides->nr; i++) {
		size_t side = side_of(sides, i);

		if (side == sides->nr_sides && side < SIDES_MAX)
			sides->first[sides->nr_sides++] = &sides->outcome[i];
	}
}

/* NULL if this run has none of that name. */
static const struct db_metric *metric_of(const struct lab_outcome *outcome, const char *name)
{
	for (size_t i = 0; i < outcome->nr_metrics; i++)
		if (strcmp(outcome->metric[i].name, name) == 0)
			return &outcome->metric[i];
	return NULL;
}

/* ---- head ---- */

/* What the usage of a group is made of, in the order in which it is told. */
static const struct {
	const char *metric, *word;
} parts[] = {
	{ "rss_pages", "rss" },   { "cache_pages", "cache" }, { "unevictable_pages", "locked" },
	{ "kmem_pages", "kmem" }, { "stock_pages", "stock" }, { "queued_pages", "queued" },
};

/* The other figures that the head tells. */
static const char *const told[] = {
	"verdict", "verdict_group", "usage_pages", "working_set_pages", "can_be_dropped_pages",
};

enum { KMEM_NAME_MAX = 64 };

static const char *kmem_metric(enum kmem_part part, char out[KMEM_NAME_MAX])
{
	snprintf(out, KMEM_NAME_MAX, "%s_bytes", kmem_part_name(part));
	return out;
}

/* What stands in the head is left out of the table. */
static bool is_told(const char *name)
{
	char text[KMEM_NAME_MAX];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(parts[i].metric, name) == 0)
			return true;
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		if (strcmp(told[i], name) == 0)
			return true;
	for (int i = 0; i < NR_KMEM_PARTS; i++)
		if (strcmp(kmem_metric((enum kmem_part)i, text), name) == 0)
			return true;
	return false;
}

/* A figure of the head in groups of three; a dash if there is none. */
static const char *pages_text(const struct lab_outcome *outcome, const char *name,
			      char out[UNITS_TEXT_MAX])
{
	const struct db_metric *metric = metric_of(outcome, name);

	if (metric == NULL)
		snprintf(out, UNITS_TEXT_MAX, "-");
	else
		units_format_count(metric->integer, out);
	return out;
}

/* Kernel memory, to the byte, where there is any. */
static void put_kmem(const struct lab_outcome *outcome, FILE *out)
{
	char text[UNITS_TEXT_MAX], name[KMEM_NAME_MAX];
	bool any = false;

	for (int i = 0; i < NR_KMEM_PARTS; i++) {
		const char *metric = kmem_metric((enum kmem_part)i, name);

		if (metric_of(outcome, metric) == NULL)
			continue;
		fprintf(out, "%s %s %s",
			any ? " +" : "   kmem =", kmem_part_name((enum kmem_part)i),
			pages_text(outcome, metric, text));
		any = true;
	}
	if (any)
		fputs(" bytes\n", out);
}

/* The verdict, then three numbers of the group that it is about, and what the usage is. */
static void put_verdict(const struct lab_outcome *outcome, FILE *out)
{
	const struct db_metric *verdict = metric_of(outcome, "verdict");
	const struct db_metric *group = metric_of(outcome, "verdict_group");
	char text[UNITS_TEXT_MAX];

	if (verdict != NULL)
		fprintf(out, "   %s\n", verdict->text);
	if (verdict == NULL || group == NULL)
		return;
	fprintf(out, "   %s: usage %s pages", group->text,
		pages_text(outcome, "usage_pages", text));
	fprintf(out, ", working set %s", pages_text(outcome, "working_set_pages", text));
	fprintf(out, ", can be dropped %s\n   usage =",
		pages_text(outcome, "can_be_dropped_pages", text));
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		fprintf(out, "%s %s %s", i > 0 ? " +" : "", parts[i].word,
			pages_text(outcome, parts[i].metric, text));
	putc('\n', out);
	put_kmem(outcome, out);
}

/* The letter that stands above its column, the canonical name, and how long it took. */
static void put_kernel(const struct db_run *run, size_t side, FILE *out)
{
	char wall[UNITS_TEXT_MAX];

	fprintf(out, "%c  %s", (char)('A' + side), run->kernel);
	if (run->alias[0] != '\0')
		fprintf(out, " (%s)", run->alias);
	if (run->id != 0)
		fprintf(out, "  run %lld", (long long)run->id);
	fprintf(out, "  %s in %s\n", run_state_name(run->state),
		units_format_time(run->wall_ns, wall));
}

/* A number of whole mebibytes is most often a size: both ways to read it. */
static void put_param(const char *name, const json_t *value, FILE *out)
{
	char *dump = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);
	json_int_t bytes = json_integer_value(value);
	char size[UNITS_TEXT_MAX];

	fprintf(out, "  %s=%s", name, dump != NULL ? dump : json_string_value(value));
	if (bytes >= MIB && bytes % MIB == 0)
		fprintf(out, " (%s)", units_format_size((bytes_t)bytes, size));
	free(dump);
}

/* All but the seed, which begins the line. */
static void put_params(const char *text, FILE *out)
{
	json_t *params = json_loads(text != NULL ? text : "{}", 0, NULL);

	for (void *p = json_object_iter(params); p != NULL; p = json_object_iter_next(params, p))
		if (strcmp(json_object_iter_key(p), "seed") != 0)
			put_param(json_object_iter_key(p), json_object_iter_value(p), out);
	putc('\n', out);
	json_decref(params);
}

/* What both sides share once, then a line a side. */
static void put_head(const struct sides *sides, FILE *out)
{
	const struct db_run *run = &sides->outcome[0].run;
	uint64_t last = sides->outcome[sides->nr - 1].run.seed;

	fprintf(out, "%s  seed%s %llu", run->scenario, last != run->seed ? "s" : "",
		(unsigned long long)run->seed);
	if (last != run->seed)
		fprintf(out, " to %llu", (unsigned long long)last);
	put_params(run->params, out);
	for (size_t i = 0; i < sides->nr_sides; i++) {
		put_kernel(&sides->first[i]->run, sides->outcome[0].side + i, out);
		put_verdict(sides->first[i], out);
	}
	for (size_t i = 0; i < sides->nr; i++)
		if (sides->outcome[i].run.error != NULL)
			fprintf(out, "error of run %lld: %s\n", (long long)sides->outcome[i].run.id,
				sides->outcome[i].run.error);
	putc('\n', out);
}

/* ---- metrics ---- */

/* The engine counts it in every run. */
static bool is_total(const char *name)
{
	for (size_t i = 0; i < run_totals_count(); i++)
		if (strcmp(run_totals_at(i)->name, name) == 0)
			return true;
	return strcmp(name, "state_hash") == 0;
}

/* Reals and integers are compared as one. */
static double metric_number(const struct db_metric *metric)
{
	return metric->is_real ? metric->real : (double)metric->integer;
}

/* Over the seeds of one side. */
static bool metric_text_varies(const struct sides *sides, size_t side, const struct db_metric *m)
{
	for (size_t i = 0; i < sides->nr; i++) {
		const struct db_metric *other = metric_of(&sides->outcome[i], m->name);

		if (side_of(sides, i) == side && other != NULL && strcmp(other->text, m->text) != 0)
			return true;
	}
	return false;
}

/* One value, or the smallest and the largest over the seeds of a side; a dash for none. */
static void metric_format(const struct sides *sides, size_t side, const struct db_metric *metric,
			  char out[CELL_MAX])
{
	double low = HUGE_VAL, high = -HUGE_VAL;
	char least[UNITS_TEXT_MAX], most[UNITS_TEXT_MAX];

	if (metric->is_text) {
		snprintf(out, CELL_MAX, "%.*s",
			 strcmp(metric->name, "state_hash") == 0 ? HASH_SHOWN : CELL_MAX - 1,
			 metric_text_varies(sides, side, metric) ? "varies" : metric->text);
		return;
	}
	for (size_t i = 0; i < sides->nr; i++) {
		const struct db_metric *m = metric_of(&sides->outcome[i], metric->name);

		if (m == NULL || m->missing || side_of(sides, i) != side)
			continue;
		low = fmin(low, metric_number(m));
		high = fmax(high, metric_number(m));
	}
	if (low > high) {
		strcpy(out, "-");
		return;
	}
	fmt_real(low, DIGITS, least);
	fmt_real(high, DIGITS, most);
	snprintf(out, CELL_MAX, "%s%s%s", least, high > low ? " .. " : "", high > low ? most : "");
}

/* A column a side. */
static enum err put_metric(struct output *table, const struct sides *sides,
			   const struct db_metric *metric, struct diag *diag)
{
	char cell[SIDES_MAX][CELL_MAX];
	const char *values[SIDES_MAX + 2] = { metric->name, metric->unit };
	int types[SIDES_MAX + 2] = { OUTPUT_TEXT, OUTPUT_TEXT };

	for (size_t s = 0; s < sides->nr_sides; s++) {
		const struct db_metric *m = metric_of(sides->first[s], metric->name);

		strcpy(cell[s], "-");
		if (m != NULL)
			metric_format(sides, s, m, cell[s]);
		values[s + 2] = cell[s];
		types[s + 2] = OUTPUT_REAL;
	}
	return output_row(table, (int)sides->nr_sides + 2, values, types, diag);
}

/* Has an earlier side shown this metric already? */
static bool is_shown(const struct sides *sides, size_t side, const char *name)
{
	for (size_t s = 0; s < side; s++)
		if (metric_of(sides->first[s], name) != NULL)
			return true;
	return false;
}

/* Metrics that any side has, in the order of the first that has them. */
static enum err put_metrics_of(struct output *table, const struct sides *sides, bool totals,
			       struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t s = 0; s < sides->nr_sides; s++)
		for (size_t i = 0; i < sides->first[s]->nr_metrics && err == ERR_OK; i++) {
			const struct db_metric *metric = &sides->first[s]->metric[i];

			if (is_told(metric->name))
				continue;
			if (is_total(metric->name) == totals && !is_shown(sides, s, metric->name))
				err = put_metric(table, sides, metric, diag);
		}
	return err;
}

/* The scenario's own figures first: they are what it is about. */
static enum err put_metrics(const struct sides *sides, const struct output_style *style, FILE *out,
			    struct diag *diag)
{
	static const char letters[SIDES_MAX][2] = { "A", "B", "C", "D", "E", "F", "G", "H",
						    "I", "J", "K", "L", "M", "N", "O", "P" };
	const char *names[SIDES_MAX + 2] = { "metric", "unit" };
	struct output *table;
	enum err err = output_table(style, out, &table, diag);

	for (size_t s = 0; s < sides->nr_sides; s++)
		names[s + 2] = letters[(sides->outcome[0].side + s) % SIDES_MAX];
	if (err == ERR_OK)
		err = output_head(table, (int)sides->nr_sides + 2, names, diag);
	if (err == ERR_OK)
		err = put_metrics_of(table, sides, false, diag);
	if (err == ERR_OK)
		err = put_metrics_of(table, sides, true, diag);
	if (err == ERR_OK)
		err = output_end(table, diag);
	output_free(table);
	return err;
}

/* ---- expectations ---- */

/* The side of outcome @i: a letter, and its seed if there are several. */
static void side_name(const struct sides *sides, size_t i, char *out, size_t size)
{
	uint64_t seed = sides->outcome[i].run.seed;
	char letter = (char)('A' + sides->outcome[0].side + side_of(sides, i));

	if (seed != sides->outcome[0].run.seed || seed != sides->outcome[sides->nr - 1].run.seed)
		snprintf(out, size, "%c seed %llu", letter, (unsigned long long)seed);
	else
		snprintf(out, size, "%c", letter);
}

/* Ours beside what was wanted; a dash where the expectation is no comparison of numbers. */
static enum err put_expect(struct output *table, const struct sides *sides, size_t i,
			   const struct db_expect *expect, struct diag *diag)
{
	char name[40], value[UNITS_TEXT_MAX] = "-", wanted[UNITS_TEXT_MAX] = "-";
	const char *values[] = { name,          expect->ok ? "ok" : "FAIL",
				 expect->label, value,
				 wanted,        expect->text };
	static const int types[] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT,
				     OUTPUT_REAL, OUTPUT_REAL, OUTPUT_TEXT };

	side_name(sides, i, name, sizeof(name));
	if (expect->has_value)
		fmt_real(expect->value, DIGITS, value);
	if (expect->has_wanted)
		fmt_real(expect->wanted, DIGITS, wanted);
	return output_row(table, 6, values, types, diag);
}

/* Grouped as the runs are: first A, then B, seed by seed. */
static enum err put_expects(const struct sides *sides, const struct output_style *style, FILE *out,
			    struct diag *diag)
{
	static const char *const names[] = { "side", "result", "label",
					     "ours", "wanted", "expectation" };
	struct output *table;
	enum err err = output_table(style, out, &table, diag);

	fputc('\n', out);
	if (err == ERR_OK)
		err = output_head(table, 6, names, diag);
	for (size_t i = 0; i < sides->nr; i++)
		for (size_t e = 0; e < sides->outcome[i].nr_expects && err == ERR_OK; e++)
			err = put_expect(table, sides, i, &sides->outcome[i].expect[e], diag);
	if (err == ERR_OK)
		err = output_end(table, diag);
	output_free(table);
	return err;
}

/* Nothing at all for no outcome: the error says why there is none. */
enum err result_text(const struct lab_outcome *outcome, size_t nr, const struct output_style *style,
		     FILE *out, struct diag *diag)
{
	struct sides sides = { .outcome = outcome, .nr = nr };
	size_t total;
	enum err err;

	if (nr == 0)
		return ERR_OK;
	sides_find(&sides);
	put_head(&sides, out);
	err = put_metrics(&sides, style, out, diag);
	result_failed(outcome, nr, &total);
	if (err == ERR_OK && total > 0)
		err = put_expects(&sides, style, out, diag);
	return err;
}
