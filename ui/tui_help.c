/*
 * The keys of the help: typing filters it, Enter does what the selected row
 * says.
 */
#include <string.h>

#include "tui_state.h"

bool tui_is_text(const char *key)
{
	return (key[0] & 0x80) || !key[1] || strcmp(key, "Space") == 0 ||
	       strcmp(key, "Backspace") == 0;
}

/* Row @row of the help as it is filtered now. */
static const struct action_desc *help_row(const struct tui *tui, size_t row)
{
	return overlay_help_at(tui->state.view, prompt_text(tui->prompt), row);
}

static void help_up(struct tui *tui)
{
	tui->selected -= tui->selected > 0;
}

static void help_down(struct tui *tui)
{
	tui->selected += help_row(tui, tui->selected + 1) != NULL;
}

/* Closes the help and does what the selected row says. */
static void help_perform(struct tui *tui)
{
	const struct action_desc *chosen = help_row(tui, tui->selected);

	tui_close_pop_up(tui);
	tui_act(tui, chosen ? chosen->action : ACT_NONE, "");
}

static const struct {
	const char *key;
	void (*press)(struct tui *tui);
} help_keys[] = {
	{ "Up", help_up },
	{ "Down", help_down },
	{ "Enter", help_perform },
};

bool tui_help_key(struct tui *tui, const char *key)
{
	bool typing = prompt_active(tui->prompt);

	for (size_t i = 0; i < sizeof(help_keys) / sizeof(help_keys[0]); i++) {
		if (strcmp(help_keys[i].key, key) != 0)
			continue;
		help_keys[i].press(tui);
		return true;
	}
	/* The first letter starts the filter; from then on q is a letter too. */
	if (!tui_is_text(key) || (!typing && strchr("qQ?", key[0])))
		return false;
	if (!typing)
		prompt_start(tui->prompt, "", false);
	prompt_key(tui->prompt, key);
	tui->selected = 0;
	if (prompt_text(tui->prompt)[0] == '\0')
		prompt_stop(tui->prompt);
	return true;
}
