/*
 * Ops on groups: what their options may be, when a group may be made,
 * changed and removed, and the control files that reclaim.  Follows
 * mm/memcontrol.c of v2.6.31, v3.1 and v6.18.
 */
#include "ops_group.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "charge.h"
#include "control.h"
#include "limit.h"
#include "policy.h"
#include "remove.h"
#include "soft.h"
#include "stat_read.h"

static void group_configure(struct machine *m, uint32_t id, const struct group_conf *conf)
{
	struct memcg *memcg = machine_memcg(m, id);

	if (conf->set & GROUP_SOFT)
		soft_set(m, id, conf->soft_pages);
	if (conf->set & GROUP_SWAPPINESS)
		memcg->swappiness = conf->swappiness;
	if (conf->set & GROUP_HIERARCHY)
		memcg->hierarchy = conf->hierarchy;
	if (conf->set & GROUP_OOM_DISABLE)
		memcg->oom_disable = conf->oom_disable;
	if (conf->set & GROUP_OOM_GROUP)
		memcg->oom_group = conf->oom_group;
	if (conf->set & GROUP_MIN)
		memcg->min = conf->min_pages;
	if (conf->set & GROUP_LOW)
		memcg->low = conf->low_pages;
	if (conf->set & GROUP_HIGH)
		memcg->high = conf->high_pages;
	if (conf->set & GROUP_MOVE_CHARGE)
		memcg->move_charge = conf->move_charge;
	if (conf->set & GROUP_SWAP_MAX)
		memcg->memsw.swap_max = conf->swap_max_pages;
}

/*
 * A group that is not accounted owns no page.  MODEL: who stands in for it
 * is a group beside all others, which is charged for nothing and whose lists
 * reclaim for the machine finds; its pages are never counted, even when the
 * group is accounted later.
 */
static void stop_accounting(struct machine *m, uint32_t id, const char *name)
{
	char other[OP_NAME_MAX];
	uint32_t stand_in;

	snprintf(other, sizeof(other), "%.40s-not-counted-%u", name, id);
	stand_in = memcg_new(&m->memcgs, MEMCG_ROOT, other);
	if (!stand_in) {
		machine_full(m, "no room for the pages of a group that is not accounted");
		return;
	}
	machine_memcg(m, stand_in)->counter_parent = MEMCG_NONE;
	machine_memcg(m, stand_in)->hierarchy = false;
	machine_memcg(m, stand_in)->uncounted = true;
	machine_memcg(m, id)->stand_in = stand_in;
}

void ops_step_group_new(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	char what[160];

	res->id = memcg_new(&m->memcgs, op->object, op->name);
	if (!res->id) {
		snprintf(what, sizeof(what),
			 "no room for group \"%.40s\": at most %d groups at a time, "
			 "paths of at most %d bytes",
			 op->name, MEMCG_MAX - 1, GROUP_PATH_MAX - 1);
		machine_full(m, what);
		return;
	}
	if (machine_axis(m, AXIS_KMEM) == KMEM_NODES && op->object != MEMCG_ROOT)
		charge_new_group(m, op->cpu, res->id);
	group_configure(m, res->id, &op->group);
	if (op->group.set & GROUP_LIMIT)
		machine_memcg(m, res->id)->counter.limit = op->group.limit_pages;
	if (op->group.set & GROUP_MEMSW)
		machine_memcg(m, res->id)->memsw.limit = op->group.memsw_pages;
	if ((op->group.set & GROUP_ACCOUNT) && !op->group.account)
		stop_accounting(m, res->id, op->name);
}

void ops_step_group_set(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	uint32_t cpu = ops_cpu(m, op), set = op->group.set & (GROUP_LIMIT | GROUP_MEMSW);
	bool up = op->group.limit_pages > machine_memcg(m, op->object)->memsw.limit, done = true;

	/* Back is no way: what was counted would have to be taken off page by page. */
	if ((op->group.set & GROUP_ACCOUNT) && !op->group.account) {
		res->outcome = machine_memcg(m, op->object)->stand_in ? OP_DONE : OP_BUSY;
		return;
	}
	if (op->group.set & GROUP_ACCOUNT)
		machine_memcg(m, op->object)->stand_in = MEMCG_NONE;
	group_configure(m, op->object, &op->group);
	/* Memory's limit is never above that of both, so whichever makes room is written first. */
	if ((set & GROUP_MEMSW) && (set & GROUP_LIMIT) && up)
		done = limit_set_memsw(m, cpu, op->object, op->group.memsw_pages);
	if (done && (set & GROUP_LIMIT))
		done = limit_set(m, cpu, op->object, op->group.limit_pages);
	if (done && (set & GROUP_MEMSW) && !((set & GROUP_LIMIT) && up))
		done = limit_set_memsw(m, cpu, op->object, op->group.memsw_pages);
	if (!done)
		res->outcome = OP_BUSY;
}

void ops_step_group_remove(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	uint32_t id = progress->op.object;
	const struct memcg *memcg = machine_memcg(m, id);

	if (memcg->nr_tasks || memcg->nr_children ||
	    !remove_group(m, ops_cpu(m, &progress->op), id))
		res->outcome = OP_BUSY;
}

void ops_step_reclaim(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	pages_t want = units_pages(progress->op.length);

	res->done_pages = control_reclaim(m, ops_cpu(m, &progress->op), progress->op.object, want);
	if (res->done_pages < want)
		res->outcome = OP_BUSY;
}

void ops_step_stat_read(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	res->done_pages = stat_read(m, progress->op.object);
}

void ops_step_force_empty(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct memcg *memcg = machine_memcg(m, progress->op.object);
	uint32_t cpu = ops_cpu(m, &progress->op);

	res->done_pages = control_force_empty(m, cpu, progress->op.object);
	/* The root has no parent that could take them. */
	if (progress->op.object != MEMCG_ROOT && !memcg->nr_tasks && !memcg->nr_children)
		remove_pages_up(m, cpu, progress->op.object);
	if (memcg->counter.usage)
		res->outcome = OP_BUSY;
}

/* memory.limit_in_bytes <= memory.memsw.limit_in_bytes holds after every write. */
static enum err check_memsw(const struct machine *m, const struct group_conf *conf,
			    const struct memcg *memcg, struct diag *diag)
{
	pages_t limit = conf->set & GROUP_LIMIT ? conf->limit_pages : PAGES_UNLIMITED;
	pages_t memsw = conf->set & GROUP_MEMSW ? conf->memsw_pages : PAGES_UNLIMITED;

	if ((conf->set & GROUP_MEMSW) && (machine_axis(m, AXIS_CGROUP) == CGROUP_V2 ||
					  machine_axis(m, AXIS_SWAP_ACCOUNT) == SWAP_ACCOUNT_OFF))
		return diag_fail(diag, ERR_SCENARIO,
				 "memsw needs a kernel with cgroup v1 that accounts swap; "
				 "v2 has swap_max");
	if (memcg && !(conf->set & GROUP_LIMIT))
		limit = memcg->counter.limit;
	if (memcg && !(conf->set & GROUP_MEMSW))
		memsw = memcg->memsw.limit;
	if (memsw < limit)
		return diag_fail(diag, ERR_SCENARIO,
				 "memsw: memory and swap together (%llu pages) may not be limited "
				 "to less than memory (%llu pages): EINVAL",
				 (unsigned long long)memsw, (unsigned long long)limit);
	return ERR_OK;
}

/* What a kernel without the controller, or without use_hierarchy, has no file for. */
static enum err check_controller(const struct machine *m, const struct group_conf *conf,
				 struct diag *diag)
{
	bool limit = (conf->set & GROUP_LIMIT) && conf->limit_pages < PAGES_UNLIMITED;

	if (!m->charges && (limit || (conf->set & ~(uint32_t)(GROUP_LIMIT | GROUP_HIERARCHY))))
		return diag_fail(diag, ERR_SCENARIO,
				 "limit: this kernel has no memory controller, "
				 "so a group takes no limit and no setting");
	if ((conf->set & GROUP_HIERARCHY) && conf->hierarchy &&
	    machine_axis(m, AXIS_HIERARCHY) == HIERARCHY_NONE)
		return diag_fail(diag, ERR_SCENARIO,
				 "hierarchy: this kernel has no use_hierarchy, "
				 "which came with v2.6.29");
	return ERR_OK;
}

/* Proposed on 2008-03-27: who is not accounted has no usage that a limit could be held against. */
static enum err check_account(const struct machine *m, const struct group_conf *conf, bool accounts,
			      struct diag *diag)
{
	enum { LIMITS = GROUP_LIMIT | GROUP_MEMSW | GROUP_SOFT };
	bool off = conf->set & GROUP_ACCOUNT ? !conf->account : !accounts;
	bool limit = (conf->set & GROUP_LIMIT) && conf->limit_pages < PAGES_UNLIMITED;

	if ((conf->set & GROUP_ACCOUNT) && (machine_axis(m, AXIS_KMEM) != KMEM_OFF ||
					    machine_axis(m, AXIS_SWAP_ACCOUNT) != SWAP_ACCOUNT_OFF))
		return diag_fail(
			diag, ERR_SCENARIO,
			"account: needs a kernel with swap_account=off and kmem=off, which "
			"counts pages alone, such as v2.6.25");
	if (off && (limit || (conf->set & LIMITS & ~(uint32_t)GROUP_LIMIT)))
		return diag_fail(diag, ERR_SCENARIO,
				 "limit: the group is not accounted (account = false)");
	return ERR_OK;
}

static enum err check_group_conf(const struct machine *m, const struct op *op, uint32_t parent,
				 struct diag *diag)
{
	const struct group_conf *conf = &op->group;
	bool below = machine_memcg(m, parent)->hierarchy;
	int64_t most = machine_axis(m, AXIS_BALANCE) == BALANCE_COST ? 200 : 100;
	enum err err = check_controller(m, conf, diag);

	if ((conf->set & GROUP_V2_ONLY) && machine_axis(m, AXIS_CGROUP) != CGROUP_V2)
		return diag_fail(diag, ERR_SCENARIO,
				 "min, low, high, swap_max and oom_group need a kernel "
				 "with cgroup v2, such as v6.18");
	if ((conf->set & GROUP_SOFT) && machine_axis(m, AXIS_SOFT_LIMIT) == SOFT_LIMIT_OFF)
		return diag_fail(diag, ERR_SCENARIO, "soft: this kernel has no soft limits");
	if ((conf->set & GROUP_OOM_DISABLE) && machine_axis(m, AXIS_CGROUP) == CGROUP_V2)
		return diag_fail(diag, ERR_SCENARIO, "oom_disable needs a kernel with cgroup v1");
	if (err)
		return err;
	if ((conf->set & GROUP_MOVE_CHARGE) &&
	    machine_axis(m, AXIS_MOVE_CHARGE) == MOVE_CHARGE_NEVER)
		return diag_fail(diag, ERR_SCENARIO,
				 "move_charge: this kernel moves no charges with a task");
	if ((conf->set & GROUP_LIMIT) && conf->limit_pages > PAGES_UNLIMITED)
		return diag_fail(diag, ERR_RANGE, "limit: is above the largest counter");
	if ((conf->set & GROUP_HIERARCHY) && below && !conf->hierarchy)
		return diag_fail(diag, ERR_SCENARIO,
				 "hierarchy: a group below a hierarchical one "
				 "is hierarchical too");
	if ((conf->set & GROUP_SWAPPINESS) && (conf->swappiness < 0 || conf->swappiness > most))
		return diag_fail(diag, ERR_RANGE, "swappiness: %lld is not from 0 to %lld%s",
				 (long long)conf->swappiness, (long long)most,
				 most > 100 ? "" : "; up to 200 need a kernel with balance=cost");
	return ERR_OK;
}

enum err ops_check_group_new(const struct machine *m, const struct op *op, struct diag *diag)
{
	uint32_t id;

	if (strchr(op->name, '/'))
		return diag_fail(diag, ERR_NAME, "%s: one name at a time, without a slash",
				 op->name);
	for (id = 1; id <= memcg_max(&m->memcgs); id++) {
		const struct memcg *memcg = machine_memcg(m, id);
		const char *last = strrchr(memcg->path, '/');

		if (memcg->online && id != MEMCG_ROOT && memcg->parent == op->object &&
		    strcmp(last ? last + 1 : memcg->path, op->name) == 0)
			return diag_fail(diag, ERR_NAME, "%s: there is such a group already",
					 memcg->path);
	}
	if (check_memsw(m, &op->group, NULL, diag))
		return ERR_SCENARIO;
	if (check_account(m, &op->group, true, diag))
		return ERR_SCENARIO;
	return check_group_conf(m, op, op->object, diag);
}

enum err ops_check_group_set(const struct machine *m, const struct op *op, struct diag *diag)
{
	const struct memcg *memcg = machine_memcg(m, op->object);
	uint32_t parent = memcg->parent ? memcg->parent : MEMCG_ROOT;

	if (op->object == MEMCG_ROOT && (op->group.set & GROUP_LIMIT))
		return diag_fail(diag, ERR_SCENARIO, "limit: the root group takes none");
	if ((op->group.set & GROUP_HIERARCHY) && (memcg->nr_children || memcg->nr_dying) &&
	    op->group.hierarchy != memcg->hierarchy)
		return diag_fail(diag, ERR_SCENARIO, "hierarchy: %s has children already",
				 memcg->path);
	if ((op->group.set & GROUP_SWAPPINESS) &&
	    machine_axis(m, AXIS_HIERARCHY) == HIERARCHY_CHOSEN &&
	    (memcg->counter_parent || (memcg->hierarchy && memcg->nr_children)))
		return diag_fail(diag, ERR_SCENARIO,
				 "swappiness: %s is part of a hierarchy with "
				 "more groups, so it cannot be set",
				 memcg->path);
	if (op->object == MEMCG_ROOT && (op->group.set & GROUP_MEMSW))
		return diag_fail(diag, ERR_SCENARIO, "memsw: the root group takes none");
	if (op->object == MEMCG_ROOT && (op->group.set & GROUP_ACCOUNT))
		return diag_fail(diag, ERR_SCENARIO, "account: the root group takes none");
	if (check_memsw(m, &op->group, memcg, diag) ||
	    check_account(m, &op->group, !memcg->stand_in, diag))
		return ERR_SCENARIO;
	return check_group_conf(m, op, parent, diag);
}

enum err ops_check_group_remove(const struct machine *m, const struct op *op, struct diag *diag)
{
	(void)m;
	if (op->object == MEMCG_ROOT)
		return diag_fail(diag, ERR_SCENARIO, "the root group cannot be removed");
	return ERR_OK;
}

enum err ops_check_reclaim(const struct machine *m, const struct op *op, struct diag *diag)
{
	(void)op;
	if (machine_axis(m, AXIS_CGROUP) != CGROUP_V2 || !m->charges)
		return diag_fail(diag, ERR_SCENARIO, "reclaim needs a kernel with cgroup v2");
	return ERR_OK;
}

enum err ops_check_force_empty(const struct machine *m, const struct op *op, struct diag *diag)
{
	(void)op;
	if (machine_axis(m, AXIS_CGROUP) != CGROUP_V1 || !m->charges)
		return diag_fail(diag, ERR_SCENARIO, "force_empty needs a kernel with cgroup v1");
	return ERR_OK;
}
