/*
 * The shrinker itself: a planted fault, found by a life of 1,000 steps, comes
 * out as the few steps that it takes.  One fault is a law that breaks, one
 * is a crash.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world.h"

enum { STEPS = 1000, SEEDS = 100, FIRST_GROUP = 2 };

/* "No charge is ever refused": one read beyond the first group's limit breaks it. */
static const char *no_charge_fails(const struct run *run)
{
	struct run_memcg g;

	return run_memcg(run, FIRST_GROUP, &g) && g.failcnt ? "a charge was refused" : NULL;
}

/* As an assertion that breaks in the engine. */
static const char *crash_with_one_removed(const struct run *run)
{
	struct run_memcg g;

	for (uint32_t id = 1; id <= run_memcg_max(run); id++)
		if (!run_memcg(run, id, &g))
			raise(SIGABRT);
	return NULL;
}

/* The first life that breaks the law, whatever lives are made of by now. */
static void find_breach(struct world *world, struct scenario *sc, struct world_verdict *verdict)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		world_scenario(seed, sc);
		assert_int_equal(era_find("v3.1", &sc->era, NULL), ERR_OK);
		world_draw(seed, world->steps, STEPS);
		if (!world_live(world, NULL, verdict))
			return;
	}
	fail_msg("no life of %d breaks the law", SEEDS);
}

/* @most: steps that are enough, worked out from the law. */
static void shrinks_to(const char *(*law)(const struct run *), const char *why, size_t most)
{
	struct world_step steps[STEPS];
	struct world_verdict verdict;
	struct scenario sc;
	struct world world = { &sc, steps, STEPS, law };

	find_breach(&world, &sc, &verdict);
	assert_non_null(strstr(verdict.why, why));
	world_shrink(&world, verdict.why);
	assert_in_range(world.nr, 1, most);
	/* What is left still fails, and by the same law; without any step of it it does not. */
	assert_false(world_live(&world, NULL, &verdict));
	assert_non_null(strstr(verdict.why, why));
	for (size_t i = 0; i < world.nr; i++) {
		struct world_step fewer[STEPS];
		struct world less = { &sc, fewer, world.nr - 1, law };

		memcpy(fewer, steps, i * sizeof(*steps));
		memcpy(fewer + i, steps + i + 1, (world.nr - i - 1) * sizeof(*steps));
		assert_true(world_live(&less, NULL, &verdict));
	}
}

static void a_broken_law_comes_out_as_the_steps_it_takes(void **state)
{
	(void)state;
	/* Reads of 16 pages for a limit of 350, and one that begins earlier than all. */
	shrinks_to(no_charge_fails, "one law more: a charge was refused", 24);
}

static void a_crash_comes_out_as_the_steps_it_takes(void **state)
{
	(void)state;
	/* A group is made and removed; groups and tasks that are there decide which one it is. */
	shrinks_to(crash_with_one_removed, "ended by signal 6", 8);
}

/* Its ops are told line by line, so that it can be done by hand. */
static void a_shrunk_life_is_told_as_a_script(void **state)
{
	struct world_step steps[STEPS];
	struct world_verdict verdict;
	struct scenario sc;
	struct world world = { &sc, steps, STEPS, no_charge_fails };
	char *text = NULL;
	size_t size = 0, lines = 0;
	FILE *script;

	(void)state;
	find_breach(&world, &sc, &verdict);
	world_shrink(&world, verdict.why);
	script = tmpfile();
	assert_non_null(script);
	assert_false(world_live(&world, script, &verdict));
	size = (size_t)ftell(script);
	text = calloc(1, size + 1);
	assert_non_null(text);
	rewind(script);
	assert_int_equal(fread(text, 1, size, script), size);
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	/* Four files, the first group and its task, then the steps. */
	assert_int_equal(lines, 6 + world.nr);
	assert_non_null(strstr(text, "group_new object=1 set=1 limit=350"));
	free(text);
	fclose(script);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_broken_law_comes_out_as_the_steps_it_takes),
		cmocka_unit_test(a_crash_comes_out_as_the_steps_it_takes),
		cmocka_unit_test(a_shrunk_life_is_told_as_a_script),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
