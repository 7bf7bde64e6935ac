/*
 * Copies of a run: whatever happened since, it is back to the bit, and what
 * happens next happens as it did the first time, events and log included.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewind.h"
#include "rig.h"

enum { PARTS = 12 };

/* A life with groups, tasks, files, dirty pages and anonymous memory that grows in each part. */
static void live_part(struct rig *rig, int part)
{
	char name[OP_NAME_MAX];
	uint32_t group, task, file, map;

	snprintf(name, sizeof(name), "g%d", part);
	group = rig_hierarchy(rig, RIG_ROOT, name, 300);
	task = rig_task(rig, group, (uint32_t)part % 2);
	file = rig_file(rig, 900);
	map = rig_map(rig, task, 120);
	rig_read(rig, task, file, 0, 700);
	rig_touch(rig, task, map, 0, 90);
	rig_apply(rig, &(struct op){ .kind = OP_WRITE,
				     .task = task,
				     .object = file,
				     .offset = 700 * PAGE_BYTES,
				     .length = 100 * PAGE_BYTES,
				     .chunk = 8 * PAGE_BYTES });
	rig_read(rig, task, file, 100, 400);
	rig_unmap(rig, task, map);
}

/* What a part of a life leaves: the state, the log, and all that it told. */
struct trace {
	char hash[RUN_HASH_MAX];
	size_t log_bytes, nr_events;
	unsigned char *log;
	struct event *events;
};

static void trace_take(struct rig *rig, struct trace *t)
{
	const void *log = run_oplog(rig->run, &t->log_bytes);

	run_hash(rig->run, t->hash);
	t->log = malloc(t->log_bytes);
	t->nr_events = rig->nr_events;
	t->events = malloc((t->nr_events + 1) * sizeof(*t->events));
	assert_non_null(t->log);
	assert_non_null(t->events);
	memcpy(t->log, log, t->log_bytes);
	for (size_t i = 0; i < t->nr_events; i++)
		t->events[i] = rig->events[i];
}

static void trace_free(struct trace *t)
{
	free(t->log);
	free(t->events);
}

static void same(const struct trace *a, const struct trace *b)
{
	assert_string_equal(a->hash, b->hash);
	assert_int_equal(a->log_bytes, b->log_bytes);
	assert_memory_equal(a->log, b->log, a->log_bytes);
	assert_int_equal(a->nr_events, b->nr_events);
	for (size_t i = 0; i < a->nr_events; i++) {
		assert_int_equal(a->events[i].seq, b->events[i].seq);
		assert_int_equal(a->events[i].t_ns, b->events[i].t_ns);
		assert_int_equal(a->events[i].kind, b->events[i].kind);
		assert_memory_equal(a->events[i].n, b->events[i].n, sizeof(a->events[i].n));
	}
}

static void round_trip(const char *kernel)
{
	struct run_frame *frame = NULL;
	char then[RUN_HASH_MAX], back[RUN_HASH_MAX];
	struct trace first, second;
	struct diag diag;
	struct rig rig;

	rig_open(&rig, kernel, 2);
	for (int i = 0; i < PARTS / 3; i++)
		live_part(&rig, i);
	run_hash(rig.run, then);
	assert_int_equal(run_save(rig.run, &frame, &diag), ERR_OK);
	assert_int_equal(run_frame_step(frame), run_steps(rig.run));
	rig_forget(&rig);
	for (int i = PARTS / 3; i < PARTS; i++)
		live_part(&rig, i);
	trace_take(&rig, &first);
	assert_string_not_equal(first.hash, then);
	run_restore(rig.run, frame);
	run_hash(rig.run, back);
	assert_string_equal(back, then);
	assert_int_equal(run_steps(rig.run), run_frame_step(frame));
	rig_check(&rig, "after coming back");
	rig_forget(&rig);
	for (int i = PARTS / 3; i < PARTS; i++)
		live_part(&rig, i);
	trace_take(&rig, &second);
	same(&first, &second);
	trace_free(&first);
	trace_free(&second);
	run_frame_free(frame);
	rig_close(&rig);
}

static void a_run_comes_back_and_goes_the_same_way_again_on_every_kernel(void **state)
{
	(void)state;
	for (size_t i = 0; rig_kernels[i]; i++)
		round_trip(rig_kernels[i]);
}

static void a_copy_of_the_first_moment_and_an_older_one_work_in_any_order(void **state)
{
	struct run_frame *first = NULL, *later = NULL;
	char hash[2][RUN_HASH_MAX], back[RUN_HASH_MAX];
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18", 2);
	run_hash(rig.run, hash[0]);
	assert_int_equal(run_save(rig.run, &first, NULL), ERR_OK);
	live_part(&rig, 0);
	run_hash(rig.run, hash[1]);
	assert_int_equal(run_save(rig.run, &later, NULL), ERR_OK);
	live_part(&rig, 1);
	run_restore(rig.run, first);
	run_hash(rig.run, back);
	assert_string_equal(back, hash[0]);
	run_restore(rig.run, later);
	run_hash(rig.run, back);
	assert_string_equal(back, hash[1]);
	rig_check(&rig, "after going forward by a copy");
	assert_true(run_frame_bytes(later) > run_frame_bytes(first));
	run_frame_free(first);
	run_frame_free(later);
	run_frame_free(NULL);
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_comes_back_and_goes_the_same_way_again_on_every_kernel),
		cmocka_unit_test(a_copy_of_the_first_moment_and_an_older_one_work_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
