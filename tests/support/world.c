/*
 * The laws that are looked at in the course of a life, and how it runs in a
 * child process, so that a broken assertion, a crash or a hang is a failure
 * like any other.
 */
#include "life.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define MIB ((bytes_t)1 << 20)

enum { CHECK_EVERY = 32, SAVED_MAX = 31, HANG_SECONDS = 20, SMALL_MIB = 6 };

static uint64_t next(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random >> 11;
}

void world_draw(uint64_t seed, struct world_step *steps, size_t nr)
{
	uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

	for (size_t i = 0; i < nr; i++) {
		steps[i].kind = life_kind(next(&random) % life_weight());
		for (size_t n = 0; n < NR(steps[i].number); n++)
			steps[i].number[n] = (uint32_t)next(&random);
	}
}

void world_scenario(uint64_t seed, struct scenario *sc)
{
	struct pcg_machine *memory = &sc->memory;

	scenario_defaults(sc);
	sc->seed = seed;
	sc->cpus = LIFE_CPUS;
	sc->swap_pages = seed % 3 ? 200 + seed % 7 * 100 : 0;
	if (seed % 2 == 0)
		return;
	memory->nr_ranges = 1;
	memory->range[0] = (struct pcg_range){ 16 * MIB, (16 + SMALL_MIB) * MIB };
	/* One machine in four has nodes: some of one zone each, some that share three zones out. */
	sc->nodes = seed % 8 == 5 ? 2 + (uint32_t)(seed / 8 % 3) : seed % 8 == 7 ? 2 : 1;
	if (seed % 4 == 1)
		return;
	sc->zones = true;
	memory->nr_ranges = 3;
	memory->range[0] = (struct pcg_range){ 14 * MIB, 16 * MIB };
	memory->range[1] = (struct pcg_range){ 16 * MIB, 18 * MIB };
	memory->range[2] = (struct pcg_range){ 4096 * MIB, 4098 * MIB };
}

/* Pages charged to groups that charge @id too, one level down. */
static pages_t children_usage(const struct life *life, uint32_t id)
{
	struct run_memcg child;
	pages_t sum = 0;

	for (uint32_t i = 1; i <= run_memcg_max(life->run); i++)
		/* A dead child may have been made before its parent was hierarchical. */
		if (run_memcg(life->run, i, &child) && child.parent == id && !child.dying)
			sum += child.usage;
	return sum;
}

/* Without the controller the root stands for the machine, and nothing is counted. */
static void check_uncharged(struct life *life, const struct run_memcg *g)
{
	if (g->usage || g->nr_charged || g->stock || (g->charged && g->id != 1))
		life_broken(life, "without the controller nothing is charged", g->path);
}

static void check_group(struct life *life, uint32_t id)
{
	bool off = strcmp(era_value_name(&run_scenario(life->run)->era, AXIS_MEMCG), "off") == 0;
	struct run_memcg g;
	pages_t listed = 0;

	if (!run_memcg(life->run, id, &g) || !g.online)
		return;
	for (int lru = 0; lru < NR_LRU; lru++) {
		listed += g.size[lru];
		if (g.saved[lru] > SAVED_MAX)
			life_broken(life, "less than a cluster is saved up", g.path);
	}
	if (listed + g.queued != g.charged)
		life_broken(life, "charged pages are listed or queued", g.path);
	if (off) {
		check_uncharged(life, &g);
		return;
	}
	if (g.nr_charged - g.nr_uncharged != g.charged)
		life_broken(life, "what was charged and not uncharged is there", g.path);
	if (g.nr_reclaimed > g.nr_uncharged)
		life_broken(life, "what was reclaimed is uncharged", g.path);
	if (g.usage < g.charged + g.stock)
		life_broken(life, "usage covers pages and stock", g.path);
	if (g.hierarchy && id != 1 && g.usage < children_usage(life, id) + g.charged)
		life_broken(life, "usage covers the children's", g.path);
	if (g.peak < g.usage)
		life_broken(life, "the peak is the most that usage was", g.path);
}

static void check_life(struct life *life)
{
	struct run_totals totals;

	if (run_invariant(life->run, &life->diag))
		life_broken(life, "invariant", life->diag.text);
	if (life->law && life->law(life->run))
		life_broken(life, "one law more", life->law(life->run));
	for (uint32_t id = 1; id <= run_memcg_max(life->run); id++)
		check_group(life, id);
	run_totals(life->run, &totals);
	if (totals.nr_uncharged > totals.nr_charged || totals.nr_hits > totals.nr_accesses)
		life_broken(life, "totals agree", "uncharged and charged, hits and accesses");
}

static void live(struct life *life, const struct world *world)
{
	if (run_open(world->sc, &life->run, &life->diag)) {
		life_broken(life, "a machine opens", life->diag.text);
		return;
	}
	life_begin(life);
	for (size_t i = 0; i < world->nr && !life->verdict.why[0] && !life->verdict.full; i++) {
		life_act(life, &world->steps[i]);
		if (i % CHECK_EVERY == 0 || life->script)
			check_life(life);
	}
	check_life(life);
	run_hash(life->run, life->verdict.hash);
	run_close(life->run);
}

/* The child's part.  Returns: its exit status. */
static int child_live(const struct world *world, FILE *script, int out)
{
	struct life life = { .script = script, .law = world->law };

	/* What a broken assertion says is wanted once, with the script. */
	if (!script && !freopen("/dev/null", "w", stderr))
		return 1;
	alarm(HANG_SECONDS);
	live(&life, world);
	return write(out, &life.verdict, sizeof(life.verdict)) != sizeof(life.verdict);
}

bool world_live(const struct world *world, FILE *script, struct world_verdict *verdict)
{
	int ends[2], status = 0;
	ssize_t got;
	pid_t child;

	*verdict = (struct world_verdict){ .why = "" };
	if (pipe(ends))
		abort();
	fflush(NULL);
	child = fork();
	if (child == 0)
		_exit(child_live(world, script, ends[1]));
	close(ends[1]);
	got = read(ends[0], verdict, sizeof(*verdict));
	close(ends[0]);
	waitpid(child, &status, 0);
	if (got != sizeof(*verdict))
		snprintf(verdict->why, sizeof(verdict->why), "ended by signal %d",
			 WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	return !verdict->why[0];
}

/* Leaves out @nr steps from @at on. */
static void leave_out(const struct world *world, size_t at, size_t nr, struct world_step *out)
{
	memcpy(out, world->steps, at * sizeof(*out));
	memcpy(out + at, world->steps + at + nr, (world->nr - at - nr) * sizeof(*out));
}

/* Whether a life still fails, and by the same law: "invariant: I3", "ended by signal". */
static bool fails_alike(const struct world *world, const char *why)
{
	enum { SAME_LAW = 13 };
	struct world_verdict now;

	return !world_live(world, NULL, &now) && !strncmp(now.why, why, SAME_LAW);
}

/* Leaves out every chunk of steps that is not needed.  Returns: whether there was one. */
static bool shrink_by(struct world *world, size_t chunk, const char *why)
{
	struct world_step *fewer = malloc((world->nr + 1) * sizeof(*fewer));
	struct world less = { world->sc, fewer, 0, world->law };
	size_t before = world->nr;

	assert(fewer);
	for (size_t at = 0; at + chunk <= world->nr;) {
		leave_out(world, at, chunk, fewer);
		less.nr = world->nr - chunk;
		if (!fails_alike(&less, why)) {
			at += chunk;
			continue;
		}
		world->nr = less.nr;
		memcpy(world->steps, fewer, less.nr * sizeof(*fewer));
	}
	free(fewer);
	return world->nr < before;
}

void world_shrink(struct world *world, const char *why)
{
	for (size_t chunk = world->nr / 2; chunk > 1; chunk /= 2)
		shrink_by(world, chunk, why);
	while (shrink_by(world, 1, why))
		;
}
