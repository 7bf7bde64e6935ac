/*
 * Bisection, see bisect.h.  While the ends are more than a factor of two
 * apart the middle is the geometric one: a limit is looked for among its
 * magnitudes first, and small values cost less to ask about.
 */
#include "bisect.h"

#include <assert.h>
#include <math.h>

void bisect_init(struct bisect *bisect, int64_t low, int64_t high, int64_t step)
{
	assert(low < high && step > 0);
	*bisect = (struct bisect){ .low = low, .high = high, .step = step };
}

/* A multiple of the step between the two, or high if there is none. */
static int64_t middle(const struct bisect *bisect)
{
	int64_t low = bisect->low, high = bisect->high, step = bisect->step, at;

	if (low > 0 && high / 2 > low)
		at = (int64_t)sqrt((double)low * (double)high);
	else
		at = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
	at -= at % step;
	if (at <= low)
		at = low - low % step + step;
	return at > low && at < high ? at : high;
}

bool bisect_next(const struct bisect *bisect, int64_t *value)
{
	if (bisect->end != BISECT_OPEN)
		return false;
	if (!bisect->asked_high)
		*value = bisect->high;
	else if (!bisect->asked_low)
		*value = bisect->low;
	else
		*value = middle(bisect);
	return true;
}

/* Both ends are known: is the smallest between them? */
static enum bisect_end bracket(const struct bisect *bisect, bool low_meets)
{
	if (bisect->high_meets)
		return low_meets ? BISECT_ALREADY : BISECT_OPEN;
	return low_meets ? BISECT_FALLING : BISECT_NEVER;
}

void bisect_answer(struct bisect *bisect, bool meets)
{
	int64_t at = middle(bisect);

	bisect->nr_asked++;
	if (!bisect->asked_high) {
		bisect->asked_high = true;
		bisect->high_meets = meets;
		return;
	}
	if (!bisect->asked_low) {
		bisect->asked_low = true;
		bisect->end = bracket(bisect, meets);
	} else if (meets) {
		bisect->high = at;
	} else {
		bisect->low = at;
	}
	if (bisect->end == BISECT_OPEN && middle(bisect) == bisect->high)
		bisect->end = BISECT_FOUND;
}

unsigned bisect_left(const struct bisect *bisect)
{
	uint64_t steps = ((uint64_t)bisect->high - (uint64_t)bisect->low) / (uint64_t)bisect->step;
	unsigned left = !bisect->asked_high + !bisect->asked_low;

	if (bisect->end != BISECT_OPEN)
		return 0;
	for (; steps > 1; steps /= 2)
		left++;
	return left;
}
