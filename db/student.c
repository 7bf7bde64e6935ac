/*
 * Student's t by the regularised incomplete beta function: the two-sided
 * probability of t with df degrees of freedom is I_x(df / 2, 1 / 2) at
 * x = df / (df + t^2), which holds for any df above 0.
 *
 * The function is its continued fraction (DLMF 8.17.22), evaluated from the
 * front by the method of Lentz until a factor changes nothing more.  The
 * tails stay exact: p of 1e-13 is computed as such and not as 1 less
 * something.
 */
#include "student.h"

#include <assert.h>
#include <float.h>
#include <math.h>

enum { FRACTION_TERMS = 10000, HALVINGS = 200 };

#define INTERVAL_P 0.05 /* outside of a 95 % interval */

/* Numerator @m of the fraction of I_x(a, b), counted from 1. */
static double numerator(int m, double x, double a, double b)
{
	int k = m / 2;

	if (m % 2 == 0)
		return k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
	return -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
}

/* A term of 0 would be divided by; the smallest number stands in for it. */
static double not_zero(double value)
{
	return fabs(value) < DBL_MIN ? DBL_MIN : value;
}

/* 1 / (1 + n1 / (1 + n2 / (1 + ...))): @d and @c are the ratios of successive convergents. */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / not_zero(1 + numerator(1, x, a, b)), f = d;

	for (int m = 2; m < FRACTION_TERMS; m++) {
		double n = numerator(m, x, a, b);

		d = 1 / not_zero(1 + n * d);
		c = not_zero(1 + n / c);
		f *= c * d;
		if (fabs(c * d - 1) < DBL_EPSILON)
			break;
	}
	return f;
}

/* I_x(a, b).  The fraction is quick below the mean; above it the other tail is taken. */
static double incomplete_beta(double x, double a, double b)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(x, a, b) / a;
	return 1 - front * fraction(1 - x, b, a) / b;
}

double student_two_sided(double t, double df)
{
	assert(df > 0);
	return incomplete_beta(df / (df + t * t), df / 2, 0.5);
}

/* By halving: the probability falls as t grows. */
double student_quantile(double p, double df)
{
	double low = 0, high = 1;

	assert(p > 0 && p < 1);
	while (student_two_sided(high, df) > p)
		high *= 2;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (student_two_sided(middle, df) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
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
