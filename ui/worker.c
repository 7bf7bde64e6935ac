/*
 * Starting, feeding and ending the lab process, seen from the terminal
 * process.
 *
 * Canvases come up in shared memory, two of them in turn.  A counter says
 * how many were finished: number n lies in slot n % 2, and the lab writes
 * into the other one, so a copy is whole if the counter has not moved while
 * it was made.  A byte in the pipe says that there is something to look at.
 *
 * The lab ends when its pipes close, so no killed terminal leaves it behind.
 */
#include "worker_shared.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "screen.h"

enum { STOP_WAIT_MS = 2000, STOP_STEP_MS = 2 };

struct worker {
	pid_t pid;
	int request_fd, control_fd; /* down */
	int frame_fd, log_fd;       /* up */
	struct worker_shared *shared;
	uint32_t seen;
};

/* Ends of the four pipes, [0] to read. */
struct pipes {
	int request[2], control[2], frame[2], log[2];
};

/* Descriptors 0 to 2 are never ours: 0 means not opened yet. */
static void close_pair(const int fd[2])
{
	for (int i = 0; i < 2; i++)
		if (fd[i] > 2)
			close(fd[i]);
}

static void close_pipes(const struct pipes *p)
{
	close_pair(p->request);
	close_pair(p->control);
	close_pair(p->frame);
	close_pair(p->log);
}

/* All four or none. */
static bool open_pipes(struct pipes *p)
{
	int *all[] = { p->request, p->control, p->frame, p->log };

	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (pipe(all[i]) != 0) {
			close_pipes(p);
			return false;
		}
		fcntl(all[i][0], F_SETFD, FD_CLOEXEC);
		fcntl(all[i][1], F_SETFD, FD_CLOEXEC);
	}
	return true;
}

static struct worker_shared *map_shared(void)
{
	/* /dev/zero mapped shared is memory that a fork shares; no extension is needed for it. */
	int fd = open("/dev/zero", O_RDWR);
	void *memory = MAP_FAILED;

	if (fd >= 0) {
		memory = mmap(NULL, sizeof(struct worker_shared), PROT_READ | PROT_WRITE,
			      MAP_SHARED, fd, 0);
		close(fd);
	}
	return memory == MAP_FAILED ? NULL : memory;
}

/* In the child: nothing of the terminal is left open, and printing goes to the log. */
static void become_lab(const struct pipes *p, struct worker_ends *ends)
{
	int null = open("/dev/null", O_RDONLY);

	screen_forget();
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	dup2(null, STDIN_FILENO);
	dup2(p->log[1], STDOUT_FILENO);
	dup2(p->log[1], STDERR_FILENO);
	close(null);
	close(p->log[0]);
	close(p->log[1]);
	close(p->request[1]);
	close(p->control[1]);
	close(p->frame[0]);
	ends->request_fd = p->request[0];
	ends->control_fd = p->control[0];
	ends->frame_fd = p->frame[1];
}

/* In the parent: its own ends only, none of which may ever block it. */
static void become_terminal(struct worker *worker, const struct pipes *p)
{
	close(p->request[0]);
	close(p->control[0]);
	close(p->frame[1]);
	close(p->log[1]);
	worker->request_fd = p->request[1];
	worker->control_fd = p->control[1];
	worker->frame_fd = p->frame[0];
	worker->log_fd = p->log[0];
	fcntl(worker->request_fd, F_SETFL, O_NONBLOCK);
	fcntl(worker->control_fd, F_SETFL, O_NONBLOCK);
	fcntl(worker->frame_fd, F_SETFL, O_NONBLOCK);
	fcntl(worker->log_fd, F_SETFL, O_NONBLOCK);
}

enum err worker_start(const struct tui_options *options, int64_t lost_run, struct worker **out,
		      struct diag *diag)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	struct worker_ends ends = { .lost_run = lost_run };
	struct pipes pipes;

	*out = NULL;
	signal(SIGPIPE, SIG_IGN);
	if (worker)
		worker->shared = map_shared();
	if (!worker || !worker->shared || !open_pipes(&pipes)) {
		if (worker && worker->shared)
			munmap(worker->shared, sizeof(*worker->shared));
		free(worker);
		return diag_fail(diag, ERR_NOMEM, "no memory or pipe for the lab process");
	}
	fflush(NULL);
	worker->pid = fork();
	if (worker->pid == 0) {
		become_lab(&pipes, &ends);
		ends.shared = worker->shared;
		_exit(worker_main(options, &ends));
	}
	become_terminal(worker, &pipes);
	if (worker->pid < 0) {
		worker_stop(worker, NULL, 0);
		return diag_fail(diag, ERR_NOMEM, "no lab process: %s", strerror(errno));
	}
	*out = worker;
	return ERR_OK;
}

int worker_fd(const struct worker *worker)
{
	return worker->frame_fd;
}

int worker_log_fd(const struct worker *worker)
{
	return worker->log_fd;
}

bool worker_send(struct worker *worker, const struct worker_request *request)
{
	/* At most PIPE_BUF bytes: written whole or not at all. */
	return write(worker->request_fd, request, sizeof(*request)) == (ssize_t)sizeof(*request);
}

bool worker_frame(struct worker *worker, struct canvas *canvas, struct worker_state *state,
		  bool *ended)
{
	struct worker_shared *shared = worker->shared;
	uint32_t n, after;
	char bytes[64];
	ssize_t got;

	do
		got = read(worker->frame_fd, bytes, sizeof(bytes));
	while (got > 0);
	*ended = got == 0;
	n = atomic_load_explicit(&shared->frames, memory_order_acquire);
	if (n == worker->seen)
		return false;
	for (;;) {
		canvas_copy(canvas, &shared->slot[n % 2].canvas);
		*state = shared->slot[n % 2].state;
		atomic_thread_fence(memory_order_acquire);
		after = atomic_load_explicit(&shared->frames, memory_order_relaxed);
		/* A lab that died while it drew has left this slot alone. */
		if (after == n)
			break;
		n = after;
	}
	worker->seen = n;
	return true;
}

void worker_interrupt(struct worker *worker)
{
	ssize_t n = write(worker->control_fd, "i", 1);

	(void)n; /* a full pipe holds an interrupt already */
}

void worker_kill(struct worker *worker)
{
	kill(worker->pid, SIGKILL);
}

/* How a process ended, in words. */
static void describe(int status, char *why, size_t bytes)
{
	if (WIFSIGNALED(status))
		snprintf(why, bytes, "signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(why, bytes, "status %d", WEXITSTATUS(status));
}

/* Waits for the end; past its time the process is killed. */
static int wait_end(pid_t pid)
{
	const struct timespec step = { 0, STOP_STEP_MS * 1000000 };
	int status = 0;

	for (int ms = 0; ms < STOP_WAIT_MS; ms += STOP_STEP_MS) {
		if (waitpid(pid, &status, WNOHANG) != 0)
			return status;
		nanosleep(&step, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return status;
}

void worker_stop(struct worker *worker, char *why, size_t why_bytes)
{
	int status = 0;

	if (!worker)
		return;
	close(worker->request_fd);
	close(worker->control_fd);
	if (worker->pid > 0)
		status = wait_end(worker->pid);
	if (why)
		describe(status, why, why_bytes);
	close(worker->frame_fd);
	close(worker->log_fd);
	munmap(worker->shared, sizeof(*worker->shared));
	free(worker);
}
