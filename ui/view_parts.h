/*
 * What several views need: how a side is called, which sides there is room
 * for, and what an empty pane says.
 */
#ifndef MEMCGLAB_UI_VIEW_PARTS_H
#define MEMCGLAB_UI_VIEW_PARTS_H

#include "layout.h"
#include "view.h"

enum { VIEW_MIN_W = 50, VIEW_MIN_H = 16, VIEW_BOTH_W = 80, VIEW_BOTH_H = 24 };

/* view_draw_* - the bodies, one file each. */
void view_draw_lru(const struct model *model, struct canvas *canvas, struct rect body);
void view_draw_limits(const struct model *model, struct canvas *canvas, struct rect body);
void view_draw_locks(const struct model *model, struct canvas *canvas, struct rect body);
void view_draw_dirty(const struct model *model, struct canvas *canvas, struct rect body);
void view_draw_scan(const struct model *model, struct canvas *canvas, struct rect body);
void view_draw_pagecg(const struct model *model, struct canvas *canvas, struct rect body);
void view_draw_runs(const struct model *model, struct canvas *canvas, struct rect body);

/* view_side_name - "batched", or the kernel's canonical name. */
const char *view_side_name(const struct model_side *side);

/* view_sides - which sides to draw: 1 or 2 of them into @side.  Returns: how many. */
int view_sides(const struct model *model, const struct canvas *c, int side[2]);

/* view_side_attr - the role of side 0 or 1. */
enum canvas_attr view_side_attr(int side);

/* view_group - the shown group on side 0 or 1, or false if it is not there at this step. */
bool view_group(const struct model *model, int side, struct run_memcg *out);

/* view_no_group - a box for a side without it: which side, and why there is nothing. */
void view_no_group(const struct model *model, int side, struct canvas *c, struct rect r);
const char *view_path(const struct run_memcg *m); /* "root" for the root */

/* view_empty - a box that says why nothing is shown and which key helps. */
void view_empty(struct canvas *c, struct rect r, const char *title, const char *why);

/* view_wrap - @text in @r, broken at blanks and newlines; what is left over is said in words.
 * Returns: rows used. */
int view_wrap(struct canvas *c, struct rect r, enum canvas_attr attr, const char *text);

#endif
