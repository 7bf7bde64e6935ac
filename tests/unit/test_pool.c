/*
 * Work in several processes: as many at a time as were asked for, each piece
 * ends for itself, what it tells arrives whole, an interrupt ends all of
 * them and begins nothing more.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "pool.h"

#define MS ((ns_t)1000000)

enum { PIECES = 12, LONG_BYTES = 300000 };

struct seen {
	size_t nr, order[PIECES];
	enum err err[PIECES];
	bool died[PIECES], whole[PIECES];
	int64_t run[PIECES];
	int meter[2]; /* a pipe: a piece writes when it begins and when it ends */
	enum err says; /* what the callback answers */
};

static void nothing(void *ctx, size_t item, const struct child *child, struct diag *diag)
{
	(void)ctx;
	(void)item;
	(void)child;
	(void)diag;
}

static enum err note(void *ctx, size_t item, const struct pool_result *result, struct diag *diag)
{
	struct seen *seen = ctx;

	assert_true(item < PIECES && seen->nr < PIECES);
	seen->order[seen->nr++] = item;
	seen->err[item] = result->diag->err;
	seen->died[item] = result->end->died;
	seen->run[item] = result->end->run_id;
	seen->whole[item] = result->told_bytes == LONG_BYTES;
	for (size_t i = 0; i < result->told_bytes; i++)
		seen->whole[item] = seen->whole[item] && result->told[i] == (char)('a' + item);
	return seen->says == ERR_OK ? ERR_OK : diag_fail(diag, seen->says, "enough");
}

/* The pool works where the three signals are blocked, as a command's process is. */
static enum err run(struct pool *pool, size_t nr, struct seen *seen, struct diag *diag)
{
	sigset_t stops, before;
	enum err err;

	pool->ctx = seen;
	pool->ended = note;
	if (pool->limit_ns == 0)
		pool->limit_ns = UINT64_MAX;
	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	sigaddset(&stops, SIGHUP);
	sigprocmask(SIG_BLOCK, &stops, &before);
	err = pool_run(pool, nr, diag);
	/* What is pending would end the test. */
	while (sigtimedwait(&stops, NULL, &(struct timespec){ .tv_nsec = 0 }) > 0)
		continue;
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
	return err;
}

static void every_piece_is_done_once(void **state)
{
	struct diag diag = { .err = ERR_OK };
	bool done[PIECES] = { false };

	(void)state;
	for (size_t workers = 1; workers <= PIECES + 1; workers += 4) {
		struct pool pool = { .workers = workers, .work = nothing };
		struct seen seen = { .nr = 0 };

		memset(done, 0, sizeof(done));
		assert_int_equal(run(&pool, PIECES, &seen, &diag), ERR_OK);
		assert_int_equal(seen.nr, PIECES);
		for (size_t i = 0; i < PIECES; i++) {
			assert_false(done[seen.order[i]]);
			done[seen.order[i]] = true;
			assert_false(seen.died[i]);
		}
	}
}

static void one_worker_keeps_the_order(void **state)
{
	struct pool pool = { .workers = 1, .work = nothing };
	struct diag diag = { .err = ERR_OK };
	struct seen seen = { .nr = 0 };

	(void)state;
	assert_int_equal(run(&pool, PIECES, &seen, &diag), ERR_OK);
	for (size_t i = 0; i < PIECES; i++)
		assert_int_equal(seen.order[i], i);
}

static void no_pieces_are_no_work(void **state)
{
	struct pool pool = { .workers = 2, .work = nothing };
	struct diag diag = { .err = ERR_OK };
	struct seen seen = { .nr = 0 };

	(void)state;
	assert_int_equal(run(&pool, 0, &seen, &diag), ERR_OK);
	assert_int_equal(seen.nr, 0);
}

/* Piece 0 waits until piece 1 has begun: with one worker it would wait for ever. */
static void meets(void *ctx, size_t item, const struct child *child, struct diag *diag)
{
	struct seen *seen = ctx;
	char byte = 'x';

	(void)child;
	if (item == 1 ? write(seen->meter[1], &byte, 1) != 1 : read(seen->meter[0], &byte, 1) != 1)
		diag_fail(diag, ERR_OUTPUT, "no pipe");
}

static void two_workers_work_at_once(void **state)
{
	struct pool pool = { .workers = 2, .work = meets, .limit_ns = 20000 * MS };
	struct diag diag = { .err = ERR_OK };
	struct seen seen = { .nr = 0 };

	(void)state;
	assert_int_equal(pipe(seen.meter), 0);
	assert_int_equal(run(&pool, 2, &seen, &diag), ERR_OK);
	assert_int_equal(seen.err[0], ERR_OK);
	assert_int_equal(seen.err[1], ERR_OK);
	close(seen.meter[0]);
	close(seen.meter[1]);
}

/* Far more than a pipe holds, of several at once. */
static void talks(void *ctx, size_t item, const struct child *child, struct diag *diag)
{
	char *text = malloc(LONG_BYTES);

	(void)ctx;
	(void)diag;
	memset(text, (int)('a' + item), LONG_BYTES);
	child_tell(child, text, LONG_BYTES);
	free(text);
}

static void what_a_piece_tells_arrives_whole(void **state)
{
	struct pool pool = { .workers = 3, .work = talks };
	struct diag diag = { .err = ERR_OK };
	struct seen seen = { .nr = 0 };

	(void)state;
	assert_int_equal(run(&pool, PIECES, &seen, &diag), ERR_OK);
	for (size_t i = 0; i < PIECES; i++)
		assert_true(seen.whole[i]);
}

/* One in three dies, one in three refuses. */
static void goes_wrong(void *ctx, size_t item, const struct child *child, struct diag *diag)
{
	(void)ctx;
	child_running(child, (int64_t)item + 100);
	if (item % 3 == 1)
		raise(SIGKILL);
	if (item % 3 == 2)
		diag_fail(diag, ERR_SCENARIO, "no");
}

static void a_piece_that_goes_wrong_ends_itself_alone(void **state)
{
	struct pool pool = { .workers = 2, .work = goes_wrong };
	struct diag diag = { .err = ERR_OK };
	struct seen seen = { .nr = 0 };

	(void)state;
	assert_int_equal(run(&pool, PIECES, &seen, &diag), ERR_OK);
	assert_int_equal(seen.nr, PIECES);
	for (size_t i = 0; i < PIECES; i++) {
		assert_int_equal(seen.err[i], i % 3 == 0 ? ERR_OK : ERR_SCENARIO);
		assert_int_equal(seen.died[i], i % 3 == 1);
		assert_int_equal(seen.run[i], i + 100);
	}
}

static void an_error_of_the_caller_begins_nothing_more(void **state)
{
	struct pool pool = { .workers = 2, .work = nothing };
	struct diag diag = { .err = ERR_OK };
	struct seen seen = { .says = ERR_DB };

	(void)state;
	assert_int_equal(run(&pool, PIECES, &seen, &diag), ERR_DB);
	assert_string_equal(diag.text, "enough");
	assert_true(seen.nr >= 1 && seen.nr <= 3);
}

static void hangs(void *ctx, size_t item, const struct child *child, struct diag *diag)
{
	(void)ctx;
	(void)child;
	(void)diag;
	if (item != 0)
		return;
	for (;;)
		pause();
}

static void each_piece_has_the_limit_for_itself(void **state)
{
	struct pool pool = { .workers = 1, .work = hangs, .limit_ns = 200 * MS };
	struct diag diag = { .err = ERR_OK };
	struct seen seen = { .nr = 0 };

	(void)state;
	assert_int_equal(run(&pool, 3, &seen, &diag), ERR_OK);
	assert_int_equal(seen.err[0], ERR_LIMIT);
	assert_true(seen.died[0]);
	assert_int_equal(seen.err[1], ERR_OK);
	assert_int_equal(seen.err[2], ERR_OK);
}

/* The first interrupts the pool; then it listens, and the others do not. */
static void interrupts(void *ctx, size_t item, const struct child *child, struct diag *diag)
{
	(void)ctx;
	child_running(child, (int64_t)item + 1);
	if (item == 0)
		kill(getppid(), SIGINT);
	while (item != 0 || !child_interrupted())
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	diag_fail(diag, ERR_INTERRUPTED, "interrupted");
}

static void an_interrupt_ends_those_that_run_and_begins_nothing_more(void **state)
{
	struct pool pool = { .workers = 2, .work = interrupts };
	struct diag diag = { .err = ERR_OK };
	struct seen seen = { .nr = 0 };

	(void)state;
	assert_int_equal(run(&pool, PIECES, &seen, &diag), ERR_INTERRUPTED);
	assert_int_equal(seen.nr, 2);
	assert_int_equal(seen.order[0], 0);
	assert_false(seen.died[0]);
	assert_true(seen.died[1]); /* killed when its grace was over */
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(seen.err[i], ERR_INTERRUPTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_piece_is_done_once),
		cmocka_unit_test(one_worker_keeps_the_order),
		cmocka_unit_test(no_pieces_are_no_work),
		cmocka_unit_test(two_workers_work_at_once),
		cmocka_unit_test(what_a_piece_tells_arrives_whole),
		cmocka_unit_test(a_piece_that_goes_wrong_ends_itself_alone),
		cmocka_unit_test(an_error_of_the_caller_begins_nothing_more),
		cmocka_unit_test(each_piece_has_the_limit_for_itself),
		cmocka_unit_test(an_interrupt_ends_those_that_run_and_begins_nothing_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
