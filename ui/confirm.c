/*
 * The question goes to standard error, where it is seen also when the output
 * goes to a file; anything but y or yes means no.
 */
#include "confirm.h"

#include <string.h>
#include <unistd.h>

enum { ANSWER_MAX = 16 };

enum err confirm(const struct command *cmd, const char *question, bool *yes, struct diag *diag)
{
	char answer[ANSWER_MAX];

	*yes = cmd->args->yes;
	if (*yes)
		return ERR_OK;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return diag_fail(diag, ERR_USAGE,
				 "%s: there is no terminal to ask on, so it needs --yes", question);
	fflush(cmd->out);
	fprintf(stderr, "%s? [y/N] ", question);
	fflush(stderr);
	if (fgets(answer, sizeof(answer), stdin) == NULL)
		answer[0] = '\0';
	answer[strcspn(answer, "\n")] = '\0';
	*yes = strcmp(answer, "y") == 0 || strcmp(answer, "yes") == 0;
	if (!*yes)
		fputs("nothing was deleted\n", stderr);
	return ERR_OK;
}
