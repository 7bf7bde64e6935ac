/*
 * A scenario from a text, loaded as "x.lua" and run on a kernel in one call;
 * what it printed is kept, and what went wrong.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_SCRIPTED_H
#define MEMCGLAB_TESTS_SUPPORT_SCRIPTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

enum { SCRIPTED_LOG_MAX = 8192 };

struct scripted {
	struct script *script;
	struct run *run;
	enum err err;			/* the first one */
	struct diag diag;
	char log[SCRIPTED_LOG_MAX];	/* lines printed, each with its end */
	struct script_limits limits;
	const char *lib_dir;
};

/* scripted_init - nothing loaded; the usual limits, which may be changed before scripted_load. */
void scripted_init(struct scripted *s);

/* scripted_load - load @text.  Returns: whether that went well. */
bool scripted_load(struct scripted *s, const char *text);

/* scripted_go - open on @kernel, run to the end, judge; needs a loaded script. */
bool scripted_go(struct scripted *s, const char *kernel);

/* scripted_run - init, load and go on v3.3. */
bool scripted_run(struct scripted *s, const char *text);

/* scripted_body - scripted_run of a scenario whose run(lab, p, w) has this body. */
bool scripted_body(struct scripted *s, const char *body);
void scripted_close(struct scripted *s);

/* scripted_says - fails the test unless the error is @err and its text holds @part. */
void scripted_says(const struct scripted *s, enum err err, const char *part);

/* scripted_refused - the body must end in a scenario error with @part at x.lua:LINE. */
void scripted_refused(const char *body, int line, const char *part);

/* scripted_prints - the body must run and have printed exactly @log. */
void scripted_prints(const char *body, const char *log);

/* scripted_metric - the metric of that name; fails the test if there is none. */
struct script_metric scripted_metric(const struct scripted *s, const char *name);

/* scripted_expect - the expectation with that text; fails the test if there is none. */
struct script_expect scripted_expect(const struct scripted *s, const char *text);

#endif
