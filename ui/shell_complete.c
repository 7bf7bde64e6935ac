/*
 * Finds the place of the cursor: which word of which command it is in, and
 * which kind of name stands there.
 */
#include "shell_complete.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "shell_line.h"
#include "shell_state.h"
#include "view.h"

void complete_add(struct complete *c, const char *text, const char *note)
{
	struct complete_item *item;

	if (strncmp(text, c->prefix, strlen(c->prefix)) != 0)
		return;
	for (size_t i = 0; i < c->nr; i++)
		if (strcmp(c->item[i].text, text) == 0)
			return;
	item = realloc(c->item, (c->nr + 1) * sizeof(*item));
	if (item == NULL)
		return;
	c->item = item;
	item += c->nr;
	item->text = strdup(text);
	item->note = note != NULL && note[0] != '\0' ? strdup(note) : NULL;
	if (item->text != NULL)
		c->nr++;
	else
		free(item->note);
}

void complete_prefix(struct complete *c, size_t n)
{
	free(c->prefix);
	c->prefix = strdup(c->text + strlen(c->text) - n);
	c->typed = n;
}

void complete_free(struct complete *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->item[i].text);
		free(c->item[i].note);
	}
	free(c->item);
	free(c->prefix);
	c->item = NULL;
	c->prefix = NULL;
	c->nr = 0;
}

/* Each word of "on|off" or "list | show NAME | check [NAME]": the first of each part. */
static void add_choices(struct complete *c, const char *choices)
{
	char word[64];

	for (const char *at = choices; *at != '\0';) {
		size_t n;

		at += strspn(at, " |[");
		n = strcspn(at, " |]");
		snprintf(word, sizeof(word), "%.*s", (int)n, at);
		if (n > 0)
			complete_add(c, word, NULL);
		at += strcspn(at, "|");
	}
}

/* ---- values of options ---- */

static void add_formats(struct complete *c)
{
	for (size_t i = 0; output_format_name(i) != NULL; i++)
		complete_add(c, output_format_name(i), NULL);
}

static void add_views(struct complete *c)
{
	for (int v = 0; v < NR_VIEWS; v++)
		complete_add(c, view_at((enum view_id)v)->name, NULL);
}

/* Behind a comma a list begins again: "-k v3.1,v3." is in its second name. */
static void add_kernels(struct complete *c)
{
	const char *comma = strrchr(c->prefix, ',');

	if (comma != NULL)
		complete_prefix(c, strlen(comma + 1));
	complete_kernels(c);
	c->behind = "";
}

static const struct {
	enum option_id id;
	void (*add)(struct complete *c);
} values[] = {
	{ OPT_FORMAT, add_formats },  { OPT_VIEW, add_views },     { OPT_KERNEL, add_kernels },
	{ OPT_DB, complete_files },   { OPT_OUTPUT, complete_files }, { OPT_FILE, complete_files },
	{ OPT_DIR, complete_files },  { OPT_AB, complete_runs },
};

static void add_value(struct complete *c, enum option_id id, const char *scenario)
{
	const char *value = args_option(id)->value;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (values[i].id == id) {
			values[i].add(c);
			return;
		}
	if (id == OPT_PARAM && scenario != NULL)
		complete_params(c, scenario);
	else if (strchr(value, '|') != NULL)
		add_choices(c, value);
}

/* ---- commands ---- */

/* The option that a word is; NR_OPTIONS: none. */
static enum option_id option_of(const char *word)
{
	for (int id = 0; id < NR_OPTIONS && word[0] == '-'; id++) {
		const struct option_desc *desc = args_option((enum option_id)id);

		if (word[1] == '-' ? strcmp(word + 2, desc->name) == 0
				   : word[1] == desc->letter && word[1] != '\0' && word[2] == '\0')
			return (enum option_id)id;
	}
	return NR_OPTIONS;
}

static void add_options(struct complete *c, const struct verb *verb)
{
	char name[64];

	for (int id = 0; id < NR_OPTIONS; id++) {
		if (((verb->options | OPTS_GLOBAL) & ~verb->unused & OPT_BIT(id)) == 0)
			continue;
		snprintf(name, sizeof(name), "--%s", args_option((enum option_id)id)->name);
		complete_add(c, name, args_option((enum option_id)id)->doc);
	}
}

static void add_commands(struct complete *c)
{
	for (size_t i = 0; command_at(i) != NULL; i++)
		if (strcmp(command_at(i)->name, "shell") != 0)
			complete_add(c, command_at(i)->name, command_at(i)->doc);
	complete_add(c, "quit", "leave");
	complete_add(c, "select", "SQL, to its ;");
	complete_add(c, "lua", "Lua over the current run");
}

static void add_topics(struct complete *c)
{
	for (size_t i = 0; command_topic_name(i) != NULL; i++)
		complete_add(c, command_topic_name(i), NULL);
	for (size_t i = 0; c->prefix[0] == '.' && shell_dot_at(i) != NULL; i++)
		complete_add(c, shell_dot_at(i)->name, shell_dot_at(i)->doc);
}

/* What stands behind the first word of commands that have several forms. */
static const struct {
	const char *verb;
	void (*add)(struct complete *c);
} objects[] = {
	{ "scenario", complete_scenarios },
	{ "kernel", complete_kernels },
	{ "published", complete_tables },
	{ "baseline", complete_runs },
};

/* Argument number @nr of @verb, from 0. */
static void add_argument(struct complete *c, const struct verb *verb, size_t nr)
{
	if (strchr(verb->args, '|') != NULL && strchr(verb->args, ' ') != NULL) {
		if (nr == 0)
			add_choices(c, verb->args);
		for (size_t i = 0; nr > 0 && i < sizeof(objects) / sizeof(objects[0]); i++)
			if (strcmp(objects[i].verb, verb->name) == 0)
				objects[i].add(c);
		return;
	}
	if (nr > 0)
		return;
	if (strstr(verb->args, "SCENARIO") != NULL)
		complete_scenarios(c);
	if (strstr(verb->args, "RUN") != NULL)
		complete_runs(c);
	if (strstr(verb->args, "TOPIC") != NULL)
		add_topics(c);
}

/* The words before the last: how many are arguments, the first of them, the option before it. */
struct before {
	size_t nr_args;
	const char *first;
	enum option_id open;
};

static struct before look_before(const struct shell_words *words, int last)
{
	struct before before = { 0, NULL, NR_OPTIONS };

	for (int i = 1; i < last; i++) {
		enum option_id id = option_of(words->word[i]);
		bool is_value = before.open != NR_OPTIONS;

		before.open = NR_OPTIONS;
		if (!is_value && id != NR_OPTIONS && args_option(id)->value != NULL)
			before.open = id;
		if (is_value || words->word[i][0] == '-')
			continue;
		if (before.nr_args++ == 0)
			before.first = words->word[i];
	}
	return before;
}

static void find_words(struct complete *c, const struct shell_words *words, int last)
{
	const struct verb *verb = NULL;
	struct before before = look_before(words, last);

	if (last == 0) {
		add_commands(c);
		return;
	}
	if (command_find(words->word[0], &verb, NULL) != ERR_OK) {
		if (strcmp(words->word[0], "?") == 0)
			add_topics(c);
		return;
	}
	if (before.open != NR_OPTIONS)
		add_value(c, before.open, before.first);
	else if (c->prefix[0] == '-')
		add_options(c, verb);
	else
		add_argument(c, verb, before.nr_args);
}

static void find_dot(struct complete *c, const struct shell_words *words, int last)
{
	const struct shell_dot_desc *dot;

	for (size_t i = 0; (dot = shell_dot_at(i)) != NULL; i++) {
		if (last == 0)
			complete_add(c, dot->name, dot->doc);
		else if (last > 1 || strcmp(dot->name, words->word[0]) != 0)
			continue;
		else if (strstr(dot->args, "FILE") != NULL)
			complete_files(c);
		else if (strstr(dot->args, "FORMAT") != NULL)
			add_formats(c);
		else if (strchr(dot->args, '|') != NULL)
			add_choices(c, dot->args);
	}
}

/* The word that the cursor is in or, behind a blank, begins. */
static void find_in_words(struct complete *c, bool dot)
{
	size_t size = strlen(c->text);
	struct shell_words words;
	int last;

	if (shell_split(c->text, &words, NULL) != ERR_OK)
		return;
	last = words.n - 1;
	if (size == 0 ||
	    (strchr(" \t\n", c->text[size - 1]) != NULL && shell_open(c->text) == NULL))
		last = words.n;
	complete_prefix(c, 0);
	if (last < words.n && last >= 0) {
		free(c->prefix);
		c->prefix = strdup(words.word[last]);
		c->typed = size - words.at[last];
	}
	c->escape = true;
	if (c->prefix != NULL && dot)
		find_dot(c, &words, last < 0 ? 0 : last);
	else if (c->prefix != NULL)
		find_words(c, &words, last < 0 ? 0 : last);
	shell_words_free(&words);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct complete_item *)a)->text,
		      ((const struct complete_item *)b)->text);
}

void complete_find(struct complete *c)
{
	enum shell_kind kind = shell_kind(c->text);

	c->behind = " ";
	complete_prefix(c, 0);
	if (c->prefix == NULL)
		return;
	if (kind == SHELL_SQL || kind == SHELL_CHANGE)
		complete_sql(c);
	else if (kind == SHELL_LUA)
		complete_lua(c);
	else if (kind != SHELL_HOST)
		find_in_words(c, kind == SHELL_DOT);
	if (c->nr > 1 && !(c->item[0].text[0] >= '0' && c->item[0].text[0] <= '9'))
		qsort(c->item, c->nr, sizeof(*c->item), by_text);
}
