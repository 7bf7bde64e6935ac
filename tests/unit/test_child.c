/*
 * A process of its own: its report comes up, its death is one message, the
 * limit and an interrupt end it, and it does not outlive its parent.
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

#include "child.h"

#define MS ((ns_t)1000000)
#define S (1000 * MS)

typedef void work_fn(struct child *child, struct diag *diag);

/* The parent's view of a child that does @work. */
static enum err wait_for(work_fn *work, ns_t limit_ns, struct child_end *end, struct diag *diag)
{
	struct child child;

	assert_int_equal(child_fork(&child, diag), ERR_OK);
	if (child.pid == 0) {
		struct diag result = { .err = ERR_OK };

		work(&child, &result);
		child_report(&child, &result);
		_exit(0);
	}
	return child_wait(&child, limit_ns, end, diag);
}

static void does_nothing(struct child *child, struct diag *diag)
{
	(void)child;
	(void)diag;
}

static void fails(struct child *child, struct diag *diag)
{
	(void)child;
	diag_fail(diag, ERR_DB, "no such store");
}

static void crashes_in_a_run(struct child *child, struct diag *diag)
{
	(void)diag;
	child_running(child, 51);
	child_running(child, 52);
	raise(SIGKILL);
}

static void sleeps(struct child *child, struct diag *diag)
{
	(void)diag;
	child_running(child, 7);
	for (;;)
		pause();
}

/* Interrupts its parent, then stops as soon as it is told. */
static void interrupts_its_parent(struct child *child, struct diag *diag)
{
	(void)child;
	kill(getppid(), SIGINT);
	while (!child_interrupted())
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	diag_fail(diag, ERR_INTERRUPTED, "interrupted");
}

/* The same, but it does not listen. */
static void interrupts_and_goes_on(struct child *child, struct diag *diag)
{
	(void)diag;
	child_running(child, 9);
	kill(getppid(), SIGINT);
	for (;;)
		pause();
}

static void a_child_that_ends_well_reports_nothing_wrong(void **state)
{
	struct child_end end;
	struct diag diag;

	(void)state;
	assert_int_equal(wait_for(does_nothing, S, &end, &diag), ERR_OK);
	assert_false(end.died);
}

static void its_error_comes_up_with_its_words(void **state)
{
	struct child_end end;
	struct diag diag;

	(void)state;
	assert_int_equal(wait_for(fails, S, &end, &diag), ERR_DB);
	assert_string_equal(diag.text, "no such store");
	assert_false(end.died);
}

static void a_crash_is_one_message_with_the_run_that_was_going_on(void **state)
{
	struct child_end end;
	struct diag diag;

	(void)state;
	assert_int_equal(wait_for(crashes_in_a_run, S, &end, &diag), ERR_SCENARIO);
	assert_true(end.died);
	assert_int_equal(end.run_id, 52);
	assert_non_null(strstr(diag.text, "signal 9"));
}

static void the_time_limit_ends_it(void **state)
{
	struct child_end end;
	struct diag diag;

	(void)state;
	assert_int_equal(wait_for(sleeps, 50 * MS, &end, &diag), ERR_LIMIT);
	assert_true(end.died);
	assert_int_equal(end.run_id, 7);
	assert_non_null(strstr(diag.text, "50ms"));
}

static void an_interrupt_is_passed_on(void **state)
{
	struct child_end end;
	struct diag diag;

	(void)state;
	assert_int_equal(wait_for(interrupts_its_parent, 60 * S, &end, &diag), ERR_INTERRUPTED);
	assert_false(end.died);
	assert_true(end.interrupted);
}

static void a_child_that_does_not_listen_is_killed_after_a_grace(void **state)
{
	struct child_end end;
	struct diag diag;

	(void)state;
	assert_int_equal(wait_for(interrupts_and_goes_on, 60 * S, &end, &diag), ERR_INTERRUPTED);
	assert_true(end.died);
	assert_int_equal(end.run_id, 9);
}

/* The middle process is killed; its child holds the pipe until it dies too. */
static void it_does_not_outlive_its_parent(void **state)
{
	int fd[2];
	char byte;
	pid_t middle;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	middle = fork();
	assert_true(middle >= 0);
	if (middle == 0) {
		struct child child;
		struct diag diag;

		close(fd[0]);
		if (child_fork(&child, &diag) != ERR_OK)
			_exit(1);
		if (child.pid == 0 && write(fd[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(fd[1]);
	assert_int_equal(read(fd[0], &byte, 1), 1); /* the grandchild lives */
	kill(middle, SIGKILL);
	waitpid(middle, NULL, 0);
	assert_int_equal(read(fd[0], &byte, 1), 0); /* and has gone: nobody holds the pipe */
	close(fd[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_that_ends_well_reports_nothing_wrong),
		cmocka_unit_test(its_error_comes_up_with_its_words),
		cmocka_unit_test(a_crash_is_one_message_with_the_run_that_was_going_on),
		cmocka_unit_test(the_time_limit_ends_it),
		cmocka_unit_test(an_interrupt_is_passed_on),
		cmocka_unit_test(a_child_that_does_not_listen_is_killed_after_a_grace),
		cmocka_unit_test(it_does_not_outlive_its_parent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
