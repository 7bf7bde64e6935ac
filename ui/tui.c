/*
 * The loop of the terminal process: wait for a key, a finished picture, a
 * line for the log or a signal; act; show.  It never waits for the lab, so
 * keys react while a scenario runs, hangs, or has crashed: the last good
 * picture stays, and the next request starts the lab process again.
 */
#include "tui.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tui_state.h"

enum { KILL_AFTER_MS = 2000, LOG_CHUNK = 4096 };

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* ---- the lab process ---- */

/* A new lab process opens what the picture shows, never again what ended the last one. */
static void remember_open(struct tui *tui)
{
	const int64_t *id = tui->state.open;

	if (id[1] > 0)
		snprintf(tui->reopen, sizeof(tui->reopen), "%" PRId64 ",%" PRId64, id[0], id[1]);
	else
		snprintf(tui->reopen, sizeof(tui->reopen), "%" PRId64, id[0]);
	tui->options.ab = id[1] > 0 ? tui->reopen : NULL;
	tui->options.target = id[0] > 0 ? tui->reopen : NULL;
	tui->options.view = tui->state.view;
}

/* Starts the lab process and tells it the size of the screen. */
static enum err start_worker(struct tui *tui, int64_t lost_run, struct diag *diag)
{
	enum err err = worker_start(&tui->options, lost_run, &tui->worker, diag);

	tui->kill_at_ms = 0;
	if (err == ERR_OK)
		tui_send(tui, ACT_NONE, "");
	return err;
}

void tui_send(struct tui *tui, enum action action, const char *text)
{
	struct worker_request request = { .action = action, .glyphs = tui->glyphs };
	struct diag diag;

	screen_size(tui->screen, &request.w, &request.h);
	request.serial = ++tui->serial;
	snprintf(request.text, sizeof(request.text), "%.255s", text);
	if (!tui->worker && action == ACT_NONE)
		return;
	if (!tui->worker && start_worker(tui, 0, &diag) != ERR_OK) {
		tui_say(tui, "%.200s", diag.text);
		return;
	}
	if (!worker_send(tui->worker, &request))
		tui_say(tui, "the lab process does not answer; Ctrl-C stops it");
}

void tui_interrupt(struct tui *tui)
{
	if (!tui->worker || !tui->state.running) {
		tui_say(tui, "press q to quit");
		return;
	}
	worker_interrupt(tui->worker);
	tui_say(tui, "stopping the run");
	if (tui->kill_at_ms == 0)
		tui->kill_at_ms = now_ms() + KILL_AFTER_MS;
}

/* The lab process ended by itself: say how, and keep its last picture. */
static void worker_ended(struct tui *tui)
{
	char why[128];

	worker_stop(tui->worker, why, sizeof(why));
	tui->worker = NULL;
	tui->state.running = false;
	tui->kill_at_ms = 0;
	remember_open(tui);
	tui_say(tui, "the lab process ended: %s; the next command starts it again", why);
}

/* It was asked to stop and did not: end it, and let a new one put the store right. */
static void kill_hanging(struct tui *tui)
{
	int64_t lost = tui->state.run_id;
	struct diag diag;

	worker_kill(tui->worker);
	worker_stop(tui->worker, NULL, 0);
	tui->worker = NULL;
	tui->state.running = false;
	remember_open(tui);
	tui_say(tui, "the run did not answer and was killed");
	if (start_worker(tui, lost, &diag) != ERR_OK)
		tui_say(tui, "%.200s", diag.text);
}

/* A finished picture, or the news that there will be none any more. */
static void take_frame(struct tui *tui)
{
	enum view_id view = tui->state.view;
	bool ended = false, was_running = tui->state.running;

	if (worker_frame(tui->worker, tui->last, &tui->state, &ended)) {
		tui->has_picture = true;
		/* Older pictures do not know of the view that was asked for since. */
		if (tui->state.serial != tui->serial)
			tui->state.view = view;
		if (!tui->state.running)
			tui->kill_at_ms = 0;
		/* "stopping" gives way to how it ended. */
		if (was_running && !tui->state.running)
			tui->message[0] = '\0';
	}
	if (ended)
		worker_ended(tui);
}

/* Whatever the lab and its scenarios print, also the last words of a crash. */
static void take_log(struct tui *tui)
{
	char bytes[LOG_CHUNK];
	ssize_t n;

	while ((n = read(worker_log_fd(tui->worker), bytes, sizeof(bytes))) > 0)
		log_add(&tui->log, bytes, (size_t)n);
}

/* ---- the loop ---- */

static void take_signals(struct tui *tui)
{
	unsigned seen = screen_signals(tui->screen);

	if (seen & SCREEN_END)
		tui->quit = tui->ended = true;
	if (seen & SCREEN_INTERRUPT)
		tui_interrupt(tui);
	if (seen & SCREEN_RESIZED)
		tui_send(tui, ACT_NONE, "");
}

/* All keys that are there: a fast typist gets one picture, not many. */
static void take_keys(struct tui *tui)
{
	char key[SCREEN_KEY_MAX];

	while (!tui->quit && screen_key(tui->screen, key))
		tui_key(tui, key);
}

/* How long poll may wait: until the hanging run is killed, else for ever. */
static int wait_ms(const struct tui *tui)
{
	uint64_t now = now_ms();

	if (tui->kill_at_ms == 0)
		return -1;
	return tui->kill_at_ms > now ? (int)(tui->kill_at_ms - now) : 0;
}

/* One round for each thing that happens; between them the process sleeps in poll. */
static void loop(struct tui *tui)
{
	while (!tui->quit) {
		struct pollfd fd[4] = {
			{ screen_input_fd(tui->screen), POLLIN, 0 },
			{ screen_signal_fd(tui->screen), POLLIN, 0 },
			{ tui->worker ? worker_fd(tui->worker) : -1, POLLIN, 0 },
			{ tui->worker ? worker_log_fd(tui->worker) : -1, POLLIN, 0 },
		};

		tui_show(tui);
		if (poll(fd, 4, wait_ms(tui)) < 0 && errno != EINTR)
			break;
		take_signals(tui);
		/* A terminal that hung up is at its end for ever. */
		if (fd[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			tui->quit = tui->ended = true;
		if (fd[0].revents & POLLIN)
			take_keys(tui);
		if (tui->worker && fd[3].revents)
			take_log(tui);
		if (tui->worker && fd[2].revents)
			take_frame(tui);
		if (tui->worker && tui->kill_at_ms && now_ms() >= tui->kill_at_ms)
			kill_hanging(tui);
	}
}

/* NO_COLOR says no unless the command line says yes. */
static bool colour_wanted(enum color mode)
{
	const char *no_color = getenv("NO_COLOR");

	return mode == COLOR_ALWAYS || (mode == COLOR_AUTO && !(no_color && no_color[0]));
}

/*
 * The lab is forked before anything else: the screen has a thread, and a
 * process is best copied while it has only one.  It waits for its first
 * request, which brings the size.
 */
static enum err open_all(struct tui *tui, struct diag *diag)
{
	enum err err;

	tui->last = calloc(1, sizeof(*tui->last));
	tui->shown = calloc(1, sizeof(*tui->shown));
	if (!tui->last || !tui->shown)
		return diag_fail(diag, ERR_NOMEM, "no memory for the screen");
	err = worker_start(&tui->options, 0, &tui->worker, diag);
	if (err == ERR_OK)
		err = prompt_new(&tui->prompt, diag);
	if (err == ERR_OK)
		err = screen_open(colour_wanted(tui->options.mode), &tui->screen, diag);
	if (err != ERR_OK)
		return err;
	tui->glyphs = tui->options.ascii ? GLYPHS_ASCII : screen_glyphs();
	tui->state.view = VIEW_RUNS;
	tui_send(tui, ACT_NONE, "");
	return ERR_OK;
}

enum err tui_run(const struct tui_options *options, struct diag *diag)
{
	struct tui *tui = calloc(1, sizeof(*tui));
	enum err err;

	if (!tui)
		return diag_fail(diag, ERR_NOMEM, "no memory for the screen");
	tui->options = *options;
	err = open_all(tui, diag);
	if (err == ERR_OK)
		loop(tui);
	if (err == ERR_OK && tui->ended)
		err = diag_fail(diag, ERR_INTERRUPTED, "ended by a signal");
	/* The terminal first: the lab may take a moment to store what it stopped. */
	screen_close(tui->screen);
	prompt_free(tui->prompt);
	worker_stop(tui->worker, NULL, 0);
	free(tui->last);
	free(tui->shown);
	free(tui);
	return err;
}
