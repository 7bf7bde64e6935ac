/*
 * The counting sink.  Which events make up a counter is said here once; the
 * names are those of the recorded columns, so figures can be compared by
 * name.  MODEL: nobody but the tasks and the controller moves pages.
 */
#include "real_count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const counter_names[NR_REAL_COUNTERS] = {
	"calls", "calls_reclaimed", "calls_empty", "soft_calls",
	"f_shrinks", "f_scanned", "f_taken", "f_reclaimed", "f_activated",
	"f_kept", "f_dirty", "f_writeback", "F_shrinks", "F_taken",
	"F_deactivated", "F_rotated", "a_shrinks", "a_scanned", "a_taken",
	"a_reclaimed", "a_activated", "a_kept", "A_shrinks", "A_taken",
	"A_deactivated", "shadow_shrinks", "shadow_freed", "pageouts",
	"throttled",
};

/* Eight bytes, the lowest first.  A state of 0 means that nothing was hashed yet: the hash of
 * something is as good as never 0. */
uint64_t real_hash(uint64_t hash, uint64_t file, uint64_t page)
{
	uint64_t word = file << 48 | page;

	if (hash == 0)
		hash = 0xcbf29ce484222325u;
	for (int i = 0; i < 8; i++)
		hash = (hash ^ (word >> 8 * i & 0xff)) * 0x100000001b3u;
	return hash;
}

/* ---- events ---- */

/* A call is one priority loop over one target, whoever was waiting for it. */
static void on_reclaim(struct real_tally *tally, const struct event *event)
{
	int64_t freed = event->n[RECL_RECLAIMED];

	tally->count[COUNT_CALLS]++;
	tally->count[COUNT_CALLS_RECLAIMED] += freed;
	tally->count[COUNT_CALLS_EMPTY] += freed == 0;
}

/* An inactive list was shrunk: one isolation, as the tracepoint counts it.  What stayed is
 * counted page by page, because the event does not say whether it was kept or activated. */
static void on_shrink(struct real_tally *tally, const struct event *event)
{
	bool file = event->n[SHRINK_LIST] == LRU_INACTIVE_FILE;
	int64_t *count = tally->count + (file ? COUNT_F_SHRINKS : COUNT_A_SHRINKS);

	/* The order of the counters is the same for both kinds of list. */
	count[0]++;
	count[1] += event->n[SHRINK_SCANNED];
	count[2] += event->n[SHRINK_TAKEN];
	count[3] += event->n[SHRINK_RECLAIMED];
	if (event->n[SHRINK_PRIORITY] >= 0 && event->n[SHRINK_PRIORITY] < REAL_PRIORITIES)
		tally->priority[event->n[SHRINK_PRIORITY]]++;
}

/* What each decision about a page counts as; a dirty page may be one under writeback. */
struct outcome {
	bool activated, kept, dirty, written;
};

static const struct outcome outcomes[NR_RULES] = {
	[RULE_KEEP_HELD] = { .kept = true },
	[RULE_KEEP_USED] = { .kept = true },
	[RULE_ACTIVATE_USED] = { .activated = true },
	[RULE_ACTIVATE_NO_SWAP] = { .activated = true },
	[RULE_SWAP_OUT] = { .written = true },
	[RULE_WRITE_SWAP] = { .written = true },
	[RULE_KEEP_WRITEBACK] = { .kept = true, .dirty = true },
	[RULE_WRITE_OUT] = { .kept = true, .dirty = true, .written = true },
	[RULE_KEEP_DIRTY] = { .kept = true, .dirty = true },
	[RULE_ACTIVATE_DIRTY] = { .activated = true, .dirty = true },
};

/* A page that was looked at.  Uses activate pages too: their rules count as nothing here. */
static void on_page(struct real_tally *tally, const struct event *event)
{
	const struct outcome *outcome = &outcomes[event->rule];
	bool file = event->n[PAGE_LIST] == LRU_INACTIVE_FILE;
	int64_t *count = tally->count + (file ? COUNT_F_ACTIVATED : COUNT_A_ACTIVATED);

	count[0] += outcome->activated;
	count[1] += outcome->kept;
	tally->count[COUNT_F_DIRTY] += file && outcome->dirty;
	tally->count[COUNT_F_WRITEBACK] += file && outcome->dirty && !event->n[PAGE_DIRTY];
	tally->count[COUNT_PAGEOUTS] += outcome->written;
}

/* An active list was shrunk; anonymous lists have no column for what was rotated. */
static void on_deactivate(struct real_tally *tally, const struct event *event)
{
	bool file = event->n[DEACT_LIST] == LRU_ACTIVE_FILE;
	int64_t *count = tally->count + (file ? COUNT_FA_SHRINKS : COUNT_AA_SHRINKS);

	count[0]++;
	count[1] += event->n[DEACT_TAKEN];
	count[2] += event->n[DEACT_DEACTIVATED];
	if (file)
		count[3] += event->n[DEACT_TAKEN] - event->n[DEACT_DEACTIVATED];
}

/* Every so many evictions a milestone is kept, to find where two orders part. */
static enum err keep_milestone(struct real_count *count, uint64_t file, uint64_t page,
			       struct diag *diag)
{
	struct real_trail *trail = &count->out->trail;
	struct real_eviction *mark;

	if (trail->nr == trail->room) {
		size_t room = trail->room ? 2 * trail->room : 64;

		mark = realloc(trail->eviction, room * sizeof(*mark));
		if (mark == NULL)
			return diag_fail(diag, ERR_NOMEM, "no memory for evictions");
		trail->eviction = mark;
		trail->room = room;
	}
	mark = &trail->eviction[trail->nr++];
	*mark = (struct real_eviction){ count->total_evicted, count->total_added, page,
					count->total_hash, "" };
	memcpy(mark->file, count->exp->file[file].name, REAL_WORD_MAX);
	return ERR_OK;
}

/* A folio of a file came or went: the first page stands for it.  Files are numbered in the order
 * of their records, which is the ordinal that the recorded hashes are made of. */
static enum err on_cache(struct real_count *count, struct real_tally *tally,
			 const struct event *event, struct diag *diag)
{
	uint64_t file = (uint64_t)event->n[CACHE_FILE] - count->first_file;
	uint64_t page = (uint64_t)event->n[CACHE_INDEX];
	int64_t nr = event->n[CACHE_PAGES];

	if (file >= count->exp->nr_files)
		return ERR_OK;
	if (event->n[CACHE_ADDED]) {
		tally->added[file] += nr;
		tally->add_hash = real_hash(tally->add_hash, file, page);
		count->added += (uint64_t)nr;
		count->total_added += (uint64_t)nr;
		return ERR_OK;
	}
	tally->deleted[file] += nr;
	tally->del_hash = real_hash(tally->del_hash, file, page);
	count->total_hash = real_hash(count->total_hash, file, page);
	if (++count->total_evicted % REAL_TRAIL_EVERY)
		return ERR_OK;
	return keep_milestone(count, file, page, diag);
}

/* Only the driver knows who acts: events carry a group and a CPU, not a task. */
static enum err on_event(struct sink *sink, const struct event *event, struct diag *diag)
{
	struct real_count *count = (struct real_count *)sink;
	struct real_tally *tally = &count->tally[count->who];

	tally->any = true;
	switch (event->kind) {
	case EVENT_RECLAIM:
		on_reclaim(tally, event);
		break;
	case EVENT_SHRINK:
		on_shrink(tally, event);
		break;
	case EVENT_DEACTIVATE:
		on_deactivate(tally, event);
		break;
	case EVENT_SHADOWS:
		tally->count[COUNT_SHADOW_SHRINKS]++;
		tally->count[COUNT_SHADOW_FREED] += event->n[SHADOWS_FREED];
		break;
	case EVENT_PAGE:
		on_page(tally, event);
		break;
	case EVENT_CACHE:
		return on_cache(count, tally, event, diag);
	case EVENT_WAIT:
		tally->count[COUNT_THROTTLED] += event->rule == RULE_WAIT_DIRTY;
		break;
	case EVENT_OOM:
		count->killed |= event->n[OOM_VICTIM] != 0;
		break;
	default:
		break;
	}
	return ERR_OK;
}

/* ---- figures ---- */

/* Room doubles: an experiment has some thousands of figures. */
enum err real_figures_add(struct real_figures *figures, const struct real_figure *figure,
			  struct diag *diag)
{
	if (figures->nr == figures->room) {
		size_t room = figures->room ? 2 * figures->room : 256;
		struct real_figure *more = realloc(figures->figure, room * sizeof(*more));

		if (more == NULL)
			return diag_fail(diag, ERR_NOMEM, "no memory for figures");
		figures->figure = more;
		figures->room = room;
	}
	figures->figure[figures->nr++] = *figure;
	return ERR_OK;
}

/* Figures of one row: who and where stay, name and value change. */
struct row {
	struct real_count *count;
	struct real_figure figure;
	struct diag *diag;
	enum err err;
};

/* One figure of the row; a counter of several parts is named NAME:PART. */
static void put(struct row *row, int64_t value, const char *name, const char *part)
{
	struct real_figure *figure = &row->figure;

	snprintf(figure->counter, sizeof(figure->counter), "%s%.40s", name, part);
	figure->value = value;
	if (row->err == ERR_OK)
		row->err = real_figures_add(&row->count->out->figures, figure, row->diag);
}

/* A row belongs to the phase that ended last.  Before the first it is the start, number 0. */
static void row_begin(struct row *row, struct real_count *count, const char *who, struct diag *diag)
{
	*row = (struct row){ .count = count, .diag = diag };
	row->figure.no = count->no;
	snprintf(row->figure.phase, REAL_WORD_MAX, "%s",
		 count->no ? count->ended[count->no - 1] : "start");
	snprintf(row->figure.who, REAL_WORD_MAX, "%s", who);
	for (unsigned i = 0; i + 1 < count->no; i++)
		row->figure.occurrence += strcmp(count->ended[i], row->figure.phase) == 0;
}

/* In the order of the recorded columns, so that both can be read side by side. */
static enum err put_tally(struct real_count *count, const struct real_tally *tally, const char *who,
			  struct diag *diag)
{
	const struct real_experiment *exp = count->exp;
	struct row row;

	row_begin(&row, count, who, diag);
	for (int i = 0; i < COUNT_SHADOW_SHRINKS; i++)
		put(&row, tally->count[i], counter_names[i], "");
	for (int p = REAL_PRIORITIES - 1; p >= 0; p--) {
		char text[16];

		snprintf(text, sizeof(text), "%d", p);
		put(&row, tally->priority[p], "prio:", text);
	}
	for (size_t i = 0; i < exp->nr_files; i++)
		put(&row, tally->added[i], "added:", exp->file[i].name);
	for (size_t i = 0; i < exp->nr_files; i++)
		put(&row, tally->deleted[i], "deleted:", exp->file[i].name);
	for (int i = COUNT_SHADOW_SHRINKS; i < NR_REAL_COUNTERS; i++)
		put(&row, tally->count[i], counter_names[i], "");
	row.figure.is_hash = true;
	put(&row, (int64_t)tally->add_hash, "add_hash", "");
	put(&row, (int64_t)tally->del_hash, "del_hash", "");
	return row.err;
}

/* The arrays stay, their counters begin again. */
static void tally_clear(struct real_tally *tally, size_t nr_files)
{
	struct real_tally clear = { .added = tally->added, .deleted = tally->deleted,
				    .begun = tally->begun };

	for (size_t i = 0; i < nr_files; i++)
		clear.added[i] = clear.deleted[i] = 0;
	*tally = clear;
}

/* Behind the last task. */
size_t real_count_controller(const struct real_count *count)
{
	return count->exp->nr_tasks;
}

/* Ends the phase for all tasks at once, as a mark of one of them does. */
enum err real_count_phase(struct real_count *count, const char *name, struct diag *diag)
{
	size_t controller = real_count_controller(count);
	void *more = realloc(count->ended, (count->no + 1) * sizeof(*count->ended));
	enum err err = ERR_OK;

	if (more == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for a phase");
	count->ended = more;
	snprintf(count->ended[count->no++], REAL_WORD_MAX, "%s", name);
	for (size_t i = 0; i <= controller && err == ERR_OK; i++) {
		struct real_tally *tally = &count->tally[i];

		/* The controller is heard of only when it did something. */
		if (i < controller)
			err = put_tally(count, tally, count->exp->task[i].name, diag);
		else if (tally->any)
			err = put_tally(count, tally, "ctl", diag);
		tally_clear(tally, count->exp->nr_files);
	}
	count->added = 0;
	return err;
}

/* Anonymous pages of the tasks of a group that are mapped; @unmapped receives the others. */
static pages_t group_rss(const struct run *run, uint32_t id, pages_t *unmapped)
{
	struct run_task task;
	pages_t rss = 0;

	*unmapped = 0;
	for (uint32_t i = 1; i <= run_task_max(run); i++)
		if (run_task(run, i, &task) && task.memcg == id && task.alive) {
			rss += task.rss;
			*unmapped += task.unmapped;
		}
	return rss;
}

/* Of the tasks of group @nr that have begun. */
static int64_t own_faults(const struct real_count *count, size_t nr)
{
	int64_t faults = 0;

	for (size_t i = 0; i < count->exp->nr_tasks; i++)
		if (count->tally[i].begun && count->exp->task[i].group == (int)nr)
			faults += REAL_OWN_FAULTS;
	return faults;
}

/* What the files of a group would show.  Cache is what is charged and no anonymous memory.
 */
static enum err put_group(struct real_count *count, const struct run *run, size_t nr, uint32_t id,
			  struct diag *diag)
{
	pages_t unmapped, rss = group_rss(run, id, &unmapped);
	struct run_memcg group;
	struct row row;

	if (!run_memcg(run, id, &group))
		return ERR_OK;
	row_begin(&row, count, count->exp->group[nr].name, diag);
	put(&row, group.limit >= PAGES_UNLIMITED ? -1 : (int64_t)group.limit, "limit", "");
	put(&row, (int64_t)group.usage, "usage", "");
	put(&row, (int64_t)group.peak, "max_usage", "");
	put(&row, (int64_t)group.failcnt, "failcnt", "");
	put(&row, (int64_t)group.kmem, "kmem", "");
	put(&row, (int64_t)group.memsw_usage, "memsw", "");
	put(&row, (int64_t)(group.charged - rss - unmapped), "cache", "");
	put(&row, (int64_t)rss, "rss", "");
	put(&row, (int64_t)group.mapped, "mapped_file", "");
	put(&row, (int64_t)(group.memsw_usage - group.usage), "swap", "");
	put(&row, (int64_t)group.dirty, "dirty", "");
	put(&row, (int64_t)group.writeback, "writeback", "");
	for (int lru = 0; lru < NR_LRU; lru++)
		put(&row, (int64_t)group.size[lru], lru_name((enum lru)lru), "");
	put(&row, (int64_t)group.nr_refault_anon, "refault_anon", "");
	put(&row, (int64_t)group.nr_refault_file, "refault_file", "");
	put(&row, (int64_t)group.pgpgin, "pgpgin", "");
	put(&row, (int64_t)group.pgpgout, "pgpgout", "");
	put(&row, (int64_t)group.pgfault + own_faults(count, nr), "pgfault", "");
	put(&row, (int64_t)group.majfault, "pgmajfault", "");
	put(&row, (int64_t)group.oom_kills, "oom_kill", "");
	put(&row, group.under_oom, "under_oom", "");
	return row.err;
}

/* All groups, also those that no task is in. */
enum err real_count_groups(struct real_count *count, const struct run *run, const uint32_t *ids,
			   struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < count->exp->nr_groups && err == ERR_OK; i++)
		err = put_group(count, run, i, ids[i], diag);
	return err;
}

/* ---- open and close ---- */

/* One tally more than tasks: the controller's. */
enum err real_count_open(struct real_count *count, const struct real_experiment *exp,
			 struct real_prediction *out, struct diag *diag)
{
	size_t nr = exp->nr_tasks + 1, i;

	*count = (struct real_count){ .exp = exp, .out = out };
	count->sink.name = "counters";
	count->sink.mask = 1u << EVENT_RECLAIM | 1u << EVENT_SHRINK | 1u << EVENT_DEACTIVATE |
			   1u << EVENT_SHADOWS | 1u << EVENT_CACHE | 1u << EVENT_OOM |
			   1u << EVENT_PAGE | 1u << EVENT_WAIT;
	count->sink.event = on_event;
	count->tally = calloc(nr, sizeof(*count->tally));
	for (i = 0; count->tally != NULL && i < nr; i++) {
		struct real_tally *tally = &count->tally[i];

		tally->added = calloc(exp->nr_files + 1, sizeof(*tally->added));
		tally->deleted = calloc(exp->nr_files + 1, sizeof(*tally->deleted));
		if (tally->added == NULL || tally->deleted == NULL)
			break;
	}
	if (count->tally == NULL || i < nr)
		return diag_fail(diag, ERR_NOMEM, "no memory for counters");
	return ERR_OK;
}

/* Also for one that was opened halfway. */
void real_count_close(struct real_count *count)
{
	for (size_t i = 0; count->tally != NULL && i <= count->exp->nr_tasks; i++) {
		free(count->tally[i].added);
		free(count->tally[i].deleted);
	}
	free(count->tally);
	free(count->ended);
	*count = (struct real_count){ .exp = NULL };
}
