-- Eight CPUs take page faults in one group as fast as they can. What does a
-- fault cost when each page, each uncharge or nothing is charged by itself?
--
-- Claim: CPU time a fault of 11.95 us without the controller, 13.09 in the
-- root, 26.02 in a group with neither stock nor batches, 17.69 with batched
-- uncharges, 14.03 with both; cache misses a fault of 27.67, 31.58, 69.96,
-- 47.16 and 34.69.
-- Source: KAMEZAWA Hiroyuki, commits 569b846df54 ("memcg: coalesce uncharge
-- during unmap/truncate") and cdec2e4265d ("memcg: coalesce charging via
-- percpu storage"), December 2009: each of 8 CPUs maps 1 MiB, touches its 256
-- pages, unmaps it, for 60 s.
-- Labels: time and misses without the controller are fitted to row 1, those
-- that it adds in the root to row 2, what a miss takes (knob line_ns) to the
-- difference of both. Rows 3 to 5 are predicted: every access to the group's
-- counters, their locks and its reference count is followed from CPU to CPU.
-- Missed: misses of rows 3 and 4, of which the model has a third and a seventh
-- too few. It serves a line to one CPU after the other, so those that wait miss
-- once and for long; the machine of 2009 counted several misses of one wait.
-- Simplified: how a fault's time is shared between touching and freeing is
-- assumed, and that the kernel was preemptible. If a reference were tested and
-- changed in one transfer of its line, rows 3 to 5 would be 26.5, 15.8 and
-- 13.9 us.
local PAGES = 256                              -- of a mapping
local PUBLISHED_SECONDS = 60
local LINE_NS = 292                            -- of a miss, the default of knob line_ns

-- CPU time [us] and cache misses of a fault, and how the model comes to them.
local ROWS = {
  ["v2.6.32+memcg=off"]        = { 11.953, 27.67, "calibrated" },
  ["v2.6.32"]                  = { 26.024, 69.96, "predicted" },
  ["v2.6.32+uncharge=block"]   = { 17.690, 47.16, "predicted" },
  ["v2.6.33"]                  = { 14.025, 34.69, "predicted" },
}
local ROOT = { 13.093, 31.58, "calibrated" }

return scenario {
  name    = "fault-loop-2009",
  title   = "Page faults of 8 CPUs in one group",
  kernels = { "v2.6.32", "v2.6.32+uncharge=block", "v2.6.33", "v2.6.32+memcg=off" },

  params = {
    seconds    = param.int  { 3, min = 1, max = PUBLISHED_SECONDS,
                              doc = "how long; the published run: 60" },
    child      = param.bool { true, doc = "in a group of their own, or in the root" },
    cpus       = param.int  { 8, min = 1, max = 512 },
    base       = param.time { "11953ns", label = "calibrated",
                              doc = "a fault without the controller: row 1" },
    base_lines = param.int  { 2767, min = 0, max = 1000000, label = "calibrated",
                              doc = "hundredths of a cache miss that it has: row 1" },
    root_lines = param.int  { 391, min = 0, max = 1000000, label = "calibrated",
                              doc = "hundredths more with the controller: row 2" },
    free       = param.time { "2500ns", doc = "of a fault's time, freeing its page" },
    seed       = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = p.cpus, locks = true, knobs = {
      lock_lines = 1, line_ns = LINE_NS, owner_ns = p.root_lines * LINE_NS // 100,
      fault_ns = p.base - p.free, unmap_ns = p.free, hit_ns = 0, sample_steps = 1048576,
    } }
    local group, tasks = nil, {}
    if p.child then group = lab.group("faults") end
    for i = 1, p.cpus do
      tasks[i] = lab.task("fault" .. i, { group = group, cpu = i - 1 })
    end
    return tasks
  end,

  run = function(lab, p, tasks)
    local over = false
    lab.at(p.seconds .. "s", function() over = true end)
    lab.parallel(lab.map(tasks, function(task)
      -- They do not start all at once, and so do not unmap all at once.
      lab.think(lab.rng:int(0, PAGES * p.base))
      while not over do
        local heap = task:map("anon", { pages = PAGES })
        heap:touch { write = true }
        heap:drop()
      end
    end))
    lab.mark("seconds", p.seconds)
    lab.mark("cpus", p.cpus)
    lab.mark("base_lines", p.base_lines)
    lab.mark("root_lines", p.root_lines)
  end,

  metrics = {
    cpu_us_per_fault = metric { unit = "us", better = "lower", doc = "CPU time of a fault",
      from = function(r)
        return r.total.sim_ns * r.mark.cpus / r.total.nr_accesses / 1000
      end },
    faults = metric { unit = "", better = "higher", doc = "of all CPUs in 60 s",
      from = function(r)
        return PUBLISHED_SECONDS * 1e9 * r.total.nr_accesses / r.total.sim_ns
      end },
    shared_lines = metric { unit = "", better = "lower",
      doc = "misses of a fault on lines of the group",
      from = function(r)
        return (r.lock.counter.misses + r.lock["css->refcnt"].misses) / r.total.nr_accesses
      end },
    cache_misses_per_fault = metric { unit = "", better = "lower", doc = "those and all others",
      from = function(r)
        local lines = r.mark.base_lines
        if r.axis.memcg == "on" then lines = lines + r.mark.root_lines end
        return lines / 100 + r.shared_lines
      end },
  },

  expect = function(t, r, p)
    t.same("what was charged is given back", r.total.nr_charged, r.total.nr_uncharged,
      { label = "derived" })
    local row = ROWS[r.kernel]
    if not p.child and r.kernel == "v2.6.32" then row = ROOT end
    if not row or p.cpus ~= 8 or p.seconds < 3 then return end
    t.near("CPU time of a fault", r.cpu_us_per_fault, row[1], { rel = 0.1, label = row[3] })
    if row[3] == "calibrated" then
      t.near("cache misses of a fault", r.cache_misses_per_fault, row[2],
        { rel = 0.01, label = row[3] })
    end
  end,

  compare = function(t, a, b)
    if ROWS[a.kernel] and ROWS[b.kernel] and a.kernel == "v2.6.32" then
      t.less("a fault without batches takes longest", b.cpu_us_per_fault, a.cpu_us_per_fault,
        { label = "published" })
    end
  end,
}
