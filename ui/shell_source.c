/*
 * A buffer that grows to the longest line.
 *
 * Invariant: bytes from begin to end are read and not given yet.
 */
#include "shell_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 4096 };

enum err shell_source_text(struct shell_source *source, const char *name, const char *text,
			   struct diag *diag)
{
	size_t size = strlen(text);

	memset(source, 0, sizeof(*source));
	source->name = name;
	source->fd = -1;
	source->buffer = malloc(size + 1);
	if (source->buffer == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for %s", name);
	memcpy(source->buffer, text, size);
	source->end = size;
	source->max = size + 1;
	return ERR_OK;
}

enum err shell_source_open(struct shell_source *source, const char *path, struct diag *diag)
{
	memset(source, 0, sizeof(*source));
	source->name = path != NULL ? path : "standard input";
	source->fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	source->opened = path != NULL;
	if (source->fd < 0)
		return diag_fail(diag, ERR_USAGE, "%s: %s", path, strerror(errno));
	return ERR_OK;
}

void shell_source_close(struct shell_source *source)
{
	if (source->opened)
		close(source->fd);
	free(source->buffer);
	memset(source, 0, sizeof(*source));
	source->fd = -1;
}

/* Makes room for a chunk behind the bytes that are there, and for the end of a last line. */
static bool make_room(struct shell_source *source)
{
	char *buffer;

	if (source->begin > 0) {
		memmove(source->buffer, source->buffer + source->begin,
			source->end - source->begin);
		source->end -= source->begin;
		source->begin = 0;
	}
	if (source->max - source->end > CHUNK)
		return true;
	buffer = realloc(source->buffer, source->max * 2 + CHUNK + 1);
	if (buffer == NULL)
		return false;
	source->buffer = buffer;
	source->max = source->max * 2 + CHUNK + 1;
	return true;
}

/* More bytes.  Returns: false at the end. */
static bool read_more(struct shell_source *source)
{
	ssize_t n;

	if (source->fd < 0 || !make_room(source))
		return false;
	do
		n = read(source->fd, source->buffer + source->end, CHUNK);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	source->end += (size_t)n;
	return true;
}

/* The first newline behind the @looked bytes that have none; NULL: there is none yet. */
static char *find_end(const struct shell_source *source, size_t looked)
{
	size_t n = source->end - source->begin;

	return n > looked ? memchr(source->buffer + source->begin + looked, '\n', n - looked)
			  : NULL;
}

const char *shell_source_line(struct shell_source *source)
{
	size_t looked = 0;
	char *line, *end = find_end(source, 0);

	while (end == NULL) {
		looked = source->end - source->begin;
		if (!read_more(source))
			break;
		end = find_end(source, looked);
	}
	if (end == NULL && source->begin == source->end)
		return NULL;
	/* Only now: reading may have moved the buffer. */
	line = source->buffer + source->begin;
	source->begin = source->end;
	if (end != NULL)
		source->begin = (size_t)(end - source->buffer) + 1;
	else
		end = source->buffer + source->end; /* there is room for one byte more */
	*end = '\0';
	if (end > line && end[-1] == '\r')
		end[-1] = '\0';
	source->line++;
	return line;
}
