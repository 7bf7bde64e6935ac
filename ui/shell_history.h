/*
 * The lines that were typed, kept in a file of plain text: one for each
 * store, the newest last, each line once, at most SHELL_HISTORY_MAX.  Every
 * line is written when it is typed, so shells side by side lose none.
 */
#ifndef MEMCGLAB_UI_SHELL_HISTORY_H
#define MEMCGLAB_UI_SHELL_HISTORY_H

#include <stddef.h>

#include "diag.h"

enum { SHELL_HISTORY_MAX = 2000, SHELL_HISTORY_PATH_MAX = 4096 };

/**
 * shell_history_path - the file for the store at @db
 * It is memcglab/history-DB in $XDG_STATE_HOME or ~/.local/state, DB being the whole path with
 * "%" for "/".  Returns: ERR_USAGE if there is no place for it.
 */
enum err shell_history_path(const char *db, char out[SHELL_HISTORY_PATH_MAX], struct diag *diag);

/**
 * shell_history_add - append a line
 * Folders are made as needed.
 * Returns: ERR_OUTPUT if it cannot be written.
 */
enum err shell_history_add(const char *path, const char *line, struct diag *diag);

/**
 * shell_history_each - give the newest @max lines to @each, the oldest of them first
 * A file that is not there has none.
 */
void shell_history_each(const char *path, size_t max, void (*each)(void *ctx, const char *line),
			void *ctx);

#endif
