-- A limit is written that is far below what a group uses. What does the write
-- say, and what is left of the group?
--
-- Claim: cgroup v1 reclaims what it can and, when that is not enough, refuses
-- the write (EBUSY): the old limit stays and nobody is killed. cgroup v2 takes
-- the new limit at once, reclaims, and then kills until usage is below it; if
-- there is nobody (more) to kill, usage stays above the limit.
-- Source: opencontainers/runc#2812, #2736: limit 1000 written at a usage of
-- 1204224 (peak 2936832): device or resource busy; the Linux Test Project wants
-- the write to give up in less than 5 s; v6.18 mm/memcontrol.c,
-- memory_max_write(), mm/memcontrol-v1.c, mem_cgroup_resize_max().
-- Simplified: one zone, one CPU, no swap. 1000 bytes are no page at all for a
-- page_counter (3.19), and one page for a res_counter.
local PAGE = 4096

return scenario {
  name    = "limit-lowered",
  title   = "A limit below what is used: busy in v1, killed in v2",
  kernels = { "v6.18-v1", "v6.18" },

  params = {
    usage = param.int  { 294, min = 2, max = 1000000, doc = "pages of the group" },
    peak  = param.int  { 717, min = 2, max = 1000000, doc = "pages that it had at most" },
    anon  = param.int  { 100, min = 1, max = 1000000, doc = "of these anonymous" },
    limit = param.size { 1000, min = 1, max = "1T", doc = "the limit written" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = 1 }
    local w = { file = lab.file("data", { size = p.usage * PAGE }) }
    for _, name in ipairs { "kept", "left", "clean" } do
      w[name] = lab.group(name)
    end
    w.app = lab.task("app", { group = w.kept })
    w.gone = lab.task("gone", { group = w.left })
    w.reader = lab.task("reader", { group = w.clean })
    return w
  end,

  run = function(lab, p, w)
    -- A task that stays in its group, ...
    if p.peak > p.usage then
      local gone = w.app:map("anon", { pages = p.peak })
      gone:touch { write = true }
      gone:drop()
    end
    w.app:map("anon", { pages = p.anon }):touch { write = true }
    w.app:read(w.file, { pages = p.usage - p.anon })
    lab.mark("usage", w.kept:stat().usage_pages)
    local began = lab.total().sim_ns
    lab.mark("kept", w.kept:set { limit = p.limit } and 1 or 0)
    lab.mark("ms of the write", (lab.total().sim_ns - began) // 1000000)
    -- ... one that moves away and leaves its pages charged, ...
    w.gone:map("anon", { pages = p.anon }):touch { write = true }
    w.gone:move(lab.group("elsewhere"))
    lab.mark("left", w.left:set { limit = p.limit } and 1 or 0)
    -- ... and clean cache, half of which may stay.
    w.file:drop()
    w.reader:read(w.file)
    lab.mark("clean", w.clean:set { limit = p.usage // 2 * PAGE } and 1 or 0)
  end,

  metrics = {
    killed = metric { unit = "tasks", better = "lower", doc = "by the write",
      from = function(r) return r.total.oom_kills end },
  },

  expect = function(t, r, p)
    local kept, left, clean = r.group["kept"], r.group["left"], r.group["clean"]
    local v2 = r.axis.cgroup == "v2"
    if p.limit > p.anon * PAGE // 2 or p.usage < p.anon + 128 then return end
    t.near("the peak", kept.peak_pages, math.max(p.peak, p.usage), { abs = 70, label = "derived" })
    t.less("the write takes less than 5 s", r.mark["ms of the write"], 5000,
      { label = "published" })
    t.same("what can be reclaimed makes room", r.mark["clean"], 1, { label = "derived" })
    t.never("usage above that limit", clean.usage_pages > p.usage // 2)
    t.same("its reader lives", r.task["reader"].alive, true, { label = "derived" })
    if v2 then
      t.same("the write is done", r.mark["kept"], 1, { label = "derived" })
      t.same("the limit is the new one, in whole pages", kept.limit_pages, p.limit // PAGE,
        { label = "derived" })
      t.same("for which the task is killed", r.task["app"].alive, false, { label = "derived" })
      t.same("until nothing is left but kernel memory", kept.usage_pages,
        kept.kmem_pages + kept.stock_pages, { label = "derived" })
      t.same("with nobody to kill it is done too", r.mark["left"], 1, { label = "derived" })
      t.less("and usage stays above", left.limit, left.usage, { label = "derived" })
      t.same("one task was killed", r.killed, 1, { label = "derived" })
    else
      t.same("the write is refused", r.mark["kept"], 0, { label = "published" })
      t.less("the old limit stays", 1 << 60, kept.limit, { label = "published" })
      t.less("usage is lower", kept.usage_pages, r.mark["usage"], { label = "derived" })
      t.never("less than cannot be reclaimed", kept.usage_pages < p.anon)
      t.same("so it is with pages left behind", r.mark["left"], 0, { label = "derived" })
      t.same("nobody is killed", r.killed, 0, { label = "published" })
    end
  end,
}
