/*
 * Judging published tables: which rows the model reproduces, and whether
 * each constant that was fitted is owned up to by the row it came from.
 */
#include "published.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "store.h"

/* In the words of the interface; the numbers are never stored. */
static const char *const labels[NR_PUBLISHED_LABELS] = {
	"derived", "predicted", "calibrated", "implied", "not modelled", "overlay",
};

const char *published_label_name(enum published_label label)
{
	assert((unsigned)label < NR_PUBLISHED_LABELS);
	return labels[label];
}

/* ---- finding ---- */

/* For diag_nearest(). */
static const char *table_name_at(const void *ctx, size_t i)
{
	const struct published_set *set = ctx;

	return i < set->nr ? set->table[i].name : NULL;
}

const struct published_table *published_find(const char *name, struct diag *diag)
{
	const struct published_set *set = published_all();

	for (size_t i = 0; i < set->nr; i++)
		if (strcmp(set->table[i].name, name) == 0)
			return &set->table[i];
	diag_fail(diag, ERR_USAGE, "published: \"%s\" is no table; the nearest is \"%s\"", name,
		  diag_nearest(name, table_name_at, set));
	return NULL;
}

/* NULL if there is none. */
static const struct published_row *row_find(const struct published_table *table, const char *row,
					    const char *side)
{
	for (size_t i = 0; i < table->nr; i++)
		if (strcmp(table->row[i].row, row) == 0 && strcmp(table->row[i].side, side) == 0)
			return &table->row[i];
	return NULL;
}

/* The first two rows of that name are its sides, in the order of the post. */
bool published_welch(const struct published_table *table, const char *row,
		     struct student_welch *out)
{
	const struct published_row *side[2] = { NULL, NULL };
	struct student_summary summary[2];
	size_t n = 0;

	for (size_t i = 0; i < table->nr && n < 2; i++)
		if (strcmp(table->row[i].row, row) == 0 && table->row[i].runs > 0)
			side[n++] = &table->row[i];
	if (n < 2)
		return false;
	for (size_t i = 0; i < 2; i++)
		summary[i] = (struct student_summary){ side[i]->value, side[i]->sd, side[i]->runs };
	return student_welch(&summary[0], &summary[1], out);
}

/* ---- judging ---- */

void published_judge(struct published_result *result, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct published_result *r = &result[i];

		r->ok = false;
		r->error = 0;
		if (!r->has_model)
			continue;
		/* No post prints 0; if one did, the error would be the figure itself. */
		r->error = (r->model - r->row->value) / (r->row->value != 0 ? r->row->value : 1);
		r->ok = fabs(r->error) <= r->row->tolerance;
	}
}

/* Only these can be right or wrong: whatever was fitted fits. */
static bool counts(const struct published_result *result)
{
	return result->row->label == PUBLISHED_DERIVED || result->row->label == PUBLISHED_PREDICTED;
}

void published_count(const struct published_result *result, size_t nr, struct published_counts *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < nr; i++) {
		out->label[result[i].row->label]++;
		if (!counts(&result[i]))
			continue;
		if (result[i].ok)
			out->reproduced++;
		else
			out->failed++;
	}
}

const char *published_verdict(const struct published_result *result)
{
	if (counts(result))
		return result->ok ? "reproduced" : "FAILS";
	if (!result->has_model)
		return "-";
	return result->ok ? "inside" : "outside";
}

/* ---- fitted constants ---- */

bool published_lists(const char *fits, const char *constant)
{
	size_t length = strlen(constant);

	for (const char *p = fits; p != NULL && *p != '\0'; p += strspn(p, " ")) {
		size_t word = strcspn(p, " ");

		if (word == length && strncmp(p, constant, length) == 0)
			return true;
		p += word;
	}
	return false;
}

/* A row that a constant was fitted to may not claim to have been predicted. */
static enum err check_row(const struct published_set *set, const struct published_fit *fit,
			  struct diag *diag)
{
	const struct published_row *row = NULL;

	for (size_t i = 0; i < set->nr && row == NULL; i++)
		if (strcmp(set->table[i].name, fit->table) == 0)
			row = row_find(&set->table[i], fit->row, fit->side);
	if (row == NULL)
		return diag_fail(diag, ERR_EXPECT, "%s was fitted to %s %s %s, which is no row",
				 fit->constant, fit->table, fit->row, fit->side);
	if (!published_lists(row->fits, fit->constant))
		return diag_fail(diag, ERR_EXPECT,
				 "%s was fitted to %s %s %s, and that row does not list it",
				 fit->constant, fit->table, fit->row, fit->side);
	if (row->label != PUBLISHED_CALIBRATED && row->label != PUBLISHED_NOT_MODELLED)
		return diag_fail(diag, ERR_EXPECT, "%s was fitted to %s %s %s, which says %s",
				 fit->constant, fit->table, fit->row, fit->side,
				 labels[row->label]);
	return ERR_OK;
}

/* Knobs have one default, which is the fitted value or a lie. */
static enum err check_knob(const struct published_fit *fit, struct diag *diag)
{
	for (size_t i = 0; i < knob_count(); i++) {
		const struct knob_desc *knob = knob_at(i);

		if (strcmp(knob->name, fit->constant) != 0)
			continue;
		if ((double)knob->def != fit->value)
			return diag_fail(diag, ERR_EXPECT,
					 "%s is %lld, but %.15g was fitted to %s %s %s", knob->name,
					 (long long)knob->def, fit->value, fit->table, fit->row,
					 fit->side);
		return ERR_OK;
	}
	return diag_fail(diag, ERR_EXPECT, "%s was fitted to %s %s %s and is no knob",
			 fit->constant, fit->table, fit->row, fit->side);
}

/* The other way round: a knob that says calibrated must say by what. */
static enum err check_named(const struct published_set *set, const struct knob_desc *knob,
			    struct diag *diag)
{
	if (strcmp(knob->status, "calibrated") != 0)
		return ERR_OK;
	for (size_t i = 0; i < set->nr_fits; i++)
		if (set->fit[i].scenario == NULL && strcmp(set->fit[i].constant, knob->name) == 0)
			return ERR_OK;
	return diag_fail(diag, ERR_EXPECT, "knob %s is calibrated, and no row lists it",
			 knob->name);
}

enum err published_fits(const struct published_set *set, struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < set->nr_fits && err == ERR_OK; i++) {
		err = check_row(set, &set->fit[i], diag);
		if (err == ERR_OK && set->fit[i].scenario == NULL)
			err = check_knob(&set->fit[i], diag);
	}
	for (size_t i = 0; i < knob_count() && err == ERR_OK; i++)
		err = check_named(set, knob_at(i), diag);
	return err;
}

/* ---- the store ---- */

/* A row without a figure of the model keeps NULL, never 0. */
static enum err store_row(struct db *db, const struct published_result *result, struct diag *diag)
{
	const struct published_row *row = result->row;
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "INSERT OR REPLACE INTO published"
				     " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				     &stmt, diag);

	if (err)
		return err;
	if (result->has_model)
		store_bind(stmt, "ttttdddtdit", result->table->name, row->row, row->side, row->unit,
			   row->value, result->model, result->error, labels[row->label],
			   row->tolerance, (int64_t)result->ok, result->size);
	else
		store_bind(stmt, "ttttdnntnnt", result->table->name, row->row, row->side, row->unit,
			   row->value, labels[row->label], result->size);
	return store_finish(db->sql, stmt, diag);
}

enum err published_store(struct db *db, const struct published_result *result, size_t nr,
			 struct diag *diag)
{
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	for (size_t i = 0; i < nr && !err; i++)
		err = store_row(db, &result[i], diag);
	return store_end(db->sql, err, diag);
}
