/*
 * The finder of repeats: what comes out, spelled out and sorted, is what went
 * in, for steady, periodic, broken and random streams; and it is worth it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "repeat.h"

enum { EVENTS_MAX = 20000, N_MAX = 1024 };

struct spelled {
	struct event event[EVENTS_MAX];
	size_t nr, rows;
	uint32_t largest;
};

static struct event fed[EVENTS_MAX];
static struct spelled got;
static struct repeat repeat;

static void spell_out(void *ctx, const struct repeat_row *row)
{
	struct spelled *all = ctx;

	all->rows++;
	if (row->n > all->largest)
		all->largest = row->n;
	for (uint32_t i = 0; i < row->n; i++) {
		struct event event = row->first;

		event.seq += (uint64_t)(row->delta.seq * i);
		event.t_ns += (uint64_t)(row->delta.t_ns * i);
		event.step += (uint64_t)(row->delta.step * i);
		event.n[REPEAT_D] += row->delta.d * i;
		event.n[REPEAT_H] += row->delta.h * i;
		assert_true(all->nr < EVENTS_MAX);
		all->event[all->nr++] = event;
	}
}

static int by_seq(const void *a, const void *b)
{
	const struct event *one = a, *two = b;

	return one->seq < two->seq ? -1 : one->seq > two->seq;
}

/* Feeds the first @nr of fed[], flushing after every @flush of them, and compares. */
static void there_and_back(size_t nr, size_t flush)
{
	const struct repeat_out out = { &got, spell_out };

	memset(&got, 0, sizeof(got));
	repeat_init(&repeat, N_MAX);
	for (size_t i = 0; i < nr; i++) {
		repeat_feed(&repeat, &fed[i], &out);
		if (flush && (i + 1) % flush == 0) {
			repeat_flush(&repeat, &out);
			assert_int_equal(got.nr, i + 1);
		}
	}
	repeat_flush(&repeat, &out);
	assert_int_equal(got.nr, nr);
	qsort(got.event, nr, sizeof(got.event[0]), by_seq);
	for (size_t i = 0; i < nr; i++)
		assert_memory_equal(&got.event[i], &fed[i], sizeof(fed[i]));
}

static struct event plain(size_t i)
{
	struct event event;

	memset(&event, 0, sizeof(event)); /* padding is compared too */
	event.seq = 2 * i + 1;
	event.t_ns = 1000 * i;
	event.step = i;
	event.memcg = 3;
	event.n[1] = 25535;
	event.n[REPEAT_D] = 6;
	event.n[REPEAT_H] = (int64_t)i + 1;
	return event;
}

static void a_steady_stream_becomes_a_few_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < EVENTS_MAX; i++)
		fed[i] = plain(i);
	there_and_back(EVENTS_MAX, 0);
	assert_int_equal(got.rows, (EVENTS_MAX + N_MAX - 1) / N_MAX);
	assert_int_equal(got.largest, N_MAX);
}

static void events_in_turn_are_found_up_to_the_longest_period(void **state)
{
	(void)state;
	for (size_t period = 2; period <= REPEAT_PERIOD_MAX; period++) {
		for (size_t i = 0; i < 1000; i++) {
			fed[i] = plain(i);
			fed[i].n[1] = (int64_t)(i % period);
		}
		there_and_back(1000, 0);
		assert_int_equal(got.rows, period);
	}
	for (size_t i = 0; i < 1000; i++)
		fed[i].n[1] = (int64_t)(i % (REPEAT_PERIOD_MAX + 1));
	there_and_back(1000, 0);
	assert_int_equal(got.rows, 1000);
}

static void any_member_that_breaks_the_pattern_ends_the_row(void **state)
{
	(void)state;
	for (int what = 0; what < 7 + EVENT_NUMBERS; what++) {
		struct event *odd = &fed[500];

		for (size_t i = 0; i < 1000; i++)
			fed[i] = plain(i);
		if (what < EVENT_NUMBERS)
			odd->n[what]++;
		odd->t_ns += what == EVENT_NUMBERS;
		odd->step += what == EVENT_NUMBERS + 1;
		odd->seq += what == EVENT_NUMBERS + 2;
		odd->cpu += what == EVENT_NUMBERS + 3;
		odd->memcg += what == EVENT_NUMBERS + 4;
		odd->rule = what == EVENT_NUMBERS + 5 ? RULE_SCAN_SAVED : odd->rule;
		there_and_back(1000, 0);
		assert_true(what == EVENT_NUMBERS + 6 ? got.rows == 1 : got.rows > 1);
	}
}

static void a_flush_gives_all_and_keeps_the_period(void **state)
{
	(void)state;
	for (size_t i = 0; i < 1000; i++) {
		fed[i] = plain(i);
		fed[i].n[1] = (int64_t)(i % 3);
	}
	there_and_back(1000, 100);
	assert_true(got.rows <= 10 * 3);
	there_and_back(1000, 7);
	there_and_back(1000, 1);
	assert_int_equal(got.rows, 1000);
}

static void numbers_at_their_ends_survive(void **state)
{
	(void)state;
	for (size_t i = 0; i < 12; i++) {
		fed[i] = plain(i);
		fed[i].n[REPEAT_D] = i % 2 ? INT64_MIN : INT64_MAX;
		fed[i].n[0] = INT64_MIN;
	}
	there_and_back(12, 0);
}

/* Stretches of repeats, noise and changes of period, as chance has it. */
static void random_streams_come_back_whole(void **state)
{
	uint64_t random = 88172645463325252u;

	(void)state;
	for (int round = 0; round < 30; round++) {
		size_t left = 0, period = 1, noise = 0;

		for (size_t i = 0; i < 3000; i++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			if (!left) {
				left = random % 200 + 1;
				period = random / 256 % 20 + 1;
				noise = random / 65536 % 4 == 0;
			}
			left--;
			fed[i] = plain(i);
			fed[i].n[1] = (int64_t)(i % period);
			if (noise)
				fed[i].t_ns += random % 3;
		}
		there_and_back(3000, round % 3 ? (size_t)round * 17 : 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_steady_stream_becomes_a_few_rows),
		cmocka_unit_test(events_in_turn_are_found_up_to_the_longest_period),
		cmocka_unit_test(any_member_that_breaks_the_pattern_ends_the_row),
		cmocka_unit_test(a_flush_gives_all_and_keeps_the_period),
		cmocka_unit_test(numbers_at_their_ends_survive),
		cmocka_unit_test(random_streams_come_back_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
