/*
 * Micro scenarios, every event that they cause, on each of their kernels:
 * NAME.lua beside NAME.txt.  Also the decisions about single pages, which no
 * store keeps.  `scons golden` writes the texts anew; a figure that moved
 * needs a reason, and the reason a line in CHANGELOG.md.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "scripted.h"

enum { FILES_MAX = 32, SOURCE_MAX = 1 << 14, TEXT_MAX = 1 << 20 };

#define FOLDER "tests/golden"

/* A sink that writes each event as a line. */
struct listing {
	struct sink sink;
	const struct run *run;
	char *text;
	size_t n;
	uint32_t seen; /* a bit for each kind that occurred */
};

static void say(struct listing *list, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(list->text + list->n, TEXT_MAX - list->n, fmt, args);
	va_end(args);
	assert_true(n >= 0 && list->n + (size_t)n < TEXT_MAX);
	list->n += (size_t)n;
}

static enum err list_event(struct sink *sink, const struct event *event, struct diag *diag)
{
	struct listing *list = (struct listing *)sink;
	const struct event_desc *desc = event_at(event->kind);
	struct run_memcg m = { .path = "" };

	(void)diag;
	list->seen |= 1u << event->kind;
	if (event->memcg)
		run_memcg(list->run, event->memcg, &m);
	say(list, "%" PRIu64 " step %" PRIu64 " t %" PRIu64 " cpu %" PRIu32 " %s %s", event->seq,
	    event->step, event->t_ns, event->cpu, event->memcg ? (m.path[0] ? m.path : "/") : "-",
	    desc->name);
	if (event->rule != RULE_NONE)
		say(list, " [%s]", rule_at(event->rule)->name);
	for (int i = 0; i < EVENT_NUMBERS && desc->number[i]; i++)
		say(list, " %s=%" PRId64, desc->number[i], event->n[i]);
	say(list, event->text ? " \"%s\"\n" : "\n", event->text);
	return ERR_OK;
}

static void load(struct scripted *s, const char *path, char source[SOURCE_MAX])
{
	struct script_file file = { .text = source, .name = path };
	FILE *in = fopen(path, "rb");

	assert_non_null(in);
	file.size = fread(source, 1, SOURCE_MAX, in);
	fclose(in);
	assert_true(file.size < SOURCE_MAX);
	scripted_init(s);
	if (script_load(&file, &s->limits, NULL, &s->script, &s->diag) != ERR_OK)
		fail_msg("%s", s->diag.text);
}

/* Runs the file on its kernel number @i.  Returns: false if it names no more. */
static bool list_kernel(struct listing *list, const char *path, size_t i)
{
	char source[SOURCE_MAX];
	struct scripted s;
	struct era era;
	bool done = false;
	bool more;

	load(&s, path, source);
	more = i < script_kernel_count(s.script);
	if (more) {
		assert_int_equal(era_find(script_kernel(s.script, i), &era, &s.diag), ERR_OK);
		say(list, "%s== %s\n", i ? "\n" : "", era.name);
		if (script_open(s.script, &era, &s.run, &s.diag) != ERR_OK)
			fail_msg("%s", s.diag.text);
		list->run = s.run;
		list->sink = (struct sink){ "listing", UINT32_MAX, list_event, NULL, NULL };
		if (run_add_sink(s.run, &list->sink, &s.diag) ||
		    script_run(s.script, UINT64_MAX, &done, &s.diag) || run_finish(s.run, &s.diag))
			fail_msg("%s on %s: %s", path, era.name, s.diag.text);
		assert_true(done);
		if (run_invariant(s.run, &s.diag) != ERR_OK)
			fail_msg("%s on %s: %s", path, era.name, s.diag.text);
	}
	scripted_close(&s);
	return more;
}

static void check_file(const char *name, uint32_t *seen)
{
	struct listing list = { .text = malloc(TEXT_MAX) };
	char lua[256], txt[256];
	size_t kernel = 0;

	assert_non_null(list.text);
	list.text[0] = '\0';
	snprintf(lua, sizeof(lua), FOLDER "/%s.lua", name);
	snprintf(txt, sizeof(txt), FOLDER "/%s.txt", name);
	while (list_kernel(&list, lua, kernel))
		kernel++;
	assert_true(kernel > 0);
	golden_check(txt, list.text);
	*seen |= list.seen;
	free(list.text);
}

static void each_micro_scenario_causes_the_recorded_events(void **state)
{
	static const enum event_kind must[] = { EVENT_SHRINK, EVENT_DEACTIVATE, EVENT_LIMIT_HIT,
						EVENT_RECLAIM, EVENT_PAGE, EVENT_CACHE,
						EVENT_OOM, EVENT_LIMIT_SET, EVENT_MARK };
	char name[FILES_MAX][GOLDEN_NAME_MAX];
	size_t nr = golden_scenarios(FOLDER, name, FILES_MAX);
	uint32_t seen = 0;

	(void)state;
	for (size_t i = 0; i < nr; i++)
		check_file(name[i], &seen);
	/* A recording that lost a kind of event would compare nothing of it. */
	for (size_t i = 0; i < sizeof(must) / sizeof(must[0]); i++)
		if (!(seen & 1u << must[i]))
			fail_msg("no micro scenario causes an event %s", event_at(must[i])->name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_micro_scenario_causes_the_recorded_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
