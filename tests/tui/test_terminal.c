/*
 * The program in a terminal: opened, used by keys, resized, interrupted,
 * crashed and left.  Each test has a terminal and a store of its own.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "terminal.h"

/* A scenario that goes on until it is stopped. */
static const char endless[] =
	"cat >\"$T/endless.lua\" <<'END'\n"
	"return scenario { name = 'endless', title = 'reads for ever', kernels = { 'unbatched' },\n"
	"  setup = function(lab)\n"
	"    lab.machine { ram = '4G' }\n"
	"    return { task = lab.task('a', { group = lab.group('g', { limit = '1M' }) }),\n"
	"             file = lab.file('big', { size = '1T', sparse = true }) }\n"
	"  end,\n"
	"  run = function(lab, p, w)\n"
	"    print('these words belong to the log')\n"
	"    w.task:read(w.file, { bytes = '1T', chunk = '128K' })\n"
	"  end }\n"
	"END\n";

static int fresh(void **state)
{
	char path[512];

	(void)state;
	terminal_sh("rm -f \"$T\"/*.lua \"$T\"/runs.db*");
	snprintf(path, sizeof(path), "%s/runs.db", getenv("T"));
	setenv("MEMCGLAB_DB", path, 1);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	terminal_stop();
	return 0;
}

static void the_first_screen_lists_scenarios_and_keys(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "");
	terminal_wait("no runs yet");
	terminal_wait("age-order");
	terminal_wait("alarm-ratio");
	terminal_wait("cat-in-100m");
	terminal_wait("charge-limits");
	terminal_wait("? help");
	terminal_wait("q quit");
	terminal_keys("q");
	terminal_left(0);
}

static void enter_runs_a_scenario_and_shows_both_kernels(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "");
	terminal_wait("no runs yet");
	terminal_type("/");
	terminal_type("cat-in");
	terminal_keys("Enter");
	terminal_gone("charge-limits");
	terminal_keys("Enter");
	terminal_wait("A unbatched  jobs/cat");
	terminal_wait("B batched  jobs/cat");
	terminal_wait("inact_file");
	terminal_keys("4");
	terminal_wait("25535   12   6");
	terminal_wait("25507   10  10");
	terminal_keys("7");
	terminal_wait("newest first");
	terminal_keys("Q");
	terminal_left(0);
}

static void a_target_is_run_and_time_can_be_played(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "cat-in-100m");
	terminal_wait("inact_file");
	terminal_type("0");
	terminal_wait("op 0/");
	terminal_wait("no reclaim up to this step");
	terminal_type(".");
	terminal_wait("op 1/");
	terminal_keys("Space");
	terminal_wait("\u25b6");
	terminal_keys("Space");
	terminal_wait("\u2016");
	terminal_type("t50%");
	terminal_keys("Enter");
	terminal_wait("op 40 9");
	terminal_type(",");
	terminal_type("$");
	terminal_wait("100%");
	terminal_keys("q");
	terminal_left(0);
}

static void the_locks_view_turns_sorts_and_filters(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "charge-storm");
	terminal_wait("inact_file");
	terminal_type("3");
	terminal_wait("[3 Locks]");
	terminal_wait("&counter->lock");
	terminal_wait("who waits (call sites)");
	terminal_wait("waiting CPUs over time");
	terminal_keys("Enter");
	terminal_wait("for whom (call sites)");
	terminal_type("v");
	terminal_wait("wait (us)");
	terminal_type("s");
	terminal_wait("sorted by wait");
	terminal_type("/class:none");
	terminal_wait("No class of locks matches the filter.");
	terminal_keys("Escape");
	terminal_wait("&counter->lock");
	terminal_type("c");
	terminal_gone("B v2.6.33");
	terminal_keys("q");
	terminal_left(0);
}

static void the_tree_of_groups_folds_focuses_filters_and_sorts(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "two-siblings");
	terminal_wait("inact_file");
	terminal_type("2");
	terminal_wait("> \u25be jobs  !"); /* the group that matters is selected */
	terminal_wait("verdict: fits");
	terminal_keys("Left");
	terminal_wait("\u25b8 jobs (2)  !");
	terminal_keys("Right");
	terminal_wait("big    ");
	terminal_type("jv");
	terminal_wait("usage over time, jobs/big");
	terminal_type("v");
	terminal_wait("A who took pages from whom");
	terminal_type("s");
	terminal_wait("Enter sorts");
	terminal_type("jj");
	terminal_keys("Enter");
	terminal_gone("Enter sorts");
	terminal_wait("usage\u25be");
	terminal_type("S");
	terminal_wait("usage\u25b4");
	terminal_type("k");
	terminal_keys("Enter"); /* jobs on top: the root is gone */
	terminal_gone("root  ");
	terminal_keys("q"); /* q comes back and does not leave */
	terminal_wait("root  ");
	terminal_type("/usage>600 limit>1");
	terminal_wait("cgroup (A)");
	terminal_gone("small              1");
	terminal_wait("jobs/big");
	terminal_wait("/usage>600 limit>1");
	terminal_keys("Escape");
	terminal_wait("small              1");
	terminal_type("c");
	terminal_type("c");
	terminal_wait("cgroup (B)");
	terminal_keys("q");
	terminal_left(0);
}

static void help_opens_filters_performs_and_closes(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "");
	terminal_wait("no runs yet");
	terminal_type("?");
	terminal_wait("keys in Runs");
	terminal_type("anywhere");
	terminal_wait("keys in Runs  /anywhere");
	terminal_wait("quit from anywhere");
	terminal_gone("a command by name");
	terminal_keys("Escape");
	terminal_gone("keys in Runs");
	terminal_type("?");
	terminal_wait("keys in Runs");
	terminal_type("page_cgroup");
	terminal_keys("Enter");
	terminal_wait("memory for the array");
	terminal_type("?");
	terminal_wait("keys in PageCg");
	terminal_wait("machine-up");
	terminal_keys("q");
	terminal_gone("keys in PageCg");
	terminal_keys("q");
	terminal_left(0);
}

static void every_printable_character_is_text_in_every_prompt(void **state)
{
	static const char *const open[] = { ":", "/", "w" };
	char all[128];
	int n = 0;

	(void)state;
	/* No slash first: the text stays one word that names no file of ours. */
	for (char ch = '!'; ch < 127; ch++)
		all[n++] = ch;
	all[n] = '\0';
	terminal_start(160, 48, "", "");
	terminal_wait("no runs yet");
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
		terminal_type(open[i]);
		terminal_type(all);
		terminal_wait(all);
		terminal_wait("[7 Runs]");
		terminal_keys("Escape");
		terminal_gone(all);
	}
	terminal_wait("no runs yet");
	terminal_keys("q");
	terminal_left(0);
}

static void half_a_line_survives_a_resize(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "cat-in-100m");
	terminal_wait("inact_file");
	terminal_type(":goto 5");
	terminal_wait(":goto 5");
	terminal_resize(100, 30);
	terminal_wait(":goto 5");
	terminal_type("0%");
	terminal_keys("Enter");
	terminal_wait("op 40 9");
	terminal_resize(160, 48);
	terminal_wait("inactive_file");
	terminal_keys("q");
	terminal_left(0);
}

static void a_screen_too_small_says_so_and_can_be_left(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "");
	terminal_wait("no runs yet");
	terminal_resize(30, 8);
	terminal_wait("50x16 needed, 30x8 here");
	terminal_type("?");
	terminal_wait("Enter performs");
	terminal_keys("q");
	terminal_resize(1, 1);
	terminal_resize(50, 16);
	terminal_wait("[7 Runs]");
	terminal_resize(1, 1);
	terminal_keys("q");
	terminal_resize(60, 20);
	terminal_left(0);
}

static void the_palette_completes_and_names_its_errors(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "");
	terminal_wait("no runs yet");
	terminal_type(":page");
	terminal_wait("memory for page_cgroup records");
	terminal_type("c");
	terminal_keys("Tab");
	terminal_wait(":pagecg");
	terminal_keys("Enter");
	terminal_wait("memory for the array");
	terminal_type(":pley");
	terminal_keys("Enter");
	terminal_wait("no command \"pley\"; the nearest is play");
	terminal_keys("Escape");
	terminal_type(":play");
	terminal_keys("Enter");
	terminal_wait("play does nothing in PageCg");
	terminal_keys("Escape");
	terminal_type(":open nosuchscenario");
	terminal_keys("Enter");
	terminal_wait("nosuchscenario");
	terminal_keys("Q");
	terminal_left(0);
}

static void a_filter_acts_while_typed_and_escape_clears_it(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "");
	terminal_wait("no runs yet");
	terminal_type("/oom");
	terminal_gone("cat-in-100m");
	terminal_wait("oom-anon");
	terminal_keys("Escape");
	terminal_wait("cat-in-100m");
	terminal_type("/sceen:x");
	terminal_wait("no column or metric \"sceen\" here; near:");
	terminal_keys("Escape");
	terminal_keys("q");
	terminal_left(0);
}

/* The words of --where, in the list of runs, over figures that only the store has. */
static void the_list_of_runs_is_filtered_by_any_column_or_metric(void **state)
{
	(void)state;
	assert_int_equal(terminal_sh("$M run cat-in-100m -p file=1G --tag base >/dev/null"), 0);
	terminal_start(80, 24, "", "");
	terminal_wait("runs 2");
	terminal_type("/over_sc");
	terminal_wait("/over_sc");
	terminal_wait("runs 2 "); /* a name in the making hides nothing */
	terminal_type("an < 2 and kernel = \"batched\"");
	terminal_wait("runs 1 of 2");
	terminal_gone("unbatched");
	terminal_keys("Enter");
	terminal_wait("/over_scan < 2 and kernel = \"batched\"");
	terminal_keys("Escape");
	terminal_wait("unbatched");
	terminal_type("/scenario:cat kernel:batched tag:base metric.over_scan<2");
	terminal_wait("runs 1 of 2");
	terminal_type(" and metric.over_scam");
	terminal_type("=1");
	terminal_wait("no column or metric \"metric.over_scam\" here; near: metric.over_scan");
	terminal_keys("Enter");
	terminal_wait("no column or metric"); /* it stays open */
	terminal_keys("Escape");
	terminal_wait("runs 2 ");
	terminal_keys("q");
	terminal_left(0);
}

static void notes_tags_and_the_end_of_a_run_are_a_key_each(void **state)
{
	(void)state;
	assert_int_equal(terminal_sh("$M run cat-in-100m -p file=128M --note first >/dev/null"), 0);
	terminal_start(80, 24, "", "");
	terminal_wait("runs 2");
	terminal_type("E");
	terminal_wait("note of run 2 cat-in-100m: first");
	terminal_type(" and last");
	terminal_keys("Enter");
	terminal_wait("the note of run 2 is stored");
	assert_int_equal(terminal_sh("test \"$($M note 2)\" = 'first and last'"), 0);
	terminal_type("T");
	terminal_wait("tags of run 2 cat-in-100m:");
	terminal_type("base x");
	terminal_keys("Enter");
	terminal_wait("the tags of run 2 are stored");
	assert_int_equal(terminal_sh("test \"$($M tag 2)\" = 'base x'"), 0);
	terminal_type("D");
	terminal_wait("delete run 2 cat-in-100m? type y:");
	terminal_keys("Enter");
	terminal_wait("nothing was deleted");
	terminal_keys("Down");
	terminal_type("D");
	terminal_wait("delete run 1 cat-in-100m? type y:");
	terminal_type("y");
	terminal_keys("Enter");
	terminal_wait("run 1 is deleted");
	terminal_wait("runs 1 ");
	assert_int_equal(terminal_sh("test \"$($M runs -F csv | wc -l)\" = 2"), 0);
	terminal_keys("End");
	terminal_type("D");
	terminal_wait("select a run first");
	terminal_keys("q");
	terminal_left(0);
}

static void no_row_vanishes_while_a_comparison_is_typed(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "two-siblings");
	terminal_wait("inact_file");
	terminal_type("4");
	terminal_wait("over-scan");
	terminal_type("/recl");
	terminal_wait("/recl");
	terminal_wait("over-scan");
	terminal_type("<33");
	terminal_wait("/recl<33");
	terminal_wait("over-scan");
	terminal_keys("Enter");
	terminal_type("/prio");
	terminal_keys("Enter");
	terminal_wait("No shrink call matches the filter");
	terminal_keys("Escape");
	terminal_keys("q");
	terminal_left(0);
}

static void pasted_lines_are_text_in_a_prompt_and_no_keys_without_one(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "two-siblings");
	terminal_wait("inact_file");
	terminal_type(":");
	terminal_paste("goto 5\\ngoto 7\\nquit");
	terminal_wait(":goto 5 goto 7 quit");
	terminal_keys("Escape");
	terminal_gone(":goto 5");
	terminal_paste("qQ\\n");
	terminal_wait("pasted text is for a prompt");
	terminal_type("7");
	terminal_wait("[7 Runs]");
	terminal_keys("q");
	terminal_left(0);
}

static void the_group_is_stepped_through_named_and_taken_from_the_tree(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "two-siblings");
	terminal_wait("B v3.3  jobs/small");
	terminal_type("P");
	terminal_wait("B v3.3  jobs/big");
	terminal_type("P");
	terminal_wait("B v3.3  jobs ");
	terminal_type(":group jobs/smal");
	terminal_keys("Enter");
	terminal_wait("no group \"jobs/smal\": did you mean jobs/small?");
	terminal_type(":group jobs/small");
	terminal_keys("Enter");
	terminal_wait("B v3.3  jobs/small");
	terminal_type("2g");
	terminal_wait("[2 Limits]");
	terminal_type("p");
	terminal_wait("group root: 1 its lists");
	terminal_type("1");
	terminal_wait("B v3.3  root");
	terminal_keys("q");
	terminal_left(0);
}

static void the_explanation_is_read_to_its_end(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "two-siblings");
	terminal_wait("more lines");
	terminal_keys("G");
	terminal_wait("0 more lines");
	terminal_wait("call 30: prio 12");
	terminal_keys("g");
	terminal_wait("failcnt");
	terminal_keys("q");
	terminal_left(0);
}

/* The message of a failure is its first line; the source belongs into the panel. */
static void a_failed_run_has_one_line_in_the_list(void **state)
{
	(void)state;
	terminal_sh("printf '%s\\n%s\\n%s\\n' \"return scenario { name = 'bad',\" "
		    "\"run = function(lab)\" \"error('boom here') end }\" >\"$T/bad.lua\"; "
		    "\"$M\" run \"$T/bad.lua\" 2>/dev/null");
	terminal_start(80, 24, "", "");
	terminal_wait("failed");
	terminal_wait("boom here");
	assert_null(strstr(terminal_screen(false), "boom here?"));
	assert_null(strstr(terminal_screen(false), "?  "));
	terminal_keys("q");
	terminal_left(0);
}

static void control_c_stops_a_run_and_else_says_how_to_quit(void **state)
{
	(void)state;
	terminal_sh(endless);
	terminal_start(80, 24, "", "$T/endless.lua");
	terminal_wait("Ctrl-C stops it");
	terminal_type("5");
	terminal_wait("memory for the array");
	terminal_keys("C-c");
	terminal_wait("is stored as interrupted");
	terminal_type("7");
	terminal_wait("interrupted");
	terminal_keys("C-c");
	terminal_wait("press q to quit");
	terminal_keys("q");
	terminal_left(0);
	assert_int_equal(terminal_sh("\"$M\" runs | grep -q interrupted"), 0);
}

static void printing_goes_to_the_log_only(void **state)
{
	(void)state;
	terminal_sh(endless);
	terminal_start(80, 24, "", "$T/endless.lua");
	terminal_wait("Ctrl-C stops it");
	assert_null(strstr(terminal_screen(false), "these words"));
	terminal_type("L");
	terminal_wait("these words belong to the log");
	terminal_keys("q");
	terminal_gone("these words");
	terminal_keys("Q");
	terminal_left(0);
}

static void a_lab_that_does_not_answer_is_killed_and_its_run_marked(void **state)
{
	(void)state;
	terminal_sh(endless);
	terminal_start(80, 24, "", "$T/endless.lua");
	terminal_wait("steps,");
	kill(terminal_lab_pid(), SIGSTOP);
	terminal_keys("C-c");
	terminal_wait("did not answer and was killed");
	terminal_type("7");
	terminal_wait("interrupted");
	terminal_keys("q");
	terminal_left(0);
}

static void a_failing_scenario_shows_its_source_and_runs_again_once_mended(void **state)
{
	(void)state;
	terminal_sh(endless);
	terminal_sh("sed -i \"s/'1M'/'100Q'/; s/bytes = '1T'/bytes = '8M'/\" \"$T/endless.lua\"");
	terminal_start(80, 24, "", "$T/endless.lua");
	terminal_wait("it failed");
	terminal_wait("endless.lua:4");
	/* Words of the message that no line break of the box can part. */
	terminal_wait("\"100Q\"");
	terminal_wait("R run again");
	terminal_sh("sed -i s/100Q/1M/ \"$T/endless.lua\"");
	terminal_type("R");
	terminal_wait("A unbatched  g");
	terminal_gone("it failed");
	terminal_keys("q");
	terminal_left(0);
}

static void a_crashed_lab_leaves_its_last_picture_and_is_started_again(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "cat-in-100m");
	terminal_wait("inact_file");
	assert_true(terminal_lab_pid() > 0);
	kill(terminal_lab_pid(), SIGSEGV);
	terminal_wait("the lab process ended: signal 11");
	terminal_wait("inact_file");
	terminal_type("?");
	terminal_wait("keys in LRU");
	terminal_keys("q");
	terminal_type("4");
	terminal_wait("over-scan");
	terminal_keys("q");
	terminal_left(0);
	assert_int_equal(terminal_sh("test \"$(\"$M\" runs -F csv | grep -c cat-in-100m)\" = 2"),
			 0);
}

static void leaves_by_signal(int number, int status)
{
	terminal_start(80, 24, "", "");
	terminal_wait("no runs yet");
	assert_true(terminal_pid() > 0);
	kill(terminal_pid(), number);
	terminal_left(status);
}

static void signals_leave_the_terminal_as_it_was(void **state)
{
	(void)state;
	leaves_by_signal(SIGTERM, 130);
	leaves_by_signal(SIGHUP, 130);
	leaves_by_signal(SIGABRT, 128 + SIGABRT);
	leaves_by_signal(SIGSEGV, 128 + SIGSEGV);
	leaves_by_signal(SIGQUIT, 128 + SIGQUIT);
}

static void no_lab_outlives_its_terminal(void **state)
{
	pid_t lab;

	(void)state;
	terminal_sh(endless);
	terminal_start(80, 24, "", "$T/endless.lua");
	terminal_wait("Ctrl-C stops it");
	lab = terminal_lab_pid();
	assert_true(lab > 0);
	kill(terminal_pid(), SIGKILL);
	terminal_wait("left-137");
	for (int i = 0; i < 1000 && kill(lab, 0) == 0; i++)
		terminal_screen(false);
	assert_int_not_equal(kill(lab, 0), 0);
}

static void without_colour_the_text_is_the_same(void **state)
{
	static char text[TERMINAL_TEXT_MAX];

	(void)state;
	terminal_start(80, 24, "", "cat-in-100m");
	terminal_wait("inact_file");
	terminal_gone("running");
	terminal_type("5");
	terminal_wait("memory for the array");
	snprintf(text, sizeof(text), "%s", terminal_screen(false));
	assert_non_null(strstr(terminal_screen(true), "\033[3"));
	terminal_start(80, 24, "NO_COLOR=1", "1 --view pagecg");
	terminal_wait("memory for the array");
	assert_string_equal(terminal_screen(false), text);
	for (char colour = '1'; colour < '8'; colour++) {
		char code[8] = "\033[3?m";

		code[3] = colour;
		assert_null(strstr(terminal_screen(true), code));
	}
}

static void ascii_is_chosen_by_option_and_by_locale(void **state)
{
	static const char *const env[] = { "", "LC_ALL=C" }, *const args[] = { "--ascii", "" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		terminal_start(80, 24, env[i], args[i]);
		terminal_wait("no runs yet");
		for (const char *s = terminal_screen(false); *s; s++)
			assert_true(*s == '\n' || (*s >= 0x20 && *s < 0x7f));
		terminal_keys("q");
		terminal_left(0);
	}
}

static void a_screen_is_written_as_text_and_as_svg(void **state)
{
	(void)state;
	terminal_start(80, 24, "", "");
	terminal_wait("no runs yet");
	terminal_type(":write ");
	terminal_type(getenv("T"));
	terminal_type("/screen.txt");
	terminal_keys("Enter");
	terminal_wait("written: ");
	assert_int_equal(terminal_sh("grep -q 'no runs yet' \"$T/screen.txt\""), 0);
	assert_int_equal(terminal_sh("test $(wc -l <\"$T/screen.txt\") = 24"), 0);
	terminal_type(":write ");
	terminal_type(getenv("T"));
	terminal_type("/screen.svg");
	terminal_keys("Enter");
	terminal_wait("screen.svg");
	assert_int_equal(terminal_sh("until grep -q '</svg>' \"$T/screen.svg\"; do :; done"), 0);
	terminal_type(":write /nosuchfolder/x.txt");
	terminal_keys("Enter");
	terminal_wait("cannot write /nosuchfolder/x.txt");
	terminal_type(":write x.foo");
	terminal_keys("Enter");
	terminal_wait("x.foo ends in none of .txt .ansi .svg");
	terminal_keys("q");
	terminal_left(0);
}

static void a_terminal_without_a_cursor_is_refused_in_words(void **state)
{
	(void)state;
	terminal_start(80, 24, "TERM=dumb", "");
	terminal_wait("TERM=dumb");
	terminal_wait("cannot place its cursor");
	terminal_wait("left-2");
	assert_int_equal(terminal_sh("\"$M\" tui </dev/null 2>\"$T/err\"; test $? = 2"), 0);
	assert_int_equal(terminal_sh("grep -q 'needs a terminal' \"$T/err\""), 0);
}

/* Two kernels, nine seeds: a and b choose, d and v show more. */
static void a_and_b_are_compared_below_the_runs(void **state)
{
	(void)state;
	terminal_sh("MEMCGLAB_DB=\"$T\"/runs.db $M run cat-in-100m -k unbatched,batched"
		    " -p file=128M --repeat 9 --quiet >/dev/null");
	terminal_start(80, 24, "", "--view runs");
	terminal_wait(" 17 cat-in-100m ");
	terminal_keys("v");
	terminal_wait("nothing is compared: a and b choose two runs");
	terminal_keys("Down a");
	terminal_wait("A=unbatched");
	terminal_keys("b");
	terminal_wait("compare A #17 with B #18");
	terminal_wait("diff only: ");
	terminal_wait("B lower");
	terminal_keys("d");
	terminal_wait("all: ");
	terminal_keys("d v");
	terminal_wait(" p   verdict");
	/* Behind the last run the scenarios are. */
	terminal_keys("G");
	terminal_gone("compare A #17");
	terminal_wait("scenarios");
	terminal_keys("g");
	terminal_wait("compare A #17 with B #18");
	terminal_keys("q");
	terminal_left(0);
}

#define in_terminal(name) cmocka_unit_test_setup_teardown(name, fresh, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_terminal(the_first_screen_lists_scenarios_and_keys),
		in_terminal(enter_runs_a_scenario_and_shows_both_kernels),
		in_terminal(a_target_is_run_and_time_can_be_played),
		in_terminal(the_locks_view_turns_sorts_and_filters),
		in_terminal(the_tree_of_groups_folds_focuses_filters_and_sorts),
		in_terminal(help_opens_filters_performs_and_closes),
		in_terminal(every_printable_character_is_text_in_every_prompt),
		in_terminal(half_a_line_survives_a_resize),
		in_terminal(a_screen_too_small_says_so_and_can_be_left),
		in_terminal(the_palette_completes_and_names_its_errors),
		in_terminal(a_filter_acts_while_typed_and_escape_clears_it),
		in_terminal(the_list_of_runs_is_filtered_by_any_column_or_metric),
		in_terminal(notes_tags_and_the_end_of_a_run_are_a_key_each),
		in_terminal(no_row_vanishes_while_a_comparison_is_typed),
		in_terminal(pasted_lines_are_text_in_a_prompt_and_no_keys_without_one),
		in_terminal(the_group_is_stepped_through_named_and_taken_from_the_tree),
		in_terminal(the_explanation_is_read_to_its_end),
		in_terminal(a_failed_run_has_one_line_in_the_list),
		in_terminal(a_and_b_are_compared_below_the_runs),
		in_terminal(control_c_stops_a_run_and_else_says_how_to_quit),
		in_terminal(printing_goes_to_the_log_only),
		in_terminal(a_lab_that_does_not_answer_is_killed_and_its_run_marked),
		in_terminal(a_failing_scenario_shows_its_source_and_runs_again_once_mended),
		in_terminal(a_crashed_lab_leaves_its_last_picture_and_is_started_again),
		in_terminal(signals_leave_the_terminal_as_it_was),
		in_terminal(no_lab_outlives_its_terminal),
		in_terminal(without_colour_the_text_is_the_same),
		in_terminal(ascii_is_chosen_by_option_and_by_locale),
		in_terminal(a_screen_is_written_as_text_and_as_svg),
		in_terminal(a_terminal_without_a_cursor_is_refused_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
