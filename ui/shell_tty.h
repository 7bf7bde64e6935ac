/*
 * A line typed at a terminal that scrolls: the modes of the terminal, what
 * is drawn of the line, keys, and the signals that come meanwhile.  The
 * editing itself is the prompt's.
 */
#ifndef MEMCGLAB_UI_SHELL_TTY_H
#define MEMCGLAB_UI_SHELL_TTY_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "prompt.h"

enum { SHELL_TEXT_MAX = 1 << 16 };

struct shell_tty;

/* What Tab does.  Changes @prompt's text; @show prints below the line, before it is drawn again. */
struct shell_tab {
	void *ctx;
	void (*press)(void *ctx, struct prompt *prompt, FILE *show);
};

enum shell_key {
	SHELL_LINE,  /* Enter */
	SHELL_DROP,  /* Ctrl-C: what is typed so far is gone */
	SHELL_LEAVE, /* Ctrl-D, or the terminal is gone */
	SHELL_ENDED  /* by a signal */
};

/**
 * shell_tty_open - take the terminal on standard input and output
 * @mask: receives the signals that were blocked before, for children
 * SIGINT, SIGTERM, SIGHUP and SIGWINCH are blocked from here on and looked for while a line is
 * typed.  A terminal that cannot place its cursor edits lines by itself.
 */
enum err shell_tty_open(struct shell_tty **out, sigset_t *mask, struct diag *diag);
/* shell_tty_close - give it back as it was; NULL is fine. */
void shell_tty_close(struct shell_tty *tty);

/* shell_tty_drop - forget it without a word to the terminal: in a child. */
void shell_tty_drop(struct shell_tty *tty);

/**
 * shell_tty_line - wait until a line is typed
 * @label: stands before it
 * @line:  for SHELL_LINE; valid until the next call
 */
enum shell_key shell_tty_line(struct shell_tty *tty, const char *label,
			      const struct shell_tab *tab, const char **line);

/* shell_tty_lend - @own: as it was before the shell, for others; else as a line wants it. */
void shell_tty_lend(struct shell_tty *tty, bool own);

struct prompt *shell_tty_prompt(struct shell_tty *tty);

#endif
