/*
 * The file of workloads: one record a line, begun by its kind.  A record
 * that is not understood is an error with its place, never left out, and so
 * is a reference to a group, file or page that is not there.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "real_op.h"

enum { OPS_MAX = 1 << 20, FIELDS_MAX = 4096 };

struct parse {
	struct real_set *set;
	struct real_experiment *exp;	/* the newest; NULL before the first */
	char *field[FIELDS_MAX];
	size_t nr;
	unsigned line;
	struct diag *diag;
};

/* ---- growing arrays ---- */

/* Room for one more of @size bytes at the end of @array.  Returns: the new array, NULL: none. */
static void *grown(void *array, size_t nr, size_t size)
{
	char *more = realloc(array, (nr + 1) * size);

	if (more != NULL)
		memset(more + nr * size, 0, size);
	return more;
}

#define GROW(parse, array, nr)                                                   \
	do {                                                                     \
		void *more = grown(array, nr, sizeof(*(array)));                 \
		if (more == NULL)                                                \
			return diag_fail((parse)->diag, ERR_NOMEM, "no memory"); \
		(array) = more;                                                  \
	} while (0)

/* What is wrong and the word that is; the place is put before it at the end. */
static enum err wrong(const struct parse *parse, const char *what, const char *word)
{
	return diag_fail(parse->diag, ERR_IMPORT, "%s: \"%s\"", what, word);
}

/* Names are used in counters and messages and are never cut. */
static enum err name_copy(const struct parse *parse, char out[REAL_WORD_MAX], const char *name)
{
	if (strlen(name) >= REAL_WORD_MAX)
		return wrong(parse, "a name is too long", name);
	memcpy(out, name, strlen(name) + 1);
	return ERR_OK;
}

/* ---- records ---- */

/* Everything up to the next one belongs to it. */
static enum err read_exp(struct parse *parse)
{
	struct real_set *set = parse->set;

	for (size_t i = 0; i < set->nr; i++)
		if (strcmp(set->experiment[i].name, parse->field[1]) == 0)
			return wrong(parse, "there is such an experiment already", parse->field[1]);
	GROW(parse, set->experiment, set->nr);
	parse->exp = &set->experiment[set->nr++];
	parse->exp->line = parse->line;
	return name_copy(parse, parse->exp->name, parse->field[1]);
}

/* Index of a group; -1 for "-" and for none. */
static int group_find(const struct real_experiment *exp, const char *name)
{
	for (size_t i = 0; i < exp->nr_groups; i++)
		if (strcmp(exp->group[i].name, name) == 0)
			return (int)i;
	return -1;
}

typedef bool option_fn(struct real_group *group, const char *value);

/* Bytes or a size. */
static bool set_limit(struct real_group *group, const char *value)
{
	group->has_limit = true;
	return real_size(value, &group->limit_pages);
}

/* The same for the soft limit. */
static bool set_soft(struct real_group *group, const char *value)
{
	group->has_soft = true;
	return real_size(value, &group->soft_pages);
}

/* Later kernels allow up to 200. */
static bool set_swappiness(struct real_group *group, const char *value)
{
	uint64_t n;

	group->has_swappiness = true;
	if (!units_parse(UNIT_COUNT, value, &n) || n > 200)
		return false;
	group->swappiness = (int64_t)n;
	return true;
}

/* Whether tasks wait at the limit instead of being killed. */
static bool set_oomdis(struct real_group *group, const char *value)
{
	group->oom_disable = value[0] == '1';
	return strcmp(value, "0") == 0 || strcmp(value, "1") == 0;
}

struct option_row {
	const char *name;
	option_fn *set;
};

static const struct option_row options[] = {
	{ "limit=", set_limit },
	{ "soft=", set_soft },
	{ "swappiness=", set_swappiness },
	{ "oomdis=", set_oomdis },
};

/* Options are words of NAME=VALUE in any order. */
static bool option_read(struct real_group *group, const char *text)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		size_t len = strlen(options[i].name);

		if (strncmp(text, options[i].name, len) == 0)
			return options[i].set(group, text + len);
	}
	return false;
}

/* A parent comes before its children, so a tree cannot be a circle. */
static enum err read_group(struct parse *parse)
{
	struct real_experiment *exp = parse->exp;
	struct real_group group = { .parent = group_find(exp, parse->field[2]) };
	enum err err = name_copy(parse, group.name, parse->field[1]);

	if (err != ERR_OK)
		return err;
	if (group.parent < 0 && strcmp(parse->field[2], "-") != 0)
		return wrong(parse, "no such group", parse->field[2]);
	if (group_find(exp, group.name) >= 0)
		return wrong(parse, "there is such a group already", group.name);
	for (size_t i = 3; i < parse->nr; i++)
		if (!option_read(&group, parse->field[i]))
			return wrong(parse, "is no option of a group", parse->field[i]);
	GROW(parse, exp->group, exp->nr_groups);
	exp->group[exp->nr_groups++] = group;
	return ERR_OK;
}

/* The file system decides about readahead and large folios. */
static enum err read_file(struct parse *parse)
{
	static const char *const systems[] = { "o0", "lf", "nr" };
	struct real_experiment *exp = parse->exp;
	struct real_file file = { .name = "" };
	enum err err = name_copy(parse, file.name, parse->field[1]);
	size_t i = 0;

	while (i < 3 && strcmp(systems[i], parse->field[2]) != 0)
		i++;
	if (err == ERR_OK && i == 3)
		return wrong(parse, "is no file system of o0, lf, nr", parse->field[2]);
	if (err == ERR_OK)
		err = name_copy(parse, file.fs, parse->field[2]);
	if (err != ERR_OK)
		return err;
	if (!units_parse(UNIT_COUNT, parse->field[3], &file.pages) || file.pages > UINT32_MAX)
		return wrong(parse, "is no number of pages", parse->field[3]);
	file.extent = file.pages;
	GROW(parse, exp->file, exp->nr_files);
	exp->file[exp->nr_files++] = file;
	return ERR_OK;
}

/* Appends the operations of @nr words; a repeated block is written out. */
static enum err read_ops(struct parse *parse, struct real_task *task, struct real_scope *scope,
			 size_t first, size_t nr)
{
	enum err err = ERR_OK;
	struct real_op op;

	for (size_t i = first; i < first + nr && err == ERR_OK; i++) {
		err = real_op_read(scope, parse->field[i], &op, parse->diag);
		if (err != ERR_OK)
			return err;
		if (op.kind != REAL_REP) {
			if (task->nr_ops == OPS_MAX)
				return wrong(parse, "too many operations", task->name);
			GROW(parse, task->op, task->nr_ops);
			task->op[task->nr_ops++] = op;
			continue;
		}
		if (op.pages > first + nr - i - 1)
			return wrong(parse, "repeats more than there is", parse->field[i]);
		for (uint64_t k = 0; k < op.count && err == ERR_OK; k++)
			err = read_ops(parse, task, scope, i + 1, op.pages);
		i += op.pages;
	}
	return err;
}

/* The operations follow the four words of every task. */
static enum err read_task(struct parse *parse)
{
	struct real_experiment *exp = parse->exp;
	struct real_scope scope = { .exp = exp };
	struct real_task *task;
	uint64_t cpu;
	enum err err;

	GROW(parse, exp->task, exp->nr_tasks);
	task = &exp->task[exp->nr_tasks++];
	err = name_copy(parse, task->name, parse->field[1]);
	task->group = group_find(exp, parse->field[2]);
	if (err == ERR_OK && task->group < 0 && strcmp(parse->field[2], "-") != 0)
		return wrong(parse, "no such group", parse->field[2]);
	if (!units_parse(UNIT_COUNT, parse->field[3], &cpu) || cpu > 1)
		return wrong(parse, "is no CPU of 0, 1", parse->field[3]);
	task->cpu = (uint32_t)cpu;
	if (!units_parse(UNIT_COUNT, parse->field[4], &task->quantum))
		return wrong(parse, "is no number of accesses", parse->field[4]);
	for (int i = 0; i < REAL_HANDLES; i++)
		scope.opened[i] = -1;
	return err != ERR_OK ? err : read_ops(parse, task, &scope, 5, parse->nr - 5);
}

/* kswapd's calls were recorded as well: nothing of the workload. */
static enum err read_opt(struct parse *parse)
{
	return strcmp(parse->field[1], "kswapd") == 0
		       ? ERR_OK
		       : wrong(parse, "unknown option", parse->field[1]);
}

/* ---- lines ---- */

struct record {
	const char *name, *form;
	size_t min, max;	/* fields, its name included */
	enum err (*read)(struct parse *parse);
};

static const struct record records[] = {
	{ "exp", "exp NAME", 2, 2, read_exp },
	{ "g", "g NAME PARENT|- [OPTION=VALUE..]", 3, FIELDS_MAX, read_group },
	{ "f", "f ID FS PAGES", 4, 4, read_file },
	{ "t", "t NAME GROUP|- CPU QUANTUM OPS..", 5, FIELDS_MAX, read_task },
	{ "opt", "opt NAME", 2, 2, read_opt },
};

/* One row of the table a record; it says how many words there may be. */
static enum err read_record(struct parse *parse)
{
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		const struct record *record = &records[i];

		if (strcmp(record->name, parse->field[0]) != 0)
			continue;
		if (parse->nr < record->min || parse->nr > record->max)
			return wrong(parse, "is written", record->form);
		if (parse->exp == NULL && record->read != read_exp)
			return wrong(parse, "comes before the first exp", record->name);
		return record->read(parse);
	}
	return wrong(parse, "unknown record", parse->field[0]);
}

/* Fields are parted by blanks; a '#' that begins one begins a comment. */
static bool split(struct parse *parse, char *text)
{
	parse->nr = 0;
	for (char *word = strtok(text, " \t\r\n"); word != NULL; word = strtok(NULL, " \t\r\n")) {
		if (word[0] == '#')
			break;
		if (parse->nr == FIELDS_MAX)
			return false;
		parse->field[parse->nr++] = word;
	}
	return true;
}

/* Empty lines and comments are no records. */
static enum err read_lines(struct parse *parse, FILE *file)
{
	char *text = NULL;
	size_t room = 0;
	enum err err = ERR_OK;

	while (err == ERR_OK && getline(&text, &room, file) >= 0) {
		parse->line++;
		if (!split(parse, text))
			err = wrong(parse, "too many words on a line", parse->field[0]);
		else if (parse->nr > 0)
			err = read_record(parse);
	}
	free(text);
	return err;
}

/* ---- what only the whole experiment tells ---- */

/* Whether pages of a file are read, and so must be there. */
static bool reads_file(int kind)
{
	return kind == REAL_SEQ || kind == REAL_SEQB || kind == REAL_NC || kind == REAL_UNI ||
	       kind == REAL_ZIPF || kind == REAL_MSEQ || kind == REAL_MZIPF;
}

typedef bool op_visit(struct real_experiment *exp, const struct real_op *op);

/* A file that is written behind its end is longer afterwards. */
static bool extend(struct real_experiment *exp, const struct real_op *op)
{
	struct real_file *file = exp->file + op->object;

	if (op->kind == REAL_WRITE && file->extent < op->start + op->pages)
		file->extent = op->start + op->pages;
	return true;
}

/* Reading behind the end reads nothing, which no workload means to do. */
static bool inside(struct real_experiment *exp, const struct real_op *op)
{
	return !reads_file(op->kind) || op->start + op->pages <= exp->file[op->object].extent;
}

/* Visits all operations.  Returns: the first that was refused, NULL: none. */
static const struct real_op *each_op(struct real_experiment *exp, op_visit *visit)
{
	for (size_t t = 0; t < exp->nr_tasks; t++)
		for (size_t i = 0; i < exp->task[t].nr_ops; i++)
			if (!visit(exp, &exp->task[t].op[i]))
				return &exp->task[t].op[i];
	return NULL;
}

/* Told with the line of the experiment, because it takes several lines to go wrong. */
static enum err check_experiment(struct parse *parse, struct real_experiment *exp)
{
	const struct real_op *op;

	parse->line = exp->line;
	if (exp->nr_tasks == 0)
		return wrong(parse, "has no task", exp->name);
	each_op(exp, extend);
	op = each_op(exp, inside);
	if (op == NULL)
		return ERR_OK;
	return diag_fail(parse->diag, ERR_IMPORT, "%s: %s reads behind the end of file \"%s\"",
			 exp->name, real_op_name(op->kind), exp->file[op->object].name);
}

/* Puts the place before the words of a failure. */
static enum err placed(const struct parse *parse, const char *path, enum err err)
{
	char text[DIAG_TEXT_MAX];

	if (err != ERR_IMPORT || parse->diag == NULL)
		return err;
	memcpy(text, parse->diag->text, sizeof(text));
	return diag_fail(parse->diag, err, "%s:%u: %s", path, parse->line, text);
}

/* All or nothing: a folder with one mistake is not used. */
enum err real_open(const char *dir, struct real_set *out, struct diag *diag)
{
	struct parse parse = { .set = out, .diag = diag };
	char path[REAL_PATH_MAX + 32];
	FILE *file;
	enum err err;

	memset(out, 0, sizeof(*out));
	if (strlen(dir) >= REAL_PATH_MAX)
		return diag_fail(diag, ERR_USAGE, "a path is longer than %d", REAL_PATH_MAX);
	snprintf(out->dir, sizeof(out->dir), "%s", dir);
	snprintf(path, sizeof(path), "%s/experiments.txt", dir);
	file = fopen(path, "r");
	if (file == NULL)
		return diag_fail(diag, ERR_USAGE, "%s: %s", path, strerror(errno));
	err = read_lines(&parse, file);
	fclose(file);
	for (size_t i = 0; i < out->nr && err == ERR_OK; i++)
		err = check_experiment(&parse, &out->experiment[i]);
	err = placed(&parse, path, err);
	if (err != ERR_OK)
		real_close(out);
	return err;
}

/* Zeroed memory is fine. */
void real_close(struct real_set *set)
{
	for (size_t i = 0; i < set->nr; i++) {
		struct real_experiment *exp = &set->experiment[i];

		for (size_t t = 0; t < exp->nr_tasks; t++)
			free(exp->task[t].op);
		free(exp->task);
		free(exp->file);
		free(exp->group);
	}
	free(set->experiment);
	memset(set, 0, sizeof(*set));
}

/* Names for the nearest. */
static const char *name_at(const void *ctx, size_t i)
{
	const struct real_set *set = ctx;

	return i < set->nr ? set->experiment[i].name : NULL;
}

/* A name that does not exist is most often a mistyped one. */
enum err real_find(const struct real_set *set, const char *name, const struct real_experiment **out,
		   struct diag *diag)
{
	const char *nearest = diag_nearest(name, name_at, set);

	for (size_t i = 0; i < set->nr; i++) {
		*out = &set->experiment[i];
		if (strcmp(set->experiment[i].name, name) == 0)
			return ERR_OK;
	}
	return diag_fail(diag, ERR_USAGE, "no experiment \"%s\"%s%s%s", name,
			 nearest != NULL ? ": did you mean " : "", nearest != NULL ? nearest : "",
			 nearest != NULL ? "?" : "");
}
