/*
 * A stored run for other programs: in the kernel's own shape, as JSON, as
 * CSV.  Everything is written row by row, so a run of any length takes no
 * memory.  Each function returns ERR_PIPE if the reader closed the pipe
 * (the caller ignores SIGPIPE) and ERR_OUTPUT if it cannot be written.
 */
#ifndef MEMCGLAB_DB_EXPORT_H
#define MEMCGLAB_DB_EXPORT_H

#include <stdio.h>

#include "contention.h"
#include "db.h"
#include "pcg.h"

/**
 * export_scan_log - a line for each call that shrank an inactive list
 * "[    0.123456] shrink inactive file count=25535 scan=6": pages on the list
 * on entry, pages asked for.
 */
enum err export_scan_log(struct db *db, int64_t id, FILE *file, struct diag *diag);

/**
 * export_boot_line - what the kernel says at boot about its owner records
 * Returns: ERR_USAGE if @layout has no array that is made at boot.
 */
enum err export_boot_line(FILE *file, const struct pcg_layout *layout,
			  const struct pcg_machine *machine, struct diag *diag);

/**
 * export_lock_stat - /proc/lock_stat as the run's kernel would print it
 * Classes by contentions; additions to shared lines are no locks and left
 * out.  Addresses of call sites are those of the post's builds (see
 * lock_site_place); elsewhere the model has no code, so address and size are 0
 * and the offset says which of a function's places it is.
 */
enum err export_lock_stat(struct db *db, int64_t id, const struct era *era, FILE *file,
			  struct diag *diag);

/**
 * export_json - one object: the run's row, its params, machine and script,
 * "metrics" by name, "expect", and "scan", "events", "marks", "taken", "locks",
 * "lock_sites", "log", "series"
 * as arrays of objects with the names of the views' columns; "numbers" says
 * what the numbers a, b, c ... of each kind of event are.
 */
enum err export_json(struct db *db, int64_t id, FILE *file, struct diag *diag);

/**
 * export_csv - one block a table, each with a head line; the first column,
 * "table", names the block in every line, so one block is easily picked out.
 */
enum err export_csv(struct db *db, int64_t id, FILE *file, struct diag *diag);

#endif
