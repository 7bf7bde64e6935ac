-- A group of a few megabytes reads a file through its limit. How hard does
-- reclaim have to try before it looks at a page at all?
--
-- Claim: the share of a list that a gentle priority scans is less than a page
-- for a small group, so nothing is scanned there at first. Where such targets
-- are saved up to a cluster of 32 a list needs 512 MiB to be scanned at once and
-- 64 MiB to be scanned three priorities later; a tiny one is reached far down,
-- where its target is large, and loses twice what was wanted. Since 3.0 a target
-- of zero becomes a cluster, and a tiny group loses just that.
-- Source: Linux 246e87a93934 (3.0), "memcg: fix get_scan_count() for small
-- targets"; v2.6.32 and v3.1 mm/vmscan.c, get_scan_count().
-- Simplified: one zone, one CPU, clean file pages only, no swap.
local PAGE, CLUSTER, PAGEVEC = 4096, 32, 14

-- What one hit asks for and frees, for a list of so many pages.
local function hit_direct(listed)
  local priority = 12
  while listed >> priority == 0 do priority = priority - 1 end
  local asked = listed >> priority
  return asked, (asked + CLUSTER - 1) // CLUSTER * CLUSTER
end

-- Saved up over the priorities; below the first one a pass ends once more than
-- a cluster was freed.
local function hit_saved(listed)
  local saved, priority = 0, 13
  repeat
    priority = priority - 1
    saved = saved + (listed >> priority)
  until saved >= CLUSTER
  local freed = (saved + CLUSTER - 1) // CLUSTER * CLUSTER
  if priority < 12 and freed > 2 * CLUSTER then
    return 2 * CLUSTER, 2 * CLUSTER
  end
  return saved, freed
end

-- In the steady state the CPU's queue holds what the last hit left over.
local function steady(pages, hit)
  local asked, freed = 0, CLUSTER
  for _ = 1, 4 do
    asked, freed = hit(pages - freed % PAGEVEC)
  end
  return asked, freed
end

return scenario {
  name    = "tiny-groups",
  title   = "Tiny groups: nothing to scan until it is too much",
  kernels = { "v2.6.32", "v3.1" },

  params = {
    limit = param.size { "4M", min = "256K", max = "4G", doc = "limit of the group" },
    file  = param.size { "256M", min = "1M", max = "1T", doc = "the file, read once" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "8G", cpus = 1 }
    local tiny = lab.group("tiny", { limit = p.limit })
    return { task = lab.task("reader", { group = tiny }),
             file = lab.file("data", { size = p.file }) }
  end,

  run = function(_, _, w)
    w.task:read(w.file)
  end,

  metrics = {
    asked_per_hit = metric { unit = "pages", better = "lower", doc = "asked for at a limit hit",
      from = function(r) return r.scan.nr_to_scan / r.total.limit_hits end },
    freed_per_hit = metric { unit = "pages", better = "lower", doc = "lost at a limit hit",
      from = function(r) return r.scan.nr_reclaimed / r.total.limit_hits end },
  },

  expect = function(t, r, p)
    local pages = p.limit // PAGE
    t.never("usage above limit", r.group["tiny"].peak > p.limit)
    if p.file < 16 * p.limit then return end
    local asked, freed
    if r.axis.forced_min == "none" and r.axis.scan_batch ~= "reclaim_stat"
      and r.axis.round == "cluster" then
      asked, freed = steady(pages, hit_direct)
    elseif r.axis.scan_batch == "reclaim_stat" and r.axis.early_break == "gt_cumulative" then
      asked, freed = steady(pages, hit_saved)
    elseif pages < 4096 and (r.axis.forced_min == "after" or r.axis.forced_min == "before") then
      asked, freed = CLUSTER, CLUSTER
    end
    if asked then
      t.near("asked for at a hit", r.asked_per_hit, asked, { rel = 0.01, label = "derived" })
      t.near("lost at a hit", r.freed_per_hit, freed, { rel = 0.01, label = "derived" })
    end
  end,

  compare = function(t, a, b)
    if a.kernel == "v2.6.32" and b.kernel == "v3.1" then
      t.less("less is taken since", b.freed_per_hit, a.freed_per_hit, { label = "derived" })
    end
  end,
}
