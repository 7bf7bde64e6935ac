/*
 * The views of the store: what users and programs ask, with names in place
 * of numbers and repeats spelled out.  They hold nothing and are made anew
 * with each new schema.
 */
#include "table.h"

#include <assert.h>

/*
 * In the views "key BETWEEN r.id << 36 AND ..." picks the rows of run r.id, a
 * range of the packed key, and CROSS JOIN fixes the order of the loops: run,
 * its rows, then the repeats of each.
 */
static const struct table_view views[] = {
	{ "v_runs", "one row a run",
	  "SELECT id AS run, uuid, scenario, kernel, alias, seed, state, parent, step, created,"
	  " wall_ns, tag, note, steps, version, error, id IN (SELECT run FROM baseline)"
	  " AS baseline FROM run" },
	{ "v_metrics", "figures of runs",
	  "SELECT m.run AS run, r.kernel AS kernel, m.name AS name, m.unit AS unit,"
	  " m.better AS better, m.value AS value"
	  " FROM metric AS m JOIN run AS r ON r.id = m.run" },
	{ "v_expect", "judged expectations",
	  "SELECT run, text, label, ok, value, wanted FROM expect" },
	{ "v_events", "every stored fact",
	  "SELECT r.id AS run, (e.key & 68719476735) + coalesce(i.n * p.d_seq, 0) AS seq,"
	  " e.t_ns + coalesce(i.n * p.d_t_ns, 0) AS t_ns, k.name AS kind, e.cpu AS cpu,"
	  " m.path AS memcg, u.name AS rule, e.a AS a, e.b AS b, e.c AS c,"
	  " e.d + coalesce(i.n * p.d_d, 0) AS d, e.e AS e, e.f AS f, e.g AS g,"
	  " e.h + coalesce(i.n * p.d_h, 0) AS h"
	  " FROM run AS r CROSS JOIN event AS e"
	  " ON e.key BETWEEN r.id << 36 AND (r.id << 36) + 68719476735"
	  " LEFT JOIN repeat AS p ON p.key = e.key"
	  " CROSS JOIN nth AS i ON i.n < coalesce(p.n, 1)"
	  " LEFT JOIN memcg AS m ON m.run = r.id AND m.id = e.memcg"
	  " LEFT JOIN kind AS k ON k.id = e.kind"
	  " LEFT JOIN rule AS u ON u.id = e.rule" },
	{ "v_scan", "every call that shrank an inactive list",
	  "SELECT r.id AS run, e.h + coalesce(i.n * p.d_h, 0) AS call,"
	  " e.t_ns + coalesce(i.n * p.d_t_ns, 0) AS t_ns, m.path AS memcg, 'Normal' AS zone,"
	  " l.name AS list, e.b AS size, e.c AS priority,"
	  " e.d + coalesce(i.n * p.d_d, 0) AS nr_to_scan, e.e AS nr_taken, e.f AS nr_scanned,"
	  " e.g AS nr_reclaimed"
	  " FROM run AS r CROSS JOIN event AS e"
	  " ON e.key BETWEEN r.id << 36 AND (r.id << 36) + 68719476735"
	  " LEFT JOIN repeat AS p ON p.key = e.key"
	  " CROSS JOIN nth AS i ON i.n < coalesce(p.n, 1)"
	  " LEFT JOIN memcg AS m ON m.run = r.id AND m.id = e.memcg"
	  " LEFT JOIN kind AS k ON k.id = e.kind"
	  " LEFT JOIN list AS l ON l.id = e.a WHERE k.name = 'shrink'" },
	{ "v_marks", "marks with their words",
	  "SELECT r.id AS run, t.key & 68719476735 AS seq, e.t_ns AS t_ns, e.step AS step,"
	  " t.text AS text, e.a AS value FROM run AS r CROSS JOIN mark AS t"
	  " ON t.key BETWEEN r.id << 36 AND (r.id << 36) + 68719476735"
	  " JOIN event AS e ON e.key = t.key" },
	{ "v_series", "figures of groups over time",
	  "SELECT r.id AS run, s.t_ns AS t_ns, m.path AS memcg, f.name AS name, CASE f.name"
	  " WHEN 'usage' THEN s.usage WHEN 'limit' THEN s.\"limit\" WHEN 'failcnt' THEN s.failcnt"
	  " WHEN 'inactive_anon' THEN s.inactive_anon WHEN 'active_anon' THEN s.active_anon"
	  " WHEN 'inactive_file' THEN s.inactive_file WHEN 'active_file' THEN s.active_file"
	  " WHEN 'unevictable' THEN s.unevictable WHEN 'nr_scanned' THEN s.nr_scanned"
	  " WHEN 'nr_reclaimed' THEN s.nr_reclaimed END AS value"
	  " FROM run AS r CROSS JOIN sample AS s"
	  " ON s.key BETWEEN r.id << 36 AND (r.id << 36) + 68719476735 CROSS JOIN figure AS f"
	  " LEFT JOIN memcg AS m ON m.run = r.id AND m.id = s.memcg" },
	/* A group that no event ever named has no path; the root needs none. */
	{ "v_taken", "who took pages from whom",
	  "SELECT t.run AS run,"
	  " coalesce(b.path, iif(t.\"by\" = 1, '/', '#' || t.\"by\")) AS \"by\","
	  " coalesce(o.path, iif(t.owner = 1, '/', '#' || t.owner)) AS owner, t.nr AS nr"
	  " FROM taken AS t LEFT JOIN memcg AS b ON b.run = t.run AND b.id = t.\"by\""
	  " LEFT JOIN memcg AS o ON o.run = t.run AND o.id = t.owner" },
	{ "v_lock", "lock_stat of runs, times in us, least and longest of any CPU",
	  "SELECT run, class, con_bounces, contentions, wait_min_ns / 1000.0 AS waittime_min,"
	  " wait_max_ns / 1000.0 AS waittime_max, wait_total_ns / 1000.0 AS waittime_total,"
	  " acq_bounces, acquisitions, hold_min_ns / 1000.0 AS holdtime_min,"
	  " hold_max_ns / 1000.0 AS holdtime_max, hold_total_ns / 1000.0 AS holdtime_total"
	  " FROM lock WHERE NOT atomic" },
	{ "v_lock_site", "from where contended locks were taken",
	  "SELECT s.run AS run, l.class AS class, s.block AS block, s.site AS site,"
	  " s.count AS count FROM lock_site AS s JOIN lock AS l ON l.run = s.run"
	  " AND l.nr = s.lock WHERE NOT l.atomic" },
	{ "v_files", "the text of every Lua file of a run",
	  "SELECT r.id AS run, coalesce(r.file, r.scenario) AS file, s.text AS text FROM run AS r"
	  " JOIN script AS s ON s.id = r.script UNION ALL"
	  " SELECT l.run, 'scripts/' || replace(l.name, '.', '/') || '.lua', s.text"
	  " FROM library AS l JOIN script AS s ON s.id = l.script" },
	{ "v_keyframes", "hashes of a run's states", "SELECT run, step, hash FROM keyframe" },
	{ "v_log", "what scenarios printed", "SELECT run, nr, text FROM log" },
	{ "v_published", "published figures and the model's, of the newest check of each",
	  "SELECT \"table\", row, side, unit, published, model, error, label, tolerance, ok, size"
	  " FROM published" },
};

size_t table_view_count(void)
{
	return sizeof(views) / sizeof(views[0]);
}

const struct table_view *table_view_at(size_t i)
{
	assert(i < table_view_count());
	return &views[i];
}
