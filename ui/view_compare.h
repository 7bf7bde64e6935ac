/*
 * The pane of the Runs view that holds A against B: parameters that differ,
 * metrics with their verdicts, and how they were judged.
 */
#ifndef MEMCGLAB_UI_VIEW_COMPARE_H
#define MEMCGLAB_UI_VIEW_COMPARE_H

#include "view_parts.h"

/* view_compare_rows - rows that it takes of @h, on a screen @w cells wide. */
int view_compare_rows(const struct model *model, int w, int h);

/* view_draw_compare - into all of @r; there must be a comparison. */
void view_draw_compare(const struct model *model, struct canvas *c, struct rect r);

#endif
