/*
 * memcglab scenario: list the shipped ones, describe one from its own
 * declarations, begin a new one, check files.
 *
 * What show prints of a parameter comes from the table that parses it, so
 * the two cannot differ.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "output.h"
#include "result.h"

/* ---- list ---- */

struct list {
	struct output *out;
	json_t *array;
	struct diag *diag;
};

/* One row of the list, or one element of the array, whichever is being made. */
static enum err list_row(void *ctx, const struct lab_scenario *scenario)
{
	struct list *list = ctx;
	const char *values[] = { scenario->name, scenario->title };
	static const int types[] = { OUTPUT_TEXT, OUTPUT_TEXT };

	if (list->out != NULL)
		return output_row(list->out, 2, values, types, list->diag);
	json_array_append_new(list->array,
			      json_pack("{s:s,s:s,s:s}", "scenario", scenario->name, "title",
					scenario->title, "file", scenario->file));
	return ERR_OK;
}

/* With the file, so that a program can open what it found. */
static enum err list_json(struct command *cmd, struct list *list, struct diag *diag)
{
	json_t *root = json_object();
	enum err err;

	list->array = json_array();
	json_object_set_new(root, "scenarios", list->array);
	err = lab_scenarios(cmd->lab, list_row, list, diag);
	if (err == ERR_OK)
		return result_dump(root, cmd->out, diag);
	json_decref(root);
	return err;
}

/* A scenario that does not load is listed with its error in place of a title. */
static enum err scenario_list(struct command *cmd, struct diag *diag)
{
	static const char *const names[] = { "scenario", "title" };
	struct list list = { .diag = diag };
	enum err err;

	if (strcmp(cmd->args->format, "json") == 0)
		return list_json(cmd, &list, diag);
	err = output_new(&cmd->style, cmd->out, &list.out, diag);
	if (err == ERR_OK)
		err = output_head(list.out, 2, names, diag);
	if (err == ERR_OK)
		err = lab_scenarios(cmd->lab, list_row, &list, diag);
	if (err == ERR_OK)
		err = output_end(list.out, diag);
	output_free(list.out);
	return err;
}

/* ---- show ---- */

enum { PARAM_COLUMNS = 8 };

static const char *const param_names[PARAM_COLUMNS] = {
	"name", "type", "default", "min", "max", "choices", "label", "doc",
};

/* A column without a value is empty; a dash would be a word of it. */
static const char *or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* In the order of param_names. */
static void param_values(const struct script_param *param, const char *out[PARAM_COLUMNS])
{
	const char *const all[] = { param->name,
				    param->type,
				    param->def,
				    param->min,
				    param->max,
				    or_empty(param->choices),
				    or_empty(param->label),
				    or_empty(param->doc) };

	memcpy(out, all, sizeof(all));
}

/* A row a parameter, in the order in which the scenario declares them. */
static enum err show_params(struct command *cmd, const struct script *script, struct diag *diag)
{
	static const int types[PARAM_COLUMNS] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT,
						  OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT,
						  OUTPUT_TEXT, OUTPUT_TEXT };
	struct output *out;
	enum err err = output_new(&cmd->style, cmd->out, &out, diag);

	if (err == ERR_OK)
		err = output_head(out, PARAM_COLUMNS, param_names, diag);
	for (size_t i = 0; i < script_param_count(script) && err == ERR_OK; i++) {
		const char *values[PARAM_COLUMNS];
		struct script_param param;

		script_param(script, i, &param);
		param_values(&param, values);
		err = output_row(out, PARAM_COLUMNS, values, types, diag);
	}
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

/* All values as text, as they would be typed after -p NAME=. */
static json_t *params_json(const struct script *script)
{
	json_t *params = json_array();

	for (size_t i = 0; i < script_param_count(script); i++) {
		const char *values[PARAM_COLUMNS];
		struct script_param param;
		json_t *object = json_object();

		script_param(script, i, &param);
		param_values(&param, values);
		for (int c = 0; c < PARAM_COLUMNS; c++)
			json_object_set_new(object, param_names[c], json_string(values[c]));
		json_array_append_new(params, object);
	}
	return params;
}

/* The head comment too: it says whose claim the scenario reproduces. */
static enum err show_json(struct command *cmd, const struct script *script, struct diag *diag)
{
	json_t *kernels = json_array();

	for (size_t i = 0; i < script_kernel_count(script); i++)
		json_array_append_new(kernels, json_string(script_kernel(script, i)));
	return result_dump(json_pack("{s:s,s:s,s:s,s:o,s:o}", "scenario", script_name(script),
				     "title", script_title(script), "comment",
				     script_comment(script), "kernels", kernels, "params",
				     params_json(script)),
			   cmd->out, diag);
}

/* Title, comment and kernels; the parameters follow as a table. */
static void put_head(FILE *out, const struct script *script)
{
	const char *comment = script_comment(script);

	fprintf(out, "%s: %s\n\n", script_name(script), script_title(script));
	if (comment[0] != '\0')
		fprintf(out, "%s%s\n", comment, comment[strlen(comment) - 1] == '\n' ? "" : "\n");
	fputs("kernels: ", out);
	for (size_t i = 0; i < script_kernel_count(script); i++)
		fprintf(out, "%s%s", i > 0 ? ", " : "", script_kernel(script, i));
	fputs(script_kernel_count(script) > 0
		      ? "\n\nparameters (-p NAME=VALUE)\n"
		      : "none named, choose with -k\n\nparameters (-p NAME=VALUE)\n",
	      out);
}

/* The file is loaded but not run: its parameters are known without any kernel. */
static enum err scenario_show(struct command *cmd, struct diag *diag)
{
	struct lab_scenario scenario = { .text = NULL };
	struct script *script = NULL;
	enum err err;

	if (cmd->args->nr_args != 2)
		return diag_fail(diag, ERR_USAGE, "usage: memcglab scenario show NAME");
	err = lab_scenario_find(cmd->lab, cmd->args->arg[1], &scenario, diag);
	if (err == ERR_OK)
		err = lab_script(cmd->lab, &scenario, &script, diag);
	if (err == ERR_OK && strcmp(cmd->args->format, "json") == 0) {
		err = show_json(cmd, script, diag);
	} else if (err == ERR_OK) {
		if (strcmp(cmd->args->format, "table") == 0)
			put_head(cmd->out, script);
		err = show_params(cmd, script, diag);
	}
	script_free(script);
	free(scenario.text);
	return err;
}

/* ---- new ---- */

static const char template[] =
	"-- %s: say here what is claimed, who claimed it and where, and what is simplified.\n"
	"--\n"
	"-- Run it:    memcglab run %s\n"
	"-- Check it:  memcglab scenario check %s\n"
	"-- Parts that others have written, such as a compile:  memcglab help library\n"
	"return scenario {\n"
	"  name    = \"%s\",\n"
	"  title   = \"One task reads a file through a limited group\",\n"
	"  kernels = { \"unbatched\", \"batched\" },          -- A and B; -k overrides\n"
	"\n"
	"  -- Declared here, checked before anything runs, set with -p NAME=VALUE.\n"
	"  params = {\n"
	"    limit = param.size { \"16M\", min = \"1M\", doc = \"hard limit of the group\" },\n"
	"    file  = param.size { \"64M\", doc = \"bytes read, once, in order\" },\n"
	"    seed  = param.seed { 1 },\n"
	"  },\n"
	"\n"
	"  -- What there is before the run: a machine, groups, tasks, files.\n"
	"  setup = function(lab, p)\n"
	"    lab.machine { ram = \"1G\", cpus = 1 }\n"
	"    local group = lab.group(\"test\", { limit = p.limit })\n"
	"    return {\n"
	"      task = lab.task(\"reader\", { group = group }),\n"
	"      file = lab.file(\"data\", { size = p.file }),\n"
	"    }\n"
	"  end,\n"
	"\n"
	"  -- What happens; w is what setup returned.\n"
	"  run = function(lab, p, w)\n"
	"    w.task:read(w.file, { bytes = p.file, chunk = \"128K\" })\n"
	"    lab.mark(\"end of file\")\n"
	"  end,\n"
	"\n"
	"  -- Figures beside the engine's own (nr_scanned, nr_reclaimed, failcnt, ...).\n"
	"  metrics = {\n"
	"    over_scan = metric { unit = \"x\", better = \"lower\", doc = \"scanned / asked\",\n"
	"      from = function(r) return r.scan.nr_scanned / r.scan.nr_to_scan end },\n"
	"  },\n"
	"\n"
	"  -- What must hold on each kernel; memcglab run --expect makes it the status.\n"
	"  expect = function(t, r, p)\n"
	"    t.never(\"usage above the limit\", r.group[\"test\"].peak > p.limit)\n"
	"  end,\n"
	"}\n";

/* Names become file names and appear in run references: no blanks, no slashes, no capitals. */
static bool is_name(const char *name)
{
	static const char accepted[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

	return name[0] != '\0' && strlen(name) < SCENARIO_NAME_MAX - 1 &&
	       strspn(name, accepted) == strlen(name);
}

/* Never over an older file: that may be somebody's work. */
static enum err scenario_new(struct command *cmd, struct diag *diag)
{
	const char *name = cmd->args->nr_args == 2 ? cmd->args->arg[1] : "";
	char path[SCENARIO_NAME_MAX + 8];
	FILE *file;
	int fd;

	if (command_no_rows(cmd->args, false, diag) != ERR_OK)
		return ERR_USAGE;
	if (!is_name(name))
		return diag_fail(diag, ERR_USAGE,
				 "usage: memcglab scenario new NAME, of "
				 "lower-case letters, digits and -");
	snprintf(path, sizeof(path), "%s.lua", name);
	if (cmd->args->output != NULL) {
		fprintf(cmd->out, template, name, cmd->args->output, cmd->args->output, name);
		return output_check(cmd->out, diag);
	}
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (file == NULL)
		return diag_fail(diag, errno == EEXIST ? ERR_USAGE : ERR_OUTPUT, "%s: %s", path,
				 strerror(errno));
	fprintf(file, template, name, path, path, name);
	if (fclose(file) != 0)
		return diag_fail(diag, ERR_OUTPUT, "%s: %s", path, strerror(errno));
	fprintf(cmd->out, "wrote %s; run it: memcglab run %s\n", path, path);
	return output_check(cmd->out, diag);
}

/* ---- check ---- */

/* "file:line: text" of a problem; one without a place is the file's first line. */
static void put_problem(FILE *out, const char *file, const char *text)
{
	const char *place = strstr(text, ".lua:");

	if (place == NULL || place > text + strcspn(text, "\n"))
		fprintf(out, "%s:1: ", file);
	fprintf(out, "%s\n", text);
}

/* Not a finding about the file, but about this process. */
static bool is_fatal(const struct diag *problem)
{
	return problem->err == ERR_NOMEM || problem->err == ERR_INTERRUPTED;
}

/* Each file is judged on its own, so one bad file hides no other. A file that is not there is a
 * mistake of the caller, not of the file. */
static enum err scenario_check(struct command *cmd, struct diag *diag)
{
	size_t nr = cmd->args->nr_args - 1, problems = 0;

	if (command_no_rows(cmd->args, false, diag) != ERR_OK)
		return ERR_USAGE;
	if (nr == 0)
		return diag_fail(diag, ERR_USAGE, "usage: memcglab scenario check FILE...");
	for (size_t i = 1; i <= nr; i++) {
		const char *file = cmd->args->arg[i];
		struct lab_scenario scenario;
		struct diag problem = { .err = ERR_OK };

		if (lab_scenario_find(cmd->lab, file, &scenario, diag) != ERR_OK)
			return diag->err;
		free(scenario.text);
		if (lab_check(cmd->lab, file, &problem) == ERR_OK)
			continue;
		if (is_fatal(&problem))
			return diag_fail(diag, problem.err, "%s", problem.text);
		problems++;
		put_problem(cmd->out, scenario.file, problem.text);
	}
	if (problems > 0)
		return diag_fail(diag, ERR_EXPECT, "%zu of %zu scenarios have a problem", problems,
				 nr);
	if (cmd->notes != NULL)
		fprintf(cmd->notes, "%zu checked, no problem\n", nr);
	return output_check(cmd->out, diag);
}

struct word {
	const char *name;
	verb_fn *run;
};

static const struct word words[] = {
	{ "list", scenario_list },
	{ "show", scenario_show },
	{ "new", scenario_new },
	{ "check", scenario_check },
};

/* The first word decides; the rest belongs to it. */
enum err command_scenario(struct command *cmd, struct diag *diag)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].name, cmd->args->arg[0]) == 0)
			return words[i].run(cmd, diag);
	return diag_fail(diag, ERR_USAGE, "scenario %s: not one of list, show, new, check",
			 cmd->args->arg[0]);
}
