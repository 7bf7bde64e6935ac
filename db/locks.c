/*
 * Few rows, written once, so they do not go through the recorder.  Sites are
 * stored by name: a number means nothing to whoever reads the store.
 */
#include "locks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

enum { WAITS_MAX = LOCK_BUCKETS * 24 };

static const char *const blocks[] = { "waiters", "holders" };

/* A row of lock_site. */
struct site_row {
	int64_t run, lock, nr, count;
	const char *block, *site;
};

static void waits_text(const struct lock_stat *sum, char out[WAITS_MAX])
{
	int n = 0;

	for (int i = 0; i < LOCK_BUCKETS; i++)
		n += snprintf(out + n, (size_t)(WAITS_MAX - n), "%s%" PRIu64, i ? "," : "[",
			      sum->bucket[i]);
	snprintf(out + n, (size_t)(WAITS_MAX - n), "]");
}

static enum err add_class(struct db *db, int64_t id, int64_t nr, const struct run_lock *lock,
			  struct diag *diag)
{
	const struct lock_stat *sum = &lock->sum;
	char waits[WAITS_MAX];
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "INSERT OR REPLACE INTO lock VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
				     "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				     &stmt, diag);

	if (err)
		return err;
	waits_text(sum, waits);
	store_bind(stmt, "iitiiiiiiiiiiiiiiit", id, nr, lock->name, (int64_t)lock->atomic,
		   (int64_t)sum->con_bounces, (int64_t)sum->wait.nr, (int64_t)sum->wait.min,
		   (int64_t)sum->wait.max, (int64_t)lock->wait_min_sum, (int64_t)lock->wait_max_sum,
		   (int64_t)sum->wait.total, (int64_t)sum->acq_bounces, (int64_t)sum->hold.nr,
		   (int64_t)sum->hold.min, (int64_t)sum->hold.max, (int64_t)lock->hold_min_sum,
		   (int64_t)lock->hold_max_sum, (int64_t)sum->hold.total, waits);
	return store_finish(db->sql, stmt, diag);
}

static enum err add_site(struct db *db, const struct site_row *row, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(
		db->sql, "INSERT OR REPLACE INTO lock_site VALUES (?, ?, ?, ?, ?, ?)", &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "iititi", row->run, row->lock, row->block, row->nr, row->site, row->count);
	return store_finish(db->sql, stmt, diag);
}

static enum err add_sites(struct db *db, int64_t id, int64_t nr, const struct run_lock *lock,
			  struct diag *diag)
{
	const struct lock_sites *const sites[] = { &lock->waiter, &lock->holder };
	enum err err = ERR_OK;

	for (int block = 0; block < 2; block++)
		for (uint32_t i = 0; i < sites[block]->nr && !err; i++) {
			const struct site_row row = {
				.run = id, .lock = nr, .block = blocks[block], .nr = i,
				.site = lock_site_name(sites[block]->site[i]),
				.count = (int64_t)sites[block]->count[i],
			};

			err = add_site(db, &row, diag);
		}
	return err;
}

enum err db_locks_add(struct db *db, int64_t id, const struct run_lock *lock, size_t n,
		      struct diag *diag)
{
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	for (size_t i = 0; i < n && !err; i++) {
		err = add_class(db, id, (int64_t)i, &lock[i], diag);
		if (!err)
			err = add_sites(db, id, (int64_t)i, &lock[i], diag);
	}
	return store_end(db->sql, err, diag);
}

/* A place that this version does not know is left out. */
static void read_site(struct lock_sites *sites, const char *name, uint64_t count)
{
	for (int site = 0; site < NR_LOCK_SITES && sites->nr < LOCK_SITES; site++)
		if (strcmp(lock_site_name((enum lock_site)site), name) == 0) {
			sites->site[sites->nr] = (enum lock_site)site;
			sites->count[sites->nr++] = count;
		}
}

static enum err read_sites(struct db *db, int64_t id, int64_t nr, struct run_lock *out,
			   struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "SELECT block, site, count FROM lock_site WHERE run = ?"
				     " AND lock = ? ORDER BY block, nr",
				     &stmt, diag);
	int step;

	if (err)
		return err;
	store_bind(stmt, "ii", id, nr);
	while ((step = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *block = (const char *)sqlite3_column_text(stmt, 0);

		read_site(strcmp(block, blocks[0]) == 0 ? &out->waiter : &out->holder,
			  (const char *)sqlite3_column_text(stmt, 1),
			  (uint64_t)sqlite3_column_int64(stmt, 2));
	}
	if (step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "reading call sites of locks");
	sqlite3_finalize(stmt);
	return err;
}

/* "[1,2,3]": what is missing stays 0. */
static void read_waits(const char *text, struct lock_stat *sum)
{
	for (int i = 0; i < LOCK_BUCKETS && text && *text; i++) {
		sum->bucket[i] = strtoull(text + 1, NULL, 10);
		text = strchr(text + 1, ',');
	}
}

/* Columns as the query below names them. */
static void read_class(sqlite3_stmt *stmt, struct run_lock *out)
{
	uint64_t *const to[] = {
		&out->sum.con_bounces, &out->sum.wait.nr, &out->sum.wait.min, &out->sum.wait.max,
		&out->wait_min_sum, &out->wait_max_sum, &out->sum.wait.total,
		&out->sum.acq_bounces, &out->sum.hold.nr, &out->sum.hold.min, &out->sum.hold.max,
		&out->hold_min_sum, &out->hold_max_sum, &out->sum.hold.total,
	};
	int col = 3, n = (int)(sizeof(to) / sizeof(to[0]));

	memset(out, 0, sizeof(*out));
	snprintf(out->name, sizeof(out->name), "%s", (const char *)sqlite3_column_text(stmt, 1));
	out->atomic = sqlite3_column_int(stmt, 2) != 0;
	for (int i = 0; i < n; i++)
		*to[i] = (uint64_t)sqlite3_column_int64(stmt, col++);
	read_waits((const char *)sqlite3_column_text(stmt, col), &out->sum);
}

enum err db_locks(struct db *db, int64_t id, enum err (*row)(void *ctx, const struct run_lock *),
		  void *ctx, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(
		db->sql,
		"SELECT nr, class, atomic, con_bounces, contentions, wait_min_ns, wait_max_ns,"
		" wait_min_sum_ns, wait_max_sum_ns, wait_total_ns, acq_bounces, acquisitions,"
		" hold_min_ns, hold_max_ns, hold_min_sum_ns, hold_max_sum_ns, hold_total_ns, waits"
		" FROM lock WHERE run = ? ORDER BY contentions DESC, nr",
		&stmt, diag);
	int step = SQLITE_DONE;

	if (err)
		return err;
	store_bind(stmt, "i", id);
	while (!err && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct run_lock lock;

		read_class(stmt, &lock);
		err = read_sites(db, id, sqlite3_column_int64(stmt, 0), &lock, diag);
		if (!err)
			err = row(ctx, &lock);
	}
	if (!err && step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "reading lock statistics");
	sqlite3_finalize(stmt);
	return err;
}
