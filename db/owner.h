/*
 * Who writes a run: the process, told apart from a later one with the same
 * number by the boot and by its start time.  With these three a later open
 * knows which runs were left behind by a process that died.
 */
#ifndef MEMCGLAB_DB_OWNER_H
#define MEMCGLAB_DB_OWNER_H

#include <stdbool.h>
#include <stdint.h>

enum { OWNER_BOOT_MAX = 40 };

struct owner {
	char boot[OWNER_BOOT_MAX]; /* boot id, "" where there is no /proc */
	int64_t pid;
	int64_t started; /* [clock ticks since boot], 0 if unknown */
};

/* owner_self - this process. */
void owner_self(struct owner *out);

/**
 * owner_alive - whether the process that @owner describes still runs
 * @self: this process, for the boot id of now
 * A zombie counts as dead: it will write nothing more.
 */
bool owner_alive(const struct owner *owner, const struct owner *self);

#endif
