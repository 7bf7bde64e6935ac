-- memory.high is below the anonymous memory that one task wants, there is no
-- swap and no memory.max. What becomes of the task?
--
-- Claim: nothing can be reclaimed, so each batch that it charges above the limit
-- is paid for by sleeping, up to two seconds; it creeps on at a batch in two
-- seconds (64 KiB/s, 128 since 6.1), is never killed, and never gets out.
-- Source: FootprintAI/Containarium#1454 (556267 high events, no max and no oom
-- event, an outage of 90 minutes); kubernetes/enhancements#4243, #5879; the sleep
-- by v6.18 mm/memcontrol.c, calculate_high_delay().
-- Simplified: one zone, one CPU, a clock of 1000 ticks a second; the time for
-- reclaim that finds nothing is assumed and not counted as sleep.
local PAGE = 4096
local HZ, MOST = 1000, 2

-- Pages that are charged at once, for which a full sleep is.
local function batch_of(r)
  return r.axis.charge == "stock32" and 32 or 64
end

-- Ticks that a full batch costs at this usage: the square of the overage.
local function ticks(usage, high)
  if usage <= high then return 0 end
  local over = ((usage - high) << 20) // high
  return math.min((over * over * HZ) >> 34, MOST * HZ)
end

-- Seconds slept until usage, which grows by batches, has reached @last.
local function slept(last, high, batch)
  local sum = 0
  for usage = high // batch * batch + batch, last, batch do
    local cost = ticks(usage, high)
    if cost > HZ // 100 then sum = sum + cost end
  end
  return sum / HZ
end

return scenario {
  name    = "high-without-swap",
  title   = "memory.high without swap: frozen, never killed",
  kernels = { "v6.18+charge=stock32", "v6.18" },

  params = {
    high = param.size { "300M", min = "1M", max = "1T", doc = "memory.high" },
    want = param.size { "400M", min = "1M", max = "1T", doc = "anonymous memory wanted" },
    last = param.size { "8M", min = "1M", max = "1G", doc = "more of it, at the ceiling" },
    seed = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 1 }
    local box = lab.group("box", { high = p.high })
    return { box = box, task = lab.task("grow", { group = box }) }
  end,

  run = function(lab, p, w)
    local heap = w.task:map("anon", { bytes = p.want + p.last })
    heap:touch { write = true, bytes = p.want, chunk = "4K" }
    lab.mark("ms slept", lab.total().throttled_ns // 1000000)
    lab.mark("usage", w.box:stat().usage_pages)
    heap:touch { write = true, offset = p.want, chunk = "4K" }
  end,

  metrics = {
    slept_s = metric { unit = "s", better = "lower", doc = "slept until all was there",
      from = function(r) return r.mark["ms slept"] / 1000 end },
    creep = metric { unit = "KiB/s", better = "higher", doc = "growth at the ceiling",
      from = function(r)
        local seconds = r.total.throttled_ns / 1e9 - r.slept_s
        return (r.group["box"].usage_pages - r.mark["usage"]) * 4 / seconds
      end },
    outcome = metric { doc = "killed, frozen at high or fits",
      from = function(r)
        if r.total.oom_kills > 0 then return "killed" end
        return r.slept_s > 10 and "frozen at high" or "fits"
      end },
  },

  expect = function(t, r, p)
    local box, high, batch = r.group["box"], p.high // PAGE, batch_of(r)
    t.same("no max event", box.max_events, 0, { label = "published" })
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "published" })
    t.same("all of it is there", r.task["grow"].rss_pages, (p.want + p.last) // PAGE,
      { label = "derived" })
    t.same("nothing is reclaimed", r.total.nr_reclaimed, 0, { label = "derived" })
    if p.want <= p.high then return end
    t.less("usage goes above high", high, box.usage_pages, { label = "derived" })
    t.less("with a high event for each batch and each level above it",
      (box.usage_pages - high) // batch - 1, box.high_events, { label = "derived" })
    t.near("seconds slept", r.slept_s, slept(r.mark["usage"], high, batch),
      { abs = 0.001, label = "derived" })
    if p.want >= p.high * 5 // 4 then
      t.same("frozen", r.outcome, "frozen at high", { label = "derived" })
      t.near("it creeps on by a batch in two seconds", r.creep, batch * 4 / MOST,
        { rel = 0.01, label = "derived" })
    end
  end,
}
