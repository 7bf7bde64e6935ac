/*
 * The Tab key of the shell: what is certain is put into the line, what is
 * not is listed below it.
 */
#ifndef MEMCGLAB_UI_SHELL_TAB_H
#define MEMCGLAB_UI_SHELL_TAB_H

#include "shell_state.h"

/* What Tab needs to know. */
struct shell_tab_place {
	const struct shell *shell;
	const char *entry; /* the lines before this one; NULL: there are none */
};

/* shell_tab_press - as in struct shell_tab; @ctx is a struct shell_tab_place */
void shell_tab_press(void *ctx, struct prompt *prompt, FILE *show);

#endif
