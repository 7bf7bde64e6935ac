/*
 * memcglab plot: runs of the store as a chart, in the form that the file's
 * ending asks for.  Pictures are gnuplot's; where it is missing the chart is
 * drawn as text, and said is what to install.
 */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "chart_ask.h"
#include "chart_draw.h"
#include "chart_picture.h"
#include "chart_runs.h"
#include "command.h"

/* One way to write a chart. */
struct form {
	const char *suffix;
	enum err (*write)(struct command *cmd, const struct chart *chart, struct diag *diag);
};

static enum err drawn_text(struct command *cmd, const struct chart *chart, canvas_dump_fn *dump,
			   struct diag *diag)
{
	bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	struct canvas *canvas = calloc(1, sizeof(*canvas));

	if (canvas == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the plot");
	chart_text(chart, utf8 && !cmd->args->ascii ? GLYPHS_BLOCK : GLYPHS_ASCII, canvas);
	dump(canvas, cmd->out);
	free(canvas);
	return output_check(cmd->out, diag);
}

static enum err write_text(struct command *cmd, const struct chart *chart, struct diag *diag)
{
	return drawn_text(cmd, chart, canvas_dump, diag);
}

static enum err write_script(struct command *cmd, const struct chart *chart, struct diag *diag)
{
	chart_script(chart, "svg", cmd->out);
	return output_check(cmd->out, diag);
}

/* Without gnuplot an SVG file holds the chart as text: still a picture, and readable. */
static enum err write_svg(struct command *cmd, const struct chart *chart, struct diag *diag)
{
	char desc[2 * CHART_WORDS];
	const struct gnuplot_name name = { .title = chart->title, .desc = desc, .prefix = "" };
	FILE *drawn = tmpfile();
	bool missing = false;
	enum err err = ERR_OUTPUT;

	chart_note(chart, 0, desc);
	if (drawn != NULL)
		err = chart_picture(chart, "svg", drawn, &missing, diag);
	else
		diag_fail(diag, ERR_OUTPUT, "no temporary file for the plot");
	if (err == ERR_OK && missing) {
		if (cmd->notes != NULL)
			fprintf(cmd->notes, "memcglab: %s\n", gnuplot_install);
		err = drawn_text(cmd, chart, canvas_dump_svg, diag);
	} else if (err == ERR_OK) {
		gnuplot_svg(drawn, &name, cmd->out);
	}
	if (drawn != NULL)
		fclose(drawn);
	return err == ERR_OK ? output_check(cmd->out, diag) : err;
}

static void copy(FILE *from, FILE *to)
{
	char buffer[65536];
	size_t n;

	rewind(from);
	while ((n = fread(buffer, 1, sizeof(buffer), from)) > 0)
		fwrite(buffer, 1, n, to);
}

/* No text can stand in for a PNG: it goes to standard output, and the file is not written. */
static enum err write_png(struct command *cmd, const struct chart *chart, struct diag *diag)
{
	FILE *drawn = tmpfile(), *file = cmd->out;
	bool missing = false;
	enum err err;

	if (drawn == NULL)
		return diag_fail(diag, ERR_OUTPUT, "no temporary file for the plot");
	err = chart_picture(chart, "png", drawn, &missing, diag);
	if (err == ERR_OK && missing) {
		cmd->out = stdout;
		drawn_text(cmd, chart, canvas_dump, NULL);
		cmd->out = file;
		fflush(stdout);
		err = diag_fail(diag, ERR_OUTPUT, "%s: %s; .svg and .txt can be written without",
				cmd->args->output, gnuplot_install);
	}
	if (err == ERR_OK)
		copy(drawn, cmd->out);
	fclose(drawn);
	return err == ERR_OK ? output_check(cmd->out, diag) : err;
}

static const struct form forms[] = {
	{ ".svg", write_svg },
	{ ".png", write_png },
	{ ".txt", write_text },
	{ ".gp", write_script },
};

enum { NR_FORMS = sizeof(forms) / sizeof(forms[0]) };

/* Rows for any -F but table; else what the file's ending says, and text without a file. */
static enum err form_find(const struct args *args, const struct form **out, struct diag *diag)
{
	const char *dot = args->output != NULL ? strrchr(args->output, '.') : ".txt";

	*out = NULL;
	if (args_given(args, OPT_FORMAT))
		return ERR_OK;
	for (size_t i = 0; i < NR_FORMS; i++)
		if (dot != NULL && strcmp(dot, forms[i].suffix) == 0)
			*out = &forms[i];
	if (*out != NULL)
		return ERR_OK;
	return diag_fail(diag, ERR_USAGE,
			 "--output: \"%s\" ends in none of .svg .png .txt .gp (the script of "
			 "gnuplot); -F csv writes the data",
			 args->output);
}

/* The form is checked before the store is asked: a run may take long to be made again. */
enum err command_plot(struct command *cmd, struct diag *diag)
{
	const struct args *args = cmd->args;
	struct chart_ask ask = { .metric = args->metric,
				 .kind = args->kind,
				 .group = args->group,
				 .by = args->by };
	const struct form *form;
	struct chart *chart = calloc(1, sizeof(*chart));
	struct chart_runs runs = { .nr = 0 };
	enum err err = form_find(args, &form, diag);

	if (chart == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the plot");
	if (err == ERR_OK)
		err = lab_db(cmd->lab, DB_READ, &ask.db, diag);
	if (err == ERR_OK)
		err = chart_runs_find(ask.db, args->arg, args->nr_args, &runs, diag);
	if (ask.by == NULL && args->kind != NULL && strcmp(args->kind, "mrc") == 0)
		ask.by = "limit";
	if (err == ERR_OK && ask.by != NULL)
		err = chart_runs_like(ask.db, ask.by, &runs, diag);
	ask.run = runs.run;
	ask.nr = runs.nr;
	if (err == ERR_OK)
		err = chart_fill(&ask, chart, diag);
	if (err == ERR_OK)
		err = form != NULL ? form->write(cmd, chart, diag)
				   : chart_rows(chart, &cmd->style, cmd->out, diag);
	chart_free(chart);
	free(chart);
	chart_runs_free(&runs);
	return err;
}
