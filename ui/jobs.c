/*
 * Commands for GNU parallel, a Slurm array, or any shell, see jobs.h.
 *
 * The name of a store counts the points, so the same sweep gives the same
 * lines, and two lines never write to one file.
 */
#include "jobs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Where the list of commands is, and what the stores beside it begin with. */
struct job_places {
	char list[DB_PATH_MAX], prefix[DB_PATH_MAX];
};

/* A folder is made if its name ends with a slash. */
static enum err places_find(const char *given, struct job_places *out, struct diag *diag)
{
	size_t n = strlen(given);
	struct stat st;
	bool folder = n > 0 && given[n - 1] == '/';

	if (n == 0 || n > DB_PATH_MAX - 32)
		return diag_fail(diag, ERR_USAGE, "--emit-jobs: \"%.100s\" is no file name", given);
	if (folder && mkdir(given, 0777) != 0 && errno != EEXIST)
		return diag_fail(diag, ERR_OUTPUT, "%s: %s", given, strerror(errno));
	folder = folder || (stat(given, &st) == 0 && S_ISDIR(st.st_mode));
	while (folder && n > 1 && given[n - 1] == '/')
		n--;
	snprintf(out->list, DB_PATH_MAX, "%.*s%s", (int)n, given, folder ? "/jobs" : "");
	snprintf(out->prefix, DB_PATH_MAX, "%.*s%s", (int)n, given, folder ? "/" : "-");
	return ERR_OK;
}

/* A word for sh. */
static void put_word(FILE *file, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=,./:@%";

	putc(' ', file);
	if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
		fputs(word, file);
		return;
	}
	putc('\'', file);
	for (; *word != '\0'; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, '\0' }, file);
	putc('\'', file);
}

static void put_option(FILE *file, const char *option, const char *value)
{
	if (value == NULL)
		return;
	put_word(file, option);
	put_word(file, value);
}

static void put_pair(FILE *file, const char *option, const char *name, const char *value)
{
	char text[ERA_NAME_MAX + DB_PATH_MAX];

	snprintf(text, sizeof(text), "%s=%s", name, value);
	put_option(file, option, text);
}

static void put_number(FILE *file, const char *option, uint64_t value, const char *unit)
{
	char text[48];

	snprintf(text, sizeof(text), "%llu%s", (unsigned long long)value, unit);
	put_option(file, option, text);
}

/* The seed of a point is said by --seed, never by the parameter too. */
static bool is_seed(const struct script *script, const char *name)
{
	struct script_param param;

	for (size_t i = 0; i < script_param_count(script); i++) {
		script_param(script, i, &param);
		if (strcmp(param.name, name) == 0)
			return strcmp(param.type, "seed") == 0;
	}
	return false;
}

/* What a scenario may use up is no part of the point, but of whether it ends. */
static void put_limits(FILE *file, const struct args *args)
{
	if (args_given(args, OPT_TIME_LIMIT))
		put_number(file, "--time-limit", args->time_limit_ns, "ns");
	if (args_given(args, OPT_INSTR_LIMIT))
		put_number(file, "--instr-limit", args->instr_limit, "");
	if (args_given(args, OPT_MEM_LIMIT))
		put_number(file, "--mem-limit", args->mem_limit, "");
}

/* Values that vary are swept in a job too: one value each, so the point is the same. */
static void put_job(FILE *file, const struct command *cmd, struct lab_sweep *points, size_t point,
		    const struct job_places *places)
{
	const struct args *args = cmd->args;
	size_t own = points->request.nr_params;
	struct lab_request request;
	char text[DB_PATH_MAX + 32];

	lab_sweep_request(points, point, &request);
	fputs("memcglab run", file);
	put_word(file, request.scenario);
	put_option(file, "-k", request.kernels);
	for (size_t i = 0; i < own; i++)
		if (!is_seed(points->script, request.param[i].name))
			put_pair(file, "-p", request.param[i].name, request.param[i].value);
	for (size_t i = own; i < request.nr_params; i++)
		put_pair(file, "--sweep", request.param[i].name, request.param[i].value);
	put_number(file, "--seed", lab_sweep_seed(points, point), "");
	put_limits(file, args);
	put_option(file, "--tag", request.tag);
	put_option(file, "--note", request.note);
	if (args->expect)
		put_word(file, "--expect");
	snprintf(text, sizeof(text), "%s%zu.db", places->prefix, point + 1);
	put_option(file, "--db", text);
	fputs(" --resume --quiet\n", file);
}

enum err jobs_emit(struct command *cmd, struct lab_sweep *points, struct diag *diag)
{
	struct job_places places;
	enum err err = places_find(cmd->args->emit_jobs, &places, diag);
	FILE *file;

	if (err != ERR_OK)
		return err;
	file = fopen(places.list, "w");
	if (file == NULL)
		return diag_fail(diag, ERR_OUTPUT, "%s: %s", places.list, strerror(errno));
	for (size_t i = 0; i < points->nr_points; i++)
		put_job(file, cmd, points, i, &places);
	err = output_check(file, diag);
	if (fclose(file) != 0 && err == ERR_OK)
		err = diag_fail(diag, ERR_OUTPUT, "%s: %s", places.list, strerror(errno));
	if (err != ERR_OK || cmd->args->quiet)
		return err;
	fprintf(cmd->out,
		"%zu commands in %s, each with a store of its own\n"
		"here:        parallel -j 2 < %s\n"
		"on hosts:    parallel --sshlogin HOST,HOST --workdir . --return %s{#}.db < %s\n"
		"with Slurm:  sbatch --array=1-%zu --wrap "
		"'sed -n ${SLURM_ARRAY_TASK_ID}p %s | sh'\n"
		"then:        memcglab db merge %s*.db\n",
		points->nr_points, places.list, places.list, places.prefix, places.list,
		points->nr_points, places.list, places.prefix);
	return output_check(cmd->out, diag);
}
