-- Two hundred tiny groups hold a little cache each; a stream makes the machine run
-- short. What do the tiny ones lose?
--
-- Claim: where a target of zero becomes a cluster of 32 for kswapd too, and every
-- group has lists of its own, one look of kswapd takes 32 pages from each of them,
-- far more than it was woken for. Where this is kept for zones that seem hopeless,
-- a list below 4096 pages loses nothing at the first priority.
-- Source: Linux 246e87a93934 (3.0), "memcg: fix get_scan_count() for small
-- targets"; v3.1 and v3.3 mm/vmscan.c, get_scan_count().
-- Simplified: one zone, one CPU, clean file pages only, no swap. No release had
-- both at once: the first kernel is v3.3 with the rule of v3.1.
local PAGE, CLUSTER = 4096, 32

return scenario {
  name    = "tiny-groups-node",
  title   = "A machine that runs short among tiny groups",
  kernels = { "v3.3+forced_global=kswapd", "v3.3" },

  params = {
    ram    = param.size { "512M", min = "64M", max = "64G", doc = "of the machine" },
    groups = param.int  { 200, min = 1, max = 200, doc = "tiny groups" },
    cache  = param.size { "1M", min = "64K", max = "1G", doc = "that each of them has read" },
    stream = param.size { "400M", min = "1M", max = "1T", doc = "the file read once" },
    seed   = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, cpus = 1 }
    for i = 1, p.groups do
      local task = lab.task("tiny" .. i, { group = lab.group("tiny" .. i) })
      task:read(lab.file("cache" .. i, { size = p.cache }))
    end
    lab.drain()
    return lab.task("reader", { group = lab.group("reader") })
  end,

  run = function(lab, p, reader)
    local file, at, before = lab.file("stream", { size = p.stream }), 0
    -- To the first look of kswapd, and on.
    repeat
      reader:read(file, { offset = at, pages = CLUSTER })
      at, before = at + CLUSTER * PAGE, lab.total().nr_reclaimed
    until before > 0 or at >= p.stream
    lab.mark("taken at first", before)
    if at < p.stream then
      reader:read(file, { offset = at, bytes = p.stream - at, chunk = "1M" })
    end
  end,

  metrics = {
    taken_first = metric { unit = "pages", better = "lower", doc = "by the first look of kswapd",
      from = function(r) return r.mark["taken at first"] end },
    tiny_lost = metric { unit = "pages", better = "lower", doc = "by the tiny groups",
      from = function(r) return r.total.nr_reclaimed - r.group["reader"].nr_reclaimed end },
  },

  expect = function(t, r, p)
    local all = p.groups * p.cache // PAGE
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    if p.cache >= 4096 * PAGE or r.axis.lru ~= "per_memcg" or r.axis.balance ~= "fraction"
      or p.stream < p.ram * 3 // 4 or p.groups < 100 then return end
    if r.axis.forced_global == "kswapd" then
      t.less("one look takes a cluster from each group", CLUSTER * p.groups - 1, r.taken_first,
        { label = "published" })
      t.less("in the end much that the tiny groups had", all // 4, r.tiny_lost,
        { label = "predicted" })
    else
      t.less("one look takes what it was woken for", r.taken_first, CLUSTER * p.groups,
        { label = "derived" })
      t.less("in the end little that the tiny groups had", r.tiny_lost, all // 4,
        { label = "predicted" })
    end
  end,

  compare = function(t, a, b)
    if b.kernel == "v3.3" then
      t.less("the tiny groups are left alone since", b.tiny_lost, a.tiny_lost,
        { label = "derived" })
    end
  end,
}
