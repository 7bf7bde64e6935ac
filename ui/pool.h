/*
 * Many pieces of work, each in a process of its own, so many at a time.
 *
 * A piece that dies or hangs ends itself alone.  An interrupt starts nothing
 * more and lets what runs end itself; what does not is killed.
 */
#ifndef MEMCGLAB_UI_POOL_H
#define MEMCGLAB_UI_POOL_H

#include "child.h"

enum { POOL_WORKERS_MAX = 256 };

/* How a piece ended. */
struct pool_result {
	const struct child_end *end;
	const struct diag *diag; /* its err is ERR_OK if all went well */
	const char *told;	 /* what it told, @told_bytes */
	size_t told_bytes;
};

struct pool {
	size_t workers; /* processes at a time, 1 to POOL_WORKERS_MAX */
	ns_t limit_ns;	/* wall time of a piece */
	void *ctx;
	/* In the process of piece @item, which ends behind it; nothing may be open across this. */
	void (*work)(void *ctx, size_t item, const struct child *child, struct diag *diag);
	/* In this process, in the order in which they end; an error starts no more of them. */
	enum err (*ended)(void *ctx, size_t item, const struct pool_result *result,
			  struct diag *diag);
	void (*tick)(void *ctx); /* in this process, some times a second */
};

/**
 * pool_run - do pieces 0 to @nr - 1
 * SIGINT, SIGTERM and SIGHUP are blocked, as child_fork does for a command's process.
 * Returns: what ended said first, ERR_INTERRUPTED, ERR_NOMEM for processes; all pieces that
 * were begun have ended by then.
 */
enum err pool_run(const struct pool *pool, size_t nr, struct diag *diag);

#endif
