/*
 * The state of the terminal process.  tui.c waits and feeds, tui_keys.c
 * turns keys into actions and composes what is shown; only they include
 * this.
 */
#ifndef MEMCGLAB_UI_TUI_STATE_H
#define MEMCGLAB_UI_TUI_STATE_H

#include <stdio.h>
#include <unistd.h>

#include "overlay.h"
#include "prompt.h"
#include "screen.h"
#include "worker.h"

enum { LABEL_MAX = 128 };

enum pop_up { POP_NONE, POP_HELP, POP_LOG, POP_COLUMNS };

struct tui {
	struct tui_options options;
	struct screen *screen;
	struct prompt *prompt;
	struct worker *worker;       /* NULL: it has ended */
	struct worker_state state;   /* of the picture, but for the view asked for since */
	struct canvas *last, *shown; /* the lab's picture; with what is drawn over it */
	bool has_picture;
	enum canvas_glyphs glyphs;
	uint32_t serial;     /* of the newest request */
	uint64_t kill_at_ms; /* when a run that was told to stop is killed; 0: none was */
	char reopen[64];     /* what a new lab process opens: the runs that were open */
	enum pop_up pop_up;
	enum action prompt_for;        /* what Enter in the prompt does */
	struct worker_pick asked;      /* the run that the prompt is about */
	size_t selected;               /* row in the help */
	size_t column;                 /* row in the list of columns, kept for the next time */
	char error[WORKER_TEXT_MAX];   /* behind the prompt */
	char message[WORKER_TEXT_MAX]; /* until the next key */
	struct log_ring log;
	bool pasting;     /* keys are text that was pasted, until its end */
	bool quit, ended; /* ended: by a signal */
};

/* tui_send - ask the lab; it is started again if it has ended. */
void tui_send(struct tui *tui, enum action action, const char *text);

/* tui_interrupt - stop what runs, or say how to quit. */
void tui_interrupt(struct tui *tui);

/* tui_key - one key, as screen_key names it. */
void tui_key(struct tui *tui, const char *key);

/* tui_act - what an action means here, or to the lab; tui_close_pop_up - and its prompt. */
void tui_act(struct tui *tui, enum action action, const char *text);
void tui_close_pop_up(struct tui *tui);

/* tui_is_text - is the key something to type? */
bool tui_is_text(const char *key);

/* tui_help_key - a key while the help is open.  Returns: false if it is not its. */
bool tui_help_key(struct tui *tui, const char *key);

/* tui_columns_key - a key while the list of columns is open.  Returns: false if it is not its. */
bool tui_columns_key(struct tui *tui, const char *key);

/* tui_show - compose and draw. */
void tui_show(struct tui *tui);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void tui_say(struct tui *tui, const char *fmt, ...);

#endif
