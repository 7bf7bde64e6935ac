/*
 * A line that the user edits with the keys of readline, in the TUI and in
 * the shell.  It draws nothing and waits for nothing: keys go in by name or
 * as a terminal sends them, text and cursor come out.
 * The only code that knows readline; one prompt can be open at a time.
 */
#ifndef MEMCGLAB_UI_PROMPT_H
#define MEMCGLAB_UI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

struct prompt;

enum { PROMPT_TEXT_MAX = 256 };

enum prompt_event {
	PROMPT_EDITED,  /* the text or the cursor may have changed */
	PROMPT_ACCEPT,  /* Enter */
	PROMPT_CANCEL,  /* Esc, Ctrl-C */
	PROMPT_COMPLETE /* Tab */
};

enum err prompt_new(struct prompt **out, struct diag *diag);
void prompt_free(struct prompt *prompt); /* NULL is fine */

/**
 * prompt_start - open it
 * @history: keep and offer earlier lines
 */
void prompt_start(struct prompt *prompt, const char *text, bool history);
void prompt_stop(struct prompt *prompt);
bool prompt_active(const struct prompt *prompt);

/* prompt_key - @key as screen_key names it. */
enum prompt_event prompt_key(struct prompt *prompt, const char *key);

/**
 * prompt_feed - keys as a terminal sends them
 * Enter, Tab, Ctrl-C, and Ctrl-D on an empty line are the caller's and not among them.
 */
void prompt_feed(struct prompt *prompt, const char *bytes, size_t n);

/* prompt_settle - end a search of the history with what it found. */
void prompt_settle(struct prompt *prompt);

/* prompt_message - what stands before the text instead of a label: the word searched for; or "". */
const char *prompt_message(const struct prompt *prompt);

/* prompt_limit - texts of up to @max bytes instead of PROMPT_TEXT_MAX. */
void prompt_limit(struct prompt *prompt, size_t max);

/* prompt_insert - @text at the cursor, in place of the @erase bytes before it. */
void prompt_insert(struct prompt *prompt, size_t erase, const char *text);

/* prompt_text - what is typed so far; valid until the next call. */
const char *prompt_text(const struct prompt *prompt);
size_t prompt_cursor(const struct prompt *prompt); /* [bytes] before the cursor */
void prompt_set(struct prompt *prompt, const char *text);

/* prompt_remember - add the text to the history, unless it is the newest there. */
void prompt_remember(struct prompt *prompt);

/* prompt_learn - make @line the newest of the history, where it is once. */
void prompt_learn(struct prompt *prompt, const char *line);

#endif
