/*
 * What cannot be undone is asked for on a terminal, and needs --yes elsewhere.
 */
#ifndef MEMCGLAB_UI_CONFIRM_H
#define MEMCGLAB_UI_CONFIRM_H

#include "command.h"

/**
 * confirm - may @cmd go on?
 * @question: "delete 2 runs"
 * @yes:      receives the answer
 * Returns: ERR_USAGE without --yes where nobody can be asked.
 */
enum err confirm(const struct command *cmd, const char *question, bool *yes, struct diag *diag);

#endif
