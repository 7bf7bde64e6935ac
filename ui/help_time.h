/*
 * memcglab help time: every constant of time with its status.
 */
#ifndef MEMCGLAB_UI_HELP_TIME_H
#define MEMCGLAB_UI_HELP_TIME_H

#include <stdio.h>

/* help_time - the knobs of time and what of scenarios was fitted, from their tables. */
void help_time(FILE *out);

#endif
