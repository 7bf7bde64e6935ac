/*
 * memcglab export: a stored run for other programs.  The forms themselves
 * are the store's (export.h); here a name is looked up and the run found.
 *
 * --as gives the kernel's own lines, json and csv everything that is
 * stored, any other format of rows the shrink calls.
 */
#include <string.h>

#include "command.h"
#include "export.h"
#include "lab_replay.h"
#include "memory_stat.h"
#include "query.h"
#include "output.h"

struct exporter {
	struct command *cmd;
	struct db *db;
	const struct db_run *run;
	struct output *out;
	struct diag *diag;
};

/* "[    0.123456] shrink inactive file count=25535 scan=6", a line a call. */
static enum err as_scan_log(const struct exporter *exporter)
{
	return export_scan_log(exporter->db, exporter->run->id, exporter->cmd->out, exporter->diag);
}

/* The line of the owner records, computed from the machine that was stored with the run. */
static enum err as_boot_log(const struct exporter *exporter)
{
	struct scenario sc;
	enum err err = lab_machine(exporter->run, &sc, exporter->diag);

	if (err != ERR_OK)
		return err;
	return export_boot_line(exporter->cmd->out, pcg_layout_at(sc.era.value[AXIS_OWNER]),
				&sc.memory, exporter->diag);
}

/* A run without locks is told from one whose locks nobody took. */
static enum err as_lock_stat(const struct exporter *exporter)
{
	struct scenario sc;
	enum err err = lab_machine(exporter->run, &sc, exporter->diag);

	if (err != ERR_OK)
		return err;
	if (!sc.locks)
		return diag_fail(exporter->diag, ERR_USAGE,
				 "lock_stat: run %lld models no locks: its scenario needs "
				 "lab.machine { locks = true }",
				 (long long)exporter->run->id);
	return export_lock_stat(exporter->db, exporter->run->id, &sc.era, exporter->cmd->out,
				exporter->diag);
}

/* What the model has no term for is left out: a 0 would be read as one. */
static void put_memory_stat(const struct run *run, uint32_t memcg, FILE *out)
{
	struct memory_stat line;

	for (uint32_t i = 0; memory_stat_line(run, memcg, i, &line); i++)
		if (line.modelled)
			fprintf(out, "%s %llu\n", line.name, (unsigned long long)line.value);
}

/* The file of one group, the root's unless one is named, at the step that was asked for. */
static enum err as_memory_stat(const struct exporter *exporter)
{
	const struct args *args = exporter->cmd->args;
	const char *group = args->group != NULL ? args->group : "";
	uint64_t at = args_given(args, OPT_AT) ? args->at : UINT64_MAX;
	struct run *run;
	uint32_t memcg;
	enum err err = lab_replay(exporter->db, exporter->run, at, &run, exporter->diag);

	if (err != ERR_OK)
		return err;
	memcg = run_memcg_find(run, strcmp(group, "root") == 0 ? "" : group);
	if (memcg == 0)
		err = diag_fail(exporter->diag, ERR_USAGE,
				"--group: \"%s\" is no group of run %lld at that step", group,
				(long long)exporter->run->id);
	else if (!memory_stat_name(&run_scenario(run)->era, 0, &(struct memory_stat){ 0 }))
		err = diag_fail(exporter->diag, ERR_USAGE,
				"memory.stat: %s has no memory controller",
				run_scenario(run)->era.name);
	else
		put_memory_stat(run, memcg, exporter->cmd->out);
	run_close(run);
	return err == ERR_OK ? output_check(exporter->cmd->out, exporter->diag) : err;
}

/* The whole run, with its script: what another program needs to make it again. */
static enum err as_json(const struct exporter *exporter)
{
	return export_json(exporter->db, exporter->run->id, exporter->cmd->out, exporter->diag);
}

/* One block a table, told apart by the first column. */
static enum err as_csv(const struct exporter *exporter)
{
	return export_csv(exporter->db, exporter->run->id, exporter->cmd->out, exporter->diag);
}

/* ---- other formats: the rows of v_scan ---- */

/* The columns of v_scan are the columns of the output: a name is changed in one place only. */
static enum err scans_head(void *ctx, int n, const char *const *names)
{
	struct exporter *exporter = ctx;

	return output_head(exporter->out, n, names, exporter->diag);
}

static enum err scans_row(void *ctx, int n, const char *const *values, const int *types)
{
	struct exporter *exporter = ctx;

	return output_row(exporter->out, n, values, types, exporter->diag);
}

/* Any format that writes rows can show the shrink calls, in the order in which they happened. */
static enum err as_rows(struct exporter *exporter)
{
	const struct db_query_sink sink = { exporter, scans_head, scans_row };
	char sql[80];
	enum err err = output_new(&exporter->cmd->style, exporter->cmd->out, &exporter->out,
				  exporter->diag);

	snprintf(sql, sizeof(sql), "select * from v_scan where run = %lld order by call",
		 (long long)exporter->run->id);
	if (err == ERR_OK)
		err = db_query(exporter->db, sql, &sink, exporter->diag);
	if (err == ERR_OK)
		err = output_end(exporter->out, exporter->diag);
	output_free(exporter->out);
	return err;
}

static const struct form {
	const char *name;
	enum err (*write)(const struct exporter *exporter);
} words[] = {
	{ "scan-log", as_scan_log },
	{ "boot-log", as_boot_log },
	{ "lock_stat", as_lock_stat },
	{ "memory.stat", as_memory_stat },
	{ NULL, NULL },
}, formats[] = {
	{ "json", as_json },
	{ "csv", as_csv },
	{ NULL, NULL },
};

/* --as names a form of its own, without it -F decides; both at once have been refused. */
static enum err run_write(struct exporter *exporter)
{
	const struct args *args = exporter->cmd->args;
	const struct form *form = args->as != NULL ? words : formats;
	const char *name = args->as != NULL ? args->as : args->format;

	while (form->name != NULL && strcmp(form->name, name) != 0)
		form++;
	return form->name != NULL ? form->write(exporter) : as_rows(exporter);
}

/* Exports read only: a store that another process is writing to can be exported meanwhile. */
enum err command_export(struct command *cmd, struct diag *diag)
{
	struct exporter exporter = { .cmd = cmd, .diag = diag };
	struct db_run run;
	enum err err;

	if (cmd->args->as != NULL && args_given(cmd->args, OPT_FORMAT))
		return diag_fail(diag, ERR_USAGE, "--as and --format are two forms: give one");
	if (cmd->args->bundle != NULL &&
	    (cmd->args->as != NULL || args_given(cmd->args, OPT_FORMAT) ||
	     args_given(cmd->args, OPT_OUTPUT)))
		return diag_fail(diag, ERR_USAGE,
				 "--bundle is a form and a file of its own: no --as, --format or "
				 "--output beside it");
	if ((cmd->args->group != NULL || args_given(cmd->args, OPT_AT)) &&
	    (cmd->args->as == NULL || strcmp(cmd->args->as, "memory.stat") != 0))
		return diag_fail(diag, ERR_USAGE,
				 "--group and --at go with --as memory.stat: other forms are of "
				 "the whole run");
	err = lab_db(cmd->lab, DB_READ, &exporter.db, diag);

	memset(&run, 0, sizeof(run));
	if (err == ERR_OK)
		err = db_run_find(exporter.db, cmd->args->arg[0], &run, diag);
	exporter.run = &run;
	if (err == ERR_OK && cmd->args->bundle != NULL)
		err = command_bundle(exporter.db, &run, cmd->args->bundle, diag);
	else if (err == ERR_OK)
		err = run_write(&exporter);
	db_run_free(&run);
	return err;
}
