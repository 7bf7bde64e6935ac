/*
 * The tables of event kinds and of sample columns.  db, Lua, TUI and golden
 * files print from these rows, so one thing has one name everywhere.
 */
#include "event.h"

#include <assert.h>
#include <string.h>

static const struct event_desc event_table[NR_EVENT_KINDS] = {
	[EVENT_SHRINK] = {
		"shrink", "an inactive list of a group was shrunk",
		{ "list", "size", "priority", "nr_to_scan", "nr_taken", "nr_scanned",
		  "nr_reclaimed", "call" },
		{ "list", "pages", "", "pages", "pages", "pages", "pages", "" }, true },
	[EVENT_DEACTIVATE] = {
		"deactivate", "the tail of an active list was moved over",
		{ "list", "size", "priority", "nr_to_scan", "nr_taken", "nr_deactivated" },
		{ "list", "pages", "", "pages", "pages", "pages" }, true },
	[EVENT_LIMIT_HIT] = {
		"limit_hit", "a charge was refused and reclaim begins",
		{ "at", "usage", "limit", "failcnt", "pages", "task" },
		{ "css id", "pages", "pages", "", "pages", "" }, true },
	[EVENT_RECLAIM] = {
		"reclaim", "one priority loop over a target ended",
		{ "target", "priority", "nr_scanned", "nr_reclaimed", "returned" },
		{ "css id", "", "pages", "pages", "pages" }, false },
	[EVENT_PAGE] = {
		"page", "the decision about one page",
		{ "file", "index", "list", "referenced", "dirty", "outcome" },
		{ "", "pages", "list", "", "", "list, -1 freed" }, false },
	[EVENT_CACHE] = {
		"cache", "a folio of a file entered or left the page cache",
		{ "file", "index", "added", "nr_pages" }, { "", "pages", "", "pages" }, false },
	[EVENT_SHADOWS] = {
		"shadows", "the shrinker of shadow nodes was asked",
		{ "due", "freed" }, { "nodes", "nodes" }, false },
	[EVENT_WAIT] = {
		"wait", "reclaim or a writer slept because of dirty pages",
		{ "slept", "task", "dirty", "writeback", "limit" },
		{ "ns", "", "pages", "pages", "pages" }, true },
	[EVENT_OOM] = {
		"oom", "reclaim failed: out of memory",
		{ "at", "victim", "score", "nr_freed", "rounds" },
		{ "css id", "task", "", "pages", "" }, true },
	[EVENT_LIMIT_SET] = {
		"limit_set", "a limit was written",
		{ "old", "new", "usage", "done" },
		{ "pages", "pages", "pages", "" }, true },
	[EVENT_REMOVE] = {
		"remove", "a group was removed, or the last page of a removed one is gone",
		{ "nr_before", "nr_left", "nr_dying" }, { "pages", "pages", "" }, true },
	[EVENT_MARK] = {
		"mark", "a mark of the scenario",
		{ "value", "id" }, { "", "" }, true },
	[EVENT_WALK] = {
		"walk", "where a walk over the group's hierarchy stands, told with a sample",
		{ "node", "zone", "priority", "last", "rounds" },
		{ "-1 all", "-1 all", "-1 all", "css id", "" }, true },
};

static const char *const lru_names[NR_LRU] = {
	"inactive_anon", "active_anon", "inactive_file", "active_file", "unevictable",
};

static const struct sample_desc sample_table[] = {
	{ "usage", "pages", offsetof(struct sample, usage) },
	{ "limit", "pages", offsetof(struct sample, limit) },
	{ "failcnt", "", offsetof(struct sample, failcnt) },
	{ "inactive_anon", "pages", offsetof(struct sample, size[LRU_INACTIVE_ANON]) },
	{ "active_anon", "pages", offsetof(struct sample, size[LRU_ACTIVE_ANON]) },
	{ "inactive_file", "pages", offsetof(struct sample, size[LRU_INACTIVE_FILE]) },
	{ "active_file", "pages", offsetof(struct sample, size[LRU_ACTIVE_FILE]) },
	{ "unevictable", "pages", offsetof(struct sample, size[LRU_UNEVICTABLE]) },
	{ "nr_scanned", "pages", offsetof(struct sample, nr_scanned) },
	{ "nr_reclaimed", "pages", offsetof(struct sample, nr_reclaimed) },
};

const struct event_desc *event_at(enum event_kind kind)
{
	assert(kind >= 0 && kind < NR_EVENT_KINDS);
	return &event_table[kind];
}

const char *lru_name(enum lru lru)
{
	assert(lru >= 0 && lru < NR_LRU);
	return lru_names[lru];
}

size_t sample_desc_count(void)
{
	return sizeof(sample_table) / sizeof(sample_table[0]);
}

const struct sample_desc *sample_desc_at(size_t i)
{
	assert(i < sample_desc_count());
	return &sample_table[i];
}

uint64_t sample_value(const struct sample *sample, size_t i)
{
	uint64_t value;

	memcpy(&value, (const char *)sample + sample_desc_at(i)->offset, sizeof(value));
	return value;
}
