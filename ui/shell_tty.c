/*
 * Three modes of the terminal: while a line is typed every key comes here,
 * while a line works keys wait unseen and Ctrl-C is a signal, and others
 * (a pager, the TUI, "!") find it as it was before the shell.
 *
 * Invariant: row is the row of the cursor below the first one of the label.
 */
#define _DEFAULT_SOURCE   /* struct winsize, TIOCGWINSZ */
#define _XOPEN_SOURCE 700 /* wcwidth */
#include "shell_tty.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

enum { CTRL_C = 3, CTRL_D = 4, CTRL_L = 12, CTRL_Z = 26, INPUT_MAX = 4096, AHEAD_MAX = 16 };

struct shell_tty {
	struct termios before;
	sigset_t mask;
	int signals;
	struct prompt *prompt;
	bool dumb; /* it cannot place its cursor: it edits lines itself */
	const char *label;
	size_t row;
	unsigned char input[INPUT_MAX]; /* read, and not yet looked at from begin to end */
	size_t begin, end;
	char *line; /* the last one that was typed */
};

/* ---- modes ---- */

static void set_mode(struct shell_tty *tty, bool typing)
{
	struct termios mode = tty->before;

	if (tty->dumb)
		return;
	mode.c_lflag &= (tcflag_t) ~(ICANON | ECHO | IEXTEN);
	if (typing) {
		mode.c_lflag &= (tcflag_t)~ISIG;
		mode.c_iflag &= (tcflag_t) ~(IXON | ICRNL | INLCR);
	}
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
}

void shell_tty_lend(struct shell_tty *tty, bool own)
{
	if (own)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &tty->before);
	else
		set_mode(tty, false);
}

static bool is_dumb(void)
{
	const char *term = getenv("TERM");

	return term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0;
}

enum err shell_tty_open(struct shell_tty **out, sigset_t *mask, struct diag *diag)
{
	struct shell_tty *tty = calloc(1, sizeof(*tty));
	sigset_t ours;
	enum err err;

	*out = NULL;
	if (tty == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the terminal");
	err = prompt_new(&tty->prompt, diag);
	if (err != ERR_OK) {
		free(tty);
		return err;
	}
	prompt_limit(tty->prompt, SHELL_TEXT_MAX);
	tty->dumb = is_dumb();
	tcgetattr(STDIN_FILENO, &tty->before);
	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGHUP);
	sigaddset(&ours, SIGWINCH);
	sigprocmask(SIG_BLOCK, &ours, &tty->mask);
	*mask = tty->mask;
	tty->signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	*out = tty;
	return ERR_OK;
}

void shell_tty_drop(struct shell_tty *tty)
{
	if (tty == NULL)
		return;
	prompt_free(tty->prompt);
	if (tty->signals >= 0)
		close(tty->signals);
	free(tty->line);
	free(tty);
}

void shell_tty_close(struct shell_tty *tty)
{
	if (tty == NULL)
		return;
	shell_tty_lend(tty, true);
	sigprocmask(SIG_SETMASK, &tty->mask, NULL);
	shell_tty_drop(tty);
}

struct prompt *shell_tty_prompt(struct shell_tty *tty)
{
	return tty->prompt;
}

/* ---- what is drawn ---- */

static size_t columns(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

/* Where the next character goes. */
struct spot {
	size_t row, column, width;
};

static void advance(struct spot *spot, size_t cells)
{
	if (spot->column + cells > spot->width) {
		spot->row++;
		spot->column = 0;
	}
	spot->column += cells;
}

/* A character at the edge leaves the cursor behind it: it belongs to the next row. */
static void settle(struct spot *spot)
{
	if (spot->column < spot->width)
		return;
	spot->row++;
	spot->column = 0;
}

/* @n bytes of @text, those that would move the cursor as ^X; without @out they are only counted. */
static void put_text(FILE *out, const char *text, size_t n, struct spot *spot)
{
	mbstate_t state;

	memset(&state, 0, sizeof(state));
	while (n > 0) {
		wchar_t wide = L'?';
		size_t used = mbrtowc(&wide, text, n, &state);
		int cells;

		if (used == 0 || used > n) {
			memset(&state, 0, sizeof(state));
			used = 1;
			wide = L'\0';
		}
		cells = wcwidth(wide);
		if (cells <= 0 && used == 1)
			cells = 2;
		advance(spot, cells > 0 ? (size_t)cells : 0);
		if (out != NULL && used == 1 && cells == 2)
			fprintf(out, "^%c", (*text & 0x1f) | 0x40);
		else if (out != NULL)
			fwrite(text, 1, used, out);
		text += used;
		n -= used;
	}
}

/* Where the cursor stands in a terminal of this width: it may have been resized since. */
static struct spot cursor_spot(struct shell_tty *tty, const char *label)
{
	struct spot spot = { 0, 0, columns() };

	put_text(NULL, label, strlen(label), &spot);
	put_text(NULL, prompt_text(tty->prompt), prompt_cursor(tty->prompt), &spot);
	settle(&spot);
	return spot;
}

/* The whole line anew, with the cursor in its place, or behind the text if @last. */
static void draw(struct shell_tty *tty, bool last)
{
	const char *text = prompt_text(tty->prompt), *message = prompt_message(tty->prompt);
	const char *label = message[0] != '\0' ? message : tty->label;
	struct spot end = { 0, 0, columns() }, cursor = cursor_spot(tty, label);

	if (tty->dumb)
		return;
	if (tty->row > 0)
		printf("\033[%zuA", tty->row);
	fputs("\r\033[J", stdout);
	put_text(stdout, label, strlen(label), &end);
	put_text(stdout, text, strlen(text), &end);
	if (end.column >= end.width)
		fputs("\r\n", stdout);
	settle(&end);
	if (last) {
		tty->row = 0;
		if (end.column > 0)
			fputs("\r\n", stdout);
	} else {
		if (end.row > cursor.row)
			printf("\033[%zuA", end.row - cursor.row);
		putchar('\r');
		if (cursor.column > 0)
			printf("\033[%zuC", cursor.column);
		tty->row = cursor.row;
	}
	fflush(stdout);
}

/* ---- keys ---- */

/* What is shown below the line is printed at its end; then the line comes again. */
static void press_tab(struct shell_tty *tty, const struct shell_tab *tab)
{
	char *text = NULL;
	size_t size = 0;
	FILE *show = open_memstream(&text, &size);

	if (show == NULL)
		return;
	tab->press(tab->ctx, tty->prompt, show);
	fclose(show);
	if (size > 0) {
		draw(tty, true);
		fwrite(text, 1, size, stdout);
	}
	free(text);
}

static void suspend(struct shell_tty *tty)
{
	draw(tty, true);
	shell_tty_lend(tty, true);
	raise(SIGTSTP);
	set_mode(tty, true);
}

/* Bytes up to the next one that is ours. */
static size_t plain_bytes(const struct shell_tty *tty)
{
	static const char own[] = { '\r', '\n', '\t', CTRL_C, CTRL_L, CTRL_Z };
	size_t n = 0;

	while (tty->begin + n < tty->end &&
	       memchr(own, tty->input[tty->begin + n], sizeof(own)) == NULL)
		n++;
	return n;
}

/* A tab that stands before words, or in the middle of more than a person types ahead, is a blank
 * of a text that was pasted. */
static bool is_pasted(const struct shell_tty *tty)
{
	const char *text = prompt_text(tty->prompt);
	size_t waiting = tty->end - tty->begin;

	return waiting > AHEAD_MAX || (waiting > 0 && text[strspn(text, " ")] == '\0');
}

/* A key of our own.  Returns: true if it ends the line, as *key says. */
static bool own_key(struct shell_tty *tty, unsigned char c, const struct shell_tab *tab,
		    enum shell_key *key)
{
	switch (c) {
	case '\r':
	case '\n':
		prompt_settle(tty->prompt);
		*key = SHELL_LINE;
		return true;
	case CTRL_C:
		*key = SHELL_DROP;
		return true;
	case CTRL_L:
		fputs("\033[H\033[2J", stdout);
		tty->row = 0;
		return false;
	case CTRL_Z:
		suspend(tty);
		return false;
	default:
		if (is_pasted(tty))
			prompt_feed(tty->prompt, " ", 1);
		else
			press_tab(tty, tab);
		return false;
	}
}

/* All that was read, up to the end of a line. */
static bool take_input(struct shell_tty *tty, const struct shell_tab *tab, enum shell_key *key)
{
	while (tty->begin < tty->end) {
		size_t n = plain_bytes(tty);

		if (n > 0 && tty->input[tty->begin] == CTRL_D &&
		    prompt_text(tty->prompt)[0] == '\0') {
			tty->begin++;
			*key = SHELL_LEAVE;
			return true;
		}
		if (n > 0)
			prompt_feed(tty->prompt, (const char *)tty->input + tty->begin, n);
		tty->begin += n;
		if (tty->begin < tty->end && own_key(tty, tty->input[tty->begin++], tab, key))
			return true;
	}
	draw(tty, false);
	return false;
}

/* Returns: false at the end of the terminal. */
static bool read_input(struct shell_tty *tty)
{
	ssize_t n = read(STDIN_FILENO, tty->input, sizeof(tty->input));

	if (n < 0 && errno == EINTR)
		return true;
	tty->begin = 0;
	tty->end = n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* ---- signals ---- */

/* Returns: true if one ends the line. */
static bool take_signal(struct shell_tty *tty, enum shell_key *key)
{
	struct signalfd_siginfo info;

	while (read(tty->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGWINCH) {
			tty->row = cursor_spot(tty, tty->label).row;
			draw(tty, false);
			continue;
		}
		*key = info.ssi_signo == SIGINT ? SHELL_DROP : SHELL_ENDED;
		return true;
	}
	return false;
}

/* An interrupt of the line before is over with it. */
static void forget_interrupts(void)
{
	const struct timespec now = { 0, 0 };
	sigset_t interrupt;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	while (sigtimedwait(&interrupt, NULL, &now) > 0)
		continue;
}

static enum shell_key wait_key(struct shell_tty *tty, const struct shell_tab *tab)
{
	enum shell_key key = SHELL_LEAVE;

	while (!take_input(tty, tab, &key)) {
		struct pollfd fd[2] = {
			{ STDIN_FILENO, POLLIN, 0 },
			{ tty->signals, POLLIN, 0 },
		};

		if (poll(fd, 2, -1) < 0 && errno != EINTR)
			return SHELL_LEAVE;
		if (fd[1].revents != 0 && take_signal(tty, &key))
			return key;
		if (fd[0].revents != 0 && !read_input(tty))
			return SHELL_LEAVE;
	}
	return key;
}

enum shell_key shell_tty_line(struct shell_tty *tty, const char *label, const struct shell_tab *tab,
			      const char **line)
{
	enum shell_key key;

	forget_interrupts();
	set_mode(tty, true);
	tty->label = label;
	tty->row = 0;
	if (tty->dumb)
		fputs(label, stdout);
	fflush(stdout);
	prompt_start(tty->prompt, "", true);
	key = wait_key(tty, tab);
	free(tty->line);
	tty->line = strdup(prompt_text(tty->prompt));
	*line = tty->line != NULL ? tty->line : "";
	draw(tty, true);
	prompt_stop(tty->prompt);
	set_mode(tty, false);
	fflush(stdout);
	return key;
}
