/*
 * Reading options by argp.  argp splits the words; what a word means is its
 * row of the table: where the value goes and which kind it is.
 * argp itself is kept silent, because every refusal is one message of the
 * program's own form with the nearest name.
 */
#include "args.h"

#include <argp.h>
#include <string.h>

#include "options.h"

enum { KEY_BASE = 256 }; /* argp's key of an option: its id above any letter */

const struct option_desc *args_option(enum option_id id)
{
	return &options_table[id].desc;
}

bool args_given(const struct args *args, enum option_id id)
{
	return (args->given & OPT_BIT(id)) != 0;
}

bool args_pooled(const struct args *args)
{
	return args->nr_sweeps > 0 || args_given(args, OPT_JOBS) || args->resume ||
	       args->emit_jobs != NULL || args->until != NULL;
}

void args_defaults(struct args *args)
{
	struct script_limits limits;

	script_limits_defaults(&limits);
	*args = (struct args){
		.format = "table",
		.color = "auto",
		.traceback = "user",
		.time_limit_ns = 600 * (uint64_t)1000000000,
		.instr_limit = limits.instructions,
		.mem_limit = limits.memory,
		.repeat = 1,
		.jobs = 1,
		.at = UINT64_MAX,
		.page_bytes = PAGE_BYTES,
		.cpus = 8,
		.arch = "x86-64",
	};
}

/* ---- values ---- */

/* Is @word one of the words of @choices, which "|" parts? */
static bool is_choice(const char *choices, const char *word)
{
	size_t len = strlen(word);

	if (strchr(word, '|') != NULL)
		return false;
	for (const char *p = choices; p != NULL; p = strchr(p, '|')) {
		p += *p == '|';
		if (strncmp(p, word, len) == 0 && (p[len] == '|' || p[len] == '\0'))
			return true;
	}
	return false;
}

/* "NAME=VALUE" is parted at its first "=": a value may hold more of them. The halves stay in the
 * argument vector, which lives as long as the program does. */
static enum err not_pair(const struct option_row *row, const char *text, struct diag *diag)
{
	return diag_fail(diag, ERR_USAGE, "--%s: \"%s\" is not %s", row->desc.name, text,
			 row->desc.value);
}

static enum err set_pair(const struct option_row *row, char *text, struct lab_param *param,
			 size_t *nr, struct diag *diag)
{
	size_t most = row->type == TYPE_SWEEP ? ARGS_SWEEPS_MAX : ARGS_PARAMS_MAX;
	const char *name = row->desc.name;
	char *equals = strchr(text, '=');

	if (equals == NULL || equals == text)
		return not_pair(row, text, diag);
	if (*nr == most)
		return diag_fail(diag, ERR_USAGE, "--%s: more than %zu", name, most);
	*equals = '\0';
	for (size_t i = 0; i < *nr; i++)
		if (strcmp(param[i].name, text) == 0)
			return diag_fail(diag, ERR_USAGE, "--%s: %s is given twice", name, text);
	param[(*nr)++] = (struct lab_param){ text, equals + 1 };
	return ERR_OK;
}

/* Sizes, times and counts are read by the one parser that Lua and the store use too, so a size
 * that works in one place works in all of them. */
static enum err set_unit(const struct option_row *row, enum unit_kind kind, const char *text,
			 uint64_t *value, struct diag *diag)
{
	if (units_parse(kind, text, value))
		return ERR_OK;
	if (units_too_large(kind, text))
		return diag_fail(diag, ERR_USAGE, "--%s: \"%s\" does not fit in 64 bits",
				 row->desc.name, text);
	return diag_fail(diag, ERR_USAGE, "--%s: \"%s\" is not %s", row->desc.name, text,
			 units_accepted(kind));
}

/* Only parameters add up: of two values of any other option one would be lost silently. */
static enum err given_twice(const struct option_row *row, struct diag *diag)
{
	bool list = row->desc.value != NULL && strstr(row->desc.value, ",...") != NULL;

	return diag_fail(diag, ERR_USAGE, "--%s is given twice%s%s", row->desc.name,
			 list ? ": write one list, " : "", list ? row->desc.value : "");
}

/* The one place where a value gets its meaning: by the kind of its row, at the offset of its
 * row. A choice is a text that must be one of the listed words. */
static enum err option_set(struct args *args, enum option_id id, char *text, struct diag *diag)
{
	const struct option_row *row = &options_table[id];
	void *at = (char *)args + row->offset;

	if (args_given(args, id) && row->type < TYPE_PARAM)
		return given_twice(row, diag);
	args->given |= OPT_BIT(id);
	switch (row->type) {
	case TYPE_FLAG:
		*(bool *)at = true;
		return ERR_OK;
	case TYPE_CHOICE:
		if (!is_choice(row->desc.value, text))
			return diag_fail(diag, ERR_USAGE, "--%s: \"%s\" is not one of %s",
					 row->desc.name, text, row->desc.value);
		/* fall through */
	case TYPE_TEXT:
		*(const char **)at = text;
		return ERR_OK;
	case TYPE_COUNT:
		return set_unit(row, UNIT_COUNT, text, at, diag);
	case TYPE_SIZE:
		return set_unit(row, UNIT_SIZE, text, at, diag);
	case TYPE_TIME:
		return set_unit(row, UNIT_TIME, text, at, diag);
	case TYPE_PARAM:
		if (strchr(text, '=') == NULL && args->sized == NULL) {
			args->sized = text;
			return ERR_OK;
		}
		return set_pair(row, text, args->param, &args->nr_params, diag);
	case TYPE_SWEEP:
		return set_pair(row, text, args->sweep, &args->nr_sweeps, diag);
	}
	return ERR_OK;
}

/* ---- argp ---- */

struct parse {
	struct args *args;
	uint64_t options;
	bool stop_at_word; /* global options end at the command */
	int word;          /* its index, -1 if there was none */
	int stopped;       /* where argp was when it found an error */
	enum err err;
	struct diag *diag;
};

/* A letter or KEY_BASE + id, as argp_rows made them. Keys of argp itself, such as the one for
 * the end of all words, are above and mean none of our options. */
static enum option_id option_of_key(int key)
{
	if (key >= KEY_BASE && key < KEY_BASE + NR_OPTIONS) /* argp's own are far above */
		return (enum option_id)(key - KEY_BASE);
	for (int id = 0; id < NR_OPTIONS; id++)
		if (options_table[id].desc.letter != 0 && options_table[id].desc.letter == key)
			return (enum option_id)id;
	return NR_OPTIONS;
}

/* Before the command only options may stand: the first word is the command, and argp is told
 * that nothing is left to read. After it words are collected. */
static error_t parse_word(struct parse *parse, char *text, struct argp_state *state)
{
	if (parse->stop_at_word) {
		parse->word = state->next - 1;
		state->next = state->argc;
		return 0;
	}
	if (parse->args->nr_args == ARGS_MAX) {
		parse->err = diag_fail(parse->diag, ERR_USAGE, "more than %d words", ARGS_MAX);
		return 1;
	}
	parse->args->arg[parse->args->nr_args++] = text;
	return 0;
}

/* Called by argp for each option, each word and at some moments of its own. A value that is
 * refused ends the parsing at once with the words in the diag. */
static error_t parse_key(int key, char *text, struct argp_state *state)
{
	struct parse *parse = state->input;
	enum option_id id;

	if (key == ARGP_KEY_ARG)
		return parse_word(parse, text, state);
	if (key == ARGP_KEY_ERROR)
		parse->stopped = state->next;
	id = option_of_key(key);
	if (id == NR_OPTIONS)
		return ARGP_ERR_UNKNOWN;
	parse->err = option_set(parse->args, id, text, parse->diag);
	return parse->err != ERR_OK;
}

/* Names of the options in a set, for the nearest one. */
static const char *option_name_at(const void *ctx, size_t i)
{
	uint64_t options = *(const uint64_t *)ctx;

	for (int id = 0; id < NR_OPTIONS; id++)
		if ((options & OPT_BIT(id)) != 0 && i-- == 0)
			return options_table[id].desc.name;
	return NULL;
}

/* The row that @word, an option as typed, means: whole or the beginning of a name. */
static const struct option_desc *option_typed(uint64_t options, const char *word)
{
	const char *name = word + strspn(word, "-");
	size_t len = strcspn(name, "=");
	bool is_long = name - word == 2;

	for (int id = 0; id < NR_OPTIONS; id++) {
		const struct option_desc *desc = &options_table[id].desc;

		if ((options & OPT_BIT(id)) == 0)
			continue;
		if (is_long ? strncmp(desc->name, name, len) == 0 : desc->letter == name[0])
			return desc;
	}
	return NULL;
}

/* argp stopped at @word and said nothing: find the words for it. */
static enum err refuse(const struct parse *parse, const char *word)
{
	const struct option_desc *desc = option_typed(parse->options, word);
	int len = (int)strcspn(word, "=");

	if (desc != NULL && desc->value != NULL && word[len] == '\0')
		return diag_fail(parse->diag, ERR_USAGE, "option %s needs a value: --%s %s", word,
				 desc->name, desc->value);
	if (desc != NULL && desc->value == NULL && word[len] == '=')
		return diag_fail(parse->diag, ERR_USAGE, "option --%s takes no value", desc->name);
	if (word[1] != '-')
		return diag_fail(parse->diag, ERR_USAGE, "unknown option %s (see --help)", word);
	return diag_fail(parse->diag, ERR_USAGE, "unknown option %.*s: did you mean --%s?", len,
			 word, diag_nearest(word + 2, option_name_at, &parse->options));
}

/* The rows of @options in the form that argp wants, ended by an empty one. Options without a
 * letter get a key that no letter has. */
static void argp_rows(uint64_t options, struct argp_option *out)
{
	size_t n = 0;

	for (int id = 0; id < NR_OPTIONS; id++) {
		const struct option_desc *desc = &options_table[id].desc;

		if ((options & OPT_BIT(id)) != 0)
			out[n++] = (struct argp_option){
				.name = desc->name,
				.arg = desc->value,
				.doc = desc->doc,
				.key = desc->letter != 0 ? desc->letter : KEY_BASE + id,
			};
	}
	out[n] = (struct argp_option){ .name = NULL };
}

/* argp runs silently: it neither prints nor exits, but its last call tells where it stopped, and
 * refuse() finds the words. */
static enum err parse_all(struct parse *parse, int argc, char **argv)
{
	struct argp_option options[NR_OPTIONS + 1];
	struct argp argp = { .options = options, .parser = parse_key };
	unsigned flags = ARGP_SILENT | (parse->stop_at_word ? ARGP_IN_ORDER : 0);
	error_t error;
	int at;

	argp_rows(parse->options, options);
	error = argp_parse(&argp, argc, argv, flags, NULL, parse);
	if (error == 0 || parse->err != ERR_OK)
		return parse->err;
	/* A long option or a lone letter has been passed, a letter among others has not. */
	at = parse->stopped < argc ? parse->stopped : argc - 1;
	if (parse->stopped > 0 && argv[parse->stopped - 1][0] == '-')
		at = parse->stopped - 1;
	return refuse(parse, argv[at]);
}

enum err args_global(struct args *args, int argc, char **argv, int *next, struct diag *diag)
{
	struct parse parse = { .args = args,
			       .options = OPTS_GLOBAL,
			       .stop_at_word = true,
			       .word = -1,
			       .diag = diag };
	enum err err = parse_all(&parse, argc, argv);

	*next = parse.word >= 0 ? parse.word : argc;
	return err;
}

enum err args_parse(struct args *args, int argc, char **argv, uint64_t options, struct diag *diag)
{
	struct parse parse = { .args = args,
			       .options = options | OPTS_GLOBAL,
			       .word = -1,
			       .diag = diag };
	enum err err = parse_all(&parse, argc, argv);

	/* A parameter's name alone is a question about its value. */
	if (err == ERR_OK && args->sized != NULL && (options & OPT_BIT(OPT_UNTIL)) == 0)
		return not_pair(&options_table[OPT_PARAM], args->sized, diag);
	return err;
}
