/*
 * Expands templates, see html.h.  A list may hold lists; an empty one says
 * nothing, so a list of one element or none is also how a part is left out.
 */
#include "html.h"

#include <stdbool.h>
#include <string.h>

enum { DEPTH_MAX = 8, NAME_MAX_BYTES = 64 };

/* Characters that mean something to HTML; others of no meaning there are shown as such. */
void html_escape(const char *text, FILE *out)
{
	static const struct {
		char c;
		const char *entity;
	} entities[] = { { '&', "&amp;" },
			 { '<', "&lt;" },
			 { '>', "&gt;" },
			 { '"', "&quot;" },
			 { '\'', "&#39;" } };

	for (; *text != '\0'; text++) {
		const char *entity = NULL;

		for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
			if (*text == entities[i].c)
				entity = entities[i].entity;
		if ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t')
			entity = "\xef\xbf\xbd";
		if (entity != NULL)
			fputs(entity, out);
		else
			putc(*text, out);
	}
}

/* The elements that the place in the template is in, the innermost last. */
struct scope {
	const json_t *at[DEPTH_MAX];
	int depth;
	FILE *out;
	struct diag *diag;
};

static const json_t *value_of(const struct scope *scope, const char *name)
{
	for (int i = scope->depth; i >= 0; i--) {
		const json_t *value = json_object_get(scope->at[i], name);

		if (value != NULL)
			return value;
	}
	return NULL;
}

/* "${#name}": its first character behind the brace, the name, and where it ends. */
struct hole {
	char kind; /* '#', '/', '=', or 0 for a value */
	char name[NAME_MAX_BYTES];
	const char *from, *end; /* the '$', and what follows the '}' */
};

/* The next hole at or behind @at.  Returns: false if there is none. */
static bool hole_next(const char *at, struct hole *hole)
{
	const char *open = at != NULL ? strstr(at, "${") : NULL;
	const char *close = open != NULL ? strchr(open, '}') : NULL;
	size_t n;

	if (close == NULL)
		return false;
	hole->from = open;
	hole->end = close + 1;
	open += 2;
	hole->kind = strchr("#/=", *open) != NULL ? *open++ : '\0';
	n = (size_t)(close - open);
	if (n >= sizeof(hole->name))
		n = sizeof(hole->name) - 1;
	memcpy(hole->name, open, n);
	hole->name[n] = '\0';
	return true;
}

/* Where the list that @hole begins ends: its own "${/name}". */
static bool list_end(const struct hole *hole, struct hole *end)
{
	const char *at = hole->end;

	while (hole_next(at, end)) {
		if (end->kind == '/' && strcmp(end->name, hole->name) == 0)
			return true;
		at = end->end;
	}
	return false;
}

static enum err put_value(struct scope *scope, const struct hole *hole)
{
	const json_t *value = value_of(scope, hole->name);

	if (!json_is_string(value))
		return diag_fail(scope->diag, ERR_NAME, "template: no text \"%s\"", hole->name);
	if (hole->kind == '=')
		fputs(json_string_value(value), scope->out);
	else
		html_escape(json_string_value(value), scope->out);
	return ERR_OK;
}

/* A part of the template whose lists have not been begun yet. */
struct part {
	const char *at, *end;
	const json_t *list; /* it is said for each element; NULL: once */
	size_t next;
};

/* The list of @hole becomes the innermost part. */
static enum err list_open(struct scope *scope, const struct hole *hole, struct part *part,
			  const char **behind)
{
	struct hole end;

	part->list = value_of(scope, hole->name);
	if (!json_is_array(part->list) || scope->depth + 1 == DEPTH_MAX)
		return diag_fail(scope->diag, ERR_NAME, "template: no list \"%s\"", hole->name);
	if (!list_end(hole, &end))
		return diag_fail(scope->diag, ERR_NAME, "template: list \"%s\" does not end",
				 hole->name);
	part->at = hole->end;
	part->end = end.from;
	part->next = 0;
	*behind = end.end;
	return ERR_OK;
}

/* What is between @part->at and its end, once; a list in it is left to the caller. */
static enum err part_put(struct scope *scope, struct part *part, struct hole *list)
{
	struct hole hole;

	while (hole_next(part->at, &hole) && hole.from < part->end) {
		fwrite(part->at, 1, (size_t)(hole.from - part->at), scope->out);
		part->at = hole.end;
		if (hole.kind == '#') {
			*list = hole;
			return ERR_OK;
		}
		if (put_value(scope, &hole) != ERR_OK)
			return scope->diag != NULL ? scope->diag->err : ERR_NAME;
	}
	fwrite(part->at, 1, (size_t)(part->end - part->at), scope->out);
	part->at = part->end;
	list->kind = '\0';
	return ERR_OK;
}

/* The next element, from the top of its part.  Returns: false past the last. */
static bool part_again(struct scope *scope, struct part *part, const char *top)
{
	if (part->list == NULL || part->next == json_array_size(part->list))
		return false;
	scope->at[scope->depth] = json_array_get(part->list, part->next++);
	part->at = top;
	return true;
}

/* Parts in parts, without recursion: a stack as deep as lists are. */
enum err html_expand(const char *text, const json_t *data, FILE *out, struct diag *diag)
{
	struct scope scope = { .at = { data }, .out = out, .diag = diag };
	struct part part[DEPTH_MAX] = { { .at = text, .end = text + strlen(text) } };
	const char *top[DEPTH_MAX] = { text };
	struct hole list = { .kind = '\0' };
	enum err err = ERR_OK;

	while (err == ERR_OK) {
		struct part *now = &part[scope.depth];

		err = part_put(&scope, now, &list);
		if (err == ERR_OK && list.kind == '#') {
			err = list_open(&scope, &list, &part[scope.depth + 1], &now->at);
			if (err != ERR_OK)
				break;
			scope.depth++;
			now = &part[scope.depth];
			top[scope.depth] = now->at;
			if (part_again(&scope, now, now->at))
				continue;
			scope.depth--;
			continue;
		}
		if (part_again(&scope, now, top[scope.depth]))
			continue;
		if (scope.depth-- == 0)
			break;
	}
	return err;
}
