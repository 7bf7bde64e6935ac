/*
 * Every shipped scenario on every kernel ends in a verdict, and at its end
 * the usage of each group is explained to the page by its parts.
 */
#include "scripted.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levels.h"
#include "verdict.h"

enum { FILES_MAX = 128, TEXT_MAX = 1 << 16 };

struct shipped {
	char path[FILES_MAX][300];
	size_t nr;
};

static void find_shipped(struct shipped *shipped)
{
	DIR *dir = opendir("scenarios");
	struct dirent *entry;

	assert_non_null(dir);
	shipped->nr = 0;
	while ((entry = readdir(dir)) != NULL) {
		const char *end = strrchr(entry->d_name, '.');

		if (!end || strcmp(end, ".lua") != 0)
			continue;
		assert_true(shipped->nr < FILES_MAX);
		snprintf(shipped->path[shipped->nr++], sizeof(shipped->path[0]), "scenarios/%s",
			 entry->d_name);
	}
	closedir(dir);
	assert_true(shipped->nr >= 6);
}

/* Loads it, smaller where it reads gigabytes. */
static void load(struct scripted *s, const char *path)
{
	char *text = calloc(1, TEXT_MAX);
	FILE *file = fopen(path, "rb");

	assert_non_null(text);
	assert_non_null(file);
	assert_true(fread(text, 1, TEXT_MAX - 1, file) < TEXT_MAX - 1);
	fclose(file);
	scripted_init(s);
	s->lib_dir = "scripts";
	if (!scripted_load(s, text))
		fail_msg("%s: %s", path, s->diag.text);
	if (strstr(path, "cat-in-100m"))
		(void)script_param_set(s->script, "file", "200M", &s->diag);
	free(text);
}

static enum err note(struct sink *sink, const struct event *event, struct diag *diag)
{
	struct {
		struct sink sink;
		struct verdict_facts facts;
	} *watch = (void *)sink;

	(void)diag;
	verdict_note(&watch->facts, event);
	return ERR_OK;
}

/* At the end: one verdict, and every group's parts add up. */
static void check_end(const struct run *run, const struct verdict_facts *facts, const char *where)
{
	struct levels_parts parts;
	struct verdict verdict;

	verdict_of(run, facts, &verdict);
	assert_true(verdict.kind < NR_VERDICTS);
	if (strstr(verdict.text, verdict_name(verdict.kind)) != verdict.text)
		fail_msg("%s: \"%s\"", where, verdict.text);
	for (uint32_t id = 1; id <= run_memcg_max(run); id++)
		if (levels_parts(run, id, &parts) && levels_sum(&parts) != parts.usage)
			fail_msg("%s: group %u: usage %llu, its parts %llu", where, id,
				 (unsigned long long)parts.usage,
				 (unsigned long long)levels_sum(&parts));
}

/* Returns: false if this kernel cannot run the scenario at all. */
static bool run_one(const char *path, const struct era *era)
{
	struct {
		struct sink sink;
		struct verdict_facts facts;
	} watch = { .sink = { .name = "facts", .mask = VERDICT_EVENTS, .event = note } };
	struct scripted s;
	bool done = false, ran = false;
	char where[512];

	snprintf(where, sizeof(where), "%s on %s", path, era->name);
	load(&s, path);
	if (script_open(s.script, era, &s.run, &s.diag) == ERR_OK) {
		assert_int_equal(run_add_sink(s.run, &watch.sink, &s.diag), ERR_OK);
		/* What a kernel does not have is refused; the machine stands as it is then. */
		ran = script_run(s.script, UINT64_MAX, &done, &s.diag) == ERR_OK;
		check_end(s.run, &watch.facts, where);
	}
	scripted_close(&s);
	return ran;
}

static void every_scenario_on_every_kernel_is_explained_to_the_page(void **state)
{
	struct shipped shipped;
	size_t ran = 0;
	struct era era;

	(void)state;
	find_shipped(&shipped);
	for (size_t i = 0; i < shipped.nr; i++) {
		size_t before = ran;

		for (size_t k = 0; era_at(k, &era); k++)
			ran += era.runnable && run_one(shipped.path[i], &era);
		if (ran == before)
			fail_msg("%s ran on no kernel", shipped.path[i]);
	}
	assert_true(ran >= shipped.nr);
}

/* The line of the verdict that this scenario ends in on this kernel. */
static void ends_in(const char *path, const char *kernel, const char *wanted)
{
	struct {
		struct sink sink;
		struct verdict_facts facts;
	} watch = { .sink = { .name = "facts", .mask = VERDICT_EVENTS, .event = note } };
	struct verdict verdict;
	struct scripted s;
	struct era era;
	bool done;

	assert_int_equal(era_find(kernel, &era, NULL), ERR_OK);
	load(&s, path);
	assert_int_equal(script_open(s.script, &era, &s.run, &s.diag), ERR_OK);
	assert_int_equal(run_add_sink(s.run, &watch.sink, &s.diag), ERR_OK);
	assert_int_equal(script_run(s.script, UINT64_MAX, &done, &s.diag), ERR_OK);
	verdict_of(s.run, &watch.facts, &verdict);
	if (strncmp(verdict.text, wanted, strlen(wanted)) != 0)
		fail_msg("%s on %s: \"%s\", wanted \"%s\"", path, kernel, verdict.text, wanted);
	scripted_close(&s);
}

static void scenarios_whose_end_is_known_end_so(void **state)
{
	(void)state;
	ends_in("scenarios/oom-anon.lua", "v3.3", "OOM: hog killed at box, oom_rss ");
	ends_in("scenarios/charge-limits.lua", "v2.6.31",
		"failed without OOM: fixed cannot shrink to 32p from 64p");
	ends_in("scenarios/cat-in-100m.lua", "v6.18-v1", "fits: ");
	ends_in("scenarios/page-cgroup-4g.lua", "v3.3", "fits: ");
	ends_in("scenarios/thrash-10m.lua", "v3.3", "thrashes: ");
	ends_in("scenarios/thrash-10m.lua", "v6.18", "thrashes: ");
	ends_in("scenarios/high-without-swap.lua", "v6.18", "frozen at high, no way out: box");
	ends_in("scenarios/high-without-swap.lua", "v6.18+charge=stock32",
		"frozen at high, no way out: box");
	/* What is reclaimed on demand is no pressure. */
	ends_in("scenarios/alarm-ratio.lua", "v6.18", "fits: no pressure, ");
	ends_in("scenarios/silent-pressure.lua", "v6.18", "OOM: ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_scenario_on_every_kernel_is_explained_to_the_page),
		cmocka_unit_test(scenarios_whose_end_is_known_end_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
