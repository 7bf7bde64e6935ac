/*
 * Comparison of stored runs: which runs make a side, what differs and on
 * which side, and the verdict on each metric.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"
#include "stored.h"

/* What a run is given beside its seed. */
struct given {
	const char *kernel, *params, *text, *version;
};

static const struct given base = { "v1", "{\"limit\":100,\"seed\":0}", "return 1", "1.0" };

static int64_t begin(struct stored *st, const struct given *given, uint64_t seed)
{
	struct db_run run = {
		.scenario = "s",
		.seed = seed,
		.text = (char *)given->text,
		.params = (char *)given->params,
	};

	snprintf(run.kernel, sizeof(run.kernel), "%s", given->kernel);
	snprintf(run.version, sizeof(run.version), "%s", given->version);
	assert_int_equal(db_run_begin(st->db, &run, &st->diag), ERR_OK);
	return run.id;
}

static void end(struct stored *st, int64_t id)
{
	const struct db_end how = { .state = RUN_DONE, .wall_ns = 1500000000, .steps = 9 };

	assert_int_equal(db_run_end(st->db, id, &how, &st->diag), ERR_OK);
}

static void metric(struct stored *st, int64_t id, const char *name, double value)
{
	struct db_metric m = { .unit = "pages", .better = "lower", .is_real = true, .real = value };

	snprintf(m.name, sizeof(m.name), "%s", name);
	assert_int_equal(db_metrics_add(st->db, id, &m, 1, &st->diag), ERR_OK);
}

static void word(struct stored *st, int64_t id, const char *name, const char *value)
{
	struct db_metric m = { .is_text = true };

	snprintf(m.name, sizeof(m.name), "%s", name);
	snprintf(m.text, sizeof(m.text), "%s", value);
	assert_int_equal(db_metrics_add(st->db, id, &m, 1, &st->diag), ERR_OK);
}

/* Runs with seeds 1 to @nr and one metric, @value of each.  Returns: the id of the first. */
static int64_t side(struct stored *st, const struct given *given, const double *value, size_t nr)
{
	int64_t first = 0;

	for (size_t i = 0; i < nr; i++) {
		int64_t id = begin(st, given, i + 1);

		metric(st, id, "m", value[i]);
		end(st, id);
		first = first ? first : id;
	}
	return first;
}

static struct compare *compare(struct stored *st, int64_t a, int64_t b, const char *only)
{
	const struct compare_options options = { .metric = only };
	struct compare *out;
	char ref[2][24];
	const char *const refs[2] = { ref[0], ref[1] };

	snprintf(ref[0], sizeof(ref[0]), "%lld", (long long)a);
	snprintf(ref[1], sizeof(ref[1]), "%lld", (long long)b);
	if (compare_open(st->db, refs, &options, &out, &st->diag) != ERR_OK)
		fail_msg("%s", st->diag.text);
	return out;
}

static const struct compare_metric *find(const struct compare *c, const char *name)
{
	for (size_t i = 0; i < c->nr_metrics; i++)
		if (strcmp(c->metric[i].name, name) == 0)
			return &c->metric[i];
	fail_msg("no metric %s", name);
	return NULL;
}

static const struct compare_param *param(const struct compare *c, const char *name)
{
	for (size_t i = 0; i < c->nr_params; i++)
		if (strcmp(c->param[i].name, name) == 0)
			return &c->param[i];
	fail_msg("no parameter %s", name);
	return NULL;
}

static void two_runs_that_differ_in_one_value_show_that_value_alone(void **state)
{
	struct stored st;
	struct compare *c;
	int64_t id[2];

	(void)state;
	stored_open(&st);
	for (int i = 0; i < 2; i++) {
		id[i] = begin(&st, &base, 7);
		metric(&st, id[i], "same", 3);
		metric(&st, id[i], "other", i == 0 ? 10 : 12);
		word(&st, id[i], "verdict", "thrashes");
		end(&st, id[i]);
	}
	c = compare(&st, id[0], id[1], NULL);
	assert_int_equal(c->side[0].nr, 1);
	assert_int_equal(c->nr_params_equal, c->nr_params);
	/* All but one are equal, wall time too. */
	assert_int_equal(c->nr_metrics, 4);
	assert_int_equal(c->nr_equal, 3);
	assert_int_equal(find(c, "other")->verdict, COMPARE_FEW);
	assert_true(find(c, "other")->of[0].mean == 10 && find(c, "other")->of[1].mean == 12);
	assert_true(find(c, "other")->diff == 2);
	assert_false(find(c, "other")->has_p || find(c, "other")->exact);
	compare_free(c);
	c = compare(&st, id[1], id[0], NULL);
	assert_true(find(c, "other")->of[0].mean == 12 && find(c, "other")->of[1].mean == 10);
	assert_true(find(c, "other")->diff == -2);
	compare_free(c);
	stored_close(&st);
}

static void a_parameter_that_differs_is_the_only_one(void **state)
{
	const struct given more = { "v1", "{\"limit\":200,\"seed\":0,\"extra\":\"x\"}", "return 1",
				    "1.0" };
	static const double value[] = { 1, 2 };
	struct stored st;
	struct compare *c;
	int64_t a, b;

	(void)state;
	stored_open(&st);
	a = side(&st, &base, value, 2);
	b = side(&st, &more, value, 2);
	c = compare(&st, a, b, NULL);
	assert_int_equal(c->nr_params - c->nr_params_equal, 2);
	assert_false(param(c, "limit")->equal);
	assert_string_equal(param(c, "limit")->value[0], "100");
	assert_string_equal(param(c, "limit")->value[1], "200");
	assert_string_equal(param(c, "extra")->value[0], "-");
	assert_string_equal(param(c, "extra")->value[1], "x");
	assert_string_equal(param(c, "seed")->value[0], "1 to 2");
	/* Seed by seed the same, although they vary. */
	assert_int_equal(find(c, "m")->verdict, COMPARE_EQUAL);
	compare_free(c);
	stored_close(&st);
}

/* Each of these is another side, whatever its seeds are. */
static void a_side_is_all_seeds_of_the_same_thing(void **state)
{
	static const struct given others[] = {
		{ "v2", "{\"limit\":100,\"seed\":0}", "return 1", "1.0" },
		{ "v1", "{\"limit\":101,\"seed\":0}", "return 1", "1.0" },
		{ "v1", "{\"limit\":100,\"seed\":0}", "return 2", "1.0" },
		{ "v1", "{\"limit\":100,\"seed\":0}", "return 1", "1.1" },
	};
	const struct given seeded = { "v1", "{\"limit\":100,\"seed\":5}", "return 1", "1.0" };
	static const double value[] = { 1, 2, 3 };
	struct stored st;
	int64_t a;

	(void)state;
	stored_open(&st);
	a = side(&st, &base, value, 3);
	end(&st, begin(&st, &seeded, 4));
	begin(&st, &seeded, 5); /* runs still: no figures to rely on */
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		int64_t b = side(&st, &others[i], value, 2);
		struct compare *c = compare(&st, a + 1, b, NULL);

		assert_int_equal(c->side[0].nr, 4);
		assert_int_equal(c->side[1].nr, 2);
		assert_int_equal(c->side[0].id[0], a);
		assert_int_equal(c->comparable, i != 3);
		compare_free(c);
	}
	stored_close(&st);
}

/* Another version of the program with the same model, and the other way round. */
static void the_revision_of_the_model_decides_where_it_is_known(void **state)
{
	const struct given newer = { "v1", base.params, base.text, "1.1" };
	static const double value[] = { 1, 2 };
	char text[STORED_TEXT_MAX];
	struct stored st;
	struct compare *c;

	(void)state;
	stored_open(&st);
	side(&st, &base, value, 2);
	end(&st, begin(&st, &newer, 3));
	stored_sql(&st, "INSERT INTO program SELECT id, 12, '' FROM run", text);
	c = compare(&st, 1, 2, NULL);
	assert_true(c->comparable);
	compare_free(c);
	side(&st, &base, value, 2);
	stored_sql(&st, "INSERT INTO program SELECT id, 13, '' FROM run WHERE id > 3", text);
	c = compare(&st, 1, 4, NULL);
	assert_false(c->comparable);
	assert_int_equal(c->side[0].nr, 3);
	assert_int_equal(c->side[1].nr, 2);
	compare_model(&c->side[0], text);
	assert_string_equal(text, "memcglab 1.0, model revision 12");
	compare_free(c);
	/* A library that is not the same makes another side. */
	stored_sql(&st, "INSERT INTO library SELECT 2, 'lib', min(id) FROM script", text);
	c = compare(&st, 1, 2, NULL);
	assert_int_equal(c->side[0].nr, 2);
	assert_string_equal(param(c, "libraries")->value[1], "of run 2");
	compare_free(c);
	stored_close(&st);
}

/* The same seeds twice are two sides of equal size; two seeds of one are compared alone. */
static void a_run_is_on_one_side_only(void **state)
{
	static const double value[] = { 1, 2, 3 };
	struct stored st;
	struct compare *c;
	char text[STORED_TEXT_MAX];
	int64_t a, b;

	(void)state;
	stored_open(&st);
	a = side(&st, &base, value, 3);
	b = side(&st, &base, value, 3);
	/* Another process made them. */
	stored_sql(&st, "UPDATE run SET pid = pid + 1 WHERE id > 3", text);
	c = compare(&st, a + 2, b, NULL);
	assert_int_equal(c->side[0].nr, 3);
	assert_int_equal(c->side[0].id[0], a);
	assert_int_equal(c->side[1].id[2], b + 2);
	assert_int_equal(c->nr_equal, c->nr_metrics);
	compare_free(c);
	c = compare(&st, a, a + 1, NULL);
	assert_int_equal(c->side[0].nr, 1);
	assert_int_equal(c->side[1].nr, 1);
	assert_int_equal(find(c, "m")->verdict, COMPARE_FEW);
	compare_free(c);
	stored_close(&st);
}

/* A row of the table of verdicts: values by seed and what is said of them. */
struct judged {
	size_t nr;
	double a[12], b[12];
	enum compare_verdict verdict;
	bool exact, has_p, has_interval;
};

static const struct judged judgements[] = {
	{ 10, { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 }, { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 },
	  COMPARE_B_LOWER, true, false, false },
	{ 9, { 5, 5, 5, 5, 5, 5, 5, 5, 5 }, { 5, 5, 5, 5, 5, 5, 5, 5, 5 },
	  COMPARE_EQUAL, true, false, false },
	{ 9, { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, { 11, 12, 13, 14, 15, 16, 17, 18, 19 },
	  COMPARE_B_HIGHER, false, true, true },
	{ 9, { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, { 2, 1, 3, 4, 5, 6, 7, 8, 9 },
	  COMPARE_UNCLEAR, false, true, true },
	{ 9, { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9 },
	  COMPARE_EQUAL, true, false, true },
	/* Eight seeds: not even if they are wholly apart, or each side is of one value. */
	{ 8, { 1, 2, 3, 4, 5, 6, 7, 8 }, { 11, 12, 13, 14, 15, 16, 17, 18 },
	  COMPARE_FEW, false, false, true },
	{ 8, { 5, 5, 5, 5, 5, 5, 5, 5 }, { 2, 2, 2, 2, 2, 2, 2, 2 },
	  COMPARE_FEW, true, false, false },
	{ 1, { 5 }, { 2 }, COMPARE_FEW, false, false, false },
	/* One side of one value is no exact one. */
	{ 9, { 5, 5, 5, 5, 5, 5, 5, 5, 5 }, { 11, 12, 13, 14, 15, 16, 17, 18, 19 },
	  COMPARE_B_HIGHER, false, true, true },
	/* Ranks say higher, the mean of one far value lower. */
	{ 9, { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, { 11, 12, 13, 14, 15, 16, 17, 18, -900 },
	  COMPARE_UNCLEAR, false, true, true },
	{ 9, { 1, 2, 3, 4, 5, 6, 7, 8, HUGE_VAL }, { 11, 12, 13, 14, 15, 16, 17, 18, 19 },
	  COMPARE_FAILED, false, false, false },
};

static void each_metric_gets_its_verdict(void **state)
{
	const struct given other = { "v2", base.params, base.text, base.version };

	(void)state;
	for (size_t i = 0; i < sizeof(judgements) / sizeof(judgements[0]); i++) {
		const struct judged *row = &judgements[i];
		const struct compare_metric *m;
		struct stored st;
		struct compare *c;

		stored_open(&st);
		c = compare(&st, side(&st, &base, row->a, row->nr),
			    side(&st, &other, row->b, row->nr), NULL);
		m = find(c, "m");
		if (m->verdict != row->verdict || m->exact != row->exact ||
		    m->has_p != row->has_p || m->has_interval != row->has_interval)
			fail_msg("row %zu: %s, exact %d, p %d, interval %d", i,
				 compare_verdict_name(m->verdict), m->exact, m->has_p,
				 m->has_interval);
		assert_int_equal(m->verdict == COMPARE_FAILED, m->why && !m->has_p);
		assert_int_equal(c->nr_tests, row->has_p);
		compare_free(c);
		stored_close(&st);
	}
}

/* Alone p is below 0.05, beside three tests that find nothing it is not. */
static void more_tests_ask_for_a_smaller_p(void **state)
{
	static const double a[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	static const double b[] = { 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 4.5 };
	const struct given other = { "v2", base.params, base.text, base.version };
	static const char *const more[] = { "x", "y", "z" };
	struct stored st;
	struct compare *c;
	int64_t id[2];

	(void)state;
	stored_open(&st);
	id[0] = side(&st, &base, a, 9);
	id[1] = side(&st, &other, b, 9);
	for (int64_t run = 1; run <= 18; run++)
		for (size_t i = 0; i < 3; i++)
			metric(&st, run, more[i], (double)(run * (int64_t)(i + 3) % 7));
	c = compare(&st, id[0], id[1], "m");
	assert_int_equal(c->nr_metrics, 1);
	assert_true(find(c, "m")->p > 0.0125 && find(c, "m")->p < 0.05);
	assert_true(find(c, "m")->p_holm == find(c, "m")->p);
	assert_int_equal(find(c, "m")->verdict, COMPARE_B_HIGHER);
	compare_free(c);
	c = compare(&st, id[0], id[1], "y,m,x,z");
	assert_int_equal(c->nr_tests, 4);
	assert_string_equal(c->metric[0].name, "y");
	assert_true(find(c, "m")->p_holm == 4 * find(c, "m")->p);
	assert_int_equal(find(c, "m")->verdict, COMPARE_UNCLEAR);
	compare_free(c);
	stored_close(&st);
}

static void host_time_and_words_are_not_tested(void **state)
{
	const struct given other = { "v2", base.params, base.text, base.version };
	static const double value[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	char text[STORED_TEXT_MAX];
	struct stored st;
	struct compare *c;

	(void)state;
	stored_open(&st);
	side(&st, &base, value, 9);
	side(&st, &other, value, 9);
	stored_sql(&st, "UPDATE run SET wall_ns = wall_ns + id * 1000000", text);
	for (int64_t run = 1; run <= 18; run++) {
		word(&st, run, "verdict", run <= 9 ? "fits" : run == 18 ? "" : "thrashes");
		word(&st, run, "state_hash", run % 9 == 0 ? "00" : run <= 9 ? "aa" : "bb");
		if (run > 9)
			metric(&st, run, "new", 4);
		/* A scenario may call a figure of its own so. */
		metric(&st, run, "wall", run <= 9 ? 1 : 2);
	}
	c = compare(&st, 1, 10, NULL);
	assert_int_equal(find(c, "verdict")->verdict, COMPARE_DIFFERS);
	assert_string_equal(find(c, "verdict")->text[0], "fits");
	assert_string_equal(find(c, "verdict")->text[1], "varies");
	assert_int_equal(find(c, "new")->verdict, COMPARE_ONLY_B);
	assert_int_equal(find(c, "wall")->verdict, COMPARE_B_HIGHER);
	assert_int_equal(c->nr_metrics, 5);
	assert_int_equal(c->metric[4].verdict, COMPARE_HOST_TIME);
	assert_true(c->metric[4].host && c->metric[4].has_interval && !c->metric[4].has_p);
	assert_true(fabs(c->metric[4].diff - 0.009) < 1e-9);
	assert_int_equal(c->nr_tests, 0);
	assert_int_equal(c->nr_same_seeds, 9);
	assert_int_equal(c->nr_same_states, 1);
	assert_true(compare_verdict_says(COMPARE_ONLY_B) && compare_verdict_says(COMPARE_FEW));
	assert_false(compare_verdict_says(COMPARE_HOST_TIME));
	compare_free(c);
	stored_close(&st);
}

static void what_cannot_be_found_is_refused_by_name(void **state)
{
	const struct compare_options options = { .metric = "m,mm" };
	const char *const refs[2] = { "1", "2" }, *const none[2] = { "1", "3" };
	static const double value[] = { 1 };
	struct compare *out;
	struct stored st;

	(void)state;
	stored_open(&st);
	side(&st, &base, value, 1);
	side(&st, &base, value, 1);
	assert_int_equal(compare_open(st.db, refs, &options, &out, &st.diag), ERR_USAGE);
	assert_non_null(strstr(st.diag.text, "neither side has a metric \"mm\""));
	assert_non_null(strstr(st.diag.text, "\"m\""));
	assert_int_equal(compare_open(st.db, none, &options, &out, &st.diag), ERR_USAGE);
	assert_non_null(strstr(st.diag.text, "no run 3"));
	assert_null(out);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_runs_that_differ_in_one_value_show_that_value_alone),
		cmocka_unit_test(a_parameter_that_differs_is_the_only_one),
		cmocka_unit_test(a_side_is_all_seeds_of_the_same_thing),
		cmocka_unit_test(the_revision_of_the_model_decides_where_it_is_known),
		cmocka_unit_test(a_run_is_on_one_side_only),
		cmocka_unit_test(each_metric_gets_its_verdict),
		cmocka_unit_test(more_tests_ask_for_a_smaller_p),
		cmocka_unit_test(host_time_and_words_are_not_tested),
		cmocka_unit_test(what_cannot_be_found_is_refused_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
