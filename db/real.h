/*
 * Recorded experiments: a folder of workloads that a real kernel ran, with
 * what it counted.  Reads the workloads (experiments.txt), runs them on the
 * model and holds the outcome against the recorded counters.
 *
 * Invariant: a prediction sees the workload and the places where statistics
 * were flushed (flush_at), and nothing else that was recorded.
 */
#ifndef MEMCGLAB_DB_REAL_H
#define MEMCGLAB_DB_REAL_H

#include <stdbool.h>

#include "diag.h"
#include "units.h"

enum { REAL_WORD_MAX = 64, REAL_TEXT_MAX = 256, REAL_PATH_MAX = 4096 };

#define REAL_KERNEL "v6.18-v1"

/* What a task does: one word of its line. */
struct real_op {
	int kind;		/* row of the table in real_op.c */
	int handle;		/* open file or anonymous region */
	int object;		/* index of a file (open) or of a group (ctl) */
	uint64_t start, pages, passes, chunk, count, seed, exponent;	/* exponent / 1000 */
	int64_t value;		/* [pages] of a limit, [ms] of a sleep */
	bool random, sequential, writes;	/* advice to readahead; writes */
	char word[REAL_WORD_MAX];	/* name of a mark, or as written */
};

struct real_group {
	char name[REAL_WORD_MAX];
	int parent;		/* index, -1: none */
	bool has_limit, has_soft, has_swappiness, oom_disable;
	pages_t limit_pages, soft_pages;
	int64_t swappiness;
};

struct real_file {
	char name[REAL_WORD_MAX], fs[REAL_WORD_MAX];
	pages_t pages, extent;	/* as made, and with what is written behind it */
};

struct real_task {
	char name[REAL_WORD_MAX];
	int group;		/* index, -1: outside every group */
	uint32_t cpu;
	uint64_t quantum;	/* [accesses] of a turn; 0: runs freely */
	struct real_op *op;
	size_t nr_ops;
};

struct real_experiment {
	char name[REAL_WORD_MAX];
	unsigned line;
	struct real_group *group;
	struct real_file *file;
	struct real_task *task;
	size_t nr_groups, nr_files, nr_tasks;
};

struct real_set {
	char dir[REAL_PATH_MAX];
	struct real_experiment *experiment;
	size_t nr;
};

/**
 * real_open - read @dir/experiments.txt
 * Returns: ERR_USAGE if it is not there, ERR_IMPORT with file:line for what is not understood.
 */
enum err real_open(const char *dir, struct real_set *out, struct diag *diag);
void real_close(struct real_set *set);

/* real_find - by name.  Returns: ERR_USAGE with the nearest name. */
enum err real_find(const struct real_set *set, const char *name,
		   const struct real_experiment **out, struct diag *diag);

/* real_free_running - several tasks without turns: their order was chance. */
bool real_free_running(const struct real_experiment *exp);

/**
 * real_missing - what the model lacks for an experiment: "mseq, swap"
 * @out: REAL_TEXT_MAX characters
 * Returns: whether anything is missing.
 */
bool real_missing(const struct real_experiment *exp, char *out);

/* One counter of one phase (or mark) of one task (or group). */
struct real_figure {
	unsigned rep, no, occurrence;	/* occurrence: of the phase's name, from 0 */
	bool is_hash;			/* a number without order */
	char phase[REAL_WORD_MAX], who[REAL_WORD_MAX], counter[REAL_WORD_MAX];
	int64_t value;
};

struct real_figures {
	struct real_figure *figure;
	size_t nr, room;
};

/* Where statistics were flushed, phase by phase: pages added in it before. */
struct real_flush {
	unsigned no;			/* of the phase */
	uint64_t at;			/* [pages]; 0: when the phase began */
};

struct real_flushes {
	struct real_flush *flush;
	size_t nr, room;
};

/* An eviction, every so many: how many before it, which page, hash of all so far. */
struct real_eviction {
	uint64_t evicted, added, page, hash;
	char file[REAL_WORD_MAX];
};

struct real_trail {
	struct real_eviction *eviction;
	size_t nr, room;
};

struct real_prediction {
	struct real_figures figures;
	struct real_trail trail;
	char note[REAL_TEXT_MAX];	/* what was simplified; "" if nothing */
};

/* Looked at now and then; true ends the run. */
struct real_watch {
	void *ctx;
	bool (*stop)(void *ctx);	/* may be NULL */
};

/**
 * real_predict - run one experiment on the model
 * @flushes: where statistics are flushed; NULL: at the marks only
 * Returns: ERR_INTERRUPTED, ERR_IMPORT for what the model lacks, or an error of the engine.
 */
enum err real_predict(const struct real_experiment *exp, const struct real_flushes *flushes,
		      const struct real_watch *watch, struct real_prediction *out,
		      struct diag *diag);
void real_prediction_free(struct real_prediction *prediction);

#endif
