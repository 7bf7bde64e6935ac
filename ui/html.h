/*
 * Templates: text in which ${name} is a value, ${#list} ... ${/list} is said
 * once for each element, and ${=name} is markup that was made here.  Values
 * come from a JSON object; a name that an element has not is looked for
 * around it.  One function escapes, and everything but ${=name} goes through it.
 */
#ifndef MEMCGLAB_UI_HTML_H
#define MEMCGLAB_UI_HTML_H

#include <stdio.h>

#include <jansson.h>

#include "diag.h"

/* html_escape - text as it may stand in an element or in a quoted attribute. */
void html_escape(const char *text, FILE *out);

/**
 * html_expand - write @text with the values of @data
 * Returns: ERR_NAME for a name that there is no value for, a list that is none, or one
 * that does not end; what came before has been written.
 */
enum err html_expand(const char *text, const json_t *data, FILE *out, struct diag *diag);

#endif
