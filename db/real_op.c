/*
 * One table of operations: name and arguments.  An argument is a letter, a
 * letter is a function that reads it; what follows a question mark may be
 * left out.  Which of them the model can do is the driver's table.
 */
#include "real_op.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct op_row {
	const char *name, *args;
};

static const struct op_row rows[NR_REAL_OPS] = {
	[REAL_OPEN] = { "open", "f@?o" },
	[REAL_SEQ] = { "seq", "Fsnp?c" },
	[REAL_SEQB] = { "seqb", "Fsnpc" },
	[REAL_NC] = { "nc", "Fsnp" },
	[REAL_UNI] = { "uni", "FnCS" },
	[REAL_ZIPF] = { "zipf", "FneCS" },
	[REAL_MSEQ] = { "mseq", "Fsnp?o" },
	[REAL_MZIPF] = { "mzipf", "FneCS?o" },
	[REAL_ANON] = { "anon", "fnpo" },
	[REAL_AUNI] = { "auni", "fnCS" },
	[REAL_ADV] = { "adv", "fmsn" },
	[REAL_WRITE] = { "write", "Fsnp" },
	[REAL_FSYNC] = { "fsync", "F" },
	[REAL_FADV] = { "fadv", "FasN" },
	[REAL_SLEEP] = { "sleep", "v" },
	[REAL_REP] = { "rep", "Cn" },
	[REAL_MARK] = { "mark", "w" },
	[REAL_LIMIT] = { "ctl:limit", "gV" },
	[REAL_FORCE_EMPTY] = { "ctl:force_empty", "g" },
};

/* As it is written in the file. */
const char *real_op_name(int kind)
{
	return rows[kind].name;
}

/* Said by its arguments: passes or a count. */
bool real_op_accesses(int kind)
{
	return strpbrk(rows[kind].args, "pC") != NULL;
}

/* A pass touches each page once; a random sequence has as many accesses as it counts. */
uint64_t real_op_total(const struct real_op *op)
{
	if (strchr(rows[op->kind].args, 'C') != NULL)
		return op->count;
	return real_op_accesses(op->kind) ? op->pages * op->passes : 0;
}

/* ---- numbers ---- */

/* A whole number of decimal digits that leaves room for products. */
static bool number(const char *text, uint64_t *out)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	*out = strtoull(text, &end, 10);
	return *end == '\0' && *out <= UINT64_MAX >> 16;
}

/* Limits are kept in whole pages, as the kernel rounds them; -1 takes a limit away. */
bool real_size(const char *text, pages_t *pages)
{
	uint64_t bytes;

	if (strcmp(text, "-1") == 0) {
		*pages = PAGES_UNLIMITED;
		return true;
	}
	if (!units_parse(UNIT_SIZE, text, &bytes))
		return false;
	*pages = bytes / PAGE_BYTES;
	if (*pages > PAGES_UNLIMITED)
		*pages = PAGES_UNLIMITED;
	return true;
}

/* ---- arguments: each function reads one into the operation ---- */

typedef bool arg_fn(struct real_scope *scope, const char *text, struct real_op *op);

/* Files and regions are numbered apart from each other. */
static bool arg_handle(struct real_scope *scope, const char *text, struct real_op *op)
{
	uint64_t n;

	(void)scope;
	if (!number(text, &n) || n >= REAL_HANDLES)
		return false;
	op->handle = (int)n;
	return true;
}

/* The file behind an open number is known from here on, so the driver need not look. */
static bool arg_opened(struct real_scope *scope, const char *text, struct real_op *op)
{
	if (!arg_handle(scope, text, op))
		return false;
	op->object = scope->opened[op->handle];
	return op->object >= 0;
}

/* Opening a number again lets the file before go. */
static bool arg_path(struct real_scope *scope, const char *text, struct real_op *op)
{
	for (size_t i = 0; i < scope->exp->nr_files && text[0] == '@'; i++) {
		if (strcmp(scope->exp->file[i].name, text + 1) != 0)
			continue;
		op->object = scope->opened[op->handle] = (int)i;
		return true;
	}
	return false;
}

/* Groups come before the tasks that name them. */
static bool arg_group(struct real_scope *scope, const char *text, struct real_op *op)
{
	for (size_t i = 0; i < scope->exp->nr_groups; i++) {
		op->object = (int)i;
		if (strcmp(scope->exp->group[i].name, text) == 0)
			return true;
	}
	return false;
}

/* "random", "seq", "w", "r", parted by commas. */
static bool arg_flags(struct real_scope *scope, const char *text, struct real_op *op)
{
	static const char *const flags[] = { "random", "seq", "w", "r" };
	size_t len;

	(void)scope;
	for (; *text != '\0'; text += len + (text[len] == ',')) {
		size_t i = 0;

		len = strcspn(text, ",");
		while (i < 4 && (strlen(flags[i]) != len || strncmp(flags[i], text, len) != 0))
			i++;
		if (i == 4)
			return false;
		op->random |= i == 0;
		op->sequential |= i == 1;
		op->writes |= i == 2;
	}
	return true;
}

/* Names and pieces of advice. */
static bool arg_word(struct real_scope *scope, const char *text, struct real_op *op)
{
	(void)scope;
	return text[0] != '\0' &&
	       snprintf(op->word, sizeof(op->word), "%s", text) < (int)sizeof(op->word);
}

/* Words of advice as they may be written, in capitals or not, with the prefix or without. */
static const struct advice {
	const char *word;
	int advice;
} file_advice[] = {
	{ "normal", FADVICE_NORMAL },	      { "random", FADVICE_RANDOM },
	{ "sequential", FADVICE_SEQUENTIAL }, { "seq", FADVICE_SEQUENTIAL },
	{ "willneed", FADVICE_WILLNEED },     { "noreuse", FADVICE_NOREUSE },
	{ "dontneed", FADVICE_DONTNEED },
}, memory_advice[] = {
	{ "normal", MADVICE_NORMAL },	      { "random", MADVICE_RANDOM },
	{ "sequential", MADVICE_SEQUENTIAL }, { "seq", MADVICE_SEQUENTIAL },
	{ "willneed", MADVICE_WILLNEED },     { "dontneed", MADVICE_DONTNEED },
	{ "free", MADVICE_FREE },	      { "cold", MADVICE_COLD },
	{ "pageout", MADVICE_PAGEOUT },	      { "nohugepage", MADVICE_NONE },
	{ "unmergeable", MADVICE_NONE },      { "dontfork", MADVICE_NONE },
	{ "dofork", MADVICE_NONE },	      { "dontdump", MADVICE_NONE },
	{ "populate_read", MADVICE_READ },    { "populate_write", MADVICE_WRITE },
};

static bool advice_find(const struct advice *table, size_t nr, const char *prefix, const char *text,
			struct real_op *op)
{
	size_t len = strlen(prefix);

	if (strncasecmp(text, prefix, len) == 0)
		text += len;
	for (size_t i = 0; i < nr; i++) {
		op->value = table[i].advice;
		if (strcasecmp(table[i].word, text) == 0)
			return true;
	}
	return false;
}

/* Of posix_fadvise. */
static bool arg_file_advice(struct real_scope *scope, const char *text, struct real_op *op)
{
	return arg_word(scope, text, op) &&
	       advice_find(file_advice, sizeof(file_advice) / sizeof(file_advice[0]), "POSIX_FADV_",
			   text, op);
}

/* Of madvise. */
static bool arg_memory_advice(struct real_scope *scope, const char *text, struct real_op *op)
{
	return arg_word(scope, text, op) &&
	       advice_find(memory_advice, sizeof(memory_advice) / sizeof(memory_advice[0]), "MADV_",
			   text, op);
}

/* Pages count from 0. */
static bool arg_start(struct real_scope *scope, const char *text, struct real_op *op)
{
	(void)scope;
	return number(text, &op->start);
}

/* Some pages at least: an empty range would be passed over in silence. */
static bool arg_pages(struct real_scope *scope, const char *text, struct real_op *op)
{
	(void)scope;
	return number(text, &op->pages) && op->pages > 0 && op->pages <= UINT32_MAX;
}

/* None at all means up to the end. */
static bool arg_rest(struct real_scope *scope, const char *text, struct real_op *op)
{
	(void)scope;
	return number(text, &op->pages) && op->pages <= UINT32_MAX;
}

/* None at all is allowed: a loop that is switched off. */
static bool arg_passes(struct real_scope *scope, const char *text, struct real_op *op)
{
	(void)scope;
	return number(text, &op->passes) && op->passes <= UINT32_MAX;
}

/* Pages or bytes of one call. */
static bool arg_chunk(struct real_scope *scope, const char *text, struct real_op *op)
{
	(void)scope;
	return number(text, &op->chunk) && op->chunk > 0;
}

/* Accesses of a random sequence, or times of a repetition. */
static bool arg_count(struct real_scope *scope, const char *text, struct real_op *op)
{
	(void)scope;
	return number(text, &op->count);
}

/* Of the sequence's own generator. */
static bool arg_seed(struct real_scope *scope, const char *text, struct real_op *op)
{
	(void)scope;
	return number(text, &op->seed);
}

/* In thousandths, so that the file has no fractions. */
static bool arg_exponent(struct real_scope *scope, const char *text, struct real_op *op)
{
	(void)scope;
	return number(text, &op->exponent) && op->exponent > 0 && op->exponent <= 100000;
}

/* Milliseconds, at most some weeks. */
static bool arg_value(struct real_scope *scope, const char *text, struct real_op *op)
{
	uint64_t n;

	(void)scope;
	if (!number(text, &n) || n > UINT32_MAX)
		return false;
	op->value = (int64_t)n;
	return true;
}

/* Of the controller. */
static bool arg_limit(struct real_scope *scope, const char *text, struct real_op *op)
{
	pages_t pages;

	(void)scope;
	if (!real_size(text, &pages))
		return false;
	op->value = (int64_t)pages;
	return true;
}

struct arg_row {
	char letter;
	const char *what;
	arg_fn *read;
};

static const struct arg_row args[] = {
	{ 'f', "a number below 64", arg_handle },
	{ 'F', "the number of an open file", arg_opened },
	{ '@', "@ and the name of a file", arg_path },
	{ 'g', "the name of a group", arg_group },
	{ 'o', "random, seq, w or r", arg_flags },
	{ 'w', "a word", arg_word },
	{ 'a', "normal, random, sequential, willneed, noreuse or dontneed", arg_file_advice },
	{ 'm', "advice to madvise", arg_memory_advice },
	{ 's', "a page number", arg_start },
	{ 'n', "a number above 0", arg_pages },
	{ 'N', "a number", arg_rest },
	{ 'p', "a number of passes", arg_passes },
	{ 'c', "a number above 0", arg_chunk },
	{ 'C', "a number", arg_count },
	{ 'S', "a seed", arg_seed },
	{ 'e', "thousandths above 0", arg_exponent },
	{ 'v', "milliseconds", arg_value },
	{ 'V', "a size or -1", arg_limit },
};

/* Every letter of the table of operations has its row. */
static const struct arg_row *arg_find(char letter)
{
	const struct arg_row *row = args;

	while (row->letter != letter)
		row++;
	return row;
}

/* ---- an operation ---- */

/* The row whose name the word begins with, up to a colon or the end. */
static int kind_of(const char *word)
{
	for (int kind = 0; kind < NR_REAL_OPS; kind++) {
		size_t len = strlen(rows[kind].name);

		if (strncmp(word, rows[kind].name, len) == 0 &&
		    (word[len] == ':' || word[len] == '\0'))
			return kind;
	}
	return NR_REAL_OPS;
}

/* The argument at *@at, which moves behind it.  Returns: false if there is none. */
static bool take(const char **at, char out[REAL_WORD_MAX])
{
	size_t len;

	if (**at != ':')
		return false;
	len = strcspn(*at + 1, ":");
	if (len >= REAL_WORD_MAX)
		return false;
	memcpy(out, *at + 1, len);
	out[len] = '\0';
	*at += len + 1;
	return true;
}

/* The words are taken one by one along the letters of the row; a mistake names the word and what
 * would be accepted. */
enum err real_op_read(struct real_scope *scope, const char *word, struct real_op *out,
		      struct diag *diag)
{
	int kind = kind_of(word);
	char text[REAL_WORD_MAX] = "";
	bool optional = false;
	const char *at;

	*out = (struct real_op){ .kind = kind, .passes = 1 };
	if (kind == NR_REAL_OPS)
		return diag_fail(diag, ERR_IMPORT, "unknown operation \"%s\"", word);
	at = word + strlen(rows[kind].name);
	for (const char *letter = rows[kind].args; *letter != '\0'; letter++) {
		const struct arg_row *arg;

		if (*letter == '?') {
			optional = true;
			continue;
		}
		if (optional && *at == '\0')
			return ERR_OK;
		arg = arg_find(*letter);
		if (!take(&at, text) || !arg->read(scope, text, out))
			return diag_fail(diag, ERR_IMPORT, "%s: \"%s\" is not %s", word, text,
					 arg->what);
	}
	if (*at != '\0')
		return diag_fail(diag, ERR_IMPORT, "%s: \"%s\" is too much", word, at + 1);
	return ERR_OK;
}
