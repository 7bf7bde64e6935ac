-- Files are written in a small group, nothing else. Is that enough to be killed?
--
-- Claim: from 4.11 to 4.15 reclaim for a limit of cgroup v1 woke no flusher. All
-- it met was dirty, nothing was under way to the disk, and the writer was killed.
-- Before, a priority that freed too little woke it; since 4.16 pages that are all
-- dirty do, for v1 too. cgroup v2 slows its writers down by the group's own
-- dirty limits, so none of this was ever seen there.
-- Source: coreos/bugs#2398, kernel bugzilla 199297, Linux 726d061fbd36 (4.11) and
-- 1c610d5f93c7 (4.16).
-- Simplified: the kernels named stand for 4.14 v1, 4.14 v2, 4.16 v1 and 4.9 v1:
-- they are v6.18 with the one rule of that time.
local PAGE = 4096

return scenario {
  name    = "unwoken-flusher",
  title   = "4.11 to 4.15, cgroup v1: writing files is enough to be killed",
  kernels = { "v6.18-v1+flusher=dirty_v2", "v6.18+flusher=dirty_v2", "v6.18-v1",
              "v6.18-v1+flusher=scanned" },

  params = {
    limit = param.size { "40M", min = "1M", max = "1T", doc = "limit of the group" },
    size  = param.size { "200M", min = "1M", max = "1T", doc = "bytes written" },
    write = param.time { "40us", doc = "of a page on the disk" },
    ram   = param.size { "4G", min = "256M", max = "1T", doc = "of the machine" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, cpus = 1, knobs = { write_ns = p.write } }
    local group = lab.group("builder", { limit = p.limit })
    return { app = lab.task("app", { group = group }), file = lab.file("out", { size = p.size }) }
  end,

  run = function(lab, _, w)
    local done, why = w.app:write(w.file, { chunk = "1M" })
    lab.mark(done and "written" or why)
    if done then w.app:fsync(w.file) end
  end,

  metrics = {
    dirty = metric { unit = "1", better = "lower", doc = "largest dirty part of the limit",
      from = function(r) return r.total.peak_dirty_pages / r.group["builder"].limit_pages end },
  },

  expect = function(t, r, p)
    local pages = (p.size + PAGE - 1) // PAGE
    t.never("usage above limit", r.group["builder"].peak > p.limit)
    -- The machine's own limits must not come before the group's.
    if p.size < 2 * p.limit or p.ram < 20 * p.limit then return end
    local v2 = r.axis.cgroup == "v2"
    local waits = r.axis.writeback_wait == "marked" or r.axis.nap == "always"
    if v2 then
      t.same("cgroup v2: nobody is killed", r.total.oom_kills, 0, { label = "published" })
      t.less("its own limit holds the dirty pages down", r.dirty, 0.5, { label = "derived" })
    elseif r.axis.flusher == "dirty_v2" and r.axis.file_writeout == "never" then
      t.same("killed for writing files", r.total.oom_kills, 1, { label = "published" })
      t.less("with dirty pages near the limit", 0.95, r.dirty, { label = "published" })
    elseif waits then
      t.same("nobody is killed", r.total.oom_kills, 0, { label = "published" })
      t.same("all is written", r.total.nr_written, pages, { label = "derived" })
    end
  end,
}
