/*
 * The file that results go to: standard output or the file behind -o.
 *
 * The file is opened before the command runs, so that a place that cannot
 * be written is known at once, but it is cut only when something has been
 * written: a command that fails leaves an older file as it was, and leaves
 * no empty new one.
 */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_PATH_MAX = 4096 };

/* The reader of a pipe is gone: poll says so, errno may be long overwritten. */
static bool reader_gone(FILE *file)
{
	struct pollfd p = { .fd = fileno(file), .events = POLLOUT };

	return poll(&p, 1, 0) == 1 && (p.revents & POLLERR) != 0;
}

enum err output_check(FILE *file, struct diag *diag)
{
	if (!ferror(file))
		return ERR_OK;
	if (reader_gone(file))
		return diag_fail(diag, ERR_PIPE, "the reader closed the pipe");
	return diag_fail(diag, ERR_OUTPUT, "output cannot be written: %s",
			 errno != 0 ? strerror(errno) : "write error");
}

/* Not cut yet: the command may still fail and then the old text is worth more. */
enum err output_file_open(const char *path, struct output_file *out, struct diag *diag)
{
	int fd;

	memset(out, 0, sizeof(*out));
	if (path == NULL) {
		out->file = stdout;
		return ERR_OK;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	out->made = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return diag_fail(diag, ERR_OUTPUT, "%s: cannot be written: %s", path,
				 strerror(errno));
	out->path = path;
	out->file = fdopen(fd, "w");
	if (out->file == NULL) {
		close(fd);
		return diag_fail(diag, ERR_NOMEM, "no memory for the output");
	}
	return ERR_OK;
}

/* Where @path is to be renamed to, so on its file system: the same folder. */
static void beside(const char *path, char out[OUTPUT_PATH_MAX])
{
	snprintf(out, OUTPUT_PATH_MAX, "%s.XXXXXX", path);
}

enum err output_file_open_whole(const char *path, struct output_file *out, struct diag *diag)
{
	char folder[OUTPUT_PATH_MAX], *slash;
	struct stat st;

	if (path == NULL || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) ||
	    strlen(path) + sizeof(".XXXXXX") > OUTPUT_PATH_MAX)
		return output_file_open(path, out, diag);
	memset(out, 0, sizeof(*out));
	snprintf(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	if (slash != NULL)
		slash[slash == folder] = '\0';
	if (access(slash != NULL ? folder : ".", W_OK | X_OK) != 0)
		return diag_fail(diag, ERR_OUTPUT, "%s: cannot be written: %s", path,
				 strerror(errno));
	out->path = path;
	out->file = open_memstream(&out->text, &out->size);
	if (out->file == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the output");
	return ERR_OK;
}

/* All of it, or an error in errno. */
static bool write_all(int fd, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno != EINTR)
			return false;
		text += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Readable by whom a new file would be, or as the old one was. */
static enum err replace(const struct output_file *out, struct diag *diag)
{
	char name[OUTPUT_PATH_MAX];
	struct stat st;
	mode_t mask = umask(0), mode = stat(out->path, &st) == 0 ? st.st_mode & 0777 : 0666 & ~mask;
	bool ok;
	int fd;

	umask(mask);
	beside(out->path, name);
	fd = mkstemp(name);
	ok = fd >= 0 && fchmod(fd, mode) == 0 && write_all(fd, out->text, out->size);
	ok = ok && rename(name, out->path) == 0;
	if (!ok)
		diag_fail(diag, ERR_OUTPUT, "%s: cannot be written: %s", out->path,
			  strerror(errno));
	if (!ok && fd >= 0)
		unlink(name);
	if (fd >= 0)
		close(fd);
	return ok ? ERR_OK : ERR_OUTPUT;
}

/* A command that failed leaves the file as it was, or none. */
static enum err close_whole(struct output_file *out, enum err err, struct diag *diag)
{
	if (fclose(out->file) != 0 && err == ERR_OK)
		err = diag_fail(diag, ERR_NOMEM, "no memory for the output");
	if (err == ERR_OK)
		err = replace(out, diag);
	free(out->text);
	memset(out, 0, sizeof(*out));
	return err;
}

/* What an older, longer file still holds behind our last byte goes. */
static void cut(FILE *file)
{
	struct stat st;
	off_t end = ftello(file);

	if (fstat(fileno(file), &st) == 0 && S_ISREG(st.st_mode) && end >= 0 && st.st_size > end &&
	    ftruncate(fileno(file), end) != 0)
		clearerr(file); /* cannot happen for a file just written; what was written stays */
}

/* The first error counts: a command that failed is not helped by the news that its output did
 * not fit either. */
enum err output_file_close(struct output_file *out, enum err err, struct diag *diag)
{
	struct diag flush = { .err = ERR_OK };
	bool empty;

	if (out->file == NULL)
		return err;
	if (out->path != NULL && fileno(out->file) < 0)
		return close_whole(out, err, diag);
	errno = 0;
	if (fflush(out->file) == 0 && !ferror(out->file))
		flush.err = ERR_OK;
	else
		output_check(out->file, &flush);
	empty = out->path != NULL && ftello(out->file) == 0;
	if (out->path != NULL && !(empty && err != ERR_OK))
		cut(out->file);
	if (out->path != NULL) {
		if (fclose(out->file) != 0 && flush.err == ERR_OK)
			diag_fail(&flush, ERR_OUTPUT, "%s: %s", out->path, strerror(errno));
		if (empty && out->made && err != ERR_OK)
			unlink(out->path);
	}
	out->file = NULL;
	if (err == ERR_OK && flush.err != ERR_OK)
		return diag_fail(diag, flush.err, "%s", flush.text);
	return err;
}
