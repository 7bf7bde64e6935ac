-- Two children below a parent of 96 pages that counts them: whose pages go.
local M = 1 << 20

return scenario {
  name = "siblings-share-a-parent",
  kernels = { "v3.1", "v3.3" },
  params = { seed = param.seed { 1 } },
  setup = function(lab) lab.machine { ram = "64M", cpus = 1 } end,
  run = function(lab)
    local top = lab.group("top", { limit = 96 * 4096, hierarchy = true })
    local a, b = top:group("a", { limit = M }), top:group("b", { limit = M })
    local x, y = lab.task("x", { group = a }), lab.task("y", { group = b })
    x:read(lab.file("fx", { size = 64 * 4096 }))
    y:read(lab.file("fy", { size = 64 * 4096 }))
    x:read(lab.file("fz", { size = 32 * 4096 }))
  end,
}
