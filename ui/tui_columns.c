/*
 * The keys of the list of columns, which the Limits view is sorted by.  The
 * list keeps its place, so that s and Enter make the same choice again.
 */
#include <string.h>

#include "tree.h"
#include "tui_state.h"

static void move_up(struct tui *tui)
{
	tui->column -= tui->column > 0;
}

static void move_down(struct tui *tui)
{
	tui->column += tree_column_name(tui->column + 1) != NULL;
}

static void choose(struct tui *tui)
{
	tui->pop_up = POP_NONE;
	tui_send(tui, ACT_SORT, tree_column_name(tui->column));
}

static const struct {
	const char *key;
	void (*press)(struct tui *tui);
} keys[] = {
	{ "Up", move_up },  { "k", move_up },    { "Down", move_down },
	{ "j", move_down }, { "Enter", choose }, { "s", choose },
};

bool tui_columns_key(struct tui *tui, const char *key)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(keys[i].key, key) != 0)
			continue;
		keys[i].press(tui);
		return true;
	}
	return false;
}
