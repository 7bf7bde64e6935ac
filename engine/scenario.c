/*
 * Defaults and validation of what a run starts from.
 */
#include "scenario.h"

#include <string.h>

#include "policy.h"

enum { SWAPPINESS_PERCENT = 100 };	/* the most before v5.8 */

#define GIB ((bytes_t)1 << 30)

void scenario_defaults(struct scenario *sc)
{
	memset(sc, 0, sizeof(*sc));
	sc->seed = 1;
	sc->cpus = 2;
	sc->nodes = 1;
	/* 4 GiB of which 256 MiB are not offered as RAM: 30 sections of 128 MiB. */
	sc->memory.arch = PCG_X86_64;
	sc->memory.page_bytes = PAGE_BYTES;
	sc->memory.nr_ranges = 2;
	sc->memory.range[0] = (struct pcg_range){ 0, 3 * GIB };
	sc->memory.range[1] = (struct pcg_range){ 4 * GIB, 4 * GIB + 3 * GIB / 4 };
}

enum err scenario_validate(const struct scenario *sc, struct diag *diag)
{
	if (sc->cpus < 1 || sc->cpus > CPUS_MAX)
		return diag_fail(diag, ERR_RANGE, "cpus: %u is not from 1 to %d", sc->cpus,
				 CPUS_MAX);
	if (sc->nodes < 1 || sc->nodes > NODES_MAX)
		return diag_fail(diag, ERR_RANGE, "nodes: %u is not from 1 to %d", sc->nodes,
				 NODES_MAX);
	if (!sc->era.base)
		return diag_fail(diag, ERR_USAGE, "no kernel was chosen");
	if (!sc->era.runnable)
		return diag_fail(diag, ERR_USAGE, "%s: %s", sc->era.name,
				 sc->era.note[0]
					 ? sc->era.note
					 : "an axis has a value that this version does not model");
	if (sc->era.knobs.swappiness > SWAPPINESS_PERCENT &&
	    sc->era.value[AXIS_BALANCE] != BALANCE_COST)
		return diag_fail(diag, ERR_RANGE,
				 "swappiness: %lld is not from 0 to 100; up to 200 need a kernel "
				 "with balance=cost (v5.8 and later)",
				 (long long)sc->era.knobs.swappiness);
	if (sc->memory.page_bytes != PAGE_BYTES)
		return diag_fail(diag, ERR_USAGE, "page: runs need pages of %d bytes", PAGE_BYTES);
	if (pcg_ram_bytes(&sc->memory) < 64 * (bytes_t)PAGE_BYTES)
		return diag_fail(diag, ERR_RANGE, "ram: a machine has 256K at least");
	return ERR_OK;
}
