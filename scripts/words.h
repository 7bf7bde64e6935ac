/*
 * Text that grows: messages and JSON are put together here.  A failed
 * allocation is remembered and leaves the text as it was; who needs to
 * know looks at words.lost once, at the end.
 */
#ifndef MEMCGLAB_SCRIPTS_WORDS_H
#define MEMCGLAB_SCRIPTS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {			/* zeroed: empty */
	char *text;		/* NULL as long as nothing was added */
	size_t used, size;
	bool lost;
};

/* words_add - append, formatted as by printf. */
void words_add(struct words *words, const char *fmt, ...);

/* words_add_json - append @text as a JSON string with its quotes. */
void words_add_json(struct words *words, const char *text);

/* words_clear - free the text and be empty again. */
void words_clear(struct words *words);

#endif
