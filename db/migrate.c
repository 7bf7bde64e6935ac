/*
 * From schema 1, which some early stores had without the table taken, to 2,
 * which adds the table log, 3, which adds lock, lock_site and published, and 4,
 * which adds library, program, keyframe and baseline.
 * Views hold no data and are made anew.
 *
 * The copy is made by SQLite itself, so it holds what lies in the log of
 * writes too, and is a store that an older program can open.
 */
#include "migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "table.h"

enum { COPIES_MAX = 100 };

/* How many of our tables are in the file. */
static enum err count_tables(sqlite3 *sql, size_t *nr, struct diag *diag)
{
	*nr = 0;
	for (size_t i = 0; i < table_count(); i++) {
		int64_t there = 0;
		char *text = sqlite3_mprintf("SELECT count(*) FROM sqlite_schema"
					     " WHERE type = 'table' AND name = %Q",
					     table_at(i)->name);
		enum err err = text ? store_number(sql, text, &there, diag)
				    : diag_fail(diag, ERR_NOMEM, "no memory for the schema");

		sqlite3_free(text);
		if (err)
			return err;
		*nr += there != 0;
	}
	return ERR_OK;
}

enum err migrate_wanted(struct db *db, int64_t version, bool *wanted, struct diag *diag)
{
	size_t nr;
	enum err err = count_tables(db->sql, &nr, diag);

	*wanted = !err && (version < TABLE_SCHEMA || nr < table_count());
	return err;
}

/* A name beside the store that nothing has yet, with an empty file to hold it. */
static enum err make_copy(struct db *db, struct diag *diag)
{
	int fd = -1;

	for (int i = 1; i <= COPIES_MAX && fd < 0; i++) {
		int n = snprintf(db->backup, sizeof(db->backup), "%s.before-schema-%d%s%.0d",
				 db->path, TABLE_SCHEMA, i > 1 ? "." : "", i > 1 ? i : 0);

		if (n >= (int)sizeof(db->backup))
			break;
		fd = open(db->backup, O_WRONLY | O_CREAT | O_EXCL, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0) {
		db->backup[0] = '\0';
		return diag_fail(diag, ERR_DB,
				 "database %s is of an older schema, and no copy of it can be "
				 "made beside it: %s",
				 db->path, strerror(errno));
	}
	close(fd);
	return ERR_OK;
}

/* A copy that is no good, or not needed. */
static void drop_copy(struct db *db)
{
	if (db->backup[0])
		unlink(db->backup);
	db->backup[0] = '\0';
}

/* Asked again with the lock held: another process may have done it while this one waited. */
static enum err add_missing(struct db *db, struct diag *diag)
{
	int64_t version;
	bool wanted = false;
	enum err err = store_begin(db->sql, diag);

	if (err)
		return err;
	err = store_number(db->sql, "PRAGMA user_version", &version, diag);
	if (!err)
		err = migrate_wanted(db, version, &wanted, diag);
	if (!err && wanted) {
		char version_sql[64];

		snprintf(version_sql, sizeof(version_sql), "PRAGMA user_version=%d", TABLE_SCHEMA);
		err = table_complete(db->sql, diag);
		if (!err)
			err = store_exec(db->sql, version_sql, diag);
	}
	err = store_end(db->sql, err, diag);
	if (!err && !wanted)
		drop_copy(db);
	return err;
}

enum err migrate_do(struct db *db, struct diag *diag)
{
	enum err err = make_copy(db, diag);

	if (!err)
		err = store_copy(db->sql, db->backup, diag);
	if (!err)
		return add_missing(db, diag);
	drop_copy(db);
	return err;
}
