/*
 * The language of recorded workloads: every record and operation is read,
 * and what is not understood is refused with its file and line.
 */
#include "recorded.h"

#include <stdio.h>
#include <string.h>

#include "real_op.h"

static const char all_operations[] =
	"# a comment\n"
	"exp all  # to the end of the line\n"
	"opt kswapd\n"
	"g g - limit=16M soft=4096 swappiness=7 oomdis=1\n"
	"g child g\n"
	"f a o0 100\n"
	"f b lf 1\n"
	"\n"
	"t w child 1 5 open:0:@a:random,w open:63:@b seq:0:10:20:3 seq:0:0:4:1:2 "
	"seqb:0:0:5:1:1024 nc:0:0:1:1 uni:0:100:7:11 zipf:0:50:1200:9:21 mseq:0:0:3:1 "
	"mseq:0:0:3:1:random mzipf:0:9:800:4:1:random anon:2:8:1:w anon:2:8:1:r "
	"auni:2:8:4:1 adv:2:cold:0:4 write:63:0:8:1 seq:63:7:1:1 fsync:0 "
	"fadv:0:dontneed:0:9 sleep:15 mark:m ctl:limit:g:-1 ctl:limit:child:1G "
	"ctl:force_empty:g\n"
	"t v - 0 0\n"
	"exp second\n"
	"t w - 0 0 rep:2:3 mark:x rep:3:1 mark:y mark:z\n";

static void every_record_and_operation_is_read(void **state)
{
	static const int kinds[] = {
		REAL_OPEN, REAL_OPEN, REAL_SEQ, REAL_SEQ, REAL_SEQB, REAL_NC, REAL_UNI,
		REAL_ZIPF, REAL_MSEQ, REAL_MSEQ, REAL_MZIPF, REAL_ANON, REAL_ANON, REAL_AUNI,
		REAL_ADV, REAL_WRITE, REAL_SEQ, REAL_FSYNC, REAL_FADV, REAL_SLEEP, REAL_MARK,
		REAL_LIMIT, REAL_LIMIT, REAL_FORCE_EMPTY,
	};
	const struct real_experiment *exp;
	struct recorded rec;

	(void)state;
	recorded_text(&rec, all_operations);
	exp = recorded_find(&rec, "all");
	assert_int_equal(rec.set.nr, 2);
	assert_int_equal(exp->nr_tasks, 2);
	assert_int_equal(exp->task[0].nr_ops, sizeof(kinds) / sizeof(kinds[0]));
	for (size_t i = 0; i < exp->task[0].nr_ops; i++)
		assert_int_equal(exp->task[0].op[i].kind, kinds[i]);
	assert_int_equal(exp->task[0].group, 1);
	assert_int_equal(exp->task[0].quantum, 5);
	assert_int_equal(exp->task[1].group, -1);
	recorded_close(&rec);
}

static void arguments_reach_their_operation(void **state)
{
	const struct real_op *op;
	struct recorded rec;

	(void)state;
	recorded_text(&rec, all_operations);
	op = recorded_find(&rec, "all")->task[0].op;
	assert_true(op[0].random && op[0].writes && !op[1].random);
	assert_int_equal(op[2].start, 10);
	assert_int_equal(real_op_total(&op[2]), 60);
	assert_int_equal(op[3].chunk, 2);
	assert_int_equal(op[7].exponent, 1200);
	assert_int_equal(op[7].seed, 21);
	assert_int_equal(real_op_total(&op[7]), 9);
	assert_true(op[9].random && !op[8].random);
	assert_true(op[11].writes && !op[12].writes);
	assert_int_equal(op[16].object, 1);
	assert_int_equal(op[19].value, 15);
	assert_string_equal(op[20].word, "m");
	assert_int_equal(op[21].value, PAGES_UNLIMITED);
	assert_int_equal(op[22].value, 262144);
	assert_int_equal(op[22].object, 1);
	recorded_close(&rec);
}

static void groups_get_their_options_in_pages(void **state)
{
	const struct real_group *group;
	struct recorded rec;

	(void)state;
	recorded_text(&rec, all_operations);
	group = recorded_find(&rec, "all")->group;
	assert_true(group[0].has_limit && group[0].has_soft && group[0].oom_disable);
	assert_int_equal(group[0].limit_pages, 4096);
	assert_int_equal(group[0].soft_pages, 1);
	assert_int_equal(group[0].swappiness, 7);
	assert_int_equal(group[0].parent, -1);
	assert_int_equal(group[1].parent, 0);
	assert_false(group[1].has_limit);
	recorded_close(&rec);
}

/* Twice x and three times y, so the outer block is the three words behind it. */
static void a_repeated_block_is_written_out_within_another_too(void **state)
{
	const struct real_task *task;
	char names[16] = "";
	struct recorded rec;

	(void)state;
	recorded_text(&rec, all_operations);
	task = recorded_find(&rec, "second")->task;
	for (size_t i = 0; i < task->nr_ops; i++)
		strcat(names, task->op[i].word);
	assert_string_equal(names, "xyyyxyyyz");
	recorded_close(&rec);
}

static void a_file_grows_by_what_is_written_behind_its_end(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, all_operations);
	assert_int_equal(recorded_find(&rec, "all")->file[1].pages, 1);
	assert_int_equal(recorded_find(&rec, "all")->file[1].extent, 8);
	recorded_close(&rec);
}

struct refused {
	const char *text, *says;
};

static const struct refused refusals[] = {
	{ "exp e\nq\n", "txt:2: unknown record: \"q\"" },
	{ "g g -\n", "txt:1: comes before the first exp" },
	{ "exp e\nexp e\n", "txt:2: there is such an experiment already" },
	{ "exp e\ng a b\n", "txt:2: no such group: \"b\"" },
	{ "exp e\ng a - limit=9Q\n", "txt:2: is no option of a group: \"limit=9Q\"" },
	{ "exp e\ng a - limt=9\n", "txt:2: is no option of a group: \"limt=9\"" },
	{ "exp e\ng a -\ng a -\n", "txt:3: there is such a group already" },
	{ "exp e\nf a ext4 1\n", "txt:2: is no file system of o0, lf, nr: \"ext4\"" },
	{ "exp e\nf a o0\n", "txt:2: is written: \"f ID FS PAGES\"" },
	{ "exp e\nopt swap\n", "txt:2: unknown option: \"swap\"" },
	{ "exp e\nt w - 2 0\n", "txt:2: is no CPU of 0, 1: \"2\"" },
	{ "exp e\nt w g 1 0\n", "txt:2: no such group: \"g\"" },
	{ "exp e\n\nt w - 1 0 wait:5\n", "txt:3: unknown operation \"wait:5\"" },
	{ "exp e\nt w - 1 0 sequel:0\n", "txt:2: unknown operation \"sequel:0\"" },
	{ "exp e\nt w - 1 0 seq:0:0:1:1\n", "\"0\" is not the number of an open file" },
	{ "exp e\nt w - 1 0 open:0:@a\n", "\"@a\" is not @ and the name of a file" },
	{ "exp e\nf a o0 9\nt w - 1 0 open:0:a\n", "\"a\" is not @ and the name" },
	{ "exp e\nf a o0 9\nt w - 1 0 open:0:@a:fast\n", "\"fast\" is not random, seq" },
	{ "exp e\nf a o0 9\nt w - 1 0 open:0:@a seq:0:0:1:1:2:3\n", "\"3\" is too much" },
	{ "exp e\nf a o0 9\nt w - 1 0 open:0:@a seq:0:0\n", "is not a number above 0" },
	{ "exp e\nf a o0 9\nt w - 1 0 open:0:@a zipf:0:9:0:1:1\n", "thousandths above 0" },
	{ "exp e\nf a o0 9\nt w - 1 0 open:0:@a seq:0:9:1:1\n",
	  "txt:1: e: seq reads behind the end of file \"a\"" },
	{ "exp e\nt w - 1 0 ctl:limit:g:1M\n", "\"g\" is not the name of a group" },
	{ "exp e\nt w - 1 0 rep:2:2 mark:a\n", "repeats more than there is" },
	{ "exp e\n", "txt:1: has no task: \"e\"" },
};

static void what_is_not_understood_is_refused_with_its_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct recorded rec;

		recorded_new(&rec);
		recorded_write(&rec, "experiments.txt", refusals[i].text);
		assert_int_equal(real_open(rec.folder, &rec.set, &rec.diag), ERR_IMPORT);
		if (strstr(rec.diag.text, refusals[i].says) == NULL)
			fail_msg("number %zu: \"%s\" does not say \"%s\"", i, rec.diag.text,
				 refusals[i].says);
		recorded_close(&rec);
	}
}

static void a_folder_without_experiments_is_refused(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_new(&rec);
	assert_int_equal(real_open(rec.folder, &rec.set, &rec.diag), ERR_USAGE);
	assert_non_null(strstr(rec.diag.text, "experiments.txt: No such file"));
	recorded_close(&rec);
}

static void an_unknown_name_is_told_the_nearest(void **state)
{
	const struct real_experiment *exp;
	struct recorded rec;

	(void)state;
	recorded_text(&rec, all_operations);
	assert_int_equal(real_find(&rec.set, "secnd", &exp, &rec.diag), ERR_USAGE);
	assert_non_null(strstr(rec.diag.text, "did you mean second?"));
	recorded_close(&rec);
}

static void the_shipped_experiments_are_all_read(void **state)
{
	struct real_set set;
	struct diag diag;

	(void)state;
	if (real_open(RECORDED_SHIPPED, &set, &diag) != ERR_OK)
		fail_msg("%s", diag.text);
	assert_int_equal(set.nr, 27);
	real_close(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record_and_operation_is_read),
		cmocka_unit_test(arguments_reach_their_operation),
		cmocka_unit_test(groups_get_their_options_in_pages),
		cmocka_unit_test(a_repeated_block_is_written_out_within_another_too),
		cmocka_unit_test(a_file_grows_by_what_is_written_behind_its_end),
		cmocka_unit_test(what_is_not_understood_is_refused_with_its_place),
		cmocka_unit_test(a_folder_without_experiments_is_refused),
		cmocka_unit_test(an_unknown_name_is_told_the_nearest),
		cmocka_unit_test(the_shipped_experiments_are_all_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
