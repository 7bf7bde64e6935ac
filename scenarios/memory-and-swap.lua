-- A task allocates more than its group's memory limit; part of it can go to
-- swap, until memory and swap together are at their limit too.
--
-- Claim: memory.memsw.limit_in_bytes bounds the sum, so swapping does not help
-- once it is hit: reclaim for it drops cache only, and without cache the group is
-- out of memory although swap is free. cgroup v2 bounds swap alone (swap.max),
-- with the same end. Where both limits of v1 are one nothing is ever swapped.
-- Source: Documentation/cgroups/memory.txt, v2.6.31, 2.4 and 3.0;
-- __mem_cgroup_try_charge(), mm/memcontrol.c, v2.6.31; try_charge_memcg(), v6.18.
-- Simplified: one zone, one CPU; swap writes at once.
local MIB = 1 << 20

return scenario {
  name    = "memory-and-swap",
  title   = "A limit for memory and swap together",
  kernels = { "v3.1", "v6.18" },

  params = {
    limit = param.size { "32M", min = "4M", max = "1G", doc = "of memory" },
    swap  = param.size { "16M", min = "0", max = "1G", doc = "beyond it that may be in swap" },
    want  = param.size { "64M", min = "8M", max = "4G", doc = "that the task allocates" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 1, swap = "2G" }
    local conf = { limit = p.limit, hierarchy = true }
    if lab.axis("cgroup") == "v2" then
      conf.swap_max = p.swap
    else
      conf.memsw = p.limit + p.swap
    end
    local task = lab.task("hog", { group = lab.group("job", conf) })
    return { map = task:map("anon", { bytes = p.want }) }
  end,

  run = function(lab, _, w)
    lab.mark("allocated", w.map:touch { write = true, chunk = "1M" } and 1 or 0)
  end,

  metrics = {
    most = metric { unit = "MiB", doc = "memory and swap at the highest",
      from = function(r) return r.group["job"].memsw_peak / MIB end },
  },

  expect = function(t, r, p)
    local job = r.group["job"]
    t.never("more in memory than its limit", job.peak > job.limit)
    t.never("more in memory and swap than both limits", job.memsw_peak > p.limit + p.swap)
    if p.want > p.limit + p.swap then
      t.same("the allocation fails", r.mark["allocated"], 0, { label = "derived" })
      t.same("out of memory", r.total.oom_kills, 1, { label = "derived" })
      t.near("as all of both was used", r.most, (p.limit + p.swap) / MIB,
        { rel = 0.02, label = "derived" })
    elseif p.want < p.limit then
      t.same("the allocation succeeds", r.mark["allocated"], 1, { label = "derived" })
    end
    if p.swap == 0 then
      t.same("nothing was swapped", r.total.nr_swapped_out, 0, { label = "derived" })
    end
  end,
}
