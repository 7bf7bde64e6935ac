/*
 * What the panes of the Dirty view are drawn from.  Only the files of that
 * view include this.
 */
#ifndef MEMCGLAB_UI_VIEW_DIRTY_H
#define MEMCGLAB_UI_VIEW_DIRTY_H

#include "view_parts.h"

struct dirty_pane {
	const struct model *model;
	struct canvas *c;
	uint32_t group; /* css id of the selected one */
	int side[2], nr_sides;
};

/* dirty_plot - pages of the selected group in the course of the whole run, or how fast they
 * come; both sides on one scale. */
void dirty_plot(const struct dirty_pane *p, struct rect r);

/* dirty_costs - what a write takes under its file's lock, and what of that is counting. */
void dirty_costs(const struct dirty_pane *p, struct rect r);

/* dirty_published - figures of the post that the scenario is about, beside the runs'.
 * dirty_is_published - whether there are any. */
void dirty_published(const struct dirty_pane *p, struct rect r);
bool dirty_is_published(const struct model *model);

#endif
