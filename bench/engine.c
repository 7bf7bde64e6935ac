/*
 * The engine alone, without Lua, store or screen: one task reads a file once
 * through a group with a limit.  Prints `name value` lines that bench.py puts
 * into its table.
 *
 *   engine KERNEL LIMIT FILE        sizes as "1G"
 */
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

enum { CHUNK_BYTES = 128 * 1024 };

/* open_machine - the run that is measured: default machine, kernel @kernel. */
static struct run *open_machine(const char *kernel)
{
	struct scenario sc;
	struct run *run;
	struct diag diag = { 0 };

	scenario_defaults(&sc);
	if (era_find(kernel, &sc.era, &diag) != ERR_OK || run_open(&sc, &run, &diag) != ERR_OK)
		give_up(&diag);
	return run;
}

/* read_file - one group, one task, one sequential read.  Returns: [s] of the read alone. */
static double read_file(struct run *run, bytes_t limit, bytes_t size)
{
	struct op group = { .kind = OP_GROUP_NEW, .object = 1, .name = "reader" };
	struct op task = { .kind = OP_TASK_NEW, .name = "cat" };
	struct op file = { .kind = OP_FILE_NEW, .length = size, .name = "big" };
	struct op read = { .kind = OP_READ, .length = size, .chunk = CHUNK_BYTES };
	double start;

	group.group.set = GROUP_LIMIT;
	group.group.limit_pages = units_pages(limit);
	task.object = apply(run, &group);
	read.task = apply(run, &task);
	read.object = apply(run, &file);
	start = now_s();
	apply(run, &read);
	return now_s() - start;
}

int main(int argc, char **argv)
{
	bytes_t limit, size;
	pages_t resident;
	struct run *run;
	double seconds, frame;

	if (argc != 4 || !units_parse(UNIT_SIZE, argv[2], &limit) ||
	    !units_parse(UNIT_SIZE, argv[3], &size)) {
		fprintf(stderr, "usage: engine KERNEL LIMIT FILE\n");
		return EXIT_FAILURE;
	}
	run = open_machine(argv[1]);
	seconds = read_file(run, limit, size);
	frame = run_footprint(run, &resident);
	printf("seconds %.6f\n", seconds);
	printf("pages %llu\n", (unsigned long long)units_pages(size));
	printf("resident %llu\n", (unsigned long long)resident);
	printf("bytes_per_frame %.2f\n", frame);
	run_close(run);
	return EXIT_SUCCESS;
}
