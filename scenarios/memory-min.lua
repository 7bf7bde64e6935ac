-- Three siblings hold 50M of cache each under a parent with memory.min of 50M.
-- Another child of the grandparent allocates until nothing else is left.
--
-- Claim: memory.min is hard. What it protects is not reclaimed even when the
-- alternative is to kill: the allocation that would need it ends out of memory,
-- and the protected pages stay. Against the limit of the protected group itself
-- it helps nothing.
-- Source: Linux tools/testing/selftests/cgroup/test_memcontrol.c,
-- test_memcg_min(); mm/vmscan.c, shrink_node_memcgs(), v6.18.
-- Simplified: one zone, one CPU, no swap.
local MIB = 1 << 20

return scenario {
  name    = "memory-min",
  title   = "memory.min is hard: the allocation fails, the pages stay",
  kernels = { "v6.18" },

  params = {
    first  = param.size { "148M", min = "4K", max = "200M", doc = "anonymous memory beside" },
    second = param.size { "170M", min = "4K", max = "200M", doc = "and then" },
    own    = param.size { "10M", min = "1M", max = "50M", doc = "limit that c gets at the end" },
    seed   = param.seed { 1 },
  },

  setup = function(lab)
    lab.machine { ram = "4G", cpus = 1 }
    local a = lab.group("a", { limit = 200 * MIB, min = 50 * MIB })
    local b = a:group("b", { min = 50 * MIB })
    local w = { b = b, beside = a:group("beside"), child = {} }
    for name, min in pairs { c = 75, d = 25, e = 0, f = 500 } do
      w.child[name] = b:group(name, { min = min * MIB })
    end
    for _, name in ipairs { "c", "d", "e" } do
      local task = lab.task(name, { group = w.child[name] })
      task:read(lab.file(name, { size = 50 * MIB }), { chunk = "1M" })
    end
    return w
  end,

  run = function(lab, p, w)
    for moment, bytes in ipairs { p.first, p.second } do
      local task = lab.task("alloc" .. moment, { group = w.beside })
      local done = task:map("anon", { bytes = bytes }):touch { write = true }
      lab.mark(("allocated %d"):format(moment), done and 1 or 0)
      lab.mark(("b %d"):format(moment), w.b:stat().usage)
      for name, group in pairs(w.child) do
        lab.mark(("%s %d"):format(name, moment), group:stat().usage)
      end
      task:exit()
    end
    lab.mark("c's limit set", w.child.c:set { limit = p.own } and 1 or 0)
  end,

  metrics = {
    c_share = metric { unit = "MiB", doc = "of the child that claims 75M",
      from = function(r) return r.mark["c 1"] / MIB end },
    d_share = metric { unit = "MiB", doc = "of the child that claims 25M",
      from = function(r) return r.mark["d 1"] / MIB end },
  },

  expect = function(t, r, p)
    t.never("usage above limit", r.group["a"].peak > 200 * MIB)
    if p.first ~= 148 * MIB or p.second ~= 170 * MIB then return end
    t.same("the first allocation succeeds", r.mark["allocated 1"], 1, { label = "published" })
    t.near("the protected subtree keeps its 50M", r.mark["b 1"] / MIB, 50,
      { rel = 0.03, label = "published" })
    t.near("the child that claims 75M", r.c_share, 29, { rel = 0.15, label = "published" })
    t.near("the child that claims 25M", r.d_share, 21, { rel = 0.20, label = "published" })
    t.near("the child without a claim", r.mark["e 1"] / MIB, 0, { abs = 3, label = "published" })
    t.same("the child without pages", r.mark["f 1"], 0, { label = "published" })
    t.same("the second allocation fails", r.mark["allocated 2"], 0, { label = "published" })
    t.same("out of memory", r.total.oom_kills, 1, { label = "published" })
    t.near("the protected subtree still has its 50M", r.mark["b 2"] / MIB, 50,
      { rel = 0.05, label = "published" })
    t.same("the limit of the group itself is met", r.mark["c's limit set"], 1,
      { label = "derived" })
    t.never("protection against it", r.group["a/b/c"].usage > p.own, { label = "derived" })
  end,
}
