/*
 * memcglab shell: commands, SQL and Lua line by line, typed at a terminal
 * or read from -c, -f or standard input.  Every line works in a child
 * process, as a command of the program does, so none takes the shell along.
 */
#ifndef MEMCGLAB_UI_SHELL_H
#define MEMCGLAB_UI_SHELL_H

#include "args.h"

/**
 * shell_run - until the lines end
 * @args:     its own options; those that every command takes hold for each line
 * @is_child: a line's process comes back here too, with nothing left to do
 * Prints what went wrong itself.  Returns: the first error of lines that are
 * not typed; *diag has no words then.
 */
enum err shell_run(const struct args *args, bool *is_child, struct diag *diag);

#endif
