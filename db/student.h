/*
 * Student's t distribution, and Welch's test on two published summaries:
 * mean, spread and number of runs are all that it needs, so a cited table
 * can be judged without its raw data.
 */
#ifndef MEMCGLAB_DB_STUDENT_H
#define MEMCGLAB_DB_STUDENT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * student_two_sided - how often |T| is at least |@t| by chance
 * @df: degrees of freedom, more than 0, need not be whole
 * Returns: the probability, 0 to 1.
 */
double student_two_sided(double t, double df);

/* student_quantile - the t that student_two_sided() gives @p for; @p between 0 and 1. */
double student_quantile(double p, double df);

/* What is known of one side: mean, standard deviation of single runs, runs. */
struct student_summary {
	double mean, sd;
	unsigned nr;
};

/* student_summarise - @nr values as their summary; 0 for none, and no spread for one. */
struct student_summary student_summarise(const double *value, size_t nr);

struct student_welch {
	double diff;      /* mean of b less mean of a */
	double low, high; /* 95 % interval of it */
	double t, df;     /* Welch-Satterthwaite */
	double p;         /* two-sided */
};

/**
 * student_welch - do the means of two sides differ by more than chance?
 * Returns: false if it cannot be computed: fewer than two runs on a side,
 * or no spread on either.
 */
bool student_welch(const struct student_summary *a, const struct student_summary *b,
		   struct student_welch *out);

#endif
