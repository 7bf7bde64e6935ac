/*
 * Sequential and random accesses in chunks.  read(2) marks a page as used
 * unless it goes on where the previous read of that open file ended.
 * Follows do_generic_file_read(), mm/filemap.c, v2.6.31.
 */
#include "access.h"

#include <assert.h>

#include "anon.h"
#include "dirty.h"
#include "high.h"
#include "inode_lock.h"
#include "opened.h"
#include "policy.h"
#include "readahead.h"
#include "unmap.h"

static const enum op_outcome limit_outcome[] = {
	[LIMIT_OK] = OP_DONE, [LIMIT_KILLED] = OP_KILLED, [LIMIT_NOMEM] = OP_NOMEM,
	[LIMIT_BLOCKED] = OP_BLOCKED,
};

static bool reads_ahead(const struct machine *m, const struct op *op, const struct open_file *open)
{
	return machine_knobs(m)->readahead && !open->random && !(op->flags & OPF_RANDOM);
}

/* Whether read(2) at @offset of page @index is a new use of the page. */
static bool new_use(const struct machine *m, const struct open_file *open, uint32_t slot,
		    pages_t index, uint32_t offset)
{
	assert(offset < PAGE_BYTES);
	pages_t within = page_nr(&m->pages, page_head(&m->pages, slot)) - 1;

	if ((index & ~within) != (open->prev_index & ~within))
		return true;
	return machine_axis(m, AXIS_TOUCH_READ) == TOUCH_READ_PLACE && offset != open->prev_offset;
}

/* A page that is missing, or was read ahead and not used yet. */
static bool never_used(const struct machine *m, uint32_t slot)
{
	uint32_t word = m->pages.slot[page_head(&m->pages, slot)].word;

	return !(word & PG_RESIDENT) ||
	       !(word & (PG_REFERENCED | PG_ACTIVE | PG_MAPPED | PG_DIRTY | PG_WRITEBACK));
}

/*
 * What RWF_DONTCACHE read goes again, a large folio when its end was read.
 * MODEL: a page that somebody else read ahead and nobody used goes too.
 */
static void drop_behind(struct machine *m, uint32_t cpu, uint32_t slot, bool last)
{
	uint32_t head = page_head(&m->pages, slot), nr = page_nr(&m->pages, head);

	if (slot == head + nr - 1 || last)
		unmap_page(m, cpu, head);
}

/* One page of a read, with what the read does before and after it. */
static enum limit_result read_page(struct machine *m, const struct op *op, struct open_file *open,
				   uint64_t from, uint64_t to)
{
	pages_t index = from / PAGE_BYTES;
	const struct mapping *map = &m->pages.mapping[op->object];
	bool unused = !map->shmem && never_used(m, page_find(&m->pages, map, index));
	enum limit_result result = LIMIT_OK;

	assert(from < to && to <= map->bytes);
	if (reads_ahead(m, op, open))
		result = readahead_at(m, op->task, open, index, units_pages(to) - index);
	if (result == LIMIT_OK)
		result = fault_read(m, op->task, op->object, index,
				    new_use(m, open, page_find(&m->pages, map, index), index,
					    (uint32_t)(from % PAGE_BYTES)));
	if (result == LIMIT_OK && unused && (op->flags & OPF_DONTCACHE))
		drop_behind(m, m->task[op->task].cpu, page_find(&m->pages, map, index),
			    index + 1 == units_pages(to));
	return result;
}

/* Whole pages that can be done at once.  Returns: bytes done, 0 if the next page is not one. */
static uint64_t read_run(struct machine *m, struct op_progress *progress, struct open_file *open,
			 uint64_t from, uint64_t to)
{
	const struct op *op = &progress->op;
	pages_t index = from / PAGE_BYTES, run;

	/* Readahead, hints and a page where the previous read ended need a look each. */
	if (from % PAGE_BYTES || to - from < PAGE_BYTES || index == open->prev_index ||
	    (op->flags & OPF_DONTCACHE) || reads_ahead(m, op, open))
		return 0;
	run = fault_read_run(m, op->task, op->object, index, (to - from) / PAGE_BYTES);
	if (run) {
		open->prev_index = index + run - 1;
		open->prev_offset = 0;
	}
	progress->done_pages += run;
	return run * PAGE_BYTES;
}

static void read_bytes(struct machine *m, struct op_progress *progress, uint64_t from, uint64_t to,
		       struct op_result *res)
{
	const struct op *op = &progress->op;
	struct open_file *open = opened_find(m, op->task, op->object, op->handle);

	while (open && from < to) {
		uint64_t run = read_run(m, progress, open, from, to);
		pages_t index = from / PAGE_BYTES;
		uint64_t end = (index + 1) * PAGE_BYTES;

		from += run;
		if (run)
			continue;
		res->outcome = limit_outcome[read_page(m, op, open, from, to)];
		high_settle(m, op->task, &m->cpu[m->task[op->task].cpu], HIGH_SPARED);
		if (res->outcome != OP_DONE)
			break;
		if (end > to)
			end = to;
		progress->done_pages++;
		open->prev_index = index;
		open->prev_offset = (uint32_t)(end % PAGE_BYTES);
		from = end;
	}
}

static void touch_bytes(struct machine *m, struct op_progress *progress, uint64_t from, uint64_t to,
			struct op_result *res)
{
	const struct op *op = &progress->op;
	enum limit_result (*touch)(struct machine * m, uint32_t task, uint32_t mapping,
				   pages_t index, uint32_t flags) =
		m->pages.mapping[op->object].anon ? anon_touch : mapped_touch;

	for (; from < to && res->outcome == OP_DONE; from = (from / PAGE_BYTES + 1) * PAGE_BYTES) {
		res->outcome =
			limit_outcome[touch(m, op->task, op->object, from / PAGE_BYTES, op->flags)];
		/* Every fault goes back to user mode. */
		high_settle(m, op->task, &m->cpu[m->task[op->task].cpu], 0);
		progress->done_pages += res->outcome == OP_DONE;
	}
}

enum op_outcome access_outcome(enum limit_result result)
{
	return limit_outcome[result];
}

typedef void span_fn(struct machine *m, struct op_progress *progress, uint64_t from, uint64_t to,
		     struct op_result *res);

/* Spreads zipf ranks over the pages, so that hot pages are not neighbours. */
static uint64_t scatter(uint64_t rank, uint64_t n)
{
	const uint64_t golden = 2654435761u;

	assert(n > 0);
	return rank % n * (golden % n) % n;
}

static void draw_pages(struct machine *m, struct op_progress *progress, uint64_t nr, span_fn *span,
		       struct op_result *res)
{
	const struct op *op = &progress->op;
	uint64_t pages = units_pages(op->length), page;

	assert(pages > 0);
	for (; nr && res->outcome == OP_DONE; nr--, progress->done++) {
		if (op->pattern == PATTERN_ZIPF)
			page = scatter(rng_zipf(&m->host->rng, pages, (double)op->value / 1000.0),
				       pages);
		else
			page = rng_uniform(&m->host->rng, pages);
		page += op->offset / PAGE_BYTES;
		span(m, progress, page * PAGE_BYTES, (page + 1) * PAGE_BYTES, res);
	}
}

/* One chunk of a read or touch. */
static void step_span(struct machine *m, struct op_progress *progress, span_fn *span,
		      struct op_result *res)
{
	const struct op *op = &progress->op;
	uint64_t all = op->pattern == PATTERN_SEQ ? op->length : op->count;
	uint64_t chunk = op->chunk, left = all - progress->done;
	uint64_t unit = op->pattern == PATTERN_SEQ ? PAGE_BYTES : 1;

	assert(progress->done <= all);
	if (chunk && op->pattern != PATTERN_SEQ)
		chunk = units_pages(chunk);
	if (!chunk || chunk > left)
		chunk = left;
	if (machine_has_locks(m) && chunk > LOCK_STEP_PAGES * unit)
		chunk = LOCK_STEP_PAGES * unit;
	if (op->pattern == PATTERN_SEQ) {
		uint64_t from = op->offset + progress->done;

		span(m, progress, from, from + chunk, res);
		progress->done += chunk;
	} else {
		draw_pages(m, progress, chunk, span, res);
	}
	res->done_pages = progress->done_pages;
	if (res->outcome == OP_DONE && progress->done < all)
		res->outcome = OP_MORE;
}

static void write_bytes(struct machine *m, struct op_progress *progress, uint64_t from, uint64_t to,
			struct op_result *res)
{
	const struct op *op = &progress->op;
	uint64_t done = progress->done_pages;
	ns_t since = m->host->now;

	for (; from < to && res->outcome == OP_DONE; from = (from / PAGE_BYTES + 1) * PAGE_BYTES) {
		res->outcome =
			limit_outcome[fault_write(m, op->task, op->object, from / PAGE_BYTES)];
		if (res->outcome == OP_DONE)
			dirty_balance(m, op->task);
		high_settle(m, op->task, &m->cpu[m->task[op->task].cpu], HIGH_SPARED);
		progress->done_pages += res->outcome == OP_DONE;
	}
	inode_lock_held(m, op->object, progress->done_pages - done, since);
}

void access_write(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	step_span(m, progress, write_bytes, res);
}

void access_read(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	step_span(m, progress, read_bytes, res);
}

void access_touch(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	step_span(m, progress, touch_bytes, res);
}

enum err access_check_span(const struct machine *m, const struct op *op, struct diag *diag)
{
	const struct mapping *map = &m->pages.mapping[op->object];

	if (op->offset > map->bytes || op->length > map->bytes - op->offset)
		return diag_fail(diag, ERR_RANGE, "%s: bytes %llu to %llu lie outside its %llu",
				 map->name, (unsigned long long)op->offset,
				 (unsigned long long)(op->offset + op->length),
				 (unsigned long long)map->bytes);
	if (op->pattern >= NR_PATTERNS)
		return diag_fail(diag, ERR_RANGE, "%s: unknown access pattern", map->name);
	if (op->pattern != PATTERN_SEQ && (!op->length || op->offset % PAGE_BYTES))
		return diag_fail(diag, ERR_RANGE,
				 "%s: random accesses need whole pages to draw "
				 "from",
				 map->name);
	if (op->pattern == PATTERN_ZIPF && op->value <= 0)
		return diag_fail(diag, ERR_RANGE, "%s: the zipf exponent must be above 0",
				 map->name);
	return ERR_OK;
}

enum err access_check_touch(const struct machine *m, const struct op *op, struct diag *diag)
{
	const struct mapping *map = &m->pages.mapping[op->object];

	if (map->task != op->task)
		return diag_fail(diag, ERR_SCENARIO, "%s: is not mapped by task %s", map->name,
				 m->task[op->task].name);
	if (map->gone || map->forked.store)
		return diag_fail(diag, ERR_SCENARIO, "%s: task %s runs another program now",
				 map->name, m->task[op->task].name);
	return access_check_span(m, op, diag);
}
