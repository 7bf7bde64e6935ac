/*
 * What the lab process does for each action.  worker_main.c waits and
 * draws, worker_acts.c acts; only these two include this.
 */
#ifndef MEMCGLAB_UI_WORKER_ACTS_H
#define MEMCGLAB_UI_WORKER_ACTS_H

#include "worker_shared.h"

struct lab_process {
	const struct tui_options *options;
	const struct worker_ends *ends;
	struct lab *lab; /* NULL: it could not be opened, the panel says why */
	struct model model;
	char filter_error[WORKER_TEXT_MAX]; /* of what was typed last */
	enum view_id view;
	int w, h;
	enum canvas_glyphs glyphs;
	uint32_t serial;              /* of the last request taken */
	int64_t run_id;               /* the run that is going on */
	char target[WORKER_TEXT_MAX]; /* the scenario run last, for R */
	double credit;                /* part of a step that playing has saved up */
	uint64_t drawn_ms, sorted_ms;
	bool quit;
};

/* worker_act - one action; while a run is going only those that leave the lab alone. */
void worker_act(struct lab_process *p, enum action action, const char *text);

/* worker_open - a run reference is opened, a scenario is run and then opened. */
void worker_open(struct lab_process *p, const char *target);
void worker_open_ab(struct lab_process *p, const char *ab); /* "52,53" */

/* worker_brief - a scenario's file without its folders, for messages on a narrow line. */
const char *worker_brief(const char *target);

/* worker_lists - runs and scenarios read anew. */
void worker_lists(struct lab_process *p);

/* worker_tree_act - what ACT_FOLD to ACT_SITES do to the tree of groups; of worker_tree.c. */
void worker_tree_act(struct lab_process *p, enum action action, const char *text);

/* worker_group_act - another group for LRU and Scan; of worker_tree.c. */
void worker_group_act(struct lab_process *p, enum action action, const char *text);

/* worker_compare_act - how the Runs view compares A with B; of worker_tree.c. */
void worker_compare_act(struct lab_process *p, enum action action, const char *text);

/* worker_tree_begin - another run or view: the group that matters is selected. */
void worker_tree_begin(struct lab_process *p);

/* worker_tree_played - the run went on by itself: rows are sorted anew, twice a second at most. */
void worker_tree_played(struct lab_process *p, uint64_t now_ms);

/* worker_filter_act, worker_run_act - ACT_FILTER; ACT_NOTE to ACT_DELETE on the run that the text
 * begins with; of worker_runs.c. */
void worker_filter_act(struct lab_process *p, enum action action, const char *text);
void worker_run_act(struct lab_process *p, enum action action, const char *text);

/* worker_say - the message line, until the next action; worker_select - a row that there is. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void worker_say(struct lab_process *p, const char *fmt, ...);
void worker_select(struct lab_process *p, long to);

/* worker_lost - mark a run that a killed lab process left behind. */
void worker_lost(struct lab_process *p, int64_t run_id);

/* worker_progress, worker_show - of worker_main.c: a sign of life from inside long work. */
void worker_progress(struct lab_process *p, uint64_t steps, ns_t sim_ns);
void worker_show(struct lab_process *p);

#endif
