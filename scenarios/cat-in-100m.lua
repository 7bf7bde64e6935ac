-- One task reads a file far bigger than its limit, once, in order. How many
-- pages does reclaim look at for each page that it was asked to look at?
--
-- Claim: in a 100M group, reclaim is asked for 6 pages and looks at 32, over
-- and over; after the patch it is asked for 32 and 10 and looks at 64. "Before
-- patch, the inactive list is over scanned by 30/6=5 times; after patch, it
-- is over scanned by 64/42=1.5 times."
-- Source: Wu Fengguang, "[PATCH -v2] mm: do batched scans for mem_cgroup",
-- linux-mm, 20 August 2009; cp of a 10G file to /dev/null in a 100M group.
-- Simplified: one zone; the file's pages are read one after the other without
-- read-ahead, which changes no charge; the 61 pages that shell and cp hold in
-- the group beside the file are anonymous pages of one task (-p other=N).
local PAGE = 4096
local CLUSTER, PAGEVEC = 32, 14

-- What one limit hit asks for and looks at in the steady state, from the rules
-- alone: the list is as long as the limit allows, less the other pages and
-- what the last hit left in the per-CPU queue. "look" says how a kernel turns
-- list sizes into targets.
local function steady(pages, look)
  local asked, scanned = 0, CLUSTER
  for _ = 1, 4 do                            -- settles after the second round
    asked, scanned = look(pages - scanned % PAGEVEC)
  end
  return asked, scanned
end

-- Each target runs at once, and each of its rounds isolates a whole cluster.
local function look_direct(listed)
  local priority = 12
  while listed >> priority == 0 do priority = priority - 1 end
  local asked = listed >> priority
  return asked, (asked + CLUSTER - 1) // CLUSTER * CLUSTER
end

-- Targets are saved up to a cluster; a pass stops when more than one is freed.
local function look_saved(listed)
  local saved, priority = 0, 13
  repeat
    priority = priority - 1
    saved = saved + (listed >> priority)
  until saved >= CLUSTER
  local rounds = (saved + CLUSTER - 1) // CLUSTER
  if priority < 12 then
    rounds = math.min(rounds, 2)
    saved = math.min(saved, 2 * CLUSTER)
  end
  return saved, rounds * CLUSTER
end

return scenario {
  name    = "cat-in-100m",
  title   = "Read 10G through a 100M group",
  kernels = { "unbatched", "batched" },      -- one run for each, same seed

  params = {
    limit   = param.size { "100M", min = "1M", max = "1T", doc = "hard limit of jobs/cat" },
    file    = param.size { "10G", min = "4K", max = "1T", doc = "bytes read, once, in order" },
    other   = param.int  { 61, min = 0, max = 1000000, label = "calibrated",
                           doc = "pages charged to the group beside the file" },
    chunk   = param.size { "128K", min = "4K", max = "1G", doc = "bytes read in one step" },
    readers = param.int  { 1, min = 1, max = 2, doc = "tasks, each with a file of its own" },
    seed    = param.seed { 7 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 2, page = "4K" }
    local cat = lab.group("jobs/cat", { limit = p.limit })
    if p.other > 0 then
      local shell = lab.task("shell", { group = cat })
      shell:map("anon", { pages = p.other }):touch { chunk = "1G" }
    end
    local readers = {}
    for i = 1, p.readers do
      readers[i] = {
        task = lab.task("cat" .. i, { group = cat, cpu = i - 1 }),
        file = lab.file("big" .. i, { size = p.file, sparse = true }),
      }
    end
    return readers
  end,

  run = function(lab, p, readers)
    local function read(reader)
      reader.task:read(reader.file, { chunk = p.chunk })
    end
    if #readers == 1 then
      read(readers[1])
    else
      lab.parallel(lab.map(readers, read))
    end
    lab.mark("end of file")
  end,

  metrics = {
    over_scan = metric { unit = "x", better = "lower", doc = "pages looked at / asked for",
      from = function(r) return r.scan.nr_scanned / r.scan.nr_to_scan end },
    asked_per_hit = metric { unit = "pages", doc = "asked for at each limit hit",
      from = function(r) return r.scan.nr_to_scan / r.total.limit_hits end },
    freed_per_hit = metric { unit = "pages", doc = "reclaimed at each limit hit",
      from = function(r) return r.scan.nr_reclaimed / r.total.limit_hits end },
  },

  expect = function(t, r, p)
    local cat = r.group["jobs/cat"]
    local pages = (p.file + PAGE - 1) // PAGE * p.readers + p.other
    t.never("usage above limit", cat.peak > p.limit + PAGE - 1)
    if r.total.oom_kills == 0 then           -- a task that is killed leaves pages unread
      t.same("every page is charged once", r.total.nr_charged, pages, { label = "derived" })
    end
    t.same("charged minus uncharged is resident", cat.charged_pages,
      cat.nr_charged - cat.nr_uncharged, { label = "derived" })
    t.same("a page read once is freed at first sight", r.scan.nr_reclaimed, r.scan.nr_scanned,
      { label = "derived" })

    -- The figures of the trace need one reader and a list of some length.
    local room = p.limit // PAGE - p.other
    if p.readers > 1 or room < 256 or pages < 8 * room then return end
    local look
    if t.kernel("v2.6.31") then
      look = look_direct
    elseif t.kernel("v2.6.31+scan_batch=reclaim_stat") or t.kernel("v2.6.32") then
      look = look_saved
    end
    if look then
      local asked, scanned = steady(room, look)
      t.near("asked at a hit", r.asked_per_hit, asked, { rel = 0.01, label = "predicted" })
      t.near("over_scan", r.over_scan, scanned / asked, { rel = 0.01, label = "predicted" })
    elseif t.kernel("v3.1") or t.kernel("v3.1+lru=per_memcg") or t.kernel("v3.3") then
      t.near("over_scan is gone", r.over_scan, 1, { abs = 0, label = "derived" })
    end

    -- What the mail prints, as it rounds.
    if p.limit ~= 100 << 20 or p.other ~= 61 then return end
    if t.kernel("unbatched") then
      t.near("over_scan, as published", r.over_scan, 5, { abs = 0.5, label = "published" })
    elseif t.kernel("batched") then
      t.near("over_scan, as published", r.over_scan, 1.5, { abs = 0.05, label = "published" })
    end
  end,

  compare = function(t, a, b)
    if a.kernel == "v2.6.31" and b.kernel == "v2.6.31+scan_batch=reclaim_stat"
      and a.group["jobs/cat"].limit == 100 << 20 then
      t.less("batching looks at fewer pages for each one asked", b.over_scan, a.over_scan,
        { label = "published" })
    end
  end,
}
