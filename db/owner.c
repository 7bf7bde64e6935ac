/*
 * The identity of a process, read from /proc.  A process number alone is
 * reused within hours, so its start time and the boot are compared as well.
 * Where /proc is missing only the number is left to go by.
 */
#include "owner.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum {
	STAT_MAX = 1024,
	STAT_START_FIELD = 22, /* of /proc/PID/stat, counted from 1 */
	STAT_STATE_FIELD = 3
};

/* Changes at each boot; "" where the system does not tell. */
static void read_boot(char out[OWNER_BOOT_MAX])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");

	out[0] = '\0';
	if (!file)
		return;
	if (!fgets(out, OWNER_BOOT_MAX, file))
		out[0] = '\0';
	out[strcspn(out, "\n")] = '\0';
	fclose(file);
}

/*
 * Reads state letter and start time.  The command name in parentheses may
 * hold blanks and parentheses itself, so counting begins after the last one.
 */
static bool read_stat(int64_t pid, char *state, int64_t *started)
{
	char path[64], text[STAT_MAX];
	const char *at;
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%" PRId64 "/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	size = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[size] = '\0';

	at = strrchr(text, ')');
	if (!at || at[1] != ' ')
		return false;
	at += 2;
	*state = *at;
	for (int field = STAT_STATE_FIELD; at && field < STAT_START_FIELD; field++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at && sscanf(at, "%" SCNd64, started) == 1;
}

void owner_self(struct owner *out)
{
	char state;

	memset(out, 0, sizeof(*out));
	read_boot(out->boot);
	out->pid = (int64_t)getpid();
	if (!read_stat(out->pid, &state, &out->started))
		out->started = 0;
}

/* A zombie does not write any more.  Without /proc a process of that number counts as alive:
 * better a run too long "running" than one called abandoned while it goes on. */
bool owner_alive(const struct owner *owner, const struct owner *self)
{
	int64_t started;
	char state;

	if (owner->pid <= 0)
		return false;
	if (!self->boot[0] || !self->started)
		return kill((pid_t)owner->pid, 0) == 0 || errno == EPERM;
	if (strcmp(owner->boot, self->boot) != 0)
		return false;
	if (!read_stat(owner->pid, &state, &started))
		return false;
	return started == owner->started && state != 'Z' && state != 'X';
}
