/*
 * Crossing points, see crossing.h.  Numbers in, numbers out.
 */
#include "crossing.h"

#include <math.h>

#include "student.h"

/* By how much B is ahead at value @i; NaN if one of them has no figure. */
static double lead(const struct crossing_course *course, size_t i)
{
	double by = course->b[i] - course->a[i];

	return course->lower ? -by : by;
}

/* The part that does not depend on where: is there anything to look for? */
static enum crossing_kind kind_of(const struct crossing_course *course)
{
	bool equal = true, ahead = false;

	for (size_t i = 0; i < course->nr; i++) {
		double by = lead(course, i);

		if (!isfinite(by))
			return CROSSING_UNKNOWN;
		equal = equal && by == 0;
		ahead = ahead || by > 0;
	}
	if (course->nr < 2)
		return CROSSING_UNKNOWN;
	if (equal)
		return CROSSING_EQUAL;
	if (!ahead)
		return CROSSING_NEVER;
	return lead(course, 0) > 0 ? CROSSING_ALWAYS : CROSSING_AT;
}

void crossing_find(const struct crossing_course *course, struct crossing_one *out)
{
	const double *x = course->x;
	size_t i = 0;

	*out = (struct crossing_one){ .kind = kind_of(course) };
	if (out->kind != CROSSING_AT && out->kind != CROSSING_ALWAYS)
		return;
	while (lead(course, i) <= 0)
		i++;
	if (out->kind == CROSSING_AT) {
		double before = lead(course, i - 1), behind = lead(course, i);

		out->after = x[i - 1];
		out->upto = x[i];
		out->at = x[i - 1] + (x[i] - x[i - 1]) * -before / (behind - before);
	}
	for (; i < course->nr; i++)
		out->back = out->back || lead(course, i) <= 0;
}

/* Sums over the seeds; the mean and its interval are made of them. */
static double count(const struct crossing_one *one, size_t nr, struct crossing *out)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++) {
		out->nr_always += one[i].kind == CROSSING_ALWAYS;
		out->nr_never += one[i].kind == CROSSING_NEVER;
		out->nr_equal += one[i].kind == CROSSING_EQUAL;
		out->nr_unknown += one[i].kind == CROSSING_UNKNOWN;
		out->nr_back += one[i].back;
		if (one[i].kind != CROSSING_AT)
			continue;
		out->nr_at++;
		out->least = fmin(out->least, one[i].at);
		out->most = fmax(out->most, one[i].at);
		out->after = fmin(out->after, one[i].after);
		out->upto = fmax(out->upto, one[i].upto);
		sum += one[i].at;
	}
	return sum;
}

void crossing_over(const struct crossing_one *one, size_t nr, struct crossing *out)
{
	double sum, squares = 0, half;

	*out = (struct crossing){
		.nr = nr, .least = INFINITY, .most = -INFINITY, .after = INFINITY, .upto = -INFINITY
	};
	sum = count(one, nr, out);
	if (out->nr_at == 0)
		return;
	out->mean = sum / (double)out->nr_at;
	/* Of those that cross only, a mean would say nothing about those that do not. */
	out->has_interval = out->nr_at == nr && nr >= 2 && out->most > out->least;
	if (!out->has_interval)
		return;
	for (size_t i = 0; i < nr; i++)
		squares += (one[i].at - out->mean) * (one[i].at - out->mean);
	half = student_quantile(0.05, (double)(nr - 1)) *
	       sqrt(squares / (double)(nr - 1) / (double)nr);
	out->low = out->mean - half;
	out->high = out->mean + half;
}
