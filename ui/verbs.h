/*
 * The verbs as constant data: what command.c finds, checks and describes.
 */
#ifndef MEMCGLAB_UI_VERBS_H
#define MEMCGLAB_UI_VERBS_H

#include "command.h"

extern const struct verb verbs_table[]; /* ends with a row without a name */
extern const char *const verbs_later[]; /* words of later versions; ends with NULL */

#endif
