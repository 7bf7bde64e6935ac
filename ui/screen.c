/*
 * Curses in one place.  It is started on the alternate screen in raw mode;
 * LINES and COLUMNS of the environment are ignored, since readline writes
 * them, and sizes come from the terminal alone.
 *
 * Signals become bytes that a thread reads; it passes them on to the loop.
 * Those that mean a crash make it put the terminal back first, and then do
 * what they always do.
 */
#define _XOPEN_SOURCE 700 /* wcwidth and the wide half of curses */

#include "screen.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>
#include <term.h>

#include "theme.h"

enum { LEAVE_MAX = 128, ESCAPE_DELAY_MS = 25, NR_CTRL = 32 };

/* Key codes of our own, above those of curses: a terminal frames pasted text with two sequences. */
enum { PASTE = 2000, PASTE_END };
static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

struct screen {
	SCREEN *curses;
	bool colour;
	int w, h;
	struct termios before;
	char leave[LEAVE_MAX]; /* what terminfo says ends our use of the terminal */
	size_t leave_bytes;
	int socket[2]; /* handlers' end, watcher's end */
	int news[2];   /* to the loop */
	pthread_t watcher;
	bool watched;
};

/* Where a signal handler reports: its end of the socket, 0 while no screen is open. */
static volatile sig_atomic_t signal_fd;

static const int reported[] = { SIGWINCH, SIGTERM, SIGHUP, SIGINT };
static const int fatal[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGQUIT };

enum {
	NR_REPORTED = sizeof(reported) / sizeof(reported[0]),
	NR_FATAL = sizeof(fatal) / sizeof(fatal[0])
};

/* A byte to the watcher: all that a handler of a harmless signal does. */
static void report(int number)
{
	int saved = errno;
	char byte = (char)number;
	ssize_t n = write(signal_fd, &byte, 1);

	(void)n;
	errno = saved;
}

/* The watcher puts the terminal back and answers; then the signal does what it always does. */
static void crash(int number)
{
	char byte = (char)number;

	if (write(signal_fd, &byte, 1) == 1 && read(signal_fd, &byte, 1) == 1)
		raise(number); /* SA_RESETHAND: its usual work */
	_exit(128 + number);
}

/* The same handler for several signals. */
static void handle(const int *numbers, size_t n, void (*handler)(int), int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = flags;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < n; i++)
		sigaction(numbers[i], &action, NULL);
}

/* Does this signal mean a crash? */
static bool is_fatal(int number)
{
	for (size_t i = 0; i < NR_FATAL; i++)
		if (fatal[i] == number)
			return true;
	return false;
}

/*
 * A thread that hears of every signal.  The loop gets the harmless ones; on
 * a crash it gives the terminal back, with nothing but system calls, while
 * the thread that crashed waits in its handler.
 */
static void *watch_signals(void *ctx)
{
	struct screen *screen = ctx;
	bool ok = true;
	char byte;

	while (read(screen->socket[1], &byte, 1) == 1 && byte != 0) {
		if (!is_fatal(byte)) {
			ok &= write(screen->news[1], &byte, 1) == 1;
			continue;
		}
		ok &= write(STDOUT_FILENO, screen->leave, screen->leave_bytes) >= 0;
		tcsetattr(STDIN_FILENO, TCSANOW, &screen->before);
		ok &= write(screen->socket[1], &byte, 1) == 1;
	}
	/* There is nobody to tell if something could not be written. */
	return ok ? screen : NULL;
}

/* Appends what ends our use of the terminal; nothing for what terminfo does not have. */
static void leave_with(struct screen *screen, const char *text)
{
	size_t n = text && text != (const char *)-1 ? strlen(text) : 0;

	if (n == 0 || screen->leave_bytes + n > sizeof(screen->leave))
		return;
	memcpy(screen->leave + screen->leave_bytes, text, n);
	screen->leave_bytes += n;
}

/* Straight to the terminal, where curses knows no name for it; nobody to tell if that fails. */
static void send_text(const char *text)
{
	ssize_t n = write(STDOUT_FILENO, text, strlen(text));

	(void)n;
}

static bool start_watcher(struct screen *screen)
{
	sigset_t all, before;

	/* No signal may land on the thread that the handlers wait for. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	screen->watched = pthread_create(&screen->watcher, NULL, watch_signals, screen) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return screen->watched;
}

static enum err open_signals(struct screen *screen, struct diag *diag)
{
	static const char *const leave[] = { "rmkx", "sgr0", "cnorm", "rmcup" };

	leave_with(screen, paste_off);
	for (size_t i = 0; i < sizeof(leave) / sizeof(leave[0]); i++)
		leave_with(screen, tigetstr(leave[i]));
	if (pipe(screen->news) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, screen->socket) != 0 ||
	    !start_watcher(screen))
		return diag_fail(diag, ERR_NOMEM, "no way to hear of signals: %s", strerror(errno));
	fcntl(screen->news[0], F_SETFL, O_NONBLOCK);
	signal_fd = screen->socket[0];
	handle(reported, NR_REPORTED, report, SA_RESTART);
	handle(fatal, NR_FATAL, crash, (int)SA_RESETHAND);
	return ERR_OK;
}

static void close_signals(struct screen *screen)
{
	ssize_t n;

	handle(fatal, NR_FATAL, SIG_DFL, 0);
	handle(reported, NR_REPORTED, SIG_DFL, 0);
	if (screen->watched) {
		n = write(screen->socket[0], "", 1); /* 0 ends it */
		(void)n;
		pthread_join(screen->watcher, NULL);
	}
	signal_fd = 0;
	for (int i = 0; i < 2; i++) {
		if (screen->news[i] > 0)
			close(screen->news[i]);
		if (screen->socket[i] > 0)
			close(screen->socket[i]);
	}
}

/* Before curses starts: it shows nothing on a terminal without a cursor, and says nothing. */
static enum err check_terminal(struct diag *diag)
{
	const char *name = getenv("TERM"), *cup;
	bool can_move;
	int found = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return diag_fail(diag, ERR_USAGE,
				 "tui needs a terminal; memcglab screen RUN prints "
				 "one picture without");
	if (setupterm(NULL, STDOUT_FILENO, &found) != OK)
		return diag_fail(diag, ERR_USAGE, "TERM=%s: no such terminal is known here",
				 name ? name : "");
	cup = tigetstr("cup");
	can_move = cup && cup != (const char *)-1;
	/* Curses makes its own description, and would leave ours behind. */
	del_curterm(set_curterm(NULL));
	if (!can_move)
		return diag_fail(diag, ERR_USAGE,
				 "this terminal (TERM=%s) cannot place its cursor; "
				 "memcglab screen RUN prints one picture without",
				 name ? name : "");
	return ERR_OK;
}

/* Pairs in the order of the roles.  The background stays the terminal's own. */
static void start_colours(struct screen *screen, bool wanted)
{
	screen->colour = wanted && start_color() == OK && COLORS >= 8 && use_default_colors() == OK;
	for (int a = 0; screen->colour && a < NR_ATTRS; a++)
		init_pair((short)(a + 1), (short)theme_role((enum canvas_attr)a)->colour, -1);
}

/* The size from the terminal itself, and curses told of it. */
static void read_size(struct screen *screen)
{
	struct winsize size;

	screen->w = COLS;
	screen->h = LINES;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
		return;
	screen->w = size.ws_col < CANVAS_W_MAX ? size.ws_col : CANVAS_W_MAX;
	screen->h = size.ws_row < CANVAS_H_MAX ? size.ws_row : CANVAS_H_MAX;
	resizeterm(size.ws_row, size.ws_col);
}

/* On the alternate screen, every key at once, nothing echoed, nothing translated. */
static void start_curses(bool colour, struct screen *screen)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_DELAY_MS);
	curs_set(0);
	/* A terminal that does not know the mode sends pasted text as keys, as before. */
	define_key("\033[200~", PASTE);
	define_key("\033[201~", PASTE_END);
	send_text(paste_on);
	start_colours(screen, colour);
	read_size(screen);
}

enum err screen_open(bool colour, struct screen **out, struct diag *diag)
{
	struct screen *screen;
	enum err err = check_terminal(diag);

	*out = NULL;
	if (err != ERR_OK)
		return err;
	screen = calloc(1, sizeof(*screen));
	if (!screen)
		return diag_fail(diag, ERR_NOMEM, "no memory for the screen");
	setlocale(LC_CTYPE, "");
	tcgetattr(STDIN_FILENO, &screen->before);
	use_env(FALSE);
	use_tioctl(TRUE);
	screen->curses = newterm(NULL, stdout, stdin);
	if (!screen->curses) {
		free(screen);
		return diag_fail(diag, ERR_USAGE, "this terminal cannot be used");
	}
	start_curses(colour, screen);
	err = open_signals(screen, diag);
	if (err != ERR_OK) {
		screen_close(screen);
		return err;
	}
	*out = screen;
	return ERR_OK;
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	send_text(paste_off);
	endwin();
	tcsetattr(STDIN_FILENO, TCSANOW, &screen->before);
	close_signals(screen);
	delscreen(screen->curses);
	free(screen);
}

void screen_forget(void)
{
	handle(fatal, NR_FATAL, SIG_DFL, 0);
	handle(reported, NR_REPORTED, SIG_DFL, 0);
}

int screen_input_fd(const struct screen *screen)
{
	(void)screen;
	return STDIN_FILENO;
}

int screen_signal_fd(const struct screen *screen)
{
	return screen->news[0];
}

unsigned screen_signals(struct screen *screen)
{
	unsigned seen = 0;
	char byte;

	while (read(screen->news[0], &byte, 1) == 1)
		seen |= byte == SIGWINCH ? SCREEN_RESIZED
			: byte == SIGINT ? SCREEN_INTERRUPT
					 : SCREEN_END;
	if (seen & SCREEN_RESIZED)
		read_size(screen);
	return seen;
}

void screen_size(const struct screen *screen, int *w, int *h)
{
	*w = screen->w;
	*h = screen->h;
}

/* Does this locale say that every glyph of the range is one cell wide? */
static bool narrow(uint32_t first, uint32_t last)
{
	for (uint32_t ch = first; ch <= last; ch++)
		if (wcwidth((wchar_t)ch) != 1)
			return false;
	return true;
}

enum canvas_glyphs screen_glyphs(void)
{
	setlocale(LC_CTYPE, "");
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0 || !narrow(0x2500, 0x2502) ||
	    !narrow(0x2581, 0x2591) || !narrow(0x25cb, 0x25cf) || !narrow(0x2026, 0x2026))
		return GLYPHS_ASCII;
	return narrow(0x28c0, 0x28ff) ? GLYPHS_BRAILLE : GLYPHS_BLOCK;
}

static const struct {
	int code;
	const char *name;
} special_keys[] = {
	{ KEY_UP, "Up" },       { KEY_DOWN, "Down" },
	{ KEY_LEFT, "Left" },   { KEY_RIGHT, "Right" },
	{ KEY_PPAGE, "PgUp" },  { KEY_NPAGE, "PgDn" },
	{ KEY_HOME, "Home" },   { KEY_END, "End" },
	{ KEY_ENTER, "Enter" }, { KEY_BACKSPACE, "Backspace" },
	{ KEY_DC, "Delete" },   { KEY_BTAB, "Shift-Tab" },
	{ KEY_F(1), "F1" },     { KEY_F(10), "F10" },
	{ PASTE, "Paste" },     { PASTE_END, "PasteEnd" },
};

/* A control character: a few have names of their own. */
static void control_name(wint_t ch, char key[SCREEN_KEY_MAX])
{
	static const char *const names[NR_CTRL] = { [8] = "Backspace",
						    [9] = "Tab",
						    [10] = "Enter",
						    [13] = "Enter",
						    [27] = "Esc" };

	if (ch == 127)
		strcpy(key, "Backspace");
	else if (names[ch])
		strcpy(key, names[ch]);
	else {
		strcpy(key, "Ctrl-@");
		key[5] = (char)(ch + '@');
	}
}

/* Keys that curses knows by a code.  Others mean nothing here. */
static bool special_name(wint_t code, char key[SCREEN_KEY_MAX])
{
	for (size_t i = 0; i < sizeof(special_keys) / sizeof(special_keys[0]); i++) {
		if (special_keys[i].code != (int)code)
			continue;
		strcpy(key, special_keys[i].name);
		return true;
	}
	return false;
}

bool screen_key(struct screen *screen, char key[SCREEN_KEY_MAX])
{
	mbstate_t state;
	wint_t ch;
	int kind;

	(void)screen;
	while ((kind = get_wch(&ch)) != ERR) {
		memset(&state, 0, sizeof(state));
		memset(key, 0, SCREEN_KEY_MAX);
		if (kind == KEY_CODE_YES) {
			if (special_name(ch, key))
				return true;
			continue; /* a key that means nothing to us */
		}
		if (ch < NR_CTRL || ch == 127)
			control_name(ch, key);
		else if (ch == ' ')
			strcpy(key, "Space");
		else if (wcrtomb(key, (wchar_t)ch, &state) == (size_t)-1)
			continue;
		return true;
	}
	return false;
}

/* A role as curses wants it; without colours its attributes remain. */
static attr_t role_attr(const struct screen *screen, int attr)
{
	const struct theme_role *role = theme_role((enum canvas_attr)attr);
	attr_t bits = A_NORMAL;

	bits |= role->bold ? A_BOLD : 0;
	bits |= role->dim ? A_DIM : 0;
	bits |= role->reverse ? A_REVERSE : 0;
	bits |= role->underline ? A_UNDERLINE : 0;
	if (screen->colour)
		bits |= (attr_t)COLOR_PAIR(attr + 1);
	return bits;
}

/* Cells of one role from @x on; returns the first cell after them. */
static int show_run(const struct screen *screen, const struct canvas *c, int x, int y)
{
	const struct canvas_cell *row = &c->cell[y * c->w];
	wchar_t text[CANVAS_W_MAX + 1];
	int end = x, n = 0;

	while (end < c->w && end < screen->w && row[end].attr == row[x].attr)
		text[n++] = (wchar_t)row[end++].ch;
	text[n] = L'\0';
	attrset((int)role_attr(screen, row[x].attr));
	mvaddnwstr(y, x, text, n);
	return end;
}

void screen_show(struct screen *screen, const struct canvas *canvas)
{
	erase();
	for (int y = 0; y < canvas->h && y < screen->h; y++)
		for (int x = 0; x < canvas->w && x < screen->w;)
			x = show_run(screen, canvas, x, y);
	attrset(A_NORMAL);
	if (canvas->cursor_y >= 0 && canvas->cursor_y < screen->h) {
		curs_set(1);
		move(canvas->cursor_y, canvas->cursor_x < screen->w ? canvas->cursor_x : 0);
	} else {
		curs_set(0);
	}
	refresh();
}

void screen_redraw(struct screen *screen)
{
	(void)screen;
	clearok(stdscr, TRUE);
}
