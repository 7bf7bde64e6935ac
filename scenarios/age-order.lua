-- One group read its file long ago, another reads its own now; no group has a
-- limit, and the machine runs short. Whose pages go first?
--
-- Claim: with a list for the whole zone pages go in the order of their age,
-- whoever owns them: the group that read first loses everything before the other
-- loses a page. With per-memcg lists only there is an order within each group
-- and none between them: each loses about the same share of what it has.
-- Source: v3.1 and v3.3 mm/vmscan.c, shrink_zone(); the change is "mm: make
-- per-memcg LRU lists exclusive", Johannes Weiner, 2011.
-- Simplified: one zone, one CPU, clean file pages read once, no swap; kswapd
-- runs to completion when it is woken.
local PAGE = 4096

return scenario {
  name    = "age-order",
  title   = "Global reclaim: the oldest pages, or a share of each group's",
  kernels = { "v3.1", "v3.1+lru=per_memcg" },

  params = {
    ram    = param.size { "512M", min = "64M", max = "64G", doc = "of the machine" },
    first  = param.size { "200M", min = "1M", max = "64G", doc = "file of the first group" },
    second = param.size { "200M", min = "1M", max = "64G", doc = "file of the second group" },
    more   = param.size { "180M", min = "1M", max = "64G", doc = "what it reads on" },
    seed   = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, cpus = 1 }
    local w = {}
    for _, name in ipairs { "first", "second" } do
      w[name] = lab.task(name, { group = lab.group(name) })
    end
    w.first:read(lab.file("first", { size = p.first }), { chunk = "1M" })
    w.second:read(lab.file("second", { size = p.second }), { chunk = "1M" })
    lab.mark("reclaimed before", lab.total().nr_reclaimed)
    return w
  end,

  run = function(lab, p, w)
    w.second:read(lab.file("more", { size = p.more }), { chunk = "1M" })
  end,

  metrics = {
    first_lost = metric { unit = "pages", doc = "reclaimed from the group that read first",
      from = function(r) return r.group["first"].nr_reclaimed end },
    second_lost = metric { unit = "pages", doc = "reclaimed from the other",
      from = function(r) return r.group["second"].nr_reclaimed end },
    first_share = metric { unit = "%", doc = "of all reclaimed pages, from the first group",
      from = function(r) return 100 * r.first_lost / (r.first_lost + r.second_lost) end },
  },

  expect = function(t, r, p)
    local first, second, more = p.first // PAGE, p.second // PAGE, p.more // PAGE
    local short = first + second + more - p.ram // PAGE
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    if short < 4096 or short + 8192 > first or first + second > p.ram // PAGE * 9 // 10 then
      return
    end
    t.same("nothing is reclaimed before", r.mark["reclaimed before"], 0, { label = "derived" })
    t.less("the machine ran short", short - 1, r.total.nr_reclaimed, { label = "derived" })
    if r.axis.lru == "double" then
      t.same("the younger pages stay", r.second_lost, 0, { label = "derived" })
    else
      -- Both lose in proportion to what they have meanwhile: the second has
      -- what it read first, and on average half of what it reads on.
      local share = 100 * first / (first + second + more - short / 2)
      t.near("each loses by its size", r.first_share, share, { rel = 0.05, label = "predicted" })
    end
  end,

  compare = function(t, a, b)
    if a.kernel == "v3.1" and b.kernel == "v3.1+lru=per_memcg" then
      t.less("the older group loses less without the zone's list", b.first_lost, a.first_lost,
        { label = "derived" })
    end
  end,
}
