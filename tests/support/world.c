/*
 * What a step does, the laws that are looked at on the way, and how a life
 * runs in a child process, so that a broken assertion, a crash or a hang is
 * a failure like any other.
 */
#include "world.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define MIB ((bytes_t)1 << 20)

enum {
	CPUS = 2, GROUPS_MAX = 10, TASKS_MAX = 12, MAPS_MAX = 40, FILES = 4,
	FILE_PAGES = 700, CHECK_EVERY = 24, SAVED_MAX = 31, HANG_SECONDS = 20,
	SMALL_MIB = 6, SMALLEST_LIMIT = 40
};

struct life {
	struct run *run;
	const struct scenario *sc;
	struct diag diag;
	FILE *script;
	uint32_t groups[GROUPS_MAX], nr_groups;
	uint32_t tasks[TASKS_MAX], nr_tasks;
	uint32_t files[FILES];
	struct { uint32_t task, map; pages_t pages; } maps[MAPS_MAX];
	uint32_t nr_maps;
	struct world_count count;
	char why[WORLD_WHY_MAX];
};

static uint64_t next(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random >> 11;
}

/* An op as a line of the script; told before it is done, since it may be the last. */
static void tell(const struct life *life, const struct op *op)
{
	const struct group_conf *g = &op->group;

	if (!life->script)
		return;
	fprintf(life->script, "  %s", op_kind_name(op->kind));
	if (op->task)
		fprintf(life->script, " task=%" PRIu32, op->task);
	if (op->object)
		fprintf(life->script, " object=%" PRIu32, op->object);
	if (op->cpu)
		fprintf(life->script, " cpu=%" PRIu32, op->cpu);
	if (op->length || op->offset)
		fprintf(life->script, " pages=%" PRIu64 "+%" PRIu64, op->offset / PAGE_BYTES,
			op->length / PAGE_BYTES);
	if (op->pattern != PATTERN_SEQ)
		fprintf(life->script, " pattern=%d count=%" PRIu64, (int)op->pattern, op->count);
	if (op->value)
		fprintf(life->script, " value=%" PRId64, op->value);
	if (op->flags)
		fprintf(life->script, " flags=%" PRIu32, op->flags);
	if (g->set)
		fprintf(life->script, " set=%" PRIu32 " limit=%" PRIu64 " min=%" PRIu64 " low=%"
			PRIu64 " high=%" PRIu64 " soft=%" PRIu64 " swappiness=%" PRId64
			" hierarchy=%d oom_disable=%d oom_group=%d", g->set, g->limit_pages,
			g->min_pages, g->low_pages, g->high_pages, g->soft_pages, g->swappiness,
			g->hierarchy, g->oom_disable, g->oom_group);
	fflush(life->script);
}

static void tell_end(const struct life *life, const char *outcome)
{
	if (life->script)
		fprintf(life->script, ": %s\n", outcome);
}

static void broken(struct life *life, const char *law, const char *detail)
{
	if (!life->why[0])
		snprintf(life->why, sizeof(life->why), "%s: %.300s", law, detail);
}

/* Does an op, which may be refused; then nothing may have changed.  Returns: whether it was done. */
static bool act(struct life *life, const struct op *op, struct op_result *res)
{
	char before[RUN_HASH_MAX], after[RUN_HASH_MAX];
	bool compare = life->count.ops % 64 == 0;
	uint64_t steps = run_steps(life->run);
	enum err err;

	memset(res, 0, sizeof(*res));
	if (compare)
		run_hash(life->run, before);
	tell(life, op);
	err = run_apply(life->run, op, res, &life->diag);
	tell_end(life, err ? life->diag.text : res->outcome == OP_DONE ? "done" : "not done");
	life->count.ops++;
	if (!err)
		return true;
	if (run_steps(life->run) != steps) {
		life->count.full = true;
		return false;
	}
	life->count.refused++;
	if (err != ERR_RANGE && err != ERR_NAME && err != ERR_SCENARIO && err != ERR_USAGE)
		broken(life, "an op ends in no error but a refusal", life->diag.text);
	if (!compare)
		return false;
	run_hash(life->run, after);
	if (strcmp(before, after))
		broken(life, "a refused op changes nothing", life->diag.text);
	return false;
}

static uint32_t some_group(const struct life *life, uint32_t number)
{
	uint32_t all = life->nr_groups + 1;

	return number % all ? life->groups[number % all - 1] : 1;
}

/* A live task; dead ones are forgotten on the way.  Returns: 0 if none is left. */
static uint32_t some_task(struct life *life, uint32_t number)
{
	while (life->nr_tasks) {
		uint32_t *task = &life->tasks[number % life->nr_tasks];
		struct run_task figures;

		if (run_task(life->run, *task, &figures) && figures.alive)
			return *task;
		*task = life->tasks[--life->nr_tasks];
	}
	return 0;
}

static pages_t some_limit(uint32_t number)
{
	return SMALLEST_LIMIT + (number % 4 ? number / 4 % 300 : number / 4 % 3000);
}

static void new_group(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = some_group(life, n[0]) };
	struct op_result res;

	if (life->nr_groups == GROUPS_MAX)
		return;
	snprintf(op.name, sizeof(op.name), "g%" PRIu64, life->count.ops);
	op.group.set = (n[1] % 4 ? GROUP_LIMIT : 0) | (n[1] % 3 ? GROUP_HIERARCHY : 0);
	op.group.limit_pages = some_limit(n[2]);
	op.group.hierarchy = n[1] % 3 != 0;
	if (act(life, &op, &res))
		life->groups[life->nr_groups++] = res.id;
}

static void set_limit(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_GROUP_SET, .object = some_group(life, n[0]) };
	struct op_result res;

	op.group.set = GROUP_LIMIT;
	op.group.limit_pages = n[1] % 16 ? some_limit(n[2]) : n[2] % 2 ? 0 : PAGES_UNLIMITED;
	act(life, &op, &res);
}

static void set_other(struct life *life, const uint32_t *n)
{
	static const uint32_t members[] = {
		GROUP_SWAPPINESS, GROUP_HIERARCHY, GROUP_OOM_DISABLE, GROUP_MIN, GROUP_LOW,
		GROUP_HIGH, GROUP_OOM_GROUP, GROUP_SOFT, GROUP_MIN, GROUP_LOW, GROUP_SOFT,
	};
	struct op op = { .kind = OP_GROUP_SET, .object = some_group(life, n[0]) };
	struct op_result res;

	op.group.set = members[n[1] % NR(members)];
	op.group.swappiness = n[2] % 230;
	op.group.hierarchy = n[2] % 2;
	op.group.oom_disable = op.group.oom_group = n[2] % 4 == 0;
	op.group.min_pages = op.group.low_pages = n[2] % 200;
	op.group.high_pages = n[2] % 8 ? PAGES_UNLIMITED : n[3] % 500;
	op.group.soft_pages = n[2] % 400;
	act(life, &op, &res);
}

static void remove_group(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_GROUP_REMOVE };
	struct op_result res;

	if (!life->nr_groups)
		return;
	op.object = life->groups[n[0] % life->nr_groups];
	if (!act(life, &op, &res) || res.outcome != OP_DONE)
		return;
	life->nr_groups--;
	for (uint32_t i = 0; i < life->nr_groups; i++)
		if (life->groups[i] == op.object)
			life->groups[i] = life->groups[life->nr_groups];
}

static void new_task(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_TASK_NEW, .object = some_group(life, n[0]), .name = "t" };
	struct op_result res;

	op.cpu = n[1] % CPUS;
	if (life->nr_tasks < TASKS_MAX && act(life, &op, &res))
		life->tasks[life->nr_tasks++] = res.id;
}

static void move_or_exit(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = n[0] % 3 ? OP_TASK_MOVE : OP_TASK_EXIT };
	struct op_result res;

	op.task = some_task(life, n[1]);
	op.object = some_group(life, n[2]);
	act(life, &op, &res);
}

/* A stretch of pages: mostly short; in order or drawn. */
static void stretch(struct op *op, pages_t pages, const uint32_t *n)
{
	pages_t first = n[2] % pages, nr = 1 + n[3] % (pages - first);

	if (n[1] % 8)
		nr = 1 + nr % 40;
	if (nr > pages - first)
		nr = pages - first;
	op->offset = first * PAGE_BYTES;
	op->length = nr * PAGE_BYTES;
	if (n[1] % 64 / 8 > 5) {
		op->pattern = n[1] % 128 < 64 ? PATTERN_UNIFORM : PATTERN_ZIPF;
		op->count = 1 + n[3] % 40;
		op->value = 100 + n[2] % 1400;
	}
}

static void use_file(struct life *life, enum op_kind kind, const uint32_t *n)
{
	struct op op = { .kind = kind, .task = some_task(life, n[0]) };
	struct op_result res;

	op.object = life->files[n[0] / TASKS_MAX % FILES];
	stretch(&op, FILE_PAGES, n);
	if (kind == OP_READ && n[0] % 5 == 0)
		op.flags = n[1] % 2 ? OPF_RANDOM : OPF_DONTCACHE;
	if (n[1] % 32 == 0)
		op.chunk = 1 + n[2] % 100000;
	act(life, &op, &res);
}

static void read_file(struct life *life, const uint32_t *n)
{
	use_file(life, OP_READ, n);
}

static void write_file(struct life *life, const uint32_t *n)
{
	use_file(life, OP_WRITE, n);
}

static void file_op(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = n[0] % 3 ? OP_FSYNC : OP_FILE_DROP };
	struct op_result res;

	op.task = op.kind == OP_FSYNC ? some_task(life, n[1]) : 0;
	op.object = life->files[n[2] % FILES];
	act(life, &op, &res);
}

static void new_map(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = n[0] % 3 ? OP_MAP_ANON : OP_MAP_FILE, .name = "m" };
	struct op_result res;

	if (life->nr_maps == MAPS_MAX)
		return;
	op.task = some_task(life, n[1]);
	op.length = (1 + n[2] % 200) * PAGE_BYTES;
	if (op.kind == OP_MAP_FILE) {
		op.object = life->files[n[3] % FILES];
		op.flags = n[2] % 4 ? 0 : OPF_RANDOM;
		op.length = FILE_PAGES * PAGE_BYTES;
	}
	if (!act(life, &op, &res))
		return;
	life->maps[life->nr_maps].task = op.task;
	life->maps[life->nr_maps].pages = op.length / PAGE_BYTES;
	life->maps[life->nr_maps++].map = res.id;
}

static void touch(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_TOUCH, .flags = n[1] % 3 ? OPF_WRITE : 0 };
	struct op_result res;
	uint32_t i;

	if (!life->nr_maps)
		return;
	i = n[0] % life->nr_maps;
	op.task = life->maps[i].task;
	op.object = life->maps[i].map;
	stretch(&op, life->maps[i].pages, n);
	act(life, &op, &res);
}

static void unmap(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_UNMAP };
	struct op_result res;
	uint32_t i;

	if (!life->nr_maps)
		return;
	i = n[0] % life->nr_maps;
	op.task = life->maps[i].task;
	op.object = life->maps[i].map;
	act(life, &op, &res);
	life->maps[i] = life->maps[--life->nr_maps];
}

static void machine_op(struct life *life, const uint32_t *n)
{
	static const enum op_kind ops[] = { OP_DRAIN, OP_FLUSH, OP_RECLAIM, OP_THINK };
	struct op op = { .kind = ops[n[0] % NR(ops)] };
	struct op_result res;

	op.cpu = n[1] % CPUS;
	if (op.kind == OP_RECLAIM) {
		op.object = some_group(life, n[1]);
		op.length = (n[2] % 100) * PAGE_BYTES;
	}
	if (op.kind == OP_FLUSH)
		op.value = n[2] % 2 ? 0 : n[2] % 300;
	if (op.kind == OP_THINK)
		op.value = (int64_t)n[2];
	act(life, &op, &res);
}

static const struct { unsigned weight; void (*act)(struct life *life, const uint32_t *n); } acts[] = {
	{ 3, new_group }, { 5, set_limit }, { 5, set_other }, { 2, remove_group }, { 6, new_task },
	{ 4, move_or_exit }, { 30, read_file }, { 6, write_file }, { 2, file_op }, { 7, new_map },
	{ 22, touch }, { 4, unmap }, { 6, machine_op },
};

void world_draw(uint64_t seed, struct world_step *steps, size_t nr)
{
	uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	unsigned all = 0;

	for (size_t i = 0; i < NR(acts); i++)
		all += acts[i].weight;
	for (size_t i = 0; i < nr; i++) {
		uint64_t at = next(&random) % all;

		steps[i].kind = 0;
		while (at >= acts[steps[i].kind].weight)
			at -= acts[steps[i].kind++].weight;
		for (size_t n = 0; n < NR(steps[i].number); n++)
			steps[i].number[n] = (uint32_t)next(&random);
	}
}

void world_scenario(uint64_t seed, struct scenario *sc)
{
	struct pcg_machine *memory = &sc->memory;

	scenario_defaults(sc);
	sc->seed = seed;
	sc->cpus = CPUS;
	sc->swap_pages = seed % 3 ? 200 + seed % 7 * 100 : 0;
	if (seed % 2 == 0)
		return;
	memory->nr_ranges = 1;
	memory->range[0] = (struct pcg_range){ 16 * MIB, (16 + SMALL_MIB) * MIB };
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
		if (run_memcg(life->run, i, &child) && child.parent == id)
			sum += child.usage;
	return sum;
}

static void check_group(struct life *life, uint32_t id)
{
	struct run_memcg g;
	pages_t listed = 0;

	if (!run_memcg(life->run, id, &g) || !g.online)
		return;
	for (int lru = 0; lru < NR_LRU; lru++) {
		listed += g.size[lru];
		if (g.saved[lru] > SAVED_MAX)
			broken(life, "less than a cluster is saved up", g.path);
	}
	if (listed + g.queued != g.charged)
		broken(life, "charged pages are listed or queued", g.path);
	if (g.nr_charged - g.nr_uncharged != g.charged)
		broken(life, "what was charged and not uncharged is there", g.path);
	if (g.nr_reclaimed > g.nr_uncharged)
		broken(life, "what was reclaimed is uncharged", g.path);
	if (g.usage < g.charged + g.stock)
		broken(life, "usage covers pages and stock", g.path);
	if (g.hierarchy && id != 1 && g.usage < children_usage(life, id) + g.charged)
		broken(life, "usage covers the children's", g.path);
	if (g.peak < g.usage)
		broken(life, "the peak is the most that usage was", g.path);
}

static void check_life(struct life *life)
{
	struct run_totals totals;

	if (run_invariant(life->run, &life->diag))
		broken(life, "invariant", life->diag.text);
	for (uint32_t id = 1; id <= run_memcg_max(life->run); id++)
		check_group(life, id);
	run_totals(life->run, &totals);
	if (totals.nr_uncharged > totals.nr_charged || totals.nr_hits > totals.nr_accesses)
		broken(life, "totals agree", "uncharged and charged, hits and accesses");
}

/* What every life begins with, whatever steps are left out: files, a group, a task. */
static void begin(struct life *life)
{
	struct op file = { .kind = OP_FILE_NEW, .length = FILE_PAGES * PAGE_BYTES, .name = "f" };
	struct op group = { .kind = OP_GROUP_NEW, .object = 1, .name = "first" };
	struct op task = { .kind = OP_TASK_NEW, .name = "first" };
	struct op_result res;

	for (int i = 0; i < FILES; i++) {
		act(life, &file, &res);
		life->files[i] = res.id;
	}
	group.group.set = GROUP_LIMIT;
	group.group.limit_pages = FILE_PAGES / 2;
	act(life, &group, &res);
	life->groups[life->nr_groups++] = task.object = res.id;
	act(life, &task, &res);
	life->tasks[life->nr_tasks++] = res.id;
}

static void live(struct life *life, const struct world_step *steps, size_t nr)
{
	if (run_open(life->sc, &life->run, &life->diag)) {
		broken(life, "a machine opens", life->diag.text);
		return;
	}
	begin(life);
	for (size_t i = 0; i < nr && !life->why[0] && !life->count.full; i++) {
		acts[steps[i].kind].act(life, steps[i].number);
		if (i % CHECK_EVERY == 0 || life->script)
			check_life(life);
	}
	check_life(life);
	run_close(life->run);
}

/* What a child tells its parent. */
struct verdict {
	struct world_count count;
	char why[WORLD_WHY_MAX];
};

bool world_live(const struct scenario *sc, const struct world_step *steps, size_t nr,
		struct world_count *count, FILE *script, char why[WORLD_WHY_MAX])
{
	struct verdict verdict = { .why = "" };
	int ends[2], status = 0;
	ssize_t got;
	pid_t child;

	if (pipe(ends))
		abort();
	fflush(NULL);
	child = fork();
	if (child == 0) {
		struct life life = { .sc = sc, .script = script };

		/* What a broken assertion says is wanted once, with the script. */
		if (!script && !freopen("/dev/null", "w", stderr))
			_exit(1);
		alarm(HANG_SECONDS);
		live(&life, steps, nr);
		verdict.count = life.count;
		memcpy(verdict.why, life.why, sizeof(life.why));
		got = write(ends[1], &verdict, sizeof(verdict));
		_exit(got != sizeof(verdict));
	}
	close(ends[1]);
	got = read(ends[0], &verdict, sizeof(verdict));
	close(ends[0]);
	waitpid(child, &status, 0);
	if (got != sizeof(verdict))
		snprintf(verdict.why, sizeof(verdict.why), "ended by signal %d",
			 WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	*count = verdict.count;
	memcpy(why, verdict.why, WORLD_WHY_MAX);
	return !why[0];
}

/* Leaves out @nr steps from @at on. */
static void leave_out(const struct world_step *steps, size_t all, size_t at, size_t nr,
		      struct world_step *out)
{
	memcpy(out, steps, at * sizeof(*out));
	memcpy(out + at, steps + at + nr, (all - at - nr) * sizeof(*out));
}

/* Chunks of half the list first, single steps at last, until nothing more can go. */
size_t world_shrink(const struct scenario *sc, struct world_step *steps, size_t nr)
{
	struct world_step *fewer = malloc((nr + 1) * sizeof(*fewer));
	struct world_count count;
	char why[WORLD_WHY_MAX];
	bool shrunk = true;

	assert(fewer);
	for (size_t chunk = nr / 2; chunk || shrunk; chunk = chunk > 1 || !shrunk ? chunk / 2 : 1) {
		shrunk = false;
		for (size_t at = 0; chunk && at + chunk <= nr;) {
			leave_out(steps, nr, at, chunk, fewer);
			if (world_live(sc, fewer, nr - chunk, &count, NULL, why)) {
				at += chunk;
				continue;
			}
			nr -= chunk;
			memcpy(steps, fewer, nr * sizeof(*fewer));
			shrunk = true;
		}
		if (!chunk)
			break;
	}
	free(fewer);
	return nr;
}
