/*
 * A list over time: the run is made again, and at moments of equal distance
 * the list is cut into cells from head to tail.  What is shaded is the mean
 * age of a cell's pages, or the share of them that was referenced.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart_ask.h"
#include "lab_replay.h"
#include "run.h"

enum { COLUMNS = 60, ROWS = 12 };

/* "inactive_file", "inactive_file.referenced" */
static bool list_read(const char *metric, enum lru *lru, bool *referenced)
{
	for (int k = 0; k < NR_LRU; k++) {
		size_t n = strlen(lru_name((enum lru)k));

		if (strncmp(metric, lru_name((enum lru)k), n) != 0)
			continue;
		*lru = (enum lru)k;
		*referenced = strcmp(metric + n, ".referenced") == 0;
		return *referenced || metric[n] == '\0' || strcmp(metric + n, ".age") == 0;
	}
	return false;
}

struct strip {
	enum lru lru;
	bool referenced;
	const char *group;
	pages_t most; /* pages of the fullest cell */
};

/* One moment: a cell without pages is left out, as its age is none. */
static enum err add_column(struct strip *strip, const struct run *run, int x,
			   struct chart_series *series, struct diag *diag)
{
	struct run_cell cell[ROWS];
	uint32_t id = run_memcg_find(run, strip->group);
	enum err err = ERR_OK;
	pages_t pages;

	if (id == 0)
		return ERR_OK;
	memset(cell, 0, sizeof(cell));
	pages = run_lru_cells(run, id, strip->lru, ROWS, cell);
	strip->most = pages > strip->most ? pages : strip->most;
	for (int y = 0; y < ROWS && err == ERR_OK; y++) {
		double value = strip->referenced && cell[y].pages > 0
				       ? (double)cell[y].referenced / (double)cell[y].pages
				       : (double)cell[y].age_ns / 1e9;

		if (cell[y].pages > 0)
			err = chart_add(series, (struct chart_point){ x, y, value, value }, diag);
	}
	return err;
}

/* Forwards only, so that the run is made once. */
static enum err replay(const struct chart_ask *ask, size_t i, struct strip *strip,
		       struct chart_series *series, struct diag *diag)
{
	struct oplog *log = NULL;
	struct run *run = NULL;
	struct scenario sc;
	enum err err = lab_machine(&ask->run[i], &sc, diag);
	uint64_t steps;

	if (err == ERR_OK)
		err = lab_oplog(ask->db, &ask->run[i], &log, diag);
	if (err == ERR_OK)
		err = run_open(&sc, &run, diag);
	steps = err == ERR_OK ? oplog_steps(log) : 0;
	for (int x = 0; x < COLUMNS && err == ERR_OK; x++) {
		err = oplog_play(log, run, steps * (uint64_t)(x + 1) / COLUMNS, diag);
		if (err == ERR_OK)
			err = add_column(strip, run, x, series, diag);
	}
	run_close(run);
	oplog_close(log);
	return err;
}

/* Warm-up in columns, of which each is a share of the steps. */
static enum err shade(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	double steps, seconds;
	enum err err = chart_warm(ask, 0, &steps, &seconds, diag);

	if (err == ERR_OK && steps > 0 && ask->run[0].steps > 0)
		chart->warm = fmin(COLUMNS, steps * COLUMNS / (double)ask->run[0].steps);
	return err;
}

static void describe(const struct chart_ask *ask, const struct strip *strip, struct chart *chart)
{
	char pages[UNITS_TEXT_MAX];

	chart->form = CHART_HEAT;
	snprintf(chart->title, sizeof(chart->title), "%.60s: list %s of %.60s",
		 ask->run[0].scenario, lru_name(strip->lru), strip->group);
	snprintf(chart->x.name, sizeof(chart->x.name), "steps of the run, in sixtieths");
	snprintf(chart->y.name, sizeof(chart->y.name), "head to tail");
	snprintf(chart->shade.name, sizeof(chart->shade.name), "%s",
		 strip->referenced ? "referenced pages" : "mean age");
	snprintf(chart->shade.unit, sizeof(chart->shade.unit), "%s",
		 strip->referenced ? "share" : "s");
	snprintf(chart->one, sizeof(chart->one),
		 "one cell is a twelfth of the list, up to %s pages, after a sixtieth of the steps "
		 "(%llu)",
		 chart_number((double)strip->most, pages),
		 (unsigned long long)(ask->run[0].steps / COLUMNS));
}

enum err chart_strip(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	struct strip strip = { .lru = LRU_INACTIVE_FILE };
	char group[CHART_WORDS], label[CHART_WORDS];
	enum err err = ERR_OK;

	if (!list_read(ask->metric, &strip.lru, &strip.referenced))
		return diag_fail(diag, ERR_USAGE,
				 "--kind strip shows a list: inactive_anon active_anon "
				 "inactive_file active_file unevictable, also LIST.referenced; not "
				 "%.60s",
				 ask->metric);
	if (ask->nr > 2)
		return diag_fail(diag, ERR_USAGE, "--kind strip shows one run or two, not %zu",
				 ask->nr);
	err = chart_group(ask, group, diag);
	strip.group = strcmp(group, "/") == 0 ? "" : group;
	for (size_t i = 0; i < ask->nr && err == ERR_OK; i++) {
		chart_label(ask, i, label);
		err = replay(ask, i, &strip, chart_series(chart, label + strlen("A  ")), diag);
	}
	describe(ask, &strip, chart);
	if (err == ERR_OK)
		err = shade(ask, chart, diag);
	chart_settle(chart, "cell");
	if (err == ERR_OK && chart->empty)
		err = diag_fail(diag, ERR_USAGE, "%s of %s held no page at any of %d moments",
				lru_name(strip.lru), group, COLUMNS);
	return err;
}
