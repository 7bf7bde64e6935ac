/*
 * The header is of fixed size: magic with the format's number, then two
 * numbers, little-endian, then the hash.  The number of the format stands
 * before all that the hash covers, so that a newer file is told as newer.
 */
#include "bundle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "store.h"
#include "upkeep.h"

enum {
	MAGIC_BYTES = 8,
	AT_FORMAT = MAGIC_BYTES,
	AT_PACKED = AT_FORMAT + 8,
	AT_HASH = AT_PACKED + 8,
	HEADER_BYTES = AT_HASH + 16,
	ZSTD_LEVEL = 3
};

/* The byte over 127 and both line ends show what a transfer as text would change. */
static const unsigned char magic[MAGIC_BYTES] = { 0x8b, 'm', 'c', 'r', 'u', 'n', '\r', '\n' };

struct blob {
	unsigned char *byte;
	size_t size;
};

static void put_number(unsigned char *to, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_number(const unsigned char *from)
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value |= (uint64_t)from[i] << (8 * i);
	return value;
}

static void put_hash(unsigned char *to, const unsigned char *byte, size_t size)
{
	XXH128_canonical_t hash;

	XXH128_canonicalFromHash(&hash, XXH3_128bits(byte, size));
	memcpy(to, hash.digest, sizeof(hash.digest));
}

static enum err read_all(const char *path, struct blob *out, struct diag *diag)
{
	FILE *file = fopen(path, "rb");
	long size = -1;
	enum err err = ERR_OK;

	*out = (struct blob){ NULL, 0 };
	if (file && fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	if (size < 0 || fseek(file, 0, SEEK_SET) != 0)
		err = diag_fail(diag, ERR_DB, "%s: %s", path, strerror(errno));
	else if (!(out->byte = malloc((size_t)size + 1)))
		err = diag_fail(diag, ERR_NOMEM, "no memory for %s", path);
	else if ((out->size = fread(out->byte, 1, (size_t)size, file)) != (size_t)size)
		err = diag_fail(diag, ERR_DB, "%s cannot be read", path);
	if (file)
		fclose(file);
	return err;
}

/* A store with this run only, in one file without free pages. */
static enum err make_store(struct db *db, const char *uuid, const char *path, struct diag *diag)
{
	struct db_merged merged;
	struct db *only;
	enum err err = db_open(path, DB_WRITE, &only, diag);

	if (err)
		return err;
	err = db_merge_run(only, db_path(db), uuid, &merged, diag);
	if (!err && merged.added != 1)
		err = diag_fail(diag, ERR_USAGE, "no run %s that is at its end", uuid);
	if (!err)
		err = store_exec(only->sql, "PRAGMA journal_mode=DELETE; VACUUM", diag);
	db_close(only);
	return err;
}

static enum err pack(const struct blob *store, FILE *out, struct diag *diag)
{
	const size_t room = ZSTD_compressBound(store->size);
	unsigned char *file = malloc(HEADER_BYTES + room);
	enum err err = ERR_OK;
	size_t packed;

	if (!file)
		return diag_fail(diag, ERR_NOMEM, "no memory to pack a run");
	packed = ZSTD_compress(file + HEADER_BYTES, room, store->byte, store->size, ZSTD_LEVEL);
	if (ZSTD_isError(packed)) {
		err = diag_fail(diag, ERR_NOMEM, "a run: %s", ZSTD_getErrorName(packed));
	} else {
		memcpy(file, magic, sizeof(magic));
		put_number(file + AT_FORMAT, BUNDLE_FORMAT);
		put_number(file + AT_PACKED, packed);
		put_hash(file + AT_HASH, file + HEADER_BYTES, packed);
		if (fwrite(file, 1, HEADER_BYTES + packed, out) != HEADER_BYTES + packed)
			err = diag_fail(diag, ERR_OUTPUT, "a run: %s", strerror(errno));
	}
	free(file);
	return err;
}

enum err bundle_write(struct db *db, const char *uuid, const char *scratch, FILE *out,
		      struct diag *diag)
{
	struct blob store = { NULL, 0 };
	enum err err = make_store(db, uuid, scratch, diag);

	if (!err)
		err = read_all(scratch, &store, diag);
	unlink(scratch);
	if (!err)
		err = pack(&store, out, diag);
	free(store.byte);
	return err;
}

/* Everything but the frame itself, which its hash vouches for. */
static enum err check(const char *path, const struct blob *file, struct diag *diag)
{
	unsigned char hash[HEADER_BYTES - AT_HASH];
	uint64_t format;

	if (file->size < AT_PACKED || memcmp(file->byte, magic, sizeof(magic)) != 0)
		return diag_fail(diag, ERR_DB, "%s is not a memcglab run", path);
	format = get_number(file->byte + AT_FORMAT);
	if (format != BUNDLE_FORMAT)
		return diag_fail(diag, ERR_DB, "%s has format %llu; this memcglab knows format %d",
				 path, (unsigned long long)format, BUNDLE_FORMAT);
	if (file->size < HEADER_BYTES ||
	    get_number(file->byte + AT_PACKED) != file->size - HEADER_BYTES)
		return diag_fail(diag, ERR_DB, "%s is not as long as it says", path);
	put_hash(hash, file->byte + HEADER_BYTES, file->size - HEADER_BYTES);
	if (memcmp(hash, file->byte + AT_HASH, sizeof(hash)) != 0)
		return diag_fail(diag, ERR_DB, "%s was changed: its hash differs", path);
	return ERR_OK;
}

static enum err save(const char *path, const struct blob *store, struct diag *diag)
{
	FILE *file = fopen(path, "wbx");
	bool fine = file && fwrite(store->byte, 1, store->size, file) == store->size;

	if (file && fclose(file) != 0)
		fine = false;
	if (fine)
		return ERR_OK;
	diag_fail(diag, ERR_DB, "%s: %s", path, strerror(errno));
	if (file)
		unlink(path);
	return ERR_DB;
}

enum err bundle_unpack(const char *path, const char *store, struct diag *diag)
{
	struct blob file, plain = { NULL, 0 };
	unsigned long long size;
	enum err err = read_all(path, &file, diag);

	if (!err)
		err = check(path, &file, diag);
	if (!err) {
		size = ZSTD_getFrameContentSize(file.byte + HEADER_BYTES, file.size - HEADER_BYTES);
		if (size >= ZSTD_CONTENTSIZE_ERROR)
			err = diag_fail(diag, ERR_DB, "%s holds no run", path);
		else if (!(plain.byte = malloc((size_t)size + 1)))
			err = diag_fail(diag, ERR_NOMEM, "no memory for %s", path);
		else
			plain.size = ZSTD_decompress(plain.byte, (size_t)size,
						     file.byte + HEADER_BYTES,
						     file.size - HEADER_BYTES);
	}
	if (!err && (ZSTD_isError(plain.size) || plain.size != size))
		err = diag_fail(diag, ERR_DB, "%s holds no run", path);
	if (!err)
		err = save(store, &plain, diag);
	free(plain.byte);
	free(file.byte);
	return err;
}
