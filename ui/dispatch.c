/*
 * Starts commands, see dispatch.h.  A verb works in a child process; this one
 * waits, passes on an interrupt and ends it at the time limit.
 */
#include "dispatch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output_file.h"
#include "tui.h"

/* What a scenario prints, beside the result, never in it. */
static void print_line(void *ctx, const char *text)
{
	fprintf(ctx, "%s\n", text);
}

struct lab_options dispatch_lab(const struct args *args)
{
	struct lab_options options = {
		.db_path = args->db,
		.no_db = args->no_db,
		.limits = { .instructions = args->instr_limit,
			    .memory = args->mem_limit,
			    .traceback_full = strcmp(args->traceback, "full") == 0 },
	};

	/* Of many runs nobody wants all that they print; each keeps it in its log. */
	if (!args->quiet && !args_pooled(args))
		options.log = (struct script_log){ stderr, print_line };
	return options;
}

struct colour {
	const char *name;
	enum color mode;
};

static const struct colour colours[] = {
	{ "auto", COLOR_AUTO },
	{ "always", COLOR_ALWAYS },
	{ "never", COLOR_NEVER },
};

/* Colours, glyphs and the first view; everything else the TUI finds itself. */
enum err dispatch_tui(const struct args *args, struct diag *diag)
{
	struct lab_options lab = dispatch_lab(args);
	struct tui_options options = { .lab = &lab, .ab = args->ab, .ascii = args->ascii };

	lab.log = (struct script_log){ NULL, NULL }; /* its log pane, never the terminal */
	options.target = args->nr_args > 0 ? args->arg[0] : NULL;
	for (size_t i = 0; i < 3; i++)
		if (strcmp(colours[i].name, args->color) == 0)
			options.mode = colours[i].mode;
	if (args->view != NULL && !view_find(args->view, &options.view))
		return diag_fail(diag, ERR_USAGE, "--view: no view \"%s\"", args->view);
	return tui_run(&options, diag);
}

/* A store that was brought up to date has left a copy of itself: whose it is should be known. */
static void note_migration(const struct command *cmd)
{
	const char *kept = cmd->lab != NULL ? lab_backup(cmd->lab) : "";

	if (kept[0] != '\0' && cmd->notes != NULL)
		fprintf(cmd->notes,
			"memcglab: the store was of an older schema and is up to date now; it is "
			"kept as it was in %s\n",
			kept);
}

/* A file that -o names gets all of it, and is the command's own; the place is its caller's. */
static enum err open_out(struct command *cmd, const struct dispatch_place *place, bool whole,
			 struct output_file *file, struct diag *diag)
{
	bool named = cmd->args->output != NULL;

	cmd->style = place->style;
	cmd->style.format = cmd->args->format;
	if (named) {
		cmd->style.room = 0;
		cmd->style.whole = NULL;
	}
	memset(file, 0, sizeof(*file));
	file->file = place->out;
	if (named || place->out == NULL) {
		enum err err = whole ? output_file_open_whole(cmd->args->output, file, diag)
				     : output_file_open(cmd->args->output, file, diag);

		if (err != ERR_OK)
			return err;
	}
	cmd->out = file->file;
	return ERR_OK;
}

/* The verb itself, in whichever process. */
static enum err execute(const struct verb *verb, struct command *cmd,
			const struct dispatch_place *place, struct diag *diag)
{
	struct lab_options options = dispatch_lab(cmd->args);
	struct output_file file;
	enum err err = open_out(cmd, place, verb->whole, &file, diag);

	if (err != ERR_OK)
		return err;
	cmd->notes = cmd->args->quiet ? NULL : stderr;
	cmd->progress = place->progress && !cmd->args->quiet && isatty(STDERR_FILENO);
	err = lab_open(&options, &cmd->lab, diag);
	if (err == ERR_OK)
		err = verb->run(cmd, diag);
	note_migration(cmd);
	lab_close(cmd->lab);
	if (cmd->style.whole != NULL)
		output_whole_rest(cmd->style.whole, cmd->out);
	return output_file_close(&file, err, diag);
}

/* The child died in the middle of a run: its row must not say "running". */
static void store_death(const struct args *args, const struct child_end *end,
			const struct diag *diag)
{
	struct lab_options options = dispatch_lab(args);
	struct lab *lab;

	if (!end->died || end->run_id == 0 || lab_open(&options, &lab, NULL) != ERR_OK)
		return;
	lab_failed(lab, end->run_id, end->interrupted ? RUN_INTERRUPTED : RUN_FAILED, diag->text,
		   NULL);
	lab_close(lab);
}

/* Both processes come back from here.  What was blocked for the shell's own sake is not for its
 * children. */
static enum err begin_child(struct child *child, const struct dispatch_place *place,
			    struct dispatch_end *end, struct diag *diag)
{
	enum err err = child_fork(child, diag);

	end->is_child = err == ERR_OK && child->pid == 0;
	if (!end->is_child)
		return err;
	if (place->mask != NULL)
		child->old_mask = *place->mask;
	diag->err = ERR_OK;
	return ERR_OK;
}

/* The shell's own screen is given away for a while; what happens there tells nothing but how it
 * ended. */
static enum err tui_in_child(const struct args *args, const struct dispatch_place *place,
			     struct dispatch_end *end, struct diag *diag)
{
	struct child child = { .fd = -1 };
	struct child_end how;
	enum err err = begin_child(&child, place, end, diag);

	if (err != ERR_OK)
		return err;
	if (!end->is_child) {
		child.screen = true;
		err = child_wait(&child, UINT64_MAX, &how, diag);
		end->ended = how.ended;
		return err;
	}
	child_stoppable(&child);
	dispatch_tui(args, diag);
	child_report(&child, diag);
	return ERR_OK;
}

/* Both processes come back from here: the child with everything told to its parent, and main
 * gives it status 0. */
static enum err execute_in_child(const struct verb *verb, const struct args *args,
				 const struct dispatch_place *place, struct dispatch_end *end,
				 struct diag *diag)
{
	struct child child = { .fd = -1 };
	struct command cmd = { .args = args, .child = &child };
	struct child_end how;
	enum err err = begin_child(&child, place, end, diag);

	if (err != ERR_OK)
		return err;
	if (!end->is_child) {
		err = child_wait(&child, args_pooled(args) ? UINT64_MAX : args->time_limit_ns, &how,
				 diag);
		store_death(args, &how, diag);
		end->run_id = how.newest;
		end->ended = how.ended;
		return err;
	}
	if (!verb->polls)
		child_stoppable(&child);
	execute(verb, &cmd, place, diag);
	child_report(&child, diag);
	return ERR_OK;
}

/* Help before checks: "run --help" has no scenario and must not complain of it. */
enum err dispatch_verb(const struct verb *verb, const struct args *args,
		       const struct dispatch_place *place, struct dispatch_end *end,
		       struct diag *diag)
{
	FILE *out = place->out != NULL ? place->out : stdout;
	enum err err;

	memset(end, 0, sizeof(*end));
	if (args->help)
		command_help(verb, out);
	else if (args->version)
		fprintf(out, "memcglab %s\n", lab_version());
	if (args->help || args->version)
		return output_check(out, diag);
	err = command_check(verb, args, diag);
	if (err != ERR_OK)
		return err;
	if (verb->run != NULL)
		return execute_in_child(verb, args, place, end, diag);
	return place->mask != NULL ? tui_in_child(args, place, end, diag)
				   : dispatch_tui(args, diag);
}

enum err dispatch_read(int argc, char **argv, struct args *args, const struct verb **verb,
		       struct diag *diag)
{
	enum err err = command_find(argv[0], verb, diag);

	return err == ERR_OK ? args_parse(args, argc, argv, (*verb)->options, diag) : err;
}
