/*
 * The engine's arithmetic against a second reading of the rules in another
 * language (tests/oracle/oracle.py), on 100,000 random inputs from a fixed
 * seed.  Each line of the pipe is a kind, inputs, "=" and what the engine
 * makes of them; the reader stops at the first disagreement and prints it.
 *
 * Numbers are drawn by magnitude, and often next to a threshold.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "protect.h"
#include "reclaim_node.h"
#include "rig.h"
#include "run_private.h"
#include "target.h"
#include "workingset.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { SEED = 20260, LINES = 100000, SWAP = 1 << 20, HIGHEST_PRIORITY = 12 };
enum { EARLY, NODE = 5, NODE_V2, NR_KERNELS };

static const char *const kernels[NR_KERNELS] = {
	"v2.6.31", "v2.6.32", "v3.1", "v3.2", "v3.3",
	"v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off",
	"v6.18+kmem=off+stat_flush=exact+shadow_shrink=off",
};

/* A machine of each kernel that is written into and never run: root > p > g, s. */
struct sheet {
	struct rig rig;
	struct machine *m;
	uint32_t p, g, s;
};

struct table {
	FILE *out;
	uint64_t random;
	struct sheet sheet[NR_KERNELS];
};

static uint64_t draw(struct table *t, uint64_t n)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	return (t->random >> 11) % n;
}

/* A number below 2^@bits, of any magnitude. */
static uint64_t some(struct table *t, unsigned bits)
{
	return draw(t, (uint64_t)1 << draw(t, bits + 1));
}

/* A number that is often @edge, one more or one less. */
static uint64_t near(struct table *t, uint64_t edge, unsigned bits)
{
	uint64_t by = draw(t, 4);

	if (by == 3)
		return some(t, bits);
	return edge + by ? edge + by - 1 : 0;
}

static void put(struct table *t, const uint64_t *n, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		fprintf(t->out, " %" PRIu64, n[i]);
}

static void line(struct table *t, const char *kind, const uint64_t *in, size_t nr)
{
	fprintf(t->out, "%s", kind);
	put(t, in, nr);
	fprintf(t->out, " =");
}

static void results(struct table *t, const uint64_t *out, size_t nr)
{
	put(t, out, nr);
	fputc('\n', t->out);
}

static void do_share(struct table *t)
{
	pages_t size[2] = { some(t, 30), some(t, 30) };
	struct scan_stat stat;
	struct scan_share share;
	uint64_t swappiness = draw(t, 101);

	for (int i = 0; i < 2; i++) {
		stat.scanned[i] = near(t, size[i] / 4, 30);
		stat.rotated[i] = draw(t, stat.scanned[i] + 1);
	}
	line(t, "share",
	     (const uint64_t[]){ size[0], size[1], stat.scanned[0], stat.scanned[1],
				 stat.rotated[0], stat.rotated[1], swappiness }, 7);
	scan_share(&stat, size, (int64_t)swappiness, true, &share);
	results(t, (const uint64_t[]){ share.weight[0], share.weight[1], share.percent[0],
				       share.percent[1], stat.scanned[0], stat.scanned[1],
				       stat.rotated[0], stat.rotated[1] }, 8);
}

static void do_batch(struct table *t)
{
	uint32_t saved = (uint32_t)draw(t, 32);
	uint64_t target = near(t, 32 - saved, 20), released;

	line(t, "batch", (const uint64_t[]){ saved, target }, 2);
	released = scan_batch(&saved, target, 32);
	results(t, (const uint64_t[]){ released, saved }, 2);
}

static void do_ratio(struct table *t)
{
	uint64_t pages = near(t, draw(t, 2000) << 18, 40);
	uint64_t ratio = scan_inactive_ratio(pages);

	line(t, "ratio", &pages, 1);
	results(t, &ratio, 1);
}

static void do_low(struct table *t)
{
	struct sheet *s = &t->sheet[NODE];
	uint64_t inactive = some(t, 30);
	uint64_t active = near(t, inactive * (1 + draw(t, 12)), 32);
	struct memcg *memcg = machine_memcg(s->m, s->g);
	uint64_t low[3] = { scan_anon_is_low(inactive, active), scan_file_is_low(inactive, active),
			    0 };
	struct reclaim rc = { .target = s->g };

	memcg->size[LRU_INACTIVE_FILE] = inactive;
	memcg->size[LRU_ACTIVE_FILE] = active;
	/* Nothing was missed since the last look. */
	for (unsigned type = 0; type < NR_SCAN_TYPES; type++)
		memcg->seen_activate[0][type] =
			flushed_activate(s->m, (struct bucket){ s->g, 0 }, type);
	line(t, "low", (const uint64_t[]){ inactive, active }, 2);
	reclaim_prepare(s->m, &rc);
	low[2] = rc.may_deactivate[SCAN_FILE];
	results(t, low, 3);
}

static void do_min_free(struct table *t)
{
	uint64_t kib = some(t, 36), scaled = draw(t, 2);
	uint64_t result = zone_min_free_kbytes(kib, scaled);

	line(t, "min_free_kbytes", (const uint64_t[]){ kib, scaled }, 2);
	results(t, &result, 1);
}

static void do_marks(struct table *t)
{
	struct zone_plan plan = { .nr = 3, .wide_steps = draw(t, 2), .huge_pages = draw(t, 2) };
	struct zone zone[3];

	memset(zone, 0, sizeof(zone));
	for (int z = 0; z < 3; z++)
		plan.present[z] = some(t, 26);
	plan.present[draw(t, 3)] += 1;
	line(t, "marks", (const uint64_t[]){ plan.present[0], plan.present[1], plan.present[2],
					     plan.wide_steps, plan.huge_pages }, 5);
	zone_set_marks(&plan, zone);
	for (int z = 0; z < 3; z++)
		put(t, zone[z].wmark, NR_WMARKS);
	results(t, (const uint64_t[]){ zone[0].reserve[1], zone[0].reserve[2],
				       zone[1].reserve[2] }, 3);
}

static void do_zone_ok(struct table *t)
{
	/* v3.1 and v3.2 set two pages aside. */
	unsigned kernel = (unsigned)draw(t, NR_KERNELS);
	uint64_t quirk = kernel == 2 || kernel == 3, mark = some(t, 20), reserve = some(t, 12);
	struct machine *m = t->sheet[kernel].m;
	struct zone *zone = &m->host->zone[0];
	uint64_t ok;

	zone->reserve[0] = reserve;
	zone->free = near(t, mark + reserve + draw(t, 3), 22);
	ok = zone_ok(m, 0, mark, 0);
	line(t, "zone_ok", (const uint64_t[]){ zone->free, mark, reserve, quirk }, 4);
	results(t, &ok, 1);
	zone->reserve[0] = 0;
}

static void do_effective(struct table *t)
{
	struct protect_in in = { .recursive = draw(t, 2) };
	uint64_t result;

	in.usage = some(t, 26);
	in.setting = near(t, in.usage, 26);
	in.siblings = (in.usage < in.setting ? in.usage : in.setting) + some(t, 26);
	in.parent_effective = near(t, in.siblings, 26);
	in.parent_usage = in.usage + some(t, 26);
	result = protect_effective(&in);
	line(t, "effective",
	     (const uint64_t[]){ in.usage, in.parent_usage, in.setting, in.parent_effective,
				 in.siblings, in.recursive }, 6);
	results(t, &result, 1);
}

static void do_protected(struct table *t)
{
	uint64_t usage = some(t, 28), size = draw(t, usage + 1), min = draw(t, 2) * some(t, 28);
	uint64_t low = near(t, draw(t, 2) ? min : usage, 28), ignore = draw(t, 2);
	uint64_t result = protect_size(size, usage, min, low, ignore);

	line(t, "protected", (const uint64_t[]){ size, usage, min, low, ignore }, 5);
	results(t, &result, 1);
}

static void do_delay(struct table *t)
{
	uint64_t high = 1 + some(t, 26), usage = draw(t, 2) ? high + some(t, 5) : high;
	uint64_t debt = some(t, 10), hz = 100 + draw(t, 901), result;

	usage += draw(t, high);
	result = protect_delay(protect_overage(usage, high), debt, 64, hz);
	line(t, "delay", (const uint64_t[]){ usage, high, debt, hz }, 4);
	results(t, &result, 1);
}

static void do_weights(struct table *t)
{
	uint64_t cost[2] = { some(t, 30), some(t, 30) }, swappiness = draw(t, 201), weight[2];

	line(t, "weights", (const uint64_t[]){ cost[0], cost[1], swappiness }, 3);
	scan_cost_weights(cost[0], cost[1], (int64_t)swappiness, weight);
	results(t, weight, 2);
}

/* Sizes of a group's four lists, also where only its sum is read. */
static void set_sizes(struct table *t, struct memcg *memcg, struct lruvec *lruvec, unsigned bits)
{
	for (int lru = 0; lru < LRU_UNEVICTABLE; lru++)
		memcg->size[lru] = lruvec->size[lru] = some(t, bits);
}

static void do_cost(struct table *t)
{
	struct sheet *s = &t->sheet[NODE];
	struct memcg *memcg = machine_memcg(s->m, s->g);
	uint64_t type = draw(t, 2), n = 1 + some(t, 12), pages = 0;

	set_sizes(t, memcg, memcg->lruvec, 16);
	for (int lru = 0; lru < LRU_UNEVICTABLE; lru++)
		pages += memcg->size[lru];
	memcg->cost[0][0] = some(t, 14);
	memcg->cost[0][1] = near(
		t, pages / 4 > memcg->cost[0][0] + n ? pages / 4 - memcg->cost[0][0] - n : 0, 14);
	line(t, "cost", (const uint64_t[]){ memcg->cost[0][0], memcg->cost[0][1], type, n, pages },
	     5);
	workingset_cost(s->m, (struct bucket){ s->g, 0 }, (unsigned)type, n);
	results(t, memcg->cost[0], 2);
}

static void do_refault(struct table *t)
{
	struct sheet *s = &t->sheet[NODE];
	struct memcg *memcg = machine_memcg(s->m, s->g);
	uint64_t slots = draw(t, 2) * some(t, 16), type = draw(t, 2), distance, age;
	const pages_t *size = memcg->size;
	struct slot shadow = { .word = PG_SHADOW | s->g };
	uint32_t flags;

	set_sizes(t, memcg, memcg->lruvec, 16);
	distance = size[LRU_ACTIVE_FILE] + draw(t, 2) * size[LRU_ACTIVE_ANON];
	distance = near(t, distance + draw(t, 2) * size[type ? 0 : LRU_INACTIVE_FILE], 18);
	memcg->age[0] = age = some(t, 40);
	shadow.stamp = (uint32_t)(age - distance);
	s->m->host->swap_used = SWAP - slots;
	flags = workingset_refault(s->m, (struct bucket){ s->g, 0 }, shadow, (unsigned)type, 1);
	line(t, "refault", (const uint64_t[]){ size[0], size[1], size[2], size[3], slots, distance,
					       type }, 7);
	results(t, (const uint64_t[]){ flags == PG_ACTIVE, memcg->age[0] - age }, 2);
}

static void do_rebalance(struct table *t)
{
	struct pass pass = { .freed = 0 };
	uint64_t in[8], out[5];

	for (int lru = 0; lru < LRU_UNEVICTABLE; lru++) {
		in[lru] = pass.asked[lru] = some(t, 12);
		in[4 + lru] = pass.todo[lru] = draw(t, 4) ? draw(t, in[lru] + 1) : 0;
	}
	line(t, "rebalance", in, 8);
	out[0] = target_rebalance(&pass);
	memcpy(&out[1], pass.todo, sizeof(pass.todo));
	results(t, out, 5);
}

/* Lists, statistics and marks of one pass to v3.3. */
struct early {
	struct machine *m;
	struct memcg *memcg;
	struct lruvec *lruvec;
	struct zone *zone;
	struct reclaim rc;
	uint64_t slots, swappiness;
};

static void draw_early(struct table *t, struct early *e, const struct sheet *s)
{
	e->m = s->m;
	e->zone = &s->m->host->zone[0];
	e->memcg = machine_memcg(s->m, s->g);
	e->rc = (struct reclaim){ .target = s->g, .want = 32, .global = draw(t, 2) };
	e->rc.kswapd = e->rc.global && draw(t, 2);
	e->rc.priority = draw(t, 4) ? (unsigned)draw(t, HIGHEST_PRIORITY + 1) : 0;
	e->lruvec = e->rc.global && machine_axis(s->m, AXIS_LRU) == 0 ? &e->zone->lruvec
								      : e->memcg->lruvec;
	set_sizes(t, e->memcg, e->lruvec, 26);
	for (int i = 0; i < 2; i++) {
		e->lruvec->stat.scanned[i] =
			near(t, (e->lruvec->size[2 * i] + e->lruvec->size[2 * i + 1]) / 4, 20);
		e->lruvec->stat.rotated[i] = draw(t, e->lruvec->stat.scanned[i] + 1);
	}
	for (int lru = 0; lru < LRU_UNEVICTABLE; lru++)
		e->lruvec->saved[lru] = (uint32_t)draw(t, 32);
	e->slots = draw(t, 3) ? some(t, 18) : 0;
	e->swappiness = draw(t, 101);
	e->m->host->swap_used = SWAP - e->slots;
	e->zone->free = some(t, 16);
	e->zone->wmark[WMARK_HIGH] =
		near(t, e->zone->free + e->lruvec->size[2] + e->lruvec->size[3], 16);
	e->zone->hopeless = draw(t, 2);
}

/* The group's own swappiness holds in limit reclaim, the machine's otherwise. */
static void set_swappiness(struct early *e)
{
	int64_t *own = &e->memcg->swappiness, *all = &e->m->sc.era.knobs.swappiness;

	*own = *all = 77;
	*(e->rc.global ? all : own) = (int64_t)e->swappiness;
}

static void put_early(struct table *t, const struct early *e, const pages_t *list)
{
	const struct lruvec *lruvec = e->lruvec;

	put(t, list, LRU_UNEVICTABLE);
	put(t, lruvec->stat.scanned, 2);
	put(t, lruvec->stat.rotated, 2);
	put(t, (const uint64_t[]){ lruvec->saved[0], lruvec->saved[1], lruvec->saved[2],
				   lruvec->saved[3] }, 4);
}

static void do_targets(struct table *t)
{
	uint64_t kernel = draw(t, NODE);
	const struct sheet *s = &t->sheet[kernel];
	struct pass pass = { .freed = 0 };
	struct early e;

	draw_early(t, &e, s);
	set_swappiness(&e);
	fprintf(t->out, "targets");
	put(t, (const uint64_t[]){ kernel, e.rc.global, e.rc.kswapd, e.zone->hopeless, e.slots,
				   e.swappiness, e.zone->free, e.zone->wmark[WMARK_HIGH],
				   e.rc.priority }, 9);
	put_early(t, &e, e.lruvec->size);
	fprintf(t->out, " =");
	target_pass(s->m, &e.rc, e.lruvec == &e.zone->lruvec ? MEMCG_NONE : s->g, &pass);
	put_early(t, &e, pass.todo);
	fputc('\n', t->out);
}

/* Usage, min and low; often one that protects all. */
static void draw_claim(struct table *t, const struct sheet *s, uint32_t id)
{
	struct memcg *memcg = machine_memcg(s->m, id);

	memcg->counter.usage = some(t, 24);
	memcg->min = draw(t, 2) ? 0 : near(t, memcg->counter.usage, 24);
	memcg->low = draw(t, 2) ? 0 : near(t, memcg->counter.usage, 24);
}

/* Three groups with lists and claims of their own; the parent holds its children's usage. */
static void draw_family(struct table *t, const struct sheet *s, bool v2)
{
	const uint32_t ids[] = { s->p, s->g, s->s };

	for (size_t i = 0; i < NR(ids); i++) {
		struct memcg *memcg = machine_memcg(s->m, ids[i]);

		set_sizes(t, memcg, memcg->lruvec, draw(t, 2) ? 22 : 10);
		memcg->counter.usage = memcg->min = memcg->low = 0;
		if (v2)
			draw_claim(t, s, ids[i]);
		memcg->cost[0][0] = some(t, 20);
		memcg->cost[0][1] = some(t, 20);
	}
	machine_memcg(s->m, s->p)->counter.usage +=
		machine_memcg(s->m, s->g)->counter.usage + machine_memcg(s->m, s->s)->counter.usage;
	machine_memcg(s->m, RIG_ROOT)->cost[0][0] = some(t, 20);
	machine_memcg(s->m, RIG_ROOT)->cost[0][1] = some(t, 20);
}

/* Pages of one list of the target: its own and those below it. */
static pages_t list_below(const struct sheet *s, uint32_t target, enum lru lru)
{
	pages_t sum = machine_memcg(s->m, s->g)->size[lru];

	if (target != s->g)
		sum += machine_memcg(s->m, s->p)->size[lru] + machine_memcg(s->m, s->s)->size[lru];
	return sum;
}

static void put_claim(struct table *t, const struct sheet *s, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(s->m, id);

	put(t, (const uint64_t[]){ memcg->counter.usage, memcg->min, memcg->low }, 3);
}

/* The group is below its target, or below a group that is. */
static void put_node(struct table *t, const struct sheet *s, const struct reclaim *rc)
{
	const uint64_t *cost = machine_memcg(s->m, rc->target)->cost[0];
	const struct zone *zone = &s->m->host->zone[0];

	put(t, (const uint64_t[]){ rc->may_deactivate[0], rc->may_deactivate[1], cost[0], cost[1],
				   zone->free, zone->wmark[WMARK_HIGH],
				   list_below(s, rc->target, LRU_INACTIVE_ANON),
				   list_below(s, rc->target, LRU_INACTIVE_FILE),
				   list_below(s, rc->target, LRU_ACTIVE_FILE) }, 9);
	put(t, machine_memcg(s->m, s->g)->size, LRU_UNEVICTABLE);
	put(t, (const uint64_t[]){ rc->target == RIG_ROOT, rc->ignore_low }, 2);
	put_claim(t, s, s->p);
	put_claim(t, s, s->g);
	put_claim(t, s, s->s);
}

static void do_targets_node(struct table *t)
{
	bool v2 = draw(t, 2);
	const struct sheet *s = &t->sheet[v2 ? NODE_V2 : NODE];
	struct reclaim rc = { .target = draw(t, 2) ? s->p : RIG_ROOT, .want = 32 };
	uint64_t slots = draw(t, 3) ? some(t, 18) : 0, swappiness = draw(t, 5) * 50;
	struct zone *zone = &s->m->host->zone[0];
	struct pass pass = { .freed = 0 };

	draw_family(t, s, v2);
	/* A node's own figures are those of all groups. */
	for (int lru = 0; lru < LRU_UNEVICTABLE; lru++)
		zone->lruvec.size[lru] = list_below(s, RIG_ROOT, (enum lru)lru);
	rc.global = rc.target == RIG_ROOT && draw(t, 2);
	rc.priority = draw(t, 4) ? (unsigned)draw(t, HIGHEST_PRIORITY + 1) : 0;
	rc.ignore_low = draw(t, 2);
	rc.may_deactivate[0] = draw(t, 2);
	rc.may_deactivate[1] = draw(t, 2);
	s->m->host->swap_used = SWAP - slots;
	zone->free = some(t, 16);
	zone->wmark[WMARK_HIGH] = near(t,
				       zone->free + list_below(s, rc.target, LRU_INACTIVE_FILE) +
					       list_below(s, rc.target, LRU_ACTIVE_FILE),
				       16);
	/* One swappiness for all with v2, each group's own with v1. */
	machine_memcg(s->m, s->g)->swappiness = v2 ? 77 : (int64_t)swappiness;
	s->m->sc.era.knobs.swappiness = v2 ? (int64_t)swappiness : 77;
	fprintf(t->out, "targets_node");
	put(t, (const uint64_t[]){ rc.global, slots, swappiness, rc.priority }, 4);
	put_node(t, s, &rc);
	fprintf(t->out, " =");
	target_pass(s->m, &rc, s->g, &pass);
	results(t, pass.todo, LRU_UNEVICTABLE);
}

static const struct { unsigned weight; void (*make)(struct table *t); } kinds[] = {
	{ 8, do_share }, { 4, do_batch }, { 4, do_ratio }, { 6, do_low }, { 3, do_min_free },
	{ 6, do_marks }, { 4, do_zone_ok }, { 8, do_effective }, { 8, do_protected },
	{ 6, do_delay }, { 5, do_weights }, { 5, do_cost }, { 6, do_refault },
	{ 5, do_rebalance }, { 12, do_targets }, { 10, do_targets_node },
};

static void open_sheets(struct table *t)
{
	for (int k = 0; k < NR_KERNELS; k++) {
		struct sheet *s = &t->sheet[k];
		struct scenario sc;

		rig_scenario(&sc, kernels[k], 1);
		sc.swap_pages = SWAP;
		rig_open_scenario(&s->rig, &sc);
		s->p = rig_hierarchy(&s->rig, RIG_ROOT, "p", 0);
		s->g = rig_hierarchy(&s->rig, s->p, "g", 0);
		s->s = rig_hierarchy(&s->rig, s->p, "s", 0);
		s->m = run_machine(s->rig.run);
	}
}

static void the_engine_and_a_second_reading_agree(void **state)
{
	static struct table t = { .random = SEED };
	unsigned all = 0;

	(void)state;
	for (size_t i = 0; i < NR(kinds); i++)
		all += kinds[i].weight;
	open_sheets(&t);
	fflush(stdout);
	/* A reader that ends early is told by its status. */
	signal(SIGPIPE, SIG_IGN);
	t.out = popen("python3 tests/oracle/oracle.py", "w");
	assert_non_null(t.out);
	for (int i = 0; i < LINES; i++) {
		uint64_t at = draw(&t, all);
		size_t kind = 0;

		while (at >= kinds[kind].weight)
			at -= kinds[kind++].weight;
		kinds[kind].make(&t);
	}
	assert_int_equal(pclose(t.out), 0);
	for (int k = 0; k < NR_KERNELS; k++)
		rig_close(&t.sheet[k].rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_engine_and_a_second_reading_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
