/*
 * Where things are: the folders of scenarios and of their library, a
 * scenario by name or path, kernels by name.
 *
 * A shipped scenario is named scenarios/NAME.lua in messages wherever it
 * lies, so the same mistake gives the same words on every machine.
 */
#include "lab_core.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCENARIO_BYTES_MAX = 16 << 20, NAMES_MAX = 256 };

/* Follows links, as opening it would. */
static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Folder of the running program, without a "/" at its end; "." if unknown. */
static void program_folder(char out[DB_PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", out, DB_PATH_MAX - 1);
	char *slash;

	out[n > 0 ? n : 0] = '\0';
	slash = strrchr(out, '/');
	if (slash == NULL)
		strcpy(out, ".");
	else
		*slash = '\0';
}

/* The tree of the program first, so that a build under test never picks up what is installed. */
static void folder_find(const char *program, const char *name, char out[DB_PATH_MAX])
{
	char path[DB_PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/../../%s", program, name);
	if (!is_folder(path))
		snprintf(path, sizeof(path), "./%s", name);
	if (!is_folder(path))
		snprintf(path, sizeof(path), "%s/../share/memcglab/%s", program, name);
	if (is_folder(path) && strlen(path) < DB_PATH_MAX)
		memcpy(out, path, strlen(path) + 1);
}

/* The folder above lib/: a build has a scripts/ of its own, without libraries. */
static void library_find(const char *program, char out[DB_PATH_MAX])
{
	folder_find(program, "scripts/lib", out);
	if (out[0] != '\0')
		*strrchr(out, '/') = '\0';
}

void lab_find_folders(struct lab *lab)
{
	char program[DB_PATH_MAX];

	program_folder(program);
	if (lab->scenario_dir[0] == '\0')
		folder_find(program, "scenarios", lab->scenario_dir);
	if (lab->lib_dir[0] == '\0')
		library_find(program, lab->lib_dir);
	folder_find(program, "tests/data/groundtruth", lab->real_dir);
	if (lab->real_dir[0] == '\0')
		folder_find(program, "groundtruth", lab->real_dir);
}

const char *lab_real_dir(const struct lab *lab)
{
	return lab->real_dir;
}

/* ---- one file ---- */

/* Grows as it reads: a scenario may come from a pipe, whose size nobody knows. */
static enum err file_read(FILE *file, const char *name, struct lab_scenario *out, struct diag *diag)
{
	size_t max = 1 << 14, n = 0, got;

	do {
		char *text = realloc(out->text, max + 1);

		if (text == NULL)
			return diag_fail(diag, ERR_NOMEM, "no memory for %s", name);
		out->text = text;
		got = fread(text + n, 1, max - n, file);
		n += got;
		max *= n == max ? 2 : 1;
	} while (got > 0 && n <= SCENARIO_BYTES_MAX);
	if (ferror(file))
		return diag_fail(diag, ERR_USAGE, "%s: %s", name, strerror(errno));
	if (n > SCENARIO_BYTES_MAX)
		return diag_fail(diag, ERR_USAGE, "%s: larger than 16M", name);
	out->text[n] = '\0';
	out->size = n;
	return ERR_OK;
}

/* @path is read, @name is what messages call it. */
static enum err scenario_read(const char *path, const char *name, struct lab_scenario *out,
			      struct diag *diag)
{
	const char *base = strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
	FILE *file = fopen(path, "r");
	enum err err;

	memset(out, 0, sizeof(*out));
	if (file == NULL)
		return diag_fail(diag, ERR_USAGE, "%s: %s", name, strerror(errno));
	snprintf(out->file, sizeof(out->file), "%s", name);
	snprintf(out->name, sizeof(out->name), "%.*s", (int)strcspn(base, "."), base);
	err = file_read(file, name, out, diag);
	fclose(file);
	if (err != ERR_OK) {
		free(out->text);
		out->text = NULL;
	}
	return err;
}

/* ---- the shipped ones ---- */

struct names {
	char *name[NAMES_MAX];
	size_t n;
};

/* Every name was copied from the folder. */
static void names_free(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
}

/* The order of readdir is that of the disk; a list must not depend on it. */
static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the .lua files of the folder, in order. */
static void names_read(const struct lab *lab, struct names *names)
{
	DIR *dir = opendir(lab->scenario_dir);
	struct dirent *entry;

	names->n = 0;
	while (dir != NULL && names->n < NAMES_MAX && (entry = readdir(dir)) != NULL) {
		size_t len = strlen(entry->d_name);

		if (len > 4 && strcmp(entry->d_name + len - 4, ".lua") == 0 &&
		    (names->name[names->n] = strndup(entry->d_name, len - 4)) != NULL)
			names->n++;
	}
	if (dir != NULL)
		closedir(dir);
	qsort(names->name, names->n, sizeof(names->name[0]), by_name);
}

static const char *name_at(const void *ctx, size_t i)
{
	const struct names *names = ctx;

	return i < names->n ? names->name[i] : NULL;
}

/* Read from where it lies, named as in the tree. */
static enum err shipped_read(const struct lab *lab, const char *name, struct lab_scenario *out,
			     struct diag *diag)
{
	char path[DB_PATH_MAX + 300], shown[300];

	snprintf(shown, sizeof(shown), "scenarios/%.255s.lua", name);
	snprintf(path, sizeof(path), "%s/%.255s.lua", lab->scenario_dir, name);
	return scenario_read(path, shown, out, diag);
}

/* A word with a slash or the suffix is a path and nothing else. Any other is a shipped name,
 * else a file in the working folder, so "scenario new x" and "run x" go together. */
enum err lab_scenario_find(struct lab *lab, const char *name, struct lab_scenario *out,
			   struct diag *diag)
{
	size_t len = strlen(name);
	struct names names;
	const char *nearest;
	char path[300];
	enum err err;

	memset(out, 0, sizeof(*out));
	if (strchr(name, '/') != NULL || (len > 4 && strcmp(name + len - 4, ".lua") == 0))
		return scenario_read(name, name, out, diag);
	if (lab->scenario_dir[0] != '\0' && shipped_read(lab, name, out, NULL) == ERR_OK)
		return ERR_OK;
	snprintf(path, sizeof(path), "%.255s.lua", name); /* one's own, in this folder */
	if (scenario_read(path, path, out, NULL) == ERR_OK)
		return ERR_OK;
	names_read(lab, &names);
	nearest = diag_nearest(name, name_at, &names);
	if (nearest == NULL)
		err = diag_fail(diag, ERR_USAGE,
				"no scenario \"%s\", and no folder of scenarios "
				"beside the program",
				name);
	else
		err = diag_fail(diag, ERR_USAGE,
				"no scenario \"%s\": did you mean %s? (a file is "
				"named by its path, x.lua)",
				name, nearest);
	names_free(&names);
	return err;
}

/* The title stands in the script; one that does not load is listed with its error. */
static void title_find(struct lab *lab, struct lab_scenario *scenario)
{
	struct script *script = NULL;
	struct diag diag = { .err = ERR_OK };

	if (lab_script(lab, scenario, &script, &diag) == ERR_OK)
		snprintf(scenario->title, sizeof(scenario->title), "%.127s", script_title(script));
	else
		snprintf(scenario->title, sizeof(scenario->title), "does not load: %.*s",
			 (int)(strcspn(diag.text, "\n") > 100 ? 100 : strcspn(diag.text, "\n")),
			 diag.text);
	script_free(script);
}

/* Each is loaded for its title: six small files take some milliseconds. */
enum err lab_scenarios(struct lab *lab, enum err (*row)(void *ctx, const struct lab_scenario *s),
		       void *ctx, struct diag *diag)
{
	enum err err = ERR_OK;
	struct names names;

	if (lab->scenario_dir[0] == '\0')
		return diag_fail(diag, ERR_USAGE, "no folder of scenarios beside the program");
	names_read(lab, &names);
	for (size_t i = 0; i < names.n && err == ERR_OK; i++) {
		struct lab_scenario scenario;

		err = shipped_read(lab, names.name[i], &scenario, diag);
		if (err != ERR_OK)
			break;
		title_find(lab, &scenario);
		err = row(ctx, &scenario);
		free(scenario.text);
	}
	names_free(&names);
	return err;
}

/* ---- kernels ---- */

/* Names the first axis value of @era that is not modelled. */
static enum err not_runnable(const struct era *era, struct diag *diag)
{
	for (int a = 0; a < NR_AXES; a++)
		if ((axis_at((enum axis)a)->runnable & 1u << era->value[a]) == 0)
			return diag_fail(diag, ERR_USAGE,
					 "kernel %s cannot run in this version: "
					 "%s=%s is not modelled yet",
					 era->name, axis_at((enum axis)a)->name,
					 era_value_name(era, (enum axis)a));
	return diag_fail(diag, ERR_USAGE, "kernel %s cannot run in this version: %s", era->name,
			 era->note[0] != '\0' ? era->note : "it is not modelled yet");
}

/* What a scenario that names no kernel runs on. */
#define DEFAULT_KERNEL "v3.3"

/* The kernels of a request as one text, parted by commas; malloc'ed. */
static char *kernel_text(const char *names, const struct script *script)
{
	size_t size = 1, nr = script_kernel_count(script);
	char *text;

	if (names != NULL || nr == 0)
		return strdup(names != NULL ? names : DEFAULT_KERNEL);
	for (size_t i = 0; i < nr; i++)
		size += strlen(script_kernel(script, i)) + 1;
	text = malloc(size);
	if (text != NULL)
		text[0] = '\0';
	for (size_t i = 0; i < nr && text != NULL; i++) {
		strcat(text, i > 0 ? "," : "");
		strcat(text, script_kernel(script, i));
	}
	return text;
}

/* All or none: a spelling mistake in the second kernel is found before the first one runs. */
enum err lab_kernels(const char *names, const struct script *script, struct era **out, size_t *nr,
		     struct diag *diag)
{
	char *text = kernel_text(names, script);
	enum err err = ERR_OK;
	struct era *era;
	size_t max = 1;

	*nr = 0;
	for (const char *p = text; p != NULL && *p != '\0'; p++)
		max += *p == ',';
	era = calloc(max, sizeof(*era));
	*out = era;
	if (text == NULL || era == NULL) {
		free(text);
		return diag_fail(diag, ERR_NOMEM, "no memory for the kernels");
	}
	for (char *p = text; err == ERR_OK && p != NULL; (*nr)++) {
		char *comma = strchr(p, ',');

		if (comma != NULL)
			*comma = '\0';
		err = era_find(p, &era[*nr], diag);
		if (err == ERR_OK && !era[*nr].runnable)
			err = not_runnable(&era[*nr], diag);
		p = comma != NULL ? comma + 1 : NULL;
	}
	free(text);
	if (err != ERR_OK) {
		free(era);
		*out = NULL;
		*nr = 0;
	}
	return err;
}
