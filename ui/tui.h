/*
 * The terminal program: starts the screen, the prompt and the lab process,
 * then waits for keys and finished pictures until the user leaves.
 *
 * The calling process becomes the terminal process.  The lab is opened in
 * a child only, so a scenario that hangs or crashes never takes the screen.
 */
#ifndef MEMCGLAB_UI_TUI_H
#define MEMCGLAB_UI_TUI_H

#include "lab.h"
#include "view.h"

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct tui_options {
	const struct lab_options *lab; /* opened in the child */
	const char *target;            /* run reference or scenario; NULL: the start screen */
	const char *ab;                /* "52,53": the two sides; NULL: the target's own pair */
	enum view_id view;             /* shown once something is open */
	bool ascii;                    /* no glyph outside 0x20-0x7e */
	enum color mode;
};

/**
 * tui_run - until the user leaves with q or Q
 * The terminal is as before when this returns, and also after SIGTERM,
 * SIGHUP or an abort.
 * Returns: ERR_USAGE if standard input or output is no terminal, or one that
 * cannot place its cursor; ERR_NOMEM; ERR_INTERRUPTED after SIGTERM, SIGHUP.
 */
enum err tui_run(const struct tui_options *options, struct diag *diag);

#endif
