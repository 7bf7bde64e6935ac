/*
 * The terminal: started, sized, drawn to, read from and given back.  The
 * only code that knows curses.  Nothing here waits: the loop polls
 * screen_input_fd and screen_signal_fd.
 */
#ifndef MEMCGLAB_UI_SCREEN_H
#define MEMCGLAB_UI_SCREEN_H

#include <stdbool.h>

#include "canvas.h"
#include "diag.h"

struct screen;

enum { SCREEN_KEY_MAX = 16 };

enum { SCREEN_RESIZED = 1, SCREEN_END = 2, SCREEN_INTERRUPT = 4 }; /* screen_signals */

/**
 * screen_open - take the terminal
 * @colour: wanted; it still needs a terminal with at least 8
 * Returns: ERR_USAGE if standard input or output is no terminal, or one that
 * cannot place its cursor; ERR_NOMEM.
 */
enum err screen_open(bool colour, struct screen **out, struct diag *diag);

/* screen_close - the terminal as it was before; NULL is fine. */
void screen_close(struct screen *screen);

/* screen_forget - in a child: signals act as usual again, the terminal is left alone. */
void screen_forget(void);

int screen_input_fd(const struct screen *screen);
int screen_signal_fd(const struct screen *screen);

/* screen_signals - what came since the last call; a new size is taken over. */
unsigned screen_signals(struct screen *screen);

void screen_size(const struct screen *screen, int *w, int *h);

/* screen_glyphs - the best set whose every glyph this locale says is one cell wide. */
enum canvas_glyphs screen_glyphs(void);

/**
 * screen_key - the next key, if one is there
 * @key: its name as in the table of actions ("Space", "PgDn", "Ctrl-F"), else
 *       the character itself in UTF-8; "Paste" and "PasteEnd" around what was pasted
 */
bool screen_key(struct screen *screen, char key[SCREEN_KEY_MAX]);

/* screen_show - only what differs from what is shown goes to the terminal. */
void screen_show(struct screen *screen, const struct canvas *canvas);

/* screen_redraw - the next show draws every cell. */
void screen_redraw(struct screen *screen);

#endif
