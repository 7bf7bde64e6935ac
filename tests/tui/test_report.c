/*
 * memcglab report: one page that stands alone, whose figures are those of
 * SQL, in which no text of a user becomes markup, and which a browser shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli.h"
#include "html.h"

static struct cli *cli;
static struct cli_folder folder;
static char *page;

/* Every text that a user can write has markup and quotes in it. */
#define EVIL "<script>alert('1')</script>\\\" & ${title}"

static const char evil[] =
	"return scenario {\n"
	"  name = \"evil\", title = \"A <script>claim</script> & more\",\n"
	"  kernels = { \"unbatched\", \"batched\" },\n"
	"  params = { limit = param.size { \"2M\" }, word = param.text { \"" EVIL "\" } },\n"
	"  setup = function(lab, p)\n"
	"    lab.machine { ram = \"1G\", cpus = 1 }\n"
	"    local g = lab.group(\"g\", { limit = p.limit })\n"
	"    return { t = lab.task(\"t\", { group = g }),\n"
	"             f = lab.file(\"f\", { size = \"8M\" }) }\n"
	"  end,\n"
	"  run = function(lab, p, w)\n"
	"    w.t:read(w.f, { bytes = \"8M\", chunk = \"16K\" })\n"
	"    if p.limit > 90000000 then error(\"" EVIL "\") end\n"
	"  end,\n"
	"  expect = function(t, r, p)\n"
	"    t.near(\"" EVIL "\", r.total.failcnt, 3, { rel = 0, label = \"predicted\" })\n"
	"  end,\n"
	"}\n";

/* Runs 1 and 2: A and B; 3 fails with an error of its scenario. */
static int folder_make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "report");
	if (cli == NULL)
		return -1;
	cli_write("evil.lua", evil);
	cli_shell(cli, "$M run evil.lua --tag '<script>tag' --note '<script>\"note\"</script>' "
		       "&& ! $M run evil.lua -k unbatched -p limit=100M");
	if (cli->status != 0)
		fail_msg("%.500s", cli->err);
	cli_run(cli, "report 1..3 -o page.html");
	if (cli->status != 0)
		fail_msg("%.500s", cli->err);
	cli_shell(cli, "cat page.html");
	page = strdup(cli->out);
	return page == NULL ? -1 : 0;
}

static int folder_remove(void **state)
{
	(void)state;
	free(page);
	return cli_close(cli, &folder);
}

static void ends(int status, const char *line)
{
	cli_shell_ends(cli, status, line);
}

static bool has_program(const char *name)
{
	char line[64];

	snprintf(line, sizeof(line), "command -v %s", name);
	cli_shell(cli, line);
	return cli->status == 0;
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)) != NULL; text += strlen(part))
		n++;
	return n;
}

/* ---- the page ---- */

static void no_text_of_a_user_becomes_markup(void **state)
{
	(void)state;
	assert_null(strstr(page, "<script"));
	assert_true(cli_has(page, "A &lt;script&gt;claim&lt;/script&gt; &amp; more"));
	assert_true(cli_has(page, "A: tag: &lt;script&gt;tag<"));
	assert_true(cli_has(page, "A: note: &lt;script&gt;&quot;note&quot;&lt;/script&gt;<"));
	assert_true(count(page, "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;") >= 5);
	/* A name of the template in a value is no name of the template. */
	assert_true(count(page, "&amp; ${title}") >= 5);
	assert_true(cli_has(page, "C: error: "));
}

static void the_page_needs_nothing_else(void **state)
{
	static const char *const foreign[] = { "<link", "<iframe",  "<img",        "@import",
					       " src=", "url(http", "javascript:", " onload=" };

	(void)state;
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		assert_null(strstr(page, foreign[i]));
	assert_int_equal(strncmp(page, "<!DOCTYPE html>\n<html lang=\"en\">", 31), 0);
	assert_true(cli_has(page, "prefers-color-scheme: dark"));
	assert_true(cli_has(page, "@media print"));
}

/* Tables are tables: each has a caption, and its heads say what they head. */
static void tables_have_captions_and_scopes(void **state)
{
	size_t tables = count(page, "<table>");

	(void)state;
	assert_in_range(tables, 5, 50);
	assert_int_equal(count(page, "<caption>"), tables);
	assert_int_equal(count(page, "<th "), count(page, "<th scope="));
	assert_int_equal(count(page, "<th>"), 0);
	assert_int_equal(count(page, "</table>"), tables);
}

static void plots_have_text_alternatives_and_their_data(void **state)
{
	(void)state;
	if (!has_program("gnuplot"))
		skip();
	assert_in_range(count(page, "<svg role=\"img\""), 2, 8);
	assert_true(cli_has(page, "<title>evil: usage of g</title>"));
	assert_true(cli_has(page, "<desc>usage [pages]: min "));
	assert_int_equal(count(page, "<figure>"), count(page, "Data of this plot"));
	assert_int_equal(count(page, " id='gpPt0'"), 0);
	assert_int_equal(count(page, " id='plot1-gpPt0'"), 1);
}

static void it_says_what_was_run_and_how_to_make_it_again(void **state)
{
	(void)state;
	assert_true(cli_has(page, "<th scope=\"row\">A (1)</th><td>v2.6.31 (unbatched)</td>"));
	assert_true(cli_has(page, "memcglab rerun 1 "));
	assert_true(cli_has(page, "Is the difference real?"));
	assert_true(cli_has(page, "too few seeds"));
	assert_true(cli_has(page, "<td class=\"no\">no</td>"));
	assert_true(cli_has(page, "return scenario {"));
}

/* ---- figures ---- */

/* Each line of the query must stand in the page. */
static void holds_rows(const char *sql, size_t least)
{
	char line[2048];
	const char *at;
	size_t n = 0;

	snprintf(line, sizeof(line), "$M sql \"%s\" -F tsv | tail -n +2", sql);
	ends(0, line);
	for (at = cli->out; *at != '\0'; at += strcspn(at, "\n") + 1, n++) {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(at, "\n"), at);
		assert_true(cli_has(page, line));
	}
	assert_in_range(n, least, 500);
}

static void every_figure_equals_the_same_query_in_sql(void **state)
{
	(void)state;
	holds_rows("select '<th scope=' || char(34) || 'row' || char(34) || '>' || a.name || "
		   "'</th><td>' || a.unit || '</td><td class=' || char(34) || 'n' || char(34) || "
		   "'>' || coalesce(a.value, '-') || '</td><td class=' || char(34) || 'n' || "
		   "char(34) || '>' || coalesce(b.value, '-') || '</td>' from v_metrics a join "
		   "v_metrics b on a.name = b.name where a.run = 1 and b.run = 2 and "
		   "typeof(a.value) <> 'text' and typeof(b.value) <> 'text'",
		   25);
	holds_rows("select '<td class=' || char(34) || 'n' || char(34) || '>' || value || "
		   "'</td><td class=' || char(34) || 'n' || char(34) || '>' || wanted || '</td>' "
		   "from v_expect",
		   2);
	holds_rows("select distinct '<td class=' || char(34) || 'n' || char(34) || '>' || value || "
		   "'</td></tr>' from v_series where run < 3 and memcg = 'g' and name = 'usage'",
		   1);
	holds_rows("select '<td class=' || char(34) || 'n' || char(34) || '>' || steps || '</td>' "
		   "from run",
		   3);
}

/* ---- files ---- */

static void the_same_runs_give_the_same_bytes(void **state)
{
	(void)state;
	ends(0, "$M report 1..3 -o again.html && cmp page.html again.html");
}

static void what_cannot_be_written_is_status_7_and_leaves_no_half(void **state)
{
	(void)state;
	ends(7, "$M report 1 -o nowhere/page.html");
	assert_true(cli_has(cli->err, "nowhere/page.html: cannot be written"));
	ends(7, "$M report 1 -o /dev/full");
	ends(0, "n=$(($(wc -c <page.html) / 640)); echo old >old.html; "
		"(ulimit -f $n; trap '' XFSZ; $M report 1..3 -o old.html; test $? = 7) && "
		"cat old.html && test $(ls | grep -c 'old.html') = 1");
	assert_string_equal(cli->out, "old\n");
	ends(0, "! $M report 99 -o new.html 2>/dev/null && ! test -e new.html");
}

static void without_gnuplot_plots_are_text(void **state)
{
	(void)state;
	ends(0, "PATH=/nonexistent $M report 1 2 -o text.html; grep -c '<pre>evil: usage of g' "
		"text.html && grep -q 'apt install gnuplot-nox' text.html && ! grep -q '<svg' "
		"text.html");
}

/* ---- templates ---- */

static char *expand(const char *text, json_t *data, enum err wanted)
{
	char *out = NULL;
	size_t size;
	FILE *file = open_memstream(&out, &size);
	struct diag diag = { .err = ERR_OK };

	assert_non_null(file);
	assert_int_equal(html_expand(text, data, file, &diag), wanted);
	fclose(file);
	json_decref(data);
	return out;
}

static void templates_have_values_lists_in_lists_and_markup(void **state)
{
	char *out;

	(void)state;
	out = expand("a ${#l}<${x}${#m}[${y}${z}]${/m}>${/l} ${=raw}${z}",
		     json_pack("{s:[{s:s,s:[{s:s},{s:s}]},{s:s,s:[]}],s:s,s:s}", "l", "x", "1&",
			       "m", "y", "p", "y", "q", "x", "2", "m", "raw", "<b>", "z", "!"),
		     ERR_OK);
	assert_string_equal(out, "a <1&amp;[p!][q!]><2> <b>!");
	free(out);
	free(expand("${gone}", json_pack("{}"), ERR_NAME));
	free(expand("${#l}x", json_pack("{s:[{}]}", "l"), ERR_NAME));
	free(expand("${#l}x${/l}", json_pack("{s:s}", "l", "no list"), ERR_NAME));
	out = expand("${t}", json_pack("{s:s}", "t", "\001<>&\"'\n"), ERR_OK);
	assert_string_equal(out, "\xef\xbf\xbd&lt;&gt;&amp;&quot;&#39;\n");
	free(out);
}

/* ---- a browser ---- */

/* Without scripts, in two widths: a picture is made, and the text is in the page as it is seen. */
static void a_browser_shows_it(void **state)
{
	(void)state;
	if (!has_program("chromium"))
		skip();
	ends(0, "for w in 1280 400; do HOME=$PWD timeout 60 chromium --headless --no-sandbox "
		"--disable-gpu --hide-scrollbars --window-size=$w,2000 --screenshot=shot$w.png "
		"file://$PWD/page.html >shot.log 2>&1 || exit 1; "
		"test $(head -c 4 shot$w.png | tail -c 3) = PNG || exit 1; "
		"test $(wc -c <shot$w.png) -gt 30000 || exit 1; done");
	ends(0, "HOME=$PWD timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom "
		"file://$PWD/page.html 2>shot.log");
	assert_true(cli_has(cli->out, "<caption>Figures of the whole run"));
	assert_null(strstr(cli->out, "<script"));
	assert_int_equal(count(cli->out, "<table>"), count(page, "<table>"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_text_of_a_user_becomes_markup),
		cmocka_unit_test(the_page_needs_nothing_else),
		cmocka_unit_test(tables_have_captions_and_scopes),
		cmocka_unit_test(plots_have_text_alternatives_and_their_data),
		cmocka_unit_test(it_says_what_was_run_and_how_to_make_it_again),
		cmocka_unit_test(every_figure_equals_the_same_query_in_sql),
		cmocka_unit_test(the_same_runs_give_the_same_bytes),
		cmocka_unit_test(what_cannot_be_written_is_status_7_and_leaves_no_half),
		cmocka_unit_test(without_gnuplot_plots_are_text),
		cmocka_unit_test(templates_have_values_lists_in_lists_and_markup),
		cmocka_unit_test(a_browser_shows_it),
	};

	return cmocka_run_group_tests_name("report", tests, folder_make, folder_remove);
}
