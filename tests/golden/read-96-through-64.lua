-- 96 pages of a file through a group of 64: the first full reclaim, page by page.
local M = 1 << 20

return scenario {
  name = "read-96-through-64",
  kernels = { "v2.6.31", "v2.6.31+scan_batch=reclaim_stat", "v3.3" },
  params = { seed = param.seed { 1 } },
  setup = function(lab) lab.machine { ram = "64M", cpus = 1 } end,
  run = function(lab)
    local group = lab.group("g", { limit = M // 4 })
    local task = lab.task("t", { group = group })
    task:read(lab.file("f", { size = 96 * 4096 }))
    lab.mark("read", group:stat().usage_pages)
  end,
}
