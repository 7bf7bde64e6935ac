/*
 * A run as one file: what it holds is what was stored, and a file that is
 * not whole is refused wherever it was changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle.h"
#include "stored.h"

enum { FILE_MAX = 1 << 20, AT_FORMAT = 8 };

struct world {
	struct stored st;
	char scratch[DB_PATH_MAX + 16], bundle[DB_PATH_MAX + 16], store[DB_PATH_MAX + 16];
	unsigned char *byte;
	size_t size;
};

static void keep(struct world *w, const unsigned char *byte, size_t size)
{
	FILE *file = fopen(w->bundle, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(byte, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void pack(struct world *w, const char *uuid)
{
	FILE *file = fopen(w->bundle, "w+b");

	assert_non_null(file);
	if (bundle_write(w->st.db, uuid, w->scratch, file, &w->st.diag))
		fail_msg("%s", w->st.diag.text);
	assert_int_not_equal(access(w->scratch, F_OK), 0);
	w->size = (size_t)ftell(file);
	assert_true(w->size < FILE_MAX);
	rewind(file);
	assert_int_equal(fread(w->byte, 1, w->size, file), w->size);
	fclose(file);
}

/* Two runs at their end, the second one packed. */
static void open_world(struct world *w, char uuid[DB_UUID_MAX])
{
	const struct db_end end = { .state = RUN_FAILED, .error = "why" };
	struct db_run run;

	memset(w, 0, sizeof(*w));
	stored_open(&w->st);
	w->byte = malloc(FILE_MAX);
	assert_non_null(w->byte);
	snprintf(w->scratch, sizeof(w->scratch), "%s.scratch", db_path(w->st.db));
	snprintf(w->bundle, sizeof(w->bundle), "%s.mcrun", db_path(w->st.db));
	snprintf(w->store, sizeof(w->store), "%s.store", db_path(w->st.db));
	stored_begin(&w->st, "first");
	stored_begin(&w->st, "second");
	assert_int_equal(db_run_end(w->st.db, 1, &end, &w->st.diag), ERR_OK);
	assert_int_equal(db_run_end(w->st.db, 2, &end, &w->st.diag), ERR_OK);
	assert_int_equal(db_run_find(w->st.db, "2", &run, &w->st.diag), ERR_OK);
	snprintf(uuid, DB_UUID_MAX, "%s", run.uuid);
	db_run_free(&run);
	pack(w, uuid);
}

static void close_world(struct world *w)
{
	unlink(w->bundle);
	unlink(w->store);
	free(w->byte);
	stored_close(&w->st);
}

static void refused(struct world *w, const char *why)
{
	struct diag diag = { 0 };

	assert_int_equal(bundle_unpack(w->bundle, w->store, &diag), ERR_DB);
	assert_int_not_equal(access(w->store, F_OK), 0);
	if (why && !strstr(diag.text, why))
		fail_msg("%s", diag.text);
}

static void the_file_holds_the_run_and_no_other(void **state)
{
	char uuid[DB_UUID_MAX];
	struct db *only;
	struct db_info info;
	struct db_run run;
	struct world w;

	(void)state;
	open_world(&w, uuid);
	assert_int_equal(bundle_unpack(w.bundle, w.store, &w.st.diag), ERR_OK);
	assert_int_equal(db_open(w.store, DB_READ, &only, &w.st.diag), ERR_OK);
	assert_int_equal(db_info(only, &info, &w.st.diag), ERR_OK);
	assert_int_equal(info.runs, 1);
	assert_int_equal(db_run_find(only, "latest:second", &run, &w.st.diag), ERR_OK);
	assert_string_equal(run.uuid, uuid);
	assert_int_equal(run.state, RUN_FAILED);
	assert_string_equal(run.error, "why");
	db_run_free(&run);
	db_close(only);
	close_world(&w);
}

static void the_same_run_gives_the_same_bytes(void **state)
{
	char uuid[DB_UUID_MAX];
	unsigned char *before;
	struct world w;
	size_t size;

	(void)state;
	open_world(&w, uuid);
	before = malloc(FILE_MAX);
	assert_non_null(before);
	size = w.size;
	memcpy(before, w.byte, size);
	pack(&w, uuid);
	assert_int_equal(w.size, size);
	assert_memory_equal(w.byte, before, size);
	free(before);
	close_world(&w);
}

static void a_changed_byte_is_found_wherever_it_is(void **state)
{
	char uuid[DB_UUID_MAX];
	struct world w;

	(void)state;
	open_world(&w, uuid);
	for (size_t i = 0; i < w.size; i += i < 64 ? 1 : 37) {
		w.byte[i] ^= 1;
		keep(&w, w.byte, w.size);
		refused(&w, NULL);
		w.byte[i] ^= 1;
	}
	close_world(&w);
}

static void a_file_cut_short_or_lengthened_is_refused(void **state)
{
	char uuid[DB_UUID_MAX];
	struct world w;

	(void)state;
	open_world(&w, uuid);
	for (size_t size = 0; size < w.size; size += size < 64 ? 1 : 37) {
		keep(&w, w.byte, size);
		refused(&w, NULL);
	}
	keep(&w, w.byte, w.size - 1);
	refused(&w, "not as long as it says");
	w.byte[w.size] = 0;
	keep(&w, w.byte, w.size + 1);
	refused(&w, "not as long as it says");
	close_world(&w);
}

static void a_newer_format_and_a_file_that_is_none_are_named(void **state)
{
	char uuid[DB_UUID_MAX];
	struct world w;

	(void)state;
	open_world(&w, uuid);
	w.byte[AT_FORMAT] = BUNDLE_FORMAT + 1;
	keep(&w, w.byte, w.size);
	refused(&w, "has format 2; this memcglab knows format 1");
	keep(&w, (const unsigned char *)"a file of another kind, long enough", 35);
	refused(&w, "is not a memcglab run");
	unlink(w.bundle);
	refused(&w, "No such file");
	close_world(&w);
}

static void a_run_that_goes_on_is_not_packed(void **state)
{
	char uuid[DB_UUID_MAX], text[STORED_TEXT_MAX];
	struct world w;
	FILE *file;

	(void)state;
	open_world(&w, uuid);
	stored_begin(&w.st, "third");
	file = fopen(w.bundle, "wb");
	assert_non_null(file);
	stored_sql(&w.st, "SELECT uuid FROM run WHERE id = 3", text);
	assert_int_equal(bundle_write(w.st.db, text, w.scratch, file, &w.st.diag), ERR_USAGE);
	assert_int_equal(ftell(file), 0);
	assert_int_not_equal(access(w.scratch, F_OK), 0);
	fclose(file);
	close_world(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_holds_the_run_and_no_other),
		cmocka_unit_test(the_same_run_gives_the_same_bytes),
		cmocka_unit_test(a_changed_byte_is_found_wherever_it_is),
		cmocka_unit_test(a_file_cut_short_or_lengthened_is_refused),
		cmocka_unit_test(a_newer_format_and_a_file_that_is_none_are_named),
		cmocka_unit_test(a_run_that_goes_on_is_not_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
