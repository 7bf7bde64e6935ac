/*
 * Scenarios from texts, see scripted.h.
 */
#include "scripted.h"

#include <stdio.h>
#include <string.h>

static void keep_line(void *ctx, const char *text)
{
	struct scripted *s = ctx;
	size_t used = strlen(s->log);

	snprintf(s->log + used, sizeof(s->log) - used, "%s\n", text);
}

void scripted_init(struct scripted *s)
{
	memset(s, 0, sizeof(*s));
	script_limits_defaults(&s->limits);
}

bool scripted_load(struct scripted *s, const char *text)
{
	const struct script_file file = {
		.text = text, .size = strlen(text), .name = "x.lua", .lib_dir = s->lib_dir
	};
	struct script_log log = { s, keep_line };

	s->err = script_load(&file, &s->limits, &log, &s->script, &s->diag);
	assert_true(s->err == ERR_OK || s->script == NULL);
	return s->err == ERR_OK;
}

bool scripted_go(struct scripted *s, const char *kernel)
{
	bool done = false;
	struct era era;

	assert_int_equal(era_find(kernel, &era, &s->diag), ERR_OK);
	s->err = script_open(s->script, &era, &s->run, &s->diag);
	if (!s->err)
		s->err = script_run(s->script, UINT64_MAX, &done, &s->diag);
	if (!s->err)
		s->err = run_finish(s->run, &s->diag);
	if (!s->err)
		s->err = script_judge(s->script, &s->diag);
	assert_true(s->err != ERR_OK || done);
	return s->err == ERR_OK;
}

bool scripted_run(struct scripted *s, const char *text)
{
	scripted_init(s);
	return scripted_load(s, text) && scripted_go(s, "v3.3");
}

bool scripted_body(struct scripted *s, const char *body)
{
	static char text[SCRIPTED_LOG_MAX];

	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", run = function(lab, p, w) %s\nend }\n", body);
	return scripted_run(s, text);
}

void scripted_close(struct scripted *s)
{
	script_free(s->script);
	run_close(s->run);
	s->script = NULL;
	s->run = NULL;
}

void scripted_says(const struct scripted *s, enum err err, const char *part)
{
	if (s->err != err)
		fail_msg("error %d instead of %d: %s", s->err, err, s->diag.text);
	if (!strstr(s->diag.text, part))
		fail_msg("\"%s\" is not in: %s", part, s->diag.text);
}

void scripted_refused(const char *body, int line, const char *part)
{
	struct scripted s;
	char place[32];

	if (scripted_body(&s, body))
		fail_msg("this went well: %s", body);
	snprintf(place, sizeof(place), "x.lua:%d: ", line);
	scripted_says(&s, ERR_SCENARIO, place);
	scripted_says(&s, ERR_SCENARIO, part);
	scripted_close(&s);
}

void scripted_prints(const char *body, const char *log)
{
	struct scripted s;

	if (!scripted_body(&s, body))
		fail_msg("%s", s.diag.text);
	assert_string_equal(s.log, log);
	scripted_close(&s);
}

struct script_metric scripted_metric(const struct scripted *s, const char *name)
{
	struct script_metric metric = { .name = "" };

	for (size_t i = 0; i < script_metric_count(s->script); i++) {
		script_metric(s->script, i, &metric);
		if (!strcmp(metric.name, name))
			return metric;
	}
	fail_msg("there is no metric %s", name);
	return metric;
}

struct script_expect scripted_expect(const struct scripted *s, const char *text)
{
	struct script_expect expect = { .text = "" };

	for (size_t i = 0; i < script_expect_count(s->script); i++) {
		script_expect(s->script, i, &expect);
		if (!strcmp(expect.text, text))
			return expect;
	}
	fail_msg("there is no expectation \"%s\"", text);
	return expect;
}
