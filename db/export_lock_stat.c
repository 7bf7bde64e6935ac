/*
 * /proc/lock_stat, version 0.3 and 0.4: a head, then a line a class with
 * its name right in 40 columns and each figure right in 14, and for a class
 * with contentions who waited and for whom.  Follows seq_header(),
 * seq_stats() and snprint_time() of kernel/lockdep_proc.c of v2.6.31; the
 * two averages are those of v3.16.
 */
#include <inttypes.h>
#include <string.h>

#include "export.h"
#include "locks.h"
#include "out.h"

enum { NAME_W = 40, NAME_CUT = 38, FIGURE_W = 14, ADDRESS_W = 29, PLAIN = 10, AVERAGED = 12,
       TIME_TEXT_MAX = 32 };

struct lock_stat_text {
	struct out out;
	const struct era *era;
	struct diag *diag;
};

static enum lock_stat_form form_of(const struct lock_stat_text *text)
{
	return (enum lock_stat_form)text->era->value[AXIS_LOCK_STAT];
}

static bool averaged(const struct lock_stat_text *text)
{
	return form_of(text) == LOCK_STAT_AVERAGES;
}

/* A line of @ch, as wide as all columns. */
static void put_line(struct lock_stat_text *text, char ch)
{
	int columns = averaged(text) ? AVERAGED : PLAIN, w = NAME_W + 1 + columns * (FIGURE_W + 1);

	while (w-- > 0)
		out_printf(&text->out, "%c", ch);
	out_puts(&text->out, "\n");
}

/* Of the ten or twelve columns behind the name. */
static const struct {
	const char *name;
	bool averaged;
} heads[] = {
	{ "con-bounces", false },  { "contentions", false },    { "waittime-min", false },
	{ "waittime-max", false }, { "waittime-total", false }, { "waittime-avg", true },
	{ "acq-bounces", false },  { "acquisitions", false },   { "holdtime-min", false },
	{ "holdtime-max", false }, { "holdtime-total", false }, { "holdtime-avg", true },
};

static void put_head(struct lock_stat_text *text)
{
	out_printf(&text->out, "lock_stat version 0.%c\n", averaged(text) ? '4' : '3');
	put_line(text, '-');
	out_printf(&text->out, "%*s", NAME_W, "class name");
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!heads[i].averaged || averaged(text))
			out_printf(&text->out, " %*s", FIGURE_W, heads[i].name);
	out_puts(&text->out, "\n");
	put_line(text, '-');
	out_puts(&text->out, "\n");
}

/* In microseconds with two decimals, rounded by adding five nanoseconds. */
static void put_time(struct lock_stat_text *text, ns_t ns)
{
	char time[TIME_TEXT_MAX];

	ns += 5;
	snprintf(time, sizeof(time), "%" PRIu64 ".%02" PRIu64, ns / 1000, ns % 1000 / 10);
	out_printf(&text->out, " %*s", FIGURE_W, time);
}

/* Number, least, longest and total of waits or holds. */
static void put_times(struct lock_stat_text *text, const struct lock_times *times, ns_t min_sum,
		      ns_t max_sum)
{
	bool sums = form_of(text) == LOCK_STAT_SUMS;

	out_printf(&text->out, "%*" PRIu64, FIGURE_W, times->nr);
	put_time(text, sums ? min_sum : times->min);
	put_time(text, sums ? max_sum : times->max);
	put_time(text, times->total);
	if (averaged(text))
		put_time(text, times->nr ? times->total / times->nr : 0);
}

/* "[<ffffffff81099224>] res_counter_charge+0x94/0x140"; of code that is not known the address is 0,
 * and places in the same function are told apart by an offset: 0, 1. */
static void put_place(struct lock_stat_text *text, enum lock_site site)
{
	const char *name = lock_site_name(site);
	struct lock_place place = { 0, strchr(name, ' ') != NULL, 0 };
	char address[ADDRESS_W + 1];

	lock_site_place(text->era, site, &place);
	snprintf(address, sizeof(address), "[<%016" PRIx64 ">]", place.address);
	out_printf(&text->out, " %*s %.*s+0x%" PRIx32 "/0x%" PRIx32 "\n", ADDRESS_W, address,
		   (int)strcspn(name, " "), name, place.offset, place.size);
}

static void put_sites(struct lock_stat_text *text, const char *name, const struct lock_sites *sites)
{
	int w = (int)strlen(name);

	if (!sites->nr)
		return;
	out_printf(&text->out, "%*s", NAME_W - w, "");
	while (w-- > 0)
		out_puts(&text->out, "-");
	out_puts(&text->out, "\n");
	for (uint32_t i = 0; i < sites->nr; i++) {
		out_printf(&text->out, "%*s %*" PRIu64, NAME_W, name, FIGURE_W, sites->count[i]);
		put_place(text, sites->site[i]);
	}
}

static enum err put_class(void *ctx, const struct run_lock *lock)
{
	struct lock_stat_text *text = ctx;
	char name[NAME_CUT + 1];

	if (lock->atomic || !lock->sum.hold.nr)
		return ERR_OK;
	snprintf(name, sizeof(name), "%.*s", NAME_CUT, lock->name);
	out_printf(&text->out, "%*s:%*" PRIu64 " ", NAME_W, name, FIGURE_W, lock->sum.con_bounces);
	put_times(text, &lock->sum.wait, lock->wait_min_sum, lock->wait_max_sum);
	out_printf(&text->out, " %*" PRIu64 " ", FIGURE_W, lock->sum.acq_bounces);
	put_times(text, &lock->sum.hold, lock->hold_min_sum, lock->hold_max_sum);
	out_puts(&text->out, "\n");
	if (lock->sum.wait.nr) {
		put_sites(text, name, &lock->waiter);
		put_sites(text, name, &lock->holder);
		out_puts(&text->out, "\n");
		put_line(text, '.');
		out_puts(&text->out, "\n");
	}
	return out_error(&text->out, text->diag);
}

enum err export_lock_stat(struct db *db, int64_t id, const struct era *era, FILE *file,
			  struct diag *diag)
{
	struct lock_stat_text text = { .out = { .file = file }, .era = era, .diag = diag };
	enum err err;

	put_head(&text);
	err = db_locks(db, id, put_class, &text, diag);
	return err ? err : out_end(&text.out, diag);
}
