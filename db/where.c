/*
 * Reads a condition from left to right, one function for each level of it,
 * and writes SQL as it goes.  No text of the user's becomes part of the SQL:
 * values and names of metrics are bound.
 */
#include "where.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "era.h"
#include "where_column.h"
#include "where_words.h"

enum { DEPTH_MAX = 50 };

/* Of those that SQL has; of a text only = and != are asked this way. */
static const char *const sql_operators[] = {
	[OP_EQUAL] = "=", [OP_UNEQUAL] = "<>",  [OP_LESS] = "<", [OP_AT_MOST] = "<=",
	[OP_MORE] = ">",  [OP_AT_LEAST] = ">=", [OP_HAS] = "=",
};

/* ---- values ---- */

/* Returns: its number in the SQL, 0 if there are too many. */
static int add_value(struct where_parser *p, struct where_value value)
{
	struct where *out = p->out;

	if (out->nr_values == WHERE_VALUES_MAX)
		return 0;
	out->value[out->nr_values] = value;
	return ++out->nr_values;
}

int where_add(struct where *where, const char *text)
{
	struct where_parser p = { .out = where };
	struct where_value value = { .kind = 't', .text = strdup(text) };
	int nr = value.text ? add_value(&p, value) : 0;

	if (nr == 0)
		free(value.text);
	return nr;
}

static int add_text(struct where_parser *p, const char *text)
{
	return where_add(p->out, text);
}

void where_bind(const struct where *where, sqlite3_stmt *stmt)
{
	for (int i = 0; i < where->nr_values; i++) {
		const struct where_value *value = &where->value[i];

		if (value->kind == 't')
			sqlite3_bind_text(stmt, i + 1, value->text, -1, SQLITE_TRANSIENT);
		else if (value->kind == 'i')
			sqlite3_bind_int64(stmt, i + 1, value->integer);
		else
			sqlite3_bind_double(stmt, i + 1, value->real);
	}
}

void where_free(struct where *where)
{
	for (int i = 0; i < where->nr_values; i++)
		free(where->value[i].text);
	sqlite3_free(where->sql);
	memset(where, 0, sizeof(*where));
}

/* ---- terms ---- */

/* What a term is made of, and where it stands. */
struct term {
	struct where_column column;
	const char *name_at, *value_at;
	enum where_op op;
	char name[WHERE_WORD_MAX], value[WHERE_WORD_MAX];
};

/* The column itself, as SQL.  Returns: false if there are too many values. */
static bool put_column(struct where_parser *p, const struct where_column *column)
{
	int nr;

	if (column->sql) {
		sqlite3_str_appendall(p->sql, column->sql);
		return true;
	}
	nr = add_text(p, column->name);
	if (column->kind == WHERE_METRIC)
		sqlite3_str_appendf(p->sql,
				    "(SELECT m.value FROM metric AS m WHERE m.run = r.id"
				    " AND m.name = ?%d)",
				    nr);
	else
		sqlite3_str_appendf(p->sql, "json_extract(r.params, ?%d)", nr);
	return nr != 0;
}

/* A seed above 2^63 is stored as a negative number, and is no small one. */
static void put_seed(struct where_parser *p, const struct term *term, int nr)
{
	if (term->op == OP_EQUAL || term->op == OP_HAS || term->op == OP_UNEQUAL)
		sqlite3_str_appendf(p->sql, "r.seed %s ?%d", sql_operators[term->op], nr);
	else
		sqlite3_str_appendf(p->sql,
				    "(r.seed + iif(r.seed < 0, 18446744073709551616.0, 0)) %s"
				    " (?%d + iif(?%d < 0, 18446744073709551616.0, 0))",
				    sql_operators[term->op], nr, nr);
}

static enum err put_number(struct where_parser *p, const struct term *term)
{
	struct where_value value;
	int nr;

	if (term->op == OP_LIKE || term->op == OP_UNLIKE)
		return where_bad(p, term->value_at, ERR_USAGE, "%s is a number: like is for texts",
				 term->name);
	if (!where_column_number(&term->column, term->value, &value))
		return where_bad(p, term->value_at, ERR_USAGE, "%s: \"%s\" is not a number",
				 term->name, term->value);
	sqlite3_str_appendall(p->sql, "coalesce(");
	nr = add_value(p, value);
	if (nr && term->column.kind == WHERE_SEED) {
		put_seed(p, term, nr);
	} else {
		nr = put_column(p, &term->column) ? nr : 0;
		sqlite3_str_appendf(p->sql, " %s ?%d", sql_operators[term->op], nr);
	}
	sqlite3_str_appendall(p->sql, ", 0)");
	return nr ? ERR_OK : where_bad(p, term->name_at, ERR_USAGE, "this condition is too long");
}

/* The kernel by any of its names: what era_find() makes of it, or as it was called then. */
static int add_kernel(struct where_parser *p, const char *name)
{
	struct era era;

	return add_text(p, era_find(name, &era, NULL) == ERR_OK ? era.name : name);
}

/* A text equal to ?nr, or with a part or a pattern ?nr. */
static bool put_text_test(struct where_parser *p, const struct term *term, int nr)
{
	enum where_op op = term->op;
	bool ok;

	if (op == OP_HAS)
		sqlite3_str_appendall(p->sql, "instr(lower(");
	else if (term->column.kind == WHERE_WORDS && (op == OP_EQUAL || op == OP_UNEQUAL))
		sqlite3_str_appendall(p->sql, "instr(' ' || ");
	else if (term->column.kind == WHERE_DATE && op < OP_HAS)
		sqlite3_str_appendall(p->sql, "substr(");
	ok = put_column(p, &term->column);
	if (op == OP_HAS)
		sqlite3_str_appendf(p->sql, "), lower(?%d)) > 0", nr);
	else if (op == OP_LIKE || op == OP_UNLIKE)
		sqlite3_str_appendf(p->sql, " LIKE ?%d", nr);
	else if (term->column.kind == WHERE_WORDS)
		sqlite3_str_appendf(p->sql, " || ' ', ' ' || ?%d || ' ') > 0", nr);
	else if (term->column.kind == WHERE_DATE)
		sqlite3_str_appendf(p->sql, ", 1, length(?%d)) %s ?%d", nr,
				    sql_operators[op == OP_UNEQUAL ? OP_EQUAL : op], nr);
	else
		sqlite3_str_appendf(p->sql, " = ?%d", nr);
	return ok;
}

/* A kernel has two names: either will do. */
static enum err put_text(struct where_parser *p, const struct term *term)
{
	bool inverse = term->op == OP_UNEQUAL || term->op == OP_UNLIKE;
	bool compares = term->op >= OP_LESS && term->op <= OP_AT_LEAST;
	struct term alias = *term;
	bool ok;
	int nr;

	if (compares && term->column.kind != WHERE_DATE)
		return where_bad(p, term->name_at, ERR_USAGE,
				 "%s is text: write %s:PART or %s=TEXT", term->name, term->name,
				 term->name);
	sqlite3_str_appendf(p->sql, "coalesce(%s", inverse ? "NOT (" : "(");
	nr = add_text(p, term->value);
	ok = nr != 0;
	if (term->column.kind == WHERE_KERNEL) {
		alias.column = (struct where_column){ .sql = "r.alias", .is_text = true };
		ok &= put_text_test(p, &alias, nr);
		sqlite3_str_appendall(p->sql, " OR ");
		if (term->op == OP_EQUAL || term->op == OP_UNEQUAL)
			nr = add_kernel(p, term->value);
	}
	ok = ok && nr && put_text_test(p, term, nr);
	sqlite3_str_appendall(p->sql, "), 0)");
	return ok ? ERR_OK : where_bad(p, term->name_at, ERR_USAGE, "this condition is too long");
}

/* A word on its own is looked for wherever a run has words. */
static enum err put_word(struct where_parser *p, const char *place, const char *word)
{
	int nr = add_text(p, word);

	sqlite3_str_appendf(p->sql,
			    "instr(lower(r.scenario || char(10) || r.kernel || char(10) ||"
			    " r.alias || char(10) || r.state || char(10) || coalesce(r.tag, '') ||"
			    " char(10) || coalesce(r.note, '')), lower(?%d)) > 0",
			    nr);
	return nr ? ERR_OK : where_bad(p, place, ERR_USAGE, "this condition is too long");
}

static enum err find_column(struct where_parser *p, struct term *term)
{
	char near[WHERE_NEAR_MAX];

	if (where_column_find(p->base, term->name, &term->column, near))
		return ERR_OK;
	return where_bad(p, term->name_at, ERR_NAME, "no column or metric \"%s\" here; near: %s",
			 term->name, near[0] ? near : "none");
}

/* NAME OP VALUE, or a word. */
static enum err read_term(struct where_parser *p)
{
	struct term term = { .name_at = p->at };
	bool quoted = *p->at == '"' || *p->at == '\'';
	enum err err = where_word(p, false, term.name);

	if (err)
		return err;
	if (!quoted)
		term.op = where_operator(p);
	if (term.op == OP_NONE)
		return put_word(p, term.name_at, term.name);
	where_blanks(p);
	term.value_at = p->at;
	quoted = *p->at == '"' || *p->at == '\'';
	if (!term.name[0])
		return where_bad(p, term.name_at, ERR_USAGE, "a name is missing before this");
	err = find_column(p, &term);
	if (!err)
		err = where_word(p, true, term.value);
	if (err)
		return err;
	if (!quoted && !term.value[0])
		return where_bad(p, term.value_at, ERR_USAGE, "a value is missing behind %s",
				 term.name);
	return term.column.is_text ? put_text(p, &term) : put_number(p, &term);
}

/* ---- levels ---- */

static enum err read_or(struct where_parser *p);

/* In parentheses. */
static enum err read_group(struct where_parser *p)
{
	const char *begin = p->at++;
	enum err err;

	sqlite3_str_appendall(p->sql, "(");
	err = read_or(p);
	where_blanks(p);
	if (!err && *p->at != ')')
		return where_bad(p, begin, ERR_USAGE, "this parenthesis is not closed");
	p->at += !err;
	sqlite3_str_appendall(p->sql, ")");
	return err;
}

static enum err read_not(struct where_parser *p)
{
	const char *begin;
	enum err err;

	where_blanks(p);
	begin = p->at;
	if (p->depth == DEPTH_MAX)
		return where_bad(p, p->at, ERR_USAGE, "this goes too deep");
	p->depth++;
	if (where_take(p, "not")) {
		sqlite3_str_appendall(p->sql, "NOT (");
		err = read_not(p);
		sqlite3_str_appendall(p->sql, ")");
	} else if (*p->at == '\0' || *p->at == ')' || where_take(p, "and") || where_take(p, "or")) {
		err = where_bad(p, begin, ERR_USAGE, "a condition is missing here");
	} else {
		err = *p->at == '(' ? read_group(p) : read_term(p);
	}
	p->depth--;
	return err;
}

/* Does what comes next end the terms that stand side by side? */
static bool ends_and(struct where_parser *p)
{
	const char *begin = p->at;
	bool is_or = where_take(p, "or");

	p->at = begin;
	where_blanks(p);
	return is_or || *p->at == '\0' || *p->at == ')';
}

static enum err read_and(struct where_parser *p)
{
	enum err err = read_not(p);

	while (!err && !ends_and(p)) {
		where_take(p, "and");
		sqlite3_str_appendall(p->sql, " AND ");
		err = read_not(p);
	}
	return err;
}

static enum err read_or(struct where_parser *p)
{
	enum err err = read_and(p);

	while (!err && where_take(p, "or")) {
		sqlite3_str_appendall(p->sql, " OR ");
		err = read_and(p);
	}
	return err;
}

enum err where_compile(sqlite3 *base, const char *expr, struct where *out, struct diag *diag)
{
	struct where_parser p = { base, expr, expr, NULL, out, 0, diag };
	enum err err = ERR_OK;

	if (strlen(expr) > WHERE_EXPR_MAX)
		return diag_fail(diag, ERR_USAGE, "a condition of more than %d bytes",
				 WHERE_EXPR_MAX);
	where_blanks(&p);
	if (*p.at == '\0')
		return ERR_OK;
	p.sql = sqlite3_str_new(base);
	err = read_or(&p);
	if (!err && *p.at)
		err = where_bad(&p, p.at, ERR_USAGE, "nothing was opened that this closes");
	out->sql = sqlite3_str_finish(p.sql);
	if (!err && !out->sql)
		err = diag_fail(diag, ERR_NOMEM, "no memory for a condition");
	return err;
}

enum err where_order(sqlite3 *base, const char *name, struct where *out, char **sql,
		     struct diag *diag)
{
	struct where_parser p = { base, name, name, NULL, out, 0, diag };
	bool reverse = name[0] == '-';
	struct term term = { .name_at = name + reverse };
	enum err err;

	*sql = NULL;
	snprintf(term.name, sizeof(term.name), "%.200s", name + reverse);
	err = find_column(&p, &term);
	if (err)
		return err;
	p.sql = sqlite3_str_new(base);
	sqlite3_str_appendall(p.sql, "(");
	put_column(&p, &term.column);
	sqlite3_str_appendall(p.sql, ") IS NULL, ");
	put_column(&p, &term.column);
	sqlite3_str_appendall(p.sql, reverse ? " DESC" : "");
	*sql = sqlite3_str_finish(p.sql);
	return *sql ? ERR_OK : diag_fail(diag, ERR_NOMEM, "no memory for an order");
}

bool where_pending(sqlite3 *base, const char *expr)
{
	const char *word = expr + strlen(expr);

	while (word > expr && !where_ends(word - 1, true) && !where_is_operator(word - 1))
		word--;
	return *word != '\0' && (word == expr || !where_is_operator(word - 1)) &&
	       where_column_begins(base, word);
}
