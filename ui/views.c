/*
 * The table of views.  A view that is not in this version says so itself:
 * its row names what it will show, and the frame
 * draws that instead of a body.
 */
#include <string.h>

#include "view_parts.h"

static const struct view views[NR_VIEWS] = {
	[VIEW_LRU] = { .name = "lru", .label = "LRU", .time_line = true, .draw = view_draw_lru },
	[VIEW_LIMITS] = { .name = "limits", .label = "Limits", .time_line = true,
			  .draw = view_draw_limits },
	[VIEW_LOCKS] = { .name = "locks", .label = "Locks", .time_line = true,
			 .draw = view_draw_locks },
	[VIEW_SCAN] = { .name = "scan", .label = "Scan", .time_line = true,
			.draw = view_draw_scan },
	[VIEW_PAGECG] = { .name = "pagecg", .label = "PageCg", .draw = view_draw_pagecg },
	[VIEW_DIRTY] = {
		.name = "dirty", .label = "Dirty",
		.since = "Dirty pages and writeback by group against the thresholds, and what "
			 "counting them costs.\nIt is not in this version.  1 shows the lists, "
			 "4 the shrink calls.",
	},
	[VIEW_RUNS] = { .name = "runs", .label = "Runs", .draw = view_draw_runs },
};

const struct view *view_at(enum view_id id)
{
	return &views[id < NR_VIEWS ? id : VIEW_LRU];
}

bool view_find(const char *name, enum view_id *id)
{
	for (int v = 0; v < NR_VIEWS; v++) {
		if (strcmp(views[v].name, name) != 0)
			continue;
		*id = (enum view_id)v;
		return true;
	}
	return false;
}
