/*
 * A test rig: the smallest machine of a kernel by name, with groups, tasks
 * and files made in one line each, and a sink that keeps every event.  Any
 * error of the engine fails the test on the spot, with its message; only
 * outcomes of the model are returned.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_RIG_H
#define MEMCGLAB_TESTS_SUPPORT_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run.h"

enum { RIG_ROOT = 1, RIG_TEXT_MAX = 512 };

struct rig {
	struct sink sink;		/* first: the sink's functions get the rig back */
	struct run *run;
	struct diag diag;
	struct event *events;
	size_t nr_events, max_events;
};

/* All kernels that can run, each a base or a named combination; ends with NULL. */
extern const char *const rig_kernels[];

/* rig_open - a machine of 4 GiB with @cpus CPUs, seed 1; events of all kinds but pages are kept. */
void rig_open(struct rig *rig, const char *kernel, uint32_t cpus);
void rig_open_scenario(struct rig *rig, const struct scenario *sc);
void rig_close(struct rig *rig);

/* rig_scenario - what rig_open starts from. */
void rig_scenario(struct scenario *sc, const char *kernel, uint32_t cpus);

/* rig_apply - an op that must be accepted.  Returns: its result. */
struct op_result rig_apply(struct rig *rig, const struct op *op);

/* rig_group - a group under @parent; @limit_pages 0 = none.  Returns: its css id. */
uint32_t rig_group(struct rig *rig, uint32_t parent, const char *name, pages_t limit_pages);

/* rig_hierarchy - the same with use_hierarchy on. */
uint32_t rig_hierarchy(struct rig *rig, uint32_t parent, const char *name, pages_t limit_pages);
uint32_t rig_task(struct rig *rig, uint32_t memcg, uint32_t cpu);
uint32_t rig_file(struct rig *rig, pages_t pages);
uint32_t rig_map(struct rig *rig, uint32_t task, pages_t pages);
enum op_outcome rig_read(struct rig *rig, uint32_t task, uint32_t file, pages_t first,
			 pages_t nr);
enum op_outcome rig_touch(struct rig *rig, uint32_t task, uint32_t map, pages_t first,
			  pages_t nr);
enum op_outcome rig_limit(struct rig *rig, uint32_t memcg, pages_t limit);
void rig_unmap(struct rig *rig, uint32_t task, uint32_t map);

/* rig_drain - munmap by @task: its CPU's queues are listed, nothing else changes. */
void rig_drain(struct rig *rig, uint32_t task);

/* rig_memcg - a group's figures; it must exist. */
struct run_memcg rig_memcg(struct rig *rig, uint32_t memcg);

/* rig_check - the invariants hold, or the test fails naming the broken law and @when. */
void rig_check(struct rig *rig, const char *when);

/* rig_forget - drop the events kept so far. */
void rig_forget(struct rig *rig);

/* rig_count - kept events of @kind. */
size_t rig_count(const struct rig *rig, enum event_kind kind);

/* rig_nth - the @n-th kept event of @kind from 0; it must exist. */
const struct event *rig_nth(const struct rig *rig, enum event_kind kind, size_t n);

/**
 * rig_scans - kept shrinks of inactive_file as "25535/6 25531/32 …"
 * @out: RIG_TEXT_MAX characters; it must all fit
 * Returns: @out.
 */
const char *rig_scans(const struct rig *rig, char out[RIG_TEXT_MAX]);

#endif
