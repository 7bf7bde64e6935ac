/*
 * The list of which test holds what is true: each line names a file and a
 * test that is run in it, or words of a scenario's head; and nothing of the
 * rules' worked examples, invariants and reported cases is missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 256, TEXT_MAX = 1 << 17,
       EXAMPLES = 30, INVARIANTS = 10, CHARGE_EXAMPLES = 30,
       CHARGE_INVARIANTS = 13 };

#define LIST "tests/spec/held.txt"

/* The reports, by number. */
static const int cases[] = {
	1,  4,	5,  7,	9,  11, 13, 16, 18, 20, 22, 25, 27, 29, 31,
	34, 36, 37, 39, 40, 42, 43, 45, 47, 50, 52, 54, 57,
};

/* A whole file; the caller frees it.  NULL: there is none. */
static char *text_of(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, TEXT_MAX);

	assert_non_null(text);
	if (!file) {
		free(text);
		return NULL;
	}
	assert_true(fread(text, 1, TEXT_MAX - 1, file) < TEXT_MAX - 1);
	fclose(file);
	return text;
}

static void check_line(const char *line)
{
	char what[8], path[96], words[160], wanted[200];
	char *text;

	if (sscanf(line, "%7s %95s %159[^\n]", what, path, words) != 3)
		fail_msg("%s: not a line of three parts: %s", LIST, line);
	text = text_of(path);
	if (!text)
		fail_msg("%s: %s: there is no %s", LIST, what, path);
	/* A test counts that is run, not one that is only written. */
	snprintf(wanted, sizeof(wanted), strstr(path, ".lua") ? "%s" : "cmocka_unit_test(%s)",
		 words);
	if (!strstr(text, wanted))
		fail_msg("%s: %s: %s does not have \"%s\"", LIST, what, path, wanted);
	free(text);
}

static void each_line_of_the_list_is_true(void **state)
{
	FILE *file = fopen(LIST, "rb");
	char line[LONGEST];
	int lines = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#' || line[0] == '\n')
			continue;
		check_line(line);
		lines++;
	}
	fclose(file);
	assert_true(lines >= EXAMPLES + INVARIANTS + CHARGE_EXAMPLES + CHARGE_INVARIANTS);
}

static void is_held(const char *list, const char *form, int number)
{
	char name[16];

	name[0] = '\n';
	snprintf(name + 1, sizeof(name) - 1, form, number);
	if (!strstr(list, name))
		fail_msg("%s: nothing holds%s", LIST, name);
}

static void nothing_is_missing_from_the_list(void **state)
{
	char *list = text_of(LIST);

	(void)state;
	assert_non_null(list);
	for (int i = 1; i <= EXAMPLES; i++)
		is_held(list, "E%d ", i);
	for (int i = 1; i <= INVARIANTS; i++)
		is_held(list, "I%d ", i);
	for (int i = 1; i <= CHARGE_EXAMPLES; i++)
		is_held(list, "W%d ", i);
	for (int i = 1; i <= CHARGE_INVARIANTS; i++)
		is_held(list, "J%d ", i);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_held(list, "A%02d ", cases[i]);
	free(list);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_of_the_list_is_true),
		cmocka_unit_test(nothing_is_missing_from_the_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
