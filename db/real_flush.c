/*
 * Phases and the flushes of statistics in them.  A mark is followed by a
 * flush.  Another that was recorded comes after as many pages were added as
 * then; in a phase without files there is no such place, and the flushes are
 * spread evenly over its accesses.
 */
#include "real_drive.h"

#include <string.h>

/* Now, or after as many more pages were added: the engine counts to it by itself. */
static enum err flush(struct drive *d, uint64_t after)
{
	struct op op = { .kind = OP_FLUSH, .value = (int64_t)after };
	struct op_result res;

	return real_drive_apply(d, &op, &res);
}

/* Whether tasks go on while one of them waits at its mark. */
static bool parallel(const struct drive *d)
{
	return d->nr_threads > 1;
}

/* The next flush of this phase; NULL if there is none. */
static const struct real_flush *next_flush(const struct drive *d)
{
	if (d->flushes == NULL || d->flush >= d->flushes->nr ||
	    d->flushes->flush[d->flush].no != d->count.no + 1)
		return NULL;
	return &d->flushes->flush[d->flush];
}

/* Accesses of the phase after which the next flush without a place comes. */
static uint64_t next_spread(const struct drive *d)
{
	return d->spread_over * (d->spread_done + 1) / (d->spread + 1);
}

/* Called after each operation or part of one.  What the engine was told to do it has done by
 * itself when the count is reached; what is due at once is done here. */
enum err real_flush_follow(struct drive *d)
{
	const struct real_flush *at = next_flush(d);
	enum err err = ERR_OK;

	while (d->spread_done < d->spread && d->phase_accesses >= next_spread(d) && err == ERR_OK) {
		err = flush(d, 0);
		d->spread_done++;
	}
	while (at != NULL && err == ERR_OK && d->count.added >= at->at) {
		if (!d->armed)
			err = flush(d, 0);
		d->armed = false;
		d->flush++;
		at = next_flush(d);
	}
	if (at == NULL || d->armed || err != ERR_OK)
		return err;
	d->armed = true;
	return flush(d, at->at - d->count.added);
}

/* An operation is parted where a flush without a place comes, and where a second flush must be
 * ordered as soon as the first is over. */
uint64_t real_flush_cut(const struct drive *d, uint64_t max)
{
	const struct real_flush *at = next_flush(d);

	if (d->spread_done < d->spread && max > next_spread(d) - d->phase_accesses)
		max = next_spread(d) - d->phase_accesses;
	/* The engine counts to one flush by itself; only a second one parts an operation. */
	if (at == NULL || d->flush + 1 >= d->flushes->nr || at[1].no != at->no)
		return max;
	return max < at->at - d->count.added ? max : at->at - d->count.added;
}

/* Accesses up to the next mark of the task that acts; 0 if files are among them. */
static uint64_t accesses_without_files(const struct drive *d)
{
	const struct real_task *task = &d->exp->task[d->who];
	uint64_t n = 0;

	/* The mark that ended the last phase is still the current operation. */
	for (size_t i = d->task[d->who].op + (d->count.no > 0); i < task->nr_ops; i++) {
		const struct real_op *op = &task->op[i];

		if (op->kind == REAL_MARK)
			break;
		if (real_op_accesses(op->kind) && op->kind != REAL_ANON && op->kind != REAL_AUNI)
			return 0;
		n += real_op_total(op);
	}
	return n;
}

/* A new phase.  With free tasks the flush of a mark comes while the others go on, and the record
 * says where; without, it comes before anything else. */
enum err real_flush_begin(struct drive *d)
{
	unsigned at_start = 0;

	d->armed = false;
	d->flush = 0;
	d->phase_accesses = d->spread_over = 0;
	d->spread = d->spread_done = 0;
	while (d->flushes != NULL && d->flush < d->flushes->nr &&
	       d->flushes->flush[d->flush].no < d->count.no + 1)
		d->flush++;
	if (parallel(d))
		return real_flush_follow(d);
	for (size_t i = d->flush; next_flush(d) != NULL && i < d->flushes->nr; i++)
		at_start += d->flushes->flush[i].no == d->count.no + 1 &&
			    d->flushes->flush[i].at == 0;
	/* One of them is the mark's own. */
	if (at_start > (d->count.no > 0))
		d->spread_over = accesses_without_files(d);
	if (d->spread_over > 0) {
		d->spread = at_start - (d->count.no > 0);
		real_drive_note(d, "flushes without a place are spread over their phase");
	}
	return real_flush_follow(d);
}

/* The task waits for its flush, so figures that are read behind it are exact. */
enum err real_phase_end(struct drive *d, const char *name)
{
	bool recorded = parallel(d) && d->flushes != NULL;
	enum err err = real_count_phase(&d->count, name, d->diag);

	if (err == ERR_OK && (!recorded || d->armed || strcmp(name, "exit") == 0))
		err = flush(d, 0);
	if (err == ERR_OK)
		err = real_flush_begin(d);
	return err != ERR_OK ? err : real_count_groups(&d->count, d->run, d->group, d->diag);
}
