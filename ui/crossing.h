/*
 * Where one of two kernels overtakes the other as a parameter grows: of one
 * seed by interpolation between neighbouring values, over seeds as a mean
 * with an interval.  Seeds are paired: both kernels ran with each.
 */
#ifndef MEMCGLAB_UI_CROSSING_H
#define MEMCGLAB_UI_CROSSING_H

#include <stdbool.h>
#include <stddef.h>

enum crossing_kind {
	CROSSING_UNKNOWN, /* fewer than two values, or one without a figure */
	CROSSING_EQUAL,	  /* the same at every value */
	CROSSING_NEVER,	  /* B is ahead nowhere */
	CROSSING_ALWAYS,  /* B is ahead at the first value already */
	CROSSING_AT
};

/* What one seed says. */
struct crossing_one {
	enum crossing_kind kind;
	double at;	    /* by interpolation, of CROSSING_AT */
	double after, upto; /* the neighbouring values that it lies between */
	bool back;	    /* further on B falls behind, or level, again */
};

/* The course of both kernels along a parameter, of one seed. */
struct crossing_course {
	const double *x;      /* @nr values of the parameter, growing */
	const double *a, *b;  /* the figures there; NaN: none */
	size_t nr;
	bool lower; /* is less better? */
};

/**
 * crossing_find - where B gets ahead first
 * Ahead is strictly better; a straight line is drawn between two values.
 */
void crossing_find(const struct crossing_course *course, struct crossing_one *out);

/* What all seeds say together. */
struct crossing {
	size_t nr, nr_at, nr_always, nr_never, nr_equal, nr_unknown, nr_back;
	double least, most, mean; /* of those that cross */
	double after, upto;	  /* all of them cross within these values */
	bool has_interval;	  /* all cross, there are two or more, and they differ */
	double low, high;	  /* 95 % interval of the mean, by Student's t */
};

void crossing_over(const struct crossing_one *one, size_t nr, struct crossing *out);

#endif
