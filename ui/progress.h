/*
 * One line of progress on a terminal: how much is done, how fast, and what
 * is left of it.
 */
#ifndef MEMCGLAB_UI_PROGRESS_H
#define MEMCGLAB_UI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "units.h"

struct progress {
	FILE *file;	  /* NULL: nobody looks */
	const char *what; /* "points" */
	ns_t begun, drawn;
	bool shown;
};

void progress_begin(struct progress *progress, FILE *file, const char *what);

/* progress_draw - some times a second; nothing for what is over in a moment. */
void progress_draw(struct progress *progress, size_t done, size_t total);

/* progress_end - the line goes away. */
void progress_end(struct progress *progress);

#endif
