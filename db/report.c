/*
 * Named questions to a store: which runs there are, and what one of them
 * measured, expected and did.  Rows are handed to a callback one by one;
 * their strings live for that call only.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_row.h"
#include "table.h"

/* A copy on the heap; NULL for SQL NULL. */
static char *heap_text(sqlite3_stmt *stmt, int col)
{
	const char *text = (const char *)sqlite3_column_text(stmt, col);

	return text ? strdup(text) : NULL;
}

/* Steps through a statement with a function for each row; finalizes it. */
static enum err each_row(struct db *db, sqlite3_stmt *stmt,
			 enum err (*row)(void *ctx, sqlite3_stmt *stmt), void *ctx,
			 struct diag *diag)
{
	enum err err = ERR_OK;
	int step = SQLITE_DONE;

	while (!err && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		err = row(ctx, stmt);
	if (!err && step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "");
	sqlite3_finalize(stmt);
	return err;
}

enum err db_runs(struct db *db, uint64_t limit,
		 enum err (*row)(void *ctx, const struct db_run *run), void *ctx, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err =
		store_prepare(db->sql, RUN_COLUMNS "ORDER BY r.id DESC LIMIT ?", &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "i", limit && limit <= INT64_MAX ? (int64_t)limit : (int64_t)-1);
	return run_rows_give(db->sql, stmt, row, ctx, diag);
}

/* How many runs there are, for the message about one that there is not. */
static enum err no_run(struct db *db, const char *what, struct diag *diag)
{
	int64_t nr, last;

	if (store_number(db->sql, "SELECT count(*) FROM run", &nr, diag) ||
	    store_number(db->sql, "SELECT max(id) FROM run", &last, diag))
		return ERR_DB;
	if (nr && strncmp(what, "baseline:", 9) == 0)
		return diag_fail(diag, ERR_USAGE,
				 "no run %s: no baseline of it was set (memcglab baseline set RUN)",
				 what);
	if (!nr)
		return diag_fail(diag, ERR_USAGE, "no run %s: there are no runs yet in %s", what,
				 db->path);
	return diag_fail(diag, ERR_USAGE,
			 "no run %s: there %s %" PRId64 " run%s in %s, the latest "
			 "is %" PRId64,
			 what, nr == 1 ? "is" : "are", nr, nr == 1 ? "" : "s", db->path, last);
}

/* The first row of the statement as @out, or the error that says why there is none. */
static enum err find_one(struct db *db, sqlite3_stmt *stmt, const char *ref, struct db_run *out,
			 struct diag *diag)
{
	int step = sqlite3_step(stmt);
	enum err err = ERR_OK;

	if (step == SQLITE_ROW)
		run_row_read(stmt, out);
	else if (step == SQLITE_DONE)
		err = no_run(db, ref, diag);
	else
		err = store_fail(db->sql, diag, "");
	sqlite3_finalize(stmt);
	return err;
}

/* "52", nothing else: no sign, no blanks, and it fits. */
static bool parse_id(const char *ref, int64_t *id)
{
	uint64_t value = 0;

	if (!ref[0] || strlen(ref) > 18)
		return false;
	for (const char *c = ref; *c; c++) {
		if (*c < '0' || *c > '9')
			return false;
		value = value * 10 + (uint64_t)(*c - '0');
	}
	*id = (int64_t)value;
	return true;
}

/* References that are a word, alone or with the name of a scenario behind a colon. */
static const struct {
	const char *word;
	bool alone; /* it means something by itself */
	const char *sql, *sql_alone;
} words[] = {
	{ "latest", true, RUN_COLUMNS "WHERE r.scenario = ? ORDER BY r.id DESC LIMIT 1",
	  RUN_COLUMNS "ORDER BY r.id DESC LIMIT 1" },
	{ "baseline", false, RUN_COLUMNS "JOIN baseline AS l ON l.run = r.id WHERE l.scenario = ?",
	  NULL },
};

/* The statement that finds a run by a word.  Returns: false if @ref is no such word. */
static bool prepare_word(struct db *db, const char *ref, sqlite3_stmt **stmt, enum err *err,
			 struct diag *diag)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i].word);
		bool named;

		if (strncmp(ref, words[i].word, n) != 0)
			continue;
		named = ref[n] == ':' && ref[n + 1];
		if (!named && (ref[n] || !words[i].alone))
			continue;
		*err = store_prepare(db->sql, named ? words[i].sql : words[i].sql_alone, stmt,
				     diag);
		if (!*err && named)
			store_bind(*stmt, "t", ref + n + 1);
		return true;
	}
	return false;
}

enum err db_run_find(struct db *db, const char *ref, struct db_run *out, struct diag *diag)
{
	sqlite3_stmt *stmt;
	int64_t id = 0;
	enum err err;

	memset(out, 0, sizeof(*out));
	if (parse_id(ref, &id)) {
		err = store_prepare(db->sql, RUN_COLUMNS "WHERE r.id = ?", &stmt, diag);
		if (!err)
			store_bind(stmt, "i", id);
	} else if (!prepare_word(db, ref, &stmt, &err, diag)) {
		return diag_fail(diag, ERR_USAGE,
				 "run: \"%s\" is not a run (write its number, latest, "
				 "latest:SCENARIO or baseline:SCENARIO)",
				 ref);
	}
	return err ? err : find_one(db, stmt, ref, out, diag);
}

enum err db_run_oplog(struct db *db, int64_t id, void **data, size_t *size, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, "SELECT data FROM oplog WHERE run = ?", &stmt, diag);
	int step;

	*data = NULL;
	*size = 0;
	if (err)
		return err;
	store_bind(stmt, "i", id);
	step = sqlite3_step(stmt);
	if (step == SQLITE_ROW) {
		*size = (size_t)sqlite3_column_bytes(stmt, 0);
		*data = malloc(*size ? *size : 1);
		if (!*data)
			err = diag_fail(diag, ERR_NOMEM, "no memory for an op log");
		else if (*size)
			memcpy(*data, sqlite3_column_blob(stmt, 0), *size);
	} else if (step == SQLITE_DONE) {
		err = diag_fail(diag, ERR_USAGE,
				"run %" PRId64 " has no op log: it did not come "
				"to its end",
				id);
	} else {
		err = store_fail(db->sql, diag, "");
	}
	sqlite3_finalize(stmt);
	return err;
}

/* Each kind of row has a reader: the caller's function with its context, between each_row(),
 * which knows statements, and a caller who knows none. */
struct metrics_reader {
	enum err (*row)(void *ctx, const struct db_metric *m);
	void *ctx;
};

/* The column has no fixed type: a metric is an integer, a real, a word or none of
 * them, and stays what it was. */
static enum err give_metric(void *ctx, sqlite3_stmt *stmt)
{
	const struct metrics_reader *reader = ctx;
	int type = sqlite3_column_type(stmt, 3);
	struct db_metric metric = { .missing = type == SQLITE_NULL,
				    .is_text = type == SQLITE_TEXT,
				    .is_real = type == SQLITE_FLOAT };

	store_text(stmt, 0, metric.name, sizeof(metric.name));
	store_text(stmt, 1, metric.unit, sizeof(metric.unit));
	store_text(stmt, 2, metric.better, sizeof(metric.better));
	metric.integer = sqlite3_column_int64(stmt, 3);
	metric.real = sqlite3_column_double(stmt, 3);
	if (metric.is_text)
		store_text(stmt, 3, metric.text, sizeof(metric.text));
	return reader->row(reader->ctx, &metric);
}

enum err db_metrics(struct db *db, int64_t id,
		    enum err (*row)(void *ctx, const struct db_metric *m), void *ctx,
		    struct diag *diag)
{
	struct metrics_reader reader = { row, ctx };
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "SELECT name, unit, better, value FROM metric"
				     " WHERE run = ? ORDER BY ord",
				     &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "i", id);
	return each_row(db, stmt, give_metric, &reader, diag);
}

struct expects_reader {
	enum err (*row)(void *ctx, const struct db_expect *e);
	void *ctx;
};

/* A figure that an expectation does not have is SQL NULL, not 0. */
static enum err give_expect(void *ctx, sqlite3_stmt *stmt)
{
	const struct expects_reader *reader = ctx;
	struct db_expect expect = {
		.text = heap_text(stmt, 0),
		.ok = sqlite3_column_int(stmt, 2) != 0,
		.has_value = sqlite3_column_type(stmt, 3) != SQLITE_NULL,
		.has_wanted = sqlite3_column_type(stmt, 4) != SQLITE_NULL,
		.value = sqlite3_column_double(stmt, 3),
		.wanted = sqlite3_column_double(stmt, 4),
	};
	enum err err;

	store_text(stmt, 1, expect.label, sizeof(expect.label));
	err = reader->row(reader->ctx, &expect);
	free(expect.text);
	return err;
}

enum err db_expects(struct db *db, int64_t id,
		    enum err (*row)(void *ctx, const struct db_expect *e), void *ctx,
		    struct diag *diag)
{
	struct expects_reader reader = { row, ctx };
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "SELECT text, label, ok, value, wanted FROM expect"
				     " WHERE run = ? ORDER BY ord",
				     &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "i", id);
	return each_row(db, stmt, give_expect, &reader, diag);
}

struct scans_reader {
	enum err (*row)(void *ctx, const struct db_scan *s);
	void *ctx;
};

/* MODEL: a shrink call does not tell its zone; the column of the kernel's log is always Normal. */
static enum err give_scan(void *ctx, sqlite3_stmt *stmt)
{
	const struct scans_reader *reader = ctx;
	struct db_scan scan = {
		.call = (uint64_t)sqlite3_column_int64(stmt, 0),
		.t_ns = (ns_t)sqlite3_column_int64(stmt, 1),
		.zone = "Normal",
		.list = (const char *)sqlite3_column_text(stmt, 3),
		.size = (uint64_t)sqlite3_column_int64(stmt, 4),
		.priority = (uint64_t)sqlite3_column_int64(stmt, 5),
		.nr_to_scan = (uint64_t)sqlite3_column_int64(stmt, 6),
		.nr_taken = (uint64_t)sqlite3_column_int64(stmt, 7),
		.nr_scanned = (uint64_t)sqlite3_column_int64(stmt, 8),
		.nr_reclaimed = (uint64_t)sqlite3_column_int64(stmt, 9),
		.step = (uint64_t)sqlite3_column_int64(stmt, 10),
	};

	store_text(stmt, 2, scan.memcg, sizeof(scan.memcg));
	return reader->row(reader->ctx, &scan);
}

/* v_scan with the step: repeats are spelled out, then put in order of call. */
enum err db_scans(struct db *db, int64_t id, enum err (*row)(void *ctx, const struct db_scan *s),
		  void *ctx, struct diag *diag)
{
	struct scans_reader reader = { row, ctx };
	sqlite3_stmt *stmt;
	enum err err = store_prepare(
		db->sql,
		"SELECT e.h + coalesce(i.n * p.d_h, 0), e.t_ns + coalesce(i.n * p.d_t_ns, 0),"
		" m.path, l.name, e.b, e.c, e.d + coalesce(i.n * p.d_d, 0), e.e, e.f, e.g,"
		" e.step + coalesce(i.n * p.d_step, 0)"
		" FROM event AS e LEFT JOIN repeat AS p ON p.key = e.key"
		" CROSS JOIN nth AS i ON i.n < coalesce(p.n, 1)"
		" LEFT JOIN memcg AS m ON m.run = ?1 AND m.id = e.memcg"
		" LEFT JOIN list AS l ON l.id = e.a"
		" WHERE e.key BETWEEN ?1 << 36 AND (?1 << 36) + 68719476735"
		" AND e.kind = (SELECT id FROM kind WHERE name = 'shrink') ORDER BY 1",
		&stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "i", id);
	return each_row(db, stmt, give_scan, &reader, diag);
}

/* Pages times their size, not the size of the file: what the write-ahead log still holds counts
 * too. */
enum err db_info(struct db *db, struct db_info *out, struct diag *diag)
{
	int64_t runs, running, pages, page_bytes, schema;
	enum err err = store_number(db->sql, "SELECT count(*) FROM run", &runs, diag);

	if (!err)
		err = store_number(db->sql, "SELECT count(*) FROM run WHERE state = 'running'",
				   &running, diag);
	if (!err)
		err = store_number(db->sql, "PRAGMA page_count", &pages, diag);
	if (!err)
		err = store_number(db->sql, "PRAGMA page_size", &page_bytes, diag);
	if (!err)
		err = store_number(db->sql, "PRAGMA user_version", &schema, diag);
	if (err)
		return err;
	*out = (struct db_info){ (uint64_t)runs, (uint64_t)running, (bytes_t)(pages * page_bytes),
				 (int)schema };
	return ERR_OK;
}
