/*
 * tmux by its command line, on a socket of this test program, so tests that
 * run side by side never meet.  The shell in the pane writes down the
 * settings of the terminal before and after the program.
 */
#include "terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { TRIES = 1200, TRY_MS = 10, LINE_MAX_BYTES = 4096 };

static unsigned nr_started;

/* $T and $M are in the environment from the first call on. */
static const char *folder(void)
{
	static char path[256];
	const char *tmp = getenv("TMPDIR"), *program = getenv("MEMCGLAB");

	if (path[0])
		return path;
	if (!program)
		fail_msg("MEMCGLAB does not name the program under test");
	snprintf(path, sizeof(path), "%s/terminal-%ld", tmp ? tmp : "/tmp", (long)getpid());
	setenv("T", path, 1);
	setenv("M", program, 1);
	/* tmux would ask the user's own shell, which need not be one like sh. */
	setenv("SHELL", "/bin/sh", 1);
	if (system("mkdir -p \"$T\"") != 0)
		fail_msg("no folder %s", path);
	return path;
}

int terminal_sh(const char *line)
{
	int status;

	folder();
	status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static int
sh(const char *fmt, ...)
{
	char line[LINE_MAX_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	return terminal_sh(line);
}

static void pause_ms(void)
{
	const struct timespec t = { 0, TRY_MS * 1000000 };

	nanosleep(&t, NULL);
}

static void socket_name(const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "%s%s", folder(), name);
	setenv("S", path, 1);
}

void terminal_start(int w, int h, const char *env, const char *args)
{
	char command[LINE_MAX_BYTES / 4];

	snprintf(command, sizeof(command), "tui %s", args);
	terminal_run(w, h, env, command);
}

void terminal_run(int w, int h, const char *env, const char *command)
{
	char name[32];

	terminal_stop();
	/* A server that is about to end still holds its socket: each start has its own. */
	snprintf(name, sizeof(name), "/s%u", ++nr_started);
	socket_name(name);
	sh("rm -f \"$T\"/before \"$T\"/after \"$T\"/pid");
	if (sh("tmux -S \"$S\" -f /dev/null new-session -d -x %d -y %d "
	       "'trap : INT; stty -a >\"$T/before\"; "
	       "sh -c \"echo \\$\\$ >\\\"$T/pid\\\"; exec env LC_ALL=C.UTF-8 "
	       "TERM=screen-256color INPUTRC=/dev/null %s \\\"$M\\\" %s\"; "
	       "echo left-$?; stty -a >\"$T/after\"; read x'",
	       w, h, env, command) != 0)
		fail_msg("tmux does not start");
}

void terminal_stop(void)
{
	sh("test -z \"$S\" || tmux -S \"$S\" kill-server 2>/dev/null");
}

void terminal_keys(const char *names)
{
	assert_int_equal(sh("tmux -S \"$S\" send-keys %s", names), 0);
}

void terminal_type(const char *text)
{
	/* A trailing semicolon would end tmux's own command. */
	for (; *text; text++)
		assert_int_equal(sh("tmux -S \"$S\" send-keys -H %x", (unsigned char)*text), 0);
}

void terminal_paste(const char *text)
{
	assert_int_equal(sh("printf '%%b' '%s' | tmux -S \"$S\" load-buffer -", text), 0);
	assert_int_equal(sh("tmux -S \"$S\" paste-buffer -p -r"), 0);
}

void terminal_resize(int w, int h)
{
	assert_int_equal(sh("tmux -S \"$S\" resize-window -x %d -y %d", w, h), 0);
}

const char *terminal_screen(bool colours)
{
	static char text[TERMINAL_TEXT_MAX];
	char line[LINE_MAX_BYTES];
	FILE *in;
	size_t n;

	snprintf(line, sizeof(line), "tmux -S \"$S\" capture-pane -p%s 2>/dev/null",
		 colours ? "e" : "");
	in = popen(line, "r");
	assert_non_null(in);
	n = fread(text, 1, sizeof(text) - 1, in);
	text[n] = '\0';
	pclose(in);
	return text;
}

static void wait_until(const char *text, bool there)
{
	for (int i = 0; i < TRIES; i++) {
		if ((strstr(terminal_screen(false), text) != NULL) == there)
			return;
		pause_ms();
	}
	fail_msg("\"%s\" %s on\n%s", text, there ? "does not come" : "stays",
		 terminal_screen(false));
}

void terminal_wait(const char *text)
{
	wait_until(text, true);
}

void terminal_gone(const char *text)
{
	wait_until(text, false);
}

static pid_t read_pid(const char *path)
{
	FILE *in = fopen(path, "r");
	long pid = 0;

	if (in && fscanf(in, "%ld", &pid) != 1)
		pid = 0;
	if (in)
		fclose(in);
	return (pid_t)pid;
}

pid_t terminal_pid(void)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/pid", folder());
	return read_pid(path);
}

pid_t terminal_lab_pid(void)
{
	char path[128];
	long pid = (long)terminal_pid();

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children", pid, pid);
	return read_pid(path);
}

void terminal_left(int status)
{
	char text[32];

	snprintf(text, sizeof(text), "left-%d", status);
	terminal_wait(text);
	for (int i = 0; i < TRIES && sh("test -s \"$T/after\"") != 0; i++)
		pause_ms();
	/* Rows and columns may have changed; nothing else may. */
	assert_int_equal(sh("for f in before after; do sed 's/rows [0-9]*; columns [0-9]*//' "
			    "\"$T/$f\" >\"$T/$f.cut\"; done; cmp -s \"$T/before.cut\" "
			    "\"$T/after.cut\""),
			 0);
	assert_int_equal(sh("test \"$(tmux -S \"$S\" display -p "
			    "'#{alternate_on} #{cursor_flag}')\" = '0 1'"),
			 0);
}
