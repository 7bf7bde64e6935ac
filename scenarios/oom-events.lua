-- A group with a limit of 30M: what do its event counters read after it wanted
-- 100M of anonymous memory, and what after it read 50M of a file?
--
-- Claim: anonymous memory without swap ends in one kill; a file ends in nothing
-- but max events, for its pages make room: usage is at the limit, never above.
-- Source: Linux tools/testing/selftests/cgroup/test_memcontrol.c,
-- test_memcg_oom_events() and test_memcg_max(), v6.18.
-- Simplified: one zone, one CPU, no swap.
local MIB = 1 << 20

return scenario {
  name    = "oom-events",
  title   = "Event counters after a kill, and after none",
  kernels = { "v6.18" },

  params = {
    limit = param.size { "30M", min = "1M", max = "1T", doc = "memory.max of both groups" },
    anon  = param.size { "100M", min = "4K", max = "1T", doc = "anonymous memory wanted" },
    file  = param.size { "50M", min = "4K", max = "1T", doc = "the file" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = 1 }
    local w = { file = lab.file("data", { size = p.file }) }
    for _, name in ipairs { "anon", "file" } do
      w[name .. " task"] = lab.task(name, { group = lab.group(name, { limit = p.limit }) })
    end
    return w
  end,

  run = function(lab, p, w)
    local _, why = w["anon task"]:map("anon", { bytes = p.anon }):touch { write = true }
    lab.mark("anon: " .. (why or "fits"))
    w["file task"]:read(w.file)
  end,

  metrics = {
    file_usage = metric { unit = "MiB", doc = "of the group that read the file",
      from = function(r) return r.group["file"].usage / MIB end },
  },

  expect = function(t, r, p)
    local anon, file = r.group["anon"], r.group["file"]
    t.never("usage above limit", anon.peak > p.limit or file.peak > p.limit)
    if p.anon <= p.limit or p.file <= p.limit then return end
    t.same("oom for anonymous memory", anon.oom_events, 1, { label = "published" })
    t.same("oom_kill", anon.oom_kills, 1, { label = "published" })
    t.same("its task is gone", r.task["anon"].alive, false, { label = "derived" })
    t.near("current of the file reader is at the limit", file.usage, p.limit,
      { rel = 0.05, label = "published" })
    t.less("with max events", 0, file.max_events, { label = "published" })
    t.same("no oom", file.oom_events, 0, { label = "published" })
    t.same("and no oom_kill", file.oom_kills, 0, { label = "published" })
    t.same("its task lives", r.task["file"].alive, true, { label = "derived" })
  end,
}
