/*
 * The verbs: a table of names, options, help and functions on the lab.  A
 * verb writes its result to a file that it is given, its hints to another,
 * and its refusal into a diag; it neither exits nor touches the terminal.
 */
#ifndef MEMCGLAB_UI_COMMAND_H
#define MEMCGLAB_UI_COMMAND_H

#include <stdio.h>

#include "args.h"
#include "child.h"
#include "lab.h"
#include "output.h"

struct command {
	const struct args *args;
	struct lab *lab;
	FILE *out;                 /* what was asked for */
	struct output_style style; /* of rows */
	FILE *notes;               /* hints and progress; NULL: none */
	bool progress;             /* notes is a terminal: a progress line may be drawn */
	const struct child *child; /* NULL: not in a process of its own */
};

typedef enum err verb_fn(struct command *cmd, struct diag *diag);

struct verb {
	const char *name;
	const char *args; /* "SCENARIO", "[NAME]"; "" if none */
	const char *doc;  /* one line */
	const char *more; /* lines of its help, "" if none */
	uint64_t options; /* bits of those it takes besides the global ones */
	const char *example[2];
	unsigned min_args, max_args;
	bool polls;      /* looks for an interrupt itself; others are ended by it at once */
	verb_fn *run;    /* NULL: the TUI or the shell, which main starts */
	uint64_t unused; /* bits of the global options that mean nothing to it */
	bool whole;      /* its -o FILE is replaced as a whole at the end, or stays as it was */
	bool minor;      /* usage lists its name only */
	bool asks;       /* unless --yes is given: it needs the terminal */
};

size_t command_count(void);
const struct verb *command_at(size_t i);

/**
 * command_find - a verb by name
 * Returns: ERR_USAGE for an unknown word, with the nearest names, and for a
 * word that a later version will have.
 */
enum err command_find(const char *name, const struct verb **out, struct diag *diag);

/**
 * command_check - the number of words, the output format, options without effect
 * Returns: ERR_USAGE.
 */
enum err command_check(const struct verb *verb, const struct args *args, struct diag *diag);

/* command_no_rows - the format must be table, or with @json json.  Returns: ERR_USAGE. */
enum err command_no_rows(const struct args *args, bool json, struct diag *diag);

/* command_usage - all verbs with their line; command_help - the help of one. */
void command_usage(FILE *out);
void command_help(const struct verb *verb, FILE *out);

/* command_topic_name - topic or verb number @i that help knows, NULL past the last. */
const char *command_topic_name(size_t i);

/* command_bundle - @run as one file at @path.  Returns: ERR_OUTPUT, ERR_USAGE if it still runs. */
enum err command_bundle(struct db *db, const struct db_run *run, const char *path,
			struct diag *diag);

/* command_asked - what the options of run, which size has too, ask for. */
struct lab_request command_asked(const struct args *args);

/**
 * command_request - run a request with its progress, and write what came out as run does
 * @out, @nr: as lab_run; for the caller to free, also after an error
 */
enum err command_request(struct command *cmd, const struct lab_request *request,
			 struct lab_outcome **out, size_t *nr, struct diag *diag);

/* The functions of the table. */
verb_fn command_rerun, command_verify, command_db;
verb_fn command_sweep; /* run, where several processes share the work */
verb_fn command_size;
verb_fn command_run, command_screen, command_scenario, command_runs, command_show, command_export,
	command_pagecg, command_sql, command_kernel, command_real, command_published, command_topic,
	command_version, command_open, command_apropos, command_compare, command_note, command_tag,
	command_baseline, command_delete, command_prune, command_plot, command_report;

/* command_metric - help on the metric @topic, "over_scan" or "cat-in-100m.over_scan".  Returns:
 * false if there is none. */
bool command_metric(struct command *cmd, const char *topic);

#endif
