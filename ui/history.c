/*
 * Moments of a run, a row of points for each css id.  Rows are made when a
 * group is first seen; css ids that are used again share one.
 */
#include "history.h"

#include <stdlib.h>
#include <string.h>

enum { RATE_PART = 16 };

/* Room for points of css ids up to @max. */
static bool make_room(struct history *h, uint32_t max)
{
	size_t old = (size_t)h->nr_groups * HISTORY_MOMENTS;
	size_t new = ((size_t)max + 1) * HISTORY_MOMENTS;
	struct history_point *point;

	if (max < h->nr_groups)
		return true;
	point = realloc(h->point, new * sizeof(*point));
	if (!point)
		return false;
	memset(point + old, 0, (new - old) * sizeof(*point));
	h->point = point;
	h->nr_groups = max + 1;
	return true;
}

enum err history_take(struct history *h, const struct run *run, struct diag *diag)
{
	size_t i = h->nr;
	struct run_lock lock;
	struct run_memcg m;

	if (i == HISTORY_MOMENTS || (i && run_steps(run) <= h->step[i - 1]))
		return ERR_OK;
	if (!make_room(h, run_memcg_max(run)))
		return diag_fail(diag, ERR_NOMEM, "no memory for the groups' history");
	h->t_ns[i] = run_now(run);
	h->step[i] = run_steps(run);
	h->nr++;
	for (uint32_t k = 0; k < HISTORY_LOCKS && run_lock(run, k, &lock); k++)
		h->waited[k][i] = lock.sum.wait.total;
	for (uint32_t id = 1; id <= run_memcg_max(run); id++)
		if (run_memcg(run, id, &m))
			h->point[(size_t)id * HISTORY_MOMENTS + i] = (struct history_point){
				.there = true,
				.usage = m.usage,
				.limit = m.limit,
				.soft = m.soft,
				.nr_charged = m.nr_charged,
				.nr_reclaimed = m.nr_reclaimed,
				.limit_hits = m.limit_hits,
				.dirty = m.dirty,
				.writeback = m.writeback,
				.nr_dirtied = m.nr_dirtied,
				.nr_written = m.nr_written,
			};
	return ERR_OK;
}

void history_fini(struct history *h)
{
	free(h->point);
	memset(h, 0, sizeof(*h));
}

struct history_point history_at(const struct history *h, size_t i, uint32_t id)
{
	if (!h || i >= h->nr || id >= h->nr_groups)
		return (struct history_point){ .there = false };
	return h->point[(size_t)id * HISTORY_MOMENTS + i];
}

uint64_t history_waiting(const struct history *h, uint32_t lock, ns_t from, ns_t to)
{
	size_t i = history_before(h, from), k = history_before(h, to);
	ns_t waited;

	if (!h || !h->nr || lock >= HISTORY_LOCKS || h->t_ns[k] <= h->t_ns[i])
		return 0;
	waited = h->waited[lock][k] - h->waited[lock][i];
	return (uint64_t)((double)waited * 1000 / (double)(h->t_ns[k] - h->t_ns[i]) + 0.5);
}

size_t history_before(const struct history *h, ns_t t_ns)
{
	size_t i = 0;

	while (h && i + 1 < h->nr && h->t_ns[i + 1] <= t_ns)
		i++;
	return i;
}

bool history_since(const struct history *h, ns_t t_ns, size_t *out)
{
	size_t now = history_before(h, t_ns), back;

	if (!h || !h->nr)
		return false;
	/* With few moments one of them has to do. */
	back = h->nr / RATE_PART ? h->nr / RATE_PART : 1;
	*out = now > back ? now - back : 0;
	return h->t_ns[*out] < t_ns;
}
