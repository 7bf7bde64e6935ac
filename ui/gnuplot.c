/*
 * Starts gnuplot, see gnuplot.h, and names the pictures that it draws.
 *
 * Script, picture and complaints are unnamed files, so neither side can wait
 * for the other in a full pipe.
 */
#include "gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "html.h"

const char gnuplot_install[] =
	"gnuplot is not installed (Debian: apt install gnuplot-nox); drawn as text";

/* The first line that it said, for the message. */
static enum err failed(FILE *words, struct diag *diag)
{
	char line[512] = "";

	rewind(words);
	while (fgets(line, sizeof(line), words) != NULL && line[0] == '\n')
		;
	line[strcspn(line, "\n")] = '\0';
	return diag_fail(diag, ERR_OUTPUT, "gnuplot failed: %s",
			 line[0] != '\0' ? line : "it said nothing");
}

/* -d: without its start-up files.  Its messages and numbers are those of no locale. */
static int start(FILE *script, FILE *picture, FILE *words, pid_t *pid)
{
	char program[] = "gnuplot", plain[] = "-d";
	char *argv[] = { program, plain, NULL };
	char locale[] = "LC_ALL=C", *path = getenv("PATH"), search[4096], home[] = "HOME=/";
	char *env[] = { locale, search, home, NULL };
	posix_spawn_file_actions_t actions;
	int error;

	snprintf(search, sizeof(search), "PATH=%s", path != NULL ? path : "/usr/bin:/bin");
	fflush(script);
	rewind(script);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(words), STDERR_FILENO);
	error = posix_spawnp(pid, program, &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

enum err gnuplot_draw(FILE *script, FILE *picture, bool *missing, struct diag *diag)
{
	FILE *words = tmpfile();
	enum err err = ERR_OK;
	int status = 0, error;
	pid_t pid;

	if (words == NULL)
		return diag_fail(diag, ERR_OUTPUT, "no temporary file: %s", strerror(errno));
	error = start(script, picture, words, &pid);
	*missing = error == ENOENT || error == EACCES;
	if (error != 0 && !*missing)
		err = diag_fail(diag, ERR_OUTPUT, "gnuplot: %s", strerror(error));
	while (error == 0 && waitpid(pid, &status, 0) < 0)
		error = errno == EINTR ? 0 : errno;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		*missing = true;
	else if (err == ERR_OK && status != 0)
		err = failed(words, diag);
	fseek(picture, 0, SEEK_END);
	fclose(words);
	return err;
}

/* ---- names ---- */

/* What is replaced in a tag; the first four get the prefix behind them. */
static const struct change {
	const char *from, *to;
	bool prefix, inlined;
} changes[] = {
	{ " id='", " id='", true, false },
	{ " id=\"", " id=\"", true, false },
	{ "href='#", "href='#", true, false },
	{ "url(#", "url(#", true, false },
	{ "color=\"black\"", "color=\"inherit\"", false, true },
	{ "stroke='black'", "stroke='currentColor'", false, true },
	{ "fill=\"black\"", "fill=\"currentColor\"", false, true },
	{ "fill=\"#ffffff\"", "fill=\"none\"", false, true },
};

static const struct change *change_at(const char *at, bool inlined)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		if ((inlined || !changes[i].inlined) &&
		    strncmp(at, changes[i].from, strlen(changes[i].from)) == 0)
			return &changes[i];
	return NULL;
}

/* Words between tags stay as they are: only gnuplot's own tags are changed. */
static void put_body(const char *at, const struct gnuplot_name *name, FILE *out)
{
	bool tag = false;

	while (*at != '\0') {
		const struct change *change = tag ? change_at(at, name->inlined) : NULL;

		tag = *at == '<' || (tag && *at != '>');
		if (change == NULL) {
			putc(*at++, out);
			continue;
		}
		fprintf(out, "%s%s", change->to, change->prefix ? name->prefix : "");
		at += strlen(change->from);
	}
}

/* Title and description take the place of those that name the program. */
static void put_names(const struct gnuplot_name *name, FILE *out)
{
	fputs("<title>", out);
	html_escape(name->title, out);
	fputs("</title>\n<desc>", out);
	html_escape(name->desc, out);
	fputs("</desc>", out);
}

void gnuplot_svg(FILE *picture, const struct gnuplot_name *name, FILE *out)
{
	long size = ftell(picture);
	char *text = calloc((size_t)size + 1, 1), *title, *desc, *from;

	rewind(picture);
	if (text != NULL && fread(text, 1, (size_t)size, picture) != (size_t)size)
		text[0] = '\0';
	from = text != NULL && name->inlined ? strstr(text, "<svg") : text;
	title = from != NULL ? strstr(from, "<title>") : NULL;
	desc = title != NULL ? strstr(title, "</desc>") : NULL;
	if (desc != NULL) {
		*title = '\0';
		from += name->inlined ? strlen("<svg") : 0;
		fputs(name->inlined ? "<svg role=\"img\"" : "", out);
		put_body(from, name, out);
		put_names(name, out);
		put_body(desc + strlen("</desc>"), name, out);
	}
	free(text);
}
