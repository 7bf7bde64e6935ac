-- A service is started again and again in a group of its own below one parent,
-- reads its files and is removed. What becomes of the cache it leaves behind?
--
-- Claim: since v3.19 a removed group that has pages is dying: it keeps them, and
-- each removal adds one more such group; the parent's usage includes them, the
-- sum over its live groups does not. Pressure on the parent takes the oldest
-- cache of all groups, and a dead one goes with its last page. To v3.17 the
-- pages are moved to the parent when the group is removed, so nothing is left;
-- where whole lists are handed up (slab since 5.9, pages of lists later) they are
-- the parent's at once too.
-- Source: systemd/systemd#36827, facebookincubator/oomd#117,
-- koordinator-sh/koordinator#1016, moby/moby#35601; mem_cgroup_force_empty(),
-- v2.6.31, mem_cgroup_css_offline(), v6.18, mm/memcontrol.c.
-- Simplified: one zone, one CPU, clean cache only, no swap; what the kernel
-- keeps for each group itself is not measured.
local PAGE, MIB = 4096, 1 << 20

return scenario {
  name    = "dead-groups",
  title   = "Removed groups that stay, and where their cache is counted",
  kernels = { "v3.3", "v6.18-v1", "v6.18-v1+removal=reparents" },

  params = {
    starts = param.int { 8, min = 1, max = 200, doc = "times that the service is started" },
    cache  = param.size { "4M", min = "256K", max = "16M", doc = "that each start reads" },
    limit  = param.size { "64M", min = "8M", max = "4G", doc = "of the parent" },
    seed   = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = 1 }
    return { up = lab.group("services", { limit = p.limit, hierarchy = true }) }
  end,

  run = function(lab, p, w)
    for i = 1, p.starts do
      local group = w.up:group("job" .. i)
      local task = lab.task("job" .. i, { group = group })
      task:read(lab.file("data" .. i, { size = p.cache }), { chunk = "1M" })
      task:exit()
      lab.mark("removed " .. i, group:remove() and 1 or 0)
    end
    local up = w.up:stat()
    lab.mark("dying", up.nr_dying)
    lab.mark("usage then", up.usage)
    -- Pressure: another service reads as much as the parent may hold.
    local task = lab.task("next", { group = w.up:group("next") })
    task:read(lab.file("next", { size = p.limit + 8 * MIB }), { chunk = "1M" })
    lab.mark("end", 0)
  end,

  metrics = {
    dying = metric { unit = "groups", doc = "removed groups that held pages before the pressure",
      from = function(r) return r.mark["dying"] end },
    dead_cache = metric { unit = "MiB", doc = "the parent's usage then, with no group alive in it",
      from = function(r) return r.mark["usage then"] / MIB end },
    left = metric { unit = "groups", doc = "removed groups that still hold pages at the end",
      from = function(r) return r.group["services"].nr_dying end },
  },

  expect = function(t, r, p)
    local stays = r.axis.removal == "dies"
    if p.starts * (p.cache // PAGE + 64) * PAGE > p.limit then return end
    for i = 1, p.starts do
      t.same("removed " .. i, r.mark["removed " .. i], 1, { label = "derived" })
    end
    t.same("each removal leaves one dying group, or none", r.dying, stays and p.starts or 0,
      { label = "published" })
    t.near("the parent's usage has their cache", r.dead_cache, p.starts * p.cache / MIB,
      { rel = 0.03, label = "published" })
    t.same("under pressure they go", r.left, 0, { label = "published" })
    t.never("usage above limit", r.group["services"].peak > p.limit)
  end,

  compare = function(t, a, b)
    if a.kernel == "v3.3" and b.kernel == "v6.18-v1" then
      t.less("only the newer kernel has dead groups", a.dying, b.dying, { label = "published" })
    end
  end,
}
