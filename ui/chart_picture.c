/*
 * Charts through gnuplot, see chart_picture.h.
 */
#include "chart_picture.h"

#include <stdlib.h>

#include "chart_draw.h"
#include "html.h"

enum err chart_picture(const struct chart *chart, const char *terminal, FILE *out, bool *missing,
		       struct diag *diag)
{
	FILE *script = tmpfile();
	enum err err;

	if (script == NULL)
		return diag_fail(diag, ERR_OUTPUT, "no temporary file for the plot");
	chart_script(chart, terminal, script);
	err = gnuplot_draw(script, out, missing, diag);
	fclose(script);
	return err;
}

/* Escaped as any other text. */
static enum err put_text(const struct chart *chart, FILE *out, struct diag *diag)
{
	struct canvas *canvas = calloc(1, sizeof(*canvas));
	char *text = NULL;
	size_t size;
	FILE *file = canvas != NULL ? open_memstream(&text, &size) : NULL;

	if (file == NULL) {
		free(canvas);
		return diag_fail(diag, ERR_NOMEM, "no memory for the plot");
	}
	chart_text(chart, GLYPHS_ASCII, canvas);
	canvas_dump(canvas, file);
	fclose(file);
	fputs("<pre>", out);
	html_escape(text != NULL ? text : "", out);
	fputs("</pre>", out);
	free(text);
	free(canvas);
	return ERR_OK;
}

enum err chart_picture_inline(const struct chart *chart, const char *prefix, FILE *out,
			      bool *missing, struct diag *diag)
{
	char desc[2 * CHART_WORDS];
	const struct gnuplot_name name = { chart->title, desc, prefix, true };
	FILE *drawn = tmpfile();
	enum err err;

	chart_note(chart, 0, desc);
	if (drawn == NULL)
		return diag_fail(diag, ERR_OUTPUT, "no temporary file for the plot");
	err = chart_picture(chart, "svg", drawn, missing, diag);
	if (err == ERR_OK && *missing)
		err = put_text(chart, out, diag);
	else if (err == ERR_OK)
		gnuplot_svg(drawn, &name, out);
	fclose(drawn);
	return err;
}
