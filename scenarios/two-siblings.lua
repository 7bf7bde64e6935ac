-- A large and a small group share the limit of their parent, and the large
-- one reads on. Who pays for it?
--
-- Claim: a hit at the parent's limit reclaims from one child after the other.
-- Up to v3.2 it is one child a hit; v3.3 walks the tree once for each priority,
-- and a child whose list is too short for its share of a gentle priority is
-- asked for a whole cluster instead, so the small group loses most.
-- Source: v2.6.31 to v3.1 mm/memcontrol.c, mem_cgroup_hierarchical_reclaim();
-- v3.3 mm/memcontrol.c, mem_cgroup_iter(), and mm/vmscan.c, get_scan_count().
-- Simplified: one zone, one CPU, clean file pages only, no swap.
local PAGE = 4096

-- Pages that each child loses in the first hits, worked out by hand for lists
-- of 25000 and 600 pages. Cleared shares stay the same as long as the large list
-- keeps between 24576 and 25599 pages and the small one at least 32.
--   v2.6.31  each hit isolates one cluster: 32 from one child, hits 1 to 9
--   v2.6.32  the large list saves 6 + 12 + 24 = 42, the small one at least 32
--            over several priorities: both are two rounds, 64 pages, hits 1 to 5
--   v3.1     6 + 12 + 24 = 42 from the large list; the small one's target of 0
--            at priority 12 becomes 32. Hits 1 to 8 alternate
--   v3.3     one child for each priority: (42,0) (0,32) (0,32) (6,32) (0,32)
--            (44,0) (6,32) (0,32), the first after 13 priorities at the parent
local BY_HAND = {
  ["v2.6.31"] = { hits = 9, big = 5 * 32, small = 4 * 32 },
  ["v2.6.31+scan_batch=reclaim_stat"] = { hits = 5, big = 3 * 64, small = 2 * 64 },
  ["v2.6.32"] = { hits = 5, big = 3 * 64, small = 2 * 64 },
  ["v3.1"] = { hits = 8, big = 4 * 42, small = 4 * 32 },
  ["v3.1+lru=per_memcg"] = { hits = 8, big = 4 * 42, small = 4 * 32 },
  ["v3.3"] = { hits = 8, big = 42 + 6 + 44 + 6, small = 6 * 32 },
}

return scenario {
  name    = "two-siblings",
  title   = "Two children under one limit: who loses pages?",
  kernels = { "v3.1", "v3.3" },

  params = {
    big   = param.int { 25000, min = 32, max = 10000000, doc = "pages of the large group" },
    small = param.int { 600, min = 32, max = 10000000, doc = "pages of the small group" },
    more  = param.int { 270, min = 1, max = 10000000,
                        doc = "pages that the large group reads on, at the limit" },
    seed  = param.seed { 5 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 1 }
    local jobs = lab.group("jobs", { limit = (p.big + p.small) * PAGE, hierarchy = true })
    local w = {}
    for _, name in ipairs { "big", "small" } do
      local group = jobs:group(name)
      local task = lab.task(name, { group = group })
      local file = lab.file(name, { size = p[name] * PAGE })
      w[name] = { group = group, task = task, file = file }
    end
    w.more = lab.file("more", { size = p.more * PAGE })
    for _, name in ipairs { "big", "small" } do
      w[name].task:read(w[name].file, { chunk = "1M" })
    end
    lab.mark("both groups are full")
    return w
  end,

  run = function(_, _, w)
    w.big.task:read(w.more, { chunk = "4K" })
  end,

  metrics = {
    big_lost = metric { unit = "pages", doc = "reclaimed from the large group",
      from = function(r) return r.group["jobs/big"].nr_reclaimed end },
    small_lost = metric { unit = "pages", doc = "reclaimed from the small group",
      from = function(r) return r.group["jobs/small"].nr_reclaimed end },
    small_share = metric { unit = "%", doc = "of all reclaimed pages, from the small group",
      from = function(r) return 100 * r.small_lost / (r.small_lost + r.big_lost) end },
  },

  expect = function(t, r, p)
    local jobs, big, small = r.group["jobs"], r.group["jobs/big"], r.group["jobs/small"]
    t.never("usage of jobs above its limit", jobs.peak > jobs.limit)
    -- Beside that, v6.18 charges the kernel's own structures for a child to the parent.
    local own = jobs.kmem_pages - big.kmem_pages - small.kmem_pages + jobs.stock_pages
    t.same("the parent's usage is its children's", jobs.usage_pages,
      big.usage_pages + small.usage_pages + own, { label = "derived" })
    t.same("what was read is resident or reclaimed", p.big + p.small + p.more,
      big.charged_pages + small.charged_pages + r.big_lost + r.small_lost, { label = "derived" })
    local by_hand = rawget(BY_HAND, r.kernel)
    if by_hand and p.big == 25000 and p.small == 600 and p.more == 270 then
      t.same("limit hits", r.total.limit_hits, by_hand.hits, { label = "derived" })
      t.same("lost by the large group", r.big_lost, by_hand.big, { label = "derived" })
      t.same("lost by the small group", r.small_lost, by_hand.small, { label = "derived" })
    end
  end,

  compare = function(t, a, b)
    if a.kernel == "v3.1" and b.kernel == "v3.3" then
      t.less("the small group loses more in v3.3", a.small_lost, b.small_lost,
        { label = "derived" })
    end
  end,
}
