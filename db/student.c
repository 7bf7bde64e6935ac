/*
 * Student's t by GSL's distribution functions, which keep the digits of far
 * tails: p of 1e-13 is computed as such and not as 1 less something.
 */
#include "student.h"

#include <assert.h>
#include <math.h>

#include <gsl/gsl_cdf.h>

#define INTERVAL_P 0.05 /* outside of a 95 % interval */

double student_two_sided(double t, double df)
{
	assert(df > 0);
	return fmin(1, 2 * gsl_cdf_tdist_Q(fabs(t), df));
}

double student_quantile(double p, double df)
{
	assert(p > 0 && p < 1 && df > 0);
	return gsl_cdf_tdist_Qinv(p / 2, df);
}

/* About the first value, so that equal ones have just that mean, and no spread. */
struct student_summary student_summarise(const double *value, size_t nr)
{
	struct student_summary out = { .nr = (unsigned)nr };
	double sum = 0, squares = 0;

	if (nr == 0)
		return out;
	for (size_t i = 0; i < nr; i++)
		sum += value[i] - value[0];
	out.mean = value[0] + sum / (double)nr;
	for (size_t i = 0; i < nr; i++)
		squares += (value[i] - out.mean) * (value[i] - out.mean);
	out.sd = nr > 1 ? sqrt(squares / (double)(nr - 1)) : 0;
	return out;
}

/* The spreads are not taken to be equal, so the degrees of freedom are Satterthwaite's. */
bool student_welch(const struct student_summary *a, const struct student_summary *b,
		   struct student_welch *out)
{
	double va, vb, se, half;

	if (a->nr < 2 || b->nr < 2)
		return false;
	va = a->sd * a->sd / a->nr;
	vb = b->sd * b->sd / b->nr;
	if (va + vb <= 0)
		return false;
	se = sqrt(va + vb);
	out->diff = b->mean - a->mean;
	out->t = out->diff / se;
	out->df = (va + vb) * (va + vb) / (va * va / (a->nr - 1) + vb * vb / (b->nr - 1));
	out->p = student_two_sided(out->t, out->df);
	half = se * student_quantile(INTERVAL_P, out->df);
	out->low = out->diff - half;
	out->high = out->diff + half;
	return true;
}
