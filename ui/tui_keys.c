/*
 * What keys do in the terminal process.  A prompt takes every key as text
 * or as an editing key; the help takes typing as its filter; all else goes
 * through the table of actions.  What the lab has to do is sent to it.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "tui_state.h"

void tui_say(struct tui *tui, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(tui->message, sizeof(tui->message), fmt, args);
	va_end(args);
	tui->message[strcspn(tui->message, "\n")] = '\0';
}

/* ---- actions ---- */

void tui_close_pop_up(struct tui *tui)
{
	tui->pop_up = POP_NONE;
	prompt_stop(tui->prompt);
	tui->error[0] = '\0';
}

/* The innermost thing closes; with nothing left to close, the program ends. */
static void act_back(struct tui *tui, enum action action, const char *text)
{
	(void)action;
	(void)text;
	if (tui->pop_up != POP_NONE)
		tui_close_pop_up(tui);
	else if (tui->state.has_panel || tui->state.has_focus)
		tui_send(tui, ACT_CLEAR, "");
	else
		tui->quit = true;
}

static void act_quit(struct tui *tui, enum action action, const char *text)
{
	(void)action;
	(void)text;
	tui->quit = true;
}

/* Esc closes as q does, but never ends the program. */
static void act_clear(struct tui *tui, enum action action, const char *text)
{
	(void)text;
	if (tui->pop_up != POP_NONE)
		tui_close_pop_up(tui);
	else
		tui_send(tui, action, "");
}

/* Help or log over the picture; both begin at the top. */
static void act_pop_up(struct tui *tui, enum action action, const char *text)
{
	(void)text;
	tui->pop_up = action == ACT_HELP ? POP_HELP : POP_LOG;
	tui->selected = 0;
}

/* The list of columns to sort by; with a column named in the palette it is done at once, and the
 * few columns of Locks take turns. */
static void act_sort(struct tui *tui, enum action action, const char *text)
{
	if (text[0] || tui->state.view == VIEW_LOCKS)
		tui_send(tui, action, text);
	else
		tui->pop_up = POP_COLUMNS;
}

static void act_glyphs(struct tui *tui, enum action action, const char *text)
{
	static const char *const names[NR_GLYPHS] = { "braille", "block", "ascii" };

	(void)action;
	tui->glyphs = (tui->glyphs + 1) % NR_GLYPHS;
	for (unsigned i = 0; i < NR_GLYPHS; i++)
		if (strcmp(names[i], text) == 0)
			tui->glyphs = i;
	/* Where the locale has no glyphs there is nothing to choose. */
	if (screen_glyphs() == GLYPHS_ASCII && tui->glyphs != GLYPHS_ASCII) {
		tui->glyphs = GLYPHS_ASCII;
		tui_say(tui, "this locale or font shows ascii only");
	}
	tui_send(tui, ACT_NONE, "");
}

/* Every cell anew, for a screen that something else has written on. */
static void act_redraw(struct tui *tui, enum action action, const char *text)
{
	(void)action;
	(void)text;
	screen_redraw(tui->screen);
	tui_send(tui, ACT_NONE, "");
}

static void act_interrupt(struct tui *tui, enum action action, const char *text)
{
	(void)action;
	(void)text;
	tui_interrupt(tui);
}

/* The lab's picture without what lies over it, as the same bytes that screen prints. */
static void write_screen(struct tui *tui, const char *path)
{
	canvas_dump_fn *dump = canvas_dump_for(path);
	FILE *out;
	bool ok;

	if (!dump) {
		tui_say(tui, "%.150s ends in none of .txt .ansi .svg: nothing is written", path);
		return;
	}
	out = fopen(path, "w");
	ok = out && dump(tui->last, out);
	if (out)
		ok &= fclose(out) == 0;
	tui_say(tui, ok ? "written: %.200s" : "cannot write %.200s", path);
}

/* Actions that need a word first ask for it in a prompt. */
static const struct {
	enum action action;
	const char *label;
	bool history;
} prompts[] = {
	{ ACT_PALETTE, ":", true },
	{ ACT_FILTER, "/", false },
	{ ACT_GOTO, " go to step or %: ", false },
	{ ACT_WRITE, " write screen to: ", false },
	{ ACT_NOTE, " note of run %lld %s: ", false },
	{ ACT_TAG, " tags of run %lld %s: ", false },
	{ ACT_DELETE, " delete run %lld %s? type y: ", false },
};

enum { NR_PROMPTS = sizeof(prompts) / sizeof(prompts[0]) };

/* With its word given in the palette an action acts at once, else it asks. */
static void act_prompt(struct tui *tui, enum action action, const char *text)
{
	if (text[0] && action == ACT_WRITE) {
		write_screen(tui, text);
		return;
	}
	if (text[0]) {
		tui_send(tui, action, text);
		return;
	}
	for (size_t i = 0; i < NR_PROMPTS; i++)
		if (prompts[i].action == action)
			prompt_start(tui->prompt, "", prompts[i].history);
	tui->prompt_for = action;
	tui->pop_up = POP_NONE;
	tui->error[0] = '\0';
}

/* About the selected run: its note or tags are there to be edited, its end is asked for. */
static void act_run(struct tui *tui, enum action action, const char *text)
{
	char request[WORKER_TEXT_MAX];
	const struct worker_pick *pick = &tui->state.pick;

	tui->asked = *pick;
	if (pick->id == 0) {
		tui_say(tui, "select a run first");
	} else if (text[0] && action != ACT_DELETE) {
		snprintf(request, sizeof(request), "%lld %.200s", (long long)pick->id, text);
		tui_send(tui, action, request);
	} else {
		act_prompt(tui, action, "");
		if (action == ACT_NOTE)
			prompt_set(tui->prompt, pick->note);
		if (action == ACT_TAG)
			prompt_set(tui->prompt, pick->tag);
	}
}

static bool asks_of_run(enum action action)
{
	return action == ACT_NOTE || action == ACT_TAG || action == ACT_DELETE;
}

static void act_view(struct tui *tui, enum action action, const char *text)
{
	/* Keys typed before the next picture already belong to the new view. */
	tui_send(tui, action, text);
	tui->state.view = (enum view_id)(action - ACT_VIEW_1);
}

/* What only the lab can do. */
static void act_send(struct tui *tui, enum action action, const char *text)
{
	tui_send(tui, action, text);
}

static void (*const acts[NR_ACTIONS])(struct tui *tui, enum action action, const char *text) = {
	[ACT_QUIT] = act_quit,     [ACT_BACK] = act_back,     [ACT_CLEAR] = act_clear,
	[ACT_HELP] = act_pop_up,   [ACT_LOG] = act_pop_up,    [ACT_PALETTE] = act_prompt,
	[ACT_FILTER] = act_prompt, [ACT_GOTO] = act_prompt,   [ACT_WRITE] = act_prompt,
	[ACT_GLYPHS] = act_glyphs, [ACT_REDRAW] = act_redraw, [ACT_INTERRUPT] = act_interrupt,
	[ACT_VIEW_1] = act_view,   [ACT_VIEW_2] = act_view,   [ACT_VIEW_3] = act_view,
	[ACT_VIEW_4] = act_view,   [ACT_VIEW_5] = act_view,   [ACT_VIEW_6] = act_view,
	[ACT_VIEW_7] = act_view,   [ACT_SORT] = act_sort,     [ACT_NOTE] = act_run,
	[ACT_TAG] = act_run,       [ACT_DELETE] = act_run,
};

/* Own actions by the table, all others go to the lab. */
void tui_act(struct tui *tui, enum action action, const char *text)
{
	if (action == ACT_NONE)
		return;
	if (acts[action])
		acts[action](tui, action, text);
	else
		act_send(tui, action, text);
}

/* ---- the prompt ---- */

static const char *word_at(const void *ctx, size_t i)
{
	(void)ctx;
	return i < action_count() ? action_at(i)->name : NULL;
}

/* Does the table say that the action means something in the view on the screen? */
static bool valid_here(const struct tui *tui, enum action action)
{
	for (size_t i = 0; i < action_count(); i++)
		if (action_at(i)->action == action)
			return action_at(i)->views >> tui->state.view & 1;
	return false;
}

/* "goto 42%": a word of the table, then what it works on. */
static void run_line(struct tui *tui, const char *line)
{
	char word[WORKER_TEXT_MAX], rest[WORKER_TEXT_MAX];
	enum action action;
	size_t n;

	line += strspn(line, " ");
	n = strcspn(line, " ");
	snprintf(word, sizeof(word), "%.*s", (int)n, line);
	line += n;
	snprintf(rest, sizeof(rest), "%s", line + strspn(line, " "));
	action = action_for_word(word);
	if (word[0] && action == ACT_NONE) {
		snprintf(tui->error, sizeof(tui->error), "no command \"%.60s\"; the nearest is %s",
			 word, diag_nearest(word, word_at, NULL));
		return;
	}
	/* What is opened by name needs no list to be on the screen. */
	if (word[0] && !valid_here(tui, action) && !(action == ACT_ENTER && rest[0])) {
		snprintf(tui->error, sizeof(tui->error), "%.60s does nothing in %s", word,
			 view_at(tui->state.view)->label);
		return;
	}
	prompt_remember(tui->prompt);
	prompt_stop(tui->prompt);
	tui_act(tui, action, rest);
}

/* Enter.  A prompt with an error stays open, with its text and its error. */
static void accept(struct tui *tui)
{
	char text[PROMPT_TEXT_MAX + 1];
	enum action action = tui->prompt_for;

	snprintf(text, PROMPT_TEXT_MAX, "%s", prompt_text(tui->prompt));
	if (action == ACT_PALETTE) {
		run_line(tui, text);
		return;
	}
	if (tui->error[0])
		return;
	prompt_stop(tui->prompt);
	/* A filter acts while it is typed, but for a last word that might have gone on. */
	if (action == ACT_FILTER && tui->state.view == VIEW_RUNS)
		strcat(text, " ");
	if (action == ACT_FILTER &&
	    (tui->state.view == VIEW_RUNS || rows_filter_pending(tui->state.view, text)))
		tui_send(tui, ACT_FILTER, text);
	/* An empty note is a note; an answer is for the run that was asked about. */
	if (asks_of_run(action)) {
		char request[WORKER_TEXT_MAX];

		snprintf(request, sizeof(request), "%lld %.230s", (long long)tui->asked.id, text);
		tui_send(tui, action, request);
		return;
	}
	if (action == ACT_FILTER || !text[0])
		return;
	tui_act(tui, action, text);
}

/* Tab: what all candidates have in common. */
static void complete(struct tui *tui)
{
	const char *text = prompt_text(tui->prompt);
	const struct action_desc *word;
	char common[WORKER_TEXT_MAX];

	if (tui->prompt_for != ACT_PALETTE || strchr(text, ' '))
		return;
	word = overlay_word(tui->state.view, text, 0);
	if (!word)
		return;
	snprintf(common, sizeof(common), "%s", word->name);
	for (size_t i = 1; (word = overlay_word(tui->state.view, text, i)); i++) {
		size_t n = 0;

		while (common[n] && common[n] == word->name[n])
			n++;
		common[n] = '\0';
	}
	if (!overlay_word(tui->state.view, text, 1))
		strcat(common, " ");
	prompt_set(tui->prompt, common);
}

/* After each key: errors are shown while typing, and a filter acts at once. */
static void edited(struct tui *tui)
{
	const char *text = prompt_text(tui->prompt);
	struct diag diag;

	tui->error[0] = '\0';
	if (tui->prompt_for != ACT_FILTER)
		return;
	/* A filter in the making may be wrong for a while: the last good one stays. */
	if (rows_filter_check(tui->state.view, text, &diag) != ERR_OK)
		snprintf(tui->error, sizeof(tui->error), "%.200s", diag.text);
	else if (!rows_filter_pending(tui->state.view, text))
		tui_send(tui, ACT_FILTER, text);
}

/* A key while a prompt is open: nothing but the prompt gets it. */
static void prompt_key_pressed(struct tui *tui, const char *key)
{
	enum prompt_event event = prompt_key(tui->prompt, key);

	if (event == PROMPT_CANCEL && tui->prompt_for == ACT_FILTER)
		tui_send(tui, ACT_FILTER, "");
	if (event == PROMPT_CANCEL) {
		tui->error[0] = '\0';
		prompt_stop(tui->prompt);
	}
	if (event == PROMPT_ACCEPT)
		accept(tui);
	if (event == PROMPT_COMPLETE)
		complete(tui);
	if (event == PROMPT_EDITED)
		edited(tui);
}

/* ---- keys ---- */

/* Where pasted text begins and ends, and each key of it: text for a prompt and nothing else, a new
 * line in it a blank.  Returns: false if the key was typed. */
static bool pasted_key(struct tui *tui, const char *key)
{
	static const char *const blanks[] = { "Enter", "Tab", "Ctrl-J" };
	bool begin = strcmp(key, "Paste") == 0;

	if (begin || strcmp(key, "PasteEnd") == 0) {
		tui->pasting = begin;
		if (begin && !prompt_active(tui->prompt))
			tui_say(tui, "pasted text is for a prompt: : or / opens one");
		return true;
	}
	if (!tui->pasting || !prompt_active(tui->prompt))
		return tui->pasting;
	/* Tab, Enter and the like; what else is no character is left out. */
	for (size_t i = 0; i < sizeof(blanks) / sizeof(blanks[0]); i++)
		key = strcmp(key, blanks[i]) == 0 ? "Space" : key;
	if (!tui_is_text(key) || strcmp(key, "Backspace") == 0)
		return true;
	prompt_key(tui->prompt, key);
	if (tui->pop_up == POP_NONE)
		edited(tui);
	tui->selected = 0;
	return true;
}

void tui_key(struct tui *tui, const char *key)
{
	enum action action;

	if (pasted_key(tui, key))
		return;
	tui->message[0] = '\0';
	if (prompt_active(tui->prompt) && tui->pop_up == POP_NONE) {
		prompt_key_pressed(tui, key);
		return;
	}
	if (tui->pop_up == POP_HELP && tui_help_key(tui, key))
		return;
	if (tui->pop_up == POP_COLUMNS && tui_columns_key(tui, key))
		return;
	action = action_for_key(tui->state.view, key);
	/* Under a pop-up only what closes it, or leaves, has a meaning. */
	if (tui->pop_up != POP_NONE && action != ACT_BACK && action != ACT_CLEAR &&
	    action != ACT_QUIT && action != ACT_INTERRUPT && action != ACT_REDRAW) {
		if (action == ACT_HELP || action == ACT_LOG)
			tui_close_pop_up(tui);
		return;
	}
	tui_act(tui, action, "");
}

/* ---- what is shown ---- */

/* The lab's picture on a grid of the screen's size: they differ for a moment after a resize. */
static void copy_picture(struct tui *tui)
{
	struct canvas *to = tui->shown;
	const struct canvas *from = tui->last;
	int w, h;

	screen_size(tui->screen, &w, &h);
	canvas_init(to, w, h, tui->glyphs);
	if (!tui->has_picture) {
		canvas_text(to, (struct span){ 0, 0, w, ATTR_DIM }, " memcglab: opening the lab");
		return;
	}
	for (int y = 0; y < to->h && y < from->h; y++)
		memcpy(&to->cell[y * to->w], &from->cell[y * from->w],
		       (size_t)(to->w < from->w ? to->w : from->w) * sizeof(to->cell[0]));
	to->cursor_x = from->cursor_x;
	to->cursor_y = from->cursor_y;
}

/* What stands before the text; it may name the run that is asked about. */
static void put_label(const struct tui *tui, char out[LABEL_MAX])
{
	out[0] = '\0';
	for (size_t i = 0; i < NR_PROMPTS; i++) {
		if (prompts[i].action != tui->prompt_for)
			continue;
		if (asks_of_run(tui->prompt_for))
			snprintf(out, LABEL_MAX, prompts[i].label, (long long)tui->asked.id,
				 tui->asked.scenario);
		else
			snprintf(out, LABEL_MAX, "%s", prompts[i].label);
	}
}

void tui_show(struct tui *tui)
{
	const char *text = prompt_text(tui->prompt);
	bool asking = prompt_active(tui->prompt) && tui->pop_up == POP_NONE;
	char label[LABEL_MAX];

	/* What only the store can say of a filter comes with the picture. */
	if (asking && tui->prompt_for == ACT_FILTER && tui->state.view == VIEW_RUNS &&
	    tui->state.serial == tui->serial)
		snprintf(tui->error, sizeof(tui->error), "%s", tui->state.filter_error);
	copy_picture(tui);
	if (tui->message[0])
		overlay_message(tui->shown, tui->message);
	if (tui->pop_up == POP_HELP)
		overlay_help(tui->shown, tui->state.view, text, tui->selected);
	if (tui->pop_up == POP_COLUMNS)
		overlay_columns(tui->shown, tui->column);
	if (tui->pop_up == POP_LOG)
		overlay_log(tui->shown, &tui->log);
	if (asking && tui->prompt_for == ACT_PALETTE && tui->shown->h > 10)
		overlay_words(tui->shown, tui->state.view, text);
	put_label(tui, label);
	if (asking)
		overlay_prompt(tui->shown, label, text, prompt_cursor(tui->prompt), tui->error);
	screen_show(tui->screen, tui->shown);
}
