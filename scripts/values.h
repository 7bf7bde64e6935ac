/*
 * Values of a declared parameter as a list or a range says them: what a
 * sweep varies and a bisection looks among.  They are checked by the
 * parameter's own declaration, as a single value is.
 */
#ifndef MEMCGLAB_SCRIPTS_VALUES_H
#define MEMCGLAB_SCRIPTS_VALUES_H

#include "script.h"

enum { VALUES_TEXT_MAX = 128, VALUES_MAX = 4096 };

struct values_one {
	char text[VALUES_TEXT_MAX]; /* as script_param_set reads it */
	int64_t number;		    /* of numeric parameters: bytes, ns, or a count */
};

struct values {
	struct values_one *one; /* @nr of them, all different, in the order given */
	size_t nr;
	bool numeric;
};

/**
 * values_read - "A,B,C", "A..B*F" (each F times the one before), "A..B+S", or several of them
 * @name: of a parameter of @script that is neither a seed nor a list
 * @out:  released by values_fini, also after an error
 * Returns: ERR_USAGE: unknown name, what is no value or out of range, a value twice, an empty
 * range, more than VALUES_MAX.
 */
enum err values_read(const struct script *script, const char *name, const char *spec,
		     struct values *out, struct diag *diag);
void values_fini(struct values *values);

/**
 * values_text - a number as the text of parameter @name
 * Returns: @out, empty if there is no such parameter or it is no number.
 */
char *values_text(const struct script *script, const char *name, int64_t number,
		  char out[VALUES_TEXT_MAX]);

#endif
