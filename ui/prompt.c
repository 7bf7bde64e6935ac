/*
 * Readline's callback interface as a pure line editor.  It must not touch
 * the terminal, its size, signals or the environment (LINES and COLUMNS
 * would make curses believe an old size), so each of these is switched off.
 *
 * Keys go through a pipe that is readline's input stream.  Enter, Esc, Tab
 * and Ctrl-C never reach it: they are the caller's.
 */
#include "prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

struct prompt {
	int feed; /* write end; readline reads the other */
	FILE *in, *out;
	bool active, history;
	size_t max; /* [bytes] of the text */
};

/* What a terminal would send for a key that has a name. */
static const struct {
	const char *key, *bytes;
} key_bytes[] = {
	{ "Up", "\033[A" },      { "Down", "\033[B" },    { "Right", "\033[C" },
	{ "Left", "\033[D" },    { "Home", "\033[H" },    { "End", "\033[F" },
	{ "Delete", "\033[3~" }, { "Backspace", "\177" }, { "Space", " " },
};

static const struct {
	const char *key;
	enum prompt_event event;
} own_keys[] = {
	{ "Enter", PROMPT_ACCEPT }, { "Esc", PROMPT_CANCEL },    { "Ctrl-C", PROMPT_CANCEL },
	{ "Tab", PROMPT_COMPLETE }, { "Ctrl-O", PROMPT_ACCEPT },
};

/* In place of what readline would do to the terminal. */
static void do_nothing(void)
{
}

/* The same for the other end. */
static void prepare_nothing(int meta)
{
	(void)meta;
}

/* Never reached by Enter; the end of input, which readline invents, changes nothing. */
static void on_line(char *line)
{
	free(line);
}

/* Is there a byte of a key that readline has not read yet? */
static bool has_input(FILE *stream)
{
	struct pollfd ready = { fileno(stream), POLLIN, 0 };

	return poll(&ready, 1, 0) == 1;
}

/* One byte of the pipe; readline asking for more than was typed gets the end of input. */
static int read_byte(FILE *stream)
{
	unsigned char byte;

	return has_input(stream) && read(fileno(stream), &byte, 1) == 1 ? byte : EOF;
}

/* Keys as we send them and as terminals do, whatever terminal readline believes to be on. */
static const struct {
	const char *bytes;
	rl_command_func_t *command;
} bound_keys[] = {
	{ "\033[A", rl_get_previous_history },
	{ "\033OA", rl_get_previous_history },
	{ "\033[B", rl_get_next_history },
	{ "\033OB", rl_get_next_history },
	{ "\033[C", rl_forward_char },
	{ "\033OC", rl_forward_char },
	{ "\033[D", rl_backward_char },
	{ "\033OD", rl_backward_char },
	{ "\033[H", rl_beg_of_line },
	{ "\033OH", rl_beg_of_line },
	{ "\033[1~", rl_beg_of_line },
	{ "\033[F", rl_end_of_line },
	{ "\033OF", rl_end_of_line },
	{ "\033[4~", rl_end_of_line },
	{ "\033[1;5C", rl_forward_word },
	{ "\033[1;5D", rl_backward_word },
	{ "\033[3~", rl_delete },
	{ "\177", rl_rubout },
	/* On an empty line Ctrl-D would be the end of input. */
	{ "\004", rl_delete },
};

static void bind_keys(void)
{
	for (size_t i = 0; i < sizeof(bound_keys) / sizeof(bound_keys[0]); i++)
		rl_bind_keyseq(bound_keys[i].bytes, bound_keys[i].command);
}

/* Everything that makes readline a stranger to the terminal, before its first use. */
static void set_up(struct prompt *prompt)
{
	rl_change_environment = 0;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_prep_term_function = prepare_nothing;
	rl_deprep_term_function = do_nothing;
	rl_redisplay_function = do_nothing;
	rl_getc_function = read_byte;
	rl_instream = prompt->in;
	rl_outstream = prompt->out;
	rl_initialize();
	rl_variable_bind("bell-style", "none");
	rl_variable_bind("enable-bracketed-paste", "off");
	rl_variable_bind("editing-mode", "emacs");
	rl_variable_bind("convert-meta", "off");
	rl_variable_bind("input-meta", "on");
	rl_variable_bind("output-meta", "on");
	bind_keys();
}

enum err prompt_new(struct prompt **out, struct diag *diag)
{
	struct prompt *prompt = calloc(1, sizeof(*prompt));
	int fd[2] = { -1, -1 };

	*out = prompt;
	if (!prompt)
		return diag_fail(diag, ERR_NOMEM, "no memory for the prompt");
	prompt->max = PROMPT_TEXT_MAX;
	if (pipe(fd) == 0) {
		prompt->feed = fd[1];
		fcntl(fd[0], F_SETFD, FD_CLOEXEC);
		fcntl(fd[1], F_SETFD, FD_CLOEXEC);
		fcntl(fd[1], F_SETFL, O_NONBLOCK);
		prompt->in = fdopen(fd[0], "r");
		prompt->out = fopen("/dev/null", "w");
	}
	if (!prompt->in || !prompt->out) {
		prompt_free(prompt);
		*out = NULL;
		return diag_fail(diag, ERR_NOMEM, "no pipe for the prompt: %s", strerror(errno));
	}
	set_up(prompt);
	return ERR_OK;
}

void prompt_free(struct prompt *prompt)
{
	if (!prompt)
		return;
	prompt_stop(prompt);
	rl_instream = NULL;
	rl_outstream = NULL;
	if (prompt->in)
		fclose(prompt->in);
	if (prompt->out)
		fclose(prompt->out);
	if (prompt->feed > 0)
		close(prompt->feed);
	free(prompt);
}

void prompt_start(struct prompt *prompt, const char *text, bool history)
{
	prompt_stop(prompt);
	rl_callback_handler_install("", on_line);
	using_history();
	prompt->active = true;
	prompt->history = history;
	prompt_set(prompt, text);
}

void prompt_stop(struct prompt *prompt)
{
	if (!prompt->active)
		return;
	rl_replace_line("", 1);
	rl_callback_handler_remove();
	prompt->active = false;
}

bool prompt_active(const struct prompt *prompt)
{
	return prompt->active;
}

/* A key by name as the bytes that a terminal would send for it; "" for those of no use. */
static const char *bytes_of(const char *key, char control[2])
{
	for (size_t i = 0; i < sizeof(key_bytes) / sizeof(key_bytes[0]); i++)
		if (strcmp(key_bytes[i].key, key) == 0)
			return key_bytes[i].bytes;
	if (strncmp(key, "Ctrl-", 5) == 0 && key[5] && !key[6]) {
		control[0] = (char)(key[5] & 0x1f);
		control[1] = '\0';
		return control;
	}
	/* A longer name is a key that no line editor knows; the rest is one UTF-8 character. */
	return (key[0] & 0x80) || !key[1] ? key : "";
}

enum prompt_event prompt_key(struct prompt *prompt, const char *key)
{
	char control[2];
	const char *bytes;
	bool vertical = strcmp(key, "Up") == 0 || strcmp(key, "Down") == 0;

	for (size_t i = 0; i < sizeof(own_keys) / sizeof(own_keys[0]); i++)
		if (strcmp(own_keys[i].key, key) == 0)
			return own_keys[i].event;
	if (vertical && !prompt->history)
		return PROMPT_EDITED;
	bytes = bytes_of(key, control);
	prompt_feed(prompt, bytes, strlen(bytes));
	return PROMPT_EDITED;
}

void prompt_feed(struct prompt *prompt, const char *bytes, size_t n)
{
	if (write(prompt->feed, bytes, n) < 0)
		return;
	/* One call may read a whole character of several bytes. */
	while (has_input(prompt->in))
		rl_callback_read_char();
	while (strlen(rl_line_buffer) >= prompt->max && rl_do_undo())
		continue; /* a line has its limit, and stays whole */
}

/* Esc ends a search and is no key besides. */
void prompt_settle(struct prompt *prompt)
{
	if (RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH))
		prompt_feed(prompt, "\033", 1);
}

const char *prompt_message(const struct prompt *prompt)
{
	return prompt->active && RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH) &&
			       rl_display_prompt
		       ? rl_display_prompt
		       : "";
}

void prompt_limit(struct prompt *prompt, size_t max)
{
	prompt->max = max;
}

void prompt_insert(struct prompt *prompt, size_t erase, const char *text)
{
	if (!prompt->active)
		return;
	rl_begin_undo_group();
	rl_delete_text(rl_point - (int)erase, rl_point);
	rl_point -= (int)erase;
	rl_insert_text(text);
	rl_end_undo_group();
}

const char *prompt_text(const struct prompt *prompt)
{
	return prompt->active ? rl_line_buffer : "";
}

size_t prompt_cursor(const struct prompt *prompt)
{
	return prompt->active && rl_point > 0 ? (size_t)rl_point : 0;
}

void prompt_set(struct prompt *prompt, const char *text)
{
	if (!prompt->active)
		return;
	rl_replace_line(text, 1);
	rl_point = rl_end;
}

void prompt_remember(struct prompt *prompt)
{
	const HIST_ENTRY *newest =
		history_length > 0 ? history_get(history_base + history_length - 1) : NULL;

	if (prompt->history && rl_line_buffer[0] &&
	    (!newest || strcmp(newest->line, rl_line_buffer) != 0))
		add_history(rl_line_buffer);
}

void prompt_learn(struct prompt *prompt, const char *line)
{
	(void)prompt;
	for (int i = history_length - 1; i >= 0; i--) {
		const HIST_ENTRY *entry = history_get(history_base + i);

		if (entry && strcmp(entry->line, line) == 0)
			free_history_entry(remove_history(i));
	}
	add_history(line);
}
