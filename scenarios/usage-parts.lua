-- A group reads a file and uses anonymous memory. Its usage is larger than rss
-- and cache together: what is the rest?
--
-- Claim: the rest is the kernel's own memory that is charged (kernel stacks,
-- page tables, small objects of slabs) and pages that CPUs have charged in
-- advance; the parts sum to the gap exactly, to the byte.
-- Source: google/cadvisor#3286 (usage 4562944 against cache 270336 + rss
-- 1826816; 3483992064 against 2286772224 + 565260288), kontena/kontena#2954,
-- moby/moby#32253. The reports tell rss, cache and usage, and no part of the
-- rest: tasks and threads are ours, and the objects that the model does not
-- make itself (sockets, dentries, records of tasks) are as many as the reported
-- usage leaves, so it is no prediction; that nothing is left over is one.
-- Simplified: v6.18-v1 with batches of 32 and one stock stands for the kernels
-- of the reports (3.x to 5.x), which charge stacks page by page since 4.20 and
-- objects by bytes since 5.9; one zone; memory in swap is no part of usage.
local PAGE = 4096
local NODE, ANON_VMA, OBJECT, OWNER, NODE_ENTRIES, TABLE_ENTRIES = 592, 184, 184, 8, 64, 512
local STACK, BATCH = 4, 32

local reports = {
  nginx = { cache = 270336, rss = 1826816, usage = 4562944 },
  large = { cache = 2286772224, rss = 565260288, usage = 3483992064 },
}

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

-- Pages of memory that each task has, the last one what is left.
local function share(p, i)
  local all = reports[p.report].rss // PAGE
  return i < p.tasks and all // p.tasks or all - all // p.tasks * (p.tasks - 1)
end

return scenario {
  name    = "usage-parts",
  title   = "Usage is more than rss and cache: the parts of the gap",
  kernels = { "v3.3", "v6.18-v1" },

  params = {
    report  = param.choice { "nginx", { "nginx", "large" }, doc = "whose rss, cache and usage" },
    tasks   = param.int { 2, min = 1, max = 64, doc = "tasks, each on a CPU of its own" },
    threads = param.int { 4, min = 0, max = 10000, doc = "that each of them has cloned" },
    seed    = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "8G", cpus = p.tasks,
                  knobs = { charge_batch = BATCH, stock_slots = 1, stack_pages = STACK } }
    local w = { app = lab.group("app"),
                file = lab.file("data", { size = reports[p.report].cache }) }
    for i = 1, p.tasks do
      w[i] = lab.task("app" .. i, { group = w.app, cpu = i - 1, threads = p.threads })
    end
    return w
  end,

  run = function(lab, p, w)
    local usage = reports[p.report].usage // PAGE
    -- Pages that were freed went off the counter one by one, so usage is no
    -- multiple of a batch any more.
    local freed = -usage % BATCH
    for i = 1, p.tasks do
      w[i]:map("anon", { pages = share(p, i) }):touch { write = true }
    end
    local start = w[1]:map("anon", { pages = BATCH })
    start:touch { write = true }
    start:advise("dontneed")
    start:touch { write = true, pages = freed }
    start:advise("dontneed")
    w[1]:read(w.file)
    local objects = 0
    local function allocate(pages)
      local count = pages * PAGE // (OBJECT + OWNER)
      w[1]:slab { bytes = OBJECT, count = count }
      objects = objects + count
    end
    -- What of the reported usage no other part explains.
    while lab.axis("kmem") == "nodes" and w.app:stat().usage_pages < usage do
      allocate(math.max(usage - w.app:stat().usage_pages - BATCH, 1))
    end
    lab.mark("objects", objects)
    lab.drain()
  end,

  metrics = {
    gap = metric { unit = "bytes", doc = "usage beyond rss and cache",
      from = function(r)
        return r.group["app"].usage - r.group["app"].rss - r.group["app"].cache
      end },
  },

  expect = function(t, r, p)
    local app, report = r.group["app"], reports[p.report]
    if r.axis.memcg == "off" then
      return t.same("without the controller nothing is charged", app.usage_pages, 0,
        { label = "derived" })
    end
    t.same("rss", app.rss, report.rss, { label = "published" })
    t.same("cache", app.cache, report.cache, { label = "published" })
    local kernel, parts = 0, app.kmem_parts
    for _, bytes in pairs(parts) do kernel = kernel + bytes end
    t.same("the gap is kernel memory, part by part, and what is charged in advance", r.gap,
      kernel + app.stock_pages * PAGE, { label = "derived" })
    local batch = r.axis.charge == "page" and 0 or BATCH
    t.never("more than a batch a CPU in advance", app.stock_pages > batch * p.tasks)
    if r.axis.kmem == "off" then
      return t.same("no kernel memory is charged", kernel, 0, { label = "derived" })
    end
    t.same("usage, with objects that make it so", app.usage, report.usage,
      { label = "calibrated" })
    local tables = ceil(BATCH, TABLE_ENTRIES)
    for i = 1, p.tasks do tables = tables + ceil(share(p, i), TABLE_ENTRIES) end
    t.same("a page table for 2 MiB of memory", parts.pagetables, tables * PAGE,
      { label = "derived" })
    t.same("16 KiB of stack for each thread", parts.kernel_stack,
      r.axis.stack == "charged" and p.tasks * p.threads * STACK * PAGE or 0,
      { label = "derived" })
    t.same("a node for 64 pages of the file, and those above", parts.tree_nodes,
      nodes(report.cache // PAGE) * NODE, { label = "derived" })
    t.same("a record for each mapping of memory", parts.anon_vma, (p.tasks + 1) * ANON_VMA,
      { label = "derived" })
    t.same("objects with a word for their owner", parts.slab_objects,
      r.mark["objects"] * (OBJECT + OWNER), { label = "derived" })
    t.never("more than a page for each CPU held for objects to come",
      parts.byte_stock > p.tasks * PAGE)
  end,
}
