-- Builds of a kernel in groups, at once, on a machine that is short of memory:
-- what kbuild-4-2011 and kbuild-16-2011 have in common.
--
--   local kbuild = require "lib.kbuild"
--   return scenario { params = kbuild.params { … }, setup = kbuild.setup,
--                     run = kbuild.run, metrics = kbuild.metrics, … }
--
-- Each group compiles a tree of its own with some jobs; the programs are the
-- same files for all. Objects differ in size, the same object is the same in
-- each run. Measured is while every job is in the middle of an object.
local compile = require "lib.compile"

local OBJECTS = 750                            -- of a whole build
local SOURCES = 28800                          -- pages of a tree that its objects read
local INCLUDES = 300                           -- pages of it that one object reads
local AGAIN = 25                               -- % of its memory that a process uses again
local SPREAD = 75                              -- % that objects differ in size
local SLICE = 1024                             -- pages that a process touches at a time
local FREE, HIT = 2500, 1000                   -- [ns] to free a page, to use it again
local IO = 20000                               -- [ns] to read a page from the SSD

local kbuild = {}

-- The parameters, with what differs: groups, jobs, objects, limit (of all
-- together, or "0") and page (the time of a page, a declared parameter).
function kbuild.params(own)
  return {
    groups  = param.int  { own.groups, min = 1, max = 256, doc = "builds, each in its group" },
    jobs    = param.int  { own.jobs, min = 1, max = 256, doc = "of each build: make -j" },
    limit   = param.size { own.limit, doc = "of all builds together; 0: none" },
    objects = param.int  { own.objects, min = 1, max = 100 * OBJECTS,
                           doc = "compiled by each build; a whole one: " .. OBJECTS },
    part    = param.int  { 16, min = 1, max = 16,
                           doc = "pages that one page stands for; the published run: 1" },
    ram     = param.size { "4G" },
    swap    = param.size { "500M", doc = "on an SSD" },
    cpus    = param.int  { 4, min = 1, max = 512, doc = "not published" },
    cc1     = param.int  { 14000, min = 1, max = 1000000,
                           doc = "pages of the compiler's large mapping; not published" },
    page    = own.page,
    seed    = param.seed { 1 },
  }
end

local function share(n, part)
  return math.max(n // part, 1)
end

-- The processes, where one page stands for several.
local function small_tree(p)
  local tree = compile.tree { cc1 = p.cc1, whole = true }
  for _, kind in ipairs(tree) do
    kind.anon[1] = share(kind.anon[1], p.part)
    kind.file = (kind.file + p.part - 1) // p.part
  end
  return tree
end

-- kbuild.setup(lab, p, group_above): group_above(bytes) makes the group that is
-- above all builds; nil: there is none.
function kbuild.setup(lab, p, group_above)
  lab.machine { ram = share(p.ram, p.part), swap = share(p.swap, p.part), cpus = p.cpus, knobs = {
    fault_ns = p.page * p.part, unmap_ns = FREE * p.part, hit_ns = HIT * p.part,
    io_ns = IO * p.part, swap_ns = 10 * IO, write_ns = 0, readahead = 32, sample_steps = 65536,
  } }
  local options = {
    tree = small_tree(p), cpus = p.cpus, slots = true, slice = share(SLICE, p.part),
    again = AGAIN, spread = SPREAD, under_way = true, includes = share(INCLUDES, p.part),
    sources = share(SOURCES, p.part), temporary = share(100, p.part), kept = share(30, p.part),
  }
  local room = share(p.limit > 0 and p.limit or p.ram, p.part)
  local above, at = p.limit > 0 and group_above(room) or nil, { builds = {} }
  options.last = function() at.last() end
  for i = 1, p.groups do
    local name = ("kbuild-%02d"):format(i)
    options.name, options.group = name .. "/", above and above:group(name) or lab.group(name)
    at.builds[i] = compile.build(lab, options)
    options.programs, options.first_cpu = at.builds[1].programs, i * p.jobs
    -- Its share of memory is full of what it did before; the tree was read last.
    local tar = lab.task("tar", { group = options.group })
    tar:read(lab.file(options.name .. "before", { size = room // p.groups }), { chunk = "4M" })
    tar:read(at.builds[i].sources, { chunk = "4M" })
    tar:exit()
  end
  at.begin = lab.total()
  return at
end

-- From a moment to another at which each job is in the middle of an object:
-- until a build has none left to begin.
function kbuild.run(lab, p, at)
  local all, measured = {}, false
  at.last = function()
    if measured then return end
    measured = true
    local now, filled = lab.total(), 0
    for _, build in ipairs(at.builds) do filled = filled + build.filled() end
    lab.mark("ns", now.sim_ns - at.begin.sim_ns)
    lab.mark("majfaults", now.majfault - at.begin.majfault)
    lab.mark("filled", filled)
    lab.mark("pages", compile.pages(at.builds[1].tree) // 10 * OBJECTS * p.groups)
  end
  for _, build in ipairs(at.builds) do
    for _, job in ipairs(build.jobs(p.jobs, p.objects)) do all[#all + 1] = job end
  end
  lab.parallel(all)
end

-- Of whole builds.
kbuild.metrics = {
  seconds = metric { unit = "s", better = "lower", doc = "of whole builds",
    from = function(r) return r.mark.ns / 1e9 / r.mark.filled * r.mark.pages end },
  majfaults = metric { unit = "faults", better = "lower", doc = "of whole builds",
    from = function(r) return r.mark.majfaults / r.mark.filled * r.mark.pages end },
}

-- The pair of kernels of the post: how far apart major faults may be by the half
-- width of Welch's interval, and times as a part of them.
function kbuild.compares(faults, part)
  return function(t, a, b)
    if a.kernel ~= "v3.1" or b.kernel ~= "v3.1+lru=per_memcg" then return end
    t.near("no more major faults than chance allows", b.majfaults - a.majfaults, 0,
      { abs = faults, label = "published" })
    t.near("nor a longer time", b.seconds / a.seconds, 1, { abs = part, label = "published" })
  end
end

-- Is this the published machine and its work, or a part of it?
function kbuild.is_published(p, groups, jobs)
  return p.groups == groups and p.jobs == jobs and p.ram == 4 << 30 and p.swap == 500 << 20 and
    p.cpus == 4 and p.cc1 == 14000 and p.objects >= OBJECTS // 10
end

return kbuild
