-- A container has 10 MiB; 9.2 MiB of it are anonymous and there is no swap.
-- Its program text needs 4 MiB and runs in a loop. Is anybody killed?
--
-- Claim: no. Each round of the loop throws out program text to read program
-- text: the disk runs at full speed, what is read is a large multiple of the
-- file, and out-of-memory never comes, for each charge finds a page to reclaim.
-- Reading 32 pages around a fault makes it worse: they are thrown out before
-- they are used. (Up to v3.5 faults soon notice that they only miss, and stop it;
-- since faults map what is around them, pages read in vain count as hits.) With
-- room for both everything stops after the first round.
-- Source: moby/moby#49801, #38149, #39245; lxc/lxd#10401: idle at 6.41 MiB, at
-- 9.71 MiB block reads went from 15.7 MB to 1.09 GB without a kill.
-- Simplified: one zone, one CPU; the text is a mapped, executable file whose
-- pages are touched in a loop, in an order by chance that is the same in each
-- round and box; the second box is advised that the order is random, so its
-- faults read their page alone; the third has a limit with room for both.
local PAGE = 4096
local BOXES = { "box", "alone", "roomy" }

return scenario {
  name    = "thrash-10m",
  title   = "Thrashing at 10 MiB without a kill",
  kernels = { "v3.3", "v6.18" },

  params = {
    limit     = param.size { "10M", min = "1M", max = "1T", doc = "limit of two containers" },
    anon      = param.int  { 2355, min = 1, max = 1000000, doc = "anonymous pages (9.2 MiB)" },
    text      = param.int  { 1024, min = 1, max = 1000000, doc = "pages of program text (4 MiB)" },
    room      = param.size { "14M", min = "1M", max = "1T", doc = "limit of the third" },
    rounds    = param.int  { 20, min = 2, max = 100000, doc = "times text that is executed" },
    readahead = param.int  { 32, min = 0, max = 1024, doc = "pages read around a fault" },
    seed      = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = 1, knobs = { readahead = p.readahead } }
    local w = { order = {} }
    for page = 1, p.text do w.order[page] = page - 1 end
    lab.rng:shuffle(w.order)
    lab.mark("of the program", p.text)
    for _, name in ipairs(BOXES) do
      local group = lab.group(name, { limit = name == "roomy" and p.room or p.limit })
      local app = lab.task("app in " .. name, { group = group })
      app:map("anon", { pages = p.anon }):touch { write = true }
      w[name] = { group = group, text = app:map(lab.file("program of " .. name,
        { size = p.text * PAGE }), { exec = true, random = name == "alone" }) }
    end
    return w
  end,

  run = function(lab, p, w)
    for _, name in ipairs(BOXES) do
      local one = w[name]
      local function brought() return one.group:stat().nr_charged - p.anon end
      local hits, accesses = lab.total().nr_hits, lab.total().nr_accesses
      for round = 1, p.rounds do
        for _, page in ipairs(w.order) do
          one.text:touch { offset = page * PAGE, pages = 1 }
        end
        if round == 1 then
          lab.flush()                          -- the container has been there for a while
          lab.mark("read at first by " .. name, brought())
        end
      end
      lab.mark("read by " .. name, brought())
      lab.mark("missed by " .. name,
        lab.total().nr_accesses - accesses - (lab.total().nr_hits - hits))
      lab.mark("executed by " .. name, lab.total().nr_accesses - accesses)
    end
  end,

  metrics = {
    read_times = metric { unit = "x", better = "lower", doc = "pages read / pages of the program",
      from = function(r) return r.mark["read by box"] / r.mark["of the program"] end },
    hit_ratio = metric { unit = "x", better = "higher", doc = "of the program's accesses",
      from = function(r) return 1 - r.mark["missed by box"] / r.mark["executed by box"] end },
    worse = metric { unit = "x", better = "lower", doc = "pages read / those read one by one",
      from = function(r) return r.mark["read by box"] / r.mark["read by alone"] end },
    outcome = metric { doc = "killed, thrash or fits",
      from = function(r)
        if r.total.oom_kills > 0 then return "killed" end
        return r.hit_ratio < 0.5 and "thrash" or "fits"
      end },
  },

  expect = function(t, r, p)
    local limit, room, wanted = p.limit // PAGE, p.room // PAGE, p.anon + p.text
    local all = p.text * p.rounds
    t.never("usage above limit", r.group["box"].peak_pages > limit)
    t.same("the program's accesses", r.mark["executed by alone"], all, { label = "derived" })
    -- A page's own cost in kernel memory is below 2 %, and 64 pages of stock.
    local function fits(pages) return wanted + wanted // 50 + 64 <= pages end
    for _, name in ipairs(BOXES) do
      if fits(name == "roomy" and room or limit) then
        t.same("the program is read once by " .. name, r.mark["read by " .. name], p.text,
          { label = "derived" })
      end
    end
    if fits(room) then
      t.same("with room for both nothing is reclaimed", r.group["roomy"].nr_reclaimed, 0,
        { label = "published" })
    end
    if fits(limit) then
      t.same("it fits", r.outcome, "fits", { label = "derived" })
    elseif wanted > limit + limit // 20 and p.anon + 64 < limit and p.text >= 4 * (limit - p.anon)
    then
      t.same("nobody is killed", r.total.oom_kills, 0, { label = "published" })
      t.same("it thrashes", r.outcome, "thrash", { label = "predicted" })
      t.less("few accesses find their page", r.hit_ratio, 0.2, { label = "predicted" })
      -- What is thrown out is what the loop comes to next.
      t.near("none does without readahead", r.mark["missed by alone"], all,
        { rel = 0.01, label = "predicted" })
      t.same("each of which reads a page", r.mark["read by alone"], r.mark["missed by alone"],
        { label = "derived" })
      if p.readahead > 1 then
        t.less("readahead makes it worse", 1.03, r.worse, { label = "published" })
      end
      t.less("far more is read than there is", 10, r.read_times, { label = "published" })
      t.near("what is taken was there before, and comes back", r.total.nr_reread,
        r.total.nr_reclaimed, { rel = 0.05, label = "published" })
      if r.axis.refault == "on" then
        t.near("and is known by its shadow", r.total.nr_refault, r.total.nr_reread,
          { rel = 0.05, label = "predicted" })
      end
    end
  end,
}
