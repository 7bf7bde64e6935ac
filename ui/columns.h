/*
 * The columns of a table of groups: where each lies in the table's width,
 * and its cells.
 */
#ifndef MEMCGLAB_UI_COLUMNS_H
#define MEMCGLAB_UI_COLUMNS_H

#include "canvas.h"
#include "tree.h"

enum { COLUMNS_MAX = 12 };

/* A column with its width on a narrow, a usual and a wide screen; 0: left out, -1: the rest. */
struct column {
	const char *head;
	bool right;
	enum tree_column sort; /* NR_TREE_COLUMNS: rows are not sorted by it */
	int w[3];
};

struct columns {
	const struct column *column;
	int nr;
	int x[COLUMNS_MAX], w[COLUMNS_MAX]; /* filled in; of no width: left out */
};

/* columns_place - side by side in @r; the one of -1 gets what the others leave.  @size: 0 to 2. */
void columns_place(struct columns *columns, struct rect r, int size);

/* columns_mark - what stands behind the head of the column that rows are sorted by, else "". */
const char *columns_mark(const struct columns *columns, int i, const struct tree_state *state);

/* columns_span - column @i of the row at @y. */
struct span columns_span(const struct columns *columns, int i, int y, enum canvas_attr attr);

/* columns_cell - @text in column @i, at the side where it belongs; of @row .y and .attr count. */
void columns_cell(const struct columns *columns, struct canvas *c, int i, struct span row,
		  const char *text);

#endif
