/*
 * Encoding: a header, then tokens.  Numbers are little-endian base 128; a
 * token begins with actor * 2 + kind.  The fields of an op are the rows of
 * one table, so writing and reading cannot differ.
 */
#include "oplog.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static const unsigned char oplog_magic[4] = { 'm', 'o', 'p', 1 };

enum { TOKEN_OP, TOKEN_STEPS, VARINT_MAX = 10, NR_OP_FIELDS = 25 };

struct oplog {
	unsigned char *data;
	size_t size;
	uint64_t steps;
};

/* Every field of an op but its actor and name, as unsigned numbers in a fixed order. */
static void op_to_fields(const struct op *op, uint64_t field[NR_OP_FIELDS])
{
	const uint64_t all[NR_OP_FIELDS] = {
		(uint64_t)op->kind, (uint64_t)op->pattern, op->task, op->object, op->cpu,
		op->flags, op->offset, op->length, op->chunk, op->count, (uint64_t)op->value,
		op->group.set, op->group.hierarchy,
		(uint64_t)op->group.oom_disable | (uint64_t)op->group.account << 1,
		op->group.limit_pages, (uint64_t)op->group.swappiness, op->group.oom_group,
		op->group.min_pages, op->group.low_pages, op->group.high_pages,
		op->group.soft_pages, op->group.memsw_pages, op->group.swap_max_pages,
		op->handle, op->group.move_charge,
	};

	memcpy(field, all, sizeof(all));
}

static void op_from_fields(const uint64_t field[NR_OP_FIELDS], struct op *op)
{
	op->kind = (enum op_kind)field[0];
	op->pattern = (enum op_pattern)field[1];
	op->task = (uint32_t)field[2];
	op->object = (uint32_t)field[3];
	op->cpu = (uint32_t)field[4];
	op->flags = (uint32_t)field[5];
	op->offset = field[6];
	op->length = field[7];
	op->chunk = field[8];
	op->count = field[9];
	op->value = (int64_t)field[10];
	op->handle = (uint32_t)field[23];
	op->group = (struct group_conf){
		.set = (uint32_t)field[11], .hierarchy = field[12] != 0,
		.oom_disable = (field[13] & 1) != 0, .account = (field[13] & 2) != 0,
		.limit_pages = field[14],
		.swappiness = (int64_t)field[15], .oom_group = field[16] != 0,
		.min_pages = field[17], .low_pages = field[18], .high_pages = field[19],
		.soft_pages = field[20], .memsw_pages = field[21], .swap_max_pages = field[22],
		.move_charge = (uint32_t)field[24],
	};
}

static void put_bytes(struct oplog_writer *log, const void *data, size_t n)
{
	assert(log->size <= log->room);
	if (log->failed)
		return;
	if (log->room - log->size < n) {
		size_t room = log->room ? 2 * log->room : 4096;
		unsigned char *grown;

		while (room - log->size < n)
			room *= 2;
		grown = realloc(log->data, room);
		if (!grown) {
			log->failed = true;
			return;
		}
		log->data = grown;
		log->room = room;
	}
	memcpy(log->data + log->size, data, n);
	log->size += n;
}

static void put_number(struct oplog_writer *log, uint64_t n)
{
	unsigned char out[VARINT_MAX];
	size_t len = 0;

	do {
		out[len++] = (unsigned char)((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
		n >>= 7;
	} while (n);
	put_bytes(log, out, len);
}

static void put_token(struct oplog_writer *log, uint32_t actor, unsigned kind)
{
	if (log->size == 0)
		put_bytes(log, oplog_magic, sizeof(oplog_magic));
	put_number(log, (uint64_t)actor * 2 + kind);
}

void oplog_flush(struct oplog_writer *log)
{
	assert(!log->steps || log->size);
	if (log->steps) {
		put_token(log, log->actor, TOKEN_STEPS);
		put_number(log, log->steps);
	} else if (log->size == 0) {
		put_bytes(log, oplog_magic, sizeof(oplog_magic));
	}
	log->steps = 0;
}

void oplog_begin(struct oplog_writer *log, const struct op *op)
{
	uint64_t field[NR_OP_FIELDS], mask = 0;
	size_t len = strlen(op->name);
	int i;

	assert(len < OP_NAME_MAX);
	oplog_flush(log);
	put_token(log, op->actor, TOKEN_OP);
	op_to_fields(op, field);
	for (i = 0; i < NR_OP_FIELDS; i++)
		mask |= (uint64_t)(field[i] != 0) << i;
	put_number(log, mask);
	for (i = 0; i < NR_OP_FIELDS; i++)
		if (field[i])
			put_number(log, field[i]);
	put_number(log, len);
	put_bytes(log, op->name, len);
}

void oplog_step(struct oplog_writer *log, uint32_t actor)
{
	if (log->steps && log->actor != actor)
		oplog_flush(log);
	log->actor = actor;
	log->steps++;
}

void oplog_free(struct oplog_writer *log)
{
	free(log->data);
	*log = (struct oplog_writer){ 0 };
}

static bool get_number(const struct oplog *log, size_t *at, uint64_t *n)
{
	unsigned shift;

	*n = 0;
	for (shift = 0; shift < 64 && *at < log->size; shift += 7) {
		unsigned char byte = log->data[(*at)++];

		*n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static bool get_op(const struct oplog *log, size_t *at, struct op *op)
{
	uint64_t field[NR_OP_FIELDS] = { 0 }, mask, len;
	int i;

	if (!get_number(log, at, &mask))
		return false;
	for (i = 0; i < NR_OP_FIELDS; i++)
		if ((mask >> i & 1) && !get_number(log, at, &field[i]))
			return false;
	if (!get_number(log, at, &len) || len >= OP_NAME_MAX || len > log->size - *at)
		return false;
	if (field[0] >= NR_OP_KINDS || field[1] >= NR_PATTERNS)
		return false;
	op_from_fields(field, op);
	memcpy(op->name, log->data + *at, len);
	op->name[len] = '\0';
	*at += len;
	return true;
}

enum oplog_token oplog_next(const struct oplog *log, struct oplog_cursor *cursor, struct op *op)
{
	uint64_t head;

	assert(cursor->at <= log->size);
	if (cursor->at == 0)
		cursor->at = sizeof(oplog_magic);
	if (cursor->at == log->size)
		return OPLOG_END;
	if (!get_number(log, &cursor->at, &head) || head / 2 > UINT32_MAX - 1)
		return OPLOG_DAMAGED;
	if (head % 2 == TOKEN_STEPS) {
		cursor->actor = (uint32_t)(head / 2);
		return get_number(log, &cursor->at, &cursor->steps) && cursor->steps
			       ? OPLOG_STEPS
			       : OPLOG_DAMAGED;
	}
	memset(op, 0, sizeof(*op));
	op->actor = (uint32_t)(head / 2);
	return get_op(log, &cursor->at, op) ? OPLOG_OP : OPLOG_DAMAGED;
}

enum err oplog_open(const void *data, size_t size, struct oplog **out, struct diag *diag)
{
	struct oplog_cursor cursor = { 0 };
	enum oplog_token token;
	struct oplog *log;
	struct op op;

	*out = NULL;
	if (size < sizeof(oplog_magic) || memcmp(data, oplog_magic, sizeof(oplog_magic)) != 0)
		return diag_fail(diag, ERR_DB, "the op log of this run is damaged");
	log = calloc(1, sizeof(*log));
	if (log)
		log->data = malloc(size);
	if (!log || !log->data) {
		free(log);
		return diag_fail(diag, ERR_NOMEM, "no memory for the op log");
	}
	memcpy(log->data, data, size);
	log->size = size;
	while ((token = oplog_next(log, &cursor, &op)) == OPLOG_OP || token == OPLOG_STEPS)
		log->steps += token == OPLOG_STEPS ? cursor.steps : 0;
	if (token == OPLOG_DAMAGED) {
		oplog_close(log);
		return diag_fail(diag, ERR_DB, "the op log of this run is damaged");
	}
	*out = log;
	return ERR_OK;
}

uint64_t oplog_steps(const struct oplog *log)
{
	return log->steps;
}

void oplog_close(struct oplog *log)
{
	if (!log)
		return;
	free(log->data);
	free(log);
}
