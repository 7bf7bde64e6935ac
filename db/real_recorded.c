/*
 * What was recorded, as figures: one a counter, phase, task and run.  The
 * flushes are read apart from everything else, because they alone may be
 * known before predicting.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "real_check.h"
#include "real_count.h"
#include "real_csv.h"

/* Reads rows of one experiment into figures. */
struct reader {
	struct real_csv csv;
	struct real_figures *out;
	struct real_figure figure;	/* the row's run, phase and owner */
	struct diag *diag;
};

/* ---- columns ---- */

typedef enum err column_fn(struct reader *r, const char *name, const char *text);

/* A figure of the row that is being read. */
static enum err put(struct reader *r, int64_t value)
{
	r->figure.value = value;
	return real_figures_add(r->out, &r->figure, r->diag);
}

/* The column's name is the counter's. */
static enum err put_number(struct reader *r, const char *name, const char *text)
{
	char *end;

	snprintf(r->figure.counter, REAL_WORD_MAX, "%s", name);
	errno = 0;
	r->figure.value = strtoll(text, &end, 10);
	if (end == text || *end != '\0' || errno)
		return real_csv_wrong(&r->csv, name, text, r->diag);
	return put(r, r->figure.value);
}

/* Hexadecimal; all 64 bits are kept. */
static enum err put_hash(struct reader *r, const char *name, const char *text)
{
	char *end;
	enum err err;

	snprintf(r->figure.counter, REAL_WORD_MAX, "%s", name);
	r->figure.is_hash = true;
	errno = 0;
	err = put(r, (int64_t)strtoull(text, &end, 16));
	if (end == text || *end != '\0' || errno)
		err = real_csv_wrong(&r->csv, name, text, r->diag);
	r->figure.is_hash = false;
	return err;
}

/* "NAME=5 NAME=7 " or "12:5 11:7 ": a counter each. */
static enum err put_list(struct reader *r, const char *name, const char *text)
{
	enum err err = ERR_OK;
	size_t len;

	for (; *text != '\0' && err == ERR_OK; text += len) {
		size_t word = strcspn(text, "=:");
		char *end = NULL;

		snprintf(r->figure.counter, REAL_WORD_MAX, "%s:%.*s", name, (int)word, text);
		len = strcspn(text, " ");
		if (word < len)
			r->figure.value = strtoll(text + word + 1, &end, 10);
		if (word >= len || end != text + len)
			return real_csv_wrong(&r->csv, name, text, r->diag);
		err = put(r, r->figure.value);
		len += strspn(text + len, " ");
	}
	return err;
}

/* Columns that name the row, and those that the model says nothing about. */
static enum err put_nothing(struct reader *r, const char *name, const char *text)
{
	(void)r;
	(void)name;
	(void)text;
	return ERR_OK;
}

struct column {
	const char *name;
	column_fn *read;
};

/* Those that are no plain numbers, and those that the model says nothing about. */
static const struct column columns[] = {
	{ "exp", put_nothing }, { "rep", put_nothing }, { "no", put_nothing },
	{ "phase", put_nothing }, { "mark", put_nothing }, { "task", put_nothing },
	{ "group", put_nothing }, { "prio", put_list }, { "added", put_list },
	{ "deleted", put_list }, { "folio_orders", put_nothing }, { "add_hash", put_hash },
	{ "del_hash", put_hash }, { "flush_at", put_nothing },
};

/* A column that is not in the table is a counter, so a record with more of them is read too. */
static column_fn *column_reader(const char *name)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (strcmp(columns[i].name, name) == 0)
			return columns[i].read;
	return put_number;
}

/* ---- rows ---- */

/* How many phases of this run had the same name before: phases come in order. */
static unsigned occurrence(const struct real_figures *figures, const struct real_figure *row)
{
	unsigned n = 0, last = row->no;

	for (size_t i = figures->nr; i-- > 0;) {
		const struct real_figure *f = &figures->figure[i];

		if (f->rep != row->rep)
			break;
		if (f->no < last) {
			last = f->no;
			n += strcmp(f->phase, row->phase) == 0;
		}
	}
	return n;
}

/* Every column of one phase and task, or of one mark and group. */
static enum err read_row(struct reader *r, const char *phase, const char *who)
{
	int64_t rep = 0, no = 0;
	enum err err = real_csv_number(&r->csv, "rep", &rep, r->diag);

	if (err == ERR_OK)
		err = real_csv_number(&r->csv, "no", &no, r->diag);
	if (err != ERR_OK)
		return err;
	if (rep < 1 || rep > REAL_RUNS || no < 0)
		return real_csv_wrong(&r->csv, "no such run or phase",
				      real_csv_text(&r->csv, "rep"), r->diag);
	r->figure = (struct real_figure){ .rep = (unsigned)rep, .no = (unsigned)no };
	snprintf(r->figure.phase, REAL_WORD_MAX, "%s", real_csv_text(&r->csv, phase));
	snprintf(r->figure.who, REAL_WORD_MAX, "%s", real_csv_text(&r->csv, who));
	r->figure.occurrence = occurrence(r->out, &r->figure);
	for (size_t i = 0; i < r->csv.nr && err == ERR_OK; i++)
		err = column_reader(r->csv.name[i])(r, r->csv.name[i], r->csv.field[i]);
	return err;
}

/* Somebody who is no part of the workload. */
static bool stranger(const char *who)
{
	return strcmp(who, "other") == 0 || strcmp(who, "kswapd") == 0;
}

/* Rows of other experiments are passed over unread, so their mistakes do not matter here. */
static enum err read_figures(struct reader *r, const char *exp, const char *phase, const char *who)
{
	bool more = true;
	enum err err = ERR_OK;

	while (err == ERR_OK && more) {
		err = real_csv_next(&r->csv, &more, r->diag);
		if (err == ERR_OK && more && strcmp(real_csv_text(&r->csv, "exp"), exp) == 0 &&
		    !stranger(real_csv_text(&r->csv, who)))
			err = read_row(r, phase, who);
	}
	return err;
}

/* Both files name things differently and mean the same: a phase and its owner. */
enum err real_recorded(const struct real_set *set, const char *exp, struct real_figures *out,
		       struct diag *diag)
{
	static const char *const files[][3] = { { "phases.csv", "phase", "task" },
						{ "stat.csv", "mark", "group" } };
	enum err err = ERR_OK;

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < 2 && err == ERR_OK; i++) {
		struct reader r = { .out = out, .diag = diag };

		err = real_csv_open(&r.csv, set->dir, files[i][0], diag);
		if (err == ERR_OK)
			err = read_figures(&r, exp, files[i][1], files[i][2]);
		real_csv_close(&r.csv);
	}
	return err;
}

/* ---- flushes ---- */

/* A run's flushes grow while its rows are read. */
static enum err add_flush(struct real_flushes *flushes, unsigned no, uint64_t at, struct diag *diag)
{
	if (flushes->nr == flushes->room) {
		size_t room = flushes->room ? 2 * flushes->room : 16;
		struct real_flush *more = realloc(flushes->flush, room * sizeof(*more));

		if (more == NULL)
			return diag_fail(diag, ERR_NOMEM, "no memory for flushes");
		flushes->flush = more;
		flushes->room = room;
	}
	flushes->flush[flushes->nr++] = (struct real_flush){ no, at };
	return ERR_OK;
}

/* "0 55054 ": places; a reader's flush ("0r") comes from the model itself. */
static enum err read_places(const struct real_csv *csv, unsigned no, struct real_flushes *out,
			    struct diag *diag)
{
	const char *text = real_csv_text(csv, "flush_at");
	enum err err = ERR_OK;

	while (*text != '\0' && err == ERR_OK) {
		char *end;
		uint64_t at = strtoull(text, &end, 10);
		bool reader = *end == 'r';

		if (end == text || (end[reader] != ' ' && end[reader] != '\0'))
			return real_csv_wrong(csv, "flush_at", text, diag);
		if (!reader)
			err = add_flush(out, no, at, diag);
		text = end + reader;
		text += strspn(text, " ");
	}
	return err;
}

/* To the page: a flush elsewhere is another run. */
static bool same_flushes(const struct real_flushes *a, const struct real_flushes *b)
{
	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (a->flush[i].no != b->flush[i].no || a->flush[i].at != b->flush[i].at)
			return false;
	return true;
}

/* Runs with equal flushes become one variant; the largest comes first, else the earliest. */
static size_t merge(struct real_variant *variant, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t k = 0;

		while (k < kept && !same_flushes(&variant[k].flushes, &variant[i].flushes))
			k++;
		if (k == kept) {
			struct real_variant own = variant[i];

			variant[i].flushes = variant[kept].flushes;
			variant[kept++] = own;
			continue;
		}
		variant[k].rep[variant[k].nr_reps++] = variant[i].rep[0];
		free(variant[i].flushes.flush);
		variant[i].flushes.flush = NULL;
	}
	for (size_t i = 1; i < kept; i++) {
		struct real_variant first = variant[0];

		if (variant[i].nr_reps <= first.nr_reps)
			continue;
		variant[0] = variant[i];
		variant[i] = first;
	}
	return kept;
}

/* Rows of one run follow each other; each may add flushes to it. */
static enum err read_flushes(struct real_csv *csv, const char *exp, struct real_variant *variant,
			     size_t *nr, struct diag *diag)
{
	bool more = true;
	enum err err = ERR_OK;

	assert(variant != NULL);
	while (err == ERR_OK && more) {
		int64_t rep = 0, no = 0;

		err = real_csv_next(csv, &more, diag);
		if (err != ERR_OK || !more || strcmp(real_csv_text(csv, "exp"), exp) != 0)
			continue;
		err = real_csv_number(csv, "rep", &rep, diag);
		if (err == ERR_OK)
			err = real_csv_number(csv, "no", &no, diag);
		if (err != ERR_OK)
			break;
		if (*nr == 0 || variant[*nr - 1].rep[0] != (unsigned)rep) {
			if (*nr == REAL_RUNS)
				return real_csv_wrong(csv, "too many runs of", exp, diag);
			variant[*nr].rep[0] = (unsigned)rep;
			variant[(*nr)++].nr_reps = 1;
		}
		err = read_places(csv, (unsigned)no, &variant[*nr - 1].flushes, diag);
	}
	return err;
}

/* Nothing but the places of flushes is taken from the file. */
enum err real_variants(const struct real_set *set, const char *exp, struct real_variant **out,
		       size_t *nr, struct diag *diag)
{
	struct real_csv csv;
	enum err err = real_csv_open(&csv, set->dir, "phases.csv", diag);

	*nr = 0;
	*out = NULL;
	if (err != ERR_OK)
		return err;
	*out = calloc(REAL_RUNS, sizeof(**out));
	if (*out == NULL)
		err = diag_fail(diag, ERR_NOMEM, "no memory for the recorded runs");
	if (err == ERR_OK)
		err = read_flushes(&csv, exp, *out, nr, diag);
	real_csv_close(&csv);
	if (err == ERR_OK) {
		*nr = merge(*out, *nr);
		return ERR_OK;
	}
	real_variants_free(*out, *nr);
	*out = NULL;
	*nr = 0;
	return err;
}

/* NULL is fine. */
void real_variants_free(struct real_variant *variant, size_t nr)
{
	for (size_t i = 0; variant != NULL && i < nr; i++)
		free(variant[i].flushes.flush);
	free(variant);
}
