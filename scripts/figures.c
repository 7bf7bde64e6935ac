/*
 * r, see figures.h: r.scan, r.total, r.group[path], r.node[N], r.taken[by][owner],
 * r.task[name], r.mark[text], r.lock[name], r.page_cgroup, r.exec, r.stat, r.kernel,
 * r.axis[name], r.spread(), and each metric by its name.
 *
 * Usage, limits and other amounts of groups are in bytes, as limits are
 * written; beside each stands the same number in pages.
 */
#include "figures.h"

#include <string.h>

#include <lauxlib.h>

#include "exec_counts.h"
#include "guard.h"
#include "kmem.h"
#include "memory_stat.h"
#include "stat_counts.h"

/* Of the whole run, over all inactive and active lists that were shrunk. */
static const char *const scan_names[] = {
	"nr_to_scan", "nr_scanned", "nr_taken", "nr_reclaimed", "nr_rotated", "nr_activated",
	"nr_deactivated",
};

static const struct refusal refused[] = {
	{ "series", "series are in the store (v_series), not yet in Lua" },
	{ "events", "events are in the store (v_events), not yet in Lua" },
	{ NULL, NULL }
};

/* A metric without a value is nil; one that comes later is a mistake. */
static int metric_absent(lua_State *L);

static const struct guard r_guard = { "r", refused, metric_absent };
static const struct guard scan_guard = { "r.scan", NULL, NULL };
static const struct guard total_guard = { "r.total", NULL, NULL };
static const struct guard groups_guard = { "r.group", NULL, NULL };
static const struct guard group_guard = { "r.group[…]", NULL, NULL };
static const struct guard stat_file_guard = { "r.group[…].memory_stat", NULL, NULL };
static const struct guard kmem_guard = { "r.group[…].kmem_parts", NULL, NULL };
static const struct guard taken_guard = { "r.taken", NULL, NULL };
static const struct guard row_guard = { "r.taken[…]", NULL, NULL };
static const struct guard axis_guard = { "r.axis", NULL, NULL };
static const struct guard mark_guard = { "r.mark", NULL, NULL };
static const struct guard tasks_guard = { "r.task", NULL, NULL };
static const struct guard task_guard = { "r.task[…]", NULL, NULL };
static const struct guard exec_guard = { "r.exec", NULL, NULL };
static const struct guard stat_guard = { "r.stat", NULL, NULL };
static const struct guard pcg_guard = { "r.page_cgroup", NULL, NULL };

static int metric_absent(lua_State *L)
{
	const struct script *script = loaded_of(L);
	const char *name = lua_tostring(L, 2);

	for (size_t i = 0; i < script->nr_metric_decls; i++) {
		if (strcmp(script->metric_decl[i].name, name) != 0)
			continue;
		if (script->own_metrics + i < script->nr_metrics)
			return 0;
		return host_raise(L, ERR_SCENARIO,
				  "r.%s: this metric is computed later; declare it first", name);
	}
	return guard_unknown(L, &r_guard, 1, 2);
}

void figures_set_count(lua_State *L, const char *name, uint64_t value)
{
	lua_pushinteger(L, (lua_Integer)value);
	lua_setfield(L, -2, name);
}

static void set_flag(lua_State *L, const char *name, bool value)
{
	lua_pushboolean(L, value);
	lua_setfield(L, -2, name);
}

static uint64_t total_value(const struct run_totals *totals, size_t i)
{
	uint64_t value;

	memcpy(&value, (const char *)totals + run_totals_at(i)->offset, sizeof(value));
	return value;
}

static bool is_scan_name(const char *name)
{
	for (size_t i = 0; i < sizeof(scan_names) / sizeof(scan_names[0]); i++)
		if (!strcmp(scan_names[i], name))
			return true;
	return false;
}

/* r.total, or only those of its members that make r.scan. */
static void push_totals(lua_State *L, const struct run *run, bool scan)
{
	struct run_totals totals;

	run_totals(run, &totals);
	lua_newtable(L);
	for (size_t i = 0; i < run_totals_count(); i++)
		if (!scan || is_scan_name(run_totals_at(i)->name))
			figures_set_count(L, run_totals_at(i)->name, total_value(&totals, i));
	guard_push(L, scan ? &scan_guard : &total_guard);
}

void figures_push_totals(lua_State *L, const struct run *run)
{
	push_totals(L, run, false);
}

/* In bytes, and in pages with "_pages" behind the name. */
static void push_group_amounts(lua_State *L, const struct run_memcg *memcg)
{
	const struct { const char *name; pages_t pages; } amounts[] = {
		{ "usage", memcg->usage },
		{ "limit", memcg->limit },
		{ "peak", memcg->peak },
		{ "kmem", memcg->kmem },
		{ "rss", memcg->memory },
		{ "cache", memcg->charged - memcg->memory },
		{ "shmem", memcg->shmem },
		{ "mapped", memcg->mapped },
		{ "dirty", memcg->dirty },
		{ "writeback", memcg->writeback },
		{ "min", memcg->min },
		{ "low", memcg->low },
		{ "high", memcg->high },
		{ "soft", memcg->soft },
		{ "swap", memcg->swap_usage },
		{ "swap_max", memcg->swap_max },
		{ "memsw", memcg->memsw_limit },
		{ "memsw_usage", memcg->memsw_usage },
		{ "memsw_peak", memcg->memsw_peak },
	};

	for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++) {
		figures_set_count(L, amounts[i].name, amounts[i].pages * PAGE_BYTES);
		lua_pushfstring(L, "%s_pages", amounts[i].name);
		lua_pushinteger(L, (lua_Integer)amounts[i].pages);
		lua_rawset(L, -3);
	}
}

static void push_group_counts(lua_State *L, const struct run_memcg *memcg)
{
	const struct { const char *name; uint64_t value; } counts[] = {
		{ "id", memcg->id },
		{ "nr_dying", memcg->nr_dying },
		{ "stock_pages", memcg->stock },
		{ "charged_pages", memcg->charged },
		{ "queued_pages", memcg->queued },
		{ "failcnt", memcg->failcnt },
		{ "memsw_failcnt", memcg->memsw_failcnt },
		{ "limit_hits", memcg->limit_hits },
		{ "oom_kills", memcg->oom_kills },
		{ "oom_events", memcg->oom_events },
		{ "oom_group_kills", memcg->oom_group_kills },
		{ "low_events", memcg->low_events },
		{ "high_events", memcg->high_events },
		{ "max_events", memcg->max_events },
		{ "swappiness", (uint64_t)memcg->swappiness },
		{ "nr_charged", memcg->nr_charged },
		{ "nr_uncharged", memcg->nr_uncharged },
		{ "nr_to_scan", memcg->nr_to_scan },
		{ "nr_scanned", memcg->nr_scanned },
		{ "nr_taken", memcg->nr_taken },
		{ "nr_reclaimed", memcg->nr_reclaimed },
		{ "nr_rotated", memcg->nr_rotated },
		{ "nr_activated", memcg->nr_activated },
		{ "nr_deactivated", memcg->nr_deactivated },
		{ "nr_refault_file", memcg->nr_refault_file },
		{ "nr_refault_anon", memcg->nr_refault_anon },
		{ "nr_refault_activate", memcg->nr_refault_activate },
		{ "nr_reread", memcg->nr_reread },
		{ "majfault", memcg->majfault },
		{ "stall_ns", memcg->stall_ns },
		{ "nr_nodes", memcg->nr_nodes },
		{ "nr_shadow_nodes", memcg->nr_shadow_nodes },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		figures_set_count(L, counts[i].name, counts[i].value);
	for (int lru = 0; lru < NR_LRU; lru++)
		figures_set_count(L, lru_name((enum lru)lru), memcg->size[lru]);
}

/* Its memory.stat: names and units of the run's kernel, and only what the model knows. */
static void push_memory_stat(lua_State *L, const struct run *run, uint32_t memcg)
{
	struct memory_stat line;

	lua_newtable(L);
	for (uint32_t i = 0; memory_stat_line(run, memcg, i, &line); i++)
		if (line.modelled)
			figures_set_count(L, line.name, line.value);
	guard_push(L, &stat_file_guard);
}

/* Its kernel memory by what it is [bytes], with that of its subtree. */
static void push_kmem(lua_State *L, const struct run *run, uint32_t memcg)
{
	bytes_t bytes[NR_KMEM_PARTS];

	run_kmem(run, memcg, bytes);
	lua_newtable(L);
	for (int part = 0; part < NR_KMEM_PARTS; part++)
		figures_set_count(L, kmem_part_name((enum kmem_part)part), bytes[part]);
	guard_push(L, &kmem_guard);
}

void figures_push_group(lua_State *L, const struct run *run, const struct run_memcg *memcg)
{
	lua_newtable(L);
	push_kmem(L, run, memcg->id);
	lua_setfield(L, -2, "kmem_parts");
	push_memory_stat(L, run, memcg->id);
	lua_setfield(L, -2, "memory_stat");
	push_group_amounts(L, memcg);
	push_group_counts(L, memcg);
	set_flag(L, "hierarchy", memcg->hierarchy);
	set_flag(L, "under_oom", memcg->under_oom);
	set_flag(L, "dying", memcg->dying);
	figures_push_group_nodes(L, run, memcg->id);
	lua_setfield(L, -2, "node");
	figures_push_walks(L, run, memcg->id);
	lua_setfield(L, -2, "walks");
	guard_push(L, &group_guard);
}

static void push_groups(lua_State *L, const struct run *run)
{
	struct run_memcg memcg;

	lua_newtable(L);
	for (uint32_t id = 1; id <= run_memcg_max(run); id++) {
		/* A removed group is found by its path until another one has it. */
		if (!run_memcg(run, id, &memcg) || (memcg.dying && run_memcg_find(run, memcg.path)))
			continue;
		figures_push_group(L, run, &memcg);
		lua_setfield(L, -2, memcg.path);
	}
	guard_push(L, &groups_guard);
}

/* Whose pages a group took: none of any group, to begin with. */
static void push_taken_row(lua_State *L, const struct run *run)
{
	struct run_memcg memcg;

	lua_newtable(L);
	for (uint32_t id = 1; id <= run_memcg_max(run); id++)
		if (run_memcg(run, id, &memcg))
			figures_set_count(L, memcg.path, 0);
	guard_push(L, &row_guard);
}

/* r.taken[by][owner], in pages; those that took nothing share one row. */
static void push_taken(lua_State *L, const struct run *run)
{
	int rows = lua_gettop(L) + 1, none = rows + 1;
	struct run_memcg by, owner;
	uint32_t by_id, owner_id;
	uint64_t nr;

	lua_newtable(L);
	push_taken_row(L, run);
	for (uint32_t id = 1; id <= run_memcg_max(run); id++) {
		if (!run_memcg(run, id, &by))
			continue;
		lua_pushvalue(L, none);
		lua_setfield(L, rows, by.path);
	}
	for (uint32_t i = 0; run_taken(run, i, &by_id, &owner_id, &nr); i++) {
		if (!run_memcg(run, by_id, &by) || !run_memcg(run, owner_id, &owner))
			continue;
		lua_getfield(L, rows, by.path);
		if (lua_rawequal(L, -1, none)) {
			push_taken_row(L, run);
			lua_pushvalue(L, -1);
			lua_setfield(L, rows, by.path);
		}
		lua_pushinteger(L, (lua_Integer)nr);
		guard_set(L, -2, owner.path);
		lua_settop(L, none);
	}
	lua_settop(L, rows);
	guard_push(L, &taken_guard);
}

/* Of tasks with the same name the one that was made first is shown. */
static void push_tasks(lua_State *L, const struct run *run)
{
	struct run_task task;
	struct run_memcg memcg;

	lua_newtable(L);
	for (uint32_t id = run_task_max(run); id >= 1; id--) {
		if (!run_task(run, id, &task))
			continue;
		lua_newtable(L);
		set_flag(L, "alive", task.alive);
		figures_set_count(L, "rss", task.rss * PAGE_BYTES);
		figures_set_count(L, "rss_pages", task.rss);
		figures_set_count(L, "cpu", task.cpu);
		if (run_memcg(run, task.memcg, &memcg)) {
			lua_pushstring(L, memcg.path);
			lua_setfield(L, -2, "group");
		}
		guard_push(L, &task_guard);
		lua_setfield(L, -2, task.name);
	}
	guard_push(L, &tasks_guard);
}

/* Address of the marks in the registry, which needs no memory to be looked up. */
static const char marks_key[] = "marks";

void figures_keep_mark(lua_State *L, const char *name, int64_t value)
{
	if (lua_rawgetp(L, LUA_REGISTRYINDEX, marks_key) != LUA_TTABLE) {
		lua_pop(L, 1);
		lua_newtable(L);
		lua_pushvalue(L, -1);
		lua_rawsetp(L, LUA_REGISTRYINDEX, marks_key);
	}
	figures_set_count(L, name, (uint64_t)value);
	lua_pop(L, 1);
}

/* The marks are kept in the state of @subject; walking them there raises nothing. */
static void push_marks(lua_State *L, const struct script *subject)
{
	lua_State *from = subject->host.L;
	int out, marks;

	lua_newtable(L);
	out = lua_gettop(L);
	if (lua_rawgetp(from, LUA_REGISTRYINDEX, marks_key) == LUA_TTABLE) {
		marks = lua_gettop(from);
		for (lua_pushnil(from); lua_next(from, marks); lua_pop(from, 1)) {
			lua_pushinteger(L, lua_tointeger(from, -1));
			lua_setfield(L, out, lua_tostring(from, L == from ? -3 : -2));
		}
	}
	lua_pop(from, 1);
	guard_push(L, &mark_guard);
}

static void push_page_cgroup(lua_State *L, const struct run *run)
{
	const struct scenario *sc = run_scenario(run);
	const struct pcg_layout *layout = pcg_layout_at(sc->era.value[AXIS_OWNER]);

	lua_newtable(L);
	figures_set_count(L, "bytes", pcg_array_bytes(layout, &sc->memory));
	figures_set_count(L, "entries", pcg_entries(&sc->memory));
	figures_set_count(L, "sections", pcg_sections(&sc->memory));
	figures_set_count(L, "record_bytes", pcg_record_bytes(layout, sc->memory.arch));
	figures_set_count(L, "ram", pcg_ram_bytes(&sc->memory));
	guard_push(L, &pcg_guard);
}

/* r.exec: replacing processes by themselves, and the look-ups of that. */
static void push_exec(lua_State *L, const struct run *run)
{
	struct run_exec exec;

	run_exec(run, &exec);
	lua_newtable(L);
	figures_set_count(L, "nr_execs", exec.nr_execs);
	figures_set_count(L, "nr_lookups", exec.nr_lookups);
	figures_set_count(L, "nr_hits", exec.nr_hits);
	figures_set_count(L, "nr_evictions", exec.nr_evictions);
	figures_set_count(L, "exec_ns", exec.exec_ns);
	guard_push(L, &exec_guard);
}

/* r.stat: what keeping statistics of groups has taken. */
static void push_stat(lua_State *L, const struct run *run)
{
	struct run_stat_counts stat;

	run_stat_counts(run, &stat);
	lua_newtable(L);
	figures_set_count(L, "nr_brackets", stat.nr_brackets);
	figures_set_count(L, "nr_move_locked", stat.nr_move_locked);
	figures_set_count(L, "nr_root_skipped", stat.nr_root_skipped);
	figures_set_count(L, "stat_ns", stat.stat_ns);
	guard_push(L, &stat_guard);
}

/* r.axis: which rule of each axis the kernel follows, in the words of its table. */
static void push_axes(lua_State *L, const struct era *era)
{
	lua_createtable(L, 0, NR_AXES);
	for (int axis = 0; axis < NR_AXES; axis++) {
		lua_pushstring(L, era_value_name(era, (enum axis)axis));
		lua_setfield(L, -2, axis_at((enum axis)axis)->name);
	}
	guard_push(L, &axis_guard);
}

/* Pushes nothing for a metric without a value. */
static bool push_metric(lua_State *L, const struct metric *metric)
{
	if (metric->missing)
		return false;
	if (metric->is_text)
		lua_pushstring(L, metric->text);
	else if (metric->is_real)
		lua_pushnumber(L, metric->real);
	else
		lua_pushinteger(L, metric->integer);
	return true;
}

void figures_add_metric(lua_State *L, int index, const struct metric *metric)
{
	index = lua_absindex(L, index);
	if (push_metric(L, metric))
		guard_set(L, index, metric->name);
}

void figures_push(lua_State *L, const struct script *subject)
{
	const struct run *run = subject->run;

	lua_newtable(L);
	push_totals(L, run, true);
	lua_setfield(L, -2, "scan");
	figures_push_totals(L, run);
	lua_setfield(L, -2, "total");
	push_marks(L, subject);
	lua_setfield(L, -2, "mark");
	push_groups(L, run);
	figures_push_spread(L, lua_gettop(L));
	lua_setfield(L, -3, "spread");
	lua_setfield(L, -2, "group");
	push_taken(L, run);
	lua_setfield(L, -2, "taken");
	push_tasks(L, run);
	lua_setfield(L, -2, "task");
	figures_push_nodes(L, run);
	lua_setfield(L, -2, "node");
	figures_push_locks(L, run);
	lua_setfield(L, -2, "lock");
	push_page_cgroup(L, run);
	lua_setfield(L, -2, "page_cgroup");
	push_exec(L, run);
	lua_setfield(L, -2, "exec");
	push_stat(L, run);
	lua_setfield(L, -2, "stat");
	lua_pushstring(L, run_scenario(run)->era.name);
	lua_setfield(L, -2, "kernel");
	push_axes(L, &run_scenario(run)->era);
	lua_setfield(L, -2, "axis");
	for (size_t i = 0; i < subject->nr_metrics; i++)
		if (push_metric(L, &subject->metric[i]))
			lua_setfield(L, -2, subject->metric[i].name);
	guard_push(L, &r_guard);
}
