-- 48 pages are read twice and become active, then 96 new ones stream past them.
return scenario {
  name = "used-twice-then-scanned",
  kernels = { "v2.6.31", "v3.3" },
  params = { seed = param.seed { 1 } },
  setup = function(lab) lab.machine { ram = "64M", cpus = 1 } end,
  run = function(lab)
    local task = lab.task("t", { group = lab.group("g", { limit = 64 * 4096 }) })
    local hot = lab.file("hot", { size = 48 * 4096 })
    task:read(hot)
    task:read(hot)
    task:read(lab.file("stream", { size = 96 * 4096 }))
  end,
}
