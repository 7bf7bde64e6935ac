/*
 * Proportional protection and the penalty above memory.high.  Follows
 * mm/page_counter.c, mm/vmscan.c and mm/memcontrol.c of v6.18.
 */
#include "protect.h"

#include <assert.h>

enum {
	OVERAGE_SHIFT = 20,		/* fraction bits of an overage */
	DELAY_SHIFT = 34,		/* of its square, and scaled down by 64 */
	DELAY_MAX_S = 2,		/* [s] */
	SIZE_MIN = 32			/* [pages] left of a protected list */
};

static pages_t least(pages_t a, pages_t b)
{
	return a < b ? a : b;
}

pages_t protect_effective(const struct protect_in *in)
{
	pages_t claim = least(in->usage, in->setting);

	assert(in->setting <= PAGES_UNLIMITED);
	if (in->siblings > in->parent_effective)
		return claim * in->parent_effective / in->siblings;
	if (in->recursive && in->parent_effective > in->siblings && in->usage > claim &&
	    in->parent_usage > in->siblings)
		claim += (in->parent_effective - in->siblings) * (in->usage - claim) /
			 (in->parent_usage - in->siblings);
	return claim;
}

pages_t protect_size(pages_t size, pages_t usage, pages_t min, pages_t low, bool ignore_low)
{
	pages_t protection = !ignore_low && low > min ? low : min;
	pages_t most = usage > protection ? usage : protection, left;

	if (!min && !low)
		return size;
	left = size - size * protection / (most + 1);
	return left > SIZE_MIN ? left : SIZE_MIN;
}

uint64_t protect_overage(pages_t usage, pages_t high)
{
	if (usage <= high)
		return 0;
	return ((usage - high) << OVERAGE_SHIFT) / (high ? high : 1);
}

uint64_t protect_delay(uint64_t over, pages_t debt, pages_t batch, uint64_t hz)
{
	uint64_t ticks = (over * over * hz) >> DELAY_SHIFT;

	assert(batch > 0);
	ticks = ticks * debt / batch;
	return ticks < DELAY_MAX_S * hz ? ticks : DELAY_MAX_S * hz;
}

typedef pages_t setting_fn(const struct memcg *memcg);

static pages_t setting_min(const struct memcg *memcg)
{
	return memcg->min;
}

static pages_t setting_low(const struct memcg *memcg)
{
	return memcg->low;
}

/* Claims of all children of @parent. */
static pages_t claims(const struct machine *m, uint32_t parent, setting_fn *setting)
{
	pages_t sum = 0;
	uint32_t id;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		const struct memcg *child = machine_memcg(m, id);

		if (child->online && child->parent == parent)
			sum += least(child->counter.usage, setting(child));
	}
	return sum;
}

/* Of one group under reclaim of @root: the settings above it cap it, level by level. */
static pages_t effective(const struct machine *m, uint32_t root, uint32_t id, setting_fn *setting)
{
	const struct memcg *memcg = machine_memcg(m, id);
	struct protect_in in = {
		.usage = memcg->counter.usage, .setting = setting(memcg), .recursive = true };

	assert(id >= MEMCG_ROOT);
	if (id == root || !memcg->counter.usage)
		return 0;
	if (memcg->parent == root)
		return setting(memcg);
	in.parent_usage = machine_memcg(m, memcg->parent)->counter.usage;
	in.parent_effective = effective(m, root, memcg->parent, setting);
	in.siblings = claims(m, memcg->parent, setting);
	return protect_effective(&in);
}

void protect_of(const struct machine *m, uint32_t root, uint32_t memcg, pages_t *min, pages_t *low)
{
	*min = effective(m, root, memcg, setting_min);
	*low = effective(m, root, memcg, setting_low);
}
