/*
 * The line of progress, drawn over itself.
 */
#include "progress.h"

#include <math.h>
#include <time.h>

#define NS_PER_S ((ns_t)1000000000)
#define FIRST_NS ((ns_t)200000000) /* nothing is drawn for what is faster */
#define AGAIN_NS ((ns_t)100000000)

/* Wall time for the line only; results never see it. */
static ns_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (ns_t)ts.tv_sec * NS_PER_S + (ns_t)ts.tv_nsec;
}

void progress_begin(struct progress *progress, FILE *file, const char *what)
{
	*progress = (struct progress){ .file = file, .what = what, .begun = now_ns() };
}

/* Two figures are enough of what is a guess. */
static void left_text(double seconds, char *out, size_t size)
{
	if (seconds < 100)
		snprintf(out, size, "%.0f s", ceil(seconds));
	else if (seconds < 6000)
		snprintf(out, size, "%.0f min", ceil(seconds / 60));
	else
		snprintf(out, size, "%.1f h", seconds / 3600);
}

void progress_draw(struct progress *progress, size_t done, size_t total)
{
	ns_t now = now_ns(), wall = now - progress->begun;
	double rate = (double)done * (double)NS_PER_S / (double)(wall + 1);
	char left[32] = "?";

	if (progress->file == NULL || wall < FIRST_NS || now - progress->drawn < AGAIN_NS)
		return;
	progress->drawn = now;
	progress->shown = true;
	if (done > 0)
		left_text((double)(total - done) / rate, left, sizeof(left));
	fprintf(progress->file, "\r%zu/%zu %s, %.3g %s/s, %s left   ", done, total, progress->what,
		rate, progress->what, left);
	fflush(progress->file);
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", progress->file);
	progress->shown = false;
}
