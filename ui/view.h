/*
 * The views, and the one table of keys: help, key handler, manual page and
 * README are made from it.
 */
#ifndef MEMCGLAB_UI_VIEW_H
#define MEMCGLAB_UI_VIEW_H

#include "canvas.h"
#include "model.h"

enum view_id { VIEW_LRU, VIEW_LIMITS, VIEW_LOCKS, VIEW_SCAN, VIEW_PAGECG, VIEW_DIRTY, VIEW_RUNS,
	       NR_VIEWS };

struct view {
	const char *name;		/* "lru" */
	const char *label;		/* "LRU" in the bar of views */
	bool time_line;			/* the last but one line shows it */
	void (*draw)(const struct model *model, struct canvas *canvas, struct rect body);
};

const struct view *view_at(enum view_id id);

/* view_has_tree - whether its rows are the tree of groups. */
static inline bool view_has_tree(enum view_id id)
{
	return id == VIEW_LIMITS || id == VIEW_DIRTY;
}

/* view_find - Returns: false for an unknown name. */
bool view_find(const char *name, enum view_id *id);

/* view_draw - the whole frame: head line, bar, body, time line, keys; too small: one line. */
void view_draw(enum view_id id, const struct model *model, struct canvas *canvas);

/* An action that a key or a palette word starts. */
enum action {
	ACT_NONE, ACT_QUIT, ACT_BACK, ACT_HELP, ACT_PALETTE, ACT_FILTER, ACT_VIEW_1, ACT_VIEW_2,
	ACT_VIEW_3, ACT_VIEW_4, ACT_VIEW_5, ACT_VIEW_6, ACT_VIEW_7, ACT_PLAY, ACT_STEP,
	ACT_STEP_BACK, ACT_FIRST, ACT_LAST, ACT_GOTO, ACT_SLOWER, ACT_FASTER, ACT_UP, ACT_DOWN,
	ACT_PAGE_UP, ACT_PAGE_DOWN, ACT_HOME, ACT_END, ACT_ENTER, ACT_SIDES, ACT_MAKE_A,
	ACT_MAKE_B, ACT_MACHINE_UP, ACT_MACHINE_DOWN, ACT_GLYPHS, ACT_WRITE, ACT_RERUN, ACT_LOG,
	ACT_REDRAW, ACT_INTERRUPT, ACT_CLEAR, ACT_FOLD, ACT_UNFOLD, ACT_UNFOLD_ALL, ACT_FOCUS,
	ACT_SORT, ACT_REVERSE, ACT_FORM, ACT_SITES, ACT_GROUP, ACT_GROUP_BACK, ACT_DIFF, ACT_NOTE,
	ACT_TAG, ACT_DELETE, NR_ACTIONS
};

struct action_desc {
	enum action action;
	const char *name;		/* "play": the palette's word */
	const char *keys;		/* parted by " ": "Space", "?", "F1", "Ctrl-F", "PgDn" */
	const char *doc;
	unsigned views;			/* bit v: valid in view v; ~0u: everywhere */
};

size_t action_count(void);
const struct action_desc *action_at(size_t i);

/* action_for_key - @key as named in the table.  Returns: ACT_NONE if it means nothing in @view. */
enum action action_for_key(enum view_id view, const char *key);
enum action action_for_word(const char *word);

#endif
