/*
 * The pane of the PageCg view that takes the cost of both sides apart.
 */
#ifndef MEMCGLAB_UI_VIEW_PAGECG_COST_H
#define MEMCGLAB_UI_VIEW_PAGECG_COST_H

#include "pcg_cost.h"
#include "view_parts.h"

enum { VIEW_PAGECG_COST_H = 12 }; /* rows that it needs, its box included */

/**
 * view_draw_pagecg_cost - every part of the cost, A beside B
 * @layout:  of both sides; NULL: none, drawn as dashes
 * @machine: for which
 */
void view_draw_pagecg_cost(struct canvas *c, struct rect r, const struct pcg_layout *const *layout,
			   const struct pcg_machine *machine);

#endif
