/*
 * What the terminal process draws over the last picture of the lab: help,
 * the log, the palette's candidates and the prompt line.  Pure.
 */
#ifndef MEMCGLAB_UI_OVERLAY_H
#define MEMCGLAB_UI_OVERLAY_H

#include "view.h"

enum { LOG_LINES = 256, LOG_BYTES = 256 };

/* The last lines that scenarios printed; line k is at k % LOG_LINES. */
struct log_ring {
	size_t n; /* lines so far; the last may be unfinished */
	bool unfinished;
	char line[LOG_LINES][LOG_BYTES];
};

/* log_add - @bytes as they came; lines may arrive in pieces.  Longer lines are wrapped. */
void log_add(struct log_ring *log, const char *bytes, size_t n);

/* overlay_help_at - action @i of those valid in @view that match @filter; NULL past the last. */
const struct action_desc *overlay_help_at(enum view_id view, const char *filter, size_t i);

void overlay_help(struct canvas *c, enum view_id view, const char *filter, size_t selected);

/* overlay_columns - what the rows of the Limits view can be sorted by. */
void overlay_columns(struct canvas *c, size_t selected);
void overlay_log(struct canvas *c, const struct log_ring *log);

/* overlay_word - candidate @i for what is typed in the palette; NULL past the last. */
const struct action_desc *overlay_word(enum view_id view, const char *text, size_t i);
void overlay_words(struct canvas *c, enum view_id view, const char *text);

/**
 * overlay_prompt - the last line: @label, the text typed, an error behind it
 * @cursor: [bytes] of @text before the cursor
 */
void overlay_prompt(struct canvas *c, const char *label, const char *text, size_t cursor,
		    const char *error);

/* overlay_message - the last line says @text. */
void overlay_message(struct canvas *c, const char *text);

#endif
