-- A limit is lowered twice: file pages make room, anonymous pages refuse.
return scenario {
  name = "limit-written-below-usage",
  kernels = { "v2.6.31", "v3.3" },
  params = { seed = param.seed { 1 } },
  setup = function(lab) lab.machine { ram = "64M", cpus = 1 } end,
  run = function(lab)
    local group = lab.group("g", { limit = 128 * 4096 })
    local task = lab.task("t", { group = group })
    task:read(lab.file("f", { size = 64 * 4096 }))
    task:map("anon", { pages = 16 }):touch()
    lab.mark("made room", group:set { limit = 32 * 4096 } and 1 or 0)
    lab.mark("refused", group:set { limit = 8 * 4096 } and 1 or 0)
  end,
}
