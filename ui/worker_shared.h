/*
 * What the two sides of the worker share: the memory that canvases come up
 * in, and the entry of the lab process.  Only worker.c and worker_main.c
 * include this.
 */
#ifndef MEMCGLAB_UI_WORKER_SHARED_H
#define MEMCGLAB_UI_WORKER_SHARED_H

#include <stdatomic.h>

#include "worker.h"

struct worker_slot {
	struct canvas canvas;
	struct worker_state state;
};

struct worker_shared {
	_Atomic uint32_t frames; /* finished so far; number n lies in slot n % 2 */
	struct worker_slot slot[2];
};

/* The lab's ends of the pipes. */
struct worker_ends {
	int request_fd, control_fd, frame_fd;
	int64_t lost_run;
	struct worker_shared *shared;
};

/* worker_main - the lab process from its first to its last moment.  Returns: its exit status. */
int worker_main(const struct tui_options *options, const struct worker_ends *ends);

#endif
