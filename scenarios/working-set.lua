-- A file is read twice, then the group needs more anonymous memory. What do
-- an orchestrator's "working set", the cache that could be dropped, and usage
-- say, and does the memory that looks used stand in the way?
--
-- Claim: usage minus inactive_file counts the pages of a file read twice as
-- working set, for the second read moves them to the active list; but they
-- are cache like any other: when anonymous memory needs the room, as many of
-- them are dropped as are needed, and nobody is killed.
-- Source: kubernetes/kubernetes#43916, google/cadvisor#2582.
-- Simplified: one zone, one CPU, no swap; the file is clean; the kernel's own
-- memory is that of page-cache trees and page tables, and only in v6.18.
local PAGE = 4096

-- The three numbers, in pages, as marks on the time line.
local function measure(lab, group, moment)
  local now = group:stat()
  lab.mark("usage " .. moment, now.usage_pages)
  lab.mark("working set " .. moment, math.max(0, now.usage_pages - now.inactive_file))
  lab.mark("droppable " .. moment, now.inactive_file + now.active_file)
end

return scenario {
  name    = "working-set",
  title   = "Files read twice: working set against what can be dropped",
  kernels = { "v3.3", "v6.18" },

  params = {
    limit = param.size { "1G", min = "1M", max = "1T", doc = "limit of the group" },
    anon  = param.size { "100M", min = "4K", max = "1T", doc = "anonymous memory at first" },
    file  = param.size { "600M", min = "4K", max = "1T", doc = "the file, read twice" },
    more  = param.size { "500M", min = "4K", max = "1T", doc = "anonymous memory wanted later" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 1 }
    local pod = lab.group("pod", { limit = p.limit })
    local w = { pod = pod, app = lab.task("app", { group = pod }) }
    w.app:map("anon", { bytes = p.anon }):touch { write = true, chunk = "1M" }
    w.file = lab.file("data", { size = p.file })
    return w
  end,

  run = function(lab, p, w)
    w.app:read(w.file, { chunk = "1M" })
    lab.drain()
    measure(lab, w.pod, "after one read")
    w.app:read(w.file, { chunk = "1M" })
    lab.drain()
    measure(lab, w.pod, "after two reads")
    w.app:map("anon", { bytes = p.more }):touch { write = true, chunk = "1M" }
    lab.drain()
    measure(lab, w.pod, "at the end")
  end,

  metrics = {
    looks_used = metric { unit = "%", better = "lower",
      doc = "working set after two reads that could be dropped",
      from = function(r)
        return 100 * r.mark["droppable after two reads"] / r.mark["working set after two reads"]
      end },
    file_lost = metric { unit = "pages", doc = "of the file, dropped for anonymous memory",
      from = function(r)
        return r.mark["droppable after two reads"] - r.mark["droppable at the end"]
      end },
  },

  expect = function(t, r, p)
    local limit, anon, file, more = p.limit // PAGE, p.anon // PAGE, p.file // PAGE, p.more // PAGE
    local both, needed = anon + file, anon + file + more - limit
    t.never("usage above limit", r.group["pod"].peak > p.limit)
    if both > limit or needed < 4096 or anon + more > limit * 9 // 10 then return end
    -- What the kernel holds for the pages: a tree node of 576 bytes for 64
    -- file pages, a page table for 512 anonymous pages; up to a batch of stock.
    t.near("usage after one read", r.mark["usage after one read"], both,
      { rel = 0.005, label = "predicted" })
    t.near("working set after one read: the anonymous pages",
      r.mark["working set after one read"], anon, { rel = 0.02, label = "predicted" })
    t.near("working set after two reads: everything",
      r.mark["working set after two reads"], both, { rel = 0.005, label = "predicted" })
    t.same("the second read charges nothing", r.mark["usage after two reads"],
      r.mark["usage after one read"], { label = "derived" })
    t.same("all of the file can be dropped", r.mark["droppable after two reads"], file,
      { label = "derived" })
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "predicted" })
    t.same("all anonymous memory is there", r.task["app"].rss_pages, anon + more,
      { label = "predicted" })
    t.near("the file gives what is needed", r.file_lost, needed,
      { rel = 0.03, label = "predicted" })
  end,
}
