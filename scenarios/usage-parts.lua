-- A group reads a file and uses anonymous memory. Its usage is larger than rss
-- and cache together: what is the rest?
--
-- Claim: the rest is the kernel's own memory that is charged (here the nodes of
-- page-cache trees and the page tables) and pages that CPUs have charged in
-- advance; the parts sum to usage exactly.
-- Source: google/cadvisor#3286, kontena/kontena#2954, moby/moby#32253 (usage
-- 4562944 against cache 270336 + rss 1826816; 3483992064 against 2852032512).
-- Simplified: one zone; of the kernel's own memory there are no stacks and no
-- slab but tree nodes and the two objects behind an anonymous mapping; memory
-- in swap is not charged, so it is no part of usage.
local PAGE = 4096
local NODE, ANON_VMA, NODE_ENTRIES, TABLE_ENTRIES = 576, 184, 64, 512

local function ceil(a, b) return (a + b - 1) // b end

-- Nodes of the tree over the first n pages of a file; one page needs none.
local function nodes(n)
  local sum = 0
  while n > 1 do
    n = ceil(n, NODE_ENTRIES)
    sum = sum + n
  end
  return sum
end

return scenario {
  name    = "usage-parts",
  title   = "Usage is more than rss and cache: the parts of the gap",
  kernels = { "v3.3", "v6.18-v1" },

  params = {
    anon  = param.int { 4460, min = 1, max = 1000000, doc = "anonymous pages of each task" },
    file  = param.int { 6600, min = 2, max = 1000000, doc = "pages of a file" },
    tasks = param.int { 2, min = 1, max = 64, doc = "tasks, each on a CPU of its own" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "4G", cpus = p.tasks }
    local group = lab.group("app")
    local w = { file = lab.file("data", { size = p.file * PAGE }) }
    for i = 1, p.tasks do
      w[i] = lab.task("app" .. i, { group = group, cpu = i - 1 })
    end
    return w
  end,

  run = function(lab, p, w)
    for i = 1, p.tasks do
      w[i]:map("anon", { pages = p.anon }):touch { write = true }
    end
    w[1]:read(w.file)
    lab.drain()
  end,

  metrics = {
    rss = metric { unit = "pages", doc = "anonymous",
      from = function(r) return r.group["app"].inactive_anon + r.group["app"].active_anon end },
    cache = metric { unit = "pages", doc = "of files",
      from = function(r) return r.group["app"].inactive_file + r.group["app"].active_file end },
    gap = metric { unit = "pages", doc = "usage beyond rss and cache",
      from = function(r) return r.group["app"].usage_pages - r.rss - r.cache end },
  },

  expect = function(t, r, p)
    local app = r.group["app"]
    if r.axis.memcg == "off" then
      return t.same("without the controller nothing is charged", app.usage_pages, 0,
        { label = "derived" })
    end
    t.same("rss", r.rss, p.anon * p.tasks, { label = "derived" })
    t.same("cache", r.cache, p.file, { label = "derived" })
    t.same("the gap is kernel memory and what is charged in advance", r.gap,
      app.kmem_pages + app.stock_pages, { label = "derived" })
    if r.axis.kmem == "nodes" then
      -- Objects share pages; each CPU has a page of them that is not full yet.
      local tables = ceil(p.anon, TABLE_ENTRIES) * p.tasks
      local bytes = nodes(p.file) * NODE + p.tasks * ANON_VMA
      t.near("kernel memory", app.kmem_pages, tables + ceil(bytes, PAGE),
        { abs = p.tasks, label = "derived" })
    else
      t.same("no kernel memory is charged", app.kmem_pages, 0, { label = "derived" })
    end
    local batch = r.axis.charge == "page" and 0 or r.axis.charge == "stock32" and 32 or 64
    t.never("more than a batch a CPU in advance", app.stock_pages > batch * p.tasks)
  end,
}
