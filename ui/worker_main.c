/*
 * The lab process: takes requests, acts on the lab and on the model, draws,
 * and publishes the canvas.  While a scenario runs it still answers: views,
 * sizes and selections act, everything else waits for the end of the run.
 *
 * A thread watches the control pipe, so a run is stopped even while it is
 * deep in the engine or in Lua, and when the terminal process is gone.
 * The clock is read for the pace of pictures only; no result depends on it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fmt.h"
#include "rows.h"
#include "worker_acts.h"

enum { FRAME_MS = 33, PROGRESS_MS = 100, LAST_WAIT_S = 2 };

/* For the pace of pictures only. */
static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* What the terminal process has to know of the selected run to ask about it. */
static struct worker_pick picked(const struct lab_process *p)
{
	struct worker_pick pick = { .id = 0 };
	struct rows_pick row;

	if (p->view != VIEW_RUNS || !rows_pick(&p->model, (size_t)p->model.selected, &row) ||
	    !row.run)
		return pick;
	pick.id = row.run->id;
	snprintf(pick.scenario, sizeof(pick.scenario), "%s", row.run->scenario);
	snprintf(pick.tag, sizeof(pick.tag), "%s", row.run->tag);
	snprintf(pick.note, sizeof(pick.note), "%s", row.run->note);
	return pick;
}

/* Draws into the slot that nobody reads, then says that it is finished. */
static void publish(struct lab_process *p)
{
	struct worker_shared *shared = p->ends->shared;
	uint32_t n = atomic_load_explicit(&shared->frames, memory_order_relaxed) + 1;
	struct worker_slot *slot = &shared->slot[n % 2];
	ssize_t written;

	canvas_init(&slot->canvas, p->w, p->h, p->glyphs);
	view_draw(p->view, &p->model, &slot->canvas);
	slot->state = (struct worker_state){
		.serial = p->serial,
		.view = p->view,
		.running = p->model.running,
		.run_id = p->run_id,
		.open = { p->model.side[0].run_id, p->model.has_b ? p->model.side[1].run_id : 0 },
		.has_filter = p->model.filter[0] != '\0',
		.has_panel = p->model.panel[0] != '\0',
		.pick = picked(p),
		.has_focus = view_has_tree(p->view) && p->model.tree.focus != 0,
	};
	memcpy(slot->state.filter_error, p->filter_error, sizeof(p->filter_error));
	atomic_store_explicit(&shared->frames, n, memory_order_release);
	written = write(p->ends->frame_fd, "f", 1);
	(void)written; /* a full pipe says it already */
}

/* The next request if there is one; the end of the pipe ends the process. */
static bool next_request(struct lab_process *p, int wait_ms, struct worker_request *request)
{
	struct pollfd ready = { p->ends->request_fd, POLLIN, 0 };
	ssize_t n;

	if (poll(&ready, 1, wait_ms) != 1)
		return false;
	n = read(ready.fd, request, sizeof(*request));
	if (n == 0 || (n < 0 && errno != EINTR))
		p->quit = true;
	return n == (ssize_t)sizeof(*request);
}

/* A request: what the terminal looks like now, and perhaps something to do. */
static void take(struct lab_process *p, struct worker_request *request)
{
	request->text[sizeof(request->text) - 1] = '\0';
	p->serial = request->serial;
	p->w = request->w;
	p->h = request->h;
	p->glyphs = request->glyphs;
	if (request->action != ACT_NONE)
		worker_act(p, request->action, request->text);
}

/* From inside a run: a picture ten times a second, and what may act meanwhile. */
void worker_progress(struct lab_process *p, uint64_t steps, ns_t sim_ns)
{
	char count[UNITS_TEXT_MAX], clock[UNITS_TEXT_MAX];
	struct worker_request request;
	uint64_t now = now_ms();
	bool asked = false;

	while (!p->quit && next_request(p, 0, &request)) {
		take(p, &request);
		asked = true;
	}
	if (!asked && now - p->drawn_ms < PROGRESS_MS)
		return;
	p->drawn_ms = now;
	/* A refusal of what was asked just now stays for this picture. */
	if (!asked || !p->model.message[0])
		snprintf(p->model.message, sizeof(p->model.message),
			 "Ctrl-C stops it; running %.80s: %s steps, %ss simulated",
			 worker_brief(p->target), fmt_count(steps, count),
			 fmt_clock(sim_ns, 8, clock));
	publish(p);
}

void worker_show(struct lab_process *p)
{
	publish(p);
}

static void *watch_control(void *ctx)
{
	struct lab_process *p = ctx;
	char byte;
	ssize_t n;

	for (;;) {
		n = read(p->ends->control_fd, &byte, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (p->lab)
			lab_interrupt(p->lab);
		if (n <= 0)
			break;
	}
	/* The terminal is gone.  What hangs in spite of the interrupt is ended. */
	sleep(LAST_WAIT_S);
	_exit(1);
}

/* One frame of playing: as many steps as the speed says, fractions added up. */
static void play(struct lab_process *p)
{
	struct model *model = &p->model;
	struct diag diag;
	uint64_t steps;

	p->credit += model->speed;
	steps = (uint64_t)p->credit;
	p->credit -= (double)steps;
	if (steps == 0)
		return;
	if (lab_view_seek(p->lab, model, model->step + steps, &diag) != ERR_OK) {
		model->playing = false;
		snprintf(model->message, sizeof(model->message), "%.200s", diag.text);
	}
	if (model->step >= model->steps_total)
		model->playing = false;
	worker_tree_played(p, now_ms());
}

/* Requests, steps of playing, pictures; nothing is drawn while nothing changes. */
static void loop(struct lab_process *p)
{
	struct worker_request request;

	while (!p->quit) {
		bool playing = p->model.playing;
		int wait_ms = playing ? FRAME_MS : -1;

		/* All that has come is done before one picture shows it. */
		while (!p->quit && next_request(p, wait_ms, &request)) {
			take(p, &request);
			wait_ms = 0;
		}
		if (playing && p->model.playing)
			play(p);
		if (!p->quit)
			publish(p);
	}
}

/* What a scenario prints goes up the log pipe, which is our standard output. */
static void log_line(void *ctx, const char *text)
{
	(void)ctx;
	printf("%s\n", text);
}

/* The first size comes with the first request; what was asked for is opened after it. */
static void first_view(struct lab_process *p)
{
	const struct tui_options *options = p->options;
	struct worker_request request;

	while (!p->quit && !next_request(p, -1, &request))
		;
	if (p->quit)
		return;
	take(p, &request);
	worker_lists(p);
	publish(p);
	if (options->ab)
		worker_open_ab(p, options->ab);
	else if (options->target)
		worker_open(p, options->target);
	if (p->ends->lost_run > 0)
		worker_lost(p, p->ends->lost_run);
	publish(p);
}

int worker_main(const struct tui_options *options, const struct worker_ends *ends)
{
	struct lab_process *p = calloc(1, sizeof(*p));
	struct lab_options lab_options = *options->lab;
	pthread_t watcher;
	struct diag diag;

	if (!p)
		return 1;
	setvbuf(stdout, NULL, _IOLBF, 0);
	fcntl(ends->frame_fd, F_SETFL, O_NONBLOCK);
	p->options = options;
	p->ends = ends;
	p->view = VIEW_RUNS;
	p->model.speed = 1;
	lab_options.log = (struct script_log){ .line = log_line };
	if (lab_open(&lab_options, &p->lab, &diag) != ERR_OK) {
		p->lab = NULL;
		snprintf(p->model.panel, sizeof(p->model.panel), "%s", diag.text);
	}
	pcg_machine_ram(&p->model.machine, (bytes_t)4 << 30, NULL);
	p->model.machine.sections = 30;
	if (pthread_create(&watcher, NULL, watch_control, p) != 0)
		return 1;
	first_view(p);
	loop(p);
	if (p->lab) {
		lab_view_close(p->lab, &p->model);
		lab_close(p->lab);
	}
	return 0;
}
