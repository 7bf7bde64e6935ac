-- A group uses five times its soft limit. What becomes of it on a machine with
-- free memory, and what when the machine runs short?
--
-- Claim: a soft limit does nothing as long as memory is free; under pressure
-- from outside, the group with the largest excess is reclaimed first and the
-- others are left alone; and it never kills. What container runtimes call a
-- reservation is this in cgroup v1; in v2 it becomes memory.low, which protects
-- what is within it instead of aiming at what is above.
-- Source: Linux 4e41695356fb (2.6.32), "memory controller: soft limit reclaim
-- on contention"; moby/moby#19853.
-- Simplified: one zone, one CPU, clean file pages only, no swap.
local PAGE = 4096

return scenario {
  name    = "soft-limit",
  title   = "A soft limit acts only when the machine is short",
  kernels = { "v2.6.32", "v3.3", "v6.18" },

  params = {
    ram   = param.size { "1G", min = "64M", max = "1T", doc = "of the machine" },
    soft  = param.size { "100M", min = "1M", max = "1T", doc = "soft limit of the first group" },
    usage = param.size { "500M", min = "1M", max = "1T", doc = "its cache, read once" },
    other = param.size { "400M", min = "1M", max = "1T", doc = "cache of a second group" },
    less  = param.size { "350M", min = "1M", max = "1T", doc = "soft limit of that one" },
    small = param.size { "50M", min = "1M", max = "1T", doc = "cache of a group within its own" },
    more  = param.size { "200M", min = "1M", max = "1T", doc = "what that group reads on" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, cpus = 1 }
    local w = {}
    local kind = lab.axis("cgroup") == "v2" and "low" or "soft"
    for name, reserved in pairs { soft = p.soft, other = p.less, within = p.soft } do
      w[name] = lab.group(name, { [kind] = reserved })
    end
    for _, name in ipairs { "within", "soft", "other" } do
      local task = lab.task(name, { group = w[name] })
      local bytes = name == "soft" and p.usage or name == "other" and p.other or p.small
      task:read(lab.file(name, { size = bytes }), { chunk = "1M" })
      w[name .. " task"] = task
    end
    return w
  end,

  run = function(lab, p, w)
    lab.mark("soft while memory is free", w.soft:stat().charged_pages)
    lab.mark("other while memory is free", w.other:stat().charged_pages)
    w["other task"]:read(lab.file("more", { size = p.more }), { chunk = "1M" })
  end,

  metrics = {
    soft_lost = metric { unit = "pages", doc = "reclaimed from the group above its soft limit",
      from = function(r) return r.group["soft"].nr_reclaimed end },
    within_lost = metric { unit = "pages", better = "lower", doc = "from the one within its own",
      from = function(r) return r.group["within"].nr_reclaimed end },
    other_lost = metric { unit = "pages", doc = "reclaimed from the other",
      from = function(r) return r.group["other"].nr_reclaimed end },
  },

  expect = function(t, r, p)
    local usage, other, more = p.usage // PAGE, p.other // PAGE, p.more // PAGE
    local small = p.small // PAGE
    local short = usage + other + small + more - p.ram // PAGE
    if usage + other + small > p.ram // PAGE * 95 // 100 then return end
    t.same("while memory is free the first stays far above its soft limit",
      r.mark["soft while memory is free"], usage, { label = "derived" })
    t.same("and the second above its own", r.mark["other while memory is free"], other,
      { label = "derived" })
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    local left, grown = usage - p.soft // PAGE - short, other + more - p.less // PAGE
    if short < 4096 or left < grown + 8192 or p.small > p.soft then return end
    t.less("the machine ran short", short - 1, r.total.nr_reclaimed, { label = "derived" })
    t.less("the one within its own is left alone", r.within_lost, small // 20,
      { label = "predicted" })
    if r.axis.cgroup == "v2" then
      t.same("what memory.low covers is not taken", r.within_lost, 0, { label = "published" })
      t.less("memory.low aims at nobody: the other pays too", short // 10, r.other_lost,
        { label = "published" })
      return
    end
    t.less("the one with the larger excess pays for it", short - 1, r.soft_lost,
      { label = "derived" })
    -- v6.18 goes on with every group after each look at the soft limits.
    t.less("and the other next to nothing", r.other_lost, short // 20, { label = "predicted" })
  end,
}
