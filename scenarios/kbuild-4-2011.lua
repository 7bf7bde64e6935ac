-- Four groups without limits each build a kernel with make -j 32 on a machine
-- of 4 GiB with 500 MiB of swap on an SSD. Does it matter whether kswapd and
-- direct reclaim find pages on one list for the zone, or group by group?
--
-- Claim: "system performance for various workloads is unaffected": 717.722 s
-- (standard deviation 1.440) before and 714.106 (2.313) after the series,
-- 69720 major faults (11601) before and 71109 (14886) after; 10 runs each.
-- Source: Johannes Weiner, the series that begins with "[patch 01/11] mm: memcg:
-- consolidate hierarchy iteration primitives", linux-mm, 12 September 2011.
-- Simplified: what is compiled, with which compiler and on how many CPUs is not
-- in the post; the processes are plausible, not measured. One time is fitted,
-- that of a page, to the seconds before the series. How many major faults there
-- are hangs on how near to its end memory is, which nothing in the post tells:
-- only that both kernels have about as many is compared. Nobody links the whole
-- kernel, so the faults are far fewer than those that were published.
local kbuild = require "lib.kbuild"

local SECONDS = {
  ["v3.1"] = { 717.722, "calibrated" },
  ["v3.1+lru=per_memcg"] = { 714.106, "implied" },
}

return scenario {
  name    = "kbuild-4-2011",
  title   = "Four builds without limits on a small machine",
  kernels = { "v3.1", "v3.1+lru=per_memcg" },

  params = kbuild.params {
    groups = 4, jobs = 32, objects = 75, limit = "0",
    page = param.time { "57000ns", label = "calibrated",
                        doc = "a page of a process, all its work: seconds before" },
  },

  setup = function(lab, p) return kbuild.setup(lab, p) end,
  run = kbuild.run,
  metrics = kbuild.metrics,

  expect = function(t, r, p)
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    if not kbuild.is_published(p, 4, 32) or p.page ~= 57000 then return end
    local row = SECONDS[r.kernel]
    -- Where a page stands for several, pages of small processes are rounded.
    if row then t.near("seconds of four builds", r.seconds, row[1],
      { rel = p.part == 1 and 0.02 or 0.1, label = row[2] }) end
  end,

  -- 95 % of Welch's interval: -16 to +20 % of 69720.
  compare = kbuild.compares(11204, 0.02),
}
