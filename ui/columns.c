/*
 * Columns of a table of groups; one cell is left between two of them.
 */
#include "columns.h"

#include <assert.h>

void columns_place(struct columns *columns, struct rect r, int size)
{
	int rest = r.w - 1, x = r.x, i;

	assert(columns->nr <= COLUMNS_MAX && size >= 0 && size < 3);
	for (i = 0; i < columns->nr; i++) {
		int w = columns->column[i].w[size];

		rest -= w > 0 ? w + 1 : w < 0;
	}
	for (i = 0; i < columns->nr; i++) {
		int w = columns->column[i].w[size];

		columns->w[i] = w < 0 ? (rest > 0 ? rest : 0) : w;
		columns->x[i] = x;
		x += columns->w[i] + (columns->w[i] > 0);
	}
}

const char *columns_mark(const struct columns *columns, int i, const struct tree_state *state)
{
	if (state->sort == TREE_MADE || columns->column[i].sort != state->sort)
		return "";
	return state->reverse ? "\u25b4" : "\u25be";
}

struct span columns_span(const struct columns *columns, int i, int y, enum canvas_attr attr)
{
	return (struct span){ columns->x[i], y, columns->w[i], attr };
}

void columns_cell(const struct columns *columns, struct canvas *c, int i, struct span row,
		  const char *text)
{
	struct span at = columns_span(columns, i, row.y, row.attr);

	if (columns->column[i].right)
		canvas_right(c, at, text);
	else
		canvas_text(c, at, text);
}
