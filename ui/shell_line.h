/*
 * What a line of the shell is, and whether it is whole: commands are words,
 * SQL goes on to its semicolon, Lua until it can be read.  Pure: texts in,
 * answers out.
 */
#ifndef MEMCGLAB_UI_SHELL_LINE_H
#define MEMCGLAB_UI_SHELL_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

enum shell_kind {
	SHELL_BLANK, /* nothing, or a comment behind # or -- */
	SHELL_WORDS, /* a command */
	SHELL_DOT,
	SHELL_SQL,    /* reads */
	SHELL_CHANGE, /* SQL that changes the store */
	SHELL_LUA,
	SHELL_HOST /* behind "!", for the host's own shell */
};

enum shell_kind shell_kind(const char *text);

/**
 * shell_open - what keeps @text from being whole
 * Returns: the prompt that names it ("sql>", "lua>", "'...>"), NULL if nothing does.
 */
const char *shell_open(const char *text);

/* shell_statement - length of the first statement of SQL, its semicolon included. */
size_t shell_statement(const char *text);

/* shell_lua - what stands behind "=" or "lua"; *chunk: behind the latter */
const char *shell_lua(const char *text, bool *chunk);

enum { SHELL_WORDS_MAX = 64 };

struct shell_words {
	char *text; /* owned: what the words lie in */
	char *word[SHELL_WORDS_MAX];
	size_t at[SHELL_WORDS_MAX]; /* where each begins in the line [bytes] */
	int n;
};

/**
 * shell_split - a line into words, as a shell does: '…' is as it is, "…" and \ quote
 * A last word whose quote is not closed is kept as it stands.
 * Returns: ERR_USAGE for more than SHELL_WORDS_MAX words; ERR_NOMEM.
 */
enum err shell_split(const char *line, struct shell_words *out, struct diag *diag);
void shell_words_free(struct shell_words *words);

#endif
