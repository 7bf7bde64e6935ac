/*
 * What a run was made of comes back as it was stored: texts once, whatever
 * requires them, hashes in the order of steps, and an older run says that
 * its program is not known.
 */
#include <stdio.h>
#include <string.h>

#include "provenance.h"
#include "stored.h"

struct seen {
	char text[256];
	int64_t model;
};

static enum err see_program(void *ctx, const struct db_program *program)
{
	struct seen *seen = ctx;

	seen->model = program->model;
	snprintf(seen->text, sizeof(seen->text), "%s", program->build ? program->build : "-");
	return ERR_OK;
}

static enum err see_library(void *ctx, const struct db_library *library)
{
	struct seen *seen = ctx;
	size_t used = strlen(seen->text);

	snprintf(seen->text + used, sizeof(seen->text) - used, "%s=%s;", library->name,
		 library->text);
	return ERR_OK;
}

static enum err see_keyframe(void *ctx, const struct db_keyframe *keyframe)
{
	struct seen *seen = ctx;
	size_t used = strlen(seen->text);

	snprintf(seen->text + used, sizeof(seen->text) - used, "%d:%s;", (int)keyframe->step,
		 keyframe->hash);
	return keyframe->step == 99 ? ERR_RANGE : ERR_OK;
}

static void a_program_is_read_back_and_an_unknown_one_is_said_so(void **state)
{
	const struct db_program program = { 7, "gcc -O2" };
	struct seen seen = { "", -1 };
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	stored_begin(&st, "y");
	assert_int_equal(db_program_add(st.db, 1, &program, &st.diag), ERR_OK);
	assert_int_equal(db_program_read(st.db, 1, see_program, &seen, &st.diag), ERR_OK);
	assert_int_equal(seen.model, 7);
	assert_string_equal(seen.text, "gcc -O2");
	assert_int_equal(db_program_read(st.db, 2, see_program, &seen, &st.diag), ERR_OK);
	assert_int_equal(seen.model, 0);
	assert_string_equal(seen.text, "-");
	stored_close(&st);
}

static void a_librarys_text_is_kept_once_and_the_first_one_stays(void **state)
{
	const struct db_library library[] = { { "lib.work", "return 1" },
					      { "lib.other", "return scenario {}" } };
	const struct db_library later = { "lib.work", "return 2" };
	struct seen seen = { "", 0 };
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	stored_begin(&st, "y");
	for (int64_t run = 1; run <= 2; run++)
		assert_int_equal(db_libraries_add(st.db, run, library, 2, &st.diag), ERR_OK);
	/* The scenarios' text, which is one of the libraries' too, and one more. */
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM script"), 2);
	assert_int_equal(db_libraries_add(st.db, 1, &later, 1, &st.diag), ERR_OK);
	assert_int_equal(db_libraries(st.db, 1, see_library, &seen, &st.diag), ERR_OK);
	assert_string_equal(seen.text, "lib.other=return scenario {};lib.work=return 1;");
	stored_close(&st);
}

static void keyframes_come_in_order_and_an_error_ends_the_reading(void **state)
{
	const struct db_keyframe keyframe[] = { { 300, "cc" }, { 99, "bb" }, { 8, "aa" } };
	struct seen seen = { "", 0 };
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	assert_int_equal(db_keyframes_add(st.db, 1, keyframe, 3, &st.diag), ERR_OK);
	assert_int_equal(db_keyframes(st.db, 1, see_keyframe, &seen, &st.diag), ERR_RANGE);
	assert_string_equal(seen.text, "8:aa;99:bb;");
	assert_string_equal(stored_sql(&st, "SELECT step, hash FROM v_keyframes WHERE run = 1",
				       (char[STORED_TEXT_MAX]){ 0 }),
			    "8|aa\n99|bb\n300|cc");
	stored_close(&st);
}

static void a_store_opened_for_reading_takes_nothing(void **state)
{
	const struct db_program program = { 7, "gcc -O2" };
	const struct db_library library = { "lib.work", "return 1" };
	const struct db_keyframe keyframe = { 8, "aa" };
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	stored_reopen(&st, DB_READ);
	assert_int_equal(db_program_add(st.db, 1, &program, &st.diag), ERR_DB);
	assert_int_equal(db_libraries_add(st.db, 1, &library, 1, &st.diag), ERR_DB);
	assert_int_equal(db_keyframes_add(st.db, 1, &keyframe, 1, &st.diag), ERR_DB);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_is_read_back_and_an_unknown_one_is_said_so),
		cmocka_unit_test(a_librarys_text_is_kept_once_and_the_first_one_stays),
		cmocka_unit_test(keyframes_come_in_order_and_an_error_ends_the_reading),
		cmocka_unit_test(a_store_opened_for_reading_takes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
