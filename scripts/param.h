/*
 * Parameters of a scenario: declared in Lua with default, range and meaning,
 * set from text by whoever runs it.  One row of a table for each type knows
 * how a value is read, written, and handed to Lua.
 */
#ifndef MEMCGLAB_SCRIPTS_PARAM_H
#define MEMCGLAB_SCRIPTS_PARAM_H

#include "read.h"
#include "words.h"

enum param_type {
	PARAM_SIZE, PARAM_TIME, PARAM_INT, PARAM_BOOL, PARAM_CHOICE, PARAM_LIST, PARAM_TEXT,
	PARAM_SEED, PARAM_STEPS,	/* PARAM_STEPS: of warm-up */
	NR_PARAM_TYPES
};

enum {
	PARAM_NAME_MAX = 64,
	PARAM_TEXT_MAX = 128,	/* as many as struct script_param shows */
	PARAM_DOC_MAX = 256,
	PARAM_LIST_MAX = 32
};

struct param_value {
	int64_t integer;		/* size, time, int, bool, seed, steps */
	char text[PARAM_TEXT_MAX];	/* choice, text */
	int64_t list[PARAM_LIST_MAX];
	uint32_t nr;			/* of list */
};

struct param {
	enum param_type type;
	char name[PARAM_NAME_MAX];
	char doc[PARAM_DOC_MAX], label[32];
	bool has_min, has_max;
	int64_t min, max;
	char choices[PARAM_DOC_MAX];	/* "even|one-big" */
	struct param_value def, value;
};

const char *param_type_name(enum param_type type);

/**
 * param_declare - take a declaration apart
 * @index: the table that was given to param.TYPE
 * @at:    the line of the declaration; errors are raised there
 * param->type and name are set already; the value becomes the default.
 */
void param_declare(lua_State *L, int index, const struct place *at, struct param *param);

/* param_set - from text.  Returns: ERR_USAGE with what is accepted; the value is untouched then. */
enum err param_set(struct param *param, const char *text, struct diag *diag);

/* param_text - the value, or a limit of it, as text that param_set reads. */
void param_text(const struct param *param, const struct param_value *value,
		char out[PARAM_TEXT_MAX]);
void param_limit_text(const struct param *param, int64_t limit, char out[UNITS_TEXT_MAX]);

/* param_push - the value for Lua. */
void param_push(lua_State *L, const struct param *param);

void param_json(const struct param *param, struct words *words);

#endif
