-- A process grows its anonymous memory in small steps up to memory.max. When
-- does anything show that memory gets short?
--
-- Claim: without swap and without cache there is nothing to reclaim and nobody
-- waits, so nothing shows before the charge that is killed; memory.high at 60 %
-- of the limit makes the shortage visible from there on, as time slept. Clean
-- cache beside it shows for as long as it lasts.
-- Source: envoyproxy/envoy#36681 (6.8): max 128Mi, anonymous memory grown in
-- steps of 200Ki, no pressure reading before the kill; a memory.high makes it
-- visible.
-- Simplified: one zone, one CPU, no swap; pressure is the time that tasks waited
-- for memory (r.group[PATH].stall_ns), not a running average of it.
local GROUPS = { "plain", "cache", "high" }

return scenario {
  name    = "silent-pressure",
  title   = "No sign of shortage before the kill, unless memory.high",
  kernels = { "v6.18" },

  params = {
    max   = param.size { "128M", min = "1M", max = "1T", doc = "memory.max of each group" },
    high  = param.int  { 60, min = 1, max = 100, doc = "memory.high of the third, % of max" },
    cache = param.size { "32M", min = "4K", max = "1T", doc = "file that the second has read" },
    step  = param.size { "200K", min = "4K", max = "1G", doc = "growth of each step" },
    most  = param.int  { 800, min = 1, max = 100000, doc = "steps at most" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = 1 }
    local w = {}
    for _, name in ipairs(GROUPS) do
      local conf = { limit = p.max }
      if name == "high" then conf.high = p.max // 100 * p.high end
      w[name .. " group"] = lab.group(name, conf)
      w[name] = lab.task(name, { group = w[name .. " group"] })
    end
    w.cache:read(lab.file("data", { size = p.cache }), { chunk = "1M" })
    lab.drain()
    return w
  end,

  run = function(lab, p, w)
    for _, name in ipairs(GROUPS) do
      local function sign() return w[name .. " group"]:stat().stall_ns end
      local heap = w[name]:map("anon", { bytes = p.step * p.most })
      local first, before, step, last = 0, sign(), 0, 0
      while step < p.most and w[name]:alive() do
        if first == 0 and sign() > before then first = step end
        -- The third group need not go on to its end: it sleeps for hours.
        if name == "high" and step * p.step > p.max * 8 // 10 then break end
        last = sign() - before
        heap:touch { write = true, offset = step * p.step, bytes = p.step }
        step = step + 1
      end
      lab.mark("steps of " .. name, step)
      lab.mark("first sign in " .. name, first)
      lab.mark("us waited before the last step of " .. name, last // 1000)
      lab.mark("us waited in " .. name, (sign() - before) // 1000)
    end
  end,

  metrics = {
    plain_sign = metric { unit = "steps", doc = "before anything shows: 0 is never before the kill",
      from = function(r) return r.mark["first sign in plain"] end },
    high_sign = metric { unit = "steps", better = "lower", doc = "before it shows with memory.high",
      from = function(r) return r.mark["first sign in high"] end },
  },

  expect = function(t, r, p)
    local fit = p.max // p.step                -- whole steps that fit
    if p.step * p.most <= p.max or p.cache > p.max // 2 or p.step > p.max // 50 then return end
    t.same("the plain group is killed", r.task["plain"].alive, false, { label = "published" })
    t.near("at its limit", r.mark["steps of plain"], fit, { rel = 0.02, label = "derived" })
    t.same("and nothing shows before", r.plain_sign, 0, { label = "published" })
    t.same("some total before the last step", r.mark["us waited before the last step of plain"], 0,
      { label = "published" })
    t.less("cache shows for a short time only", r.mark["us waited before the last step of cache"],
      100000, { label = "predicted" })
    t.less("memory.high shows for seconds", 1000000, r.mark["us waited in high"],
      { label = "predicted" })
    t.same("so is the one with cache", r.task["cache"].alive, false, { label = "published" })
    t.near("which shows once the cache is in the way", r.mark["first sign in cache"],
      (p.max - p.cache) // p.step, { rel = 0.05, label = "predicted" })
    t.less("for as long as it lasts", r.mark["first sign in cache"], r.mark["steps of cache"],
      { label = "derived" })
    t.same("with memory.high nobody is killed", r.task["high"].alive, true, { label = "derived" })
    t.near("and it shows from there on", r.high_sign, p.max // 100 * p.high // p.step,
      { rel = 0.05, label = "predicted" })
  end,
}
