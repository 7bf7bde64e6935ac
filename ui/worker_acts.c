/*
 * The actions of the lab process, one function each, found by a table.
 * Failures become words in the message line; a scenario that fails fills
 * the panel with its file, line and source, and what was open stays open.
 */
#include "worker_acts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmt.h"
#include "rows.h"

enum { PAGE = 10, PLAY_SECONDS = 60, FRAMES_A_SECOND = 30 };

static const double speed_min = 1.0 / 64, speed_max = 1 << 20;

/* The message line, until the next action. */
void worker_say(struct lab_process *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(p->model.message, sizeof(p->model.message), fmt, args);
	va_end(args);
	/* One line: the first of a text that has more. */
	p->model.message[strcspn(p->model.message, "\n")] = '\0';
}

const char *worker_brief(const char *target)
{
	const char *slash = strrchr(target, '/');

	return slash ? slash + 1 : target;
}

/* Most of what moves in time needs a run; without one the message says how to get it. */
static bool is_open(struct lab_process *p)
{
	if (!p->model.side[0].run)
		worker_say(p, "no run is open: 7 lists runs and scenarios, Enter opens one");
	return p->model.side[0].run != NULL;
}

/* ---- lists ---- */

void worker_lists(struct lab_process *p)
{
	struct diag diag;

	if (p->lab && lab_view_lists(p->lab, &p->model, &diag) != ERR_OK)
		worker_say(p, "%.200s", diag.text);
}

/* A selection stays within the rows that there are. */
void worker_select(struct lab_process *p, long to)
{
	long n = (long)rows_count(&p->model, p->view);

	p->model.selected = (int)(to < 0 ? 0 : to >= n ? (n > 0 ? n - 1 : 0) : to);
}

/* In Scan the selected row counts back from the newest call, which stands lowest. */
static void move_row(struct lab_process *p, long by)
{
	worker_select(p, (long)p->model.selected + (p->view == VIEW_SCAN ? -by : by));
}

static void act_move(struct lab_process *p, enum action action, const char *text)
{
	long last = (long)rows_count(&p->model, p->view) - 1;
	bool newest_low = p->view == VIEW_SCAN;

	(void)text;
	switch (action) {
	case ACT_UP:
		move_row(p, -1);
		break;
	case ACT_DOWN:
		move_row(p, 1);
		break;
	case ACT_PAGE_UP:
		move_row(p, -PAGE);
		break;
	case ACT_PAGE_DOWN:
		move_row(p, PAGE);
		break;
	case ACT_HOME:
		worker_select(p, newest_low ? last : 0);
		break;
	default:
		worker_select(p, newest_low ? 0 : last);
	}
}

static void act_clear(struct lab_process *p, enum action action, const char *text)
{
	(void)action;
	(void)text;
	/* One thing at a time: what lies on top goes first. */
	if (p->model.panel[0])
		p->model.panel[0] = '\0';
	else if (p->model.filter[0] || !view_has_tree(p->view))
		worker_filter_act(p, ACT_FILTER, "");
	else
		worker_tree_act(p, ACT_CLEAR, "");
}

/* Another view begins at its first row and without the filter of the last one. */
static void act_view(struct lab_process *p, enum action action, const char *text)
{
	enum view_id view = (enum view_id)(action - ACT_VIEW_1);

	(void)text;
	if (view != p->view) {
		p->model.filter[0] = '\0';
		p->model.selected = 0;
	}
	p->view = view;
	if (view_has_tree(view))
		worker_tree_begin(p);
	if (view == VIEW_RUNS && !p->model.running)
		worker_lists(p);
	else if (view == VIEW_RUNS && p->lab)
		lab_view_runs(p->lab, &p->model, NULL);
}

/* Both, A alone, B alone, and again. */
static void act_sides(struct lab_process *p, enum action action, const char *text)
{
	(void)action;
	(void)text;
	p->model.show = (p->model.show + 1) % 3;
}

/* ---- time ---- */

static void seek(struct lab_process *p, uint64_t step)
{
	struct diag diag;

	if (!is_open(p))
		return;
	if (lab_view_seek(p->lab, &p->model, step, &diag) != ERR_OK)
		worker_say(p, "%.200s", diag.text);
}

static void act_play(struct lab_process *p, enum action action, const char *text)
{
	struct model *model = &p->model;

	(void)action;
	(void)text;
	if (!is_open(p))
		return;
	if (!model->playing && model->step >= model->steps_total)
		seek(p, 0); /* from the end, playing starts over */
	model->playing = !model->playing;
	p->credit = 0;
}

/* A step by hand ends playing: the picture stays where the user put it. */
static void act_time(struct lab_process *p, enum action action, const char *text)
{
	uint64_t step = p->model.step;

	(void)text;
	p->model.playing = false;
	switch (action) {
	case ACT_STEP:
		seek(p, step + 1);
		break;
	case ACT_STEP_BACK:
		seek(p, step > 0 ? step - 1 : 0);
		break;
	case ACT_FIRST:
		seek(p, 0);
		break;
	default:
		seek(p, UINT64_MAX);
	}
}

/* "25431" or "42%". */
static void act_goto(struct lab_process *p, enum action action, const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 10);

	(void)action;
	if (!isdigit((unsigned char)text[0]) || strcmp(end, *end == '%' ? "%" : "") != 0 ||
	    (*end == '%' && value > 100)) {
		worker_say(p, "goto: \"%.60s\" is no step: write 25431 or 42%%", text);
		return;
	}
	p->model.playing = false;
	if (*end == '%')
		value = (uint64_t)((double)p->model.steps_total * (double)value / 100);
	seek(p, value);
}

/* Twice or half, within what a frame can show and an evening can hold. */
static void act_speed(struct lab_process *p, enum action action, const char *text)
{
	double speed = p->model.speed * (action == ACT_FASTER ? 2 : 0.5);

	(void)text;
	p->model.speed = speed < speed_min ? speed_min : speed > speed_max ? speed_max : speed;
}

/* ---- opening and running ---- */

/* A speed that plays a whole run in about a minute. */
static void set_speed(struct model *model)
{
	uint64_t frames = (uint64_t)PLAY_SECONDS * FRAMES_A_SECOND;

	model->speed = 1;
	while (model->steps_total / frames > (uint64_t)model->speed * 2)
		model->speed *= 2;
}

/* Opens one run or two.  If that fails, what was open is closed and the message says why. */
static bool open_runs(struct lab_process *p, const char *a, const char *b)
{
	struct model *model = &p->model;
	struct diag diag;

	model->playing = false;
	worker_say(p, "opening run %.60s: it is made again from its steps", a);
	worker_show(p);
	model->message[0] = '\0';
	if (lab_view_open(p->lab, a, b, model, &diag) != ERR_OK) {
		worker_say(p, "%.200s", diag.text);
		return false;
	}
	model->selected = 0;
	model->filter[0] = '\0';
	set_speed(model);
	snprintf(p->target, sizeof(p->target), "%s", model->scenario);
	p->view = p->options->view;
	memset(&model->tree, 0, sizeof(model->tree));
	worker_tree_begin(p);
	return true;
}

void worker_open_ab(struct lab_process *p, const char *ab)
{
	const char *comma = strchr(ab, ',');
	char a[WORKER_TEXT_MAX];

	if (!p->lab)
		return;
	if (!comma || comma == ab || !comma[1]) {
		worker_say(p, "--ab: \"%.60s\" is not RUN,RUN", ab);
		return;
	}
	snprintf(a, sizeof(a), "%.*s", (int)(comma - ab), ab);
	open_runs(p, a, comma + 1);
}

/* A run has its row in the store: from now on it can be named if we have to be killed. */
static void on_started(void *ctx, int64_t run_id)
{
	struct lab_process *p = ctx;

	p->run_id = run_id;
	p->drawn_ms = 0;
	worker_progress(p, 0, 0);
}

/* The lab calls this between slices of a run. */
static void on_progress(void *ctx, uint64_t steps, ns_t sim_ns)
{
	worker_progress(ctx, steps, sim_ns);
}

/* Opens what a request made: its first two runs that hold any step. */
static void open_outcome(struct lab_process *p, const struct lab_outcome *outcome, size_t nr)
{
	char ref[2][32] = { "", "" };
	size_t n = 0, failed = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct db_run *run = &outcome[i].run;

		if (run->id > 0 && run->steps > 0 && n < 2)
			snprintf(ref[n++], sizeof(ref[0]), "%" PRId64, run->id);
		for (size_t k = 0; k < outcome[i].nr_expects; k++)
			failed += !outcome[i].expect[k].ok;
	}
	if (n == 0)
		worker_say(p, "nothing was stored that could be opened");
	else if (open_runs(p, ref[0], n == 2 ? ref[1] : NULL) && failed > 0)
		worker_say(p, "%zu expectations failed: memcglab show %s lists them", failed,
			   ref[0]);
}

/* Runs a scenario on its own kernels.  What was open stays on the screen until it is done. */
static void execute(struct lab_process *p, const char *name)
{
	struct lab_request request = { .scenario = name,
				       .ctx = p,
				       .started = on_started,
				       .progress = on_progress };
	struct lab_outcome *outcome = NULL;
	struct diag diag;
	size_t nr = 0;
	enum err err;

	p->model.running = true;
	p->model.playing = false;
	p->model.panel[0] = '\0';
	worker_say(p, "Ctrl-C stops it; running %.100s", worker_brief(name));
	worker_show(p);
	err = lab_run(p->lab, &request, &outcome, &nr, &diag);
	p->model.running = false;
	p->run_id = 0;
	p->model.message[0] = '\0';
	worker_lists(p);
	if (err == ERR_OK)
		open_outcome(p, outcome, nr);
	else if (err == ERR_INTERRUPTED)
		worker_say(p, "stopped: %.100s is stored as interrupted", worker_brief(name));
	else
		snprintf(p->model.panel, sizeof(p->model.panel), "%s", diag.text);
	lab_outcomes_free(outcome, nr);
}

/* "52", "58.1", "latest", "latest:NAME", "baseline:NAME" name a run, all else a scenario. */
static bool names_run(const char *target)
{
	size_t n = strspn(target, "0123456789.");

	return (n > 0 && target[n] == '\0') || strcmp(target, "latest") == 0 ||
	       strncmp(target, "latest:", 7) == 0 || strncmp(target, "baseline:", 9) == 0;
}

void worker_open(struct lab_process *p, const char *target)
{
	char name[WORKER_TEXT_MAX];

	if (!p->lab)
		return;
	snprintf(name, sizeof(name), "%s", target);
	if (names_run(name)) {
		open_runs(p, name, NULL);
		return;
	}
	snprintf(p->target, sizeof(p->target), "%s", name);
	execute(p, name);
}

void worker_lost(struct lab_process *p, int64_t run_id)
{
	struct diag diag;

	if (p->lab && lab_failed(p->lab, run_id, RUN_INTERRUPTED,
				 "stopped: it did not answer and was killed", &diag) != ERR_OK)
		worker_say(p, "%.200s", diag.text);
	else
		worker_say(p,
			   "run %" PRId64
			   " did not answer and was killed; it is stored as interrupted",
			   run_id);
	worker_lists(p);
}

/* The selected row, or what the palette names. */
static void act_enter(struct lab_process *p, enum action action, const char *text)
{
	struct rows_pick pick;
	char ref[WORKER_TEXT_MAX];

	(void)action;
	if (text[0])
		snprintf(ref, sizeof(ref), "%s", text);
	else if (!rows_pick(&p->model, (size_t)p->model.selected, &pick))
		return;
	else if (pick.run)
		snprintf(ref, sizeof(ref), "%" PRId64, pick.run->id);
	else
		snprintf(ref, sizeof(ref), "%s", pick.scenario->name);
	worker_open(p, ref);
}

/* Replaces one side and keeps the other. */
static void act_make(struct lab_process *p, enum action action, const char *text)
{
	char ref[2][32] = { "", "" };
	struct rows_pick pick;
	int side = action == ACT_MAKE_A ? 0 : 1;

	(void)text;
	if (!p->lab || !rows_pick(&p->model, (size_t)p->model.selected, &pick) || !pick.run) {
		worker_say(p, "select a run first: a and b make it side A and B");
		return;
	}
	for (int i = 0; i < 2; i++) {
		int64_t id = i == side ? pick.run->id : p->model.side[i].run_id;

		if (id > 0 && (i == side || i == 0 || p->model.has_b))
			snprintf(ref[i], sizeof(ref[i]), "%" PRId64, id);
	}
	if (!ref[0][0]) {
		worker_say(p, "choose side A first, with a");
		return;
	}
	/* Both sides named: no partner is looked for.  The view stays for the other choice. */
	if (open_runs(p, ref[0], ref[1][0] ? ref[1] : NULL)) {
		p->view = VIEW_RUNS;
		worker_lists(p);
	}
}

/* The same scenario with its files as they are now; parameters are its defaults. */
static void act_rerun(struct lab_process *p, enum action action, const char *text)
{
	(void)action;
	if (text[0])
		snprintf(p->target, sizeof(p->target), "%s", text);
	if (!p->lab || !p->target[0])
		worker_say(p, "nothing was run yet: Enter on a scenario in view 7 runs it");
	else
		execute(p, p->target);
}

static void act_machine(struct lab_process *p, enum action action, const char *text)
{
	bytes_t ram = pcg_ram_bytes(&p->model.machine), step = (bytes_t)1 << 30;
	struct pcg_machine machine = { .arch = p->model.machine.arch };

	(void)text;
	/* The next power of two of whole GiB, so that the sizes are those of the table. */
	while (step < ram)
		step *= 2;
	ram = action == ACT_MACHINE_UP ? (step > ram ? step : ram * 2) : step / 2;
	if (ram < (bytes_t)1 << 26 || ram > (bytes_t)1 << 46)
		return;
	if (pcg_machine_ram(&machine, ram, NULL) == ERR_OK)
		p->model.machine = machine;
}

/* ---- the table ---- */

static const struct worker_row {
	enum action first, last; /* of the actions that it is for */
	bool while_running;
	void (*act)(struct lab_process *p, enum action action, const char *text);
} rows[] = {
	{ ACT_VIEW_1, ACT_VIEW_7, true, act_view },
	{ ACT_PLAY, ACT_PLAY, false, act_play },
	{ ACT_STEP, ACT_LAST, false, act_time },
	{ ACT_GOTO, ACT_GOTO, false, act_goto },
	{ ACT_SLOWER, ACT_FASTER, true, act_speed },
	{ ACT_UP, ACT_END, true, act_move },
	{ ACT_ENTER, ACT_ENTER, false, act_enter },
	{ ACT_SIDES, ACT_SIDES, true, act_sides },
	{ ACT_MAKE_A, ACT_MAKE_B, false, act_make },
	{ ACT_MACHINE_UP, ACT_MACHINE_DOWN, true, act_machine },
	{ ACT_RERUN, ACT_RERUN, false, act_rerun },
	{ ACT_FILTER, ACT_FILTER, true, worker_filter_act },
	{ ACT_NOTE, ACT_DELETE, false, worker_run_act },
	{ ACT_CLEAR, ACT_CLEAR, true, act_clear },
	{ ACT_FORM, ACT_FORM, true, worker_compare_act },
	{ ACT_DIFF, ACT_DIFF, true, worker_compare_act },
	{ ACT_FOLD, ACT_SITES, true, worker_tree_act },
	{ ACT_GROUP, ACT_GROUP_BACK, true, worker_group_act },
};

void worker_act(struct lab_process *p, enum action action, const char *text)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (action < rows[i].first || action > rows[i].last)
			continue;
		p->model.message[0] = '\0';
		if (p->model.running && !rows[i].while_running)
			worker_say(p, "a run is going: Ctrl-C stops it");
		else
			rows[i].act(p, action, text);
		return;
	}
}
