/*
 * Classes are few, so they are read from the runs anew each time.
 */
#include "lock_rows.h"

#include <stdio.h>
#include <string.h>

#include "filter.h"

enum { CELLS = 9 };

static const char *const column_names[NR_LOCK_COLUMNS] = {
	[LOCKS_CONTENTIONS] = "contentions",   [LOCKS_WAIT] = "wait",
	[LOCKS_ACQUISITIONS] = "acquisitions", [LOCKS_HOLD] = "hold",
	[LOCKS_CLASS] = "class",
};

const char *lock_column_name(enum lock_column column)
{
	return column_names[column];
}

const char *lock_row_name(const struct lock_row *row)
{
	return row->lock[row->there[0] ? 0 : 1].name;
}

bool lock_rows_modelled(const struct model *model, int side)
{
	const struct run *run = model->side[side].run;

	return run && run_scenario(run)->locks;
}

/* The larger of both sides, in microseconds for times. */
static double number_of(const struct lock_row *row, enum lock_column column)
{
	double most = 0;

	for (int side = 0; side < 2; side++) {
		const struct lock_stat *sum = &row->lock[side].sum;
		const double of[NR_LOCK_COLUMNS] = {
			[LOCKS_CONTENTIONS] = (double)sum->wait.nr,
			[LOCKS_WAIT] = (double)sum->wait.total / 1000,
			[LOCKS_ACQUISITIONS] = (double)sum->hold.nr,
			[LOCKS_HOLD] = (double)sum->hold.total / 1000,
		};

		if (row->there[side] && of[column] > most)
			most = of[column];
	}
	return most;
}

/* What a filter can name. */
static void cells_of(const struct lock_row *row, struct filter_cell cell[CELLS])
{
	cell[0] = (struct filter_cell){ "class", lock_row_name(row), 0 };
	for (int i = LOCKS_CONTENTIONS; i < LOCKS_CLASS; i++)
		cell[1 + i] = (struct filter_cell){ column_names[i], NULL,
						    number_of(row, (enum lock_column)i) };
}

enum { NR_CELLS = 1 + LOCKS_CLASS };

/* Where the class that side B calls @name is, or would be. */
static size_t row_for(const struct lock_row *row, size_t n, const struct run_lock *lock,
		      uint32_t nr)
{
	size_t i;

	/* Number 0 is the counters' class on every side. */
	for (i = 0; i < n; i++)
		if (nr ? row[i].nr[0] && strcmp(row[i].lock[0].name, lock->name) == 0
		       : row[i].there[0] && !row[i].nr[0])
			break;
	return i;
}

static size_t read_rows(const struct model *model, struct lock_row row[LOCK_ROWS_MAX])
{
	struct run_lock lock;
	size_t n = 0;

	memset(row, 0, LOCK_ROWS_MAX * sizeof(*row));
	for (int side = 0; side < (model->has_b ? 2 : 1); side++) {
		const struct run *run = model->side[side].run;
		size_t known = n;

		for (uint32_t nr = 0; run && run_lock(run, nr, &lock); nr++) {
			size_t i = side ? row_for(row, known, &lock, nr) : n;

			i = i == known ? n : i;
			if (i == LOCK_ROWS_MAX)
				break;
			n += i == n;
			row[i].there[side] = true;
			row[i].nr[side] = nr;
			row[i].lock[side] = lock;
		}
	}
	return n;
}

/* Most first, names from a to z; equal ones in the order in which they were made. */
static bool comes_before(const struct model *model, const struct lock_row *a,
			 const struct lock_row *b)
{
	enum lock_column column = model->locks.sort;
	double x = number_of(a, column), y = number_of(b, column);
	int order = column == LOCKS_CLASS ? strcmp(lock_row_name(a), lock_row_name(b))
					  : (x < y) - (x > y);

	return model->locks.reverse ? order > 0 : order < 0;
}

size_t lock_rows(const struct model *model, struct lock_row out[LOCK_ROWS_MAX])
{
	struct filter_cell cell[CELLS];
	size_t n = read_rows(model, out), kept = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k;
		struct lock_row row = out[i];

		cells_of(&row, cell);
		if (!filter_match(model->filter, cell, NR_CELLS))
			continue;
		for (k = kept++; k > 0 && comes_before(model, &row, &out[k - 1]); k--)
			out[k] = out[k - 1];
		out[k] = row;
	}
	return kept;
}

size_t lock_rows_count(const struct model *model)
{
	struct lock_row row[LOCK_ROWS_MAX];

	return lock_rows(model, row);
}

void lock_rows_act(struct model *model, enum action action)
{
	struct lock_state *state = &model->locks;

	if (action == ACT_SORT) {
		state->sort = (state->sort + 1) % NR_LOCK_COLUMNS;
		state->reverse = false;
		snprintf(model->message, sizeof(model->message), "sorted by %s; S reverses",
			 lock_column_name(state->sort));
	} else if (action == ACT_REVERSE) {
		state->reverse = !state->reverse;
	} else if (action == ACT_FORM) {
		state->table = !state->table;
	} else if (action == ACT_SITES) {
		state->holders = !state->holders;
	}
}

enum err lock_rows_filter_check(const char *filter, struct diag *diag)
{
	struct filter_cell cell[CELLS];
	const struct lock_row row = { .there = { true, false } };

	cells_of(&row, cell);
	return filter_check(filter, cell, NR_CELLS, diag);
}

bool lock_rows_filter_pending(const char *filter)
{
	struct filter_cell cell[CELLS];
	const struct lock_row row = { .there = { true, false } };

	cells_of(&row, cell);
	return filter_pending(filter, cell, NR_CELLS);
}
