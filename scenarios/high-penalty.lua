-- How long does a task sleep for one more batch of pages at a given usage
-- above memory.high?
--
-- Claim: the sleep grows with the square of the overage relative to the limit,
-- sleeps of at most 10 ms are left out, none is above two seconds; of all the
-- levels on the way up the one with the largest relative overage counts, at
-- first the task's own alone. A full batch is 32 pages, 64 since 6.1.
-- Source: v6.18 mm/memcontrol.c, calculate_high_delay() and the comment above
-- calculate_overage(): at 100 MiB 101M costs 6 ms, 102M 25, 103M 57, 105M 159,
-- 110M 639, 115M 1439, 117M 1849, 118M and more 2000. Since 5.4; ancestors
-- count since e26733e0d0ec.
-- Simplified: one CPU, a clock of 1000 ticks a second, no swap, so nothing is
-- reclaimed before the sleep.
local PAGE, MIB_PAGES, BATCH, HZ = 4096, 256, 64, 1000

-- Ticks that a full batch costs at this usage: the square of the overage.
local function ticks(usage, high)
  local over = ((usage - high) << 20) // high
  return math.min((over * over * HZ) >> 34, 2 * HZ)
end

-- Milliseconds for a full batch, by usage in MiB, with a limit of 100 MiB.
local TABLE = {
  { 101, 0 },                                  -- 6 ms: not slept
  { 102, 25 }, { 103, 57 }, { 105, 159 }, { 110, 639 }, { 115, 1439 }, { 117, 1849 },
  { 118, 2000 }, { 120, 2000 },
}

local function slept_ms(lab)
  return lab.total().throttled_ns // 1000000
end

-- Touches a few pages at a time until the usage of @watched is @pages, which
-- grows by whole batches.  Returns the sleep that the last batch cost, in ms.
local FEW = 8
local function grow(lab, heap, at, watched, pages)
  local before
  repeat
    before = slept_ms(lab)
    heap:touch { write = true, offset = at * PAGE, pages = FEW }
    at = at + FEW
  until watched:stat().usage_pages >= pages
  return slept_ms(lab) - before, at
end

return scenario {
  name    = "high-penalty",
  title   = "The penalty curve of memory.high",
  kernels = { "v6.18", "v6.18+charge=stock32", "v6.18+high_scope=own" },

  params = {
    seed = param.seed { 1 },
  },

  setup = function(lab)
    lab.machine { ram = "1G", cpus = 1 }
    -- The child's own limit is exceeded less than its parent's.
    local top = lab.group("top", { high = "100M" })
    local leaf = top:group("leaf", { high = "105M" })
    local one = lab.group("one", { high = "100M" })
    return { top = top, one = one,
             single = lab.task("single", { group = one }),
             nested = lab.task("nested", { group = leaf }) }
  end,

  run = function(lab, _, w)
    local heap = w.single:map("anon", { bytes = "128M" })
    local at, cost = 100 * MIB_PAGES - 2 * BATCH
    heap:touch { write = true, pages = at, chunk = "1M" }
    for _, row in ipairs(TABLE) do
      cost, at = grow(lab, heap, at, w.one, row[1] * MIB_PAGES)
      lab.mark(("usage %dM"):format(row[1]), w.one:stat().usage_pages)
      lab.mark(("ms at %dM"):format(row[1]), cost)
    end
    heap = w.nested:map("anon", { bytes = "128M" })
    at = 100 * MIB_PAGES - 4 * BATCH
    heap:touch { write = true, pages = at, chunk = "1M" }
    cost = grow(lab, heap, at, w.top, 110 * MIB_PAGES)
    lab.mark("ms at 110M of the parent", cost)
    lab.mark("usage of the parent", w.top:stat().usage_pages)
  end,

  metrics = {
    at_110 = metric { unit = "ms", doc = "slept for the batch that reaches 110M",
      from = function(r) return r.mark["ms at 110M"] end },
    at_118 = metric { unit = "ms", doc = "slept for the batch that reaches 118M",
      from = function(r) return r.mark["ms at 118M"] end },
  },

  expect = function(t, r)
    for _, row in ipairs(TABLE) do
      t.same(("the batch ends at %dM"):format(row[1]), r.mark[("usage %dM"):format(row[1])],
        row[1] * MIB_PAGES, { label = "derived" })
      t.same(("ms slept at %dM"):format(row[1]), r.mark[("ms at %dM"):format(row[1])], row[2],
        { label = "published" })
    end
    local usage = r.mark["usage of the parent"]
    t.near("the parent is 10 % above", usage, 110 * MIB_PAGES, { abs = BATCH, label = "derived" })
    if r.axis.high_scope == "path" then
      t.same("the parent's overage counts, not the child's", r.mark["ms at 110M of the parent"],
        ticks(usage, 100 * MIB_PAGES), { label = "derived" })
    else
      t.less("the child's overage counts, not the parent's", r.mark["ms at 110M of the parent"],
        ticks(usage, 105 * MIB_PAGES) + 1, { label = "derived" })
    end
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
  end,
}
