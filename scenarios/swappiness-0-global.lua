-- The machine runs short while a file is streamed. Idle anonymous memory of two
-- groups is in the way, one with swappiness 0, and the system may have 0 too.
-- Whose memory is swapped?
--
-- Claim: to 3.15 reclaim for the machine goes by the system's swappiness, and a
-- group's own 0 does not protect it; since 3.16 the group's own value holds in
-- both kinds of reclaim. With a system-wide 0 nothing is swapped since 3.5 as
-- long as there is cache: only when free memory and cache together are below the
-- high watermark, anonymous memory is scanned after all. (To 3.16 with per-memcg
-- lists it is a group's own cache that is held against the zone's mark, so a group
-- without any is swapped all the same.) Before 3.5, 0 left it a weight of one.
-- Source: Linux fe35004fbf9e (3.5), "mm: avoid swapping out with swappiness==0";
-- 99445602d63e; 688eb988d15a (3.16), "vmscan: memcg: always use swappiness of the
-- reclaimed memcg"; 2ab051e11bfa (3.17), "memcg, vmscan: Fix forced scan of
-- anonymous pages".
-- Simplified: one zone, one CPU; swap is written at once (compressed memory).
local PAGE = 4096

return scenario {
  name    = "swappiness-0-global",
  title   = "Swappiness 0 when the whole machine is short",
  kernels = { "v3.5", "v3.17", "v6.18-v1" },

  params = {
    ram    = param.size { "256M", min = "64M", max = "64G", doc = "of the machine" },
    idle   = param.size { "64M", min = "1M", max = "64G", doc = "anonymous memory of each group" },
    cache  = param.size { "32M", min = "0", max = "64G", doc = "used cache of the group with 0" },
    stream = param.size { "1G", min = "1M", max = "1T", doc = "the file read once" },
    more   = param.size { "200M", min = "1M", max = "64G", doc = "anonymous memory at the end" },
    system = param.int  { 100, min = 0, max = 100, doc = "vm.swappiness" },
    swap   = param.size { "1G", min = "0", max = "1T", doc = "the machine's swap" },
    seed   = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, cpus = 1, swap = p.swap, knobs = { swappiness = p.system } }
    local w = { zero = lab.group("zero", { swappiness = 0 }), usual = lab.group("usual") }
    w.reader = lab.task("reader", { group = w.usual })
    if p.cache > 0 then
      local user, file = lab.task("user", { group = w.zero }), lab.file("cache", { size = p.cache })
      user:read(file)
      lab.drain()
      user:read(file)                          -- in use, or anon would have next to no share
    end
    for _, name in ipairs { "zero", "usual" } do
      local task = lab.task(name, { group = w[name] })
      task:map("anon", { bytes = p.idle }):touch { write = true, chunk = "1M" }
    end
    lab.drain()
    return w
  end,

  run = function(lab, p, w)
    w.reader:read(lab.file("stream", { size = p.stream }), { chunk = "1M" })
    lab.flush()
    for _, name in ipairs { "zero", "usual" } do
      lab.mark("swapped of " .. name, w[name]:stat().swap_pages)
    end
    lab.mark("swapped for the stream", lab.total().nr_swapped_out)
    lab.mark("taken for the stream", lab.total().nr_reclaimed)
    local done = w.reader:map("anon", { bytes = p.more }):touch { write = true, chunk = "1M" }
    lab.mark("more is there", done and 1 or 0)
  end,

  metrics = {
    zero_swapped = metric { unit = "pages", better = "lower", doc = "of the group with 0",
      from = function(r) return r.mark["swapped of zero"] end },
    usual_swapped = metric { unit = "pages", doc = "of the other, for the stream",
      from = function(r) return r.mark["swapped of usual"] end },
    more_swapped = metric { unit = "pages", doc = "when the cache was gone",
      from = function(r) return r.total.nr_swapped_out - r.mark["swapped for the stream"] end },
  },

  expect = function(t, r, p)
    local ram, idle = p.ram // PAGE, p.idle // PAGE
    local held = 2 * idle + p.cache // PAGE
    if p.stream < 2 * p.ram or held > ram * 7 // 10 or p.swap < p.more + 2 * p.idle
      or 2 * p.idle + p.more < p.ram * 11 // 10 then return end
    t.same("nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    t.less("the machine ran short", p.stream // PAGE - ram, r.mark["taken for the stream"],
      { label = "derived" })
    -- Whether the other group's memory, which has the cache beside it, is left alone.
    local never, own = r.axis.swappiness_0 == "never", r.axis.swappiness_of == "own"
    if never and p.system == 0 then
      t.same("with 0 for all nothing is swapped while there is cache", r.usual_swapped, 0,
        { label = "published" })
      if r.axis.tiny_file == "zone" then
        t.same("whoever has it", r.zero_swapped, 0, { label = "published" })
      end
    elseif never and own and r.axis.cgroup == "v1" then
      t.same("the group's own 0 holds", r.zero_swapped, 0, { label = "published" })
    elseif r.axis.lru == "per_memcg" and r.axis.balance == "fraction" and not own
      and p.system >= 100 then
      t.less("the group's own 0 does not count", 0, r.zero_swapped, { label = "published" })
    end
    t.same("all is there at last", r.mark["more is there"], 1, { label = "derived" })
    t.less("anonymous memory is swapped when the cache is gone",
      (2 * p.idle + p.more - p.ram) // PAGE - r.mark["swapped for the stream"],
      r.more_swapped, { label = "published" })
  end,
}
