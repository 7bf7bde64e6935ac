/*
 * Rows in each format: what must be escaped is, nothing is cut, and the
 * file behind -o keeps its old text when a command fails.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "output.h"

/* Two rows with everything that some format must treat specially. */
static char *rows(const char *format)
{
	static const char *const names[] = { "n", "text" };
	static const char *const first[] = { "12", "a,\"b\"\t<c>'|" };
	static const char *const second[] = { NULL, "z" };
	static const int types[] = { OUTPUT_INTEGER, OUTPUT_TEXT };
	static const int null_types[] = { OUTPUT_NULL, OUTPUT_TEXT };
	struct output *out;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_int_equal(output_new(&(struct output_style){ .format = format }, file, &out, NULL),
			 ERR_OK);
	assert_int_equal(output_head(out, 2, names, NULL), ERR_OK);
	assert_int_equal(output_row(out, 2, first, types, NULL), ERR_OK);
	assert_int_equal(output_row(out, 2, second, null_types, NULL), ERR_OK);
	assert_int_equal(output_end(out, NULL), ERR_OK);
	output_free(out);
	fclose(file);
	return text;
}

static void expect_rows(const char *format, const char *wanted)
{
	char *text = rows(format);

	assert_string_equal(text, wanted);
	free(text);
}

/* One row of a text and a NULL in a style of its own. */
static void expect_styled(const struct output_style *style, const char *wanted)
{
	static const char *const names[] = { "text", "none" };
	static const char *const values[] = { "abc", NULL };
	static const int types[] = { OUTPUT_TEXT, OUTPUT_NULL };
	struct output *out;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_int_equal(output_new(style, file, &out, NULL), ERR_OK);
	assert_int_equal(output_head(out, 2, names, NULL), ERR_OK);
	assert_int_equal(output_row(out, 2, values, types, NULL), ERR_OK);
	assert_int_equal(output_end(out, NULL), ERR_OK);
	output_free(out);
	fclose(file);
	assert_string_equal(text, wanted);
	free(text);
}

/* Programs read JSON and SQL literals: there NULL has a word of its own. */
static void a_style_hides_the_head_and_names_what_is_not_there(void **state)
{
	static const struct {
		const char *format, *wanted;
	} formats[] = {
		{ "csv", "abc,no\n" },
		{ "tsv", "abc\tno\n" },
		{ "table", "abc  no\n" },
		{ "box", "┌─────┬────┐\n│ abc │ no │\n└─────┴────┘\n" },
		{ "html", "<table>\n<tr><td>abc</td><td>no</td></tr>\n</table>\n" },
		{ "quote", "'abc',NULL\n" },
		{ "json", "[{\"text\":\"abc\",\"none\":null}]\n" },
		{ "jsonl", "{\"text\":\"abc\",\"none\":null}\n" },
		{ "line", "text = abc\nnone = no\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		expect_styled(&(struct output_style){ .format = formats[i].format,
						      .no_head = true,
						      .null = "no" },
			      formats[i].wanted);
	expect_styled(&(struct output_style){ .format = "table", .width = { 5 } },
		      "text   none\nabc        \n");
	/* Narrower than a text only where something may be cut, which then is told. */
	expect_styled(&(struct output_style){ .format = "table", .width = { 2 } },
		      "text  none\nabc       \n");
}

static void a_cut_table_is_kept_whole_between_the_texts_around_it(void **state)
{
	static const char *const names[] = { "text" };
	static const char *const values[] = { "twenty letters or so." };
	static const int types[] = { OUTPUT_TEXT };
	struct output_whole whole = { tmpfile(), 0 };
	FILE *shown = tmpfile();
	const struct output_style style = { .format = "table", .room = 12, .whole = &whole };
	char text[256];
	struct output *out;

	(void)state;
	assert_true(whole.file != NULL && shown != NULL);
	fputs("before\n", shown);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(output_new(&style, shown, &out, NULL), ERR_OK);
		assert_int_equal(output_head(out, 1, names, NULL), ERR_OK);
		assert_int_equal(output_row(out, 1, values, types, NULL), ERR_OK);
		assert_int_equal(output_end(out, NULL), ERR_OK);
		output_free(out);
		fputs("behind\n", shown);
	}
	output_whole_rest(&whole, shown);
	rewind(whole.file);
	text[fread(text, 1, sizeof(text) - 1, whole.file)] = '\0';
	assert_string_equal(text, "before\ntext\ntwenty letters or so.\nbehind\n"
				  "text\ntwenty letters or so.\nbehind\n");
	rewind(shown);
	text[fread(text, 1, sizeof(text) - 1, shown)] = '\0';
	assert_non_null(strstr(text, "(1 texts cut, 0 columns left out"));
	assert_null(strstr(text, "or so."));
	fclose(whole.file);
	fclose(shown);
}

static void csv_quotes_what_holds_a_comma_or_a_quote(void **state)
{
	(void)state;
	expect_rows("csv", "n,text\n12,\"a,\"\"b\"\"\t<c>'|\"\n,z\n");
}

static void tsv_escapes_tabs(void **state)
{
	(void)state;
	expect_rows("tsv", "n\ttext\n12\ta,\"b\"\\t<c>'|\n\tz\n");
}

static void json_is_an_array_of_objects_with_null(void **state)
{
	(void)state;
	expect_rows("json", "[{\"n\":12,\"text\":\"a,\\\"b\\\"\\t<c>'|\"},\n"
			    "{\"n\":null,\"text\":\"z\"}]\n");
}

static void jsonl_is_an_object_a_line(void **state)
{
	(void)state;
	expect_rows("jsonl", "{\"n\":12,\"text\":\"a,\\\"b\\\"\\t<c>'|\"}\n"
			     "{\"n\":null,\"text\":\"z\"}\n");
}

static void quote_writes_sql_literals(void **state)
{
	(void)state;
	expect_rows("quote", "'n','text'\n12,'a,\"b\"\t<c>''|'\nNULL,'z'\n");
}

static void html_escapes_tags(void **state)
{
	(void)state;
	expect_rows("html", "<table>\n<tr><th>n</th><th>text</th></tr>\n"
			    "<tr><td>12</td><td>a,&quot;b&quot;\t&lt;c&gt;'|</td></tr>\n"
			    "<tr><td></td><td>z</td></tr>\n</table>\n");
}

static void line_aligns_the_names(void **state)
{
	(void)state;
	expect_rows("line", "   n = 12\ntext = a,\"b\"\t<c>'|\n\n   n = \ntext = z\n");
}

/* A terminal of 30 columns: texts lose letters, never numbers, and the last line counts them. */
static void a_table_wider_than_its_terminal_is_cut_and_says_so(void **state)
{
	static const char *const names[] = { "n", "a long text", "another", "m" };
	static const char *const values[] = { "1234567", "twenty letters or so",
					      "eighteen letters x", "89" };
	static const int types[] = { OUTPUT_INTEGER, OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_INTEGER };
	static const struct {
		size_t room;
		const char *wanted;
	} tables[] = {
		{ 0, "      n  a long text           another              m\n"
		     "1234567  twenty letters or so  eighteen letters x  89\n" },
		{ 40, "      n  a long text   another         m\n"
		      "1234567  twenty lett~  eighteen let~  89\n"
		      "(2 texts cut, 0 columns left out: -F line or a pipe shows all)\n" },
		{ 30, "      n  a long text\n"
		      "1234567  twenty letters or so\n"
		      "(0 texts cut, 2 columns left out: -F line or a pipe shows all)\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct output *out;
		char *text = NULL;
		size_t size;
		FILE *file = open_memstream(&text, &size);

		assert_int_equal(output_new(&(struct output_style){ .format = "table",
								    .room = tables[i].room },
					    file, &out, NULL),
				 ERR_OK);
		assert_int_equal(output_head(out, 4, names, NULL), ERR_OK);
		assert_int_equal(output_row(out, 4, values, types, NULL), ERR_OK);
		assert_int_equal(output_end(out, NULL), ERR_OK);
		output_free(out);
		fclose(file);
		assert_string_equal(text, tables[i].wanted);
		free(text);
	}
}

static void table_aligns_numbers_right_and_cuts_nothing(void **state)
{
	(void)state;
	expect_rows("table", " n  text\n12  a,\"b\" <c>'|\n    z\n");
}

static void markdown_has_a_rule_below_the_head(void **state)
{
	char *text = rows("markdown");

	(void)state;
	assert_non_null(strstr(text, "|----|-------------|\n"));
	free(text);
}

static void box_is_as_wide_as_its_longest_cell(void **state)
{
	char *text = rows("box");

	(void)state;
	assert_non_null(strstr(text, "│ 12 │ a,\"b\" <c>'| │\n"));
	assert_non_null(strstr(text, "│    │ z           │\n"));
	free(text);
}

static void wide_characters_count_as_one_cell(void **state)
{
	(void)state;
	assert_int_equal(output_cells("é⣿a"), 3);
}

static void json_has_no_word_for_infinity(void **state)
{
	static const char *const names[] = { "x" }, *const values[] = { "Inf" };
	static const int types[] = { OUTPUT_REAL };
	struct output *out;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(output_new(&(struct output_style){ .format = "jsonl" }, file, &out, NULL),
			 ERR_OK);
	output_head(out, 1, names, NULL);
	output_row(out, 1, values, types, NULL);
	output_free(out);
	fclose(file);
	assert_string_equal(text, "{\"x\":null}\n");
	free(text);
}

static void an_unknown_format_names_the_nearest(void **state)
{
	struct diag diag;

	(void)state;
	assert_int_equal(output_format_find("jsn", &diag), ERR_USAGE);
	assert_non_null(strstr(diag.text, "json"));
	assert_int_equal(output_format_find("tsv", NULL), ERR_OK);
}

static void more_columns_than_a_row_can_hold_are_refused(void **state)
{
	const char *names[OUTPUT_COLUMNS_MAX + 1];
	struct output *out;

	(void)state;
	for (int i = 0; i <= OUTPUT_COLUMNS_MAX; i++)
		names[i] = "c";
	assert_int_equal(output_new(&(struct output_style){ .format = "csv" }, stdout, &out, NULL),
			 ERR_OK);
	assert_int_equal(output_head(out, OUTPUT_COLUMNS_MAX + 1, names, NULL), ERR_USAGE);
	output_free(out);
}

/* ---- the file behind -o ---- */

static char path[128];

static int path_make(void **state)
{
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%.80s/out-XXXXXX",
		 getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	fd = mkstemp(path);
	if (fd < 0 || write(fd, "old old old\n", 12) != 12)
		return -1;
	return close(fd);
}

static int path_remove(void **state)
{
	(void)state;
	unlink(path);
	return 0;
}

static void expect_file(const char *wanted)
{
	char text[64];
	FILE *file = fopen(path, "r");
	size_t n;

	assert_non_null(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	fclose(file);
	assert_string_equal(text, wanted);
}

static void what_is_written_replaces_an_older_longer_file(void **state)
{
	struct output_file out;

	(void)state;
	assert_int_equal(output_file_open(path, &out, NULL), ERR_OK);
	fputs("new\n", out.file);
	assert_int_equal(output_file_close(&out, ERR_OK, NULL), ERR_OK);
	expect_file("new\n");
}

static void a_failure_that_wrote_nothing_leaves_the_old_file(void **state)
{
	struct output_file out;

	(void)state;
	assert_int_equal(output_file_open(path, &out, NULL), ERR_OK);
	assert_int_equal(output_file_close(&out, ERR_SCENARIO, NULL), ERR_SCENARIO);
	expect_file("old old old\n");
}

static void a_failure_leaves_no_empty_new_file(void **state)
{
	struct output_file out;

	(void)state;
	unlink(path);
	assert_int_equal(output_file_open(path, &out, NULL), ERR_OK);
	assert_int_equal(output_file_close(&out, ERR_USAGE, NULL), ERR_USAGE);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void a_full_device_is_an_output_error(void **state)
{
	struct output_file out;
	struct diag diag;

	(void)state;
	assert_int_equal(output_file_open("/dev/full", &out, NULL), ERR_OK);
	fputs("x", out.file);
	assert_int_equal(output_file_close(&out, ERR_OK, &diag), ERR_OUTPUT);
}

static void a_reader_that_left_is_told_from_a_full_device(void **state)
{
	int fd[2];
	FILE *file;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	close(fd[0]);
	file = fdopen(fd[1], "w");
	fputs("x", file);
	assert_int_not_equal(fflush(file), 0);
	assert_int_equal(output_check(file, NULL), ERR_PIPE);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_style_hides_the_head_and_names_what_is_not_there),
		cmocka_unit_test(a_cut_table_is_kept_whole_between_the_texts_around_it),
		cmocka_unit_test(csv_quotes_what_holds_a_comma_or_a_quote),
		cmocka_unit_test(tsv_escapes_tabs),
		cmocka_unit_test(json_is_an_array_of_objects_with_null),
		cmocka_unit_test(jsonl_is_an_object_a_line),
		cmocka_unit_test(quote_writes_sql_literals),
		cmocka_unit_test(html_escapes_tags),
		cmocka_unit_test(line_aligns_the_names),
		cmocka_unit_test(a_table_wider_than_its_terminal_is_cut_and_says_so),
		cmocka_unit_test(table_aligns_numbers_right_and_cuts_nothing),
		cmocka_unit_test(markdown_has_a_rule_below_the_head),
		cmocka_unit_test(box_is_as_wide_as_its_longest_cell),
		cmocka_unit_test(wide_characters_count_as_one_cell),
		cmocka_unit_test(json_has_no_word_for_infinity),
		cmocka_unit_test(an_unknown_format_names_the_nearest),
		cmocka_unit_test(more_columns_than_a_row_can_hold_are_refused),
		cmocka_unit_test_setup_teardown(what_is_written_replaces_an_older_longer_file,
						path_make, path_remove),
		cmocka_unit_test_setup_teardown(a_failure_that_wrote_nothing_leaves_the_old_file,
						path_make, path_remove),
		cmocka_unit_test_setup_teardown(a_failure_leaves_no_empty_new_file, path_make,
						path_remove),
		cmocka_unit_test(a_full_device_is_an_output_error),
		cmocka_unit_test(a_reader_that_left_is_told_from_a_full_device),
	};

	/* Writing to a pipe that nobody reads must return, not kill. */
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
