/*
 * The panes below the tree of groups, each about the selected one.  Only
 * the files of the Limits view include this.
 */
#ifndef MEMCGLAB_UI_VIEW_LIMITS_H
#define MEMCGLAB_UI_VIEW_LIMITS_H

#include "levels.h"
#include "view_parts.h"

/* What a pane is drawn from. */
struct limits_pane {
	const struct model *model;
	struct canvas *c;
	int side;           /* whose tree is selected in */
	struct run_memcg m; /* the selected group there */
};

/* limits_name - the last part of a group's path, "root" for the root. */
const char *limits_name(const struct run *run, uint32_t id, char out[GROUP_PATH_MAX]);

/* limits_shorten - @text in @w cells: a longer one loses its middle.  Returns: @out. */
const char *limits_shorten(const char *text, int w, char out[GROUP_PATH_MAX]);

/* limits_detail - usage and limit, who binds first, the charge path, the walk, the parts. */
void limits_detail(const struct limits_pane *p, struct rect r);

/* limits_plot - usage against limit over the time of the whole run. */
void limits_plot(const struct limits_pane *p, struct rect r);

/* limits_taken - who took pages from whom. */
void limits_taken(const struct limits_pane *p, struct rect r);

/* limits_verdict - the verdict of each side, and the parts of the group's usage. */
void limits_verdict(const struct limits_pane *p, struct rect r);

#endif
