/*
 * Statements and transactions: thin helpers, so that every SQLite error
 * becomes one message with the file's name in front.
 */
#include "store.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The file's name comes from the connection: a message from deep inside names the right file. */
enum err store_fail(sqlite3 *sql, struct diag *diag, const char *what)
{
	const char *file = sqlite3_db_filename(sql, "main");

	return diag_fail(diag, ERR_DB, "database %s: %s%s%s", file ? file : "", what,
			 what[0] ? ": " : "", sqlite3_errmsg(sql));
}

enum err store_exec(sqlite3 *sql, const char *text, struct diag *diag)
{
	if (sqlite3_exec(sql, text, NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(sql, diag, "");
	return ERR_OK;
}

enum err store_prepare(sqlite3 *sql, const char *text, sqlite3_stmt **out, struct diag *diag)
{
	if (sqlite3_prepare_v2(sql, text, -1, out, NULL) != SQLITE_OK)
		return store_fail(sql, diag, "");
	return ERR_OK;
}

/* Texts and blobs are copied: the caller's memory may go before the statement does. */
void store_bind(sqlite3_stmt *stmt, const char *kinds, ...)
{
	const void *data;
	va_list args;
	int at = 1;

	va_start(args, kinds);
	for (const char *kind = kinds; *kind; kind++, at++) {
		switch (*kind) {
		case 'i':
			sqlite3_bind_int64(stmt, at, va_arg(args, int64_t));
			break;
		case 'd':
			sqlite3_bind_double(stmt, at, va_arg(args, double));
			break;
		case 't':
			sqlite3_bind_text(stmt, at, va_arg(args, const char *), -1,
					  SQLITE_TRANSIENT);
			break;
		case 'b':
			data = va_arg(args, const void *);
			sqlite3_bind_blob64(stmt, at, data, va_arg(args, size_t), SQLITE_TRANSIENT);
			break;
		default:
			sqlite3_bind_null(stmt, at);
		}
	}
	va_end(args);
}

/* For statements that give no rows: anything but "done" is an error of theirs. */
enum err store_finish(sqlite3 *sql, sqlite3_stmt *stmt, struct diag *diag)
{
	enum err err = ERR_OK;

	if (sqlite3_step(stmt) != SQLITE_DONE)
		err = store_fail(sql, diag, "");
	sqlite3_finalize(stmt);
	return err;
}

/* The write lock at once: whoever holds it is waited for here and not in the middle of the work. */
enum err store_begin(sqlite3 *sql, struct diag *diag)
{
	return store_exec(sql, "BEGIN IMMEDIATE", diag);
}

enum err store_end(sqlite3 *sql, enum err err, struct diag *diag)
{
	if (!err)
		err = store_exec(sql, "COMMIT", diag);
	/* A failed statement may have rolled back by itself already. */
	if (err && !sqlite3_get_autocommit(sql))
		sqlite3_exec(sql, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

enum err store_writable(const struct db *db, struct diag *diag)
{
	if (!db->read_only)
		return ERR_OK;
	return diag_fail(diag, ERR_DB, "database %s: opened for reading only", db->path);
}

enum err store_begin_write(const struct db *db, struct diag *diag)
{
	enum err err = store_writable(db, diag);

	return err ? err : store_begin(db->sql, diag);
}

enum err store_number(sqlite3 *sql, const char *text, int64_t *out, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(sql, text, &stmt, diag);
	int step;

	*out = 0;
	if (err)
		return err;
	step = sqlite3_step(stmt);
	if (step == SQLITE_ROW)
		*out = sqlite3_column_int64(stmt, 0);
	else if (step != SQLITE_DONE)
		err = store_fail(sql, diag, "");
	sqlite3_finalize(stmt);
	return err;
}

/* What does not fit is cut: these are names and words, whose columns were as wide when written. */
void store_text(sqlite3_stmt *stmt, int col, char *out, size_t size)
{
	const char *text = (const char *)sqlite3_column_text(stmt, col);

	snprintf(out, size, "%s", text ? text : "");
}

enum err store_keep_text(sqlite3 *sql, const char *text, int64_t *id, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(sql, "SELECT id FROM script WHERE text = ?", &stmt, diag);
	int step;

	*id = 0;
	if (err)
		return err;
	store_bind(stmt, "t", text);
	step = sqlite3_step(stmt);
	if (step == SQLITE_ROW)
		*id = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	if (step == SQLITE_ROW)
		return ERR_OK;
	err = store_prepare(sql, "INSERT INTO script (text) VALUES (?)", &stmt, diag);
	if (err)
		return err;
	store_bind(stmt, "t", text);
	err = store_finish(sql, stmt, diag);
	*id = sqlite3_last_insert_rowid(sql);
	return err;
}

enum err store_copy(sqlite3 *from, const char *path, struct diag *diag)
{
	sqlite3_backup *backup;
	sqlite3 *to = NULL;
	enum err err = ERR_OK;

	if (sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
	    SQLITE_OK) {
		err = store_fail(to, diag, "the copy");
		sqlite3_close(to);
		return err;
	}
	backup = sqlite3_backup_init(to, "main", from, "main");
	if (!backup || sqlite3_backup_step(backup, -1) != SQLITE_DONE)
		err = store_fail(to, diag, "the copy");
	if (backup && sqlite3_backup_finish(backup) != SQLITE_OK && !err)
		err = store_fail(to, diag, "the copy");
	sqlite3_close(to);
	return err;
}
