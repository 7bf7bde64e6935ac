-- 80 anonymous pages in a group of 64 and no swap: nothing to reclaim, so a kill.
return scenario {
  name = "anon-over-the-limit",
  kernels = { "v2.6.31", "v3.3" },
  params = { seed = param.seed { 1 } },
  setup = function(lab) lab.machine { ram = "64M", cpus = 1 } end,
  run = function(lab)
    local group = lab.group("g", { limit = 64 * 4096 })
    lab.task("t", { group = group }):map("anon", { pages = 80 }):touch()
    lab.mark("left", group:stat().usage_pages)
  end,
}
