-- A small hot set is read at random while another task streams a large file
-- through the same group. Does the stream push the hot set out?
--
-- Claim: a page touched for the second time on the inactive list moves to the
-- active list, which reclaim leaves alone as long as the inactive list is
-- longer. So the hot set costs its first reads and then stays, however long
-- the stream is.
-- Source: v2.6.31 mm/swap.c, mark_page_accessed(); mm/vmscan.c,
-- inactive_file_is_low(); the same lists in v3.1 and v3.3.
-- Simplified: one zone; both tasks on CPUs of their own; the times that
-- decide who reads when are assumed, not measured.
local PAGE = 4096

return scenario {
  name    = "hot-and-scan",
  title   = "A hot set against a stream",
  kernels = { "v2.6.31", "v3.3" },

  params = {
    limit  = param.size { "32M", min = "4M", max = "64G", doc = "limit of the group" },
    hot    = param.size { "4M", min = "64K", max = "16G", doc = "the hot file" },
    stream = param.size { "100M", min = "1M", max = "1T", doc = "the file read once" },
    rounds = param.int  { 1000, min = 1, max = 1000000, doc = "bursts of hot reads" },
    burst  = param.int  { 64, min = 1, max = 100000, doc = "hot pages read in one burst" },
    pause  = param.time { "1ms", label = "calibrated", doc = "between two bursts" },
    seed   = param.seed { 7 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 2 }
    local group = lab.group("work", { limit = p.limit })
    return {
      hot_task = lab.task("hot", { group = group, cpu = 0 }),
      stream_task = lab.task("stream", { group = group, cpu = 1 }),
      hot = lab.file("hot", { size = p.hot }),
      stream = lab.file("stream", { size = p.stream }),
    }
  end,

  run = function(lab, p, w)
    lab.parallel {
      function()
        for _ = 1, p.rounds do
          w.hot_task:read(w.hot, { pattern = "uniform", count = p.burst })
          lab.think(p.pause)
        end
        lab.mark("hot task done")
      end,
      function()
        w.stream_task:read(w.stream)
        lab.mark("stream done")
      end,
    }
  end,

  metrics = {
    hot_misses = metric { unit = "pages", better = "lower", doc = "hot reads that missed",
      from = function(r) return r.total.nr_accesses - r.total.nr_hits end },
    active_file = metric { unit = "pages", doc = "on the active list at the end",
      from = function(r) return r.group["work"].active_file end },
  },

  expect = function(t, r, p)
    local hot, stream = p.hot // PAGE, p.stream // PAGE
    t.never("usage above limit", r.group["work"].peak > p.limit)
    t.same("accesses", r.total.nr_accesses, p.rounds * p.burst + stream, { label = "derived" })
    -- At the defaults a hot page is read 18 times while the stream fills the
    -- inactive list once, so each misses its first read only: all 1024 of them
    -- and all of the stream, which is read once.
    if p.limit == 32 << 20 and p.hot == 4 << 20 and p.rounds * p.burst >= 20 * hot
      and p.burst == 64 and p.pause == 1000000 then
      t.near("hot set misses once, stream always", r.hot_misses, hot + stream,
        { rel = 0.01, label = "predicted" })
      t.near("the hot set is active", r.active_file, hot, { rel = 0.05, label = "predicted" })
    end
  end,
}
