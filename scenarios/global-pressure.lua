-- Two groups without limits share a machine that is too small for both: one
-- reads a file again and again, the other streams a file that fits nowhere. The
-- machine runs short, no group does. Who loses pages?
--
-- Claim: with a list for the whole zone beside the groups' own, the balance of
-- active and inactive pages is judged over the zone, where the stream's unused
-- pages outnumber the hot ones, so the hot file is left alone. With per-memcg
-- lists only, each group is balanced by itself: the hot group has hardly an
-- inactive page of its own, so its active pages are moved over and, where they
-- are not used again in time, reclaimed. v6.18 judges over the whole subtree
-- again.
-- Source: the series by Johannes Weiner that begins with "[patch 01/11] mm: memcg:
-- consolidate hierarchy iteration primitives", linux-mm, 12 September 2011, and
-- takes pages off the zone's lists; v3.1 and v3.3 mm/vmscan.c,
-- inactive_file_is_low(), shrink_zone().
-- Simplified: one zone, no swap, no readahead; each task on a CPU of its own; the
-- times that decide who reads when are assumed; kswapd runs to completion when
-- it is woken.
local PAGE = 4096

return scenario {
  name    = "global-pressure",
  title   = "Two groups without limits on a small machine",
  kernels = { "v3.1", "v3.1+lru=per_memcg" },

  params = {
    ram    = param.size { "256M", min = "64M", max = "64G", doc = "of the machine" },
    hot    = param.size { "64M", min = "1M", max = "64G", doc = "the file that is read again" },
    stream = param.size { "1G", min = "1M", max = "1T", doc = "the file read once" },
    pause  = param.time { "10ms", label = "calibrated", doc = "between two bursts" },
    seed   = param.seed { 11 },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, cpus = 2 }
    local w = {}
    for cpu, name in ipairs { "hot", "stream" } do
      w[name] = lab.group(name)
      w[name .. " task"] = lab.task(name, { group = w[name], cpu = cpu - 1 })
      w[name .. " file"] = lab.file(name, { size = p[name] })
    end
    for _ = 1, 2 do
      w["hot task"]:read(w["hot file"], { chunk = "1M" })
    end
    lab.drain()
    return w
  end,

  run = function(lab, p, w)
    local streaming = true
    lab.parallel {
      function()
        while streaming do
          w["hot task"]:read(w["hot file"], { pattern = "uniform", count = 64 })
          lab.think(p.pause)
        end
      end,
      function()
        w["stream task"]:read(w["stream file"])
        streaming = false
      end,
    }
  end,

  metrics = {
    hot_lost = metric { unit = "pages", better = "lower", doc = "taken from the hot group",
      from = function(r) return r.group["hot"].nr_reclaimed end },
    stream_lost = metric { unit = "pages", doc = "taken from the stream's group",
      from = function(r) return r.group["stream"].nr_reclaimed end },
    hot_deactivated = metric { unit = "pages", better = "lower",
      doc = "moved over from the hot group's active list",
      from = function(r) return r.group["hot"].nr_deactivated end },
  },

  expect = function(t, r, p)
    local pages, hot, stream = p.ram // PAGE, p.hot // PAGE, p.stream // PAGE
    if r.axis.memcg == "off" then
      t.same("without the controller nothing is charged", r.total.nr_charged, 0,
        { label = "derived" })
      return t.less("and the machine reclaims all the same", 0, r.total.nr_reclaimed,
        { label = "derived" })
    end
    t.same("what was read and not reclaimed is there",
      r.group["hot"].charged_pages + r.group["stream"].charged_pages,
      r.total.nr_charged - r.total.nr_reclaimed, { label = "derived" })
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    if stream < 2 * pages or hot > pages * 2 // 5 then return end
    t.less("the machine ran short", stream + hot - pages, r.total.nr_reclaimed,
      { label = "derived" })
    if r.axis.lru == "double" or r.axis.deactivate == "target" then
      t.same("no hot page is moved over", r.hot_deactivated, 0, { label = "derived" })
      -- A few were still queued for activation when the stream began.
      t.less("and next to none is lost", r.hot_lost, 32, { label = "predicted" })
    else
      t.less("hot pages are moved over", 0, r.hot_deactivated, { label = "derived" })
      if p.pause >= 10000000 and p.hot == 64 << 20 and p.ram == 256 << 20 then
        t.less("and many of them are lost", hot // 4, r.hot_lost, { label = "predicted" })
      end
    end
  end,

  compare = function(t, a, b)
    if a.kernel == "v3.1" and b.kernel == "v3.1+lru=per_memcg" then
      t.less("without the zone's list the hot group pays", a.hot_lost, b.hot_lost,
        { label = "derived" })
      t.less("and the stream less", b.stream_lost, a.stream_lost, { label = "derived" })
    end
  end,
}
