/*
 * Checked reading, see read.h.  Keys are looked at in fixed order, so the
 * same mistakes give the same message in each run.
 */
#include "read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "guard.h"
#include "host.h"
#include "order.h"

static const enum unit_kind units[] = {
	[READ_SIZE] = UNIT_SIZE,
	[READ_TIME] = UNIT_TIME,
	[READ_COUNT] = UNIT_COUNT,
};

const char *read_accepted(enum read_kind kind)
{
	return units_accepted(units[kind]);
}

bool read_signed(enum read_kind kind, const char *text, int64_t *value)
{
	bool negative = kind == READ_COUNT && text[0] == '-';
	uint64_t magnitude;

	if (!units_parse(units[kind], text + negative, &magnitude) || magnitude > INT64_MAX)
		return false;
	*value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
	return true;
}

bool read_too_large(enum read_kind kind, const char *text)
{
	bool negative = kind == READ_COUNT && text[0] == '-';
	uint64_t magnitude;

	if (units_parse(units[kind], text + negative, &magnitude))
		return magnitude > INT64_MAX;
	return units_too_large(units[kind], text + negative);
}

struct scale { const char *suffix; int64_t factor; };

static const struct scale size_scales[] = {
	{ "T", INT64_C(1) << 40 }, { "G", 1 << 30 }, { "M", 1 << 20 }, { "K", 1 << 10 },
	{ "", 1 },
};
static const struct scale time_scales[] = {
	{ "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 },
};
static const struct scale count_scales[] = {
	{ "", 1 },
};

static const struct scale *const scales[] = {
	[READ_SIZE] = size_scales,
	[READ_TIME] = time_scales,
	[READ_COUNT] = count_scales,
};

char *read_format(enum read_kind kind, int64_t value, char out[UNITS_TEXT_MAX])
{
	const struct scale *scale = scales[kind];

	while (scale->factor > 1 && (value == 0 || value % scale->factor))
		scale++;
	snprintf(out, UNITS_TEXT_MAX, "%" PRId64 "%s", value / scale->factor, scale->suffix);
	return out;
}

struct place read_key_place(const struct place *at, const char *key)
{
	struct place place = *at;

	if (place.source)
		place.line = source_find_key(place.source, place.line, key);
	return place;
}

/* What a wrong value looks like in a message: text in quotes, else its type. */
static const char *describe(lua_State *L, int index)
{
	if (lua_type(L, index) == LUA_TSTRING)
		return lua_pushfstring(L, "\"%s\"", lua_tostring(L, index));
	return lua_pushfstring(L, "a %s", luaL_typename(L, index));
}

static int64_t number_at(lua_State *L, int index, const struct read_field *field,
			 const struct place *at)
{
	int64_t value = 0;

	if (lua_isinteger(L, index)) {
		value = lua_tointeger(L, index);
		if (value < 0 && field->kind != READ_COUNT)
			host_raise_at(L, at, ERR_SCENARIO, "%s: %" PRId64 " is negative",
				      field->name, value);
		return value;
	}
	if (lua_type(L, index) == LUA_TNUMBER)
		host_raise_at(L, at, ERR_SCENARIO,
			      "%s: %s is a float; divide with // to keep numbers whole",
			      field->name, luaL_tolstring(L, index, NULL));
	if (lua_type(L, index) == LUA_TSTRING &&
	    read_too_large(field->kind, lua_tostring(L, index)))
		host_raise_at(L, at, ERR_RANGE, "%s: %s does not fit in 63 bits", field->name,
			      describe(L, index));
	if (lua_type(L, index) != LUA_TSTRING ||
	    !read_signed(field->kind, lua_tostring(L, index), &value))
		host_raise_at(L, at, ERR_SCENARIO, "%s: %s is not %s", field->name,
			      describe(L, index), read_accepted(field->kind));
	return value;
}

int64_t read_number(lua_State *L, int index, enum read_kind kind, const char *name,
		    const struct place *at)
{
	struct read_field field = { .name = name, .kind = kind };
	struct place here;

	if (at)
		return number_at(L, index, &field, at);
	host_place(L, &here);
	return number_at(L, index, &field, &here);
}

static void check_range(lua_State *L, const struct read_field *field, int64_t value,
			const struct place *at)
{
	char got[UNITS_TEXT_MAX], min[UNITS_TEXT_MAX], max[UNITS_TEXT_MAX];
	int64_t most = field->min || field->max ? field->max : INT64_MAX;

	if (value >= field->min && value <= most)
		return;
	read_format(field->kind, value, got);
	read_format(field->kind, field->min, min);
	if (most == INT64_MAX)
		host_raise_at(L, at, ERR_RANGE, "%s: %s is out of range (at least %s)", field->name,
			      got, min);
	read_format(field->kind, most, max);
	host_raise_at(L, at, ERR_RANGE, "%s: %s is out of range (%s to %s)", field->name, got, min,
		      max);
}

static void wrong_type(lua_State *L, const struct read_field *field, const char *wanted,
		       const struct place *at)
{
	host_raise_at(L, at, ERR_SCENARIO, "%s: %s is not %s", field->name, describe(L, -1),
		      wanted);
}

/* The value on top, for one field. */
static void read_field(lua_State *L, const struct read_field *field, const struct place *at,
		       char *out)
{
	int64_t value;

	switch (field->kind) {
	case READ_SIZE:
	case READ_TIME:
	case READ_COUNT:
		value = number_at(L, lua_gettop(L), field, at);
		check_range(L, field, value, at);
		memcpy(out + field->offset, &value, sizeof(value));
		break;
	case READ_BOOL:
		if (!lua_isboolean(L, -1))
			wrong_type(L, field, "true or false", at);
		*(bool *)(void *)(out + field->offset) = lua_toboolean(L, -1);
		break;
	case READ_TEXT:
		if (lua_type(L, -1) != LUA_TSTRING)
			wrong_type(L, field, "a text", at);
		*(const char **)(void *)(out + field->offset) = lua_tostring(L, -1);
		break;
	case READ_REFUSED:
		host_raise_at(L, at, ERR_SCENARIO, "%s: %s", field->name, field->reason);
		break;
	case READ_OTHER:
		break;
	}
}

static const char *usable_name_at(const void *ctx, size_t i)
{
	const struct read_field *field = ctx;

	for (; field->name; field++)
		if (field->kind != READ_REFUSED && i-- == 0)
			return field->name;
	return NULL;
}

/* Finds the row of the key at @key; raises if there is none. */
static const struct read_field *find_field(lua_State *L, const struct read_table *table, int key,
					   const struct place *at)
{
	const struct read_field *field;
	const char *name = lua_tostring(L, key);
	char hint[DIAG_HINT_MAX];
	struct place there = read_key_place(at, name);

	for (field = table->field; field->name; field++)
		if (!strcmp(field->name, name))
			return field;
	host_raise_at(L, &there, ERR_NAME, "%s: unknown key of %s; %s", name, table->what,
		      diag_hint(name, usable_name_at, table->field, hint));
	return NULL;
}

uint32_t read_table(lua_State *L, int index, const struct read_table *table, const struct place *at,
		    void *out)
{
	struct place here;
	uint32_t given = 0;
	int keys;

	index = lua_absindex(L, index);
	if (lua_isnoneornil(L, index))
		return 0;
	if (!at && host_place(L, &here))
		at = &here;
	if (!lua_istable(L, index))
		host_raise(L, ERR_SCENARIO, "%s: a table of options is expected, not %s",
			   table->what, describe(L, index));
	order_keys(L, index);
	keys = lua_gettop(L);
	for (lua_Integer i = 1; lua_rawgeti(L, keys, i) != LUA_TNIL; i++) {
		const struct read_field *field;
		struct place there;

		if (lua_isinteger(L, -1) && table->positional) {
			lua_settop(L, keys);
			continue;
		}
		if (lua_isinteger(L, -1))
			host_raise(L, ERR_SCENARIO, "%s: every option needs a name: name = value",
				   table->what);
		field = find_field(L, table, keys + 1, at ? at : &here);
		there = read_key_place(at ? at : &here, field->name);
		lua_rawget(L, index);
		read_field(L, field, &there, out);
		given |= UINT32_C(1) << (field - table->field);
		lua_settop(L, keys);
	}
	lua_settop(L, keys - 1);
	return given;
}
