/*
 * What the lab process does to the list of runs: the filter, and the notes,
 * tags and end of the run that a request names.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "discard.h"
#include "rows.h"
#include "worker_acts.h"

/* The prompt sends the filter with every key.  Of runs only the store can say whether it is one;
 * the last good filter stays while it is none. */
void worker_filter_act(struct lab_process *p, enum action action, const char *text)
{
	struct diag diag;

	(void)action;
	p->filter_error[0] = '\0';
	if (p->view != VIEW_RUNS || !p->lab) {
		snprintf(p->model.filter, sizeof(p->model.filter), "%.127s", text);
	} else if (lab_view_filter(p->lab, &p->model, text, &diag) != ERR_OK) {
		snprintf(p->filter_error, sizeof(p->filter_error), "%.200s", diag.text);
		p->filter_error[strcspn(p->filter_error, "\n")] = '\0';
		worker_say(p, "%s", p->filter_error);
	}
	worker_select(p, p->model.selected);
}

static enum err set_note(struct db *db, int64_t id, const char *text, struct diag *diag)
{
	return db_note_set(db, id, text, diag);
}

/* The prompt held all tags, so what stands there now is all of them. */
static enum err set_tags(struct db *db, int64_t id, const char *text, struct diag *diag)
{
	const struct db_tagging tagging = { .tags = text, .replace = true };
	char now[DB_WORD_MAX];

	return db_tags_change(db, id, &tagging, now, diag);
}

/* What is open of it stays on the screen: it was made again from its operations. */
static enum err remove_run(struct db *db, int64_t id, const char *text, struct diag *diag)
{
	enum err err = ERR_OK;

	if (strcmp(text, "y") != 0 && strcmp(text, "yes") != 0)
		return diag_fail(diag, ERR_USAGE, "nothing was deleted");
	err = db_run_remove(db, id, diag);
	return err == ERR_OK ? db_texts_remove(db, diag) : err;
}

static const struct {
	enum action action;
	enum err (*act)(struct db *db, int64_t id, const char *text, struct diag *diag);
	const char *said;
} acts[] = {
	{ ACT_NOTE, set_note, "the note of run %" PRId64 " is stored" },
	{ ACT_TAG, set_tags, "the tags of run %" PRId64 " are stored" },
	{ ACT_DELETE, remove_run, "run %" PRId64 " is deleted" },
};

/* "52 first batched baseline": the run is the one that the question named, whatever is selected
 * by now. */
void worker_run_act(struct lab_process *p, enum action action, const char *text)
{
	char *rest;
	int64_t id = strtoll(text, &rest, 10);
	struct diag diag;
	struct db *db;
	enum err err;

	rest += *rest == ' ';
	if (!p->lab || id <= 0)
		return;
	err = lab_db(p->lab, DB_WRITE, &db, &diag);
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]) && err == ERR_OK; i++)
		if (acts[i].action == action)
			err = acts[i].act(db, id, rest, &diag);
	if (err == ERR_OK)
		err = lab_view_runs(p->lab, &p->model, &diag);
	if (err != ERR_OK)
		worker_say(p, "%.200s", diag.text);
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]) && err == ERR_OK; i++)
		if (acts[i].action == action)
			worker_say(p, acts[i].said, id);
	worker_select(p, p->model.selected);
}
