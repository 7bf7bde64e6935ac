/*
 * memcglab db: what can be done with a store as a whole.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "result.h"
#include "upkeep.h"

static bool is_json(const struct command *cmd)
{
	return strcmp(cmd->args->format, "json") == 0;
}

static enum err db_words(const struct command *cmd, unsigned min, unsigned max, const char *usage,
			 struct diag *diag)
{
	if (cmd->args->nr_args > min && cmd->args->nr_args <= max + 1)
		return ERR_OK;
	return diag_fail(diag, ERR_USAGE, "usage: memcglab db %s", usage);
}

/* Where it is, how large, and whether somebody is writing. */
static enum err info(struct command *cmd, struct diag *diag)
{
	struct db_info info;
	struct db *db;
	enum err err = db_words(cmd, 0, 0, "info", diag);

	if (err == ERR_OK)
		err = lab_db(cmd->lab, DB_READ, &db, diag);
	if (err == ERR_OK)
		err = db_info(db, &info, diag);
	if (err != ERR_OK)
		return err;
	if (is_json(cmd))
		return result_dump(json_pack("{s:s,s:i,s:I,s:I,s:I}", "file", db_path(db), "schema",
					     info.schema, "runs", (json_int_t)info.runs, "running",
					     (json_int_t)info.running, "bytes",
					     (json_int_t)info.bytes),
				   cmd->out, diag);
	fprintf(cmd->out, "%s\nschema   %d\nruns     %llu, %llu of them running\nbytes    %llu\n",
		db_path(db), info.schema, (unsigned long long)info.runs,
		(unsigned long long)info.running, (unsigned long long)info.bytes);
	return ERR_OK;
}

struct checked {
	struct command *cmd;
	size_t nr;
};

static void put_problem(void *ctx, const char *text)
{
	struct checked *checked = ctx;

	checked->nr++;
	fprintf(checked->cmd->out, "%s\n", text);
}

static enum err check(struct command *cmd, struct diag *diag)
{
	struct checked checked = { .cmd = cmd };
	struct db *db;
	enum err err = db_words(cmd, 0, 0, "check", diag);

	if (err == ERR_OK)
		err = lab_db(cmd->lab, DB_READ, &db, diag);
	if (err == ERR_OK)
		err = db_check(db, put_problem, &checked, diag);
	if (err != ERR_OK)
		return err;
	if (checked.nr > 0)
		return diag_fail(diag, ERR_DB, "database %s: %zu problems", db_path(db),
				 checked.nr);
	fprintf(cmd->out, "%s is sound\n", db_path(db));
	return ERR_OK;
}

/* Opening it for writing has done it; the copy that was made is told of by whoever runs us. */
static enum err migrate(struct command *cmd, struct diag *diag)
{
	struct db_info info;
	struct db *db;
	enum err err = db_words(cmd, 0, 0, "migrate", diag);

	if (err == ERR_OK)
		err = lab_db(cmd->lab, DB_WRITE, &db, diag);
	if (err == ERR_OK)
		err = db_info(db, &info, diag);
	if (err == ERR_OK)
		fprintf(cmd->out, "%s is of schema %d\n", db_path(db), info.schema);
	return err;
}

static enum err backup(struct command *cmd, struct diag *diag)
{
	struct db *db;
	enum err err = db_words(cmd, 1, 1, "backup FILE", diag);

	if (err == ERR_OK)
		err = lab_db(cmd->lab, DB_READ, &db, diag);
	return err == ERR_OK ? db_backup_to(db, cmd->args->arg[1], diag) : err;
}

/* File by file: what an earlier one brought stays if a later one is refused. */
static enum err merge(struct command *cmd, struct diag *diag)
{
	struct db *db;
	enum err err = db_words(cmd, 1, ARGS_MAX, "merge FILE...", diag);

	if (err == ERR_OK)
		err = lab_db(cmd->lab, DB_WRITE, &db, diag);
	for (size_t i = 1; i < cmd->args->nr_args && err == ERR_OK; i++) {
		struct db_merged merged;

		err = db_merge(db, cmd->args->arg[i], &merged, diag);
		if (err != ERR_OK)
			break;
		fprintf(cmd->out, "%s: %llu runs added, %llu were here", cmd->args->arg[i],
			(unsigned long long)merged.added, (unsigned long long)merged.known);
		if (merged.running > 0)
			fprintf(cmd->out, ", %llu still running: left out",
				(unsigned long long)merged.running);
		putc('\n', cmd->out);
	}
	return err;
}

static const struct sub {
	const char *name;
	verb_fn *run;
	bool json;
} subs[] = {
	{ "info", info, true },	    { "check", check, false }, { "migrate", migrate, false },
	{ "backup", backup, false }, { "merge", merge, false }, { NULL, NULL, false },
};

static const char *sub_name_at(const void *ctx, size_t i)
{
	(void)ctx;
	return subs[i].name;
}

enum err command_db(struct command *cmd, struct diag *diag)
{
	const char *word = cmd->args->arg[0];
	char hint[DIAG_HINT_MAX];

	for (const struct sub *sub = subs; sub->name != NULL; sub++) {
		enum err err;

		if (strcmp(sub->name, word) != 0)
			continue;
		err = command_no_rows(cmd->args, sub->json, diag);
		return err == ERR_OK ? sub->run(cmd, diag) : err;
	}
	return diag_fail(diag, ERR_USAGE, "db %s: no such word; %s", word,
			 diag_hint(word, sub_name_at, NULL, hint));
}
