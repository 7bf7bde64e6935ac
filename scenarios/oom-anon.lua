-- A task touches more anonymous memory than its group may have, and there is
-- no swap. Who is killed, and what is left?
--
-- Claim: anonymous pages without swap cannot be reclaimed, so reclaim fails
-- however often it is tried; then the largest task of the group is killed (by
-- virtual size up to 2.6.35, by resident pages later) and its pages are
-- uncharged; the others go on.
-- Source: v2.6.31 mm/oom_kill.c, badness(); v3.1 mm/oom_kill.c, oom_badness();
-- mm/memcontrol.c, mem_cgroup_out_of_memory().
-- Simplified: one zone, one CPU, no swap at all; page tables are not counted.
local PAGE = 4096

return scenario {
  name    = "oom-anon",
  title   = "Out of memory: anonymous pages over the limit",
  kernels = { "v2.6.31", "v3.3" },

  params = {
    limit = param.size { "16M", min = "1M", max = "64G", doc = "limit of the group" },
    small = param.int  { 500, min = 1, max = 100000, doc = "pages of the small task" },
    hog   = param.int  { 6000, min = 1, max = 10000000, doc = "pages that the hog wants" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 1 }
    local box = lab.group("box", { limit = p.limit })
    local small = lab.task("small", { group = box })
    local hog = lab.task("hog", { group = box })
    local heap = small:map("anon", { pages = 2 * p.small })
    heap:touch { pages = p.small, write = true }
    return { small = small, hog = hog, heap = heap }
  end,

  run = function(lab, p, w)
    local done, why = w.hog:map("anon", { pages = p.hog }):touch { write = true }
    lab.mark(done and "the hog got all" or why)
    if w.small:alive() then
      w.heap:touch { offset = p.small * PAGE, pages = p.small, write = true }
    end
  end,

  metrics = {
    killed = metric { unit = "tasks", doc = "by the out-of-memory killer",
      from = function(r) return r.total.oom_kills end },
  },

  expect = function(t, r, p)
    local box, small, hog = r.group["box"], r.task["small"], r.task["hog"]
    local limit = p.limit // PAGE
    t.never("usage above limit", box.peak > p.limit)
    if 2 * p.small >= p.hog or 2 * p.small > limit then return end
    local fits = p.small + p.hog <= limit
    t.same("kills", r.killed, fits and 0 or 1, { label = "derived" })
    t.same("the hog lives if it fits", hog.alive, fits, { label = "derived" })
    if fits then return end
    t.always("the small task lives", small.alive, { label = "derived" })
    -- The stock of 2009 takes 36 pages or none.
    t.less("usage reached the limit", r.axis.charge == "rfc" and limit - 36 or limit - 1,
      box.peak_pages, { label = "derived" })
    t.same("the hog's pages are gone", hog.rss_pages, 0, { label = "derived" })
    t.same("the small task got its second half", small.rss_pages, 2 * p.small,
      { label = "derived" })
    t.same("nothing else is charged", box.charged_pages, 2 * p.small, { label = "derived" })
    t.same("nothing could be reclaimed", r.scan.nr_reclaimed, 0, { label = "derived" })
  end,
}
