-- A host has many groups, some of them removed and kept by their cache, and many
-- CPUs. How many counters does one read of memory.stat at the top look at?
--
-- Claim: as many as groups x items x CPUs where each read sums up all of them:
-- 128 groups on 128 CPUs are above a million, and removed groups count; half the
-- groups cost half. Where CPUs add to sums in batches, reads look at the sums;
-- where changes are kept in a tree, at what has changed since the last read.
-- Source: Linux a983b5ebee57 (4.16), "mm: memcontrol: fix excessive complexity in
-- memory.stat reporting": up to 14 s with tens of thousands of dead groups, about
-- 70 items; the price is seen once as 8 % on page faults with exact atomics.
-- Simplified: counters are counted, not timed; what changes statistics is charging.
local ITEMS = 70

return scenario {
  name    = "stat-cost",
  title   = "What a read of memory.stat looks at",
  kernels = { "v6.18-v1+stat_read=sum", "v6.18-v1+stat_read=batch", "v6.18-v1" },

  params = {
    groups = param.int { 128, min = 4, max = 128, doc = "groups, the one that is read included" },
    cpus   = param.int { 128, min = 2, max = 512, doc = "of the host" },
    dead   = param.int { 40, min = 0, max = 126, doc = "of the groups, removed with cache left" },
    seed   = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = p.cpus }
    local w = { top = {}, task = {}, group = {} }
    -- A second host of half as many groups stands beside it.
    for name, nr in pairs { all = p.groups, half = p.groups // 2 } do
      w.top[name] = lab.group(name, { hierarchy = true })
      for i = 2, nr do
        local group = w.top[name]:group(name .. i)
        local task = lab.task(name .. i, { group = group, cpu = i % p.cpus })
        task:read(lab.file(name .. i, { size = "16K" }))
        if name == "all" then w.group[i], w.task[i] = group, task end
      end
    end
    lab.drain()
    return w
  end,

  run = function(lab, p, w)
    for i = 2, p.dead + 1 do
      w.task[i]:exit()
      w.group[i]:remove()
    end
    lab.mark("dying", w.top.all:stat().nr_dying)
    lab.mark("first read", w.top.all:read_stat())
    lab.mark("read of half", w.top.half:read_stat())
    lab.mark("read again", w.top.all:read_stat())
    for i = p.groups - 1, p.groups do
      w.task[i]:map("anon", { pages = 1 }):touch { write = true }
    end
    lab.mark("read after two groups changed", w.top.all:read_stat())
  end,

  metrics = {
    looks = metric { unit = "counters", better = "lower", doc = "of the first read",
      from = function(r) return r.mark["first read"] end },
    again = metric { unit = "counters", better = "lower", doc = "of a read right after it",
      from = function(r) return r.mark["read again"] end },
  },

  expect = function(t, r, p)
    local how, dead = r.axis.stat_read, p.dead
    if p.dead > p.groups - 4 then return end
    if r.axis.removal ~= "dies" then
      dead = 0
    end
    t.same("removed groups are there", r.mark["dying"], dead, { label = "derived" })
    local groups = p.groups - p.dead + dead
    if how == "sum" then
      t.same("groups x items x CPUs", r.looks, groups * ITEMS * p.cpus, { label = "derived" })
      t.same("half the groups, half the cost", r.mark["read of half"],
        p.groups // 2 * ITEMS * p.cpus, { label = "published" })
      if groups == 128 and p.cpus == 128 then
        t.same("above a million", r.looks, 1146880, { label = "published" })
      end
    elseif how == "batch" then
      t.same("groups x items", r.looks, groups * ITEMS, { label = "derived" })
    else
      -- Each group below has changed on its CPU, and what the dead ones had is still told.
      t.same("what has changed", r.looks, groups * ITEMS, { label = "derived" })
      t.same("nothing has since", r.again, ITEMS, { label = "derived" })
      t.same("two groups, each on its CPU", r.mark["read after two groups changed"], 3 * ITEMS,
        { label = "derived" })
    end
    if how ~= "tree" then
      t.same("and as many again", r.again, r.looks, { label = "derived" })
    end
  end,
}
