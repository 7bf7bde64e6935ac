/*
 * The shell in a terminal: typed and pasted lines, history, what Ctrl-C
 * ends and what it does not, the pager, the TUI and back, and how the
 * terminal is left.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "terminal.h"

/* One that runs until it is stopped. */
static const char endless[] =
	"cat >\"$T/endless.lua\" <<'END'\n"
	"return scenario { name = 'endless', kernels = { 'unbatched' },\n"
	"  setup = function(lab)\n"
	"    lab.machine { ram = '4G' }\n"
	"    return { task = lab.task('a', { group = lab.group('g', { limit = '1M' }) }),\n"
	"             file = lab.file('big', { size = '1T', sparse = true }) }\n"
	"  end,\n"
	"  run = function(lab, p, w)\n"
	"    print('on and on')\n"
	"    w.task:read(w.file, { bytes = '1T', chunk = '128K' })\n"
	"  end }\n"
	"END\n";

static int fresh(void **state)
{
	char path[512];

	(void)state;
	terminal_sh("rm -rf \"$T\"/*.lua \"$T\"/runs.db* \"$T\"/state");
	snprintf(path, sizeof(path), "%s/runs.db", getenv("T"));
	setenv("MEMCGLAB_DB", path, 1);
	snprintf(path, sizeof(path), "%s/state", getenv("T"));
	setenv("XDG_STATE_HOME", path, 1);
	return terminal_sh(endless);
}

static int stop(void **state)
{
	(void)state;
	terminal_stop();
	return 0;
}

static void start(const char *env)
{
	terminal_run(80, 24, env, "shell --quiet");
	terminal_wait("memcglab>");
}

/* A line and Enter. */
static void say(const char *line)
{
	terminal_type(line);
	terminal_keys("Enter");
}

/* All lines of the history, parted by "|". */
static void history_is(const char *wanted)
{
	char command[1024];

	snprintf(command, sizeof(command),
		 "test \"$(cat \"$T\"/state/memcglab/history-* | tr '\\n' '|')\" = \"%s\"", wanted);
	if (terminal_sh(command) != 0) {
		terminal_sh("cat \"$T\"/state/memcglab/history-*");
		fail_msg("the history is not %s", wanted);
	}
}

static void the_current_run_is_in_the_prompt(void **state)
{
	(void)state;
	start("");
	say("= 6 * 7");
	terminal_wait("\n42\n");
	say("run cat-in-100m -p file=128M -F csv -o /dev/null");
	terminal_wait("memcglab(2)>");
	say("= run.metrics.over_scan");
	terminal_wait("1.5238");
	say("show 1 -F csv -o /dev/null");
	terminal_wait("memcglab(1)>");
	say("= run.kernel");
	terminal_wait("v2.6.31\n");
	terminal_keys("C-d");
	terminal_left(0);
}

/* Commands, SQL over several lines, Lua and mistakes: all at once, faster than they can be carried
 * out. */
static void thirty_pasted_lines_run_in_order_and_are_all_kept(void **state)
{
	char text[2048], wanted[2048];
	size_t n = 0, w = 0;

	(void)state;
	start("");
	for (int i = 0; i < 6; i++) {
		const char *const form = "= 10%d%sselect 20%d%s  as sum%d;%s"
					 "help status --time-limit 10%ds -o /dev/null%srnu %d%s";
		const char *ends[] = { "\\n", "|" };

		n += (size_t)snprintf(text + n, sizeof(text) - n, form, i, ends[0], i, ends[0], i,
				      ends[0], i, ends[0], i, ends[0]);
		w += (size_t)snprintf(wanted + w, sizeof(wanted) - w, form, i, ends[1], i, ends[1],
				      i, ends[1], i, ends[1], i, ends[1]);
	}
	terminal_paste(text);
	terminal_wait("help lists the commands\nmemcglab> = 105\n105\nmemcglab> select 205\n"
		      "sql>   as sum5;\nsum5\n 205\nmemcglab> help status --time-limit 105s");
	terminal_wait("no command \"rnu\"");
	history_is(wanted);
	terminal_keys("C-d");
	terminal_left(0);
}

static void an_interrupt_ends_the_line_and_never_the_shell(void **state)
{
	static const char *const lines[] = {
		"with recursive n(i) as (select 1 union all select i + 1 from n) select sum(i) "
		"from n;",
		"lua while true do end",
		"= (\"a\"):rep(9000):find((\".-\"):rep(6) .. \"b\")",
		"! sleep 1000",
	};

	(void)state;
	start("");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char mark[64];

		say(lines[i]);
		terminal_sh("sleep 0.3"); /* in the middle of it */
		terminal_keys("C-c");
		snprintf(mark, sizeof(mark), "= 'alive' .. %zu", i);
		say(mark);
		snprintf(mark, sizeof(mark), "\nalive%zu", i);
		terminal_wait(mark);
	}
	/* A line that is typed, and one that is not whole, are dropped. */
	terminal_type("select 'half");
	terminal_keys("Enter");
	terminal_wait("'...>");
	terminal_type("a line");
	terminal_keys("C-c");
	say("= 'a' .. 'live'");
	terminal_wait("\nalive\n");
	terminal_keys("C-d");
	terminal_left(0);
}

static void an_interrupted_run_is_stored_as_such(void **state)
{
	(void)state;
	terminal_run(80, 24, "", "shell");
	terminal_wait("memcglab>");
	terminal_sh("cp \"$T\"/endless.lua endless-shell.lua");
	say("run endless-shell.lua");
	terminal_wait("on and on");
	terminal_keys("C-c");
	terminal_wait("interrupted");
	terminal_wait("memcglab(1)>");
	terminal_sh("rm -f endless-shell.lua");
	say("select 'it is ' || state as state from v_runs;");
	terminal_wait("it is interrupted");
	terminal_keys("C-d");
	terminal_left(0);
}

static void lines_come_back_by_keys_and_from_earlier_shells(void **state)
{
	(void)state;
	start("");
	say("= 'first'");
	say(" = 'not' .. ' kept'");
	terminal_wait("not kept");
	say("= 'second'");
	say("= 'first'");
	terminal_keys("C-d");
	terminal_left(0);
	start("");
	terminal_keys("Up");
	terminal_wait("= 'first'");
	terminal_keys("Up");
	terminal_wait("= 'second'");
	terminal_keys("Up Up");
	terminal_wait("= 'second'"); /* each line is there once: this is the oldest */
	terminal_keys("C-c C-r");
	terminal_type("irs");
	terminal_wait("(reverse-i-search)`irs': = 'first'");
	terminal_keys("Enter");
	terminal_wait("\nfirst\n");
	say(".history");
	terminal_wait("= 'second'\n= 'first'\n.history");
	history_is("= 'second'|= 'first'|.history|");
	terminal_keys("C-d");
	terminal_left(0);
}

/* A second one in the same terminal program, on the same store. */
static void two_shells_at_once_lose_no_line(void **state)
{
	(void)state;
	start("");
	assert_int_equal(terminal_sh("tmux -S \"$S\" new-window -d 'env TERM=screen-256color "
				     "INPUTRC=/dev/null \"$M\" shell --quiet'"),
			 0);
	terminal_sh("for i in $(seq 100); do tmux -S \"$S\" capture-pane -p -t :1 | "
		    "grep -q 'memcglab>' && break; sleep 0.1; done");
	for (int i = 0; i < 10; i++) {
		char line[128];

		snprintf(line, sizeof(line), "tmux -S \"$S\" send-keys -t :1 '= \"b%d\"' Enter", i);
		terminal_sh(line);
		snprintf(line, sizeof(line), "= \"a%d\"", i);
		say(line);
	}
	terminal_wait("\na9\n");
	terminal_sh("tmux -S \"$S\" send-keys -t :1 C-d");
	for (int i = 0; i < 10; i++)
		for (char side = 'a'; side <= 'b'; side++) {
			char line[128];

			snprintf(line, sizeof(line),
				 "for i in $(seq 100); do grep -qx '= \"%c%d\"' "
				 "\"$T\"/state/memcglab/history-* && exit 0; sleep 0.1; done; "
				 "exit 1",
				 side, i);
			assert_int_equal(terminal_sh(line), 0);
		}
	terminal_keys("C-d");
	terminal_left(0);
}

static void a_long_line_wraps_and_survives_a_resize(void **state)
{
	(void)state;
	start("");
	terminal_type("= '0123456789012345678901234567890123456789012345678901234567890123456789"
		      "abcdefghij");
	terminal_wait("\n789abcdefghij");
	terminal_resize(100, 30);
	terminal_wait("abcdefghij");
	terminal_type("' .. 'klm'");
	terminal_keys("Home Right Right Right");
	terminal_type("X");
	terminal_wait("memcglab> = 'X0123");
	terminal_keys("Enter");
	terminal_wait("\nX0123456789012345678901234567890123456789012345678901234567890123456789"
		      "abcdefghijklm");
	terminal_keys("C-l");
	terminal_gone("X0123");
	terminal_wait("memcglab>");
	terminal_keys("C-d");
	terminal_left(0);
}

static void what_is_cut_is_told_and_last_shows_it(void **state)
{
	(void)state;
	start("PAGER=cat");
	say("select printf('%.100c', 'x') || 'tail' as a, printf('%.100c', 'y') || 'end' as b;");
	terminal_wait("texts cut");
	terminal_gone("tail\n");
	say(".last");
	terminal_wait("tail");
	terminal_wait("yend");
	say("= 'not a table'");
	terminal_wait("\nnot a table");
	terminal_keys("C-d");
	terminal_left(0);
}

static void only_what_is_taller_than_the_screen_is_paged(void **state)
{
	(void)state;
	terminal_sh("printf '#!/bin/sh\\nexec sed s/^/page:/\\n' >\"$T\"/pager; "
		    "chmod +x \"$T\"/pager");
	start("PAGER=$T/pager");
	say("with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) "
	    "select i + 100 as few from n;");
	terminal_wait("\n105\n");
	say("with recursive n(i) as (select 1 union all select i + 1 from n where i < 90) "
	    "select i as many from n;");
	terminal_wait("page:  90");
	terminal_gone("page:105");
	say(".mode csv");
	say("with recursive n(i) as (select 1 union all select i + 1 from n where i < 91) "
	    "select i as many from n;");
	terminal_wait("\n91\n");
	say(".mode table");
	say(".pager off");
	say("with recursive n(i) as (select 1 union all select i + 1 from n where i < 192) "
	    "select i as many from n;");
	terminal_wait("\n 192\n");
	terminal_keys("C-d");
	terminal_left(0);
}

static void the_tui_opens_the_current_run_and_comes_back(void **state)
{
	(void)state;
	start("");
	say("run cat-in-100m -p file=128M -k unbatched -F csv -o /dev/null");
	terminal_wait("memcglab(1)>");
	say("tui");
	terminal_wait("inact_file");
	terminal_keys("C-c");
	terminal_wait("press q to quit");
	terminal_keys("q");
	terminal_gone("inact_file");
	say("= 'back' .. 'again'");
	terminal_wait("backagain");
	terminal_keys("C-d");
	terminal_left(0);
}

/* One case each at a real terminal; the places are in tests/unit/test_shell_complete.c. */
static void tab_completes_and_lists(void **state)
{
	(void)state;
	start("");
	terminal_type("vers");
	terminal_keys("Tab");
	terminal_wait("memcglab> version");
	terminal_keys("Enter");
	terminal_wait("memcglab 0.1.0\nmemcglab>");
	terminal_type("run cat-in-1");
	terminal_keys("Tab");
	terminal_wait("run cat-in-100m");
	terminal_type("-p f");
	terminal_keys("Tab");
	terminal_wait("-p file=");
	terminal_type("128M -k v2.6.3");
	terminal_keys("Tab");
	terminal_wait("v2.6.32 ");
	terminal_wait("\nmemcglab> run cat-in-100m -p file=128M -k v2.6.3");
	terminal_type("1 -F csv -o /dev/nul");
	terminal_keys("Tab Enter");
	terminal_wait("memcglab(1)>");
	terminal_type("show ");
	terminal_keys("Tab");
	terminal_wait("1       cat-in-100m  v2.6.31");
	terminal_keys("C-c");
	terminal_type("= run.metrics.over");
	terminal_keys("Tab Enter");
	terminal_wait("\n5.33");
	terminal_type("select");
	terminal_keys("Enter");
	terminal_wait("sql>");
	terminal_type("'kern' || kern");
	terminal_keys("Tab");
	terminal_wait("kernel");
	terminal_type("from v_ru");
	terminal_keys("Tab");
	terminal_type(";");
	terminal_keys("Enter");
	terminal_wait("kernv2.6.31");
	/* Tabs of a text that is pasted are blanks. */
	terminal_paste("\\t= \"pasted \" ..\\n\\t\\t\"tabs\"\\n");
	terminal_wait("\npasted tabs\n");
	terminal_keys("C-d");
	terminal_left(0);
}

static void whatever_ends_it_leaves_the_terminal_as_it_was(void **state)
{
	(void)state;
	start("");
	say(".quit");
	terminal_left(0);
	start("");
	terminal_type("half a li");
	terminal_wait("half a li");
	assert_int_equal(kill(terminal_pid(), SIGTERM), 0);
	terminal_left(130);
	start("");
	say("lua while true do end");
	terminal_sh("sleep 0.3");
	assert_int_equal(kill(terminal_pid(), SIGTERM), 0);
	terminal_left(130);
}

static void a_terminal_without_a_cursor_is_read_line_by_line(void **state)
{
	(void)state;
	start("TERM=dumb");
	say("select 1 +");
	terminal_wait("sql>");
	say("2 as sum;");
	terminal_wait("sum\n  3\n");
	terminal_type("half");
	terminal_keys("C-c");
	say("= 'a' .. 'live'");
	terminal_wait("\nalive\n");
	terminal_keys("C-d");
	terminal_left(0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, stop)

/* What cannot be undone is asked for, on the command line and in the shell, and no means no. */
static void delete_asks_on_a_terminal(void **state)
{
	(void)state;
	assert_int_equal(terminal_sh("$M run cat-in-100m -p file=128M >/dev/null"), 0);
	terminal_run(80, 24, "", "delete 1");
	terminal_wait("delete 1 run? [y/N]");
	say("n");
	terminal_wait("nothing was deleted");
	terminal_left(0);
	assert_int_equal(terminal_sh("test \"$($M runs -F csv | wc -l)\" = 3"), 0);
	start("");
	say("delete 1");
	terminal_wait("delete 1 run? [y/N]");
	say("y");
	say("= 'it is ' .. 'gone'");
	terminal_wait("it is gone");
	say("prune --keep 0");
	terminal_wait("delete 1 run? [y/N]");
	terminal_keys("C-c");
	terminal_wait("interrupted");
	say("runs -F csv");
	terminal_wait("\n2,cat-in-100m,");
	say("quit");
	terminal_left(0);
	assert_int_equal(terminal_sh("test \"$($M runs -F csv | wc -l)\" = 2"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_current_run_is_in_the_prompt),
		TEST(thirty_pasted_lines_run_in_order_and_are_all_kept),
		TEST(an_interrupt_ends_the_line_and_never_the_shell),
		TEST(an_interrupted_run_is_stored_as_such),
		TEST(lines_come_back_by_keys_and_from_earlier_shells),
		TEST(two_shells_at_once_lose_no_line),
		TEST(a_long_line_wraps_and_survives_a_resize),
		TEST(what_is_cut_is_told_and_last_shows_it),
		TEST(only_what_is_taller_than_the_screen_is_paged),
		TEST(the_tui_opens_the_current_run_and_comes_back),
		TEST(tab_completes_and_lists),
		TEST(whatever_ends_it_leaves_the_terminal_as_it_was),
		TEST(a_terminal_without_a_cursor_is_read_line_by_line),
		TEST(delete_asks_on_a_terminal),
	};

	terminal_sh("true"); /* sets $T */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
