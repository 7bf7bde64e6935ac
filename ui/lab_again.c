/*
 * From a stored run to a request for the same.  Parameters come from the
 * JSON that was stored, in the order in which the scenario declares them.
 */
#include "lab_again.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* A value as -p would have it; malloc'ed, NULL: no memory or no value. */
static char *value_text(const json_t *value)
{
	char text[512] = "";
	size_t used = 0;

	if (json_is_string(value))
		return strdup(json_string_value(value));
	if (json_is_boolean(value))
		return strdup(json_is_true(value) ? "true" : "false");
	if (json_is_integer(value)) {
		snprintf(text, sizeof(text), "%lld", (long long)json_integer_value(value));
		return strdup(text);
	}
	if (!json_is_array(value))
		return NULL;
	for (size_t i = 0; i < json_array_size(value) && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld",
					 i > 0 ? "," : "",
					 (long long)json_integer_value(json_array_get(value, i)));
	return strdup(text);
}

/* The seed is the run's own and comes with the request. */
static enum err params_read(const struct script *script, const json_t *root, struct lab_again *out,
			    struct diag *diag)
{
	size_t n = script_param_count(script);

	out->param = calloc(n + 1, sizeof(*out->param));
	if (out->param == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for parameters");
	for (size_t i = 0; i < n; i++) {
		struct lab_param *param = &out->param[out->nr_params];
		struct script_param declared;

		script_param(script, i, &declared);
		if (strcmp(declared.type, "seed") == 0)
			continue;
		param->name = strdup(declared.name);
		param->value = value_text(json_object_get(root, declared.name));
		out->nr_params++;
		if (param->name == NULL || param->value == NULL)
			return diag_fail(diag, ERR_USAGE,
					 "run %lld cannot be run again: the store has no value of "
					 "its parameter %s",
					 (long long)out->run.id, declared.name);
	}
	return ERR_OK;
}

struct libraries {
	struct lab_again *again;
	struct diag *diag;
};

/* The array moves as it grows; the scenario points to where it is now. */
static enum err library_row(void *ctx, const struct db_library *row)
{
	const struct libraries *to = ctx;
	struct lab_scenario *scenario = &to->again->scenario;
	struct script_library *all =
		realloc(to->again->library, (scenario->nr_libraries + 1) * sizeof(*all));
	struct script_library *library;

	if (all == NULL)
		return diag_fail(to->diag, ERR_NOMEM, "no memory for libraries");
	to->again->library = all;
	scenario->library = all;
	library = &all[scenario->nr_libraries++];
	*library = (struct script_library){ strdup(row->name), strdup(row->text),
					    strlen(row->text) };
	if (library->name == NULL || library->text == NULL)
		return diag_fail(to->diag, ERR_NOMEM, "no memory for libraries");
	return ERR_OK;
}

/* The text as it was, under the name that it had. */
static enum err texts_read(struct db *db, struct lab_again *out, struct diag *diag)
{
	struct libraries libraries = { out, diag };
	struct lab_scenario *scenario = &out->scenario;
	const struct db_run *run = &out->run;

	if (run->text == NULL)
		return diag_fail(diag, ERR_USAGE,
				 "run %lld cannot be run again: its scenario's text is not stored",
				 (long long)run->id);
	scenario->closed = true;
	scenario->text = run->text;
	scenario->size = strlen(run->text);
	memcpy(scenario->name, run->scenario, sizeof(scenario->name));
	snprintf(scenario->file, sizeof(scenario->file), "%s",
		 run->file != NULL ? run->file : run->scenario);
	return db_libraries(db, run->id, library_row, &libraries, diag);
}

enum err lab_again_open(struct lab *lab, struct db *db, const struct db_run *run,
			struct lab_again *out, struct diag *diag)
{
	struct diag why = { .err = ERR_OK };
	struct script *script = NULL;
	json_t *root;
	enum err err;

	*out = (struct lab_again){ .run = *run };
	err = texts_read(db, out, diag);
	if (err != ERR_OK)
		return err;
	if (lab_script(lab, &out->scenario, &script, &why) != ERR_OK)
		return diag_fail(diag, why.err, "run %lld cannot be run again: %s",
				 (long long)run->id, why.text);
	root = json_loads(run->params != NULL ? run->params : "{}", 0, NULL);
	err = params_read(script, root, out, diag);
	json_decref(root);
	script_free(script);
	return err;
}

void lab_again_close(struct lab_again *again)
{
	for (size_t i = 0; i < again->nr_params; i++) {
		free((char *)again->param[i].name);
		free((char *)again->param[i].value);
	}
	for (size_t i = 0; i < again->scenario.nr_libraries; i++) {
		free((char *)again->library[i].name);
		free((char *)again->library[i].text);
	}
	free(again->param);
	free(again->library);
	db_run_free(&again->run);
	memset(again, 0, sizeof(*again));
}

void lab_again_request(const struct lab_again *again, struct lab_request *out)
{
	*out = (struct lab_request){
		.scenario = again->run.scenario,
		.loaded = &again->scenario,
		.kernels = again->run.kernel,
		.param = again->param,
		.nr_params = again->nr_params,
		.has_seed = true,
		.seed = again->run.seed,
	};
}
