/*
 * The lab process: everything but the terminal lives in it.  The terminal
 * process sends requests down a pipe and takes finished canvases out of
 * shared memory; it never waits for the lab.
 */
#ifndef MEMCGLAB_UI_WORKER_H
#define MEMCGLAB_UI_WORKER_H

#include "tui.h"

struct worker;

enum { WORKER_TEXT_MAX = 256 };

/* What the lab is asked to do; small enough for a pipe to take whole. */
struct worker_request {
	uint32_t serial;
	enum action action; /* ACT_NONE: only draw */
	int w, h;
	enum canvas_glyphs glyphs;
	char text[WORKER_TEXT_MAX]; /* step, filter, or what to open */
};

/* What goes with a canvas. */
struct worker_state {
	uint32_t serial; /* of the last request that is done */
	enum view_id view;
	bool running;    /* a scenario is executed: it can be interrupted */
	int64_t run_id;  /* its row in the store, 0 if none */
	int64_t open[2]; /* the runs that are shown as A and B, 0: none */
	bool has_filter, has_panel, has_focus; /* has_focus: on a part of the tree */
	char filter_error[WORKER_TEXT_MAX];    /* why the newest filter is none; "" if it is one */
	struct worker_pick { /* of the Runs view: the selected run */
		int64_t id;  /* 0: none */
		char scenario[64], tag[128], note[WORKER_TEXT_MAX];
	} pick;
};

/**
 * worker_start - fork it; it opens options->target if that is not NULL
 * @lost_run: a run that the last worker left behind, 0 if none: it is marked interrupted
 * Returns: ERR_NOMEM.
 */
enum err worker_start(const struct tui_options *options, int64_t lost_run, struct worker **out,
		      struct diag *diag);

int worker_fd(const struct worker *worker);     /* readable: a frame is ready, or it has ended */
int worker_log_fd(const struct worker *worker); /* what it and its scenarios print */

/* worker_send - Returns: false if it is gone, or so busy that its pipe is full. */
bool worker_send(struct worker *worker, const struct worker_request *request);

/**
 * worker_frame - the newest canvas, when worker_fd was readable
 * Returns: false if there is none, and *ended then says whether the process has ended.
 */
bool worker_frame(struct worker *worker, struct canvas *canvas, struct worker_state *state,
		  bool *ended);

/* worker_interrupt - what runs stops after its current step. */
void worker_interrupt(struct worker *worker);

/* worker_kill - for one that does not answer an interrupt. */
void worker_kill(struct worker *worker);

/**
 * worker_stop - close its pipes, wait for its end, at most two seconds, and free @worker
 * @why: NULL, or receives how it ended: "signal 11 (Segmentation fault)"
 */
void worker_stop(struct worker *worker, char *why, size_t why_bytes);

#endif
