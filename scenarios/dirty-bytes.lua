-- A writer in a group of 100M on a large machine fills the group with dirty
-- pages. Does a lower dirty limit of the machine help?
--
-- Claim: writers of a cgroup v1 group are slowed down by the machine's dirty
-- limits alone. With 20 % of 32 GiB the group is full of dirty pages before
-- anybody is slowed down, and where reclaim does not wake the flusher the writer
-- is killed; with 32 MiB less than a third of the group is ever dirty, and
-- nobody is killed.
-- Source: docker/for-linux#651, juicedata/juicefs#4781, kubevirt/kubevirt#3980.
-- Simplified: one zone, one CPU, and one writer.
local PAGE = 4096
local MIB = 1024 * 1024

return scenario {
  name    = "dirty-bytes",
  title   = "A lower dirty limit of the machine, and the kill goes away",
  kernels = { "v6.18-v1+flusher=dirty_v2" },

  params = {
    dirty = param.size { "32M", min = 0, max = "1T", doc = "vm.dirty_bytes; 0: 20 % of memory" },
    limit = param.size { "100M", min = "1M", max = "1T", doc = "limit of the group" },
    size  = param.size { "500M", min = "1M", max = "1T", doc = "bytes written" },
    ram   = param.size { "32G", min = "1G", max = "1T", doc = "of the machine" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, cpus = 1, knobs = { dirty_bytes = p.dirty } }
    local group = lab.group("box", { limit = p.limit })
    return { app = lab.task("app", { group = group }), file = lab.file("out", { size = p.size }) }
  end,

  run = function(lab, _, w)
    local done, why = w.app:write(w.file, { chunk = "1M" })
    lab.mark(done and "written" or why)
    if done then w.app:fsync(w.file) end
  end,

  metrics = {
    dirty = metric { unit = "1", better = "lower", doc = "largest dirty part of the limit",
      from = function(r) return r.total.peak_dirty_pages / r.group["box"].limit_pages end },
  },

  expect = function(t, r, p)
    t.never("usage above limit", r.group["box"].peak > p.limit)
    if p.size < 2 * p.limit or p.ram < 32 * 1024 * MIB then return end
    local wakes = r.axis.flusher ~= "dirty_v2" or r.axis.file_writeout ~= "never"
    if p.dirty > 0 and p.dirty <= p.limit // 3 then
      t.same("nobody is killed", r.total.oom_kills, 0, { label = "published" })
      t.less("less than a third is dirty", r.dirty, 1 / 3, { label = "published" })
      t.same("all is written", r.total.nr_written, p.size // PAGE, { label = "derived" })
    elseif p.dirty == 0 and r.axis.cgroup == "v1" then
      t.less("full of dirty pages", 0.95, r.dirty, { label = "published" })
      if not wakes then
        t.same("killed", r.total.oom_kills, 1, { label = "published" })
      end
    end
  end,
}
