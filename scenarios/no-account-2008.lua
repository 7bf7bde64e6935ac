-- What does a group cost whose pages are not counted? One process replaces
-- itself by the same program, first in a group with accounting, then in one
-- without it.
--
-- Claim: none was measured. The flag was asked for since groups without a
-- limit are counted all the same, and the boot option takes the controller
-- away from everybody; a group without accounting should run about as fast
-- as without the controller: between 2868.8 and 3110.0 execs/s.
-- Source: the answer quoted in "[-mm] [PATCH 0/4] memcg : radix-tree
-- page_cgroup v2" and Balbir Singh's reply, linux-mm, 27 March 2008; its
-- figures of UnixBench execl with and without the controller.
-- Simplified: no patch was posted, so what the flag does to pages taken
-- earlier is ours: they stay uncounted for their life, and nothing leads from
-- accounting back. Costs are those of execl-2008; that a page is passed over
-- in 10 ns (knob skip_ns) is assumed. Without the controller struct page lies
-- across cache lines, which takes away most of what remains.
local WITH, WITHOUT = 2868.8, 3110.0           -- execs/s that the post prints

return scenario {
  name    = "no-account-2008",
  title   = "execl in a group that is not accounted",
  kernels = { "v2.6.25", "v2.6.25+memcg=off" },

  params = {
    count = param.int { 3000, min = 1, max = 1000000, doc = "execs in each group" },
    anon  = param.int { 30, min = 0, max = 65536, doc = "anonymous pages of the program" },
    file  = param.int { 85, min = 0, max = 65536, doc = "file pages that it maps" },
    pages = param.int { 1000, min = 1, max = 65536, doc = "pages taken before and after" },
    seed  = param.seed { 7 },
  },

  setup = function(lab, _)
    lab.machine { ram = "4G", cpus = 2, page = "4K" }
    if lab.axis("memcg") == "off" then
      return { counted = lab.group("counted"), free = lab.group("free"), boot_option = true }
    end
    return { counted = lab.group("counted"), free = lab.group("free", { account = false }) }
  end,

  run = function(lab, p, at)
    local function execs(group, name)
      local task, before = lab.task(name, { group = group, cpu = 0 }), lab.total().sim_ns
      task:exec { count = p.count, anon = p.anon, file = p.file }
      lab.mark(name .. "_ns", lab.total().sim_ns - before)
    end
    execs(at.counted, "counted")
    execs(at.free, "free")

    -- From now on it is counted: what it has already never is.
    local task = lab.task("late", { group = at.free, cpu = 1 })
    local early = task:map("anon", { pages = p.pages })
    early:touch { write = true }
    lab.mark("usage before", at.free:stat().usage_pages)
    local back = true
    if not at.boot_option then
      at.free:set { account = true }
      back = at.free:set { account = false }
    end
    local late = task:map("anon", { pages = p.pages })
    late:touch { write = true }
    lab.mark("usage after", at.free:stat().usage_pages)
    lab.mark("way back", back and 1 or 0)
    early:drop()
    late:drop()
  end,

  metrics = {
    counted = metric { unit = "execs/s", better = "higher", doc = "with accounting",
      from = function(r) return r.exec.nr_execs / 2 * 1e9 / r.mark.counted_ns end },
    free = metric { unit = "execs/s", better = "higher", doc = "without it",
      from = function(r) return r.exec.nr_execs / 2 * 1e9 / r.mark.free_ns end },
  },

  expect = function(t, r, p)
    t.same("nothing is charged in the end", r.group["free"].usage_pages, 0, { label = "derived" })
    if r.axis.memcg == "on" then
      t.same("what came before is not counted", r.mark["usage before"], 0, { label = "derived" })
      t.same("what came after is", r.mark["usage after"], p.pages, { label = "derived" })
      t.same("nothing leads back", r.mark["way back"], 0, { label = "derived" })
    end
    if p.anon ~= 30 or p.file ~= 85 then return end
    if r.kernel == "v2.6.25" then
      t.near("execs/s with accounting", r.counted, WITH, { rel = 0.007, label = "calibrated" })
      t.less("without it there are more", r.counted, r.free, { label = "predicted" })
      t.less("but not more than without the controller", r.free, WITHOUT,
        { label = "predicted" })
    elseif r.kernel == "v2.6.25+memcg=off" then
      t.near("execs/s without the controller", r.free, WITHOUT,
        { rel = 0.007, label = "calibrated" })
    end
  end,

  compare = function(t, a, b)
    if a.kernel == "v2.6.25" and b.kernel == "v2.6.25+memcg=off" then
      t.near("near what the boot option gives", a.free, b.free, { rel = 0.01, label = "predicted" })
    end
  end,
}
