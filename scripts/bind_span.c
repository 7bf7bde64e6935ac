/*
 * Options of a read, a write or a touch: which bytes, in what order, in
 * steps of what size, and hints to the kernel.
 */
#include "bind.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "read.h"

enum { CHUNK_BYTES = 128 << 10 };	/* of a step, unless said */

struct span_options {
	int64_t bytes, pages, offset, chunk, count, open;
	const char *pattern;
	bool write, random, dontcache;
};

/* The options of every access come first, then those of one kind of access. */
enum { SPAN_BYTES, SPAN_PAGES, SPAN_OFFSET, SPAN_CHUNK, SPAN_PATTERN, SPAN_COUNT, SPAN_S,
       SPAN_OWN };

#define MEMBER(field) .offset = offsetof(struct span_options, field)
#define SPAN_FIELDS \
	[SPAN_BYTES] = { .name = "bytes", .kind = READ_SIZE, MEMBER(bytes), .min = 1, \
			 .max = INT64_MAX }, \
	[SPAN_PAGES] = { .name = "pages", .kind = READ_COUNT, MEMBER(pages), .min = 1, \
			 .max = INT64_MAX / PAGE_BYTES }, \
	[SPAN_OFFSET] = { .name = "offset", .kind = READ_SIZE, MEMBER(offset) }, \
	[SPAN_CHUNK] = { .name = "chunk", .kind = READ_SIZE, MEMBER(chunk), .min = 1, \
			 .max = INT64_MAX }, \
	[SPAN_PATTERN] = { .name = "pattern", .kind = READ_TEXT, MEMBER(pattern) }, \
	[SPAN_COUNT] = { .name = "count", .kind = READ_COUNT, MEMBER(count), .min = 1, \
			 .max = INT64_MAX }, \
	[SPAN_S] = { .name = "s", .kind = READ_OTHER }

/* Which of the task's openings of a file is meant. */
#define OPEN_FIELD(row) \
	[row] = { .name = "open", .kind = READ_COUNT, MEMBER(open), .min = 0, .max = 1000 }

static const struct read_field read_fields[] = {
	SPAN_FIELDS,
	[SPAN_OWN] = { .name = "random", .kind = READ_BOOL, MEMBER(random) },
	[SPAN_OWN + 1] = { .name = "dontcache", .kind = READ_BOOL, MEMBER(dontcache) },
	[SPAN_OWN + 2] = { .name = "write", .kind = READ_REFUSED,
			   .reason = "a read does not write; task:write(file, …) does" },
	OPEN_FIELD(SPAN_OWN + 3),
	{ .name = NULL }
};
static const struct read_field write_fields[] = {
	SPAN_FIELDS,
	OPEN_FIELD(SPAN_OWN),
	{ .name = NULL }
};
static const struct read_field touch_fields[] = {
	SPAN_FIELDS,
	[SPAN_OWN] = { .name = "write", .kind = READ_BOOL, MEMBER(write) },
	{ .name = NULL }
};
/* Advice and locks are about a span of pages as it is. */
static const struct read_field advice_fields[] = {
	SPAN_FIELDS,
	OPEN_FIELD(SPAN_OWN),
	{ .name = NULL }
};
static const struct read_field lock_fields[] = {
	SPAN_FIELDS,
	{ .name = NULL }
};
#undef MEMBER
#undef SPAN_FIELDS
#undef OPEN_FIELD

static const struct read_table tables[NR_OP_KINDS] = {
	[OP_READ] = { "task:read", read_fields, false },
	[OP_WRITE] = { "task:write", write_fields, false },
	[OP_TOUCH] = { "heap:touch", touch_fields, false },
	[OP_FADVISE] = { "task:advise", advice_fields, false },
	[OP_MADVISE] = { "heap:advise", lock_fields, false },
	[OP_FILE_DROP] = { "file:drop", lock_fields, false },
	[OP_MLOCK] = { "heap:lock", lock_fields, false },
	[OP_MUNLOCK] = { "heap:unlock", lock_fields, false },
};

static const struct { const char *word; enum op_pattern pattern; } patterns[] = {
	{ "seq", PATTERN_SEQ }, { "uniform", PATTERN_UNIFORM }, { "zipf", PATTERN_ZIPF },
};

static enum op_pattern find_pattern(lua_State *L, const char *word)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (!strcmp(patterns[i].word, word))
			return patterns[i].pattern;
	host_raise(L, ERR_SCENARIO, "pattern: \"%.80s\" is none of seq, uniform, zipf", word);
	return PATTERN_SEQ;
}

/* The exponent in thousandths, the only number that may have a fraction. */
static int64_t read_exponent(lua_State *L, int table)
{
	double exponent, thousandths;

	lua_pushliteral(L, "s");
	lua_rawget(L, table);
	exponent = lua_tonumber(L, -1);
	thousandths = nearbyint(exponent * 1000);
	if (!lua_isnumber(L, -1) || !(exponent > 0 && exponent <= 10) ||
	    fabs(exponent * 1000 - thousandths) > 1e-6)
		host_raise(L, ERR_SCENARIO,
			   "s: the zipf exponent is a number up to 10 with three decimals");
	lua_pop(L, 1);
	return (int64_t)thousandths;
}

/* Pages are drawn at random: how many, and how. */
static void read_random(lua_State *L, int table, uint32_t given, const struct span_options *options,
			struct op *op)
{
	if (!(given & 1 << SPAN_COUNT))
		host_raise(L, ERR_SCENARIO, "count: say how many pages to draw: count = 1000");
	if (op->offset % PAGE_BYTES)
		host_raise(L, ERR_SCENARIO, "offset: random pages begin at a whole page");
	op->count = (uint64_t)options->count;
	if (op->pattern == PATTERN_ZIPF)
		op->value = given & 1 << SPAN_S ? read_exponent(L, table) : 1000;
}

/* The bytes, given as such, as pages, or as all from the offset on. */
static void read_bytes(lua_State *L, uint32_t given, const struct span_options *options,
		       bytes_t size, struct op *op)
{
	op->offset = (uint64_t)options->offset;
	if (given & 1 << SPAN_BYTES && given & 1 << SPAN_PAGES)
		host_raise(L, ERR_SCENARIO, "pages: give bytes or pages, not both");
	if (op->offset >= size)
		host_raise(L, ERR_RANGE, "offset: %" PRIu64 " is not within the %" PRIu64 " bytes",
			   op->offset, size);
	op->length = size - op->offset;
	if (given & 1 << SPAN_BYTES)
		op->length = (uint64_t)options->bytes;
	if (given & 1 << SPAN_PAGES)
		op->length = (uint64_t)options->pages * PAGE_BYTES;
	if (op->length > size - op->offset)
		host_raise(L, ERR_RANGE,
			   "bytes: %" PRIu64 " from %" PRIu64 " on are more than "
			   "the %" PRIu64 " there are",
			   op->length, op->offset, size);
}

/* What a span alone is asked of: nothing but where it is. */
static void refuse_order(lua_State *L, const struct op *op, uint32_t given)
{
	const uint32_t order = 1 << SPAN_CHUNK | 1 << SPAN_PATTERN | 1 << SPAN_COUNT | 1 << SPAN_S;
	bool access = op->kind == OP_READ || op->kind == OP_WRITE || op->kind == OP_TOUCH;

	if (!access && (given & order))
		host_raise(L, ERR_SCENARIO, "%s: takes bytes, pages and offset: it is no access",
			   tables[op->kind].what);
}

void bind_span(lua_State *L, int index, bytes_t size, struct op *op)
{
	struct span_options options = { .chunk = CHUNK_BYTES, .pattern = "seq" };
	uint32_t given;

	lua_settop(L, index);
	given = read_table(L, index, &tables[op->kind], NULL, &options);
	refuse_order(L, op, given);
	read_bytes(L, given, &options, size, op);
	op->handle = (uint32_t)options.open;
	op->chunk = (uint64_t)options.chunk;
	op->pattern = find_pattern(L, options.pattern);
	if (op->pattern != PATTERN_SEQ)
		read_random(L, index, given, &options, op);
	else if (given & (1 << SPAN_COUNT | 1 << SPAN_S))
		host_raise(L, ERR_SCENARIO, "count: goes with pattern = \"uniform\" or \"zipf\"");
	/* Said to be no write: memory that was never written stays the zero page. */
	if (op->kind == OP_TOUCH && (given & 1 << SPAN_OWN) && !options.write)
		op->flags = OPF_READ;
	op->flags |= (options.write ? OPF_WRITE : 0) | (options.random ? OPF_RANDOM : 0) |
		     (options.dontcache ? OPF_DONTCACHE : 0);
}
