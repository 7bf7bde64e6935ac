-- A container has 10 MiB; 9.2 MiB of it are anonymous and there is no swap.
-- Its program text needs 4 MiB and runs in a loop. Is anybody killed?
--
-- Claim: no. Each round of the loop throws out program text to read program
-- text: the disk runs at full speed, what is read is a large multiple of the
-- file, and out-of-memory never comes, for each charge finds a page to reclaim.
-- With room for both everything stops after the first round.
-- Source: moby/moby#49801, #38149, #39245; lxc/lxd#10401: idle at 6.41 MiB, at
-- 9.71 MiB block reads went from 15.7 MB to 1.09 GB without a kill.
-- Simplified: one zone, one CPU; the text is a mapped file touched in order;
-- that it is executable changes nothing here, for a round is over before a page
-- is looked at twice; faults read no pages around (readahead).
local PAGE = 4096

return scenario {
  name    = "thrash-10m",
  title   = "Thrashing at 10 MiB without a kill",
  kernels = { "v3.3", "v6.18" },

  params = {
    limit  = param.size { "10M", min = "1M", max = "1T", doc = "limit of the container" },
    anon   = param.int  { 2355, min = 1, max = 1000000, doc = "anonymous pages (9.2 MiB)" },
    text   = param.int  { 1024, min = 1, max = 1000000, doc = "pages of program text (4 MiB)" },
    rounds = param.int  { 50, min = 2, max = 100000, doc = "rounds of the program" },
    seed   = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = 1 }
    local box = lab.group("box", { limit = p.limit })
    local w = { box = box, app = lab.task("app", { group = box }) }
    w.heap = w.app:map("anon", { pages = p.anon })
    w.heap:touch { write = true }
    w.text = w.app:map(lab.file("program", { size = p.text * PAGE }))
    return w
  end,

  run = function(lab, p, w)
    w.text:touch()
    lab.flush()                                -- the container has been there for a while
    lab.mark("read in the first round", lab.total().nr_accesses - lab.total().nr_hits - p.anon)
    for _ = 2, p.rounds do
      w.text:touch()
    end
    lab.mark("read", lab.total().nr_accesses - lab.total().nr_hits - p.anon)
    lab.mark("reclaimed", lab.total().nr_reclaimed)
  end,

  metrics = {
    read_times = metric { unit = "x", better = "lower", doc = "pages read / pages of the program",
      from = function(r) return r.mark["read"] / r.mark["read in the first round"] end },
    hit_ratio = metric { unit = "x", better = "higher", doc = "of the program's accesses",
      from = function(r) return r.total.nr_hits / (r.total.nr_hits + r.mark["read"]) end },
    outcome = metric { doc = "killed, thrash or fits",
      from = function(r)
        if r.total.oom_kills > 0 then return "killed" end
        return r.hit_ratio < 0.5 and "thrash" or "fits"
      end },
  },

  expect = function(t, r, p)
    local limit, wanted = p.limit // PAGE, p.anon + p.text
    local all = p.text * p.rounds
    t.never("usage above limit", r.group["box"].peak_pages > limit)
    t.same("the program's accesses", r.total.nr_hits + r.mark["read"], all, { label = "derived" })
    -- A page's own cost in kernel memory is below 2 %, and 64 pages of stock.
    if wanted + wanted // 50 + 64 <= limit then
      t.same("it fits", r.outcome, "fits", { label = "derived" })
      t.same("the program is read once", r.mark["read"], p.text, { label = "derived" })
      t.same("nothing is reclaimed", r.mark["reclaimed"], 0, { label = "derived" })
    elseif wanted > limit + limit // 20 and p.anon + 64 < limit then
      t.same("nobody is killed", r.total.oom_kills, 0, { label = "published" })
      t.same("it thrashes", r.outcome, "thrash", { label = "predicted" })
      -- In a loop over more than there is room for, the next page is always gone.
      t.near("every access misses", r.mark["read"], all, { rel = 0.02, label = "predicted" })
      t.near("each page read costs one", r.mark["reclaimed"], all - (limit - p.anon),
        { rel = 0.02, label = "predicted" })
      if r.axis.refault == "on" then
        t.near("what is read again was there before", r.total.nr_refault, all - p.text,
          { rel = 0.02, label = "predicted" })
      end
    end
  end,
}
