/*
 * Runs of another store into this one.  The other file is copied first, by
 * SQLite, so that it is seen as it is at one moment and may be of an older
 * schema: the copy is brought up to date and gone as soon as it is attached.
 *
 * Numbers differ from store to store: those of runs are given anew, kinds
 * and rules are found by name, texts by what they say.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store.h"
#include "table.h"
#include "upkeep.h"

/* From old numbers to new ones; runs that were here keep theirs. */
static const char maps[] =
	"CREATE TEMP TABLE merge_run (old INTEGER PRIMARY KEY, new INTEGER, fresh INTEGER);"
	"INSERT INTO merge_run SELECT s.id, m.id, 0 FROM src.run AS s JOIN main.run AS m"
	" ON m.uuid = s.uuid;"
	"INSERT INTO merge_run SELECT id, row_number() OVER (ORDER BY id) +"
	" (SELECT max(coalesce((SELECT max(id) FROM main.run), 0),"
	"  coalesce((SELECT max(key) >> 36 FROM main.event), 0),"
	"  coalesce((SELECT max(key) >> 36 FROM main.sample), 0))), 1"
	" FROM src.run WHERE state <> 'running' AND id NOT IN (SELECT old FROM merge_run)"
	" AND uuid IN (SELECT uuid FROM merge_pick);"
	"INSERT OR IGNORE INTO main.kind (name, doc, numbers) SELECT name, doc, numbers"
	" FROM src.kind ORDER BY id;"
	"INSERT OR IGNORE INTO main.rule (name, code, doc, source) SELECT name, code, doc, source"
	" FROM src.rule ORDER BY id;"
	"INSERT INTO main.script (text) SELECT DISTINCT text FROM src.script"
	" WHERE text NOT IN (SELECT text FROM main.script);"
	"CREATE TEMP TABLE merge_kind (old INTEGER PRIMARY KEY, new INTEGER);"
	"INSERT INTO merge_kind SELECT s.id, m.id FROM src.kind AS s JOIN main.kind AS m"
	" ON m.name = s.name;"
	"CREATE TEMP TABLE merge_rule (old INTEGER PRIMARY KEY, new INTEGER);"
	"INSERT INTO merge_rule SELECT s.id, m.id FROM src.rule AS s JOIN main.rule AS m"
	" ON m.name = s.name;"
	"CREATE TEMP TABLE merge_script (old INTEGER PRIMARY KEY, new INTEGER);"
	"INSERT INTO merge_script SELECT s.id, min(m.id) FROM src.script AS s JOIN main.script AS m"
	" ON m.text = s.text GROUP BY s.id;";

static const char unmaps[] = "DROP TABLE IF EXISTS temp.merge_run; DROP TABLE IF EXISTS "
			     "temp.merge_pick; DROP TABLE IF EXISTS temp.merge_kind;"
			     "DROP TABLE IF EXISTS temp.merge_rule;"
			     "DROP TABLE IF EXISTS temp.merge_script";

/* Columns whose value is a number of this store only, and what it is over there. */
static const struct {
	const char *table, *column, *value;
} mapped[] = {
	{ "run", "id", "m.new" },
	{ "run", "pair", "(SELECT new FROM merge_run WHERE old = t.pair)" },
	{ "run", "parent", "(SELECT new FROM merge_run WHERE old = t.parent)" },
	{ "run", "script", "(SELECT new FROM merge_script WHERE old = t.script)" },
	{ "library", "script", "(SELECT new FROM merge_script WHERE old = t.script)" },
	{ "event", "kind", "(SELECT new FROM merge_kind WHERE old = t.kind)" },
	{ "event", "rule", "(SELECT new FROM merge_rule WHERE old = t.rule)" },
	{ NULL, "run", "m.new" },
	{ NULL, "key", "t.key + ((m.new - m.old) << 36)" },
};

/* The value of a column over there as it will be here; NULL: it is the same. */
static const char *mapped_value(const struct table *table, const char *column)
{
	for (size_t i = 0; i < sizeof(mapped) / sizeof(mapped[0]); i++)
		if (strcmp(mapped[i].column, column) == 0 &&
		    (!mapped[i].table || strcmp(mapped[i].table, table->name) == 0))
			return mapped[i].value;
	return NULL;
}

/* How the rows of @table belong to a run; NULL: they belong to none. */
static const char *belongs(const struct table *table)
{
	if (strcmp(table->name, "run") == 0)
		return "t.id = m.old";
	if (strcmp(table->column[0].name, "key") == 0)
		return "t.key BETWEEN m.old << 36 AND (m.old << 36) + 68719476735";
	for (const struct table_column *c = table->column; c->name; c++)
		if (strcmp(c->name, "run") == 0)
			return "t.run = m.old";
	return NULL;
}

/* A baseline that was set here stays; all other rows are new. */
static enum err copy_table(sqlite3 *sql, const struct table *table, struct diag *diag)
{
	const char *where = belongs(table);
	sqlite3_str *str;
	enum err err;
	char *text;

	if (!where)
		return ERR_OK;
	str = sqlite3_str_new(sql);
	sqlite3_str_appendf(str, "INSERT %s INTO main.%s SELECT ",
			    strcmp(table->name, "baseline") == 0 ? "OR IGNORE" : "", table->name);
	for (const struct table_column *c = table->column; c->name; c++) {
		const char *value = mapped_value(table, c->name);

		sqlite3_str_appendf(str, "%s%s%s", c == table->column ? "" : ", ",
				    value ? "" : "t.", value ? value : c->name);
	}
	sqlite3_str_appendf(str,
			    " FROM merge_run AS m CROSS JOIN src.%s AS t ON %s WHERE m.fresh"
			    " ORDER BY m.old",
			    table->name, where);
	text = sqlite3_str_finish(str);
	err = text ? store_exec(sql, text, diag) : diag_fail(diag, ERR_NOMEM, "no memory to merge");
	sqlite3_free(text);
	return err;
}

/* Lists are numbered by the engine, and events tell their number. */
static enum err check_lists(sqlite3 *sql, const char *path, struct diag *diag)
{
	int64_t other;
	enum err err = store_number(sql,
				    "SELECT count(*) FROM src.list AS s JOIN main.list AS m"
				    " ON m.id = s.id WHERE m.name <> s.name",
				    &other, diag);

	if (!err && other)
		err = diag_fail(diag, ERR_DB, "%s numbers LRU lists in another way", path);
	return err;
}

/* The runs that are asked for: one, or all. */
static enum err pick(sqlite3 *sql, const char *uuid, struct diag *diag)
{
	char *text = sqlite3_mprintf("CREATE TEMP TABLE merge_pick AS SELECT uuid FROM src.run"
				     " WHERE %Q IS NULL OR uuid = %Q",
				     uuid, uuid);
	enum err err = text ? store_exec(sql, text, diag)
			    : diag_fail(diag, ERR_NOMEM, "no memory to merge");

	sqlite3_free(text);
	return err;
}

static enum err copy_runs(struct db *db, const char *path, struct db_merged *out, struct diag *diag)
{
	int64_t added = 0, known = 0, running = 0;
	enum err err = check_lists(db->sql, path, diag);

	if (!err)
		err = store_exec(db->sql, maps, diag);
	for (size_t i = 0; i < table_count() && !err; i++)
		err = copy_table(db->sql, table_at(i), diag);
	if (!err)
		err = store_number(db->sql, "SELECT count(*) FROM merge_run WHERE fresh", &added,
				   diag);
	if (!err)
		err = store_number(db->sql, "SELECT count(*) FROM merge_run WHERE NOT fresh",
				   &known, diag);
	if (!err)
		err = store_number(db->sql,
				   "SELECT count(*) FROM src.run WHERE id NOT IN"
				   " (SELECT old FROM merge_run)",
				   &running, diag);
	*out = (struct db_merged){ (uint64_t)added, (uint64_t)known, (uint64_t)running };
	return err;
}

/* Whose file it is, before it is copied. */
static enum err check_source(sqlite3 *from, const char *path, struct diag *diag)
{
	int64_t id = 0, version = 0;

	if (store_number(from, "PRAGMA application_id", &id, NULL) ||
	    store_number(from, "PRAGMA user_version", &version, NULL) || id != TABLE_APPLICATION_ID)
		return diag_fail(diag, ERR_DB, "%s is not a memcglab database", path);
	if (version > TABLE_SCHEMA)
		return diag_fail(
			diag, ERR_DB,
			"%s has schema version %lld, written by a newer memcglab; this one "
			"knows schema version %d",
			path, (long long)version, TABLE_SCHEMA);
	return ERR_OK;
}

/* A copy of @path at @copy, of our schema and in one file. */
static enum err make_copy(const char *path, const char *copy, struct diag *diag)
{
	sqlite3 *from = NULL;
	struct db *db = NULL;
	enum err err = ERR_OK;

	if (sqlite3_open_v2(path, &from, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		err = diag_fail(diag, ERR_DB, "%s: %s", path, sqlite3_errmsg(from));
	sqlite3_busy_timeout(from, STORE_BUSY_MS);
	if (!err)
		err = check_source(from, path, diag);
	if (!err)
		err = store_copy(from, copy, diag);
	sqlite3_close(from);
	if (!err)
		err = db_open(copy, DB_WRITE, &db, diag);
	if (!err && db_backup(db)[0])
		unlink(db_backup(db));
	if (!err)
		err = store_exec(db->sql, "PRAGMA journal_mode=DELETE", diag);
	db_close(db);
	return err;
}

static enum err attach(struct db *db, const char *copy, struct diag *diag)
{
	char *text = sqlite3_mprintf("ATTACH %Q AS src", copy);
	int64_t runs;
	enum err err = text ? store_exec(db->sql, text, diag)
			    : diag_fail(diag, ERR_NOMEM, "no memory to merge");

	sqlite3_free(text);
	return err ? err : store_number(db->sql, "SELECT count(*) FROM src.run", &runs, diag);
}

static bool same_file(const char *a, const char *b)
{
	struct stat one, two;

	return stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

/* The copy has no name any more once it is open: nothing of it stays, whatever happens. */
enum err db_merge_run(struct db *db, const char *path, const char *uuid, struct db_merged *out,
		      struct diag *diag)
{
	char copy[DB_PATH_MAX + 32];
	enum err err = store_writable(db, diag);

	memset(out, 0, sizeof(*out));
	if (err)
		return err;
	if (same_file(path, db->path))
		return diag_fail(diag, ERR_USAGE, "%s is the store itself", path);
	snprintf(copy, sizeof(copy), "%s.merge-%ld", db->path, (long)getpid());
	if (strlen(copy) >= DB_PATH_MAX)
		return diag_fail(diag, ERR_DB, "the database's path is too long");
	err = make_copy(path, copy, diag);
	if (!err)
		err = attach(db, copy, diag);
	unlink(copy);
	if (!err)
		err = pick(db->sql, uuid, diag);
	if (!err)
		err = store_begin(db->sql, diag);
	if (!err) {
		err = copy_runs(db, path, out, diag);
		err = store_end(db->sql, err, diag);
	}
	sqlite3_exec(db->sql, unmaps, NULL, NULL, NULL);
	sqlite3_exec(db->sql, "DETACH src", NULL, NULL, NULL);
	return err;
}

enum err db_merge(struct db *db, const char *path, struct db_merged *out, struct diag *diag)
{
	return db_merge_run(db, path, NULL, out, diag);
}

enum err db_run_id(struct db *db, const char *uuid, int64_t *id, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, "SELECT id FROM run WHERE uuid = ?", &stmt, diag);
	int step;

	if (err)
		return err;
	store_bind(stmt, "t", uuid);
	step = sqlite3_step(stmt);
	if (step == SQLITE_ROW)
		*id = sqlite3_column_int64(stmt, 0);
	else if (step == SQLITE_DONE)
		err = diag_fail(diag, ERR_USAGE, "no run %s is here", uuid);
	else
		err = store_fail(db->sql, diag, "looking for a run");
	sqlite3_finalize(stmt);
	return err;
}
