/*
 * What the user says of stored runs: note, tag, baseline.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "choose.h"
#include "command.h"
#include "output.h"

enum { TEXT_MAX = 4096 };

/* The words from number @from on, parted by blanks.  Returns: false if there is no room. */
static bool join_words(const struct args *args, size_t from, char out[TEXT_MAX])
{
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = from; i < args->nr_args && n < TEXT_MAX; i++)
		n += (size_t)snprintf(out + n, TEXT_MAX - n, "%s%s", i > from ? " " : "",
				      args->arg[i]);
	return n < TEXT_MAX;
}

/* The run that the first word names, its row to be freed. */
static enum err find_run(struct command *cmd, size_t word, enum db_mode mode, struct db_run *run,
			 struct diag *diag)
{
	struct db *db;
	enum err err = lab_db(cmd->lab, mode, &db, diag);

	memset(run, 0, sizeof(*run));
	return err == ERR_OK ? db_run_find(db, cmd->args->arg[word], run, diag) : err;
}

/* Without a text it is shown, with an empty one it is removed. */
enum err command_note(struct command *cmd, struct diag *diag)
{
	bool sets = cmd->args->nr_args > 1;
	char text[TEXT_MAX];
	struct db_run run;
	struct db *db;
	enum err err;

	if (!join_words(cmd->args, 1, text))
		return diag_fail(diag, ERR_USAGE, "a note of more than %d bytes", TEXT_MAX - 1);
	err = find_run(cmd, 0, sets ? DB_WRITE : DB_READ, &run, diag);
	if (err == ERR_OK && sets)
		err = lab_db(cmd->lab, DB_WRITE, &db, diag);
	if (err == ERR_OK && sets)
		err = db_note_set(db, run.id, text, diag);
	if (err == ERR_OK && !sets)
		fprintf(cmd->out, "%s\n", run.note != NULL ? run.note : "");
	db_run_free(&run);
	return err == ERR_OK ? output_check(cmd->out, diag) : err;
}

/* Without tags they are shown; --remove without tags removes all. */
enum err command_tag(struct command *cmd, struct diag *diag)
{
	bool changes = cmd->args->nr_args > 1 || cmd->args->remove;
	char text[TEXT_MAX], now[DB_WORD_MAX];
	struct db_run run;
	struct db *db;
	enum err err = find_run(cmd, 0, changes ? DB_WRITE : DB_READ, &run, diag);

	snprintf(now, sizeof(now), "%s", run.tag);
	if (err == ERR_OK && !join_words(cmd->args, 1, text))
		err = diag_fail(diag, ERR_USAGE, "tags of more than %d bytes", TEXT_MAX - 1);
	if (err == ERR_OK && changes)
		err = lab_db(cmd->lab, DB_WRITE, &db, diag);
	if (err == ERR_OK && changes) {
		const struct db_tagging tagging = { text, cmd->args->remove, false };

		err = db_tags_change(db, run.id, &tagging, now, diag);
	}
	if (err == ERR_OK)
		fprintf(cmd->out, "%s\n", now);
	db_run_free(&run);
	return err == ERR_OK ? output_check(cmd->out, diag) : err;
}

/* ---- baseline ---- */

static enum err baseline_set(struct command *cmd, struct diag *diag)
{
	struct db_run run;
	struct db *db;
	enum err err = find_run(cmd, 1, DB_WRITE, &run, diag);

	if (err == ERR_OK)
		err = lab_db(cmd->lab, DB_WRITE, &db, diag);
	if (err == ERR_OK)
		err = db_baseline_set(db, run.id, diag);
	if (err == ERR_OK)
		fprintf(cmd->out, "baseline:%s is run %" PRId64 "\n", run.scenario, run.id);
	db_run_free(&run);
	return err;
}

/* By the scenario, or by any run of it. */
static enum err baseline_clear(struct command *cmd, struct diag *diag)
{
	const char *scenario = cmd->args->arg[1];
	struct db_run run;
	struct db *db;
	enum err err = lab_db(cmd->lab, DB_WRITE, &db, diag);

	memset(&run, 0, sizeof(run));
	if (err != ERR_OK)
		return err;
	if (db_run_find(db, scenario, &run, NULL) == ERR_OK)
		scenario = run.scenario;
	err = db_baseline_clear(db, scenario, diag);
	db_run_free(&run);
	return err;
}

struct shown {
	struct output *out;
	const char *scenario; /* NULL: all */
	struct diag *diag;
};

enum { BASELINE_COLUMNS = 5 };

static enum err baseline_row(void *ctx, const struct db_run *run)
{
	static const int types[BASELINE_COLUMNS] = { OUTPUT_TEXT, OUTPUT_INTEGER, OUTPUT_TEXT,
						     OUTPUT_INTEGER, OUTPUT_TEXT };
	struct shown *shown = ctx;
	char id[32], seed[32];
	const char *values[BASELINE_COLUMNS] = { run->scenario, id, run->kernel, seed,
						 run->created };

	if (shown->scenario != NULL && strcmp(shown->scenario, run->scenario) != 0)
		return ERR_OK;
	snprintf(id, sizeof(id), "%" PRId64, run->id);
	snprintf(seed, sizeof(seed), "%" PRIu64, run->seed);
	return output_row(shown->out, BASELINE_COLUMNS, values, types, shown->diag);
}

static enum err baseline_show(struct command *cmd, struct diag *diag)
{
	static const char *const names[BASELINE_COLUMNS] = { "scenario", "run", "kernel", "seed",
							     "created" };
	static const struct db_choice choice = { .where = "baseline = 1",
						 .sort = "scenario",
						 .brief = true };
	struct shown shown = { .scenario = cmd->args->nr_args > 1 ? cmd->args->arg[1] : NULL,
			       .diag = diag };
	struct db *db;
	enum err err = lab_db(cmd->lab, DB_READ, &db, diag);

	if (err == ERR_OK)
		err = output_new(&cmd->style, cmd->out, &shown.out, diag);
	if (err == ERR_OK)
		err = output_head(shown.out, BASELINE_COLUMNS, names, diag);
	if (err == ERR_OK)
		err = db_runs_chosen(db, &choice, baseline_row, &shown, diag);
	if (err == ERR_OK)
		err = output_end(shown.out, diag);
	output_free(shown.out);
	return err;
}

static const struct {
	const char *word;
	size_t args; /* behind it, at least */
	enum err (*run)(struct command *cmd, struct diag *diag);
} forms[] = {
	{ "set", 1, baseline_set },
	{ "show", 0, baseline_show },
	{ "clear", 1, baseline_clear },
};

static const char *form_at(const void *ctx, size_t i)
{
	(void)ctx;
	return i < sizeof(forms) / sizeof(forms[0]) ? forms[i].word : NULL;
}

enum err command_baseline(struct command *cmd, struct diag *diag)
{
	const char *word = cmd->args->arg[0];

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (strcmp(forms[i].word, word) != 0)
			continue;
		if (cmd->args->nr_args < 1 + forms[i].args)
			return diag_fail(diag, ERR_USAGE, "baseline %s: which run?", word);
		return forms[i].run(cmd, diag);
	}
	return diag_fail(diag, ERR_USAGE, "baseline: no \"%s\"; the nearest is %s", word,
			 diag_nearest(word, form_at, NULL));
}
