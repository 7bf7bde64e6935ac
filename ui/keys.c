/*
 * The one table of actions.  The key handler, the help pop-up, the palette
 * and the key table of the manual are all made from it, so they agree.
 *
 * Lower case acts, upper case is the stronger form; a key means the same in
 * every view where it is valid.  Two actions of one view share no key.
 */
#include <string.h>

#include "view.h"

#define IN(view) (1u << (view))
#define EVERYWHERE (~0u)
#define IN_TREE (IN(VIEW_LIMITS) | IN(VIEW_DIRTY))
#define IN_TIME (IN(VIEW_LRU) | IN_TREE | IN(VIEW_LOCKS) | IN(VIEW_SCAN))
#define IN_SORTED (IN_TREE | IN(VIEW_LOCKS))
#define IN_LISTS (IN_SORTED | IN(VIEW_SCAN) | IN(VIEW_RUNS))
#define IN_ROWS (IN_LISTS | IN(VIEW_LRU)) /* in LRU the lines of the explanation */
#define IN_SIDES (IN_TIME | IN(VIEW_PAGECG))

static const struct action_desc actions[] = {
	{ ACT_HELP, "help", "? F1", "keys of this view; typing filters, Enter acts",
	  EVERYWHERE },
	{ ACT_PALETTE, "command", ":", "type a command by name", EVERYWHERE },
	{ ACT_VIEW_1, "lru", "1", "page lists of a group, and its last reclaim", EVERYWHERE },
	{ ACT_VIEW_2, "limits", "2", "the tree of groups", EVERYWHERE },
	{ ACT_VIEW_3, "locks", "3", "who waits for which lock", EVERYWHERE },
	{ ACT_VIEW_4, "scan", "4", "the latest shrink calls", EVERYWHERE },
	{ ACT_VIEW_5, "pagecg", "5", "memory for page_cgroup records", EVERYWHERE },
	{ ACT_VIEW_6, "dirty", "6", "dirty pages and writeback by group", EVERYWHERE },
	{ ACT_VIEW_7, "runs", "7", "stored runs, and the scenarios to run", EVERYWHERE },
	{ ACT_ENTER, "open", "Enter", "open the run, or run the scenario and open it",
	  IN(VIEW_RUNS) },
	{ ACT_FOLD, "fold", "Left h", "hide the groups below, then go one up",
	  IN_TREE },
	{ ACT_UNFOLD, "unfold", "Right l", "show the groups below", IN_TREE },
	{ ACT_UNFOLD_ALL, "unfold-all", "*", "show all groups", IN_TREE },
	{ ACT_FOCUS, "focus", "Enter", "only this group and those below; q comes back",
	  IN_TREE },
	{ ACT_FORM, "form", "v", "next pane or form below", IN_SORTED | IN(VIEW_RUNS) },
	{ ACT_SORT, "sort", "s", "sort by a column, in Locks by the next", IN_SORTED },
	{ ACT_REVERSE, "reverse", "S", "sort the other way", IN_SORTED },
	{ ACT_SITES, "sites", "Enter", "who waits, or whom they wait for", IN(VIEW_LOCKS) },
	{ ACT_MAKE_A, "make-a", "a", "show this run as side A", IN(VIEW_RUNS) },
	{ ACT_MAKE_B, "make-b", "b", "show this run as side B", IN(VIEW_RUNS) },
	{ ACT_DIFF, "diff", "d", "what is equal too, or only what differs",
	  IN(VIEW_RUNS) },
	{ ACT_NOTE, "note", "E", "edit the note of this run", IN(VIEW_RUNS) },
	{ ACT_TAG, "tag", "T", "edit the tags of this run", IN(VIEW_RUNS) },
	{ ACT_DELETE, "delete", "D", "delete this run: asks first", IN(VIEW_RUNS) },
	{ ACT_PLAY, "play", "Space", "play or pause", IN_TIME },
	{ ACT_STEP, "step", ".", "one operation forward", IN_TIME },
	{ ACT_STEP_BACK, "step-back", ",", "one operation back", IN_TIME },
	{ ACT_GOTO, "goto", "t", "go to a step (25431) or a part (42%)", IN_TIME },
	{ ACT_FILTER, "filter", "/", "matching rows: words, kernel:batched, fail>0",
	  IN_LISTS },
	{ ACT_SIDES, "sides", "c", "both sides, A only, B only", IN_SIDES },
	{ ACT_GROUP, "group", "p", "next group; in Limits show the selected one",
	  IN_TIME & ~(IN(VIEW_LOCKS) | IN(VIEW_DIRTY)) },
	{ ACT_GROUP_BACK, "group-back", "P", "the group before; :group jobs/a names one",
	  IN(VIEW_LRU) | IN(VIEW_SCAN) },
	{ ACT_MACHINE_UP, "machine-up", "+", "a machine with twice the memory", IN(VIEW_PAGECG) },
	{ ACT_MACHINE_DOWN, "machine-down", "-", "a machine with half the memory",
	  IN(VIEW_PAGECG) },
	{ ACT_SLOWER, "slower", "[", "play at half the speed", IN_TIME },
	{ ACT_FASTER, "faster", "]", "play at twice the speed", IN_TIME },
	{ ACT_FIRST, "first", "0", "first step", IN_TIME },
	{ ACT_LAST, "last", "$", "last step", IN_TIME },
	{ ACT_UP, "up", "Up k", "one row up", IN_ROWS },
	{ ACT_DOWN, "down", "Down j", "one row down", IN_ROWS },
	{ ACT_PAGE_UP, "page-up", "PgUp Ctrl-B", "ten rows up", IN_ROWS },
	{ ACT_PAGE_DOWN, "page-down", "PgDn Ctrl-F", "ten rows down", IN_ROWS },
	{ ACT_HOME, "home", "g Home", "first row", IN_ROWS },
	{ ACT_END, "end", "G End", "last row", IN_ROWS },
	{ ACT_CLEAR, "clear", "Esc", "close a pop-up, clear filter, leave a focus",
	  EVERYWHERE },
	{ ACT_GLYPHS, "glyphs", "A", "next glyph set: braille, block, ascii", EVERYWHERE },
	{ ACT_WRITE, "write", "w", "write this screen: NAME.txt, .ansi or .svg", EVERYWHERE },
	{ ACT_RERUN, "rerun", "R", "run the scenario again, its file read afresh",
	  EVERYWHERE },
	{ ACT_LOG, "log", "L", "what scenarios printed", EVERYWHERE },
	{ ACT_REDRAW, "redraw", "Ctrl-L", "draw the screen anew", EVERYWHERE },
	{ ACT_INTERRUPT, "stop", "Ctrl-C", "stop the run that is going, and keep it", EVERYWHERE },
	{ ACT_BACK, "back", "q", "close the pop-up; without one, quit", EVERYWHERE },
	{ ACT_QUIT, "quit", "Q F10", "quit from anywhere", EVERYWHERE },
};

size_t action_count(void)
{
	return sizeof(actions) / sizeof(actions[0]);
}

const struct action_desc *action_at(size_t i)
{
	return &actions[i];
}

/* Whether @key is one of the words in @keys. */
static bool has_key(const char *keys, const char *key)
{
	size_t n = strlen(key);

	if (n == 0 || strchr(key, ' '))
		return false;
	for (const char *word = keys; word; word = strchr(word, ' ')) {
		word += *word == ' ';
		if (strncmp(word, key, n) == 0 && (word[n] == ' ' || word[n] == '\0'))
			return true;
	}
	return false;
}

enum action action_for_key(enum view_id view, const char *key)
{
	for (size_t i = 0; i < action_count(); i++)
		if ((actions[i].views & IN(view)) && has_key(actions[i].keys, key))
			return actions[i].action;
	return ACT_NONE;
}

enum action action_for_word(const char *word)
{
	for (size_t i = 0; i < action_count(); i++)
		if (strcmp(actions[i].name, word) == 0)
			return actions[i].action;
	return ACT_NONE;
}
