/*
 * Schema 4.  An event that repeats is one row: n events, each further on by
 * the d_ columns; the views spell them out again with the help of table nth.
 * So a steady reader's million calls take a few kilobytes, and v_events and
 * v_scan still show each of them in any sqlite3 shell.
 *
 * A change here needs a new TABLE_SCHEMA, a migration and a fixture.
 */
#include "table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define END                      \
	{                        \
		NULL, NULL, NULL \
	}

static const struct table_column script_columns[] = { { "id", "INTEGER PRIMARY KEY", "" },
						      { "text", "TEXT NOT NULL",
							"a Lua file's whole text, kept once" },
						      END };

static const struct table_column run_columns[] = {
	{ "id", "INTEGER PRIMARY KEY", "counted from 1" },
	{ "uuid", "TEXT NOT NULL UNIQUE", "version 4, the same in every store" },
	{ "pair", "INTEGER REFERENCES run(id)", "first run of the same command" },
	{ "parent", "INTEGER REFERENCES run(id)", "run that this one branched from" },
	{ "step", "INTEGER", "where it branched" },
	{ "scenario", "TEXT NOT NULL", "its name" },
	{ "kernel", "TEXT NOT NULL", "canonical name, with replaced axes" },
	{ "alias", "TEXT NOT NULL", "the kernel's other name, or empty" },
	{ "seed", "INTEGER NOT NULL", "64 bits, shown signed" },
	{ "state",
	  "TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', "
	  "'interrupted', 'abandoned'))",
	  "abandoned: its process died" },
	{ "created", "TEXT NOT NULL", "UTC, ISO 8601" },
	{ "wall_ns", "INTEGER NOT NULL", "[ns] real time it took" },
	{ "steps", "INTEGER NOT NULL", "recorded operations" },
	{ "version", "TEXT NOT NULL", "of the program" },
	{ "host", "TEXT NOT NULL", "system, release, machine, CPUs" },
	{ "tag", "TEXT", "given by the user" },
	{ "note", "TEXT", "given by the user" },
	{ "error", "TEXT", "why it failed" },
	{ "file", "TEXT", "the scenario's path as given" },
	{ "script", "INTEGER REFERENCES script(id)", "the scenario's text" },
	{ "params", "TEXT", "JSON object, name to value, as declared" },
	{ "machine", "TEXT", "JSON object: the simulated machine" },
	{ "boot", "TEXT", "boot id of the host while it ran" },
	{ "pid", "INTEGER", "process that wrote it" },
	{ "started", "INTEGER", "that process's start [ticks since boot]" },
	END
};

static const struct table_column oplog_columns[] = {
	{ "run", "INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "data", "BLOB NOT NULL", "operations, enough to do the run again" },
	END
};

static const struct table_column metric_columns[] = {
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "ord", "INTEGER NOT NULL", "order of computing" },
	{ "name", "TEXT NOT NULL", "" },
	{ "unit", "TEXT NOT NULL", "" },
	{ "better", "TEXT NOT NULL", "lower, higher or empty" },
	{ "value", "ANY", "integer, real or text" },
	END
};

static const struct table_column expect_columns[] = {
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "ord", "INTEGER NOT NULL", "order of judging" },
	{ "text", "TEXT NOT NULL", "what is expected" },
	{ "label", "TEXT NOT NULL", "derived, predicted, calibrated ..." },
	{ "ok", "INTEGER NOT NULL", "1 if it is so" },
	{ "value", "REAL", "measured" },
	{ "wanted", "REAL", "expected" },
	END
};

static const struct table_column memcg_columns[] = {
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "id", "INTEGER NOT NULL", "css id" },
	{ "path", "TEXT NOT NULL", "/ is the root" },
	END
};

static const struct table_column kind_columns[] = { { "id", "INTEGER PRIMARY KEY", "" },
						    { "name", "TEXT NOT NULL UNIQUE", "" },
						    { "doc", "TEXT", "" },
						    { "numbers", "TEXT",
						      "JSON array: what a, b, c ... are" },
						    END };

static const struct table_column rule_columns[] = { { "id", "INTEGER PRIMARY KEY", "" },
						    { "name", "TEXT NOT NULL UNIQUE", "" },
						    { "code", "TEXT", "" },
						    { "doc", "TEXT", "" },
						    { "source", "TEXT",
						      "kernel function it follows" },
						    END };

static const struct table_column list_columns[] = { { "id", "INTEGER PRIMARY KEY",
						      "in the order of a scan" },
						    { "name", "TEXT NOT NULL", "" },
						    END };

static const struct table_column nth_columns[] = { { "n", "INTEGER PRIMARY KEY",
						     "0 to 1023, to spell out repeats" },
						   END };

static const struct table_column figure_columns[] = { { "id", "INTEGER PRIMARY KEY", "" },
						      { "name", "TEXT NOT NULL",
							"a column of sample" },
						      { "unit", "TEXT NOT NULL", "" },
						      END };

static const struct table_column event_columns[] = {
	{ "key", "INTEGER PRIMARY KEY", "run << 36 | seq of the first" },
	{ "t_ns", "INTEGER NOT NULL", "[ns] model time of the first" },
	{ "step", "INTEGER NOT NULL", "of the first" },
	{ "kind", "INTEGER NOT NULL", "a row of kind" },
	{ "cpu", "INTEGER NOT NULL", "" },
	{ "memcg", "INTEGER NOT NULL", "css id, 0 if none" },
	{ "rule", "INTEGER NOT NULL", "a row of rule" },
	{ "a", "INTEGER NOT NULL", "numbers as named by the kind" },
	{ "b", "INTEGER NOT NULL", "" },
	{ "c", "INTEGER NOT NULL", "" },
	{ "d", "INTEGER NOT NULL", "" },
	{ "e", "INTEGER NOT NULL", "" },
	{ "f", "INTEGER NOT NULL", "" },
	{ "g", "INTEGER NOT NULL", "" },
	{ "h", "INTEGER NOT NULL", "" },
	END
};

static const struct table_column repeat_columns[] = {
	{ "key", "INTEGER PRIMARY KEY", "of the event that repeats" },
	{ "n", "INTEGER NOT NULL", "so many alike, 2 to 1024, itself included" },
	{ "d_seq", "INTEGER NOT NULL", "seq grows by this from one to the next" },
	{ "d_t_ns", "INTEGER NOT NULL", "and the time" },
	{ "d_step", "INTEGER NOT NULL", "and the step" },
	{ "d_d", "INTEGER NOT NULL", "and d (failcnt of a limit hit)" },
	{ "d_h", "INTEGER NOT NULL", "and h (call of a shrink)" },
	END
};

static const struct table_column mark_columns[] = { { "key", "INTEGER PRIMARY KEY",
						      "of the event" },
						    { "text", "TEXT NOT NULL", "" },
						    END };

static const struct table_column sample_columns[] = {
	{ "key", "INTEGER PRIMARY KEY", "run << 36 | number of the row" },
	{ "t_ns", "INTEGER NOT NULL", "[ns] model time" },
	{ "step", "INTEGER NOT NULL", "" },
	{ "memcg", "INTEGER NOT NULL", "css id" },
	{ "usage", "INTEGER NOT NULL", "[pages]" },
	{ "\"limit\"", "INTEGER NOT NULL", "[pages]" },
	{ "failcnt", "INTEGER NOT NULL", "" },
	{ "inactive_anon", "INTEGER NOT NULL", "[pages]" },
	{ "active_anon", "INTEGER NOT NULL", "[pages]" },
	{ "inactive_file", "INTEGER NOT NULL", "[pages]" },
	{ "active_file", "INTEGER NOT NULL", "[pages]" },
	{ "unevictable", "INTEGER NOT NULL", "[pages]" },
	{ "nr_scanned", "INTEGER NOT NULL", "[pages] so far" },
	{ "nr_reclaimed", "INTEGER NOT NULL", "[pages] so far" },
	END
};

static const struct table_column taken_columns[] = {
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "\"by\"", "INTEGER NOT NULL", "css id: whose charge set off the reclaim" },
	{ "owner", "INTEGER NOT NULL", "css id: whose pages were taken" },
	{ "nr", "INTEGER NOT NULL", "[pages]" },
	END
};

static const struct table_column lock_columns[] = {
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "nr", "INTEGER NOT NULL", "of the class, from 0; the first is that of counters" },
	{ "class", "TEXT NOT NULL", "its name" },
	{ "atomic", "INTEGER NOT NULL", "1: additions to a shared line, no lock" },
	{ "con_bounces", "INTEGER NOT NULL", "contentions while another CPU held it" },
	{ "contentions", "INTEGER NOT NULL", "acquisitions that had to wait" },
	{ "wait_min_ns", "INTEGER NOT NULL", "[ns] least wait on any CPU, 0 if nobody waited" },
	{ "wait_max_ns", "INTEGER NOT NULL", "[ns] longest wait on any CPU" },
	{ "wait_min_sum_ns", "INTEGER NOT NULL", "[ns] least waits added up over CPUs" },
	{ "wait_max_sum_ns", "INTEGER NOT NULL", "[ns] longest waits added up over CPUs" },
	{ "wait_total_ns", "INTEGER NOT NULL", "[ns] of all contentions" },
	{ "acq_bounces", "INTEGER NOT NULL", "acquisitions after another CPU's" },
	{ "acquisitions", "INTEGER NOT NULL", "" },
	{ "hold_min_ns", "INTEGER NOT NULL", "[ns] as for waits" },
	{ "hold_max_ns", "INTEGER NOT NULL", "[ns]" },
	{ "hold_min_sum_ns", "INTEGER NOT NULL", "[ns]" },
	{ "hold_max_sum_ns", "INTEGER NOT NULL", "[ns]" },
	{ "hold_total_ns", "INTEGER NOT NULL", "[ns]" },
	{ "waits", "TEXT NOT NULL",
	  "JSON array: acquisitions that waited 0, below 1 us, 2, 4 ... 128, longer" },
	END
};

static const struct table_column lock_site_columns[] = {
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "lock", "INTEGER NOT NULL", "nr of its class" },
	{ "block", "TEXT NOT NULL CHECK (block IN ('waiters', 'holders'))",
	  "who had to wait, or for whom" },
	{ "nr", "INTEGER NOT NULL", "from 0, in the order in which they occurred" },
	{ "site", "TEXT NOT NULL", "the kernel's function" },
	{ "count", "INTEGER NOT NULL", "contentions" },
	END
};

static const struct table_column log_columns[] = {
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "nr", "INTEGER NOT NULL", "number of the line, from 1" },
	{ "text", "TEXT NOT NULL", "" },
	END
};

static const struct table_column published_columns[] = {
	{ "\"table\"", "TEXT NOT NULL", "of a post" },
	{ "row", "TEXT NOT NULL", "" },
	{ "side", "TEXT NOT NULL", "before, after, or a column of the post" },
	{ "unit", "TEXT NOT NULL", "" },
	{ "published", "REAL NOT NULL", "figure of the post" },
	{ "model", "REAL", "figure of the model; NULL if there is none" },
	{ "error", "REAL", "(model - published) / published" },
	{ "label", "TEXT NOT NULL", "derived, predicted, calibrated ..." },
	{ "tolerance", "REAL", "share of the published figure" },
	{ "ok", "INTEGER", "1 if inside" },
	{ "size", "TEXT NOT NULL", "of the run: full or a share; - if there was none" },
	END
};

static const struct table_column library_columns[] = {
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "name", "TEXT NOT NULL", "as the scenario required it: lib.compile" },
	{ "script", "INTEGER NOT NULL REFERENCES script(id)", "its text" },
	END
};

static const struct table_column program_columns[] = {
	{ "run", "INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "model", "INTEGER NOT NULL", "revision: goes up when results change" },
	{ "build", "TEXT NOT NULL", "compiler and flags" },
	END
};

static const struct table_column keyframe_columns[] = {
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE", "" },
	{ "step", "INTEGER NOT NULL", "steps made; the last one is the run's end" },
	{ "hash", "TEXT NOT NULL", "XXH3-128 of the state, hexadecimal" },
	END
};

static const struct table_column baseline_columns[] = {
	{ "scenario", "TEXT PRIMARY KEY", "its name" },
	{ "run", "INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE",
	  "what others are held against" },
	END
};

static const struct table tables[] = {
	{ "script", "Texts of scenarios.", "", "STRICT", script_columns },
	{ "run", "One row a run.", "", "STRICT", run_columns },
	{ "oplog", "What each run did.", "", "STRICT", oplog_columns },
	{ "metric", "Figures of a run.", ", PRIMARY KEY (run, name)", "STRICT, WITHOUT ROWID",
	  metric_columns },
	{ "expect", "Judged expectations of a run.", ", PRIMARY KEY (run, ord)",
	  "STRICT, WITHOUT ROWID", expect_columns },
	{ "memcg", "Groups of a run.", ", PRIMARY KEY (run, id)", "STRICT, WITHOUT ROWID",
	  memcg_columns },
	{ "kind", "Kinds of events.", "", "STRICT", kind_columns },
	{ "rule", "Rules that events name.", "", "STRICT", rule_columns },
	{ "list", "LRU lists.", "", "STRICT", list_columns },
	{ "nth", "The first numbers.", "", "STRICT", nth_columns },
	{ "figure", "What a sample holds.", "", "STRICT", figure_columns },
	{ "event", "Facts of a run; like ones that follow evenly are one row.", "", "STRICT",
	  event_columns },
	{ "repeat", "Events that stand for many.", "", "STRICT", repeat_columns },
	{ "mark", "Words of marks.", "", "STRICT", mark_columns },
	{ "sample", "A group's figures at a moment.", "", "STRICT", sample_columns },
	{ "taken", "Who took pages from whom.", ", PRIMARY KEY (run, \"by\", owner)",
	  "STRICT, WITHOUT ROWID", taken_columns },
	{ "lock", "Lock statistics, a row a class.", ", PRIMARY KEY (run, nr)",
	  "STRICT, WITHOUT ROWID", lock_columns },
	{ "lock_site", "From where contended locks were taken.",
	  ", PRIMARY KEY (run, lock, block, nr)", "STRICT, WITHOUT ROWID", lock_site_columns },
	{ "log", "What a scenario printed.", ", PRIMARY KEY (run, nr)", "STRICT, WITHOUT ROWID",
	  log_columns },
	{ "published", "The newest check of each published figure.",
	  ", PRIMARY KEY (\"table\", row, side)", "STRICT, WITHOUT ROWID", published_columns },
	{ "library", "Files that a run's scenario required.", ", PRIMARY KEY (run, name)",
	  "STRICT, WITHOUT ROWID", library_columns },
	{ "program", "What made a run.", "", "STRICT", program_columns },
	{ "keyframe", "What a run's state was on the way.", ", PRIMARY KEY (run, step)",
	  "STRICT, WITHOUT ROWID", keyframe_columns },
	{ "baseline", "The run that a scenario is measured by.", "", "STRICT", baseline_columns },
};

/* For a run that is deleted: who refers to it. */
static const char *const indexes[] = {
	"CREATE INDEX IF NOT EXISTS run_pair ON run(pair)",
	"CREATE INDEX IF NOT EXISTS run_parent ON run(parent) WHERE parent IS NOT NULL",
};

/* What every store holds from the start. */
static const char *const fills[] = {
	"CREATE INDEX run_running ON run(state) WHERE state = 'running'",
	"INSERT INTO nth WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c"
	" WHERE n < 1023) SELECT n FROM c",
};

size_t table_count(void)
{
	return sizeof(tables) / sizeof(tables[0]);
}

const struct table *table_at(size_t i)
{
	assert(i < table_count());
	return &tables[i];
}

int64_t table_key(int64_t run, uint64_t nr)
{
	assert(run > 0 && nr >> TABLE_KEY_BITS == 0);
	return run * ((int64_t)1 << TABLE_KEY_BITS) + (int64_t)nr;
}

/* Runs the text of @str and frees it, whatever happens. */
static enum err run_str(sqlite3 *sql, sqlite3_str *str, struct diag *diag)
{
	char *text = sqlite3_str_finish(str);
	enum err err = ERR_OK;

	if (!text)
		return diag_fail(diag, ERR_NOMEM, "no memory for the schema");
	if (sqlite3_exec(sql, text, NULL, NULL, NULL) != SQLITE_OK)
		err = diag_fail(diag, ERR_DB, "schema: %s", sqlite3_errmsg(sql));
	sqlite3_free(text);
	return err;
}

/* Runs each of @n statements. */
static enum err run_all(sqlite3 *sql, const char *const *statements, size_t n, struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < n && !err; i++)
		if (sqlite3_exec(sql, statements[i], NULL, NULL, NULL) != SQLITE_OK)
			err = diag_fail(diag, ERR_DB, "schema: %s", sqlite3_errmsg(sql));
	return err;
}

static enum err create_table(sqlite3 *sql, const struct table *table, struct diag *diag)
{
	sqlite3_str *str = sqlite3_str_new(sql);

	sqlite3_str_appendf(str, "CREATE TABLE IF NOT EXISTS %s (\t-- %s\n", table->name,
			    table->doc);
	for (const struct table_column *c = table->column; c->name; c++) {
		sqlite3_str_appendf(str, "\t%s %s%s", c->name, c->type, c[1].name ? "," : "");
		sqlite3_str_appendf(str, c->doc[0] ? "\t-- %s\n" : "\n", c->doc);
	}
	sqlite3_str_appendf(str, "\t%s) %s", table->tail, table->options);
	return run_str(sql, str, diag);
}

/* Rows that name the engine's lists and figures. */
static enum err fill_names(sqlite3 *sql, struct diag *diag)
{
	enum err err = ERR_OK;

	for (int i = 0; i < NR_LRU && !err; i++) {
		sqlite3_str *str = sqlite3_str_new(sql);

		sqlite3_str_appendf(str, "INSERT INTO list VALUES (%d, %Q)", i,
				    lru_name((enum lru)i));
		err = run_str(sql, str, diag);
	}
	for (size_t i = 0; i < sample_desc_count() && !err; i++) {
		const struct sample_desc *desc = sample_desc_at(i);
		sqlite3_str *str = sqlite3_str_new(sql);

		sqlite3_str_appendf(str, "INSERT INTO figure VALUES (%d, %Q, %Q)", (int)i,
				    desc->name, desc->unit);
		err = run_str(sql, str, diag);
	}
	return err;
}

/* SQLite keeps a table's text without the IF NOT EXISTS.  Views hold nothing. */
enum err table_complete(sqlite3 *sql, struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < table_count() && !err; i++)
		err = create_table(sql, &tables[i], diag);
	for (size_t i = 0; i < table_view_count() && !err; i++) {
		const struct table_view *view = table_view_at(i);
		sqlite3_str *str = sqlite3_str_new(sql);

		sqlite3_str_appendf(str, "DROP VIEW IF EXISTS %s; CREATE VIEW %s AS\t-- %s\n%s",
				    view->name, view->name, view->doc, view->sql);
		err = run_str(sql, str, diag);
	}
	return err ? err : run_all(sql, indexes, sizeof(indexes) / sizeof(indexes[0]), diag);
}

enum err table_create(sqlite3 *sql, struct diag *diag)
{
	enum err err = table_complete(sql, diag);

	if (!err)
		err = run_all(sql, fills, sizeof(fills) / sizeof(fills[0]), diag);
	return err ? err : fill_names(sql, diag);
}
