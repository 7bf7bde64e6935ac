/*
 * The name of a state: everything that steers what comes next is in it, and
 * nothing else.  Each test changes one thing behind the engine's back, sees
 * another hash, puts it back and sees the first again.
 */
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "run_private.h"

enum { CPU_HELD = 1 };

/* A machine in the middle of things: lists, queues, stock and saved scans are all in use. */
struct busy {
	struct rig rig;
	struct machine *m;
	uint32_t group, task, file, map;
	char hash[RUN_HASH_MAX];
};

static void live(struct rig *rig, uint32_t *group, uint32_t *task, uint32_t *file, uint32_t *map)
{
	uint32_t held;

	*group = rig_hierarchy(rig, RIG_ROOT, "g", 500);
	*task = rig_task(rig, *group, 0);
	*file = rig_file(rig, 4000);
	*map = rig_map(rig, *task, 100);
	rig_read(rig, *task, *file, 0, 300);
	rig_touch(rig, *task, *map, 0, 50);
	rig_read(rig, *task, *file, 0, 100);
	rig_read(rig, *task, *file, 300, 333);
	held = rig_task(rig, *group, CPU_HELD);
	rig_read(rig, held, *file, 2000, 20);
	rig_read(rig, held, *file, 2000, 5);
}

static void busy_open(struct busy *b, const char *kernel)
{
	rig_open(&b->rig, kernel, 2);
	live(&b->rig, &b->group, &b->task, &b->file, &b->map);
	b->m = run_machine(b->rig.run);
	run_hash(b->rig.run, b->hash);
}

static void expect_change(struct busy *b, const char *what)
{
	char now[RUN_HASH_MAX];

	run_hash(b->rig.run, now);
	if (!strcmp(now, b->hash))
		fail_msg("%s is not in the hash", what);
}

static void expect_back(struct busy *b, const char *what)
{
	char now[RUN_HASH_MAX];

	run_hash(b->rig.run, now);
	if (strcmp(now, b->hash))
		fail_msg("%s was put back, and the hash is another", what);
}

static void check_u64(struct busy *b, uint64_t *place, const char *what)
{
	uint64_t old = *place;

	*place = old + 1;
	expect_change(b, what);
	*place = old;
	expect_back(b, what);
}

static void check_u32(struct busy *b, uint32_t *place, const char *what)
{
	uint32_t old = *place;

	*place = old ^ 1;
	expect_change(b, what);
	*place = old;
	expect_back(b, what);
}

static void a_hash_is_32_hexadecimal_digits(void **state)
{
	struct busy b;

	(void)state;
	busy_open(&b, "v2.6.32");
	assert_int_equal(strlen(b.hash), RUN_HASH_MAX - 1);
	assert_int_equal(strspn(b.hash, "0123456789abcdef"), RUN_HASH_MAX - 1);
	rig_close(&b.rig);
}

static void counters_are_in_the_hash(void **state)
{
	struct counter *counter;
	struct busy b;

	(void)state;
	busy_open(&b, "v3.1");
	counter = &b.m->memcgs.memcg[b.group].counter;
	check_u64(&b, &counter->usage, "usage");
	check_u64(&b, &counter->limit, "limit");
	check_u64(&b, &counter->max_usage, "max_usage");
	check_u64(&b, &counter->failcnt, "failcnt");
	check_u64(&b, &b.m->memcgs.memcg[b.group].charged, "charged");
	check_u64(&b, &b.m->memcgs.memcg[b.group].queued, "queued");
	for (int lru = 0; lru < NR_LRU; lru++)
		check_u64(&b, &b.m->memcgs.memcg[b.group].size[lru], lru_name((enum lru)lru));
	rig_close(&b.rig);
}

static void saved_scans_and_statistics_are_in_the_hash(void **state)
{
	struct lruvec *lruvec, *zone;
	struct busy b;

	(void)state;
	busy_open(&b, "v2.6.32");
	lruvec = &b.m->memcgs.memcg[b.group].lruvec[0];
	zone = &b.m->host->zone[0].lruvec;
	for (int lru = 0; lru < NR_LRU; lru++) {
		check_u32(&b, &lruvec->saved[lru], "a group's saved scan");
		check_u32(&b, &zone->saved[lru], "the zone's saved scan");
	}
	for (int type = 0; type < NR_SCAN_TYPES; type++) {
		check_u64(&b, &lruvec->stat.scanned[type], "recent scanned");
		check_u64(&b, &lruvec->stat.rotated[type], "recent rotated");
	}
	rig_close(&b.rig);
}

static void cursors_and_iterators_are_in_the_hash(void **state)
{
	struct memcg *memcg;
	struct busy b;

	(void)state;
	busy_open(&b, "v3.3");
	memcg = &b.m->memcgs.memcg[b.group];
	check_u32(&b, &memcg->last_child, "the cursor");
	for (int priority = 0; priority <= 12; priority++) {
		check_u32(&b, &memcg->iter[0][priority].position, "an iterator's position");
		check_u32(&b, &memcg->iter[0][priority].generation, "an iterator's generation");
	}
	rig_close(&b.rig);
}

static void the_order_of_a_queue_is_in_the_hash(void **state)
{
	struct pagevec *add, *activate;
	struct busy b;
	uint32_t first;

	(void)state;
	busy_open(&b, "v3.1");
	add = &b.m->cpu[CPU_HELD].add[LRU_INACTIVE_FILE];
	assert_true(add->nr >= 2);
	first = add->slot[0];
	add->slot[0] = add->slot[1];
	add->slot[1] = first;
	expect_change(&b, "the order of an add queue");
	add->slot[1] = add->slot[0];
	add->slot[0] = first;
	expect_back(&b, "the order of an add queue");
	activate = &b.m->cpu[CPU_HELD].activate;
	assert_true(activate->nr >= 2);
	check_u32(&b, &activate->nr, "the length of the activate queue");
	rig_close(&b.rig);
}

static void the_stock_is_in_the_hash(void **state)
{
	struct busy b;

	(void)state;
	busy_open(&b, "v3.1");
	for (int cpu = 0; cpu < 2; cpu++) {
		check_u32(&b, &b.m->cpu[cpu].stock[0].nr, "a stock");
		check_u32(&b, &b.m->cpu[cpu].stock[0].memcg, "a stock's owner");
	}
	rig_close(&b.rig);
}

/* The slot at @depth from the tail of the group's inactive file list. */
static uint32_t slot_at(struct busy *b, enum lru_plane plane, unsigned depth)
{
	struct lruvec *lruvec = plane == PLANE_GROUP ? &b->m->memcgs.memcg[b->group].lruvec[0]
						     : &b->m->host->zone[0].lruvec;
	struct lru_walk walk;
	uint32_t slot = SLOT_NONE;

	lru_walk_start(&lruvec->list[LRU_INACTIVE_FILE], &walk);
	do {
		slot = lru_walk_next(&b->m->lists, plane, &walk);
		assert_int_not_equal(slot, SLOT_NONE);
	} while (depth--);
	return slot;
}

static void check_order(struct busy *b, enum lru_plane plane)
{
	struct lruvec *lruvec = plane == PLANE_GROUP ? &b->m->memcgs.memcg[b->group].lruvec[0]
						     : &b->m->host->zone[0].lruvec;
	struct lru_list *list = &lruvec->list[LRU_INACTIVE_FILE];
	uint32_t oldest = slot_at(b, plane, 0);

	/* The oldest page becomes the newest and then the oldest again. */
	lru_del(&b->m->lists, list, plane, oldest);
	assert_true(lru_add(&b->m->lists, list, plane, oldest));
	expect_change(b, "the order of a list");
	lru_del(&b->m->lists, list, plane, oldest);
	assert_true(lru_add_tail(&b->m->lists, list, plane, oldest));
	expect_back(b, "the order of a list");
}

static void the_order_of_lists_is_in_the_hash(void **state)
{
	struct busy b;

	(void)state;
	busy_open(&b, "v2.6.31");
	check_order(&b, PLANE_GROUP);
	check_order(&b, PLANE_ZONE);
	rig_close(&b.rig);
	busy_open(&b, "v3.3");
	check_order(&b, PLANE_GROUP);
	rig_close(&b.rig);
}

static void flags_of_a_page_are_in_the_hash(void **state)
{
	static const uint32_t flags[] = {
		PG_REFERENCED, PG_ACTIVE, PG_DIRTY, PG_UNEVICTABLE, PG_MAPPED, PG_YOUNG,
	};
	struct busy b;
	uint32_t *word;

	(void)state;
	busy_open(&b, "v3.3");
	word = &b.m->pages.slot[slot_at(&b, PLANE_GROUP, 3)].word;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		*word ^= flags[i];
		expect_change(&b, "a page's flag");
		*word ^= flags[i];
		expect_back(&b, "a page's flag");
	}
	rig_close(&b.rig);
}

static void time_and_the_generator_are_in_the_hash(void **state)
{
	struct busy b;

	(void)state;
	busy_open(&b, "v3.1");
	check_u64(&b, &b.m->host->now, "time");
	check_u64(&b, &b.m->cpu[1].clock, "a CPU's clock");
	for (int i = 0; i < 4; i++)
		check_u64(&b, &b.m->host->rng.s[i], "the generator");
	/* What a scenario draws for itself is no op and not part of the machine. */
	run_random(b.rig.run, 10);
	expect_back(&b, "the scenario's own generator");
	rig_close(&b.rig);
}

static void the_same_ops_give_the_same_hash(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		char first[RUN_HASH_MAX];
		struct busy b;

		busy_open(&b, rig_kernels[k]);
		memcpy(first, b.hash, sizeof(first));
		rig_close(&b.rig);
		busy_open(&b, rig_kernels[k]);
		assert_string_equal(b.hash, first);
		/* Reading the figures and looking on change nothing. */
		rig_memcg(&b.rig, b.group);
		rig_check(&b.rig, rig_kernels[k]);
		expect_back(&b, "what was only read");
		rig_close(&b.rig);
	}
}

static void one_op_more_is_another_state(void **state)
{
	struct busy b;

	(void)state;
	busy_open(&b, "v3.3");
	rig_read(&b.rig, b.task, b.file, 3000, 1);
	expect_change(&b, "one more page");
	rig_close(&b.rig);
}

static void who_looks_on_does_not_matter(void **state)
{
	struct scenario sc;
	struct busy b;
	struct rig alone;
	char hash[RUN_HASH_MAX];

	(void)state;
	busy_open(&b, "v3.1");
	rig_scenario(&sc, "v3.1", 2);
	memset(&alone, 0, sizeof(alone));
	assert_int_equal(run_open(&sc, &alone.run, &alone.diag), ERR_OK);
	live(&alone, &b.group, &b.task, &b.file, &b.map);
	run_hash(alone.run, hash);
	assert_string_equal(hash, b.hash);
	rig_close(&alone);
	rig_close(&b.rig);
}

/* The log of @from, decoded. */
static struct oplog *copy_log(struct rig *from)
{
	struct oplog *log = NULL;
	const void *data;
	size_t size;

	data = run_oplog(from->run, &size);
	assert_non_null(data);
	assert_int_equal(oplog_open(data, size, &log, &from->diag), ERR_OK);
	return log;
}

static void a_replayed_log_ends_in_the_same_state(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		char hash[RUN_HASH_MAX];
		struct oplog *log;
		struct rig again;
		struct busy b;

		busy_open(&b, rig_kernels[k]);
		log = copy_log(&b.rig);
		assert_int_equal(oplog_steps(log), run_steps(b.rig.run));
		rig_open(&again, rig_kernels[k], 2);
		assert_int_equal(oplog_play(log, again.run, UINT64_MAX, &again.diag), ERR_OK);
		run_hash(again.run, hash);
		assert_string_equal(hash, b.hash);
		assert_int_equal(again.nr_events, b.rig.nr_events);
		oplog_close(log);
		rig_close(&again);
		rig_close(&b.rig);
	}
}

static void a_log_is_played_to_any_step(void **state)
{
	char at[64][RUN_HASH_MAX], hash[RUN_HASH_MAX];
	struct rig rig, again;
	uint32_t group, task, file;
	struct oplog *log;
	uint64_t first;

	(void)state;
	rig_open(&rig, "v2.6.32", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 200);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 4000);
	first = run_steps(rig.run);
	for (uint64_t i = 0; i < 64; i++) {
		rig_read(&rig, task, file, i * 30, 30);
		run_hash(rig.run, at[i]);
	}
	log = copy_log(&rig);
	rig_open(&again, "v2.6.32", 1);
	for (uint64_t i = 0; i < 64; i += 9) {
		assert_int_equal(oplog_play(log, again.run, first + i + 1, &again.diag), ERR_OK);
		assert_int_equal(run_steps(again.run), first + i + 1);
		run_hash(again.run, hash);
		assert_string_equal(hash, at[i]);
	}
	oplog_close(log);
	rig_close(&again);
	rig_close(&rig);
}

static void a_damaged_log_is_refused(void **state)
{
	const unsigned char *data;
	unsigned char *copy;
	size_t size;
	struct busy b;

	(void)state;
	busy_open(&b, "v2.6.31");
	data = run_oplog(b.rig.run, &size);
	copy = malloc(size);
	assert_non_null(copy);
	for (size_t i = 0; i < size; i++) {
		struct oplog *log = NULL;
		enum err err;

		/* A shorter log, and one with a byte changed: refused or read, never worse. */
		memcpy(copy, data, size);
		err = oplog_open(copy, i, &log, &b.rig.diag);
		if (!err)
			oplog_close(log);
		else
			assert_int_equal(err, ERR_DB);
		copy[i] ^= 0x55;
		log = NULL;
		err = oplog_open(copy, size, &log, &b.rig.diag);
		if (!err)
			oplog_close(log);
		else
			assert_int_equal(err, ERR_DB);
	}
	assert_int_equal(oplog_open(copy, 1, &(struct oplog *){ NULL }, &b.rig.diag), ERR_DB);
	free(copy);
	rig_close(&b.rig);
}

/* Who took pages from whom, dead groups, swap limits: later figures and decisions hang on them. */
static void accounts_of_groups_are_in_the_hash(void **state)
{
	struct memcg *memcg;
	struct busy b;

	(void)state;
	busy_open(&b, "v2.6.31");
	memcg = machine_memcg(b.m, b.group);
	assert_true(b.m->block.region[REGION_TAKEN].used > 0);
	b.m->taken[0].nr++;
	expect_change(&b, "the number of pages taken");
	b.m->taken[0].nr--;
	b.m->taken[0].owner++;
	expect_change(&b, "from whom pages were taken");
	b.m->taken[0].owner--;
	expect_back(&b, "taken");
	memcg->dying = true;
	expect_change(&b, "a dying group");
	memcg->dying = false;
	memcg->memsw.limit--;
	expect_change(&b, "a limit of memory and swap");
	memcg->memsw.limit++;
	memcg->memsw.swapped++;
	expect_change(&b, "pages in swap");
	memcg->memsw.swapped--;
	expect_back(&b, "accounts");
	rig_close(&b.rig);
}

/* The marks of evicted pages decide what counts as read again: pages 1600 and 4000 - 1 of the file
 * were never read, the first in a leaf that is there and the second in one that is not. */
static void marks_of_evicted_pages_are_in_the_hash(void **state)
{
	const struct mapping *map;
	struct busy b;
	uint32_t slot;

	(void)state;
	busy_open(&b, "v2.6.31");
	map = &b.m->pages.mapping[b.file];
	slot = page_find(&b.m->pages, map, 1600);
	assert_true(slot >= LEAF_SLOTS);
	assert_int_equal(b.m->pages.slot[slot].word, 0);
	b.m->pages.slot[slot].word = PG_GONE;
	expect_change(&b, "the mark of an evicted page");
	b.m->pages.slot[slot].word = 0;
	assert_true(page_find(&b.m->pages, map, 3999) < LEAF_SLOTS);
	b.m->pages.gone[map->dir + 7] = 1;
	expect_change(&b, "what was evicted of a leaf that is no more");
	b.m->pages.gone[map->dir + 7] = 0;
	expect_back(&b, "marks");
	rig_close(&b.rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(accounts_of_groups_are_in_the_hash),
		cmocka_unit_test(marks_of_evicted_pages_are_in_the_hash),
		cmocka_unit_test(a_hash_is_32_hexadecimal_digits),
		cmocka_unit_test(counters_are_in_the_hash),
		cmocka_unit_test(saved_scans_and_statistics_are_in_the_hash),
		cmocka_unit_test(cursors_and_iterators_are_in_the_hash),
		cmocka_unit_test(the_order_of_a_queue_is_in_the_hash),
		cmocka_unit_test(the_stock_is_in_the_hash),
		cmocka_unit_test(the_order_of_lists_is_in_the_hash),
		cmocka_unit_test(flags_of_a_page_are_in_the_hash),
		cmocka_unit_test(time_and_the_generator_are_in_the_hash),
		cmocka_unit_test(the_same_ops_give_the_same_hash),
		cmocka_unit_test(one_op_more_is_another_state),
		cmocka_unit_test(who_looks_on_does_not_matter),
		cmocka_unit_test(a_replayed_log_ends_in_the_same_state),
		cmocka_unit_test(a_log_is_played_to_any_step),
		cmocka_unit_test(a_damaged_log_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
