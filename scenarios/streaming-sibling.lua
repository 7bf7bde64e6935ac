-- One group loops over a file that half of its parent's limit holds; its sibling
-- streams a file that fits nowhere. Whose pages make room for the stream?
--
-- Claim: as long as each group balances its own lists, the looping group is
-- asked for its share though all of its pages are in use, loses some of them
-- over and over, and reads them again; since 5.5 the balance is judged over the
-- whole subtree that is reclaimed: with enough unused pages of the stream there,
-- the loop keeps its file and its refaults stop.
-- Source: Linux 5.5, "mm: vmscan: enforce inactive:active ratio at the reclaim
-- root".
-- Simplified: one zone; each task on a CPU of its own; no readahead, no swap;
-- the times that decide who reads when are assumed. The file is a little less
-- than half of the limit: at half exactly (-p hot=50M) what kernel memory takes
-- leaves fewer unused pages than the file has used ones, which is what "too few"
-- means, so the loop still loses some; without it (kmem=off, and with exact
-- figures, stat_flush=exact) half is enough.
local PAGE = 4096

return scenario {
  name    = "streaming-sibling",
  title   = "A stream beside a sibling's hot cache",
  kernels = { "v6.18+deactivate=low", "v6.18" },

  params = {
    limit  = param.size { "100M", min = "4M", max = "64G", doc = "limit of the parent" },
    hot    = param.size { "48M", min = "1M", max = "64G", doc = "the file that is looped over" },
    stream = param.size { "1G", min = "1M", max = "1T", doc = "the file read once" },
    pause  = param.time { "10ms", label = "calibrated", doc = "between two megabytes of the loop" },
    seed   = param.seed { 7 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 2 }
    local parent = lab.group("jobs", { limit = p.limit, hierarchy = true })
    local w = { a = parent:group("loop"), b = parent:group("stream") }
    w.loop = lab.task("loop", { group = w.a, cpu = 0 })
    w.stream = lab.task("stream", { group = w.b, cpu = 1 })
    w.hot = lab.file("hot", { size = p.hot })
    w.big = lab.file("big", { size = p.stream })
    for _ = 1, 3 do
      w.loop:read(w.hot, { chunk = "1M" })
    end
    lab.drain()
    lab.mark("hot before", w.a:stat().active_file)
    return w
  end,

  run = function(lab, p, w)
    local streaming, rounds = true, 0
    local function misses() return w.a:stat().nr_charged end
    lab.parallel {
      function()
        local before = misses()
        while streaming do
          for at = 0, p.hot - 1, 1 << 20 do
            w.loop:read(w.hot, { offset = at, bytes = math.min(1 << 20, p.hot - at),
                                 chunk = "1M" })
            lab.think(p.pause)
          end
          rounds = rounds + 1
        end
        lab.mark("rounds", rounds)
        lab.mark("read again", misses() - before)
      end,
      function()
        w.stream:read(w.big)
        streaming = false
      end,
    }
    lab.mark("hot after", w.a:stat().active_file + w.a:stat().inactive_file)
  end,

  metrics = {
    read_again = metric { unit = "pages", better = "lower", doc = "of the hot file",
      from = function(r) return r.mark["read again"] end },
    lost = metric { unit = "pages", better = "lower", doc = "taken from the loop",
      from = function(r) return r.group["jobs/loop"].nr_reclaimed end },
    missed = metric { unit = "%", better = "lower", doc = "of the loop's accesses",
      from = function(r)
        return 100 * r.read_again / (r.mark["rounds"] * r.mark["hot before"])
      end },
    lost_share = metric { unit = "%", better = "lower", doc = "of all that was taken",
      from = function(r) return 100 * r.lost / r.total.nr_reclaimed end },
  },

  expect = function(t, r, p)
    t.never("usage above limit", r.group["jobs"].peak > p.limit)
    t.same("the stream is read once", r.group["jobs/stream"].nr_charged, p.stream // PAGE,
      { label = "derived" })
    if p.stream < 8 * p.limit then return end
    local ideal = r.axis.kmem == "off" and r.axis.stat_flush == "exact"
    if r.axis.deactivate == "target" and (p.hot <= p.limit * 48 // 100
      or (ideal and 2 * p.hot <= p.limit)) then
      t.same("the hot file is active", r.mark["hot before"], p.hot // PAGE, { label = "derived" })
      t.same("nothing of it is read again", r.read_again, 0, { label = "predicted" })
      t.same("and all of it is there", r.mark["hot after"], p.hot // PAGE, { label = "predicted" })
    elseif r.axis.deactivate == "target" and 2 * p.hot == p.limit then
      t.less("at half of the limit kernel memory makes the difference", 0, r.lost,
        { label = "derived" })
    elseif p.hot == 48 << 20 and p.limit == 100 << 20 then
      t.less("the loop reads again what it lost", 25, r.missed, { label = "predicted" })
    end
  end,

  compare = function(t, a, b)
    if b.kernel == "v6.18" then
      t.less("the loop is left alone since", b.lost, a.lost, { label = "predicted" })
    end
  end,
}
