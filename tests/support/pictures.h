/*
 * Models for tests of what is drawn: an empty store, and two real runs of a
 * file read through a small group on two kernels, stopped in the middle.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_PICTURES_H
#define MEMCGLAB_TESTS_SUPPORT_PICTURES_H

#include "view.h"

enum { PICTURES_RUN_ROWS = 40 };

struct pictures {
	struct model model;
	struct run *run[2];
	struct history history[2];
	struct model_run_row run_row[PICTURES_RUN_ROWS];
	struct model_scenario_row scenario_row[6];
	struct canvas canvas;
};

/* pictures_empty - six scenarios, no run.  Returns: freed by pictures_close. */
struct pictures *pictures_empty(void);

/* pictures_full - the same with two stored runs open as A and B and @rows rows of runs. */
struct pictures *pictures_full(size_t rows);

/* pictures_tree - builds under one limit on two kernels: a tree of 16 groups with a history. */
struct pictures *pictures_tree(void);

/* pictures_locks - four CPUs and one counter, on v2.6.32 and v2.6.33; A has a lock of its own. */
struct pictures *pictures_locks(void);

/* pictures_dirty - two groups that write, on v3.5 without and with dirty pages counted. */
struct pictures *pictures_dirty(void);
void pictures_close(struct pictures *pictures);

/* pictures_close_state - the same as cmocka's tear-down of a group. */
int pictures_close_state(void **state);

/* pictures_apply - an op that must be accepted.  Returns: its result. */
struct op_result pictures_apply(struct run *run, const struct op *op);

/* pictures_begin - nothing selected, nothing filtered, as a view is entered. */
void pictures_begin(struct pictures *pictures);

/* pictures_must_say - fails the test unless @text has @part in it. */
void pictures_must_say(const char *text, const char *part);

/* pictures_draw - the frame as text, also left in @pictures->canvas.  The caller frees it. */
char *pictures_draw(struct pictures *pictures, enum view_id view, int w, int h,
		    enum canvas_glyphs glyphs);

/* pictures_dump - a canvas as text by @dump.  The caller frees it. */
char *pictures_dump(const struct canvas *canvas,
		    bool (*dump)(const struct canvas *canvas, FILE *out));

/* pictures_lines, pictures_width - lines of @text, and cells of its longest. */
int pictures_lines(const char *text);
int pictures_width(const char *text);

#endif
