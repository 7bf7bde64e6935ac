/*
 * Exports in the kernel's own shape: lines as printk() would write them,
 * with its time stamp in seconds and microseconds of model time.
 */
#include "export.h"

#include <inttypes.h>
#include <string.h>

#include "out.h"

enum { NS_A_US = 1000, US_A_SECOND = 1000000 };

/* As printk() does it: seconds in at least five columns, microseconds in six. */
static void put_stamp(struct out *out, ns_t t_ns)
{
	uint64_t us = t_ns / NS_A_US;

	out_printf(out, "[%5" PRIu64 ".%06" PRIu64 "] ", us / US_A_SECOND, us % US_A_SECOND);
}

/* What put_scan() needs; a row goes straight from the query to the file. */
struct scan_log {
	struct out out;
	struct diag *diag;
};

/* The log of the patch printed inactive lists only; the store has the active ones as well. */
static enum err put_scan(void *ctx, const struct db_scan *scan)
{
	static const char inactive[] = "inactive_";
	struct scan_log *log = ctx;

	if (!scan->list || strncmp(scan->list, inactive, sizeof(inactive) - 1) != 0)
		return ERR_OK;
	put_stamp(&log->out, scan->t_ns);
	out_printf(&log->out, "shrink inactive %s count=%" PRIu64 " scan=%" PRIu64 "\n",
		   scan->list + sizeof(inactive) - 1, scan->size, scan->nr_to_scan);
	return out_error(&log->out, log->diag);
}

enum err export_scan_log(struct db *db, int64_t id, FILE *file, struct diag *diag)
{
	struct scan_log log = { .out = { .file = file }, .diag = diag };
	enum err err = db_scans(db, id, put_scan, &log, diag);

	return err ? err : out_end(&log.out, diag);
}

enum err export_boot_line(FILE *file, const struct pcg_layout *layout,
			  const struct pcg_machine *machine, struct diag *diag)
{
	struct out out = { .file = file };

	if (!layout->array)
		return diag_fail(diag, ERR_USAGE,
				 "boot-log: a kernel with owner=%s allocates no "
				 "page_cgroup at boot",
				 layout->name);
	put_stamp(&out, 0);
	out_printf(&out, "allocated %" PRIu64 " bytes of page_cgroup\n",
		   pcg_array_bytes(layout, machine));
	return out_end(&out, diag);
}
