/*
 * What the panes of the Locks view are drawn from.  Only the files of that
 * view include this.
 */
#ifndef MEMCGLAB_UI_VIEW_LOCKS_H
#define MEMCGLAB_UI_VIEW_LOCKS_H

#include "lock_rows.h"
#include "view_parts.h"

struct locks_pane {
	const struct model *model;
	struct canvas *c;
	const struct lock_row *row; /* the selected class */
	int side[2], nr_sides;
};

/* locks_sites - from where the waiters came, or whom they waited for. */
void locks_sites(const struct locks_pane *p, struct rect r);

/* locks_waits - acquisitions by how long they waited. */
void locks_waits(const struct locks_pane *p, struct rect r);

/* locks_plot - CPUs that waited in the course of the whole run. */
void locks_plot(const struct locks_pane *p, struct rect r);

#endif
