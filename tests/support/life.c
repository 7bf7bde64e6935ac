/*
 * The steps of a random life, from a row of numbers to an op on what is
 * there: groups, tasks, files, mappings.
 */
#include "life.h"

#include <inttypes.h>
#include <string.h>

#include "inherited.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { FILE_PAGES = 700, SMALLEST_LIMIT = 40 };

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
		fprintf(life->script,
			" set=%" PRIu32 " limit=%" PRIu64 " min=%" PRIu64 " low=%" PRIu64
			" high=%" PRIu64 " soft=%" PRIu64 " memsw=%" PRIu64 " swap_max=%" PRIu64
			" swappiness=%" PRId64 " hierarchy=%d oom_disable=%d oom_group=%d",
			g->set, g->limit_pages, g->min_pages, g->low_pages, g->high_pages,
			g->soft_pages, g->memsw_pages, g->swap_max_pages, g->swappiness,
			g->hierarchy, g->oom_disable, g->oom_group);
	fflush(life->script);
}

static void tell_end(const struct life *life, const char *outcome)
{
	if (!life->script)
		return;
	fprintf(life->script, ": %s\n", outcome);
	fflush(life->script);
}

void life_broken(struct life *life, const char *law, const char *detail)
{
	char *why = life->verdict.why;

	if (!why[0])
		snprintf(why, WORLD_WHY_MAX, "%s: %.300s", law, detail);
}

/* Does an op; one that is refused changes nothing.  Returns: whether it was done. */
static bool act(struct life *life, const struct op *op, struct op_result *res)
{
	char before[RUN_HASH_MAX], after[RUN_HASH_MAX];
	bool compare = life->verdict.ops % 256 == 0;
	uint64_t steps = run_steps(life->run);
	enum err err;

	memset(res, 0, sizeof(*res));
	if (compare)
		run_hash(life->run, before);
	tell(life, op);
	err = run_apply(life->run, op, res, &life->diag);
	tell_end(life, err ? life->diag.text : res->outcome == OP_DONE ? "done" : "not done");
	life->verdict.ops++;
	if (!err)
		return true;
	if (run_steps(life->run) != steps) {
		life->verdict.full = true;
		return false;
	}
	life->verdict.refused++;
	if (err != ERR_RANGE && err != ERR_NAME && err != ERR_SCENARIO && err != ERR_USAGE)
		life_broken(life, "an op ends in no error but a refusal", life->diag.text);
	if (!compare)
		return false;
	run_hash(life->run, after);
	if (strcmp(before, after))
		life_broken(life, "a refused op changes nothing", life->diag.text);
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

	if (life->nr_groups == LIFE_GROUPS_MAX)
		return;
	snprintf(op.name, sizeof(op.name), "g%" PRIu64, life->verdict.ops);
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
		GROUP_MEMSW, GROUP_MOVE_CHARGE, GROUP_SWAP_MAX,
		GROUP_MEMSW | GROUP_LIMIT, GROUP_MEMSW | GROUP_LIMIT,
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
	op.group.limit_pages = some_limit(n[2]);
	op.group.memsw_pages = op.group.limit_pages + n[3] % 300;
	op.group.move_charge = n[2] % 4;
	op.group.swap_max_pages = n[2] % 150;
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

	op.cpu = n[1] % LIFE_CPUS;
	if (life->nr_tasks < LIFE_TASKS_MAX && act(life, &op, &res))
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

	if (n[1] % 32)
		nr = 1 + nr % 16;
	if (nr > pages - first)
		nr = pages - first;
	op->offset = first * PAGE_BYTES;
	op->length = nr * PAGE_BYTES;
	if (n[1] % 64 / 8 > 5) {
		op->pattern = n[1] % 128 < 64 ? PATTERN_UNIFORM : PATTERN_ZIPF;
		op->count = 1 + n[3] % 16;
		op->value = 100 + n[2] % 1400;
	}
}

static void use_file(struct life *life, enum op_kind kind, const uint32_t *n)
{
	struct op op = { .kind = kind, .task = some_task(life, n[0]) };
	struct op_result res;

	op.object = life->files[n[0] / LIFE_TASKS_MAX % LIFE_FILES];
	op.handle = n[2] % 2;
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
	op.object = life->files[n[2] % LIFE_FILES];
	if (op.kind == OP_FILE_DROP && n[3] % 4)
		stretch(&op, FILE_PAGES, n);
	op.pattern = PATTERN_SEQ;
	act(life, &op, &res);
}

/* A mapping that there is from now on. */
static void keep_map(struct life *life, uint32_t task, uint32_t map, pages_t pages)
{
	if (!map || life->nr_maps == LIFE_MAPS_MAX)
		return;
	life->maps[life->nr_maps].task = task;
	life->maps[life->nr_maps].pages = pages;
	life->maps[life->nr_maps++].map = map;
}

static void new_map(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = n[0] % 3 ? OP_MAP_ANON : OP_MAP_FILE, .name = "m" };
	struct op_result res;

	if (life->nr_maps == LIFE_MAPS_MAX)
		return;
	op.task = some_task(life, n[1]);
	op.length = (1 + n[2] % 200) * PAGE_BYTES;
	if (op.kind == OP_MAP_FILE) {
		op.object = life->files[n[3] % LIFE_FILES];
		op.flags = (n[2] % 4   ? 0
			    : n[2] % 8 ? OPF_RANDOM
				       : OPF_SEQUENTIAL) |
			   (n[3] % 32 < 8 ? OPF_EXEC : 0);
		op.handle = n[3] % 2;
		op.length = FILE_PAGES * PAGE_BYTES;
	}
	if (!act(life, &op, &res))
		return;
	keep_map(life, op.task, res.id, op.length / PAGE_BYTES);
}

/* A mapping there is, for @op to be about.  Returns: false if there is none. */
static bool some_map(const struct life *life, uint32_t n, struct op *op, uint32_t *i)
{
	if (!life->nr_maps)
		return false;
	*i = n % life->nr_maps;
	op->task = life->maps[*i].task;
	op->object = life->maps[*i].map;
	return true;
}

/* A child, which has all that its parent has. */
static void fork_task(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_FORK, .task = some_task(life, n[0]), .name = "c" };
	struct op_result res;

	op.cpu = n[1] % LIFE_CPUS;
	if (life->nr_tasks == LIFE_TASKS_MAX || !act(life, &op, &res) || !res.id)
		return;
	life->tasks[life->nr_tasks++] = res.id;
	for (uint32_t i = 0, nr = life->nr_maps; i < nr; i++)
		if (life->maps[i].task == op.task)
			keep_map(life, res.id, run_inherited(life->run, res.id, life->maps[i].map),
				 life->maps[i].pages);
}

/* Another program: what the task had before is refused from now on. */
static void run_program(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_EXECVE, .task = some_task(life, n[0]), .name = "p" };
	struct op_result res;

	op.object = life->files[n[1] % LIFE_FILES];
	op.handle = n[2] % 2;
	if (act(life, &op, &res))
		keep_map(life, op.task, res.id, FILE_PAGES);
}

static void touch(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_TOUCH, .flags = n[1] % 3 ? OPF_WRITE : n[2] % 2 * OPF_READ };
	struct op_result res;
	uint32_t i;

	if (!some_map(life, n[0], &op, &i))
		return;
	stretch(&op, life->maps[i].pages, n);
	act(life, &op, &res);
}

static void unmap(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_UNMAP };
	struct op_result res;
	uint32_t i;

	if (!some_map(life, n[0], &op, &i))
		return;
	act(life, &op, &res);
	life->maps[i] = life->maps[--life->nr_maps];
}

/* Advice about a file, or the file opened anew. */
static void advise_file(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = n[0] % 8 ? OP_FADVISE : OP_OPEN };
	struct op_result res;

	op.task = some_task(life, n[1]);
	op.object = life->files[n[2] % LIFE_FILES];
	op.handle = n[2] / LIFE_FILES % 2;
	stretch(&op, FILE_PAGES, n);
	op.pattern = PATTERN_SEQ;
	if (n[3] % 3 == 0) {
		op.offset = 0;
		op.length = FILE_PAGES * PAGE_BYTES;
	}
	op.value = n[0] / 8 % 3 ? FADVICE_DONTNEED : (int64_t)(n[0] / 24 % NR_FADVICES);
	op.flags = op.kind == OP_OPEN ? n[3] % 2 * OPF_RANDOM + n[3] / 2 % 2 * OPF_SEQUENTIAL : 0;
	act(life, &op, &res);
}

static void advise_memory(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = OP_MADVISE };
	struct op_result res;
	uint32_t i;

	if (!some_map(life, n[0], &op, &i))
		return;
	stretch(&op, life->maps[i].pages, n);
	op.pattern = PATTERN_SEQ;
	if (n[3] % 2) {
		op.offset = 0;
		op.length = life->maps[i].pages * PAGE_BYTES;
	}
	op.value = n[2] / 7 % NR_MADVICES;
	act(life, &op, &res);
}

static void lock_memory(struct life *life, const uint32_t *n)
{
	struct op op = { .kind = n[0] % 5 < 2 ? OP_MLOCK : OP_MUNLOCK };
	struct op_result res;
	uint32_t i;

	if (!life->nr_maps)
		return;
	i = n[0] / 5 % life->nr_maps;
	op.task = life->maps[i].task;
	op.object = life->maps[i].map;
	stretch(&op, life->maps[i].pages, n);
	op.pattern = PATTERN_SEQ;
	if (op.kind == OP_MUNLOCK && n[3] % 3) {
		op.offset = 0;
		op.length = life->maps[i].pages * PAGE_BYTES;
	}
	act(life, &op, &res);
}

static void machine_op(struct life *life, const uint32_t *n)
{
	static const enum op_kind ops[] = {
		OP_DRAIN, OP_FLUSH, OP_RECLAIM, OP_THINK, OP_FORCE_EMPTY,
	};
	struct op op = { .kind = ops[n[0] % NR(ops)] };
	struct op_result res;

	op.cpu = n[1] % LIFE_CPUS;
	if (op.kind == OP_RECLAIM || op.kind == OP_FORCE_EMPTY)
		op.object = some_group(life, n[1]);
	if (op.kind == OP_RECLAIM)
		op.length = (n[2] % 100) * PAGE_BYTES;
	if (op.kind == OP_FLUSH)
		op.value = n[2] % 2 ? 0 : n[2] % 300;
	if (op.kind == OP_THINK)
		op.value = (int64_t)n[2];
	act(life, &op, &res);
}

static const struct {
	unsigned weight;
	void (*act)(struct life *life, const uint32_t *n);
} acts[] = {
	{ 3, new_group }, { 5, set_limit }, { 5, set_other }, { 2, remove_group }, { 6, new_task },
	{ 4, move_or_exit }, { 30, read_file }, { 6, write_file }, { 2, file_op }, { 7, new_map },
	{ 22, touch }, { 4, unmap }, { 6, machine_op }, { 4, advise_file }, { 7, advise_memory },
	{ 3, lock_memory }, { 4, fork_task }, { 1, run_program },
};

unsigned life_weight(void)
{
	unsigned all = 0;

	for (size_t i = 0; i < NR(acts); i++)
		all += acts[i].weight;
	return all;
}

uint8_t life_kind(uint64_t number)
{
	uint8_t kind = 0;

	while (number >= acts[kind].weight)
		number -= acts[kind++].weight;
	return kind;
}

void life_act(struct life *life, const struct world_step *step)
{
	acts[step->kind].act(life, step->number);
}

void life_begin(struct life *life)
{
	static const uint32_t file_flags[LIFE_FILES] = { 0, OPF_LARGE, OPF_RANDOM, OPF_SHMEM };
	struct op file = { .kind = OP_FILE_NEW, .length = FILE_PAGES * PAGE_BYTES, .name = "f" };
	struct op group = { .kind = OP_GROUP_NEW, .object = 1, .name = "first" };
	struct op task = { .kind = OP_TASK_NEW, .name = "first" };
	struct op_result res;

	for (int i = 0; i < LIFE_FILES; i++) {
		file.flags = file_flags[i];
		act(life, &file, &res);
		life->files[i] = res.id;
	}
	group.group.set = GROUP_LIMIT;
	group.group.limit_pages = FILE_PAGES / 2;
	/* Without the controller there are no limits. */
	if (!act(life, &group, &res)) {
		group.group.set = 0;
		act(life, &group, &res);
	}
	life->groups[life->nr_groups++] = task.object = res.id;
	act(life, &task, &res);
	life->tasks[life->nr_tasks++] = res.id;
}
