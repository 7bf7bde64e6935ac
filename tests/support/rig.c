/*
 * The test rig's own code: ops with names, and a sink that copies events.
 */
#include "rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RIG_EVENTS_MIN = 64 };

const char *const rig_kernels[] = {
	"v2.6.31", "v2.6.31+scan_batch=reclaim_stat", "v2.6.32",
	"v3.1", "v3.1+lru=per_memcg", "v3.3", NULL,
};

static enum err keep_event(struct sink *sink, const struct event *event, struct diag *diag)
{
	struct rig *rig = (struct rig *)sink;

	(void)diag;
	if (rig->nr_events == rig->max_events) {
		size_t max = rig->max_events ? 2 * rig->max_events : RIG_EVENTS_MIN;
		struct event *events = realloc(rig->events, max * sizeof(*events));

		assert_non_null(events);
		rig->events = events;
		rig->max_events = max;
	}
	rig->events[rig->nr_events] = *event;
	rig->events[rig->nr_events++].text = NULL; /* valid during the call only */
	return ERR_OK;
}

static void must(struct rig *rig, enum err err, const char *what)
{
	if (err)
		fail_msg("%s: error %d: %s", what, (int)err, rig->diag.text);
}

void rig_scenario(struct scenario *sc, const char *kernel, uint32_t cpus)
{
	struct diag diag;

	scenario_defaults(sc);
	snprintf(sc->name, sizeof(sc->name), "test");
	sc->cpus = cpus;
	if (era_find(kernel, &sc->era, &diag))
		fail_msg("%s: %s", kernel, diag.text);
}

void rig_open_scenario(struct rig *rig, const struct scenario *sc)
{
	memset(rig, 0, sizeof(*rig));
	must(rig, run_open(sc, &rig->run, &rig->diag), "open");
	rig->sink.name = "rig";
	rig->sink.mask = ~(1u << EVENT_PAGE);
	rig->sink.event = keep_event;
	must(rig, run_add_sink(rig->run, &rig->sink, &rig->diag), "add a sink");
}

void rig_open(struct rig *rig, const char *kernel, uint32_t cpus)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, cpus);
	rig_open_scenario(rig, &sc);
}

void rig_close(struct rig *rig)
{
	run_close(rig->run);
	free(rig->events);
	rig->run = NULL;
	rig->events = NULL;
}

struct op_result rig_apply(struct rig *rig, const struct op *op)
{
	struct op_result res;

	memset(&res, 0, sizeof(res));
	must(rig, run_apply(rig->run, op, &res, &rig->diag), op_kind_name(op->kind));
	return res;
}

static uint32_t make(struct rig *rig, const struct op *op)
{
	struct op_result res = rig_apply(rig, op);

	assert_int_equal(res.outcome, OP_DONE);
	return res.id;
}

static uint32_t new_group(struct rig *rig, uint32_t parent, const char *name,
			  const struct group_conf *conf)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = parent, .group = *conf };

	snprintf(op.name, sizeof(op.name), "%s", name);
	return make(rig, &op);
}

uint32_t rig_group(struct rig *rig, uint32_t parent, const char *name, pages_t limit_pages)
{
	struct group_conf conf = {
		.set = limit_pages ? GROUP_LIMIT : 0, .limit_pages = limit_pages,
	};

	return new_group(rig, parent, name, &conf);
}

uint32_t rig_hierarchy(struct rig *rig, uint32_t parent, const char *name, pages_t limit_pages)
{
	struct group_conf conf = {
		.set = GROUP_HIERARCHY | (limit_pages ? GROUP_LIMIT : 0),
		.hierarchy = true, .limit_pages = limit_pages,
	};

	return new_group(rig, parent, name, &conf);
}

uint32_t rig_task(struct rig *rig, uint32_t memcg, uint32_t cpu)
{
	struct op op = { .kind = OP_TASK_NEW, .object = memcg, .cpu = cpu, .name = "task" };

	return make(rig, &op);
}

uint32_t rig_file(struct rig *rig, pages_t pages)
{
	struct op op = { .kind = OP_FILE_NEW, .length = pages * PAGE_BYTES, .name = "file" };

	return make(rig, &op);
}

uint32_t rig_map(struct rig *rig, uint32_t task, pages_t pages)
{
	struct op op = {
		.kind = OP_MAP_ANON, .task = task, .length = pages * PAGE_BYTES, .name = "heap",
	};

	return make(rig, &op);
}

enum op_outcome rig_read(struct rig *rig, uint32_t task, uint32_t file, pages_t first, pages_t nr)
{
	struct op op = {
		.kind = OP_READ, .task = task, .object = file,
		.offset = first * PAGE_BYTES, .length = nr * PAGE_BYTES,
	};

	return rig_apply(rig, &op).outcome;
}

enum op_outcome rig_touch(struct rig *rig, uint32_t task, uint32_t map, pages_t first, pages_t nr)
{
	struct op op = {
		.kind = OP_TOUCH, .task = task, .object = map, .flags = OPF_WRITE,
		.offset = first * PAGE_BYTES, .length = nr * PAGE_BYTES,
	};

	return rig_apply(rig, &op).outcome;
}

enum op_outcome rig_limit(struct rig *rig, uint32_t memcg, pages_t limit)
{
	struct op op = {
		.kind = OP_GROUP_SET, .object = memcg,
		.group = { .set = GROUP_LIMIT, .limit_pages = limit },
	};

	return rig_apply(rig, &op).outcome;
}

void rig_unmap(struct rig *rig, uint32_t task, uint32_t map)
{
	struct op op = { .kind = OP_UNMAP, .task = task, .object = map };

	assert_int_equal(rig_apply(rig, &op).outcome, OP_DONE);
}

void rig_drain(struct rig *rig, uint32_t task)
{
	rig_unmap(rig, task, rig_map(rig, task, 1));
}

struct run_memcg rig_memcg(struct rig *rig, uint32_t memcg)
{
	struct run_memcg figures;

	memset(&figures, 0, sizeof(figures));
	assert_true(run_memcg(rig->run, memcg, &figures));
	return figures;
}

void rig_check(struct rig *rig, const char *when)
{
	must(rig, run_invariant(rig->run, &rig->diag), when);
}

void rig_forget(struct rig *rig)
{
	rig->nr_events = 0;
}

size_t rig_count(const struct rig *rig, enum event_kind kind)
{
	size_t nr = 0;

	for (size_t i = 0; i < rig->nr_events; i++)
		nr += rig->events[i].kind == kind;
	return nr;
}

const struct event *rig_nth(const struct rig *rig, enum event_kind kind, size_t n)
{
	for (size_t i = 0; i < rig->nr_events; i++)
		if (rig->events[i].kind == kind && n-- == 0)
			return &rig->events[i];
	fail_msg("too few events of kind %s", event_at(kind)->name);
	return NULL;
}

const char *rig_scans(const struct rig *rig, char out[RIG_TEXT_MAX])
{
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < rig->nr_events; i++) {
		const struct event *event = &rig->events[i];

		if (event->kind != EVENT_SHRINK || event->n[SHRINK_LIST] != LRU_INACTIVE_FILE)
			continue;
		len += (size_t)snprintf(out + len, RIG_TEXT_MAX - len, "%s%" PRId64 "/%" PRId64,
					len ? " " : "", event->n[SHRINK_SIZE],
					event->n[SHRINK_TO_SCAN]);
		assert_true(len < RIG_TEXT_MAX);
	}
	return out;
}
