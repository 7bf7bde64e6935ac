/*
 * The file is locked while it is changed.  A new line is appended; when the
 * line is in the file already, or the file is full, it is written anew
 * beside and renamed, so a crash leaves the old or the new one.
 *
 * Invariant: whoever has the lock has it on the file that the path names.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "shell_history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file name has at most 255 bytes; of a longer path its end tells more. */
enum { NAME_BYTES_MAX = 200 };

/* The folder of all histories. */
static bool state_folder(char *out, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state != NULL && state[0] == '/')
		return snprintf(out, size, "%s/memcglab", state) < (int)size;
	if (home == NULL || home[0] == '\0')
		return false;
	return snprintf(out, size, "%s/.local/state/memcglab", home) < (int)size;
}

/* @db from the root on, whether it exists or not; its folder may be reached by links. */
static void absolute(const char *db, char *out, size_t size)
{
	char folder[SHELL_HISTORY_PATH_MAX / 4], *real;
	const char *slash = strrchr(db, '/'), *name = slash != NULL ? slash + 1 : db;
	size_t n = slash == NULL || slash == db ? 1 : (size_t)(slash - db);

	snprintf(folder, sizeof(folder), "%.*s", (int)n, slash != NULL ? db : ".");
	real = realpath(folder, NULL);
	if (snprintf(out, size, "%s/%s", real != NULL ? real : folder, name) >= (int)size)
		out[0] = '\0';
	free(real);
}

enum err shell_history_path(const char *db, char out[SHELL_HISTORY_PATH_MAX], struct diag *diag)
{
	char folder[SHELL_HISTORY_PATH_MAX - 256], path[SHELL_HISTORY_PATH_MAX];
	const char *name = path;

	if (!state_folder(folder, sizeof(folder)))
		return diag_fail(diag, ERR_USAGE, "no place for the history: HOME is not set");
	absolute(db, path, sizeof(path));
	for (char *p = path; *p != '\0'; p++)
		if (*p == '/')
			*p = '%';
	if (strlen(path) > NAME_BYTES_MAX)
		name = path + strlen(path) - NAME_BYTES_MAX;
	snprintf(out, SHELL_HISTORY_PATH_MAX, "%s/history-%.*s", folder, NAME_BYTES_MAX, name);
	return ERR_OK;
}

/* All folders above @path; what cannot be made is noticed when the file is opened. */
static void make_folders(const char *path)
{
	char folder[SHELL_HISTORY_PATH_MAX];

	for (const char *p = path + 1; (p = strchr(p, '/')) != NULL; p++) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(p - path), path);
		mkdir(folder, 0700);
	}
}

/* ---- lines ---- */

struct lines {
	char *text; /* owned; newlines are the ends of the lines */
	char **line;
	size_t nr;
};

static void lines_free(struct lines *lines)
{
	free(lines->text);
	free(lines->line);
	memset(lines, 0, sizeof(*lines));
}

static char *read_all(int fd, size_t *size)
{
	struct stat st;
	char *text;
	ssize_t n = 1;

	*size = 0;
	if (fstat(fd, &st) != 0 || (text = malloc((size_t)st.st_size + 2)) == NULL)
		return NULL;
	while (n > 0 && *size < (size_t)st.st_size) {
		n = read(fd, text + *size, (size_t)st.st_size - *size);
		*size += n > 0 ? (size_t)n : 0;
	}
	return text;
}

/* An unfinished last line, of a crash or of another program, is a line too. */
static bool lines_read(int fd, struct lines *lines)
{
	size_t size, max = 1;

	memset(lines, 0, sizeof(*lines));
	lines->text = read_all(fd, &size);
	if (lines->text == NULL)
		return false;
	if (size > 0 && lines->text[size - 1] != '\n')
		lines->text[size++] = '\n';
	lines->text[size] = '\0';
	for (size_t i = 0; i < size; i++)
		max += lines->text[i] == '\n';
	lines->line = calloc(max, sizeof(*lines->line));
	if (lines->line == NULL)
		return false;
	for (char *p = lines->text; *p != '\0';) {
		char *end = strchr(p, '\n');

		*end = '\0';
		lines->line[lines->nr++] = p;
		p = end + 1;
	}
	return true;
}

void shell_history_each(const char *path, size_t max, void (*each)(void *ctx, const char *line),
			void *ctx)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct lines lines = { NULL, NULL, 0 };

	if (fd < 0)
		return;
	if (lines_read(fd, &lines))
		for (size_t i = lines.nr > max ? lines.nr - max : 0; i < lines.nr; i++)
			each(ctx, lines.line[i]);
	lines_free(&lines);
	close(fd);
}

/* ---- writing ---- */

/* Opened and locked; another shell may have renamed a new one to its place meanwhile. */
static int open_locked(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat here, there;

	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

		if (fd < 0)
			return -1;
		while (fcntl(fd, F_SETLKW, &lock) != 0 && errno == EINTR)
			continue;
		if (fstat(fd, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino)
			return fd;
		close(fd);
	}
}

static bool is_known(const struct lines *lines, const char *line)
{
	for (size_t i = 0; i < lines->nr; i++)
		if (strcmp(lines->line[i], line) == 0)
			return true;
	return false;
}

/* All but @line's earlier self and the oldest, and then @line. */
static bool write_anew(const char *path, const struct lines *lines, const char *line)
{
	char beside[SHELL_HISTORY_PATH_MAX + 8];
	size_t left = lines->nr - (is_known(lines, line) ? 1 : 0), skip;
	FILE *file;
	int fd;

	skip = left >= SHELL_HISTORY_MAX ? left - SHELL_HISTORY_MAX + 1 : 0;
	snprintf(beside, sizeof(beside), "%s.new", path);
	fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (file == NULL)
		return false;
	for (size_t i = 0; i < lines->nr; i++) {
		if (strcmp(lines->line[i], line) == 0)
			continue;
		if (skip > 0)
			skip--;
		else
			fprintf(file, "%s\n", lines->line[i]);
	}
	fprintf(file, "%s\n", line);
	return fclose(file) == 0 && rename(beside, path) == 0;
}

/* In one write, behind an unfinished line on a line of its own. */
static bool append(int fd, const char *line)
{
	size_t size = strlen(line) + 2;
	char *text = malloc(size + 1), last = '\n';
	off_t end = lseek(fd, 0, SEEK_END);
	bool fresh = end <= 0 || pread(fd, &last, 1, end - 1) != 1 || last == '\n';
	int n;
	bool ok;

	if (text == NULL)
		return false;
	n = snprintf(text, size + 1, "%s%s\n", fresh ? "" : "\n", line);
	ok = write(fd, text, (size_t)n) == n;
	free(text);
	return ok;
}

enum err shell_history_add(const char *path, const char *line, struct diag *diag)
{
	struct lines lines = { NULL, NULL, 0 };
	bool ok;
	int fd;

	if (line[0] == '\0' || strchr(line, '\n') != NULL)
		return ERR_OK;
	make_folders(path);
	fd = open_locked(path);
	if (fd < 0)
		return diag_fail(diag, ERR_OUTPUT, "%s: %s", path, strerror(errno));
	ok = lines_read(fd, &lines);
	if (ok && (lines.nr >= SHELL_HISTORY_MAX || is_known(&lines, line)))
		ok = write_anew(path, &lines, line);
	else if (ok)
		ok = append(fd, line);
	lines_free(&lines);
	close(fd);
	return ok ? ERR_OK : diag_fail(diag, ERR_OUTPUT, "%s: %s", path, strerror(errno));
}
