/*
 * Lines that are not typed: each whole, whatever pieces they come in.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rig.h"
#include "shell_source.h"

static void a_text_is_cut_into_its_lines(void **state)
{
	struct shell_source source;

	(void)state;
	assert_int_equal(shell_source_text(&source, "-c", "one\n\ntwo\r\nthree", NULL), ERR_OK);
	assert_string_equal(shell_source_line(&source), "one");
	assert_string_equal(shell_source_line(&source), "");
	assert_string_equal(shell_source_line(&source), "two");
	assert_int_equal(source.line, 3);
	assert_string_equal(shell_source_line(&source), "three");
	assert_null(shell_source_line(&source));
	assert_null(shell_source_line(&source));
	shell_source_close(&source);
	assert_int_equal(shell_source_text(&source, "-c", "", NULL), ERR_OK);
	assert_null(shell_source_line(&source));
	shell_source_close(&source);
}

/* A line of each length around the size of a read, the last without its end. */
static void lines_longer_than_a_read_are_whole(void **state)
{
	static const size_t lengths[] = { 1, 4095, 4096, 4097, 1, 8191, 8192, 20000, 1, 3, 12288 };
	enum { NR = sizeof(lengths) / sizeof(lengths[0]) };
	char path[256];
	struct shell_source source;
	FILE *file;

	(void)state;
	snprintf(path, sizeof(path), "%.200s/lines", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	file = fopen(path, "w");
	assert_non_null(file);
	for (size_t i = 0; i < NR; i++)
		fprintf(file, "%0*d%s", (int)lengths[i], (int)i % 10, i + 1 < NR ? "\n" : "");
	fclose(file);
	assert_int_equal(shell_source_open(&source, path, NULL), ERR_OK);
	for (size_t i = 0; i < NR; i++) {
		const char *line = shell_source_line(&source);

		assert_non_null(line);
		assert_int_equal(strlen(line), lengths[i]);
		assert_int_equal(line[strlen(line) - 1], '0' + (int)i % 10);
	}
	assert_null(shell_source_line(&source));
	shell_source_close(&source);
	unlink(path);
}

static void a_line_is_given_as_soon_as_it_is_there(void **state)
{
	struct shell_source source;
	int fd[2], input = dup(STDIN_FILENO);

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(dup2(fd[0], STDIN_FILENO), STDIN_FILENO);
	assert_int_equal(shell_source_open(&source, NULL, NULL), ERR_OK);
	assert_int_equal(write(fd[1], "one\ntw", 6), 6);
	assert_string_equal(shell_source_line(&source), "one");
	assert_int_equal(write(fd[1], "o\n", 2), 2);
	assert_string_equal(shell_source_line(&source), "two");
	close(fd[1]);
	assert_null(shell_source_line(&source));
	shell_source_close(&source);
	dup2(input, STDIN_FILENO);
	close(input);
	close(fd[0]);
}

static void a_file_that_is_not_there_is_refused(void **state)
{
	struct shell_source source;
	struct diag diag;

	(void)state;
	assert_int_equal(shell_source_open(&source, "/nowhere/lines", &diag), ERR_USAGE);
	assert_string_equal(diag.text, "/nowhere/lines: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_cut_into_its_lines),
		cmocka_unit_test(lines_longer_than_a_read_are_whole),
		cmocka_unit_test(a_line_is_given_as_soon_as_it_is_there),
		cmocka_unit_test(a_file_that_is_not_there_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
