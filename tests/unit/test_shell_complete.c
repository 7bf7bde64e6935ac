/*
 * Tab in the shell: at each place the names that may stand there, and no
 * others.  A "|" in a line is the cursor.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rig.h"
#include "shell_complete.h"
#include "stored.h"

static struct stored store;
static int64_t first_run;

static int open_store(void **state)
{
	const struct db_metric metric = { .name = "over_scan", .is_real = true, .real = 2 };

	(void)state;
	stored_open(&store);
	first_run = stored_begin(&store, "cat-in-100m");
	stored_end(&store, first_run, RUN_DONE);
	if (db_metrics_add(store.db, first_run, &metric, 1, NULL) != ERR_OK)
		return -1;
	stored_end(&store, stored_begin(&store, "charge-storm"), RUN_DONE);
	return 0;
}

static int close_store(void **state)
{
	(void)state;
	stored_close(&store);
	return 0;
}

static struct complete find(const char *line)
{
	static struct lab_options options;
	static char text[1024];
	char *cursor;
	struct complete c = { .lab = &options, .run = first_run, .text = text };

	options = (struct lab_options){ .db_path = store.path };
	script_limits_defaults(&options.limits);
	snprintf(text, sizeof(text), "%s", line);
	cursor = strchr(text, '|');
	c.rest = cursor ? cursor + 1 : "";
	if (cursor)
		*cursor = '\0';
	complete_find(&c);
	return c;
}

static const struct complete_item *item(const struct complete *c, const char *name)
{
	for (size_t i = 0; i < c->nr; i++)
		if (strcmp(c->item[i].text, name) == 0)
			return &c->item[i];
	return NULL;
}

/* Each of @names is offered, which blanks part; @nr: that many in all, 0: any number. */
static void offers(const char *line, size_t nr, const char *names)
{
	struct complete c = find(line);
	char name[128];

	for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
		size_t n = strcspn(at, " ");

		snprintf(name, sizeof(name), "%.*s", (int)n, at);
		if (!item(&c, name))
			fail_msg("%s: no %s among %zu: %s", line, name, c.nr,
				 c.nr > 0 ? c.item[0].text : "");
		at += n;
	}
	if (nr > 0 && c.nr != nr)
		fail_msg("%s: %zu names, not %zu: %s ... %s", line, c.nr, nr,
			 c.nr > 0 ? c.item[0].text : "", c.nr > 0 ? c.item[c.nr - 1].text : "");
	complete_free(&c);
}

static void offers_nothing(const char *line)
{
	struct complete c = find(line);

	if (c.nr != 0)
		fail_msg("%s: %s", line, c.item[0].text);
	complete_free(&c);
}

static void commands_stand_first(void **state)
{
	(void)state;
	offers("", 0, "run runs show scenario sql tui help quit");
	offers("ru", 2, "run runs");
	offers("  sce", 1, "scenario");
	offers_nothing("frob");
	offers_nothing("frob x");
}

static void options_are_those_of_the_command(void **state)
{
	struct complete c;

	(void)state;
	offers("run cat-in-100m --se", 1, "--seed");
	offers("run --", 0, "--kernel --param --seed --db --format");
	offers("pagecg --", 0, "--machine --ranges --arch");
	offers_nothing("runs --see");
	c = find("run --see");
	assert_non_null(strstr(item(&c, "--seed")->note, "seed of the run's generator"));
	assert_string_equal(c.behind, " ");
	assert_int_equal(c.typed, 5);
	complete_free(&c);
}

static void scenarios_have_their_title(void **state)
{
	struct complete c;

	(void)state;
	offers("run cat-i", 1, "cat-in-100m");
	offers("run --seed 3 cat-i", 1, "cat-in-100m");
	offers("scenario show charge-s", 1, "charge-storm");
	offers("tui cat-i", 1, "cat-in-100m");
	offers_nothing("run cat-in-100m cat-i"); /* it takes one */
	c = find("run cat-in");
	assert_non_null(item(&c, "cat-in-100m")->note);
	complete_free(&c);
}

static void parameters_are_those_of_the_scenario(void **state)
{
	struct complete c;

	(void)state;
	offers("run cat-in-100m -p ", 0, "limit= file= seed=");
	offers("run cat-in-100m --param li", 1, "limit=");
	offers_nothing("run charge-storm -p file");
	offers_nothing("run -p li");
	c = find("run cat-in-100m -p li");
	assert_string_equal(c.behind, ""); /* its value comes next */
	assert_non_null(strstr(item(&c, "limit=")->note, "limit"));
	complete_free(&c);
}

static void choices_offer_their_values(void **state)
{
	char line[512], path[256];
	FILE *file;

	(void)state;
	snprintf(path, sizeof(path), "%s/chosen.lua", store.folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("return scenario { name = 'chosen', params = {\n"
	      "  shape = param.choice { 'even', { 'even', 'one-big' } },\n"
	      "  shared = param.bool { false } }, run = function() end }\n",
	      file);
	fclose(file);
	snprintf(line, sizeof(line), "run %s -p shape=", path);
	offers(line, 2, "shape=even shape=one-big");
	snprintf(line, sizeof(line), "run %s -p shape=o", path);
	offers(line, 1, "shape=one-big");
	snprintf(line, sizeof(line), "run %s -p shared=", path);
	offers(line, 2, "shared=true shared=false");
	unlink(path);
	offers("screen latest --view l", 3, "lru limits locks");
	offers("runs -F js", 2, "json jsonl");
	offers("pagecg --arch x86-p", 1, "x86-pae");
	offers("run cat-in-100m -k unb", 1, "unbatched");
	offers("run cat-in-100m -k v2.6.31,batch", 1, "batched");
	offers("runs --color ", 3, "auto always never");
	offers("kernel show v2.6.3", 0, "v2.6.31 v2.6.32");
	offers("published show page_cg", 0, "page_cgroup_2011");
	offers("published ", 3, "list show check");
	offers("scenario ", 4, "list show new check");
}

static void runs_have_their_scenario(void **state)
{
	struct complete c;

	(void)state;
	offers("show ", 3, "1 2 latest");
	offers("tui 2", 1, "2");
	offers("export 1", 1, "1");
	c = find("show 2");
	assert_non_null(strstr(item(&c, "2")->note, "charge-storm"));
	complete_free(&c);
}

static void columns_stand_behind_select(void **state)
{
	struct complete c;

	(void)state;
	offers("select ker", 1, "kernel");
	offers("select run, sta", 1, "state");
	offers("select nr_| from v_scan;", 0, "nr_to_scan nr_scanned");
	offers_nothing("select nr_| from v_runs;");
	offers("select * from v_runs where sce", 1, "scenario");
	offers("select *\nfrom v_me", 1, "v_metrics");
	offers("select * from v_runs join v_sc", 1, "v_scan");
	offers("select * from v_co", 1, "v_compare");
	offers("select p_| from v_compare;", 1, "p_holm");
	c = find("select tolera");
	assert_non_null(strstr(item(&c, "tolerance")->note, "v_published"));
	complete_free(&c);
}

static void lua_knows_the_current_run(void **state)
{
	(void)state;
	offers("= ru", 0, "run.id run.metrics run.kernel");
	offers("= 1 + run.metrics.ov", 1, "run.metrics.over_scan");
	offers("lua print(run.sce", 1, "run.scenario");
	offers_nothing("= run.metrics.nonsense");
}

static void dot_commands_and_what_they_take(void **state)
{
	(void)state;
	offers(".", 0, ".mode .read .quit");
	offers(".he", 2, ".headers .help");
	offers(".mode cs", 1, "csv");
	offers(".pager o", 2, "on off");
	offers_nothing(".quit ");
	offers_nothing(".mode csv ");
}

static void files_stand_behind_read(void **state)
{
	char line[512], path[256];
	struct complete c;

	(void)state;
	snprintf(path, sizeof(path), "%s/sub", store.folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/a script", store.folder);
	assert_int_equal(close(creat(path, 0600)), 0);
	snprintf(line, sizeof(line), ".read %s/a", store.folder);
	offers(line, 1, "");
	c = find(line);
	assert_string_equal(c.item[0].text, path);
	assert_true(c.escape);
	assert_int_equal(c.typed, strlen(line) - 6);
	complete_free(&c);
	snprintf(line, sizeof(line), ".read '%s/a s", store.folder);
	c = find(line);
	assert_int_equal(c.nr, 1);
	assert_int_equal(c.typed, strlen(line) - 6); /* the quote goes too */
	complete_free(&c);
	snprintf(line, sizeof(line), "runs -o %s/s", store.folder);
	c = find(line);
	assert_int_equal(c.nr, 1);
	assert_string_equal(c.behind, "");
	assert_string_equal(strrchr(c.item[0].text, 'u'), "ub/");
	complete_free(&c);
	unlink(path);
	snprintf(path, sizeof(path), "%s/sub", store.folder);
	rmdir(path);
}

static void topics_stand_behind_help(void **state)
{
	(void)state;
	offers("help ke", 2, "keys kernel");
	offers("help .mo", 1, ".mode");
	offers("? form", 1, "formats");
}

static void without_a_store_there_are_no_runs(void **state)
{
	char path[sizeof(store.path)];

	(void)state;
	memcpy(path, store.path, sizeof(path));
	snprintf(store.path, sizeof(store.path), "/nowhere/runs.db");
	offers("show ", 1, "latest");
	offers_nothing("select ker");
	memcpy(store.path, path, sizeof(path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_stand_first),
		cmocka_unit_test(options_are_those_of_the_command),
		cmocka_unit_test(scenarios_have_their_title),
		cmocka_unit_test(parameters_are_those_of_the_scenario),
		cmocka_unit_test(choices_offer_their_values),
		cmocka_unit_test(runs_have_their_scenario),
		cmocka_unit_test(columns_stand_behind_select),
		cmocka_unit_test(lua_knows_the_current_run),
		cmocka_unit_test(dot_commands_and_what_they_take),
		cmocka_unit_test(files_stand_behind_read),
		cmocka_unit_test(topics_stand_behind_help),
		cmocka_unit_test(without_a_store_there_are_no_runs),
	};

	return cmocka_run_group_tests(tests, open_store, close_store);
}
