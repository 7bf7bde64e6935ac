-- Sixteen groups without limits of their own, below one that has 1900 MiB, each
-- build a kernel. Does it matter whether reclaim for the limit of a hierarchy
-- has lists of the groups beside the zone's, or only those?
--
-- Claim: "system performance for various workloads is unaffected": 2742.058 s
-- (standard deviation 1.992) before and 2743.267 (1.214) after the series,
-- 26480 major faults (1737) before and 27241 (1076) after; 10 runs each.
-- Source: Johannes Weiner, the series that begins with "[patch 01/11] mm: memcg:
-- consolidate hierarchy iteration primitives", linux-mm, 12 September 2011.
-- Simplified: as kbuild-4-2011, which fits the time of a page; nothing is fitted
-- here. How many jobs each build had is not in the post: two leave room for what
-- they compile. Reclaim for a limit looked at the groups' own lists before the
-- series too, so in the model both kernels do the very same.
local kbuild = require "lib.kbuild"

local SECONDS = { ["v3.1"] = 2742.058, ["v3.1+lru=per_memcg"] = 2743.267 }

return scenario {
  name    = "kbuild-16-2011",
  title   = "Sixteen builds under one limit",
  kernels = { "v3.1", "v3.1+lru=per_memcg" },

  params = kbuild.params {
    groups = 16, jobs = 2, objects = 25, limit = "1900M",
    page = param.time { "57000ns", doc = "a page of a process, all its work: kbuild-4-2011" },
  },

  setup = function(lab, p)
    return kbuild.setup(lab, p, function(bytes)
      return lab.group("builds", { limit = bytes, hierarchy = true })
    end)
  end,
  run = kbuild.run,
  metrics = kbuild.metrics,

  expect = function(t, r, p)
    t.never("usage above the limit", p.limit > 0 and r.group["builds"].peak > p.limit // p.part)
    if not kbuild.is_published(p, 16, 2) or p.page ~= 57000 then return end
    local seconds = SECONDS[r.kernel]
    if seconds then t.near("seconds of sixteen builds", r.seconds, seconds,
      { rel = p.part == 1 and 0.05 or 0.1, label = "implied" }) end
  end,

  -- 95 % of Welch's interval: -2 to +8 % of 26480.
  compare = kbuild.compares(617, 0.001),
}
