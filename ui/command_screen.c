/*
 * memcglab screen: a stored run, made again up to a step and drawn as one
 * frame without a terminal: text, text with colours, or SVG by the suffix
 * of the file.  The same run, step, view and size give the same bytes.
 */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "group.h"
#include "output.h"
#include "tree.h"
#include "view.h"

struct frame {
	enum view_id view;
	int w, h;
	enum canvas_glyphs glyphs;
	canvas_dump_fn *dump;
};

/* Names for the nearest one. */
static const char *view_name_at(const void *ctx, size_t i)
{
	(void)ctx;
	return i < NR_VIEWS ? view_at((enum view_id)i)->name : NULL;
}

/* By its name; without one the first. */
static enum err view_read(const char *name, enum view_id *view, struct diag *diag)
{
	*view = VIEW_LRU;
	if (name == NULL)
		return ERR_OK;
	if (!view_find(name, view))
		return diag_fail(diag, ERR_USAGE, "--view: no view \"%s\": did you mean %s?", name,
				 diag_nearest(name, view_name_at, NULL));
	return ERR_OK;
}

/* "80x24" */
static enum err size_read(const char *text, struct frame *frame, struct diag *diag)
{
	char *end;
	long w = 80, h = 24;

	if (text != NULL) {
		w = strtol(text, &end, 10);
		h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
		if (*end != '\0')
			h = 0;
	}
	if (w < 1 || w > CANVAS_W_MAX || h < 1 || h > CANVAS_H_MAX)
		return diag_fail(diag, ERR_USAGE, "--size: \"%s\" is not WxH, from 1x1 to %dx%d",
				 text, CANVAS_W_MAX, CANVAS_H_MAX);
	frame->w = (int)w;
	frame->h = (int)h;
	return ERR_OK;
}

/* Standard output gets text; a file is what its ending says, and no other ending is guessed at. */
static enum err kind_read(const char *output, canvas_dump_fn **dump, struct diag *diag)
{
	*dump = output != NULL ? canvas_dump_for(output) : canvas_dump;
	if (*dump != NULL)
		return ERR_OK;
	return diag_fail(diag, ERR_USAGE,
			 "--output: \"%s\" ends in none of .txt .ansi .svg: a screen is written "
			 "as one of them",
			 output);
}

/* A canvas has room for the largest terminal: too much for the stack. */
static enum err frame_draw(struct command *cmd, const struct frame *frame, struct model *model,
			   struct diag *diag)
{
	struct canvas *canvas = calloc(1, sizeof(*canvas));

	if (canvas == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the frame");
	canvas_init(canvas, frame->w, frame->h, frame->glyphs);
	view_draw(frame->view, model, canvas);
	frame->dump(canvas, cmd->out);
	free(canvas);
	return output_check(cmd->out, diag);
}

/* By its path at the end of the run: before, it may not have been made yet. */
static enum err group_find(struct command *cmd, struct model *model, struct diag *diag)
{
	struct diag why;

	if (group_choose(model, cmd->args->group, &why) == ERR_OK)
		return ERR_OK;
	return diag_fail(diag, ERR_USAGE, "--group: %.500s", why.text);
}

/* The run is made again up to its last step first, because the time line shows all of it; then
 * back to the step that was asked for. */
static enum err model_at(struct command *cmd, struct model *model, struct diag *diag)
{
	uint64_t at = cmd->args->at;
	enum err err = lab_view_open(cmd->lab, cmd->args->arg[0], NULL, model, diag);

	if (err == ERR_OK && cmd->args->group != NULL)
		err = group_find(cmd, model, diag);
	if (err != ERR_OK || !args_given(cmd->args, OPT_AT))
		return err;
	if (at > model->steps_total)
		return diag_fail(diag, ERR_USAGE, "--at %llu: run %s has %llu steps",
				 (unsigned long long)at, cmd->args->arg[0],
				 (unsigned long long)model->steps_total);
	return lab_view_seek(cmd->lab, model, at, diag);
}

/* Braille where the locale can show it; a locale that cannot gets ASCII. */
static enum canvas_glyphs glyphs_for(const struct args *args)
{
	if (args->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return GLYPHS_ASCII;
	return GLYPHS_BRAILLE;
}

/* What the arguments ask for is checked before the run is replayed. */
enum err command_screen(struct command *cmd, struct diag *diag)
{
	struct frame frame = { .glyphs = glyphs_for(cmd->args) };
	struct model *model = calloc(1, sizeof(*model));
	enum err err;

	if (model == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the model");
	err = view_read(cmd->args->view, &frame.view, diag);
	if (err == ERR_OK)
		err = size_read(cmd->args->size, &frame, diag);
	if (err == ERR_OK)
		err = kind_read(cmd->args->output, &frame.dump, diag);
	if (err == ERR_OK)
		err = model_at(cmd, model, diag);
	if (err == ERR_OK && view_has_tree(frame.view))
		tree_select(model, group_id(model, 0));
	if (err == ERR_OK && frame.view == VIEW_RUNS)
		err = lab_view_lists(cmd->lab, model, diag);
	if (err == ERR_OK)
		err = frame_draw(cmd, &frame, model, diag);
	lab_view_close(cmd->lab, model);
	free(model);
	return err;
}
