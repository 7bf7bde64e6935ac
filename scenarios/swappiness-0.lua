-- A group has swappiness 0 and wants half as much again as its limit, all of it
-- anonymous; there is plenty of swap. Is it swapped or killed?
--
-- Claim: since 3.5 a group with swappiness 0 never has anonymous pages scanned
-- for its own limit, so it is out of memory at the limit though swap is free;
-- before, 0 still left anonymous pages a weight of one, and they were swapped.
-- Source: Linux fe35004fbf9e (3.5) and 99445602d63e; a published run with limit
-- 1024m, swappiness 0 and 1536M wanted: killed at usage = limit 1048576 kB with
-- rss 1048388 kB, failcnt 267 and no swap used.
-- Simplified: one zone, one CPU; swap is written at once (compressed memory);
-- the shell and the program's own files, which that run had charged too, are left
-- out, so failcnt is smaller here.
local PAGE = 4096

return scenario {
  name    = "swappiness-0",
  title   = "Swappiness 0: swapped before 3.5, killed since",
  kernels = { "v3.3", "v3.5", "v6.18-v1" },

  params = {
    limit      = param.size { "1G", min = "1M", max = "1T", doc = "limit of the group" },
    want       = param.size { "1536M", min = "1M", max = "1T", doc = "anonymous memory wanted" },
    swap       = param.size { "2G", min = "0", max = "1T", doc = "the machine's swap" },
    swappiness = param.int  { 0, min = 0, max = 100, doc = "of the group" },
    seed       = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 1, swap = p.swap }
    local box = lab.group("box", { limit = p.limit, swappiness = p.swappiness })
    return lab.task("app", { group = box }):map("anon", { bytes = p.want })
  end,

  run = function(lab, _, heap)
    local done, why = heap:touch { write = true, chunk = "1M" }
    lab.mark(done and "all is there" or why)
  end,

  metrics = {
    swapped = metric { unit = "pages", better = "lower", doc = "written to swap",
      from = function(r) return r.total.nr_swapped_out end },
  },

  expect = function(t, r, p)
    local box, app = r.group["box"], r.task["app"]
    local short = (p.want - p.limit) // PAGE
    t.never("usage above limit", box.peak > p.limit)
    if p.swap < p.want or short < 1024 then return end
    local never = r.axis.swappiness_0 == "never"
    if p.swappiness == 0 and never and r.axis.cgroup == "v1" then
      t.same("out of memory", r.total.oom_kills, 1, { label = "published" })
      t.same("at the limit", box.peak_pages, p.limit // PAGE, { label = "published" })
      t.same("with no page swapped", r.swapped, 0, { label = "published" })
    elseif not never or p.swappiness > 0 then
      t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
      t.same("the task lives", app.alive, true, { label = "derived" })
      -- What does not fit is swapped, and less than a cluster of 32 at once too many;
      -- v6.18 also charges a page table for 512 pages.
      t.near("what does not fit is swapped", r.swapped, short, { rel = 0.02, label = "predicted" })
    end
  end,
}
