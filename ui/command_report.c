/*
 * memcglab report: runs of the store as one HTML page, which replaces an
 * older one as a whole.
 */
#include <stdlib.h>
#include <string.h>

#include "chart_runs.h"
#include "command.h"
#include "html.h"
#include "report.h"

/* The parts join the data under their own names. */
static enum err all_data(const struct chart_ask *ask, json_t **data, struct diag *diag)
{
	json_t *plots = NULL, *compares = NULL;
	enum err err = report_data(ask, data, diag);

	if (err == ERR_OK)
		err = report_plots(ask, &plots, diag);
	if (err == ERR_OK)
		err = report_compare(ask, &compares, diag);
	if (plots != NULL)
		json_object_update(*data, plots);
	json_decref(plots);
	if (compares != NULL)
		json_object_set_new(*data, "compares", compares);
	return err;
}

static enum err write_page(struct command *cmd, const json_t *data, struct diag *diag)
{
	char *text = NULL;
	size_t size = 0;
	FILE *page = open_memstream(&text, &size);
	enum err err;

	if (page == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the report");
	for (size_t i = 0; report_page[i] != NULL; i++)
		fputs(report_page[i], page);
	if (fclose(page) == 0)
		err = html_expand(text, data, cmd->out, diag);
	else
		err = diag_fail(diag, ERR_NOMEM, "no memory for the report");
	free(text);
	return err == ERR_OK ? output_check(cmd->out, diag) : err;
}

enum err command_report(struct command *cmd, struct diag *diag)
{
	struct chart_ask ask = { .group = cmd->args->group };
	struct chart_runs runs = { .nr = 0 };
	json_t *data = NULL;
	enum err err = lab_db(cmd->lab, DB_READ, &ask.db, diag);

	if (err == ERR_OK)
		err = chart_runs_find(ask.db, cmd->args->arg, cmd->args->nr_args, &runs, diag);
	ask.run = runs.run;
	ask.nr = runs.nr;
	if (err == ERR_OK)
		err = all_data(&ask, &data, diag);
	if (err == ERR_OK)
		err = write_page(cmd, data, diag);
	json_decref(data);
	chart_runs_free(&runs);
	return err;
}
