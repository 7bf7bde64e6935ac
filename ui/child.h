/*
 * A command's work in a process of its own.  The parent waits for it, ends
 * it at the wall-clock limit, passes on an interrupt and says in one
 * message how it ended; the child dies when its parent does, so no killed
 * command leaves a writer behind.
 */
#ifndef MEMCGLAB_UI_CHILD_H
#define MEMCGLAB_UI_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "diag.h"
#include "units.h"

struct child {
	pid_t pid; /* of the child; 0 in the child itself */
	int fd;    /* its end of the pipe of messages, -1 if closed */
	bool screen; /* the parent may set it: it has the terminal, Ctrl-C is its key */
	sigset_t old_mask;
};

/**
 * child_fork - start it
 * Call it before anything is opened or written.  Both sides return; in the
 * child child->pid is 0, and SIGINT, SIGTERM and SIGHUP wait until
 * child_interrupted looks for them.
 * Returns: ERR_NOMEM if there can be no more processes.
 */
enum err child_fork(struct child *child, struct diag *diag);

/* In the child: run @id has begun (0: none goes on any more). */
void child_running(const struct child *child, int64_t id);

/* In the child of a command that never asks: a signal to stop ends it at once. */
void child_stoppable(const struct child *child);

/* In the child: has somebody asked it to stop? */
bool child_interrupted(void);

/* In the child: bytes for whoever started it, behind those that it told before. */
void child_tell(const struct child *child, const void *data, size_t size);

/* In the child, last: how the command ended. */
void child_report(const struct child *child, const struct diag *diag);

struct child_end {
	int64_t run_id; /* the run that was going on when it died, 0 if none */
	int64_t newest; /* the run that was begun last, 0 if none was */
	bool died;      /* it could not report: killed by us or by a crash */
	bool interrupted;
	bool ended; /* by a signal that asks this process to end too */
};

/**
 * child_wait - in the parent: until the child has ended
 * @limit_ns: then it is killed
 * Returns: what the child reported, ERR_LIMIT for the limit,
 * ERR_INTERRUPTED if it had to be killed after an interrupt, ERR_SCENARIO
 * for a crash.
 */
enum err child_wait(struct child *child, ns_t limit_ns, struct child_end *end, struct diag *diag);

/* One of several children that are waited for at once; the first three belong to the caller. */
struct child_watch {
	struct child *child;
	struct child_end *end;
	struct diag *diag;
	ns_t deadline;
	bool reported, expired;
	char *told; /* by child_tell: malloc'ed, @told_bytes of it */
	size_t told_bytes;
};

/* child_take - the next message, when child->fd is readable.  Returns: false if it was the last. */
bool child_take(struct child_watch *watch);

/* child_reap - behind the last message: as child_wait.  Signals and deadlines are the caller's. */
enum err child_reap(struct child_watch *watch, ns_t limit_ns);

#endif
