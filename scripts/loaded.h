/*
 * One loaded scenario: what struct script is inside.  The parts of this
 * folder that bind Lua to the engine share it; nobody else sees it.
 */
#ifndef MEMCGLAB_SCRIPTS_LOADED_H
#define MEMCGLAB_SCRIPTS_LOADED_H

#include "host.h"
#include "param.h"
#include "workload.h"

enum script_function {
	SCRIPT_SETUP, SCRIPT_RUN, SCRIPT_EXPECT, SCRIPT_COMPARE,
	NR_SCRIPT_FUNCTIONS
};

enum { SCRIPT_TITLE_MAX = 128, SCRIPT_KERNELS_MAX = 16 };

/* A metric that the scenario declares; its function is kept in the Lua state. */
struct metric_decl {
	char name[PARAM_NAME_MAX], unit[32], better[8], doc[PARAM_DOC_MAX];
	struct place at;
	int from;			/* registry reference */
};

/* A computed metric, and one expectation as it was judged. */
struct metric {
	char name[PARAM_NAME_MAX], unit[32], better[8], doc[PARAM_DOC_MAX];
	bool is_text, is_real, missing;
	int64_t integer;
	double real;
	char text[PARAM_TEXT_MAX];
};
struct expectation {
	char text[PARAM_DOC_MAX], where[PARAM_DOC_MAX];
	const char *label;		/* one of the table of labels, or "" */
	bool ok, has_value, has_wanted;
	double value, wanted;
};

struct script {
	struct host host;
	char *comment;
	char title[SCRIPT_TITLE_MAX];
	char kernel[SCRIPT_KERNELS_MAX][ERA_NAME_MAX];
	size_t nr_kernels;
	bool defined;			/* scenario{} was called */
	int function[NR_SCRIPT_FUNCTIONS];	/* registry references; LUA_NOREF: none */

	struct param *param;		/* in the order of declaration */
	size_t nr_params;
	struct metric_decl *metric_decl;
	size_t nr_metric_decls;
	uint64_t seed;

	struct scenario machine;	/* as lab.machine{} said */
	bool machine_told;
	bool only_setup;		/* stop when setup() has returned */
	struct run *run;		/* not owned */
	struct actor *actors;		/* all of them, the main one last */
	struct actor *current;		/* whose turn it is or was */
	bool failed;			/* an error of the script ended the run */
	bool started, finished;

	struct metric *metric;		/* computed so far */
	size_t nr_metrics, own_metrics;	/* own: those of the engine, which come first */
	struct expectation *expectation;
	size_t nr_expectations;
};

/* loaded_of - the script whose state this is. */
struct script *loaded_of(lua_State *L);

/* loaded_no_param - Returns: ERR_USAGE for a parameter that there is not; the nearest is named. */
enum err loaded_no_param(const struct script *script, const char *name, struct diag *diag);

#endif
