/*
 * One exec drops the old image and faults in the new one.  An anonymous page
 * is charged at its fault and uncharged at the end; a file page, mapped by
 * others already, takes a reference and drops one at its fault.  Each asks
 * for its page_cgroup: with the radix tree of 2008 a look-up, in the
 * look-aside first if there is one.  Where pages lie decides what hits.
 *
 * MODEL, after a machine that has run for long: a file's frames lie anywhere,
 * each on its own, and stay; anonymous frames come from one block that was
 * split for the CPU's free list, and come back through it for ever; every
 * chunk exists.  Faults of both kinds alternate evenly.  No page is kept.
 *
 * Costs are knobs, fitted to rows of 27 March 2008 or assumed.
 */
#include "exec.h"

#include <assert.h>
#include <string.h>

#include "machine.h"
#include "pcg_cost.h"
#include "policy.h"
#include "run_private.h"

enum { CACHE_LINE = 64, BUDDY_BLOCK = 32 };	/* [bytes]; [pages], about one refill of the list */

enum err exec_check(const struct machine *m, const struct op *op, struct diag *diag)
{
	(void)m;
	if (op->count == 0 || op->offset > EXEC_PAGES_MAX || op->length > EXEC_PAGES_MAX)
		return diag_fail(diag, ERR_RANGE,
				 "exec: at least once, with at most %d pages of a kind",
				 EXEC_PAGES_MAX);
	return ERR_OK;
}

static uint64_t nr_frames(const struct machine *m)
{
	return pcg_ram_bytes(&m->sc.memory) / PAGE_BYTES;
}

/* Anywhere in memory, by seed, task and page. */
static uint64_t file_frame(const struct machine *m, uint32_t task, uint64_t page)
{
	return rng_mix(rng_mix(m->sc.seed ^ (uint64_t)task << 32) + page) % nr_frames(m);
}

/* The free list holds whole blocks; a program of more pages has several. */
static uint64_t anon_frame(const struct machine *m, uint32_t task, uint64_t page)
{
	uint64_t block = rng_mix(rng_mix(m->sc.seed ^ (uint64_t)task << 32) + EXEC_PAGES_MAX +
				 page / BUDDY_BLOCK);
	uint64_t blocks = nr_frames(m) / BUDDY_BLOCK;

	return block % (blocks ? blocks : 1) * BUDDY_BLOCK + page % BUDDY_BLOCK;
}

/* What the kernel of this machine has to do with page_cgroups. */
struct exec {
	struct machine *m;
	struct lookaside *aside;	/* NULL: every look-up walks the tree */
	struct lookaside_tree tree;
	uint32_t task;
	bool radix, prefetch, counted;
	ns_t cost;
};

/* One look-up: free where struct page or an array answers. */
static void look_up(struct exec *exec, uint64_t pfn)
{
	const struct knobs *knobs = machine_knobs(exec->m);

	if (!exec->radix)
		return;
	exec->m->host->exec.nr_lookups++;
	if (lookaside_find(exec->aside, &exec->tree, pfn) != LOOKASIDE_HIT) {
		exec->cost += (ns_t)knobs->tree_ns;
		return;
	}
	exec->cost += (ns_t)knobs->lookaside_ns;
	/* A record that was fetched early is waited for less; the whole exec hides it. */
	if (exec->prefetch && exec->cost > (ns_t)knobs->prefetch_ns)
		exec->cost -= (ns_t)knobs->prefetch_ns;
}

/* References are counted from 2.6.25 to 2.6.26, and in the proposal. */
static bool is_counted(const struct machine *m)
{
	unsigned owner = machine_axis(m, AXIS_OWNER);

	return owner == OWNER_SLAB40 || owner == OWNER_RADIX;
}

/* A page of a group that is not accounted: it is passed over twice, and has no page_cgroup. */
static bool passed_over(struct exec *exec)
{
	if (!exec->counted)
		exec->cost += 2 * (ns_t)machine_knobs(exec->m)->skip_ns;
	return !exec->counted;
}

static void exec_file(struct exec *exec, uint64_t page)
{
	uint64_t pfn = file_frame(exec->m, exec->task, page);

	if (passed_over(exec))
		return;
	if (is_counted(exec->m))
		exec->cost += (ns_t)machine_knobs(exec->m)->exec_ref_ns;
	look_up(exec, pfn);
	look_up(exec, pfn);
}

static void exec_anon(struct exec *exec, uint64_t page)
{
	if (passed_over(exec))
		return;
	exec->cost += (ns_t)machine_knobs(exec->m)->exec_charge_ns;
	look_up(exec, anon_frame(exec->m, exec->task, page));
}

/* The old image, then the new one: kinds alternate as evenly as their numbers allow. */
static void image(struct exec *exec, uint64_t anon, uint64_t file)
{
	uint64_t a = 0, f = 0;

	for (uint64_t page = 0; page < anon && exec->counted; page++)
		look_up(exec, anon_frame(exec->m, exec->task, page));
	while (a < anon || f < file) {
		if (f >= file || (a < anon && a * file <= f * anon))
			exec_anon(exec, a++);
		else
			exec_file(exec, f++);
	}
}

/* Does an array of struct page put some of them across two cache lines? */
static bool page_straddles(const struct machine *m)
{
	const struct pcg_cost_ask ask = {
		.layout = m->charges ? pcg_layout_at(machine_axis(m, AXIS_OWNER)) : NULL,
		.machine = &m->sc.memory,
	};
	struct pcg_cost cost;

	if (machine_axis(m, AXIS_PAGE_PAD) == PAGE_PAD_64)
		return false;
	pcg_cost(&ask, &cost);
	return CACHE_LINE % cost.page_bytes != 0;
}

/* One number for the state's hash, which all machines without an exec keep as it was. */
static uint64_t digest(const struct machine *m, const struct exec *exec)
{
	const struct lookaside *aside = &m->cpu[m->on_cpu].lookaside;
	uint64_t sum = rng_mix(m->host->exec_digest ^ exec->cost);

	for (int slot = 0; slot < PCG_LOOKASIDE_SLOTS; slot++)
		sum = rng_mix(sum ^ aside->chunk[slot]);
	return rng_mix(sum ^ aside->nr_hits) | 1;
}

void exec_step(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	unsigned aside = machine_axis(m, AXIS_LOOKASIDE);
	struct lookaside *cpu = &m->cpu[m->on_cpu].lookaside;
	struct exec exec = { .m = m, .task = op->task, .aside = aside ? cpu : NULL };
	const struct pcg_layout *radix = pcg_layout_at(OWNER_RADIX);

	exec.radix = m->charges && machine_axis(m, AXIS_OWNER) == OWNER_RADIX;
	exec.prefetch = aside == LOOKASIDE_PREFETCH;
	exec.counted = !machine_memcg(m, machine_owner(m, op->task))->uncounted;
	exec.tree.order = pcg_chunk_order(pcg_record_bytes(radix, m->sc.memory.arch), PAGE_BYTES,
					  PCG_PAGEBLOCK_ORDER);
	exec.cost = (ns_t)machine_knobs(m)->exec_ns;
	if (page_straddles(m))
		exec.cost += (ns_t)machine_knobs(m)->straddle_ns;
	if (m->charges)
		image(&exec, op->offset, op->length);
	m->host->exec.nr_execs++;
	m->host->exec.exec_ns += exec.cost;
	m->host->exec_digest = digest(m, &exec);
	m->host->now += exec.cost;
	if (++progress->done < op->count)
		res->outcome = OP_MORE;
}

void run_exec(const struct run *run, struct run_exec *out)
{
	const struct machine *m = run_machine_const(run);

	*out = m->host->exec;
	for (uint32_t i = 0; i < m->sc.cpus; i++) {
		out->nr_hits += m->cpu[i].lookaside.nr_hits;
		out->nr_evictions += m->cpu[i].lookaside.nr_evictions;
	}
}
