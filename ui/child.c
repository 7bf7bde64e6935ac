/*
 * Fork, a pipe of fixed messages upwards, and a wait with a deadline.
 *
 * The messages are smaller than a pipe's atomic size, so each arrives whole
 * or not at all.  The parent takes its signals from a descriptor: no handler
 * runs, no variable is shared.  The child looks for pending signals between
 * steps; what never comes to a step (a pattern match without end) is killed
 * when the grace is over.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S ((ns_t)1000000000)
#define NS_PER_MS ((ns_t)1000000)
#define GRACE_NS (2 * NS_PER_S) /* between an interrupt and the kill */

enum message_kind { MESSAGE_RUNNING, MESSAGE_TOLD, MESSAGE_END };

struct message {
	enum message_kind kind;
	size_t size; /* of what is told */
	int64_t run_id;
	union {
		struct diag diag;
		char told[sizeof(struct diag)];
	};
};

_Static_assert(sizeof(struct message) <= 4096, "a message must pass a pipe in one piece");

/* Time for deadlines only; it never reaches a result. */
static ns_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (ns_t)ts.tv_sec * NS_PER_S + (ns_t)ts.tv_nsec;
}

/* The three ways in which a user or the system asks a command to end. */
static void stop_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

static bool is_stop(int number)
{
	sigset_t set;

	stop_signals(&set);
	return sigismember(&set, number) == 1;
}

/* The child's first steps: it must not outlive its parent, not even one
 * that died between the fork and the request for a signal. */
static void child_begin(struct child *child, const int fd[2], pid_t parent)
{
	close(fd[0]);
	child->pid = 0;
	child->fd = fd[1];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		raise(SIGKILL);
}

/* The signals are blocked before the fork, so there is no moment in which one could hit either
 * side unprepared. */
enum err child_fork(struct child *child, struct diag *diag)
{
	int fd[2];
	sigset_t stops;
	pid_t parent = getpid();

	if (pipe(fd) != 0)
		return diag_fail(diag, ERR_NOMEM, "no pipe: %s", strerror(errno));
	fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	fcntl(fd[1], F_SETFD, FD_CLOEXEC);
	stop_signals(&stops);
	sigprocmask(SIG_BLOCK, &stops, &child->old_mask);
	child->screen = false;
	child->pid = fork();
	if (child->pid == 0) {
		child_begin(child, fd, parent);
		return ERR_OK;
	}
	close(fd[1]);
	child->fd = fd[0];
	if (child->pid > 0)
		return ERR_OK;
	sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
	close(fd[0]);
	return diag_fail(diag, ERR_NOMEM, "no process: %s", strerror(errno));
}

/* A message is smaller than a pipe's buffer, so this waits only if hundreds are unread; a parent
 * that is gone needs none. */
static void message_send(const struct child *child, const struct message *message)
{
	ssize_t n;

	do
		n = write(child->fd, message, sizeof(*message));
	while (n < 0 && errno == EINTR);
}

/* The mask of before the fork: the default action of the three signals is what is wanted. */
void child_stoppable(const struct child *child)
{
	sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
}

/* Sent for each run, so the parent always knows which row it must close if the child dies. */
void child_running(const struct child *child, int64_t id)
{
	struct message message = { .kind = MESSAGE_RUNNING, .run_id = id };

	message_send(child, &message);
}

void child_tell(const struct child *child, const void *data, size_t size)
{
	const char *from = data;

	while (size > 0) {
		struct message message = { .kind = MESSAGE_TOLD, .size = size };

		if (message.size > sizeof(message.told))
			message.size = sizeof(message.told);
		memcpy(message.told, from, message.size);
		message_send(child, &message);
		from += message.size;
		size -= message.size;
	}
}

void child_report(const struct child *child, const struct diag *diag)
{
	struct message message = { .kind = MESSAGE_END, .diag = *diag };

	message_send(child, &message);
}

/* No handler and no flag: the blocked signals simply stay pending until they are looked for
 * here. */
bool child_interrupted(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 &&
	       (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
		sigismember(&pending, SIGHUP) == 1);
}

/* ---- the parent ---- */

/* What does not fit into memory is missing at the end, where the reader sees it. */
static void told_keep(struct child_watch *watch, const struct message *message)
{
	char *told = realloc(watch->told, watch->told_bytes + message->size);

	if (told == NULL)
		return;
	memcpy(told + watch->told_bytes, message->told, message->size);
	watch->told = told;
	watch->told_bytes += message->size;
}

bool child_take(struct child_watch *watch)
{
	struct message message;
	ssize_t n;

	do
		n = read(watch->child->fd, &message, sizeof(message));
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(message))
		return false;
	if (message.kind == MESSAGE_RUNNING) {
		watch->end->run_id = message.run_id;
		if (message.run_id != 0)
			watch->end->newest = message.run_id;
		return true;
	}
	if (message.kind == MESSAGE_TOLD) {
		told_keep(watch, &message);
		return true;
	}
	watch->reported = true;
	*watch->diag = message.diag;
	return true;
}

/* An interrupt goes on to the child; a second one does not wait any more.  The child that has the
 * terminal is only told the other two as they are. */
static void signal_take(struct child_watch *watch, int signals)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	if (watch->child->screen && info.ssi_signo == SIGINT)
		return;
	watch->end->ended = watch->end->ended || info.ssi_signo != SIGINT;
	if (watch->end->interrupted)
		kill(watch->child->pid, SIGKILL);
	else
		kill(watch->child->pid, watch->child->screen ? (int)info.ssi_signo : SIGINT);
	watch->end->interrupted = true;
	if (now_ns() + GRACE_NS < watch->deadline)
		watch->deadline = now_ns() + GRACE_NS;
}

/* poll() takes an int of milliseconds: a deadline far away is waited for in pieces. */
static int left_ms(ns_t deadline)
{
	ns_t now = now_ns();
	ns_t ms = deadline > now ? (deadline - now) / NS_PER_MS + 1 : 0;

	return ms > 60000 ? 60000 : (int)ms; /* a long wait is several short ones */
}

/* Until the pipe ends: the child holds its only writing end. */
static void watch_child(struct child_watch *watch, int signals)
{
	struct pollfd p[] = {
		{ .fd = watch->child->fd, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};

	for (;;) {
		int n = poll(p, 2, watch->expired ? -1 : left_ms(watch->deadline));

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0 && p[1].revents != 0)
			signal_take(watch, signals);
		if (n > 0 && p[0].revents != 0 && !child_take(watch))
			return;
		if (!watch->expired && now_ns() >= watch->deadline) {
			watch->expired = true;
			kill(watch->child->pid, SIGKILL);
		}
	}
}

/* The one message about a child that could not speak for itself. */
static enum err child_death(const struct child_watch *watch, int status, ns_t limit_ns)
{
	char text[UNITS_TEXT_MAX];

	watch->end->died = true;
	/* A signal to the whole group may have reached the child first. */
	if (watch->end->interrupted || (WIFSIGNALED(status) && is_stop(WTERMSIG(status))))
		return diag_fail(watch->diag, ERR_INTERRUPTED, "interrupted");
	if (watch->expired)
		return diag_fail(watch->diag, ERR_LIMIT,
				 "time limit of %s reached "
				 "(--time-limit)",
				 units_format_time(limit_ns, text));
	if (WIFSIGNALED(status))
		return diag_fail(watch->diag, ERR_SCENARIO,
				 "the process that ran this died of "
				 "signal %d (%s)",
				 WTERMSIG(status), strsignal(WTERMSIG(status)));
	return diag_fail(watch->diag, ERR_SCENARIO,
			 "the process that ran this ended with "
			 "status %d",
			 WEXITSTATUS(status));
}

/* The child must be reaped whatever happens; what it said last decides, and only a child that
 * said nothing is described by the way it died. */
enum err child_reap(struct child_watch *watch, ns_t limit_ns)
{
	int status = 0;

	while (waitpid(watch->child->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	close(watch->child->fd);
	sigprocmask(SIG_SETMASK, &watch->child->old_mask, NULL);
	if (watch->reported && (status == 0 || watch->diag->err != ERR_OK))
		return watch->diag->err;
	return child_death(watch, status, limit_ns);
}

enum err child_wait(struct child *child, ns_t limit_ns, struct child_end *end, struct diag *diag)
{
	ns_t now = now_ns();
	ns_t deadline = limit_ns < UINT64_MAX - now ? now + limit_ns : UINT64_MAX;
	struct child_watch watch = {
		.child = child, .end = end, .diag = diag, .deadline = deadline
	};
	sigset_t stops;
	int signals;

	memset(end, 0, sizeof(*end));
	stop_signals(&stops);
	signals = signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK);
	watch_child(&watch, signals);
	if (signals >= 0)
		close(signals);
	free(watch.told);
	return child_reap(&watch, limit_ns);
}
