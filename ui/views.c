/*
 * The table of views, in the order of their keys.
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
	[VIEW_DIRTY] = { .name = "dirty", .label = "Dirty", .time_line = true,
			 .draw = view_draw_dirty },
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
