-- A group has cache that it uses and needs more anonymous memory than fits; swap
-- is fast, compressed memory. What does a swappiness of 100, or 200, do?
--
-- Claim: at 200 cache has no weight at all, so it stays untouched and only
-- anonymous memory is swapped as long as that is possible; at 100 both have equal
-- weights as long as either has cost the same; at the usual 60 it is 60 to 140.
-- Source: bottlerocket-os/bottlerocket#4924: 2.5 GiB of cache kept while 15 MB/s
-- go to compressed swap; v6.18 mm/vmscan.c, get_scan_count().
-- Simplified: one zone, one CPU; swap is written at once; the cache is a file
-- read twice, so it is on the active list.
local PAGE = 4096

return scenario {
  name    = "swappiness-200",
  title   = "High swappiness: cache stays, anonymous memory is swapped",
  kernels = { "v6.18" },

  params = {
    swappiness = param.int  { 200, min = 0, max = 200, doc = "vm.swappiness" },
    limit      = param.size { "4G", min = "1M", max = "1T", doc = "limit of the group" },
    file       = param.size { "2560M", min = "1M", max = "1T", doc = "cache, read twice" },
    anon       = param.size { "2G", min = "1M", max = "1T", doc = "anonymous memory" },
    more       = param.size { "1536M", min = "1M", max = "1T", doc = "and then" },
    swap       = param.size { "1G", min = "0", max = "1T", doc = "the machine's swap" },
    seed       = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "16G", cpus = 1, swap = p.swap, knobs = { swappiness = p.swappiness } }
    local box = lab.group("box", { limit = p.limit })
    local w = { box = box, app = lab.task("app", { group = box }) }
    local file = lab.file("cache", { size = p.file })
    w.app:read(file, { chunk = "1M" })
    w.app:read(file, { chunk = "1M" })
    lab.drain()
    lab.flush()
    return w
  end,

  run = function(lab, p, w)
    local before = w.box:stat()
    lab.mark("cache before", before.inactive_file + before.active_file)
    w.app:map("anon", { bytes = p.anon }):touch { write = true, chunk = "1M" }
    lab.drain()
    local after = w.box:stat()
    lab.mark("cache after", after.inactive_file + after.active_file)
    lab.mark("swapped for it", lab.total().nr_swapped_out)
    -- More than there is swap for.
    w.app:map("anon", { bytes = p.more }):touch { write = true, chunk = "1M" }
    lab.mark("cache at the end", w.box:stat().cache_pages)
  end,

  metrics = {
    swapped = metric { unit = "pages", doc = "anonymous pages written to swap",
      from = function(r) return r.mark["swapped for it"] end },
    dropped = metric { unit = "pages", doc = "pages of cache dropped",
      from = function(r) return r.mark["cache before"] - r.mark["cache after"] end },
  },

  expect = function(t, r, p)
    t.never("usage above limit", r.group["box"].peak > p.limit)
    t.same("all of the file was cache", r.mark["cache before"], p.file // PAGE,
      { label = "derived" })
    local short = (p.file + p.anon - p.limit) // PAGE
    if r.axis.balance ~= "cost" or short < 1024
      or p.swap // PAGE < short * 2 or p.anon > p.limit then
      return
    end
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    t.near("what is short is swapped or dropped", r.swapped + r.dropped, short,
      { rel = 0.1, label = "predicted" })
    if p.swappiness == 200 then
      t.same("cache stays untouched", r.dropped, 0, { label = "predicted" })
      t.less("anonymous memory is swapped", short, r.swapped, { label = "predicted" })
      if p.file + p.anon + p.more < p.limit + p.swap + p.file // 2 then
        t.same("until nothing of it can be swapped any more", r.total.nr_swapped_out,
          p.swap // PAGE, { label = "published" })
        t.near("then the cache gives what is short", r.mark["cache at the end"],
          (p.limit + p.swap - p.anon - p.more) // PAGE, { rel = 0.02, label = "predicted" })
      end
    elseif p.swappiness <= 100 then
      -- Anonymous pages were used since the last look, so one look frees none of
      -- them, and what looking has cost turns the weights against them.
      t.same("with a weight of its own the cache pays first", r.swapped, 0,
        { label = "predicted" })
    end
  end,
}
