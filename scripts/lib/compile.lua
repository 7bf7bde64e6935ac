-- A compile as its processes: make, sh, gcc, cc1, as, fixdep, the small tools
-- and ld. Each maps the files that it is made of and its anonymous memory,
-- touches every page once, and exits; what the object leaves behind is a
-- temporary file that is truncated and an object file that stays cached.
--
--   local compile = require "lib.compile"
--
--   setup = function(lab, p)
--     lab.machine { ram = "4G", cpus = 4 }
--     return compile.build(lab, { group = lab.group("make"), cpus = 4 })
--   end,
--   run = function(lab, p, build)
--     lab.parallel(build.jobs(12, 150))       -- make -j 12, 150 objects
--   end,
--
-- How many processes an object needs and how many pages each has are
-- plausible, not measured; what is known is that they come in several small
-- mappings and one large one, which decides how uncharges can be gathered.
-- Left out: page tables, the heap's growth page by page, pipes, the copy of
-- make's own memory, reads of sources and headers (see sources).
local PAGE = 4096

local compile = {}

-- compile.tree { cc1 = 5547 }: the kinds of processes of one object. A row has
-- a name, how many of them ten objects need (ten), the anonymous pages of each
-- of its mappings (anon), and the pages of files that it maps (file). cc1 is
-- the large mapping of the compiler proper. With whole = true all memory of a
-- process is one mapping, which is quicker where windows do not matter. The
-- list may be changed before it is given to compile.build as tree.
function compile.tree(options)
  local cc1 = options and options.cc1 or 5547
  local tree = {
    { name = "make",   ten = 20, anon = { 20, 12, 6, 4 },                file = 0 },
    { name = "sh",     ten = 30, anon = { 8, 22, 4, 3, 2, 6 },           file = 110 },
    { name = "gcc",    ten = 10, anon = { 8, 40, 4, 2, 6 },              file = 90 },
    { name = "cc1",    ten = 10, anon = { cc1, 40, 30, 400, 4, 3, 2, 12 }, file = 900 },
    { name = "as",     ten = 10, anon = { 350, 12, 60, 4, 3, 2, 6 },     file = 160 },
    { name = "fixdep", ten = 10, anon = { 180, 2, 6, 3, 4 },             file = 60 },
    { name = "tool",   ten = 40, anon = { 3, 14, 4, 2, 5 },              file = 80 },
    { name = "ld",     ten = 4,  anon = { 700, 10, 50, 4, 3, 6 },        file = 140 },
  }
  for _, kind in ipairs(options and options.whole and tree or {}) do
    local sum = 0
    for _, pages in ipairs(kind.anon) do sum = sum + pages end
    kind.anon = { sum }
  end
  return tree
end

-- What compile.build takes beside group, tree, programs (of another build, which
-- then runs the same files: programs = first.programs) and last (a function that
-- is called when the last object is begun), and what holds where it is not given.
local DEFAULTS = {
  name = "",           -- begins the names of the files of this build
  cpus = 1,            -- each process runs on one of so many CPUs, drawn at random
  page = 0,            -- [ns] that a page of a process takes with all its work
  busy = 100,          -- % of its time that a job is not waiting for disk or another job
  temporary = 100,     -- pages of an object's temporary file, truncated when it is done
  kept = 30,           -- pages of an object's result, which stay cached
  slice = 0,           -- pages that a process touches before another has its CPU; 0: a mapping
  again = 0,           -- with slice: % of a slice that it touches again, of what it has by then
  spread = 0,          -- with slots: % that the processes of an object may have more or fewer
                       -- pages of memory; the same object is of the same size in every run
  sources = 0,         -- pages of the tree that is compiled, of which each object reads some
  includes = 0,        -- pages of it that an object reads, some often and most seldom
  slots = false,       -- processes of a job live on, on one CPU, and only unmap what they had,
                       -- so that a long build needs few tasks; else each is one that exits
  first_cpu = 0,       -- with slots: of the first job; the next job has the next one
  under_way = false,   -- with slots: the first object of each job is a part of one
}

-- The i-th of numbers from 0 to 99 that are spread evenly whatever their count:
-- multiples of the golden ratio, without their whole part.
local function even(i)
  return i * 61803 % 100000 // 1000
end

-- Mistakes are reported at the line that called compile.build.
local function settings(options)
  local s = { filled = 0, group = options.group, tree = options.tree or compile.tree(),
              programs = options.programs or {}, last = options.last or function() end }
  for key, default in pairs(DEFAULTS) do
    if options[key] ~= nil then s[key] = options[key] else s[key] = default end
  end
  for key in pairs(options) do
    if s[key] == nil then
      error(("compile.build: there is no option \"%s\""):format(key), 3)
    end
  end
  if s.group == nil then error("compile.build: group is missing", 3) end
  if s.busy < 1 or s.busy > 100 then error("compile.build: busy is from 1 to 100 %", 3) end
  return s
end

-- A mapping is filled, slice by slice, and what is there is used again meanwhile.
local function fill(s, heap, pages)
  local slice = s.slice > 0 and s.slice or pages
  for first = 0, pages - 1, slice do
    local n = math.min(slice, pages - first)
    heap:touch { write = true, pages = n, offset = first * PAGE }
    s.filled = s.filled + n
    if n * s.again >= 100 then
      heap:touch { pattern = "uniform", write = true, pages = first + n,
                   count = n * s.again // 100 }
    end
  end
end

-- compile.pages(tree): pages of memory that ten objects fill.
function compile.pages(tree)
  local sum = 0
  for _, kind in ipairs(tree) do
    for _, pages in ipairs(kind.anon) do sum = sum + kind.ten * pages end
  end
  return sum
end

-- compile.build(lab, { group = g, … }): a build in a group, to be called in
-- setup, for it makes the files that processes map. Returns a table of:
--   process(kind)     one process of that row, from its start to its exit
--   object(i)         all processes of an object and its files; i names them
--   filled()          pages of memory that processes have filled by now
--   jobs(n, objects)  n functions for lab.parallel that compile so many in all
--   tree, programs, sources  the rows; the files that are run; the file that is read
function compile.build(lab, options)
  local s = settings(options)
  local files, owed, done = s.programs, {}, 0
  local build = { tree = s.tree, programs = files }
  for _, kind in ipairs(s.tree) do
    owed[kind.name] = 0
    if kind.file > 0 and not files[kind.name] then
      files[kind.name] = lab.file(s.name .. "bin-" .. kind.name, { size = kind.file * PAGE })
    end
  end

  if s.sources > 0 then
    build.sources = lab.file(s.name .. "sources", { size = s.sources * PAGE })
  end

  local function task(name, slot)
    local cpu = slot and slot.cpu or lab.rng:int(0, s.cpus - 1)
    return lab.task(name, { group = s.group, cpu = cpu })
  end

  -- What a job's slot keeps of a process, if that still lives.
  local function process_of(kind, slot)
    local old = slot and slot[kind.name]
    return old and old.task:alive() and old or { task = task(kind.name, slot), heap = {} }
  end

  -- A process ends, or gives up all that it has and waits for the next of its kind.
  local function finish(process, kind, slot)
    if not slot then return process.task:exit() end
    slot[kind.name] = process
    if process.view then process.view:drop() end
    for _, heap in ipairs(process.heap) do heap:drop() end
  end

  function build.process(kind, slot)
    local process, pages = process_of(kind, slot), 0
    if files[kind.name] then
      process.view = process.view or process.task:map(files[kind.name])
      process.view:touch()
    end
    for i, most in ipairs(kind.anon) do
      local n = most
      if slot then
        most = most * (100 + s.spread) // 100
        n = math.max(n * (100 - s.spread + 2 * s.spread * slot.size // 100) // 100, 1)
        n = math.max(n * slot.part // 100, 1)
      end
      if process.task:alive() then
        process.heap[i] = process.heap[i] or process.task:map("anon", { pages = most })
        fill(s, process.heap[i], n)
      end
      pages = pages + n
    end
    finish(process, kind, slot)
    -- The job waits for the disk or for another one.
    lab.think(pages * s.page * (100 - s.busy) // s.busy)
  end

  -- How many of a kind are due with this object, where ten objects need so many.
  local function due(kind)
    local sum = owed[kind.name] + kind.ten
    owed[kind.name] = sum % 10
    return sum // 10
  end

  -- The files of object i: what it is made of, what it needs for a while, what stays.
  local function read_files(cc, i)
    if s.includes > 0 then
      cc:read(build.sources, { pattern = "zipf", s = 0.8, pages = s.sources, count = s.includes })
    end
    local temporary = lab.file(s.name .. "tmp" .. i, { size = s.temporary * PAGE })
    cc:read(temporary)
    temporary:drop()
    cc:read(lab.file(s.name .. "kept" .. i, { size = s.kept * PAGE }))
  end

  function build.object(i, slot)
    for _, kind in ipairs(s.tree) do
      for _ = 1, due(kind) do build.process(kind, slot) end
    end
    local cc = slot and slot.cc or task("cc", slot)
    read_files(cc, i)
    if not slot then return cc:exit() end
    slot.cc = cc
  end

  function build.filled() return s.filled end

  function build.jobs(n, objects)
    local jobs = {}
    for i = 1, n do
      jobs[i] = function()
        local slot = s.slots and { cpu = (s.first_cpu + i - 1) % s.cpus, part = 100 } or nil
        if slot and s.under_way then slot.part = 1 + even(s.first_cpu + i) end
        while done < objects do
          done = done + 1
          if slot then slot.size = even(s.first_cpu + done) end
          if done == objects then s.last() end
          build.object(done, slot)
          if slot then slot.part = 100 end
        end
      end
    end
    return jobs
  end
  return build
end

-- compile.units(shape, i, n): the objects of build i of n. "even": ten each;
-- "one-big": the first has as many as all the others together.
function compile.units(shape, i, n)
  if shape == "one-big" and i == 1 and n > 1 then return 10 * (n - 1) end
  return 10
end

-- compile.compile(lab, task): the memory of one cc1, by a task that lives on.
function compile.compile(_, task, tree)
  for _, kind in ipairs(tree or compile.tree()) do
    if kind.name == "cc1" then
      for _, n in ipairs(kind.anon) do
        local heap = task:map("anon", { pages = n })
        heap:touch { write = true }
        heap:drop()
      end
    end
  end
end

return compile
