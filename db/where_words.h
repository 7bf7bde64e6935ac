/*
 * Reading a condition on runs word by word; where.c puts the words together.
 */
#ifndef MEMCGLAB_DB_WHERE_WORDS_H
#define MEMCGLAB_DB_WHERE_WORDS_H

#include "where.h"

enum { WHERE_WORD_MAX = 256 };

enum where_op { OP_NONE, OP_EQUAL, OP_UNEQUAL, OP_LESS, OP_AT_MOST, OP_MORE, OP_AT_LEAST, OP_HAS,
		OP_LIKE, OP_UNLIKE };

struct where_parser {
	sqlite3 *base;
	const char *expr, *at; /* at: what comes next */
	sqlite3_str *sql;
	struct where *out;
	int depth;
	struct diag *diag;
};

/* where_bad - what is wrong, then the condition and a caret below @place.  Returns: @err. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
enum err where_bad(struct where_parser *p, const char *place, enum err err, const char *fmt, ...);

void where_blanks(struct where_parser *p); /* goes past them */
bool where_is_operator(const char *at);

/* where_ends - is @at behind a word?  A value goes on over operators. */
bool where_ends(const char *at, bool is_value);

/* where_word - a word, or what stands in quotes; "" if there is neither.  Returns: ERR_USAGE. */
enum err where_word(struct where_parser *p, bool is_value, char out[WHERE_WORD_MAX]);

/* where_take - goes past @word, in any case, if that comes next.  Returns: whether it did. */
bool where_take(struct where_parser *p, const char *word);

/* where_operator - goes past an operator.  Returns: OP_NONE if there is none. */
enum where_op where_operator(struct where_parser *p);

#endif
