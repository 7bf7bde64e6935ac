/*
 * No size breaks a picture: random ones from 1x1 to 300x100, every view,
 * full and empty, with and without a pop-up over it.  The seed is fixed and
 * printed with a failure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overlay.h"
#include "pictures.h"
#include "rig.h"

enum { SIZES = 500, W_MAX = 300, H_MAX = 100, SEED = 20090820 };

/* A small generator of our own: the same sizes on every host. */
static unsigned draw(unsigned *seed, unsigned n)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % n;
}

static void check_text(struct pictures *p, int view, int w, int h)
{
	char *text = pictures_dump(&p->canvas, canvas_dump);

	if (p->canvas.w != w || p->canvas.h != h || pictures_lines(text) != h ||
	    pictures_width(text) > w)
		fail_msg("seed %d: view %d at %dx%d: %d lines, %d wide", SEED, view, w, h,
			 pictures_lines(text), pictures_width(text));
	free(text);
}

static void random_size(struct pictures *p, unsigned *seed)
{
	int w = 1 + (int)draw(seed, W_MAX), h = 1 + (int)draw(seed, H_MAX);
	int view = (int)draw(seed, NR_VIEWS);
	struct log_ring log = { .n = 0 };

	p->model.show = (int)draw(seed, 3);
	p->model.selected = (int)draw(seed, 50);
	free(pictures_draw(p, (enum view_id)view, w, h, (enum canvas_glyphs)draw(seed, NR_GLYPHS)));
	check_text(p, view, w, h);
	overlay_help(&p->canvas, (enum view_id)view, "", draw(seed, 20));
	overlay_prompt(&p->canvas, ":", "some longer text that was typed", 20, "and an error");
	check_text(p, view, w, h);
	overlay_log(&p->canvas, &log);
	overlay_words(&p->canvas, (enum view_id)view, "");
	check_text(p, view, w, h);
}

static void five_hundred_random_sizes_are_filled_exactly(void **state)
{
	struct pictures *full = pictures_full(30), *empty = pictures_empty();
	unsigned seed = SEED;

	(void)state;
	for (int i = 0; i < SIZES; i++)
		random_size(i % 3 ? full : empty, &seed);
	pictures_close(full);
	pictures_close(empty);
}

static void every_size_up_to_the_smallest_usable_one_draws(void **state)
{
	struct pictures *full = pictures_full(4);

	(void)state;
	for (int w = 1; w <= 52; w++)
		for (int h = 1; h <= 18; h++) {
			free(pictures_draw(full, (enum view_id)((w + h) % NR_VIEWS), w, h,
					   GLYPHS_BRAILLE));
			check_text(full, (w + h) % NR_VIEWS, w, h);
		}
	pictures_close(full);
}

static void too_small_a_screen_names_both_sizes_on_one_line(void **state)
{
	struct pictures *empty = pictures_empty();
	char *text = pictures_draw(empty, VIEW_RUNS, 49, 16, GLYPHS_BRAILLE);

	(void)state;
	assert_ptr_equal(strstr(text, "50x16 needed, 49x16 here"), text);
	assert_string_equal(strchr(text, '\n'), "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n");
	free(text);
	text = pictures_draw(empty, VIEW_RUNS, 50, 16, GLYPHS_BRAILLE);
	assert_null(strstr(text, "needed"));
	free(text);
	pictures_close(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(five_hundred_random_sizes_are_filled_exactly),
		cmocka_unit_test(every_size_up_to_the_smallest_usable_one_draws),
		cmocka_unit_test(too_small_a_screen_names_both_sizes_on_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
