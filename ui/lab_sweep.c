/*
 * Requests and sweeps of them, see lab_sweep.h.
 *
 * A point is told apart from others by what makes a run: text, parameters,
 * kernel, seed and version.  Parameters are compared as they are stored, so
 * a point is found again whichever of its values were axes at the time.
 */
#include "lab_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_core.h"
#include "points.h"

/* --seed and a parameter of type seed are two words for one thing. */
static enum err seed_once(const struct lab_request *request, const struct script *script,
			  struct diag *diag)
{
	struct script_param param;

	for (size_t p = 0; request->has_seed && p < script_param_count(script); p++) {
		script_param(script, p, &param);
		if (strcmp(param.type, "seed") != 0)
			continue;
		for (size_t i = 0; i < request->nr_params; i++)
			if (strcmp(request->param[i].name, param.name) == 0)
				return diag_fail(diag, ERR_USAGE,
						 "the seed is given twice: by --seed and by -p %s",
						 param.name);
	}
	return ERR_OK;
}

enum err lab_ready(struct lab *lab, const struct lab_request *request, uint64_t first,
		   struct script **out, struct diag *diag)
{
	enum err err = lab_script(lab, request->loaded, out, diag);

	for (size_t i = 0; i < request->nr_params && err == ERR_OK; i++)
		err = script_param_set(*out, request->param[i].name, request->param[i].value, diag);
	if (err == ERR_OK)
		err = seed_once(request, *out, diag);
	if (err == ERR_OK && request->has_seed)
		err = script_seed_set(*out, request->seed, diag);
	if (err == ERR_OK && first > 0)
		err = script_seed_set(*out, script_seed(*out) + first, diag);
	return err;
}

/* ---- opening ---- */

void lab_sweep_close(struct lab_sweep *sweep)
{
	for (size_t i = 0; i < sweep->nr_axes; i++)
		values_fini(&sweep->axis[i].values);
	script_free(sweep->script);
	free(sweep->scenario.text);
	free(sweep->era);
	free(sweep->param);
	*sweep = (struct lab_sweep){ .lab = NULL };
}

/* Of two values of one parameter one would be lost silently. */
static enum err axis_once(const struct lab_sweep *sweep, const char *name, struct diag *diag)
{
	const struct lab_request *request = &sweep->request;

	for (size_t i = 0; i < request->nr_params; i++)
		if (strcmp(request->param[i].name, name) == 0)
			return diag_fail(diag, ERR_USAGE, "%s is given by -p and varied as well",
					 name);
	for (size_t i = 0; i < sweep->nr_axes; i++)
		if (strcmp(sweep->axis[i].name, name) == 0)
			return diag_fail(diag, ERR_USAGE, "%s is varied twice", name);
	return ERR_OK;
}

static enum err axis_add(struct lab_sweep *sweep, const struct lab_param *given, struct diag *diag)
{
	struct lab_axis *axis = &sweep->axis[sweep->nr_axes];
	enum err err = axis_once(sweep, given->name, diag);

	if (err == ERR_OK && sweep->nr_axes == LAB_AXES_MAX)
		err = diag_fail(diag, ERR_USAGE, "more than %d parameters are varied",
				LAB_AXES_MAX);
	if (err != ERR_OK)
		return err;
	axis->name = given->name;
	sweep->nr_axes++;
	err = values_read(sweep->script, given->name, given->value, &axis->values, diag);
	if (err != ERR_OK)
		return err;
	if (axis->values.nr > LAB_POINTS_MAX / sweep->nr_points / sweep->nr_eras)
		return diag_fail(diag, ERR_USAGE, "more than %d runs", LAB_POINTS_MAX);
	sweep->nr_settings *= axis->values.nr;
	sweep->nr_points *= axis->values.nr;
	return ERR_OK;
}

/* What is common to all points, as lab_run would check it. */
static enum err base_open(struct lab_sweep *sweep, struct diag *diag)
{
	struct lab_request *request = &sweep->request;
	enum err err = lab_scenario_find(sweep->lab, request->scenario, &sweep->scenario, diag);

	if (err == ERR_OK)
		err = lab_ready(sweep->lab, request, request->first + sweep->nr_seeds - 1,
				&sweep->script, diag);
	if (err == ERR_OK)
		err = script_seed_set(sweep->script,
				      script_seed(sweep->script) - (sweep->nr_seeds - 1), diag);
	if (err == ERR_OK)
		err = lab_kernels(request->kernels, sweep->script, &sweep->era, &sweep->nr_eras,
				  diag);
	if (err == ERR_OK && sweep->nr_seeds > LAB_POINTS_MAX / sweep->nr_eras)
		err = diag_fail(diag, ERR_USAGE, "more than %d runs", LAB_POINTS_MAX);
	return err;
}

enum err lab_sweep_open(struct lab *lab, const struct lab_request *request,
			const struct lab_axes *axes, struct lab_sweep *out, struct diag *diag)
{
	size_t seeds = request->repeat > 0 ? request->repeat : 1;
	enum err err;

	*out = (struct lab_sweep){
		.lab = lab,
		.request = *request,
		.nr_settings = 1,
		.nr_seeds = seeds,
		.nr_points = seeds,
	};
	out->request.loaded = &out->scenario;
	out->request.repeat = 1;
	err = base_open(out, diag);
	for (size_t i = 0; i < axes->nr && err == ERR_OK; i++)
		err = axis_add(out, &axes->param[i], diag);
	if (err != ERR_OK)
		return err;
	out->param = calloc(request->nr_params + axes->nr + 1, sizeof(*out->param));
	return out->param != NULL ? ERR_OK : diag_fail(diag, ERR_NOMEM, "no memory for a sweep");
}

/* ---- points ---- */

size_t lab_sweep_setting(const struct lab_sweep *sweep, size_t point)
{
	return point / sweep->nr_seeds;
}

size_t lab_sweep_value(const struct lab_sweep *sweep, size_t setting, size_t axis)
{
	for (size_t i = sweep->nr_axes - 1; i > axis; i--)
		setting /= sweep->axis[i].values.nr;
	return setting % sweep->axis[axis].values.nr;
}

uint64_t lab_sweep_seed(const struct lab_sweep *sweep, size_t point)
{
	return script_seed(sweep->script) + point % sweep->nr_seeds;
}

void lab_sweep_request(struct lab_sweep *sweep, size_t point, struct lab_request *out)
{
	size_t setting = lab_sweep_setting(sweep, point), n = sweep->request.nr_params;

	for (size_t i = 0; i < n; i++)
		sweep->param[i] = sweep->request.param[i];
	for (size_t i = 0; i < sweep->nr_axes; i++) {
		const struct lab_axis *axis = &sweep->axis[i];
		size_t value = lab_sweep_value(sweep, setting, i);

		sweep->param[n++] = (struct lab_param){ axis->name, axis->values.one[value].text };
	}
	*out = sweep->request;
	out->param = sweep->param;
	out->nr_params = n;
	out->first += point % sweep->nr_seeds;
}

/* ---- what is stored ---- */

struct lookup_key {
	char *params; /* owned */
	uint64_t seed;
	size_t point;
};

struct lookup {
	const struct lab_sweep *sweep;
	struct lookup_key *key; /* sorted */
	size_t nr;
	int64_t *stored;
};

static int key_order(const void *a, const void *b)
{
	const struct lookup_key *x = a, *y = b;

	if (x->seed != y->seed)
		return x->seed < y->seed ? -1 : 1;
	return strcmp(x->params, y->params);
}

/* Of runs that were made more than once the oldest counts. */
static enum err point_row(void *ctx, const struct db_point *point)
{
	const struct lookup *lookup = ctx;
	const struct lab_sweep *sweep = lookup->sweep;
	const struct lookup_key like = { .params = (char *)point->params, .seed = point->seed };
	const struct lookup_key *key =
		bsearch(&like, lookup->key, lookup->nr, sizeof(like), key_order);

	for (size_t i = 0; key != NULL && i < sweep->nr_eras; i++) {
		int64_t *stored = &lookup->stored[key->point * sweep->nr_eras + i];

		if (*stored == 0 && strcmp(sweep->era[i].name, point->kernel) == 0)
			*stored = point->id;
	}
	return ERR_OK;
}

/* The parameters of each point, as a run of it would store them. */
static enum err keys_fill(struct lab_sweep *sweep, struct script *script, struct lookup *lookup,
			  struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < sweep->nr_points && err == ERR_OK; i++) {
		struct lookup_key *key = &lookup->key[i];
		struct lab_request request;

		lab_sweep_request(sweep, i, &request);
		for (size_t p = 0; p < request.nr_params && err == ERR_OK; p++)
			err = script_param_set(script, request.param[p].name,
					       request.param[p].value, diag);
		if (err == ERR_OK)
			err = script_seed_set(script, lab_sweep_seed(sweep, i), diag);
		*key = (struct lookup_key){ .seed = script_seed(script), .point = i };
		key->params = script_params_json(script);
		lookup->nr++;
		if (err == ERR_OK && key->params == NULL)
			err = diag_fail(diag, ERR_NOMEM, "no memory for a sweep");
	}
	return err;
}

static enum err rows_read(struct lab_sweep *sweep, struct lookup *lookup, struct diag *diag)
{
	struct db_run like = { .text = sweep->scenario.text };
	struct db *db;
	enum err err = lab_db(sweep->lab, DB_READ, &db, diag);

	snprintf(like.scenario, sizeof(like.scenario), "%s", script_name(sweep->script));
	snprintf(like.version, sizeof(like.version), "%s", lab_version());
	return err == ERR_OK ? db_points(db, &like, point_row, lookup, diag) : err;
}

enum err lab_sweep_stored(struct lab_sweep *sweep, int64_t *stored, struct diag *diag)
{
	struct lookup lookup = { .sweep = sweep, .stored = stored };
	struct script *script = NULL;
	enum err err;

	lookup.key = calloc(sweep->nr_points, sizeof(*lookup.key));
	if (lookup.key == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for a sweep");
	err = lab_script(sweep->lab, &sweep->scenario, &script, diag);
	if (err == ERR_OK)
		err = keys_fill(sweep, script, &lookup, diag);
	if (err == ERR_OK) {
		qsort(lookup.key, lookup.nr, sizeof(*lookup.key), key_order);
		err = rows_read(sweep, &lookup, diag);
	}
	for (size_t i = 0; i < lookup.nr; i++)
		free(lookup.key[i].params);
	free(lookup.key);
	script_free(script);
	return err;
}
