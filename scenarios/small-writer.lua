-- A writer puts a large file through a group of 5 MiB. Does it get through, and
-- how fast?
--
-- Claim: reclaim that only looks at pages under writeback finds nothing to free
-- long before the disk has written the first of them, and the writer is killed
-- with nearly all of the group dirty or under writeback; reclaim that waits for
-- a page which it has marked before lets the writer go at the speed of the disk.
-- Source: Linux e62e384e9da8 (3.6), "memcg: prevent OOM with too many dirty
-- pages": 1000 MiB through 5M, 60M, 300M and 2G died each time before; after,
-- 5M ends in 30.40 s at 34.5 MB/s.
-- Simplified: one zone, one CPU; each page takes the disk the same time, which
-- is fitted to the rate of that run, and 128 of them are written together; a
-- tenth is written (-p size=1000M for all of it). Kernels before v3.1 sleep
-- between priorities as well and get through. Larger groups take so long to be
-- looked through in vain that the disk is ready in time here (limit=10M and more).
local PAGE = 4096

return scenario {
  name    = "small-writer",
  title   = "Writing a large file through a group of 5 MiB",
  kernels = { "v3.5", "v3.6" },

  params = {
    limit = param.size { "5M", min = "1M", max = "1T", doc = "limit of the group" },
    size  = param.size { "100M", min = "1M", max = "1T", doc = "bytes written" },
    write = param.time { "117us", label = "calibrated", doc = "of a page on the disk: 35 MB/s" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 1, knobs = { write_ns = p.write } }
    local group = lab.group("dd", { limit = p.limit })
    return { dd = lab.task("dd", { group = group }), file = lab.file("out", { size = p.size }) }
  end,

  run = function(lab, _, w)
    local done, why = w.dd:write(w.file, { chunk = "1M" })
    lab.mark(done and "written" or why)
    if done then w.dd:fsync(w.file) end
  end,

  metrics = {
    seconds = metric { unit = "s", better = "lower", doc = "until all is on the disk",
      from = function(r) return r.total.sim_ns / 1e9 end },
    rate = metric { unit = "MB/s", better = "higher", doc = "on the disk",
      from = function(r) return r.total.nr_written * PAGE / 1e6 / r.seconds end },
  },

  expect = function(t, r, p)
    local pages = (p.size + PAGE - 1) // PAGE
    local group = r.group["dd"]
    t.never("usage above limit", group.peak > p.limit)
    local waits = r.axis.writeback_wait == "marked" or r.axis.nap == "always"
    local full = p.size >= 2 * p.limit and p.limit < 8 * 1024 * 1024 and p.write == 117000
    if not waits and full then
      t.same("the writer is killed", r.total.oom_kills, 1, { label = "published" })
      t.less("with nearly all of it dirty", 0.95 * group.limit_pages,
        r.total.peak_dirty_pages, { label = "published" })
    elseif waits then
      t.same("the writer is not killed", r.task["dd"].alive, true, { label = "published" })
      t.same("all is written", r.total.nr_written, pages, { label = "derived" })
      t.less("no faster than the disk", pages * p.write / 1e9 - 0.001, r.seconds,
        { label = "derived" })
      if p.size >= 20 * p.limit and p.write == 117000 then
        t.near("at the speed of the disk", r.rate, 34.5, { rel = 0.05, label = "calibrated" })
      end
    end
  end,
}
