/*
 * Tags of a run are one text, words parted by a blank, so that any tool that
 * reads the store sees them.  Each change is a transaction that reads what
 * it changes: two programs may tag a run at once.
 */
#include "annotate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "store.h"

/* One statement with a text and the run's id; a run that is gone by now is an error. */
static enum err set_text(struct db *db, const char *sql, const char *text, int64_t id,
			 struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, sql, &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "ti", text, id);
	err = store_finish(db->sql, stmt, diag);
	if (!err && sqlite3_changes(db->sql) == 0)
		return diag_fail(diag, ERR_USAGE, "no run %" PRId64, id);
	return err;
}

enum err db_note_set(struct db *db, int64_t id, const char *note, struct diag *diag)
{
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	err = set_text(db, "UPDATE run SET note = nullif(?, '') WHERE id = ?", note, id, diag);
	return store_end(db->sql, err, diag);
}

/* Is the word of @n bytes at @word one of @tags? */
static bool has_tag(const char *tags, const char *word, size_t n)
{
	for (tags += strspn(tags, " "); *tags; tags += strspn(tags, " ")) {
		size_t len = strcspn(tags, " ");

		if (len == n && memcmp(tags, word, n) == 0)
			return true;
		tags += len;
	}
	return false;
}

/* Appends those words of @from that are not in @without, nor there already. */
static bool add_tags(char now[DB_WORD_MAX], const char *from, const char *without)
{
	for (from += strspn(from, " "); *from; from += strspn(from, " ")) {
		size_t n = strcspn(from, " "), used = strlen(now);

		if (!has_tag(without, from, n) && !has_tag(now, from, n)) {
			if (used + n + 2 > DB_WORD_MAX)
				return false;
			snprintf(now + used, DB_WORD_MAX - used, "%s%.*s", used ? " " : "", (int)n,
				 from);
		}
		from += n;
	}
	return true;
}

static enum err read_tags(struct db *db, int64_t id, char out[DB_WORD_MAX], struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, "SELECT tag FROM run WHERE id = ?", &stmt, diag);

	out[0] = '\0';
	if (err)
		return err;
	store_bind(stmt, "i", id);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		store_text(stmt, 0, out, DB_WORD_MAX);
	sqlite3_finalize(stmt);
	return ERR_OK;
}

enum err db_tags_change(struct db *db, int64_t id, const struct db_tagging *tagging,
			char now[DB_WORD_MAX], struct diag *diag)
{
	const char *tags = tagging->tags;
	bool remove = tagging->remove;
	char before[DB_WORD_MAX];
	bool all = remove && tags[strspn(tags, " ")] == '\0', fits;
	enum err err = store_begin_write(db, diag);

	now[0] = '\0';
	if (err)
		return err;
	err = read_tags(db, id, before, diag);
	fits = all || (add_tags(now, tagging->replace ? "" : before, remove ? tags : "") &&
		       (remove || add_tags(now, tags, "")));
	if (!err && !fits)
		err = diag_fail(diag, ERR_USAGE,
				"tags of a run are %d bytes at most, blanks included",
				DB_WORD_MAX - 1);
	if (!err)
		err = set_text(db, "UPDATE run SET tag = nullif(?, '') WHERE id = ?", now, id,
			       diag);
	return store_end(db->sql, err, diag);
}

enum err db_baseline_set(struct db *db, int64_t id, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	err = store_prepare(db->sql,
			    "INSERT OR REPLACE INTO baseline (scenario, run)"
			    " SELECT scenario, id FROM run WHERE id = ?",
			    &stmt, diag);
	if (!err) {
		store_bind(stmt, "i", id);
		err = store_finish(db->sql, stmt, diag);
	}
	if (!err && sqlite3_changes(db->sql) == 0)
		err = diag_fail(diag, ERR_USAGE, "no run %" PRId64, id);
	return store_end(db->sql, err, diag);
}

enum err db_baseline_clear(struct db *db, const char *scenario, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	err = store_prepare(db->sql, "DELETE FROM baseline WHERE scenario = ?", &stmt, diag);
	if (!err) {
		store_bind(stmt, "t", scenario);
		err = store_finish(db->sql, stmt, diag);
	}
	if (!err && sqlite3_changes(db->sql) == 0)
		err = diag_fail(diag, ERR_USAGE, "%s has no baseline", scenario);
	return store_end(db->sql, err, diag);
}
