/*
 * What scenarios print goes two ways: to whoever watches, at once, and into
 * the log of the run.  A scenario that prints without end does not fill the
 * memory: its log ends with words that say so.
 */
#include "lab_core.h"

#include <string.h>

enum { PRINTED_MAX = 1 << 20 };

void lab_print_begin(struct lab *lab, struct lab_outcome *out)
{
	lab->printed = 0;
	lab->printing = open_memstream(&out->printed, &out->printed_size);
}

void lab_print_end(struct lab *lab)
{
	if (lab->printing != NULL)
		fclose(lab->printing);
	lab->printing = NULL;
}

void lab_print_line(void *ctx, const char *text)
{
	struct lab *lab = ctx;
	size_t n = strlen(text) + 1;

	if (lab->log.line != NULL)
		lab->log.line(lab->log.ctx, text);
	if (lab->printing == NULL || lab->printed > PRINTED_MAX)
		return;
	lab->printed += n;
	if (lab->printed > PRINTED_MAX)
		fputs("(more was printed; a log ends at 1 MiB)\n", lab->printing);
	else
		fprintf(lab->printing, "%s\n", text);
}
