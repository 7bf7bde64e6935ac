/*
 * The texts of the files a scenario is made of, kept to show the lines
 * around an error, and the form of an error as the user reads it:
 *
 *	scenarios/x.lua:9: limit: "100Q" is not a size (write …)
 *	     8    params = {
 *	  >  9      limit = param.size { "100Q" },
 *	    10    },
 *	  in params of scenario "x"
 */
#ifndef MEMCGLAB_SCRIPTS_SOURCE_H
#define MEMCGLAB_SCRIPTS_SOURCE_H

#include <stdbool.h>

#include "diag.h"

enum { SOURCE_TAG_MAX = 60 };	/* Lua cuts longer chunk names itself */

struct source {
	char *file;			/* as the user names it */
	char *module;			/* as a scenario required it; NULL: it is the scenario */
	char *text;
	size_t size;
	size_t *line, nr_lines;		/* where each line begins in the text */
	char tag[SOURCE_TAG_MAX];	/* how Lua's own messages name it */
	struct source *next;
};

/* Where something is said.  No source: nowhere that the user could look. */
struct place {
	const struct source *source;
	int line;
};

/**
 * source_add - keep a copy of a text
 * @list: the new one is put first
 * Returns: NULL if the host has no memory.
 */
struct source *source_add(struct source **list, const char *file, const char *text, size_t size);
void source_free(struct source *list);

/* source_find - the one that Lua's messages name @tag, NULL if none. */
const struct source *source_find(const struct source *list, const char *tag, size_t length);

/**
 * source_line - one line, without its end
 * @length: receives its length [bytes]
 * Returns: NULL past the last line.
 */
const char *source_line(const struct source *source, int line, size_t *length);

/**
 * source_find_key - the first line from @from on that assigns to @key
 * Returns: @from if there is none within a screenful.
 */
int source_find_key(const struct source *source, int from, const char *key);

struct source_report {
	enum err err;
	struct place at;
	const char *text;
	const char *frames;		/* more lines, "" if none */
	const char *phase;		/* "params", NULL if outside of all */
	const char *scenario;		/* "" while unknown */
};

/* source_report - write the report into @diag.  Returns: its err. */
enum err source_report(const struct source_report *report, struct diag *diag);

#endif
