/*
 * The file of typed lines: its place, each line once, the newest 2,000, and
 * nothing lost between processes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rig.h"
#include "shell_history.h"

static char folder[256], path[SHELL_HISTORY_PATH_MAX];

static int folder_make(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "%.200s/history-XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/a/b/history", folder);
	return 0;
}

static int folder_remove(void **state)
{
	char line[512];

	(void)state;
	snprintf(line, sizeof(line), "rm -rf '%s'", folder);
	return system(line);
}

struct seen {
	size_t nr;
	char all[8192], last[64];
};

static void see(void *ctx, const char *line)
{
	struct seen *seen = ctx;

	seen->nr++;
	snprintf(seen->last, sizeof(seen->last), "%s", line);
	if (strlen(seen->all) + strlen(line) + 2 < sizeof(seen->all)) {
		strcat(seen->all, line);
		strcat(seen->all, "|");
	}
}

static void add(const char *line)
{
	struct diag diag;

	if (shell_history_add(path, line, &diag) != ERR_OK)
		fail_msg("%s: %s", line, diag.text);
}

static void expect(size_t max, const char *wanted)
{
	struct seen seen = { 0 };

	shell_history_each(path, max, see, &seen);
	assert_string_equal(seen.all, wanted);
}

static void lines_are_kept_in_order_and_each_once(void **state)
{
	struct stat st;

	(void)state;
	expect(10, "");
	add("one");
	add("two");
	add("");
	add("three");
	expect(10, "one|two|three|");
	add("two");
	expect(10, "one|three|two|");
	add("two");
	expect(2, "three|two|");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600); /* what one types is one's own */
}

static void an_unfinished_line_stays_a_line(void **state)
{
	FILE *file;

	(void)state;
	add("one");
	file = fopen(path, "a");
	assert_non_null(file);
	fputs("cut off", file);
	fclose(file);
	expect(9, "one|cut off|");
	add("two");
	expect(9, "one|cut off|two|");
}

static void the_oldest_go_when_there_are_too_many(void **state)
{
	struct seen seen = { 0 };
	char line[32];
	FILE *file;

	(void)state;
	add("line 0");
	file = fopen(path, "a");
	assert_non_null(file);
	for (int i = 1; i < SHELL_HISTORY_MAX - 1; i++)
		fprintf(file, "line %d\n", i);
	fclose(file);
	for (int i = SHELL_HISTORY_MAX - 1; i < SHELL_HISTORY_MAX + 3; i++) {
		snprintf(line, sizeof(line), "line %d", i);
		add(line);
	}
	shell_history_each(path, 5000, see, &seen);
	assert_int_equal(seen.nr, SHELL_HISTORY_MAX);
	assert_string_equal(seen.last, "line 2002");
	assert_int_equal(strncmp(seen.all, "line 3|line 4|", 14), 0);
}

/* Appending and writing anew meet: the common lines are there already now and then. */
static void processes_side_by_side_lose_nothing(void **state)
{
	enum { WRITERS = 4, LINES = 150 };
	struct seen seen = { 0 };

	(void)state;
	for (int w = 0; w < WRITERS; w++) {
		if (fork() != 0)
			continue;
		for (int i = 0; i < LINES; i++) {
			char line[32];

			snprintf(line, sizeof(line), "w%d line %d", w, i);
			if (shell_history_add(path, line, NULL) != ERR_OK ||
			    shell_history_add(path, "common", NULL) != ERR_OK)
				_exit(1);
		}
		_exit(0);
	}
	for (int w = 0; w < WRITERS; w++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	shell_history_each(path, 5000, see, &seen);
	assert_int_equal(seen.nr, WRITERS * LINES + 1);
}

static void each_store_has_a_file_of_its_own(void **state)
{
	char one[SHELL_HISTORY_PATH_MAX], two[SHELL_HISTORY_PATH_MAX], deep[3000];
	char wanted[SHELL_HISTORY_PATH_MAX];

	(void)state;
	setenv("XDG_STATE_HOME", folder, 1);
	assert_int_equal(shell_history_path("/nowhere/x/runs.db", one, NULL), ERR_OK);
	snprintf(wanted, sizeof(wanted), "%s/memcglab/history-%%nowhere%%x%%runs.db", folder);
	assert_string_equal(one, wanted);
	assert_int_equal(shell_history_path("/nowhere/y/runs.db", two, NULL), ERR_OK);
	assert_string_not_equal(one, two);
	/* One store by several names is one store. */
	assert_int_equal(shell_history_path("runs.db", one, NULL), ERR_OK);
	assert_int_equal(shell_history_path("./runs.db", two, NULL), ERR_OK);
	assert_string_equal(one, two);
	memset(deep, 'd', sizeof(deep));
	memcpy(deep + sizeof(deep) - 9, "/runs.db", 9);
	assert_int_equal(shell_history_path(deep, one, NULL), ERR_OK);
	assert_in_range(strlen(strrchr(one, '/')), 200, 255);
	unsetenv("XDG_STATE_HOME");
	setenv("HOME", "/h", 1);
	assert_int_equal(shell_history_path("/runs.db", one, NULL), ERR_OK);
	assert_int_equal(strncmp(one, "/h/.local/state/memcglab/history-", 33), 0);
}

static void a_place_that_cannot_be_written_is_told(void **state)
{
	struct diag diag;

	(void)state;
	assert_int_equal(shell_history_add("/proc/none/history", "x", &diag), ERR_OUTPUT);
	assert_non_null(strstr(diag.text, "/proc/none/history: "));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lines_are_kept_in_order_and_each_once),
		TEST(an_unfinished_line_stays_a_line),
		TEST(the_oldest_go_when_there_are_too_many),
		TEST(processes_side_by_side_lose_nothing),
		TEST(each_store_has_a_file_of_its_own),
		TEST(a_place_that_cannot_be_written_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
