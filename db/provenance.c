/*
 * Libraries, program and keyframe hashes of a run.  Texts are kept once,
 * however many runs they are part of.
 */
#include "provenance.h"

#include "store.h"

/* The callback of a reader, whichever it is, behind one face. */
struct reader {
	enum err (*take)(const struct reader *reader, sqlite3_stmt *stmt);
	union {
		enum err (*program)(void *, const struct db_program *);
		enum err (*library)(void *, const struct db_library *);
		enum err (*keyframe)(void *, const struct db_keyframe *);
	} row;
	void *ctx;
};

/* All rows that @sql gives for run @id. */
static enum err read_rows(struct db *db, int64_t id, const char *sql, const struct reader *reader,
			  struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, sql, &stmt, diag);
	int step = SQLITE_DONE;

	if (err)
		return err;
	store_bind(stmt, "i", id);
	while (!err && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		err = reader->take(reader, stmt);
	if (!err && step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "");
	sqlite3_finalize(stmt);
	return err;
}

enum err db_program_add(struct db *db, int64_t id, const struct db_program *program,
			struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	err = store_prepare(db->sql, "INSERT INTO program VALUES (?, ?, ?)", &stmt, diag);
	if (!err) {
		store_bind(stmt, "iit", id, program->model, program->build);
		err = store_finish(db->sql, stmt, diag);
	}
	return store_end(db->sql, err, diag);
}

static enum err add_library(struct db *db, int64_t id, const struct db_library *library,
			    struct diag *diag)
{
	sqlite3_stmt *stmt;
	int64_t script;
	enum err err = store_keep_text(db->sql, library->text, &script, diag);

	if (!err)
		err = store_prepare(db->sql, "INSERT OR IGNORE INTO library VALUES (?, ?, ?)",
				    &stmt, diag);
	if (err)
		return err;
	store_bind(stmt, "iti", id, library->name, script);
	return store_finish(db->sql, stmt, diag);
}

enum err db_libraries_add(struct db *db, int64_t id, const struct db_library *library, size_t n,
			  struct diag *diag)
{
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	for (size_t i = 0; i < n && !err; i++)
		err = add_library(db, id, &library[i], diag);
	return store_end(db->sql, err, diag);
}

enum err db_keyframes_add(struct db *db, int64_t id, const struct db_keyframe *keyframe, size_t n,
			  struct diag *diag)
{
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	for (size_t i = 0; i < n && !err; i++) {
		sqlite3_stmt *stmt;

		err = store_prepare(db->sql, "INSERT OR REPLACE INTO keyframe VALUES (?, ?, ?)",
				    &stmt, diag);
		if (err)
			break;
		store_bind(stmt, "iit", id, (int64_t)keyframe[i].step, keyframe[i].hash);
		err = store_finish(db->sql, stmt, diag);
	}
	return store_end(db->sql, err, diag);
}

static enum err take_program(const struct reader *reader, sqlite3_stmt *stmt)
{
	const struct db_program program = { sqlite3_column_int64(stmt, 0),
					    (const char *)sqlite3_column_text(stmt, 1) };

	return reader->row.program(reader->ctx, &program);
}

/* A run of an earlier schema has no row: it is told of as one whose program is not known. */
enum err db_program_read(struct db *db, int64_t id,
			 enum err (*row)(void *, const struct db_program *), void *ctx,
			 struct diag *diag)
{
	const struct reader reader = { take_program, { .program = row }, ctx };

	return read_rows(db, id,
			 "SELECT coalesce(p.model, 0), p.build FROM run AS r"
			 " LEFT JOIN program AS p ON p.run = r.id WHERE r.id = ?",
			 &reader, diag);
}

static enum err take_library(const struct reader *reader, sqlite3_stmt *stmt)
{
	const struct db_library library = { (const char *)sqlite3_column_text(stmt, 0),
					    (const char *)sqlite3_column_text(stmt, 1) };

	return reader->row.library(reader->ctx, &library);
}

enum err db_libraries(struct db *db, int64_t id, enum err (*row)(void *, const struct db_library *),
		      void *ctx, struct diag *diag)
{
	const struct reader reader = { take_library, { .library = row }, ctx };

	return read_rows(db, id,
			 "SELECT l.name, s.text FROM library AS l"
			 " JOIN script AS s ON s.id = l.script WHERE l.run = ? ORDER BY l.name",
			 &reader, diag);
}

static enum err take_keyframe(const struct reader *reader, sqlite3_stmt *stmt)
{
	struct db_keyframe keyframe = { .step = (uint64_t)sqlite3_column_int64(stmt, 0) };

	store_text(stmt, 1, keyframe.hash, sizeof(keyframe.hash));
	return reader->row.keyframe(reader->ctx, &keyframe);
}

enum err db_keyframes(struct db *db, int64_t id,
		      enum err (*row)(void *, const struct db_keyframe *), void *ctx,
		      struct diag *diag)
{
	const struct reader reader = { take_keyframe, { .keyframe = row }, ctx };

	return read_rows(db, id, "SELECT step, hash FROM keyframe WHERE run = ? ORDER BY step",
			 &reader, diag);
}
