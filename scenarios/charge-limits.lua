-- A charge goes up from a group to each parent with a limit that counts it.
-- Which level refuses, which counter says so, and who is reclaimed from?
--
-- Claim: a charge fails at the lowest level where usage would pass the limit;
-- that level's failcnt counts it, and reclaim looks for pages in the subtree
-- of that level. A limit below usage is set after reclaim has made room, and
-- is refused (EBUSY) where nothing can be reclaimed (cgroup v2 kills instead).
-- Source: v2.6.31 kernel/res_counter.c, res_counter_charge(), and
-- mm/memcontrol.c, mem_cgroup_resize_limit(); the same in v3.1 and v3.3.
-- Simplified: one zone, one CPU, clean file pages, anonymous pages without swap.
local PAGE = 4096
local K, M = 1 << 10, 1 << 20

return scenario {
  name    = "charge-limits",
  title   = "Which level of a hierarchy refuses a charge",
  kernels = { "v2.6.31", "v3.3" },

  params = {
    seed = param.seed { 1 },
  },

  setup = function(lab)
    lab.machine { ram = "1G", cpus = 1 }
    local jobs = lab.group("jobs", { limit = 8 * M, hierarchy = true })
    local a = jobs:group("a", { limit = 4 * M })
    local b = jobs:group("b", { limit = 6 * M })
    local fixed = lab.group("fixed", { limit = 1 * M })
    return {
      a = a, b = b, fixed = fixed,
      task_a = lab.task("a", { group = a }),
      task_b = lab.task("b", { group = b }),
      task_fixed = lab.task("fixed", { group = fixed }),
      file_a = lab.file("a", { size = 8 * M }),
      file_b = lab.file("b", { size = 6 * M }),
    }
  end,

  run = function(lab, _, w)
    -- 2048 pages through a limit of 1024: refused by a itself, 1024 times a page.
    w.task_a:read(w.file_a)
    lab.mark("a has read twice its limit")
    -- 1024 more fill the parent; the next 512 are refused by the parent.
    w.task_b:read(w.file_b)
    lab.mark("b has read past what the parent had left")
    -- a's own limit, below its usage: its file pages make room.
    lab.mark("a lowered", w.a:set { limit = 2 * M } and 1 or 0)
    -- 64 anonymous pages cannot be reclaimed: 32 is refused.
    w.task_fixed:map("anon", { pages = 64 }):touch()
    local done, why = w.fixed:set { limit = 128 * K }
    lab.mark(done and "set" or why)
  end,

  metrics = {
    a_refused = metric { unit = "charges", doc = "failcnt of jobs/a",
      from = function(r) return r.group["jobs/a"].failcnt end },
    jobs_refused = metric { unit = "charges", doc = "failcnt of jobs",
      from = function(r) return r.group["jobs"].failcnt end },
  },

  expect = function(t, r)
    local jobs, a, b = r.group["jobs"], r.group["jobs/a"], r.group["jobs/b"]
    local fixed = r.group["fixed"]
    for _, path in ipairs { "jobs", "jobs/a", "jobs/b", "fixed" } do
      local group = r.group[path]
      t.never("usage of " .. path .. " above its limit", group.usage > group.limit)
    end
    -- Beside that, v6.18 charges the kernel's own structures for a child to the parent.
    local own = jobs.kmem_pages - a.kmem_pages - b.kmem_pages + jobs.stock_pages
    t.same("the parent counts its children", jobs.usage_pages,
      a.usage_pages + b.usage_pages + own, { label = "derived" })
    t.same("b never met its own limit", b.failcnt, 0, { label = "derived" })
    t.less("a met its limit", 0, a.failcnt, { label = "derived" })
    t.less("b met its parent's limit", 0, jobs.failcnt, { label = "derived" })
    t.same("a's limit was lowered", a.limit, 2 * M, { label = "derived" })
    if r.axis.cgroup == "v1" then
      t.same("the fixed group kept its limit", fixed.limit, 1 * M, { label = "derived" })
      t.same("and its pages", fixed.charged_pages, 64, { label = "derived" })
      t.same("nothing was killed", r.total.oom_kills, 0, { label = "derived" })
    else
      t.same("the fixed group got its limit", fixed.limit, 128 * K, { label = "derived" })
      t.same("at the cost of its task", r.total.oom_kills, 1, { label = "derived" })
    end

    -- A refused page frees one cluster of 32, so every 32nd page is refused:
    -- 1024 // 32 by a, and 512 // 32 by the parent.
    if t.kernel("v2.6.31") or t.kernel("v3.1") or t.kernel("v3.3") then
      t.same("hits at a", a.limit_hits, 1024 // 32, { label = "derived" })
      t.same("hits at the parent", jobs.limit_hits, 512 // 32, { label = "derived" })
    end
    -- With a stock each of those pages is tried as a batch of 32 first, which
    -- is refused without reclaim and counted, then alone.
    if t.kernel("v3.1") or t.kernel("v3.3") then
      t.same("refused by a", a.failcnt, 1024 + 1024 // 32, { label = "derived" })
      t.same("refused by the parent", jobs.failcnt, 512 + 512 // 32, { label = "derived" })
    end
    -- Without a stock each hit is one refused charge of one page, and the
    -- children of the parent take turns: 8 of 16 hits each.
    if t.kernel("v2.6.31") then
      t.same("refused by the parent", jobs.failcnt, 512 // 32, { label = "derived" })
      t.same("lost by b, to its parent's limit", b.nr_reclaimed, 8 * 32,
        { label = "derived" })
      t.same("b holds the rest", b.usage, (1536 - 8 * 32) * PAGE, { label = "derived" })
    end
  end,
}
