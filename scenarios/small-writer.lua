-- A writer puts a large file through a group of 5 MiB. Does it get through, and
-- how fast?
--
-- Claim: as long as reclaim waits for pages that it has met under writeback the
-- writer goes at the speed of the disk, is not killed, and usage stays within
-- the limit; before, the group was full of pages that reclaim could neither
-- free nor wait for, and the writer was killed.
-- Source: Linux e62e384e9da8 (3.6), "memcg: prevent OOM with too many dirty
-- pages": 1000 MiB through 5M in 30.40 s at 34.5 MB/s.
-- Simplified: one zone, one CPU, no dirty limits and no flusher threads but those
-- that reclaim wakes; each page takes the disk the same time, which is fitted
-- to the rate of that run; a tenth is written (-p size=1000M for all of it).
-- Without the dirty limits that a group of cgroup v2 has of its own, its writers
-- are not judged here; and kernels before 3.6 get through as well, for looking
-- at pages in vain takes time in which the disk goes on.
local PAGE = 4096

return scenario {
  name    = "small-writer",
  title   = "Writing a large file through a group of 5 MiB",
  kernels = { "v6.18-v1" },

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
    t.never("usage above limit", r.group["dd"].peak > p.limit)
    if r.axis.cgroup == "v2" then return end
    t.same("the writer is not killed", r.task["dd"].alive, true, { label = "published" })
    t.same("all is written", r.total.nr_written, pages, { label = "derived" })
    t.less("no faster than the disk", pages * p.write / 1e9 - 0.001, r.seconds,
      { label = "derived" })
    if p.size >= 20 * p.limit and p.write == 117000 then
      t.near("at the speed of the disk", r.rate, 34.5, { rel = 0.05, label = "calibrated" })
    end
  end,
}
