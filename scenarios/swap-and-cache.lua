-- Idle anonymous memory, compressed swap, and cache: what does a stream cost
-- the idle memory, and what a file that is read lap after lap and would fit if
-- the idle memory were out of the way?
--
-- Claim: a stream costs nothing, its own unused pages make room. For the laps
-- kernels without refault distances see a stream too: each lap reads everything
-- again and the idle memory stays. v6.18 finds the pages' shadows when they come
-- back, keeps them active, and swaps as much idle memory as the file lacks, so
-- that from the third lap on nothing is read; swappiness 0 forbids that.
-- Source: v3.3 mm/vmscan.c, get_scan_count(); v6.18 mm/vmscan.c,
-- prepare_scan_control(), mm/workingset.c, workingset_refault().
-- Simplified: one zone, one CPU, no readahead; swap is written at once and read
-- page by page (compressed memory).
local PAGE = 4096

return scenario {
  name    = "swap-and-cache",
  title   = "Idle memory, compressed swap and a file read lap after lap",
  kernels = { "v3.3", "v6.18" },

  params = {
    limit      = param.size { "64M", min = "4M", max = "64G", doc = "limit of the group" },
    anon       = param.size { "40M", min = "1M", max = "64G", doc = "memory used once" },
    stream     = param.size { "256M", min = "1M", max = "1T", doc = "file read once" },
    file       = param.size { "40M", min = "1M", max = "64G", doc = "file read in laps" },
    laps       = param.int  { 10, min = 3, max = 1000, doc = "laps over that file" },
    swappiness = param.int  { 60, min = 0, max = 100, doc = "vm.swappiness" },
    swap       = param.size { "1G", min = "0", max = "1T", doc = "compressed swap" },
    seed       = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = 1, swap = p.swap, knobs = { swappiness = p.swappiness } }
    local group = lab.group("app", { limit = p.limit })
    local w = { group = group, app = lab.task("app", { group = group }) }
    w.heap = w.app:map("anon", { bytes = p.anon })
    w.heap:touch { write = true, chunk = "1M" }
    w.stream = lab.file("stream", { size = p.stream })
    w.file = lab.file("laps", { size = p.file })
    return w
  end,

  run = function(lab, p, w)
    local function misses() return lab.total().nr_accesses - lab.total().nr_hits end
    -- Up to the limit, then for long enough that the group's figures are known.
    local first = math.min(p.limit - p.anon, p.stream) // 2
    w.app:read(w.stream, { bytes = first, chunk = "1M" })
    lab.flush()
    w.app:read(w.stream, { offset = first })
    lab.mark("swapped for the stream", lab.total().nr_swapped_out)
    for lap = 1, p.laps do
      local before = misses()
      w.app:read(w.file)
      lab.mark(("lap %d"):format(lap), misses() - before)
      lab.mark("last lap", misses() - before)
      lab.think("100ms")
    end
    lab.mark("swapped for the laps", lab.total().nr_swapped_out)
    lab.mark("kernel memory", w.group:stat().kmem_pages)
    w.heap:touch()
  end,

  metrics = {
    last_lap = metric { unit = "pages", better = "lower", doc = "read in the last lap",
      from = function(r) return r.mark["last lap"] end },
    swapped = metric { unit = "pages", doc = "swapped when the laps were done",
      from = function(r) return r.mark["swapped for the laps"] end },
    still_swapped = metric { unit = "pages", doc = "in swap when all was touched again",
      from = function(r) return r.total.nr_swapped_out - r.total.nr_swapped_in end },
  },

  expect = function(t, r, p)
    local limit, anon, file = p.limit // PAGE, p.anon // PAGE, p.file // PAGE
    t.never("usage above limit", r.group["app"].peak > p.limit)
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    if anon + file < limit + 1024 or file > limit * 3 // 4 or anon > limit * 3 // 4
      or p.stream < 2 * p.limit or p.swap < p.anon then return end
    t.same("a stream swaps nothing", r.mark["swapped for the stream"], 0, { label = "derived" })
    t.same("the first lap reads the file", r.mark["lap 1"], file, { label = "derived" })
    t.same("so does the second", r.mark["lap 2"], file, { label = "predicted" })
    if r.axis.refault == "on" and p.swappiness > 0 then
      t.same("the third is all there", r.mark["lap 3"], 0, { label = "predicted" })
      t.near("as much is swapped as the file lacked", r.swapped,
        anon + file + r.mark["kernel memory"] - limit, { rel = 0.05, label = "predicted" })
    else
      t.same("and the last", r.last_lap, file, { label = "predicted" })
      t.same("with idle memory where it was", r.swapped, 0, { label = "predicted" })
    end
    t.same("touched again, all memory is back", r.task["app"].rss_pages, anon,
      { label = "derived" })
  end,
}
