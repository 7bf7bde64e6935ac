/*
 * Checks and copies.
 */
#include "upkeep.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "store.h"
#include "table.h"

struct problems {
	void (*tell)(void *ctx, const char *text);
	void *ctx;
};

/* Rows of @sql are problems; "ok" is what SQLite says if there is none. */
static enum err ask(struct db *db, const char *sql, const struct problems *problems,
		    struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, sql, &stmt, diag);
	int step;

	if (err)
		return err;
	while ((step = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(stmt, 0);

		if (text && strcmp(text, "ok") != 0)
			problems->tell(problems->ctx, text);
	}
	if (step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "");
	sqlite3_finalize(stmt);
	return err;
}

/* Rows of a big table have no foreign key: their run is part of their own key. */
static enum err ask_orphans(struct db *db, const struct table *table,
			    const struct problems *problems, struct diag *diag)
{
	char *sql = sqlite3_mprintf("SELECT '%s: ' || count(*) || ' rows of run ' || (key >> %d) ||"
				    " ', which is not there' FROM %s WHERE key >> %d NOT IN"
				    " (SELECT id FROM run) GROUP BY key >> %d",
				    table->name, TABLE_KEY_BITS, table->name, TABLE_KEY_BITS,
				    TABLE_KEY_BITS);
	enum err err = sql ? ask(db, sql, problems, diag)
			   : diag_fail(diag, ERR_NOMEM, "no memory to check");

	sqlite3_free(sql);
	return err;
}

enum err db_check(struct db *db, void (*problem)(void *ctx, const char *text), void *ctx,
		  struct diag *diag)
{
	static const char *const questions[] = {
		"PRAGMA integrity_check",
		"SELECT \"table\" || ': row ' || coalesce(rowid, '?') || ' refers to a ' || parent"
		" || ' that is not there' FROM pragma_foreign_key_check",
		"SELECT 'run ' || id || ' is done and has no op log' FROM run WHERE state = 'done'"
		" AND steps > 0 AND id NOT IN (SELECT run FROM oplog)",
		"SELECT 'run ' || k.run || ': a state at step ' || k.step || ' of ' || r.steps"
		" FROM keyframe AS k JOIN run AS r ON r.id = k.run"
		" WHERE k.step > r.steps AND r.state <> 'running'",
	};
	const struct problems problems = { problem, ctx };
	enum err err = ERR_OK;

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]) && !err; i++)
		err = ask(db, questions[i], &problems, diag);
	for (size_t i = 0; i < table_count() && !err; i++)
		if (strcmp(table_at(i)->column[0].name, "key") == 0)
			err = ask_orphans(db, table_at(i), &problems, diag);
	return err;
}

/* Never over a file that is there: it may be somebody's only copy. */
enum err db_backup_to(struct db *db, const char *path, struct diag *diag)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
	enum err err;

	if (fd < 0 && errno == EEXIST)
		return diag_fail(diag, ERR_USAGE, "%s is there already: it is not written over",
				 path);
	if (fd < 0)
		return diag_fail(diag, ERR_DB, "%s: %s", path, strerror(errno));
	close(fd);
	err = store_copy(db->sql, path, diag);
	if (err)
		unlink(path);
	return err;
}
