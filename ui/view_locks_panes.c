/*
 * The panes of the Locks view, each about the selected class.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "course.h"
#include "fmt.h"
#include "view_locks.h"

enum { SITE_W = 12, WIDE_SITE_W = 26, SHARE_W = 7, BUCKET_W = 8, PERCENT_W = 10, LABEL_W = 5,
       THOUSAND = 1000, BOTH_H = 14, NUMBER_W = 8 };

/* ---- call sites ---- */

static const struct lock_sites *sites_of(const struct run_lock *lock, bool holders)
{
	return holders ? &lock->holder : &lock->waiter;
}

/* A narrow pane leaves out what all names begin with. */
static const char *site_text(enum lock_site site, bool wide)
{
	static const char common[] = "res_counter_";
	const char *name = lock_site_name(site);

	return wide || strncmp(name, common, sizeof(common) - 1) != 0 ? name
								      : name + sizeof(common) - 1;
}

static void draw_site(const struct locks_pane *p, struct span at, int side,
		      const struct lock_sites *sites, uint32_t i)
{
	bool wide = at.w > 60;
	int w = wide ? WIDE_SITE_W : SITE_W;
	uint64_t all = p->row->lock[side].sum.wait.nr;
	char count[UNITS_TEXT_MAX], share[32];

	canvas_printf(p->c, (struct span){ at.x + 1, at.y, 2, view_side_attr(side) }, "%c",
		      'A' + side);
	canvas_text(p->c, (struct span){ at.x + 3, at.y, w, ATTR_TEXT },
		    site_text(sites->site[i], wide));
	at.x += 3 + w;
	at.w -= 4 + w;
	if (wide) {
		canvas_right(p->c, (struct span){ at.x, at.y, 12, ATTR_TEXT },
			     fmt_count(sites->count[i], count));
		at.x += 13;
		at.w -= 13;
	}
	snprintf(share, sizeof(share), "%.1f %%",
		 100 * (double)sites->count[i] / (double)(all ? all : 1));
	canvas_bar(p->c, (struct span){ at.x, at.y, at.w - SHARE_W - 1, view_side_attr(side) },
		   sites->count[i], all);
	canvas_right(p->c, (struct span){ at.x + at.w - SHARE_W, at.y, SHARE_W, ATTR_TEXT }, share);
}

/* One sort of places of both sides.  Returns: rows used. */
static int draw_sites(const struct locks_pane *p, struct rect r, bool holders)
{
	int y = 0;

	for (int k = 0; k < p->nr_sides; k++) {
		int side = p->side[k];
		const struct lock_sites *sites = sites_of(&p->row->lock[side], holders);

		for (uint32_t i = 0; i < sites->nr && y < r.h; i++)
			draw_site(p, layout_row(r, y++, ATTR_TEXT), side, sites, i);
		if (!sites->nr && y < r.h)
			canvas_printf(p->c, layout_row(r, y++, ATTR_DIM), " %c %s", 'A' + side,
				      p->row->there[side] ? "nobody had to wait"
							  : "has no such class");
	}
	return y;
}

void locks_sites(const struct locks_pane *p, struct rect r)
{
	static const char *const titles[] = { "who waits (call sites)",
					      "for whom (call sites)" };
	bool holders = p->model->locks.holders;
	struct rect in = layout_inside(r);

	canvas_box(p->c, r, titles[holders], "share");
	layout_top(&in, draw_sites(p, in, holders));
	/* Room for both: the other sort below. */
	if (r.h >= BOTH_H && in.h > 2) {
		layout_top(&in, 1);
		canvas_printf(p->c, layout_row(layout_top(&in, 1), 0, ATTR_TITLE), " %s",
			      titles[!holders]);
		layout_top(&in, draw_sites(p, in, !holders));
	}
	if (in.h < 2)
		return;
	layout_top(&in, 1);
	layout_left(&in, 1);
	view_wrap(p->c, in, ATTR_DIM,
		  holders ? "Who had taken the lock last when somebody had to wait. Enter: who "
			    "waits."
			  : "Which kernel function had to wait. Enter: whom it waited for. v: how "
			    "long.");
}

/* ---- waits ---- */

/* @last: of the rows that there are; it stands for all longer waits too. */
static void bucket_name(int i, int last, char out[32])
{
	if (i == 0)
		snprintf(out, 32, "0");
	else if (i == 1)
		snprintf(out, 32, "<1");
	else if (i == last)
		snprintf(out, 32, "%d+", 1 << (i - 2));
	else
		snprintf(out, 32, "%d-%d", 1 << (i - 2), 1 << (i - 1));
}

/* Buckets from @i to @end on one side: their share as a bar, or the number as such. */
static void draw_bucket(const struct locks_pane *p, struct span at, int side, int i, int end)
{
	const struct lock_stat *sum = &p->row->lock[side].sum;
	char text[UNITS_TEXT_MAX], share[32];
	uint64_t nr = 0;

	if (!p->row->there[side] || !sum->hold.nr) {
		canvas_right(p->c, at, "-");
		return;
	}
	for (; i < end; i++)
		nr += sum->bucket[i];
	/* A narrow pane has room for one of both. */
	if (p->model->locks.table && at.w < PERCENT_W + NUMBER_W) {
		canvas_right(p->c, at, fmt_count(nr, text));
		return;
	}
	snprintf(share, sizeof(share), "%.2f %%", 100 * (double)nr / (double)sum->hold.nr);
	canvas_right(p->c, (struct span){ at.x + at.w - PERCENT_W, at.y, PERCENT_W, ATTR_TEXT },
		     share);
	at.w -= PERCENT_W + 1;
	if (p->model->locks.table || at.w < 8)
		canvas_right(p->c, at, fmt_count(nr, text));
	else
		canvas_bar(p->c, at, nr, sum->hold.nr);
}

void locks_waits(const struct locks_pane *p, struct rect r)
{
	struct rect in = layout_inside(r);
	int w = (in.w - BUCKET_W - 2) / p->nr_sides;
	int rows = in.h - 1 < LOCK_BUCKETS ? in.h - 1 : LOCK_BUCKETS;
	char name[32];

	canvas_box(p->c, r, r.w > 50 ? "wait per acquisition, log2 buckets (us)" : "wait (us)",
		   "model");
	canvas_text(p->c, (struct span){ in.x + 1, in.y, BUCKET_W, ATTR_DIM }, "us");
	for (int k = 0; k < p->nr_sides; k++)
		canvas_printf(p->c,
			      (struct span){ in.x + BUCKET_W + 1 + k * w, in.y, w,
					     view_side_attr(p->side[k]) },
			      "%c", 'A' + p->side[k]);
	for (int i = 0; i < rows; i++) {
		int end = i == rows - 1 ? LOCK_BUCKETS : i + 1;
		int y = in.y + 1 + i;

		bucket_name(i, rows - 1, name);
		canvas_text(p->c, (struct span){ in.x + 1, y, BUCKET_W, ATTR_TEXT }, name);
		for (int k = 0; k < p->nr_sides; k++)
			draw_bucket(p,
				    (struct span){ in.x + BUCKET_W + 1 + k * w, y, w - 1,
						   view_side_attr(p->side[k]) },
				    p->side[k], i, end);
	}
	layout_top(&in, LOCK_BUCKETS + 2);
	layout_left(&in, 1);
	view_wrap(p->c, in, ATTR_DIM,
		  "The first bucket is no wait at all; all add up to 100 %. The model serves in "
		  "the order of arrival: a lock that is not fair has longer tails. v: bars or "
		  "table.");
}

/* ---- waiting CPUs over time ---- */

/* CPUs that waited on average in each part of the run, in thousandths. */
static void read_course(const struct locks_pane *p, int side, int w, struct course *out)
{
	const struct model_side *s = &p->model->side[side];
	const struct history *h = s->history;
	ns_t end = course_end(s);

	*out = (struct course){ .side = side, .label_w = LABEL_W };
	if (!p->row->there[side] || !end)
		return;
	course_show(out, s->run, w, end);
	for (int x = 0; x < w; x++) {
		ns_t from = (ns_t)((double)end * x / w), to = (ns_t)((double)end * (x + 1) / w);
		/* No moment in this part: as in the one before. */
		bool none = x > 0 && history_before(h, from) == history_before(h, to);

		course_set(out, x,
			   none ? out->value[x - 1]
				: history_waiting(h, p->row->nr[side], from, to));
	}
}

/* "0.35" of thousandths. */
static char *cpus_text(uint64_t thousandths, char out[UNITS_TEXT_MAX])
{
	snprintf(out, UNITS_TEXT_MAX, "%.*f", thousandths < 10 * THOUSAND ? 2 : 0,
		 (double)thousandths / THOUSAND);
	return out;
}

/* Both sides on one scale, each on its own clock. */
void locks_plot(const struct locks_pane *p, struct rect r)
{
	struct rect in = layout_inside(r);
	struct course course[2];
	int w = in.w - LABEL_W - COURSE_FRAME_W, h = (in.h - 1) / p->nr_sides;
	uint64_t max = 1;
	char title[128], right[64], top[UNITS_TEXT_MAX];

	if (w < 8 || h < 2)
		return;
	w = w > COURSE_COLUMNS ? COURSE_COLUMNS : w;
	for (int k = 0; k < p->nr_sides; k++) {
		read_course(p, p->side[k], w, &course[k]);
		max = course[k].max > max ? course[k].max : max;
	}
	if (r.w > 60)
		snprintf(title, sizeof(title), "CPUs waiting for %s over time",
			 lock_row_name(p->row));
	else
		snprintf(title, sizeof(title), "waiting CPUs over time");
	snprintf(right, sizeof(right), "of %" PRIu32 ", mean",
		 run_scenario(p->model->side[p->side[0]].run)->cpus);
	canvas_box(p->c, r, title, right);
	for (int k = 0; k < p->nr_sides; k++)
		course_draw(p->c, layout_top(&in, h), &course[k], max, cpus_text(max, top));
	course_ends(p->c, layout_row(layout_top(&in, 1), 0, ATTR_DIM), p->model, p->side,
		    p->nr_sides);
}
