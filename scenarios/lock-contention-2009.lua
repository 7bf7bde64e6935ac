-- make -j 12 of a kernel on 8 CPUs, in one group. How often is the lock of
-- the group's counters taken, and how often has a CPU to wait for it?
--
-- Claim: charging and uncharging in batches takes the lock 11 times less
-- often, and 160 times less often a CPU has to wait: acquisitions 44909568,
-- after the patches 3957860; contentions 1824383, after the patches 11406.
-- Source: KAMEZAWA Hiroyuki, "[RFC][PATCH 0/5] memcg: reduce lock conetion",
-- linux-mm, 28 August 2009; lock_stat of &counter->lock.
-- Simplified: the processes of a compile and their pages are plausible, not
-- measured. One number, the pages of the compiler proper (-p x=N), is fitted to
-- the acquisitions before the patches, and one, the time a page takes, to that
-- run's CPU time; nothing is fitted to what comes after. The kernel's
-- configuration is not in the post: 256 CPUs and preemptible is what another
-- build of the same week tells. Each process runs on a CPU drawn at random.
local compile = require "lib.compile"

local OBJECTS = 1500                           -- that the published run compiled

-- A column of lock_stat as the published run would have it, with its 1500 objects.
local function full(column, unit)
  return metric { unit = unit or "", better = "lower", doc = column .. " of 1500 objects",
    from = function(r) return r.lock.counter[column] * OBJECTS / r.mark.objects end }
end
local function site(block, name)
  return metric { unit = "", better = "lower", doc = block .. " at " .. name,
    from = function(r) return r.lock.counter.sites[block][name] * OBJECTS / r.mark.objects end }
end

return scenario {
  name    = "lock-contention-2009",
  title   = "The counter's lock under make -j 12",
  kernels = { "v2.6.31", "v2.6.31+charge=rfc+nr_cpus=256" },

  params = {
    objects = param.int  { 150, min = 1, max = OBJECTS,
                           doc = "objects compiled; the published run: 1500" },
    x       = param.int  { 5547, min = 1, max = 100000, label = "calibrated",
                           doc = "anonymous pages of cc1: fitted to acquisitions before" },
    jobs    = param.int  { 12, min = 1, max = 512, doc = "processes that run at once, make -j" },
    cpus    = param.int  { 8, min = 1, max = 512 },
    page    = param.time { "55us", label = "calibrated",
                           doc = "a page of a process, all its work: CPU time before" },
    free    = param.time { "2500ns", doc = "a page of a process that ends" },
    busy    = param.int  { 49, min = 1, max = 100, label = "calibrated",
                           doc = "% of its time that a job is not waiting: busy CPUs before" },
    preempt = param.bool { true, doc = "the kernel is preemptible: it unmaps in blocks of 8" },
    seed    = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "16G", cpus = p.cpus, locks = true, knobs = {
      fault_ns = p.page, unmap_ns = p.free, hit_ns = 0, io_ns = 0, write_ns = 0,
      preempt = p.preempt and 1 or 0, sample_steps = 65536,
    } }
    return compile.build(lab, { group = lab.group("make"), cpus = p.cpus, page = p.page,
                                busy = p.busy, tree = compile.tree { cc1 = p.x } })
  end,

  run = function(lab, p, build)
    lab.parallel(build.jobs(p.jobs, p.objects))
    lab.mark("objects", p.objects)
    lab.mark("page", p.page)
    lab.mark("free", p.free)
  end,

  metrics = {
    acquisitions = metric { unit = "", better = "lower", doc = "of &counter->lock",
      from = function(r) return r.lock.counter.acquisitions end },
    full_acquisitions = full("acquisitions"),
    full_contentions = full("contentions"),
    full_con_bounces = full("con_bounces"),
    full_acq_bounces = full("acq_bounces"),
    full_waittime = full("waittime_total", "us"),
    full_holdtime = full("holdtime_total", "us"),
    waiters_charge = site("waiters", "res_counter_charge"),
    waiters_uncharge = site("waiters", "res_counter_uncharge"),
    holders_charge = site("holders", "res_counter_charge"),
    holders_uncharge = site("holders", "res_counter_uncharge"),
    contention = metric { unit = "%", better = "lower", doc = "acquisitions that had to wait",
      from = function(r)
        return 100 * r.lock.counter.contentions / r.lock.counter.acquisitions
      end },
    uncharge_share = metric { unit = "%", doc = "of those who had to wait, at an uncharge",
      from = function(r)
        local w = r.lock.counter.sites.waiters
        return 100 * (w.res_counter_uncharge or 0) / r.lock.counter.contentions
      end },
    bounce = metric { unit = "%", better = "lower", doc = "acquisitions after another CPU's",
      from = function(r)
        return 100 * r.lock.counter.acq_bounces / r.lock.counter.acquisitions
      end },
    busy_cpus = metric { unit = "CPUs", doc = "CPU time of pages / run time",
      from = function(r)
        return (r.total.nr_charged * r.mark.page + r.total.nr_uncharged * r.mark.free) /
          r.total.sim_ns
      end },
  },

  expect = function(t, r, p)
    local lock = r.lock.counter
    t.same("charged minus uncharged is resident", r.group["make"].charged_pages,
      r.total.nr_charged - r.total.nr_uncharged, { label = "derived" })
    if p.x ~= 5547 or p.objects < 100 or p.jobs ~= 12 or p.cpus ~= 8 or not p.preempt then
      return
    end
    if t.kernel("v2.6.31") then
      t.near("acquisitions of the full build", r.full_acquisitions, 44909568,
        { rel = 0.005, label = "calibrated" })
      t.near("mean hold, before", lock.holdtime_total / lock.acquisitions, 0.434,
        { rel = 0.03, label = "calibrated" })
      if p.objects < 500 then return end         -- who meets whom needs many
      t.near("share that waits, before", r.contention, 4.06, { abs = 1, label = "published" })
    elseif t.kernel("v2.6.31+charge=rfc+nr_cpus=256") then
      t.near("acquisitions of the full build", r.full_acquisitions, 3957860,
        { rel = 0.25, label = "predicted" })
      if p.objects < 500 then return end
      t.near("share that waits, after", r.contention, 0.29, { abs = 0.2, label = "predicted" })
      t.less("most who wait are at an uncharge", 70, r.uncharge_share, { label = "predicted" })
    end
  end,

  compare = function(t, a, b)
    if a.kernel == "v2.6.31" and b.kernel == "v2.6.31+charge=rfc+nr_cpus=256" then
      t.near("how many times fewer acquisitions", a.acquisitions / b.acquisitions, 11.35,
        { abs = 2.6, label = "predicted" })
    end
  end,
}
