/*
 * Options as constant data: what args.c reads into struct args.
 */
#ifndef MEMCGLAB_UI_OPTIONS_H
#define MEMCGLAB_UI_OPTIONS_H

#include "args.h"

enum option_type {
	TYPE_FLAG,
	TYPE_TEXT,
	TYPE_CHOICE,
	TYPE_COUNT,
	TYPE_SIZE,
	TYPE_TIME,
	TYPE_PARAM,
	TYPE_SWEEP
};

struct option_row {
	struct option_desc desc;
	enum option_type type;
	size_t offset; /* of the member of struct args; unused by the last two, which add up */
};

extern const struct option_row options_table[NR_OPTIONS]; /* by enum option_id */

#endif
