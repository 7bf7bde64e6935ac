/*
 * Parameters, see param.h.  A default given in Lua is turned into the text
 * that a user would have typed and read by the same function, so the two
 * ways of setting a value cannot drift apart.
 */
#include "param.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "guard.h"
#include "host.h"

/* How one type is read from text, written as text, and given to Lua. */
struct param_ops {
	const char *name;
	enum read_kind kind;		/* of types that are numbers */
	bool (*parse)(const struct param *param, const char *text, struct param_value *out);
	void (*format)(const struct param *param, const struct param_value *value,
		       char out[PARAM_TEXT_MAX]);
	void (*push)(lua_State *L, const struct param_value *value);
	void (*accepted)(const struct param *param, char out[PARAM_DOC_MAX]);
};

static const struct param_ops ops[NR_PARAM_TYPES];

static bool parse_number(const struct param *param, const char *text, struct param_value *out)
{
	return read_signed(ops[param->type].kind, text, &out->integer);
}

static void format_number(const struct param *param, const struct param_value *value,
			  char out[PARAM_TEXT_MAX])
{
	char text[UNITS_TEXT_MAX];

	snprintf(out, PARAM_TEXT_MAX, "%s",
		 read_format(ops[param->type].kind, value->integer, text));
}

static void push_number(lua_State *L, const struct param_value *value)
{
	lua_pushinteger(L, value->integer);
}

static void accepted_number(const struct param *param, char out[PARAM_DOC_MAX])
{
	snprintf(out, PARAM_DOC_MAX, "%s", read_accepted(ops[param->type].kind));
}

static const struct { const char *word; bool value; } bool_words[] = {
	{ "true", true }, { "false", false }, { "yes", true }, { "no", false },
	{ "on", true }, { "off", false }, { "1", true }, { "0", false },
};

static bool parse_bool(const struct param *param, const char *text, struct param_value *out)
{
	(void)param;
	for (size_t i = 0; i < sizeof(bool_words) / sizeof(bool_words[0]); i++) {
		if (!strcmp(bool_words[i].word, text)) {
			out->integer = bool_words[i].value;
			return true;
		}
	}
	return false;
}

static void format_bool(const struct param *param, const struct param_value *value,
			char out[PARAM_TEXT_MAX])
{
	(void)param;
	snprintf(out, PARAM_TEXT_MAX, "%s", value->integer ? "true" : "false");
}

static void push_bool(lua_State *L, const struct param_value *value)
{
	lua_pushboolean(L, (int)value->integer);
}

static void accepted_bool(const struct param *param, char out[PARAM_DOC_MAX])
{
	(void)param;
	snprintf(out, PARAM_DOC_MAX, "true or false");
}

/* Is @text one of "a|b|c"? */
static bool is_choice(const char *choices, const char *text)
{
	size_t n = strlen(text);

	while (n && *choices) {
		size_t length = strcspn(choices, "|");

		if (length == n && !memcmp(choices, text, n))
			return true;
		choices += length + (choices[length] == '|');
	}
	return false;
}

static bool parse_text(const struct param *param, const char *text, struct param_value *out)
{
	(void)param;
	if (strlen(text) >= sizeof(out->text))
		return false;
	strcpy(out->text, text);
	return true;
}

static bool parse_choice(const struct param *param, const char *text, struct param_value *out)
{
	return is_choice(param->choices, text) && parse_text(param, text, out);
}

static void format_text(const struct param *param, const struct param_value *value,
			char out[PARAM_TEXT_MAX])
{
	(void)param;
	memcpy(out, value->text, PARAM_TEXT_MAX);
}

static void push_text(lua_State *L, const struct param_value *value)
{
	lua_pushstring(L, value->text);
}

static void accepted_text(const struct param *param, char out[PARAM_DOC_MAX])
{
	(void)param;
	snprintf(out, PARAM_DOC_MAX, "a text of less than %d bytes", PARAM_TEXT_MAX);
}

static void accepted_choice(const struct param *param, char out[PARAM_DOC_MAX])
{
	snprintf(out, PARAM_DOC_MAX, "one of %.200s", param->choices);
}

static bool parse_list(const struct param *param, const char *text, struct param_value *out)
{
	char item[UNITS_TEXT_MAX];

	(void)param;
	for (out->nr = 0; out->nr < PARAM_LIST_MAX;) {
		size_t length = strcspn(text, ",");

		if (length >= sizeof(item))
			return false;
		memcpy(item, text, length);
		item[length] = '\0';
		if (!read_signed(READ_COUNT, item, &out->list[out->nr++]))
			return false;
		if (!text[length])
			return true;
		text += length + 1;
	}
	return false;
}

static void format_list(const struct param *param, const struct param_value *value,
			char out[PARAM_TEXT_MAX])
{
	int at = 0;

	(void)param;
	out[0] = '\0';
	for (uint32_t i = 0; i < value->nr && at < PARAM_TEXT_MAX; i++)
		at += snprintf(out + at, (size_t)(PARAM_TEXT_MAX - at), "%s%" PRId64, i ? "," : "",
			       value->list[i]);
}

static const struct guard list_guard = { "the list", NULL, NULL };

static void push_list(lua_State *L, const struct param_value *value)
{
	lua_createtable(L, (int)value->nr, 0);
	for (uint32_t i = 0; i < value->nr; i++) {
		lua_pushinteger(L, value->list[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	guard_push(L, &list_guard);
}

static void accepted_list(const struct param *param, char out[PARAM_DOC_MAX])
{
	(void)param;
	snprintf(out, PARAM_DOC_MAX, "a list of at most %d whole numbers (write 1,2,4)",
		 PARAM_LIST_MAX);
}

static const struct param_ops ops[NR_PARAM_TYPES] = {
	[PARAM_SIZE] = { "size", READ_SIZE, parse_number, format_number, push_number,
			 accepted_number },
	[PARAM_TIME] = { "time", READ_TIME, parse_number, format_number, push_number,
			 accepted_number },
	[PARAM_INT] = { "int", READ_COUNT, parse_number, format_number, push_number,
			accepted_number },
	[PARAM_BOOL] = { "bool", READ_BOOL, parse_bool, format_bool, push_bool, accepted_bool },
	[PARAM_CHOICE] = { "choice", READ_TEXT, parse_choice, format_text, push_text,
			   accepted_choice },
	[PARAM_LIST] = { "list", READ_OTHER, parse_list, format_list, push_list, accepted_list },
	[PARAM_TEXT] = { "text", READ_TEXT, parse_text, format_text, push_text, accepted_text },
	[PARAM_SEED] = { "seed", READ_COUNT, parse_number, format_number, push_number,
			 accepted_number },
	[PARAM_STEPS] = { "steps", READ_COUNT, parse_number, format_number, push_number,
			  accepted_number },
};

const char *param_type_name(enum param_type type)
{
	return ops[type].name;
}

static bool is_number(const struct param *param)
{
	return ops[param->type].parse == parse_number;
}

void param_limit_text(const struct param *param, int64_t limit, char out[UNITS_TEXT_MAX])
{
	read_format(ops[param->type].kind, limit, out);
}

/* "1M to 1T", "at least 1M", "at most 1T". */
static void range_text(const struct param *param, char out[PARAM_TEXT_MAX])
{
	char min[UNITS_TEXT_MAX], max[UNITS_TEXT_MAX];

	param_limit_text(param, param->min, min);
	param_limit_text(param, param->max, max);
	if (param->has_min && param->has_max)
		snprintf(out, PARAM_TEXT_MAX, "%s to %s", min, max);
	else
		snprintf(out, PARAM_TEXT_MAX, "%s %s", param->has_min ? "at least" : "at most",
			 param->has_min ? min : max);
}

/* A number, but one that no range holds. */
static enum err too_large(const struct param *param, const char *text, struct diag *diag)
{
	char words[PARAM_DOC_MAX] = "it does not fit in 63 bits";

	if (param->has_min || param->has_max)
		range_text(param, words);
	return diag_fail(diag, ERR_USAGE, "%s: \"%.100s\" is out of range (%s)", param->name, text,
			 words);
}

enum err param_set(struct param *param, const char *text, struct diag *diag)
{
	struct param_value value = { 0 };
	char words[PARAM_DOC_MAX];

	if (is_number(param) && read_too_large(ops[param->type].kind, text))
		return too_large(param, text, diag);
	if (!ops[param->type].parse(param, text, &value)) {
		ops[param->type].accepted(param, words);
		return diag_fail(diag, ERR_USAGE, "%s: \"%.100s\" is not %s", param->name, text,
				 words);
	}
	if (is_number(param) && ((param->has_min && value.integer < param->min) ||
				 (param->has_max && value.integer > param->max))) {
		range_text(param, words);
		return diag_fail(diag, ERR_USAGE, "%s: \"%.100s\" is out of range (%s)",
				 param->name, text, words);
	}
	if ((param->type == PARAM_SEED || param->type == PARAM_STEPS) && value.integer < 0)
		return diag_fail(diag, ERR_USAGE, "%s: \"%.100s\" is negative", param->name, text);
	param->value = value;
	return ERR_OK;
}

void param_text(const struct param *param, const struct param_value *value,
		char out[PARAM_TEXT_MAX])
{
	ops[param->type].format(param, value, out);
}

void param_push(lua_State *L, const struct param *param)
{
	ops[param->type].push(L, &param->value);
}

void param_json(const struct param *param, struct words *words)
{
	char text[PARAM_TEXT_MAX];

	words_add_json(words, param->name);
	words_add(words, ":");
	param_text(param, &param->value, text);
	if (is_number(param))
		words_add(words, "%" PRId64, param->value.integer);
	else if (param->type == PARAM_BOOL)
		words_add(words, "%s", text);
	else if (param->type == PARAM_LIST)
		words_add(words, "[%s]", text);
	else
		words_add_json(words, text);
}

/* What a declaration may say beside its default, in Lua. */
struct declared {
	const char *doc, *label;
};

static const struct read_field declared_fields[] = {
	{ .name = "min", .kind = READ_OTHER },
	{ .name = "max", .kind = READ_OTHER },
	{ .name = "doc", .kind = READ_TEXT, .offset = offsetof(struct declared, doc) },
	{ .name = "label", .kind = READ_TEXT, .offset = offsetof(struct declared, label) },
	{ .name = NULL }
};

/* A list as the text "1,2,4"; anything that is no whole number stays and is refused later. */
static void push_list_text(lua_State *L, int list)
{
	luaL_Buffer text;
	lua_Integer n = (lua_Integer)lua_rawlen(L, list);

	luaL_buffinit(L, &text);
	for (lua_Integer i = 1; i <= n; i++) {
		if (i > 1)
			luaL_addchar(&text, ',');
		lua_rawgeti(L, list, i);
		if (!lua_isnumber(L, -1))
			lua_pushfstring(L, "a %s", luaL_typename(L, -1));
		else
			luaL_tolstring(L, -1, NULL);
		lua_remove(L, -2);
		luaL_addvalue(&text);
	}
	luaL_pushresult(&text);
}

/* The value on top as the text that a user would type; replaces it. */
static void push_typed_text(lua_State *L, const struct param *param, const struct place *at)
{
	int index = lua_gettop(L);

	if (param->type == PARAM_LIST && lua_istable(L, index))
		push_list_text(L, index);
	else if (lua_type(L, index) == LUA_TNUMBER && !lua_isinteger(L, index))
		host_raise_at(L, at, ERR_SCENARIO,
			      "%s: %s is a float; divide with // to keep numbers whole",
			      param->name, luaL_tolstring(L, index, NULL));
	else if (lua_isnil(L, index))
		host_raise_at(L, at, ERR_SCENARIO,
			      "%s: param.%s needs a default first: "
			      "param.%s { … }",
			      param->name, ops[param->type].name, ops[param->type].name);
	else if (lua_isboolean(L, index) || lua_isinteger(L, index) ||
		 lua_type(L, index) == LUA_TSTRING)
		luaL_tolstring(L, index, NULL);
	else
		lua_pushfstring(L, "a %s", luaL_typename(L, index));
	lua_replace(L, index);
}

/* Read min or max, which are numbers of the parameter's own kind. */
static bool read_limit(lua_State *L, const char *key, const struct place *at,
		       const struct param *param, int64_t *out)
{
	int table = lua_gettop(L);
	bool given;

	lua_pushstring(L, key);
	given = lua_rawget(L, table) != LUA_TNIL;
	if (given && is_number(param))
		*out = read_number(L, lua_gettop(L), ops[param->type].kind, key, at);
	lua_pop(L, 1);
	return given && is_number(param);
}

static void read_choices(lua_State *L, int table, const struct place *at, struct param *param)
{
	size_t used = 0;

	if (lua_rawgeti(L, table, 2) != LUA_TTABLE)
		host_raise_at(L, at, ERR_SCENARIO,
			      "%s: param.choice needs a list of words after the default",
			      param->name);
	for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
		const char *word = lua_tostring(L, -1);

		if (used + strlen(word) + 2 > sizeof(param->choices) || strchr(word, '|'))
			host_raise_at(L, at, ERR_SCENARIO, "%s: too many or odd choices",
				      param->name);
		used += (size_t)snprintf(param->choices + used, sizeof(param->choices) - used,
					 "%s%s", used ? "|" : "", word);
		lua_pop(L, 1);
	}
	lua_pop(L, 2);
}

/* Nothing beyond the default (and the choices) may stand without a name. */
static void check_positions(lua_State *L, int table, const struct place *at,
			    const struct param *param)
{
	lua_Integer most = param->type == PARAM_CHOICE ? 2 : 1;

	if (lua_rawgeti(L, table, most + 1) != LUA_TNIL)
		host_raise_at(L, at, ERR_SCENARIO,
			      "%s: param.%s takes one default; the rest needs names (min = …)",
			      param->name, ops[param->type].name);
	lua_pop(L, 1);
}

/* Plots shade the warm-up, so it is found by its name, and nothing else has that name. */
static void check_warm_up(lua_State *L, const struct param *param, const struct place *at)
{
	if ((strcmp(param->name, "warmup") == 0) != (param->type == PARAM_STEPS))
		host_raise_at(L, at, ERR_SCENARIO,
			      "%s: warm-up is declared as warmup = param.steps { 1000 }",
			      param->name);
}

void param_declare(lua_State *L, int index, const struct place *at, struct param *param)
{
	const struct read_table table = { "a parameter", declared_fields, true };
	struct declared declared = { "", "" };
	struct diag diag = { 0 };

	check_warm_up(L, param, at);
	index = lua_absindex(L, index);
	read_table(L, index, &table, at, &declared);
	check_positions(L, index, at, param);
	snprintf(param->doc, sizeof(param->doc), "%s", declared.doc);
	snprintf(param->label, sizeof(param->label), "%s", declared.label);
	if (param->type == PARAM_CHOICE)
		read_choices(L, index, at, param);
	lua_pushvalue(L, index);
	param->has_min = read_limit(L, "min", at, param, &param->min);
	param->has_max = read_limit(L, "max", at, param, &param->max);
	lua_pop(L, 1);
	lua_rawgeti(L, index, 1);
	push_typed_text(L, param, at);
	if (param_set(param, lua_tostring(L, -1), &diag))
		host_raise_at(L, at, ERR_SCENARIO, "%s", diag.text);
	lua_pop(L, 1);
	param->def = param->value;
}
