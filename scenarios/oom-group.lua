-- A container's supervisor starts a worker that needs more than the limit; when
-- it is killed, the supervisor starts another, and if the container dies, it is
-- started again. What does memory.oom.group change?
--
-- Claim: off, the worker is killed and the supervisor lives, so it goes on like
-- that, a kill for each try; on, the first kill takes the whole container, but for
-- a task that is exempt from being killed (an adjustment of -1000). The first
-- victim is counted twice in oom_kill, and oom_group_kill once.
-- Source: kubernetes/kubernetes#50632, #117793, #117070 (memory.oom.group is set
-- since 1.28); v6.18 mm/oom_kill.c, mem_cgroup_get_oom_group(); Linux
-- tools/testing/selftests/cgroup/test_memcontrol.c, test_memcg_oom_group_*().
-- Simplified: one zone, one CPU, no swap; a container is its tasks.
local TRIES = { "off", "on" }

return scenario {
  name    = "oom-group",
  title   = "One of many dies, or all: memory.oom.group",
  kernels = { "v6.18" },

  params = {
    limit = param.size { "50M", min = "4M", max = "1T", doc = "limit of each container" },
    work  = param.size { "100M", min = "4K", max = "1T", doc = "what a worker wants" },
    small = param.size { "1M", min = "4K", max = "1T", doc = "of each other task" },
    tries = param.int  { 5, min = 1, max = 1000, doc = "workers that are started at most" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = 1 }
    local w = {}
    local function start(box, name, options)
      local task = lab.task(name, { group = box, oom_score_adj = options })
      task:map("anon", { bytes = p.small }):touch { write = true }
      return task
    end
    for _, name in ipairs(TRIES) do
      local group = lab.group(name, { limit = p.limit, oom_group = name == "on" })
      w[name] = { group = group, parent = start(group, "parent " .. name) }
      start(group, "helper " .. name)
    end
    -- The kernel's own test: one task that is exempt, and two others.
    w.exempt = lab.group("exempt", { limit = p.limit, oom_group = true })
    start(w.exempt, "exempt", -1000)
    start(w.exempt, "beside it")
    return w
  end,

  run = function(lab, p, w)
    local function work(group, name)
      local worker = lab.task(name, { group = group })
      local done = worker:map("anon", { bytes = p.work }):touch { write = true }
      if done then worker:exit() end
      return done
    end
    for _, name in ipairs(TRIES) do
      local started, killed = 0, 0
      while started < p.tries and w[name].parent:alive() do
        started = started + 1
        killed = killed + (work(w[name].group, ("worker %s %d"):format(name, started)) and 0 or 1)
      end
      lab.mark("started " .. name, started)
      lab.mark("killed " .. name, killed)
      lab.mark("restarts of " .. name, w[name].parent:alive() and 0 or 1)
    end
    work(w.exempt, "worker beside it")
  end,

  metrics = {
    killed_off = metric { unit = "workers", doc = "without memory.oom.group",
      from = function(r) return r.mark["killed off"] end },
    killed_on = metric { unit = "workers", doc = "with it",
      from = function(r) return r.mark["killed on"] end },
  },

  expect = function(t, r, p)
    if p.work + 3 * p.small <= p.limit then
      t.same("what fits is not killed", r.total.oom_kills, 0, { label = "derived" })
      return
    end
    local off, on, exempt = r.group["off"], r.group["on"], r.group["exempt"]
    t.same("off: each try is killed", r.killed_off, p.tries, { label = "published" })
    t.same("off: the parent lives", r.task["parent off"].alive, true, { label = "published" })
    t.same("off: so does the helper", r.task["helper off"].alive, true, { label = "published" })
    t.same("off: oom_kill, one a try", off.oom_kills, p.tries, { label = "published" })
    t.same("off: oom, one a try", off.oom_events, p.tries, { label = "derived" })
    t.same("off: oom_group_kill", off.oom_group_kills, 0, { label = "published" })
    t.same("off: no restart", r.mark["restarts of off"], 0, { label = "published" })
    t.same("on: there is one try", r.mark["started on"], 1, { label = "published" })
    t.same("on: the parent dies", r.task["parent on"].alive, false, { label = "published" })
    t.same("on: so does the helper", r.task["helper on"].alive, false, { label = "published" })
    t.same("on: nothing stays charged", on.charged_pages, 0, { label = "derived" })
    t.same("on: oom_kill, three tasks and the first once more", on.oom_kills, 4,
      { label = "derived" })
    t.same("on: oom_group_kill", on.oom_group_kills, 1, { label = "published" })
    t.same("on: one restart", r.mark["restarts of on"], 1, { label = "published" })
    t.same("exempt: it lives", r.task["exempt"].alive, true, { label = "published" })
    t.same("exempt: the one beside it dies", r.task["beside it"].alive, false,
      { label = "published" })
    t.same("exempt: oom_kill, two tasks and the first once more", exempt.oom_kills, 3,
      { label = "published" })
  end,
}
