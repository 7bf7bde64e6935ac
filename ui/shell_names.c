/*
 * Names of each kind for Tab: scenarios, runs, kernels, files, parameters,
 * columns.  The store and the scenarios are opened for the moment only:
 * nothing is open in the shell while a line works.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "published.h"
#include "query.h"
#include "shell_complete.h"

enum { RUNS_OFFERED = 500 };

static enum err add_scenario(void *ctx, const struct lab_scenario *scenario)
{
	complete_add(ctx, scenario->name, scenario->title);
	return ERR_OK;
}

void complete_scenarios(struct complete *c)
{
	struct lab *lab;

	if (lab_open(c->lab, &lab, NULL) == ERR_OK)
		lab_scenarios(lab, add_scenario, c, NULL);
	lab_close(lab);
}

static enum err add_run(void *ctx, const struct db_run *run)
{
	char id[32], note[SCENARIO_NAME_MAX + ERA_NAME_MAX + DB_TIME_MAX + 8];

	snprintf(id, sizeof(id), "%lld", (long long)run->id);
	snprintf(note, sizeof(note), "%s  %s  %s", run->scenario, run->kernel, run->created);
	complete_add(ctx, id, note);
	return ERR_OK;
}

void complete_runs(struct complete *c)
{
	struct lab *lab;
	struct db *db;

	if (lab_open(c->lab, &lab, NULL) == ERR_OK && lab_db(lab, DB_READ, &db, NULL) == ERR_OK)
		db_runs(db, RUNS_OFFERED, add_run, c, NULL);
	lab_close(lab);
	complete_add(c, "latest", "the newest");
}

void complete_kernels(struct complete *c)
{
	struct era era;

	for (size_t i = 0; era_at(i, &era); i++) {
		complete_add(c, era.name, era.doc);
		if (era.alias[0] != '\0')
			complete_add(c, era.alias, era.name);
	}
}

void complete_tables(struct complete *c)
{
	const struct published_set *set = published_all();

	for (size_t i = 0; i < set->nr; i++)
		complete_add(c, set->table[i].name, set->table[i].title);
}

/* Entries of the folder that is typed already; hidden ones only if the dot is typed. */
void complete_files(struct complete *c)
{
	const char *slash = strrchr(c->prefix, '/'), *name = slash != NULL ? slash + 1 : c->prefix;
	char folder[DB_PATH_MAX], path[DB_PATH_MAX + 260];
	struct dirent *entry;
	struct stat st;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%.*s", (int)(name - c->prefix), c->prefix);
	dir = opendir(folder[0] != '\0' ? folder : ".");
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.' && name[0] != '.')
			continue;
		snprintf(path, sizeof(path), "%s%s", folder, entry->d_name);
		if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
			strcat(path, "/");
			if (strncmp(path, c->prefix, strlen(c->prefix)) == 0)
				c->behind = ""; /* its files come next */
		}
		complete_add(c, path, NULL);
	}
	if (dir != NULL)
		closedir(dir);
}

/* ---- parameters ---- */

/* Each of "even|one-big" behind "shape=". */
static void add_values(struct complete *c, const struct script_param *param)
{
	const char *values = param->choices[0] != '\0'          ? param->choices
			     : strcmp(param->type, "bool") == 0 ? "true|false"
								: "";
	char text[256];

	for (const char *at = values; *at != '\0'; at += *at == '|') {
		size_t n = strcspn(at, "|");

		snprintf(text, sizeof(text), "%s=%.*s", param->name, (int)n, at);
		complete_add(c, text, NULL);
		at += n;
	}
}

void complete_params(struct complete *c, const char *scenario)
{
	struct lab_scenario found = { .text = NULL };
	struct script *script = NULL;
	struct script_param param;
	struct lab *lab = NULL;
	char text[256];

	if (lab_open(c->lab, &lab, NULL) == ERR_OK &&
	    lab_scenario_find(lab, scenario, &found, NULL) == ERR_OK)
		lab_script(lab, &found, &script, NULL);
	for (size_t i = 0; script != NULL && i < script_param_count(script); i++) {
		script_param(script, i, &param);
		if (strchr(c->prefix, '=') != NULL) {
			add_values(c, &param);
			continue;
		}
		snprintf(text, sizeof(text), "%s=", param.name);
		complete_add(c, text, param.doc);
		c->behind = "";
	}
	script_free(script);
	free(found.text);
	lab_close(lab);
}

/* ---- SQL and Lua ---- */

static enum err add_name(void *ctx, int n, const char *const *values, const int *types)
{
	(void)types;
	if (values[0] != NULL)
		complete_add(ctx, values[0], n > 1 ? values[1] : NULL);
	return ERR_OK;
}

static void add_query(struct complete *c, const char *sql)
{
	const struct db_query_sink sink = { c, NULL, add_name };
	struct lab *lab;
	struct db *db;

	if (lab_open(c->lab, &lab, NULL) == ERR_OK && lab_db(lab, DB_READ, &db, NULL) == ERR_OK)
		db_query(db, sql, &sink, NULL);
	lab_close(lab);
}

static bool is_name(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

/* Is the word that ends before @end one behind which a view stands? */
static bool behind_from(const char *text, const char *end)
{
	const char *begin;

	while (end > text && !is_name(end[-1]))
		end--;
	begin = end;
	while (begin > text && is_name(begin[-1]))
		begin--;
	return (end - begin == 4 &&
		(strncasecmp(begin, "from", 4) == 0 || strncasecmp(begin, "join", 4) == 0));
}

/* The first name behind a FROM that is not the one being typed. */
static void find_view(const char *text, char *out, size_t size)
{
	out[0] = '\0';
	for (const char *p = text; *p != '\0'; p++) {
		if (strncasecmp(p, "from", 4) != 0 || is_name(p[4]) || (p > text && is_name(p[-1])))
			continue;
		p += 4;
		p += strspn(p, " \n\t");
		snprintf(out, size, "%.*s",
			 (int)strspn(p, "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
			 p);
		return;
	}
}

/* Those of the store, and v_compare, which is the connection's own. */
#define VIEWS                                                       \
	"(SELECT name FROM sqlite_master WHERE type = 'view' UNION" \
	" SELECT name FROM sqlite_temp_master WHERE type = 'view')"

void complete_sql(struct complete *c)
{
	const char *end = c->text + strlen(c->text), *word = end;
	char view[64], sql[512];

	while (word > c->text && is_name(word[-1]))
		word--;
	complete_prefix(c, (size_t)(end - word));
	if (behind_from(c->text, word)) {
		add_query(c, "SELECT name FROM " VIEWS " ORDER BY name");
		return;
	}
	find_view(c->text, view, sizeof(view));
	if (view[0] == '\0')
		find_view(c->rest, view, sizeof(view));
	snprintf(sql, sizeof(sql),
		 "SELECT p.name, group_concat(m.name, ' ') FROM " VIEWS " AS m,"
		 " pragma_table_info(m.name) AS p WHERE ('%s' = '' OR"
		 " m.name = '%s' COLLATE NOCASE) GROUP BY p.name ORDER BY p.name",
		 view, view);
	add_query(c, sql);
}

/* Tables of run whose names are in the store. */
static const struct {
	const char *prefix, *sql;
} lua_tables[] = {
	{ "run.metrics.", "SELECT 'run.metrics.' || name FROM v_metrics WHERE run = " },
	{ "run.params.", "SELECT 'run.params.' || j.key FROM run, json_each(run.params) AS j"
			 " WHERE run.id = " },
};

void complete_lua(struct complete *c)
{
	static const char *const own[] = {
		"id",    "uuid",  "scenario", "kernel", "alias",   "seed",
		"state", "steps", "created",  "tag",    "metrics", "params",
	};
	const char *end = c->text + strlen(c->text), *word = end;
	char name[64], sql[256];

	c->behind = "";
	while (word > c->text && (is_name(word[-1]) || word[-1] == '.'))
		word--;
	complete_prefix(c, (size_t)(end - word));
	for (size_t i = 0; i < sizeof(lua_tables) / sizeof(lua_tables[0]); i++) {
		const char *prefix = lua_tables[i].prefix;

		if (strncmp(c->prefix, prefix, strlen(prefix)) != 0)
			continue;
		snprintf(sql, sizeof(sql), "%s%lld", lua_tables[i].sql, (long long)c->run);
		add_query(c, sql);
	}
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		snprintf(name, sizeof(name), "run.%s", own[i]);
		complete_add(c, name, NULL);
	}
}
