-- Three siblings hold 50M of cache each under a parent that is protected with
-- 50M in all. Memory gets tight above. How is the protection shared out?
--
-- Claim: by what each claims and still uses. As the first child (75M claimed)
-- shrinks below its claim, its claim shrinks too, so the shares settle at 29M
-- and 21M, not at 33M and 17M as one division of 50M by 75 to 25 would give.
-- The child without a claim loses everything. When even the protected pages
-- are needed, they go: memory.low is best effort, and nobody is killed.
-- Source: Linux tools/testing/selftests/cgroup/test_memcontrol.c,
-- test_memcg_low(); mm/page_counter.c, effective_protection(), v6.18.
-- Simplified: one zone, one CPU, no swap.
local MIB = 1 << 20

-- What two children keep of a protection e when both begin with s. Each loses
-- in proportion to what it has above its share e * claim / sum of claims, with
-- claim = min(usage, low). Below both claims any ratio is stable, so the one
-- that they have when the second falls below its claim is the last.
local function settled(e, s, low_c, low_d)
  local c, d, step = s, s, 1 / 10000
  repeat
    local claim_c, claim_d = math.min(c, low_c), math.min(d, low_d)
    local sum = claim_c + claim_d
    c, d = c - step * (c - e * claim_c / sum), d - step * (d - e * claim_d / sum)
  until c + d < e * 1.001
  return c, d
end

return scenario {
  name    = "memory-low-siblings",
  title   = "memory.low among siblings: 29 and 21, not 33 and 17",
  kernels = { "v6.18" },

  params = {
    first  = param.size { "148M", min = "4K", max = "200M", doc = "anonymous memory beside" },
    second = param.size { "170M", min = "4K", max = "200M", doc = "and then" },
    seed   = param.seed { 1 },
  },

  setup = function(lab)
    lab.machine { ram = "4G", cpus = 1 }
    local a = lab.group("a", { limit = 200 * MIB })
    local b = a:group("b", { low = 50 * MIB })
    local w = { a = a, b = b, beside = a:group("beside"), child = {} }
    for name, low in pairs { c = 75, d = 25, e = 0, f = 500 } do
      w.child[name] = b:group(name, { low = low * MIB })
    end
    for _, name in ipairs { "c", "d", "e" } do
      local task = lab.task(name, { group = w.child[name] })
      task:read(lab.file(name, { size = 50 * MIB }), { chunk = "1M" })
    end
    return w
  end,

  run = function(lab, p, w)
    local function look(moment)
      lab.mark("b " .. moment, w.b:stat().usage)
      for name, group in pairs(w.child) do
        lab.mark(name .. " " .. moment, group:stat().usage)
      end
    end
    for moment, bytes in ipairs { p.first, p.second } do
      local task = lab.task("alloc" .. moment, { group = w.beside })
      local done, why = task:map("anon", { bytes = bytes }):touch { write = true }
      lab.mark(("allocated %d"):format(moment), done and 1 or 0)
      if why then lab.mark(why) end
      look(tostring(moment))
      task:exit()
    end
  end,

  metrics = {
    c_share = metric { unit = "MiB", doc = "of the child that claims 75M",
      from = function(r) return r.mark["c 1"] / MIB end },
    d_share = metric { unit = "MiB", doc = "of the child that claims 25M",
      from = function(r) return r.mark["d 1"] / MIB end },
  },

  expect = function(t, r, p)
    t.never("usage above limit", r.group["a"].peak > 200 * MIB)
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "published" })
    if p.first ~= 148 * MIB or p.second ~= 170 * MIB then return end
    local c, d = settled(50, 50, 75, 25)
    t.near("the protected subtree keeps its 50M", r.mark["b 1"] / MIB, 50,
      { rel = 0.03, label = "published" })
    t.near("the child that claims 75M", r.c_share, c, { rel = 0.10, label = "predicted" })
    t.near("the child that claims 25M", r.d_share, d, { rel = 0.10, label = "predicted" })
    t.near("c, as the kernel's own test has it", r.c_share, 29, { rel = 0.15, label = "published" })
    t.near("d, as the kernel's own test has it", r.d_share, 21, { rel = 0.20, label = "published" })
    t.less("nearer than one division of 50M", math.abs(r.c_share - c),
      math.abs(r.c_share - 50 * 75 / (75 + 25)), { label = "predicted" })
    t.near("the child without a claim", r.mark["e 1"] / MIB, 0, { abs = 3, label = "published" })
    t.same("the child without pages", r.mark["f 1"], 0, { label = "published" })
    t.same("the second allocation succeeds", r.mark["allocated 2"], 1, { label = "published" })
    t.near("at the cost of protected pages", r.mark["b 2"] / MIB, 30,
      { rel = 0.05, label = "published" })
    t.less("low events of c", 0, r.group["a/b/c"].low_events, { label = "published" })
    t.less("low events of d", 0, r.group["a/b/d"].low_events, { label = "published" })
    t.same("low events of f", r.group["a/b/f"].low_events, 0, { label = "published" })
  end,
}
