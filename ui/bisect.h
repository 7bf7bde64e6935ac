/*
 * The smallest value that meets a condition, found by asking about one value
 * after the other.  Assumes that once the condition is met it stays met as
 * the value grows: of what lies between two answers nothing is known.
 */
#ifndef MEMCGLAB_UI_BISECT_H
#define MEMCGLAB_UI_BISECT_H

#include <stdbool.h>
#include <stdint.h>

enum bisect_end {
	BISECT_OPEN,	/* there is still to ask */
	BISECT_FOUND,	/* bisect->high */
	BISECT_ALREADY, /* both ends meet it: the smallest may lie below */
	BISECT_NEVER,	/* neither end does */
	BISECT_FALLING	/* the lower end does, the upper one does not */
};
enum { NR_BISECT_ENDS = BISECT_FALLING + 1 };

struct bisect {
	int64_t low, high, step;
	bool asked_high, asked_low, high_meets;
	enum bisect_end end;
	unsigned nr_asked;
};

/**
 * bisect_init - look from @low to @high
 * @step: values between the two are multiples of it; both ends stay as they are
 */
void bisect_init(struct bisect *bisect, int64_t low, int64_t high, int64_t step);

/* bisect_next - the value to ask about.  Returns: false if the end is known. */
bool bisect_next(const struct bisect *bisect, int64_t *value);

/* bisect_answer - what was found of the value that bisect_next gave. */
void bisect_answer(struct bisect *bisect, bool meets);

/* bisect_left - about how often there is still to ask; the most if values are halved evenly. */
unsigned bisect_left(const struct bisect *bisect);

#endif
