/*
 * What may stand where the cursor is: the names for Tab.  Where that is -
 * a command, an option, the value of one, a parameter, a run, a column, a
 * file - is read from the same tables that the commands are.
 */
#ifndef MEMCGLAB_UI_SHELL_COMPLETE_H
#define MEMCGLAB_UI_SHELL_COMPLETE_H

#include "args.h"

struct complete_item {
	char *text;
	char *note; /* what it is, in a line; NULL: nothing more to say */
};

struct complete {
	/* Asked. */
	const struct lab_options *lab; /* opened and closed again as needed */
	int64_t run;                   /* the current one, 0: none */
	const char *text;              /* of the entry, up to the cursor */
	const char *rest;              /* behind it */

	/* Answered. */
	char *prefix;        /* what the names begin with; owned */
	size_t typed;        /* [bytes] before the cursor that a name takes the place of */
	const char *behind;  /* what follows a whole name: " " or "" */
	bool escape;         /* blanks in a name need a "\" before them */
	struct complete_item *item; /* owned */
	size_t nr;
};

/**
 * complete_find - all names that fit
 * @c: its asked part is set, the rest zeroed
 * What cannot be found out (no store, a broken scenario) has no names.
 */
void complete_find(struct complete *c);
void complete_free(struct complete *c);

/* complete_add - @text, if it begins with the prefix and is not there yet. */
void complete_add(struct complete *c, const char *text, const char *note);

/* complete_prefix - the last @n bytes of the text before the cursor are what names begin with. */
void complete_prefix(struct complete *c, size_t n);

/* Names of one kind, each. */
void complete_scenarios(struct complete *c);
void complete_runs(struct complete *c);
void complete_kernels(struct complete *c);
void complete_tables(struct complete *c); /* published ones */
void complete_files(struct complete *c);
/* complete_params - of @scenario: "limit=", or the values behind "shape=". */
void complete_params(struct complete *c, const char *scenario);
/* complete_sql - columns, or views behind FROM; complete_lua - what run has. */
void complete_sql(struct complete *c);
void complete_lua(struct complete *c);

#endif
