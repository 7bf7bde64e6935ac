/*
 * The program in a real terminal: tmux, of a size that can change, with keys
 * typed into it and its screen read back.  Everything waits for text and
 * nothing sleeps for long; what does not come fails the test with the
 * screen as it is.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_TERMINAL_H
#define MEMCGLAB_TESTS_SUPPORT_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

enum { TERMINAL_TEXT_MAX = 1 << 18 };

/**
 * terminal_start - run `memcglab tui ARGS` in a terminal of its own
 * @env: settings before the program: "NO_COLOR=1", "" for none
 */
void terminal_start(int w, int h, const char *env, const char *args);

/* terminal_run - the same for any command of the program: "shell --quiet" */
void terminal_run(int w, int h, const char *env, const char *command);

/* terminal_stop - end it, whatever it does; fine if there is none. */
void terminal_stop(void);

/* terminal_keys - tmux key names: "Enter", "C-c", "Down Down"; terminal_type - text as typed. */
void terminal_keys(const char *names);
void terminal_type(const char *text);
void terminal_paste(const char *text); /* as a terminal with bracketed paste sends it */
void terminal_resize(int w, int h);

/* terminal_wait - until the screen shows @text; terminal_gone - until it does not. */
void terminal_wait(const char *text);
void terminal_gone(const char *text);

/* terminal_screen - the screen as text; with colours as escape sequences if wanted. */
const char *terminal_screen(bool colours);

/* terminal_pid - of the terminal process; terminal_lab_pid - of its lab process. */
pid_t terminal_pid(void);
pid_t terminal_lab_pid(void);

/* terminal_left - wait for the program's end: its status, and that the terminal is as before. */
void terminal_left(int status);

/* terminal_sh - a line of sh with $T, a folder of this test, and $M, the program. */
int terminal_sh(const char *line);

#endif
