/*
 * The reader of recorded files.
 */
#include "real_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_BYTES_MAX = 1 << 28 };

/* The place first, then what is wrong, then the words as they stand there. */
enum err real_csv_wrong(const struct real_csv *csv, const char *what, const char *field,
			struct diag *diag)
{
	return diag_fail(diag, ERR_IMPORT, "%s:%u: %s: \"%s\"", csv->path, csv->line, what, field);
}

/* Grows as it reads; records are small, a file without end is cut off. */
static enum err read_all(struct real_csv *csv, FILE *file, struct diag *diag)
{
	size_t n = 0, room = 1 << 16, got;

	do {
		char *more = realloc(csv->text, room + 1);

		if (more == NULL)
			return diag_fail(diag, ERR_NOMEM, "no memory for %s", csv->path);
		csv->text = more;
		got = fread(csv->text + n, 1, room - n, file);
		n += got;
		room *= n == room ? 2 : 1;
	} while (got > 0 && n < CSV_BYTES_MAX);
	csv->text[n] = '\0';
	csv->next = csv->text;
	if (ferror(file))
		return diag_fail(diag, ERR_USAGE, "%s: %s", csv->path, strerror(errno));
	return ERR_OK;
}

/* Cuts the next line into at most REAL_COLUMNS fields.  Returns: how many, 0 at the end. */
static size_t cut(struct real_csv *csv, char **field)
{
	char *line = csv->next, *end;
	size_t nr = 0;

	if (*line == '\0')
		return 0;
	csv->line++;
	end = line + strcspn(line, "\n");
	csv->next = *end != '\0' ? end + 1 : end;
	*end = '\0';
	while (nr < REAL_COLUMNS) {
		field[nr++] = line;
		line += strcspn(line, ",");
		if (*line == '\0')
			break;
		*line++ = '\0';
	}
	return nr;
}

/* The first line names the columns, whose order is not relied on. */
enum err real_csv_open(struct real_csv *csv, const char *dir, const char *name, struct diag *diag)
{
	FILE *file;
	enum err err;

	memset(csv, 0, sizeof(*csv));
	snprintf(csv->path, sizeof(csv->path), "%s/%s", dir, name);
	file = fopen(csv->path, "r");
	if (file == NULL)
		return diag_fail(diag, ERR_USAGE, "%s: %s", csv->path, strerror(errno));
	err = read_all(csv, file, diag);
	fclose(file);
	if (err == ERR_OK) {
		csv->nr = cut(csv, csv->name);
		if (csv->nr < 2)
			err = real_csv_wrong(csv, "has no columns", "", diag);
	}
	if (err != ERR_OK)
		real_csv_close(csv);
	return err;
}

/* Names and fields point into the text, so they go with it. */
void real_csv_close(struct real_csv *csv)
{
	free(csv->text);
	csv->text = NULL;
}

/* A row must have as many fields as there are columns: a line that was cut off is noticed. */
enum err real_csv_next(struct real_csv *csv, bool *more, struct diag *diag)
{
	size_t nr = cut(csv, csv->field);

	*more = nr > 0;
	if (nr != csv->nr && nr > 0)
		return real_csv_wrong(csv, "a row of another width begins with", csv->field[0],
				      diag);
	return ERR_OK;
}

/* A column that is not there reads as empty, which no number is. */
const char *real_csv_text(const struct real_csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->nr; i++)
		if (strcmp(csv->name[i], name) == 0)
			return csv->field[i];
	return "";
}

/* The whole field must be the number. */
enum err real_csv_number(const struct real_csv *csv, const char *name, int64_t *out,
			 struct diag *diag)
{
	const char *text = real_csv_text(csv, name);
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 10);
	if (end == text || *end != '\0' || errno)
		return real_csv_wrong(csv, name, text, diag);
	return ERR_OK;
}
