-- A container's supervisor starts a worker that needs more than the limit; when
-- it is killed, the supervisor starts another. What does memory.oom.group change?
--
-- Claim: off, the worker is killed and the supervisor lives, so it goes on like
-- that, a kill for each try; on, the first kill takes the whole container.
-- Source: kubernetes/kubernetes#50632, #117793, #117070 (memory.oom.group is set
-- since 1.28); v6.18 mm/oom_kill.c, mem_cgroup_get_oom_group().
-- Simplified: one zone, one CPU, no swap; no task is exempt by its adjustment;
-- restarting the container is left out.
local TRIES = { "off", "on" }

return scenario {
  name    = "oom-group",
  title   = "One of many dies, or all: memory.oom.group",
  kernels = { "v6.18" },

  params = {
    limit = param.size { "30M", min = "4M", max = "1T", doc = "limit of each container" },
    work  = param.size { "100M", min = "4K", max = "1T", doc = "what a worker wants" },
    tries = param.int  { 5, min = 1, max = 1000, doc = "workers that are started at most" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = 1 }
    local w = {}
    for _, name in ipairs(TRIES) do
      local group = lab.group(name, { limit = p.limit, oom_group = name == "on" })
      local box = { group = group, parent = lab.task("parent " .. name, { group = group }) }
      local helper = lab.task("helper " .. name, { group = group })
      box.parent:map("anon", { bytes = "1M" }):touch { write = true }
      helper:map("anon", { bytes = "1M" }):touch { write = true }
      w[name] = box
    end
    return w
  end,

  run = function(lab, p, w)
    for _, name in ipairs(TRIES) do
      local started, killed = 0, 0
      while started < p.tries and w[name].parent:alive() do
        started = started + 1
        local worker = lab.task(("worker %s %d"):format(name, started), { group = w[name].group })
        local done = worker:map("anon", { bytes = p.work }):touch { write = true }
        killed = killed + (done and 0 or 1)
        if done then worker:exit() end
      end
      lab.mark("started " .. name, started)
      lab.mark("killed " .. name, killed)
    end
  end,

  metrics = {
    killed_off = metric { unit = "workers", doc = "without memory.oom.group",
      from = function(r) return r.mark["killed off"] end },
    killed_on = metric { unit = "workers", doc = "with it",
      from = function(r) return r.mark["killed on"] end },
  },

  expect = function(t, r, p)
    if p.work <= p.limit then
      t.same("what fits is not killed", r.total.oom_kills, 0, { label = "derived" })
      return
    end
    t.same("off: each try is killed", r.killed_off, p.tries, { label = "derived" })
    t.same("off: the parent lives", r.task["parent off"].alive, true, { label = "derived" })
    t.same("off: so does the helper", r.task["helper off"].alive, true, { label = "derived" })
    t.same("off: one kill a try", r.group["off"].oom_kills, p.tries, { label = "derived" })
    t.same("on: there is one try", r.mark["started on"], 1, { label = "derived" })
    t.same("on: the parent dies", r.task["parent on"].alive, false, { label = "derived" })
    t.same("on: so does the helper", r.task["helper on"].alive, false, { label = "derived" })
    t.same("on: nothing stays charged", r.group["on"].charged_pages, 0, { label = "derived" })
  end,
}
