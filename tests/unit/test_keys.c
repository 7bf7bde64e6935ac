/*
 * The table of actions against all that is made from it: no two actions of
 * a view share a key, the help lists exactly the valid ones, each key of the
 * table acts, and the hints of a view name valid keys only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overlay.h"
#include "pictures.h"
#include "rig.h"

enum { KEY_MAX = 16, KEYS_MAX = 8 };

/* The keys of an action, one by one.  Returns: how many. */
static int keys_of(const struct action_desc *action, char key[KEYS_MAX][KEY_MAX])
{
	const char *text = action->keys;
	int n = 0;

	while (*text && n < KEYS_MAX) {
		size_t len = strcspn(text, " ");

		assert_true(len > 0 && len < KEY_MAX);
		memcpy(key[n], text, len);
		key[n++][len] = '\0';
		text += len + (text[len] == ' ');
	}
	return n;
}

static bool share_key(const struct action_desc *a, const struct action_desc *b)
{
	char key_a[KEYS_MAX][KEY_MAX], key_b[KEYS_MAX][KEY_MAX];
	int n = keys_of(a, key_a), m = keys_of(b, key_b);

	for (int i = 0; i < n; i++)
		for (int k = 0; k < m; k++)
			if (strcmp(key_a[i], key_b[k]) == 0)
				return true;
	return false;
}

static void no_two_actions_of_a_view_share_a_key(void **state)
{
	(void)state;
	for (size_t i = 0; i < action_count(); i++)
		for (size_t k = i + 1; k < action_count(); k++) {
			const struct action_desc *a = action_at(i), *b = action_at(k);

			if ((a->views & b->views) && share_key(a, b))
				fail_msg("%s and %s share a key of \"%s\" and \"%s\"", a->name,
					 b->name, a->keys, b->keys);
		}
}

static void names_are_unique_and_typeable(void **state)
{
	(void)state;
	for (size_t i = 0; i < action_count(); i++) {
		const struct action_desc *a = action_at(i);

		assert_true(strspn(a->name, "abcdefghijklmnopqrstuvwxyz-") == strlen(a->name));
		assert_true(a->name[0] && a->doc[0] && a->keys[0]);
		assert_int_equal(action_for_word(a->name), a->action);
		for (size_t k = i + 1; k < action_count(); k++)
			assert_string_not_equal(a->name, action_at(k)->name);
	}
	assert_int_equal(action_for_word("no-such"), ACT_NONE);
	assert_int_equal(action_for_word(""), ACT_NONE);
}

static void every_key_of_the_table_does_what_its_row_says(void **state)
{
	char key[KEYS_MAX][KEY_MAX];

	(void)state;
	for (size_t i = 0; i < action_count(); i++)
		for (int v = 0; v < NR_VIEWS; v++) {
			const struct action_desc *a = action_at(i);
			bool valid = a->views >> v & 1;

			for (int k = keys_of(a, key) - 1; k >= 0; k--) {
				enum action got = action_for_key((enum view_id)v, key[k]);

				assert_true(valid == (got == a->action));
			}
		}
}

static void part_of_a_key_name_is_no_key(void **state)
{
	(void)state;
	assert_int_equal(action_for_key(VIEW_LRU, "Spac"), ACT_NONE);
	assert_int_equal(action_for_key(VIEW_LRU, "Ctrl-"), ACT_NONE);
	assert_int_equal(action_for_key(VIEW_LRU, ""), ACT_NONE);
	assert_int_equal(action_for_key(VIEW_RUNS, "Up k"), ACT_NONE);
	assert_int_equal(action_for_key(VIEW_RUNS, "1"), ACT_VIEW_1);
	assert_int_equal(action_for_key(VIEW_RUNS, "F1"), ACT_HELP);
}

static void the_help_lists_exactly_the_valid_actions(void **state)
{
	(void)state;
	for (int v = 0; v < NR_VIEWS; v++) {
		size_t listed = 0, valid = 0;

		for (size_t i = 0; i < action_count(); i++)
			valid += action_at(i)->views >> v & 1;
		for (; overlay_help_at((enum view_id)v, "", listed); listed++)
			assert_true(overlay_help_at((enum view_id)v, "", listed)->views >> v & 1);
		assert_int_equal(listed, valid);
	}
}

/* The pop-up has 45 cells for it at 80x24. */
static void every_meaning_fits_the_help_of_a_small_screen(void **state)
{
	(void)state;
	for (size_t i = 0; i < action_count(); i++)
		if (strlen(action_at(i)->doc) > 45)
			fail_msg("%s: %zu cells", action_at(i)->name, strlen(action_at(i)->doc));
}

static void a_help_filter_that_matches_nothing_says_so(void **state)
{
	struct pictures *p = pictures_empty();
	char *text;

	(void)state;
	free(pictures_draw(p, VIEW_RUNS, 80, 24, GLYPHS_ASCII));
	overlay_help(&p->canvas, VIEW_RUNS, "nosuchkey", 0);
	text = pictures_dump(&p->canvas, canvas_dump);
	assert_non_null(strstr(text, "nothing matches"));
	free(text);
	pictures_close(p);
}

static void the_help_pop_up_shows_every_key_of_its_view(void **state)
{
	struct pictures *p = pictures_empty();

	(void)state;
	for (int v = 0; v < NR_VIEWS; v++) {
		char *text;

		free(pictures_draw(p, (enum view_id)v, 120, 60, GLYPHS_ASCII));
		overlay_help(&p->canvas, (enum view_id)v, "", 0);
		text = pictures_dump(&p->canvas, canvas_dump);
		for (size_t i = 0; i < action_count(); i++) {
			const struct action_desc *a = action_at(i);
			char row[128];

			snprintf(row, sizeof(row), "%-14s%s ", a->keys, a->name);
			assert_true((strstr(text, row) != NULL) == (a->views >> v & 1));
		}
		free(text);
	}
	pictures_close(p);
}

static void typing_filters_the_help_by_name_key_or_words(void **state)
{
	(void)state;
	assert_int_equal(overlay_help_at(VIEW_LRU, "play or pause", 0)->action, ACT_PLAY);
	assert_int_equal(overlay_help_at(VIEW_LRU, "goto", 0)->action, ACT_GOTO);
	assert_int_equal(overlay_help_at(VIEW_LRU, "Ctrl-L", 0)->action, ACT_REDRAW);
	assert_null(overlay_help_at(VIEW_LRU, "zzz", 0));
	assert_null(overlay_help_at(VIEW_PAGECG, "play or pause", 0));
}

static void the_palette_offers_valid_words_that_begin_as_typed(void **state)
{
	(void)state;
	assert_int_equal(overlay_word(VIEW_LRU, "go", 0)->action, ACT_GOTO);
	assert_null(overlay_word(VIEW_LRU, "go", 1));
	assert_int_equal(overlay_word(VIEW_LRU, "goto 42%", 0)->action, ACT_GOTO);
	assert_null(overlay_word(VIEW_RUNS, "goto", 0));
	assert_non_null(overlay_word(VIEW_RUNS, "", 10));
}

static void each_action_code_has_a_row(void **state)
{
	bool seen[NR_ACTIONS] = { [ACT_NONE] = true };

	(void)state;
	for (size_t i = 0; i < action_count(); i++)
		seen[action_at(i)->action] = true;
	for (int a = 0; a < NR_ACTIONS; a++)
		assert_true(seen[a]);
}

static void a_view_is_found_by_its_name(void **state)
{
	enum view_id id = VIEW_LRU;

	(void)state;
	for (int v = 0; v < NR_VIEWS; v++) {
		assert_true(view_find(view_at((enum view_id)v)->name, &id));
		assert_int_equal(id, v);
		assert_non_null(view_at(id)->draw);
	}
	assert_false(view_find("LRU", &id));
	assert_int_equal(id, NR_VIEWS - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_two_actions_of_a_view_share_a_key),
		cmocka_unit_test(names_are_unique_and_typeable),
		cmocka_unit_test(every_key_of_the_table_does_what_its_row_says),
		cmocka_unit_test(part_of_a_key_name_is_no_key),
		cmocka_unit_test(the_help_lists_exactly_the_valid_actions),
		cmocka_unit_test(every_meaning_fits_the_help_of_a_small_screen),
		cmocka_unit_test(a_help_filter_that_matches_nothing_says_so),
		cmocka_unit_test(the_help_pop_up_shows_every_key_of_its_view),
		cmocka_unit_test(typing_filters_the_help_by_name_key_or_words),
		cmocka_unit_test(the_palette_offers_valid_words_that_begin_as_typed),
		cmocka_unit_test(each_action_code_has_a_row),
		cmocka_unit_test(a_view_is_found_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
