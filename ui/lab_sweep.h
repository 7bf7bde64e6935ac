/*
 * A request with some of its parameters varied: every combination of their
 * values with every seed is a point, whose kernels are runs.  Checks all of
 * it before anything runs, numbers the points, makes the request of each,
 * and knows which of them the store has already.
 */
#ifndef MEMCGLAB_UI_LAB_SWEEP_H
#define MEMCGLAB_UI_LAB_SWEEP_H

#include "lab.h"
#include "values.h"

enum { LAB_AXES_MAX = 8, LAB_POINTS_MAX = 100000 };

struct lab_axis {
	const char *name;
	struct values values;
};

/* Axes as they are given: names, and values as values_read() takes them. */
struct lab_axes {
	const struct lab_param *param;
	size_t nr;
};

struct lab_sweep {
	struct lab *lab;
	struct lab_request request; /* without what is varied */
	struct lab_scenario scenario;
	struct script *script; /* loaded, to look at */
	struct era *era;       /* kernels: the sides of each point */
	size_t nr_eras;
	struct lab_axis axis[LAB_AXES_MAX];
	size_t nr_axes;
	size_t nr_settings;	 /* combinations of values; the last axis varies first */
	size_t nr_seeds;
	size_t nr_points;	 /* settings times seeds; seeds vary before axes do */
	struct lab_param *param; /* of the point asked for last */
};

/**
 * lab_sweep_open - check a request and its axes
 * @axes: may be none; its texts are borrowed, as @request's are
 * @out:  released by lab_sweep_close, also after an error
 * Returns: ERR_USAGE for any value of any point that is refused, for a parameter given twice,
 * more than LAB_POINTS_MAX runs; what lab_run refuses before it runs.
 */
enum err lab_sweep_open(struct lab *lab, const struct lab_request *request,
			const struct lab_axes *axes, struct lab_sweep *out, struct diag *diag);
void lab_sweep_close(struct lab_sweep *sweep);

/* lab_sweep_setting - the setting of point @point; lab_sweep_value - the number of the value that
 * axis @axis has in a setting. */
size_t lab_sweep_setting(const struct lab_sweep *sweep, size_t point);
size_t lab_sweep_value(const struct lab_sweep *sweep, size_t setting, size_t axis);

/* lab_sweep_request - what lab_run does for a point; valid until the next is asked for. */
void lab_sweep_request(struct lab_sweep *sweep, size_t point, struct lab_request *out);

/* lab_sweep_seed - the seed of a point. */
uint64_t lab_sweep_seed(const struct lab_sweep *sweep, size_t point);

/**
 * lab_sweep_stored - the runs that the store has as done
 * @stored: zeroed by the caller, of every point and kernel: [point * nr_eras + kernel]
 */
enum err lab_sweep_stored(struct lab_sweep *sweep, int64_t *stored, struct diag *diag);

#endif
