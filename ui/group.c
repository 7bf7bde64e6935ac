/*
 * A group is remembered by its path: css ids differ between sides as soon
 * as their groups were made in another order.
 *
 * The default goes by what happened to a group's own pages, since the parent
 * of a hierarchy meets its limit with pages of its children: first what was
 * scanned of it on the side where that was less, then whether a limit is
 * above it, then its pages.
 */
#include "group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levels.h"

enum { ROOT = 1, NR_KEYS = 3 };

/* How much a group of one side has to show, the most telling number first. */
static void keys_of(const struct run *run, const struct run_memcg *m, uint64_t key[NR_KEYS])
{
	key[0] = m->nr_scanned;
	key[1] = levels_binds(run, m->id, false).id != 0;
	key[2] = m->charged;
}

/* Of both sides the smaller number: what only one side has cannot be compared. */
static bool keys_at(const struct model *model, const char *path, uint64_t key[NR_KEYS])
{
	bool any = false;

	for (int side = 0; side < 2; side++) {
		const struct run *run = model->side[side].run;
		uint64_t here[NR_KEYS];
		struct run_memcg m;

		if (!run)
			continue;
		if (!run_memcg(run, run_memcg_find(run, path), &m))
			return false;
		keys_of(run, &m, here);
		for (int k = 0; k < NR_KEYS; k++)
			key[k] = any && key[k] < here[k] ? key[k] : here[k];
		any = true;
	}
	return any;
}

static bool more(const uint64_t a[NR_KEYS], const uint64_t b[NR_KEYS])
{
	int k = 0;

	while (k < NR_KEYS - 1 && a[k] == b[k])
		k++;
	return a[k] > b[k];
}

/* The side whose groups are gone through: A, or B where nothing is open as A. */
static const struct run *first_run(const struct model *model)
{
	return model->side[0].run ? model->side[0].run : model->side[1].run;
}

/* The path to show without a choice; the root where nothing else is on both sides. */
static void default_path(const struct model *model, char path[GROUP_PATH_MAX])
{
	const struct run *run = first_run(model);
	uint64_t best[NR_KEYS], key[NR_KEYS];
	bool found = false;
	struct run_memcg m;

	path[0] = '\0';
	for (uint32_t id = ROOT; run && id <= run_memcg_max(run); id++) {
		if (!run_memcg(run, id, &m) || !m.online || !keys_at(model, m.path, key) ||
		    (found && !more(key, best)))
			continue;
		memcpy(best, key, sizeof(best));
		memcpy(path, m.path, GROUP_PATH_MAX);
		found = true;
	}
}

uint32_t group_id(const struct model *model, int side)
{
	char path[GROUP_PATH_MAX];

	if (!model->side[side].run)
		return 0;
	if (model->has_group)
		return run_memcg_find(model->side[side].run, model->group);
	default_path(model, path);
	return run_memcg_find(model->side[side].run, path);
}

const char *group_name(const struct model *model)
{
	if (!model->has_group)
		return "";
	return model->group[0] ? model->group : "root";
}

void group_settle(struct model *model)
{
	if (model->has_group || !first_run(model))
		return;
	default_path(model, model->group);
	model->has_group = true;
}

/* Paths of one side or of both, for the search of the nearest. */
struct paths {
	size_t nr;
	char (*path)[GROUP_PATH_MAX]; /* owned */
};

static void paths_open(const struct model *model, struct paths *paths)
{
	size_t room = 0;
	struct run_memcg m;

	for (int side = 0; side < 2; side++)
		room += model->side[side].run ? run_memcg_max(model->side[side].run) : 0;
	*paths = (struct paths){ 0, calloc(room + 1, sizeof(*paths->path)) };
	for (int side = 0; side < 2 && paths->path; side++) {
		const struct run *run = model->side[side].run;

		for (uint32_t id = ROOT; run && id <= run_memcg_max(run); id++)
			if (run_memcg(run, id, &m) && m.online)
				snprintf(paths->path[paths->nr++], GROUP_PATH_MAX, "%s",
					 m.path[0] ? m.path : "root");
	}
}

static const char *path_at(const void *ctx, size_t i)
{
	const struct paths *paths = ctx;

	return i < paths->nr ? paths->path[i] : NULL;
}

/* Does any side have a group of this path now? */
static bool is_there(const struct model *model, const char *path)
{
	for (int side = 0; side < 2; side++)
		if (model->side[side].run && run_memcg_find(model->side[side].run, path))
			return true;
	return false;
}

enum err group_choose(struct model *model, const char *path, struct diag *diag)
{
	struct paths paths;
	const char *nearest;
	enum err err;

	path += *path == '/';
	/* A group may be called root; the root itself has no name. */
	if (strcmp(path, "root") == 0 && !is_there(model, path))
		path = "";
	if (is_there(model, path)) {
		snprintf(model->group, sizeof(model->group), "%s", path);
		model->has_group = true;
		return ERR_OK;
	}
	paths_open(model, &paths);
	nearest = paths.nr ? diag_nearest(path, path_at, &paths) : NULL;
	if (nearest)
		err = diag_fail(diag, ERR_NAME, "no group \"%.200s\": did you mean %.200s?", path,
				nearest);
	else
		err = diag_fail(diag, ERR_NAME, "no group \"%.200s\": no run is open", path);
	free(paths.path);
	return err;
}

/* The first place of @path in the list, 0 if it is not there. */
static size_t first_of(const struct paths *paths, const char *path)
{
	for (size_t i = 0; i < paths->nr; i++)
		if (strcmp(paths->path[i], path) == 0)
			return i;
	return 0;
}

void group_step(struct model *model, int by)
{
	struct paths paths;
	size_t here;

	paths_open(model, &paths);
	here = first_of(&paths, group_name(model));
	/* What both sides have is listed twice: the first of each name counts. */
	for (size_t tries = 0; tries < paths.nr; tries++) {
		here = (here + paths.nr + (size_t)by) % paths.nr;
		if (first_of(&paths, paths.path[here]) == here)
			break;
	}
	if (paths.nr)
		group_choose(model, paths.path[here], NULL);
	free(paths.path);
}
