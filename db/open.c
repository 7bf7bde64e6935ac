/*
 * Opening a store: is it ours, is it ours to write, does it have a schema,
 * which of its runs were left behind.  The first bytes of the file are read
 * before SQLite sees it, so a foreign or newer file is refused untouched.
 *
 * A store of an older schema is migrated (migrate.c).
 *
 * A file that cannot be written is opened immutable (SQLite would need to
 * make its -shm file), unless it has a write-ahead log that counts.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "migrate.h"
#include "table.h"

enum {
	HEADER_BYTES = 100,
	HEADER_USER_VERSION = 60, /* offsets in the header, big-endian */
	HEADER_APPLICATION_ID = 68,
	NAME_MAX_BYTES = 3 * DB_PATH_MAX + 32,
	FOLDER_MODE = 0777,
	RETRY_MS = 20
};

static const char magic[] = "SQLite format 3";

enum err db_default_path(char out[DB_PATH_MAX], struct diag *diag)
{
	const char *file = getenv("MEMCGLAB_DB"), *data = getenv("XDG_DATA_HOME");
	const char *home = getenv("HOME");
	int length;

	/* A relative XDG folder is to be ignored, says its specification. */
	if (file && file[0])
		length = snprintf(out, DB_PATH_MAX, "%s", file);
	else if (data && data[0] == '/')
		length = snprintf(out, DB_PATH_MAX, "%s/memcglab/runs.db", data);
	else if (home && home[0])
		length = snprintf(out, DB_PATH_MAX, "%s/.local/share/memcglab/runs.db", home);
	else
		return diag_fail(diag, ERR_DB,
				 "no place for the database: set MEMCGLAB_DB, "
				 "XDG_DATA_HOME or HOME, or use --db FILE");
	if (length >= DB_PATH_MAX)
		return diag_fail(diag, ERR_DB, "the database's path is too long");
	return ERR_OK;
}

/* One sentence for all ways in which a file can be somebody else's. */
static enum err refuse(const char *path, struct diag *diag, const char *why)
{
	return diag_fail(diag, ERR_DB, "%s is not a memcglab database (%s)", path, why);
}

/* Both versions are named: it tells whether to fetch a newer program or to take another file. */
static enum err refuse_newer(const char *path, int64_t version, struct diag *diag)
{
	return diag_fail(diag, ERR_DB,
			 "database %s has schema version %lld, written by a newer "
			 "memcglab; this one knows schema version %d",
			 path, (long long)version, TABLE_SCHEMA);
}

/* Application id and version together: 0 and 0 is a database nobody has claimed yet. */
static enum err check_ids(const char *path, int64_t application, int64_t version, struct diag *diag)
{
	if (application != TABLE_APPLICATION_ID && (application || version))
		return refuse(path, diag, "another program's SQLite file");
	if (version > TABLE_SCHEMA)
		return refuse_newer(path, version, diag);
	return ERR_OK;
}

/* Numbers in a database's header have their highest byte first. */
static uint32_t big_endian(const unsigned char *byte)
{
	return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

/* Read by hand: SQLite would already lock the file, or play back its log, to answer the same. */
static enum err check_header(const char *path, struct diag *diag)
{
	unsigned char header[HEADER_BYTES];
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file)
		return diag_fail(diag, ERR_DB, "database %s: %s", path, strerror(errno));
	size = fread(header, 1, sizeof(header), file);
	fclose(file);
	if (size < sizeof(header) || memcmp(header, magic, sizeof(magic)) != 0)
		return refuse(path, diag, "no SQLite file");
	return check_ids(path, big_endian(header + HEADER_APPLICATION_ID),
			 big_endian(header + HEADER_USER_VERSION), diag);
}

/* Makes the folders above @path that are missing. */
static enum err make_folders(const char *path, struct diag *diag)
{
	char folder[DB_PATH_MAX];

	snprintf(folder, sizeof(folder), "%s", path);
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, FOLDER_MODE) != 0 && errno != EEXIST)
			return diag_fail(diag, ERR_DB, "database %s: folder %s: %s", path, folder,
					 strerror(errno));
		*slash = '/';
	}
	return ERR_OK;
}

/* SQLite needs to write the file and to make files beside it. */
static bool can_write(const char *path)
{
	char folder[DB_PATH_MAX];
	char *slash;

	if (access(path, W_OK) != 0)
		return false;
	snprintf(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	if (!slash)
		return access(".", W_OK) == 0;
	slash[1] = '\0';
	return access(folder, W_OK) == 0;
}

/* A path that SQLite takes for a plain file, whatever it begins with. */
static void plain_name(const char *path, char out[NAME_MAX_BYTES])
{
	snprintf(out, NAME_MAX_BYTES, "%s%s", path[0] == '/' ? "" : "./", path);
}

/* As a URI, for only a URI can say immutable; what would end its path early is written in hex. */
static void immutable_name(const char *path, char out[NAME_MAX_BYTES])
{
	char *to = out + snprintf(out, NAME_MAX_BYTES, "file:%s", path[0] == '/' ? "" : "./");

	for (const char *from = path; *from; from++) {
		if (strchr("%?#", *from))
			to += snprintf(to, 4, "%%%02X", (unsigned)(unsigned char)*from);
		else
			*to++ = *from;
	}
	memcpy(to, "?immutable=1", sizeof("?immutable=1"));
}

/* A connection that failed to open still has the words for why, and is to be closed. */
static enum err open_sql(const char *path, const char *name, int flags, sqlite3 **out,
			 struct diag *diag)
{
	/* Each connection stays with one thread: no mutex for each bound value. */
	if (sqlite3_open_v2(name, out, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		diag_fail(diag, ERR_DB, "database %s: %s", path,
			  *out ? sqlite3_errmsg(*out) : "no memory");
		sqlite3_close(*out);
		*out = NULL;
		return ERR_DB;
	}
	sqlite3_extended_result_codes(*out, 1);
	sqlite3_busy_timeout(*out, STORE_BUSY_MS);
	return ERR_OK;
}

/* NORMAL: the log is not synced at each commit.  A power cut may cost the latest rows of a run,
 * which can be made again, but never the store. */
enum err store_connect(const char *path, sqlite3 **out, struct diag *diag)
{
	char name[NAME_MAX_BYTES];
	enum err err;

	plain_name(path, name);
	err = open_sql(path, name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, out, diag);
	if (err)
		return err;
	err = store_exec(*out, "PRAGMA foreign_keys=ON; PRAGMA synchronous=NORMAL", diag);
	if (err) {
		sqlite3_close(*out);
		*out = NULL;
	}
	return err;
}

/* For reading a file that we cannot write, without leaving anything beside it. */
static enum err connect_frozen(const char *path, sqlite3 **out, struct diag *diag)
{
	char name[NAME_MAX_BYTES], wal[DB_PATH_MAX + 8];
	struct stat st;
	int64_t n;

	snprintf(wal, sizeof(wal), "%s-wal", path);
	if (stat(wal, &st) == 0 && st.st_size > 0) {
		plain_name(path, name);
		if (!open_sql(path, name, SQLITE_OPEN_READONLY, out, diag)) {
			if (!store_number(*out, "SELECT count(*) FROM sqlite_schema", &n, diag))
				return ERR_OK;
			sqlite3_close(*out);
		}
	}
	immutable_name(path, name);
	return open_sql(path, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, out, diag);
}

/* A reader of its own: SQL that a user writes runs on it and cannot touch our statements. */
enum err store_connect_read(const struct db *db, sqlite3 **out, struct diag *diag)
{
	char name[NAME_MAX_BYTES];

	if (db->frozen)
		return connect_frozen(db->path, out, diag);
	plain_name(db->path, name);
	return open_sql(db->path, name, SQLITE_OPEN_READONLY, out, diag);
}

/* WAL needs the file for itself for a moment, and SQLite does not wait for that. */
static enum err set_wal(sqlite3 *sql, struct diag *diag)
{
	int rc = SQLITE_BUSY;

	for (int ms = 0; ms < STORE_BUSY_MS && (rc & 0xff) == SQLITE_BUSY; ms += RETRY_MS) {
		if (ms)
			sqlite3_sleep(RETRY_MS);
		rc = sqlite3_exec(sql, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
	}
	return rc == SQLITE_OK ? ERR_OK : store_fail(sql, diag, "");
}

/* Asked of SQLite this time: the write-ahead log may hold a newer page than the file. */
static enum err read_ids(struct db *db, int64_t *version, struct diag *diag)
{
	int64_t application;
	enum err err = store_number(db->sql, "PRAGMA application_id", &application, diag);

	if (!err)
		err = store_number(db->sql, "PRAGMA user_version", version, diag);
	return err ? err : check_ids(db->path, application, *version, diag);
}

/* Creates the schema unless another process did so while this one waited. */
static enum err create(struct db *db, struct diag *diag)
{
	char ids[128];
	int64_t version, tables = 0;
	enum err err = set_wal(db->sql, diag);

	if (!err)
		err = store_begin(db->sql, diag);
	if (err)
		return err;
	err = read_ids(db, &version, diag);
	if (!err)
		err = store_number(db->sql, "SELECT count(*) FROM sqlite_schema", &tables, diag);
	if (!err && !version && tables)
		err = refuse(db->path, diag, "another program's SQLite file");
	if (!err && !version) {
		snprintf(ids, sizeof(ids), "PRAGMA application_id=%d; PRAGMA user_version=%d",
			 TABLE_APPLICATION_ID, TABLE_SCHEMA);
		err = table_create(db->sql, diag);
		if (!err)
			err = store_exec(db->sql, ids, diag);
	}
	return store_end(db->sql, err, diag);
}

/* A store of an older schema is brought up to date, if it can be written. */
static enum err bring_up(struct db *db, int64_t version, struct diag *diag)
{
	bool wanted;
	enum err err = migrate_wanted(db, version, &wanted, diag);

	if (err || !wanted)
		return err;
	if (db->frozen)
		return diag_fail(diag, ERR_DB,
				 "database %s has schema version %lld and cannot be written: this "
				 "memcglab needs version %d; open a copy of it with --db",
				 db->path, (long long)version, TABLE_SCHEMA);
	return migrate_do(db, diag);
}

/* Whose file it is, all seen at one moment: another process may be creating the store. */
static enum err look(struct db *db, int64_t *version, int64_t *tables, struct diag *diag)
{
	enum err err = store_exec(db->sql, "BEGIN", diag);

	if (err)
		return err;
	err = read_ids(db, version, diag);
	if (!err)
		err = store_number(db->sql, "SELECT count(*) FROM sqlite_schema", tables, diag);
	return store_end(db->sql, err, diag);
}

/* The schema is there, of this version, or is made now. */
static enum err check_schema(struct db *db, struct diag *diag)
{
	int64_t version = 0, tables = 0;
	enum err err = look(db, &version, &tables, diag);

	if (err)
		return err;
	if (version)
		return bring_up(db, version, diag);
	if (tables)
		return refuse(db->path, diag, "another program's SQLite file");
	if (db->frozen)
		return diag_fail(diag, ERR_DB, "database %s is empty and cannot be written",
				 db->path);
	return create(db, diag);
}

/* Whose process is gone, of the runs that claim to be running. */
static bool orphaned(const struct db *db, sqlite3_stmt *stmt)
{
	struct owner owner;

	store_text(stmt, 1, owner.boot, sizeof(owner.boot));
	owner.pid = sqlite3_column_int64(stmt, 2);
	owner.started = sqlite3_column_int64(stmt, 3);
	return !owner_alive(&owner, &db->self);
}

/* The state is asked again: the run may have ended since it was read. */
static enum err mark_abandoned(struct db *db, int64_t id, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "UPDATE run SET state = 'abandoned'"
				     " WHERE id = ? AND state = 'running'",
				     &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "i", id);
	return store_finish(db->sql, stmt, diag);
}

/* Runs of processes that are no more become abandoned, whenever a store is opened. */
static enum err sweep(struct db *db, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "SELECT id, boot, pid, started FROM run"
				     " WHERE state = 'running'",
				     &stmt, diag);
	int64_t gone = 0;
	int step;

	if (err)
		return err;
	/* One at a time: a reading statement left open would hold an old snapshot. */
	for (;;) {
		while ((step = sqlite3_step(stmt)) == SQLITE_ROW && !orphaned(db, stmt))
			;
		if (step != SQLITE_ROW)
			break;
		gone = sqlite3_column_int64(stmt, 0);
		sqlite3_reset(stmt);
		err = mark_abandoned(db, gone, diag);
		if (err)
			break;
	}
	if (!err && step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "");
	sqlite3_finalize(stmt);
	return err;
}

/* Is there a file, and is it worth showing to SQLite? */
static enum err check_file(const char *path, enum db_mode mode, bool *frozen, struct diag *diag)
{
	char standard[DB_PATH_MAX];
	struct stat st;

	if (!path[0] || strlen(path) >= DB_PATH_MAX)
		return diag_fail(diag, ERR_DB, "the database's path is %s",
				 path[0] ? "too long" : "empty");
	if (stat(path, &st) != 0) {
		const int why = errno;
		bool creates = mode == DB_WRITE ||
			       (!db_default_path(standard, NULL) && strcmp(standard, path) == 0);

		if (why != ENOENT || !creates)
			return diag_fail(diag, ERR_DB, "database %s: %s", path, strerror(why));
		return make_folders(path, diag);
	}
	if (!S_ISREG(st.st_mode))
		return refuse(path, diag, "no plain file");
	*frozen = !can_write(path);
	if (*frozen && mode == DB_WRITE)
		return diag_fail(diag, ERR_DB, "database %s is read-only here", path);
	return st.st_size ? check_header(path, diag) : ERR_OK;
}

/* Frozen: nothing is created or swept, the store is read as it lies there. */
static enum err open_checked(struct db *db, enum db_mode mode, struct diag *diag)
{
	enum err err = db->frozen ? connect_frozen(db->path, &db->sql, diag)
				  : store_connect(db->path, &db->sql, diag);

	if (!err)
		err = check_schema(db, diag);
	/* A reader goes on without the sweep if somebody else keeps the store busy. */
	if (!err && mode == DB_WRITE)
		err = sweep(db, diag);
	else if (!err && !db->frozen)
		sweep(db, NULL);
	if (!err && mode == DB_READ)
		err = store_exec(db->sql, "PRAGMA query_only=ON", diag);
	return err;
}

/* Everything that can be said without SQLite is said before it sees the file. */
enum err db_open(const char *path, enum db_mode mode, struct db **out, struct diag *diag)
{
	bool frozen = false;
	struct db *db;
	enum err err = check_file(path, mode, &frozen, diag);

	*out = NULL;
	if (err)
		return err;
	db = calloc(1, sizeof(*db));
	if (!db)
		return diag_fail(diag, ERR_NOMEM, "no memory to open a database");
	snprintf(db->path, sizeof(db->path), "%s", path);
	db->read_only = mode == DB_READ;
	db->frozen = frozen;
	owner_self(&db->self);
	err = open_checked(db, mode, diag);
	if (err) {
		db_close(db);
		return err;
	}
	*out = db;
	return ERR_OK;
}

void db_close(struct db *db)
{
	if (!db)
		return;
	sqlite3_close(db->sql);
	free(db);
}

const char *db_path(const struct db *db)
{
	return db->path;
}

const char *db_backup(const struct db *db)
{
	return db->backup;
}
