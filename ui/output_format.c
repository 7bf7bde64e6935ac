/*
 * The ten formats, each a row of a table with a function for the head, for
 * a row and for the end.  csv, tsv, json, jsonl, line, html and quote write
 * each row at once; table, box and markdown keep all cells, because widths
 * are known only at the end.  Only a terminal ever gets a cut one (output_fit.c).
 *
 * Numbers are written as they come; what JSON has no word for is null.
 */
#include "output_fit.h"

#include <string.h>

/* Every character of ours is one cell wide; continuation bytes are not counted. */
size_t output_cells(const char *text)
{
	size_t n = 0;

	for (; *text != '\0'; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80; /* not a continuation byte */
	return n;
}

bool output_is_number(int type)
{
	return type == OUTPUT_INTEGER || type == OUTPUT_REAL;
}

/* Text with @from replaced by what @to gives for it; the rest as it is. */
static void put_mapped(FILE *file, const char *text, const char *from, const char *const *to)
{
	for (; *text != '\0'; text++) {
		const char *hit = strchr(from, *text);

		if (hit != NULL)
			fputs(to[hit - from], file);
		else
			putc(*text, file);
	}
}

/* Short escapes where JSON has them; other bytes pass, so UTF-8 stays as it is. */
void output_json_text(FILE *file, const char *text)
{
	static const char *const named[] = { "\\\"", "\\\\", "\\n", "\\t", "\\r" };
	static const char special[] = "\"\\\n\t\r";

	putc('"', file);
	for (; *text != '\0'; text++) {
		const char *hit = strchr(special, *text);

		if (hit != NULL)
			fputs(named[hit - special], file);
		else if ((unsigned char)*text < 0x20)
			fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
		else
			putc(*text, file);
	}
	putc('"', file);
}

/* ---- csv, tsv ---- */

/* Quoted only if it must be. NULL is nothing at all, which an empty text in quotes is not told
 * from. */
static void csv_value(FILE *file, const char *value)
{
	static const char *const twice[] = { "\"\"" };

	if (value == NULL)
		return;
	if (strpbrk(value, "\",\r\n") == NULL) {
		fputs(value, file);
		return;
	}
	putc('"', file);
	put_mapped(file, value, "\"", twice);
	putc('"', file);
}

/* A comma between values, a line a row. */
static void csv_row(struct output *out, const char *const *values, const int *types)
{
	(void)types;
	for (int i = 0; i < out->nr_columns; i++) {
		if (i > 0)
			putc(',', out->file);
		csv_value(out->file, values[i]);
	}
	putc('\n', out->file);
}

static void csv_head(struct output *out)
{
	if (!out->style.no_head)
		csv_row(out, (const char *const *)out->column, NULL);
}

/* Tabs and line breaks inside a value would break the line: they are escaped. */
static void tsv_row(struct output *out, const char *const *values, const int *types)
{
	static const char *const escaped[] = { "\\t", "\\n", "\\r", "\\\\" };

	(void)types;
	for (int i = 0; i < out->nr_columns; i++) {
		if (i > 0)
			putc('\t', out->file);
		if (values[i] != NULL)
			put_mapped(out->file, values[i], "\t\n\r\\", escaped);
	}
	putc('\n', out->file);
}

static void tsv_head(struct output *out)
{
	if (!out->style.no_head)
		tsv_row(out, (const char *const *)out->column, NULL);
}

/* ---- json, jsonl ---- */

/* A number that SQLite prints but JSON does not know: Inf, -Inf, nan. */
static bool is_json_number(const char *value)
{
	const char *digits = value + (*value == '-');

	return *digits >= '0' && *digits <= '9';
}

/* Numbers go out as they came: no digit is lost by reading and printing them again. */
static void json_value(FILE *file, const char *value, int type)
{
	if (value == NULL || type == OUTPUT_NULL ||
	    (output_is_number(type) && !is_json_number(value)))
		fputs("null", file);
	else if (output_is_number(type))
		fputs(value, file);
	else
		output_json_text(file, value);
}

/* Names in the order of the columns. */
static void json_object(struct output *out, const char *const *values, const int *types)
{
	putc('{', out->file);
	for (int i = 0; i < out->nr_columns; i++) {
		if (i > 0)
			putc(',', out->file);
		output_json_text(out->file, out->column[i]);
		putc(':', out->file);
		json_value(out->file, values[i], types[i]);
	}
	putc('}', out->file);
}

static void json_head(struct output *out)
{
	putc('[', out->file);
}

/* The comma stands before each row but the first: whether there will be another is not known. */
static void json_row(struct output *out, const char *const *values, const int *types)
{
	if (out->nr_rows > 0)
		fputs(",\n", out->file);
	json_object(out, values, types);
}

static void json_end(struct output *out)
{
	fputs("]\n", out->file);
}

static void jsonl_row(struct output *out, const char *const *values, const int *types)
{
	json_object(out, values, types);
	putc('\n', out->file);
}

/* ---- line, html, quote ---- */

/* A value a line, names aligned at the equals sign. */
static void line_row(struct output *out, const char *const *values, const int *types)
{
	size_t width = 0;

	(void)types;
	for (int i = 0; i < out->nr_columns; i++)
		if (output_cells(out->column[i]) > width)
			width = output_cells(out->column[i]);
	if (out->nr_rows > 0)
		putc('\n', out->file);
	for (int i = 0; i < out->nr_columns; i++)
		fprintf(out->file, "%*s%s = %s\n", (int)(width - output_cells(out->column[i])), "",
			out->column[i], values[i] != NULL ? values[i] : "");
}

/* Text only: what looks like a tag is escaped. */
static void html_cells(struct output *out, const char *const *values, const char *tag)
{
	static const char *const entity[] = { "&lt;", "&gt;", "&amp;", "&quot;" };

	fputs("<tr>", out->file);
	for (int i = 0; i < out->nr_columns; i++) {
		fprintf(out->file, "<%s>", tag);
		if (values[i] != NULL)
			put_mapped(out->file, values[i], "<>&\"", entity);
		fprintf(out->file, "</%s>", tag);
	}
	fputs("</tr>\n", out->file);
}

static void html_head(struct output *out)
{
	fputs("<table>\n", out->file);
	if (!out->style.no_head)
		html_cells(out, (const char *const *)out->column, "th");
}

static void html_row(struct output *out, const char *const *values, const int *types)
{
	(void)types;
	html_cells(out, values, "td");
}

static void html_end(struct output *out)
{
	fputs("</table>\n", out->file);
}

/* Literals that SQLite reads back. */
static void quote_row(struct output *out, const char *const *values, const int *types)
{
	static const char *const twice[] = { "''" };

	for (int i = 0; i < out->nr_columns; i++) {
		if (i > 0)
			putc(',', out->file);
		if (values[i] == NULL) {
			fputs("NULL", out->file);
		} else if (types != NULL && output_is_number(types[i])) {
			fputs(values[i], out->file);
		} else {
			putc('\'', out->file);
			put_mapped(out->file, values[i], "'", twice);
			putc('\'', out->file);
		}
	}
	putc('\n', out->file);
}

static void quote_head(struct output *out)
{
	if (!out->style.no_head)
		quote_row(out, (const char *const *)out->column, NULL);
}

/* ---- table, box, markdown: laid out at the end ---- */

/* An empty text for NULL. */
static const char *cell_text(const struct output *out, size_t row, int column)
{
	const char *text = out->cell[row * (size_t)out->nr_columns + (size_t)column];

	return text != NULL ? text : "";
}

/* How the three of them join cells. */
struct lines {
	const char *before, *between, *after;
	bool pad_last;
};

/* Row -1 is the head. */
static void put_cells(const struct output *out, const struct lines *lines,
		      const struct output_fit *fit, int64_t row)
{
	fputs(lines->before, out->file);
	for (int c = 0; c < fit->nr_columns; c++) {
		const char *text = row < 0 ? out->column[c] : cell_text(out, (size_t)row, c);

		if (c > 0)
			fputs(lines->between, out->file);
		/* The last column of a plain table gets no blanks behind it. */
		output_fit_cell(out, text, fit->width[c], out->right[c],
				c < fit->nr_columns - 1 || lines->pad_last);
	}
	fputs(lines->after, out->file);
}

/* All rows, without the head. */
static void put_body(const struct output *out, const struct lines *lines,
		     const struct output_fit *fit)
{
	for (size_t r = 0; r < out->nr_rows; r++)
		put_cells(out, lines, fit, (int64_t)r);
}

static void table_end(struct output *out)
{
	static const struct lines lines = { "", "  ", "\n", false };
	struct output_fit fit;

	output_fit(out, 2, 0, &fit);
	if (!out->style.no_head)
		put_cells(out, &lines, &fit, -1);
	put_body(out, &lines, &fit);
	output_fit_note(out, &fit);
}

/* @edge: left, between, right and the line itself. */
static void put_rule(const struct output *out, const struct output_fit *fit,
		     const char *const edge[4])
{
	for (int c = 0; c < fit->nr_columns; c++) {
		fputs(c == 0 ? edge[0] : edge[1], out->file);
		for (size_t i = 0; i < fit->width[c] + 2; i++)
			fputs(edge[3], out->file);
	}
	fprintf(out->file, "%s\n", edge[2]);
}

/* Rules above and below, and one below the head. */
static void box_end(struct output *out)
{
	static const struct lines lines = { "│ ", " │ ", " │\n", true };
	static const char *const top[] = { "┌", "┬", "┐", "─" };
	static const char *const middle[] = { "├", "┼", "┤", "─" };
	static const char *const bottom[] = { "└", "┴", "┘", "─" };
	struct output_fit fit;

	output_fit(out, 3, 4, &fit);
	put_rule(out, &fit, top);
	if (!out->style.no_head) {
		put_cells(out, &lines, &fit, -1);
		put_rule(out, &fit, middle);
	}
	put_body(out, &lines, &fit);
	put_rule(out, &fit, bottom);
	output_fit_note(out, &fit);
}

/* The form that code hosts and pandoc read: to be copied, so never cut. */
static void markdown_end(struct output *out)
{
	static const struct lines lines = { "| ", " | ", " |\n", true };
	static const char *const rule[] = { "|", "|", "|", "-" };
	struct output_fit fit;

	out->room = 0;
	output_fit(out, 3, 4, &fit);
	put_cells(out, &lines, &fit, -1);
	put_rule(out, &fit, rule);
	put_body(out, &lines, &fit);
}

static const struct format formats[] = {
	{ "table", true, false, NULL, NULL, table_end },
	{ "box", true, false, NULL, NULL, box_end },
	{ "csv", false, false, csv_head, csv_row, NULL },
	{ "tsv", false, false, tsv_head, tsv_row, NULL },
	{ "json", false, true, json_head, json_row, json_end },
	{ "jsonl", false, true, NULL, jsonl_row, NULL },
	{ "markdown", true, false, NULL, NULL, markdown_end },
	{ "line", false, false, NULL, line_row, NULL },
	{ "html", false, false, html_head, html_row, html_end },
	{ "quote", false, true, quote_head, quote_row, NULL },
};

enum { NR_FORMATS = sizeof(formats) / sizeof(formats[0]) };

const struct format *output_format_at(size_t i)
{
	return i < NR_FORMATS ? &formats[i] : NULL;
}
