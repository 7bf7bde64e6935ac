/*
 * Comparing with recorded texts, see golden.h.
 */
#include "golden.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pictures.h"

enum { GOLDEN_MAX = 1 << 20 };

static bool writing(void)
{
	const char *mode = getenv("MEMCGLAB_GOLDEN");

	return mode && strcmp(mode, "write") == 0;
}

static void write_golden(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static void read_golden(const char *path, char *text)
{
	FILE *in = fopen(path, "r");
	size_t n = in ? fread(text, 1, GOLDEN_MAX - 1, in) : 0;

	text[n] = '\0';
	if (!in)
		fail_msg("%s is missing: `scons golden` makes it", path);
	fclose(in);
	assert_true(n < GOLDEN_MAX - 1);
}

/* Says which line differs, both ways. */
static void same_text(const char *path, const char *wanted, const char *got)
{
	for (int line = 1; *wanted || *got; line++) {
		int n = (int)strcspn(wanted, "\n"), m = (int)strcspn(got, "\n");

		if (n != m || strncmp(wanted, got, (size_t)n) != 0)
			fail_msg("%s:%d\nwanted |%.*s|\ngot    |%.*s|", path, line, n, wanted, m,
				 got);
		wanted += n + (wanted[n] == '\n');
		got += m + (got[m] == '\n');
	}
}

void golden_check(const char *path, const char *got)
{
	char *wanted = malloc(GOLDEN_MAX);

	assert_non_null(wanted);
	if (writing())
		write_golden(path, got);
	read_golden(path, wanted);
	same_text(path, wanted, got);
	free(wanted);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

size_t golden_scenarios(const char *folder, char name[][GOLDEN_NAME_MAX], size_t most)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t nr = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		const char *end = strrchr(entry->d_name, '.');

		if (!end || strcmp(end, ".lua") != 0)
			continue;
		assert_true(nr < most);
		snprintf(name[nr++], GOLDEN_NAME_MAX, "%.*s", (int)(end - entry->d_name),
			 entry->d_name);
	}
	closedir(dir);
	qsort(name, nr, GOLDEN_NAME_MAX, by_name);
	return nr;
}

void golden_picture(const char *name, char *got, int w, int h)
{
	char path[256];

	assert_int_equal(pictures_lines(got), h);
	assert_true(pictures_width(got) <= w);
	snprintf(path, sizeof(path), "tests/tui/golden/%s.txt", name);
	golden_check(path, got);
	free(got);
}
