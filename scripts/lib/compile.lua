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
-- the large mapping of the compiler proper. The list may be changed before it
-- is given to compile.build as tree.
function compile.tree(options)
  local cc1 = options and options.cc1 or 5547
  return {
    { name = "make",   ten = 20, anon = { 20, 12, 6, 4 },                file = 0 },
    { name = "sh",     ten = 30, anon = { 8, 22, 4, 3, 2, 6 },           file = 110 },
    { name = "gcc",    ten = 10, anon = { 8, 40, 4, 2, 6 },              file = 90 },
    { name = "cc1",    ten = 10, anon = { cc1, 40, 30, 400, 4, 3, 2, 12 }, file = 900 },
    { name = "as",     ten = 10, anon = { 350, 12, 60, 4, 3, 2, 6 },     file = 160 },
    { name = "fixdep", ten = 10, anon = { 180, 2, 6, 3, 4 },             file = 60 },
    { name = "tool",   ten = 40, anon = { 3, 14, 4, 2, 5 },              file = 80 },
    { name = "ld",     ten = 4,  anon = { 700, 10, 50, 4, 3, 6 },        file = 140 },
  }
end

-- What compile.build takes beside group, and what holds where it is not given.
local DEFAULTS = {
  name = "",           -- begins the names of the files of this build
  cpus = 1,            -- each process runs on one of so many CPUs, drawn at random
  page = 0,            -- [ns] that a page of a process takes with all its work
  busy = 100,          -- % of its time that a job is not waiting for disk or another job
  temporary = 100,     -- pages of an object's temporary file, truncated when it is done
  kept = 30,           -- pages of an object's result, which stay cached
}

-- Mistakes are reported at the line that called compile.build.
local function settings(options)
  local s = { group = options.group, tree = options.tree or compile.tree() }
  for key, default in pairs(DEFAULTS) do
    s[key] = options[key] or default
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

-- The pages of a process's memory, one touch of each.
local function touch_memory(task, kind)
  local pages = 0
  for _, n in ipairs(kind.anon) do
    task:map("anon", { pages = n }):touch { write = true }
    pages = pages + n
  end
  return pages
end

-- compile.build(lab, { group = g, … }): a build in a group, to be called in
-- setup, for it makes the files that processes map. Returns a table of:
--   process(kind)     one process of that row, from its start to its exit
--   object(i)         all processes of an object and its files; i names them
--   jobs(n, objects)  n functions for lab.parallel that compile so many in all
--   tree              the rows
function compile.build(lab, options)
  local s = settings(options)
  local files, owed, done = {}, {}, 0
  local build = { tree = s.tree }
  for _, kind in ipairs(s.tree) do
    owed[kind.name] = 0
    if kind.file > 0 then
      files[kind.name] = lab.file(s.name .. "bin-" .. kind.name, { size = kind.file * PAGE })
    end
  end

  local function task(name)
    return lab.task(name, { group = s.group, cpu = lab.rng:int(0, s.cpus - 1) })
  end

  function build.process(kind)
    local process = task(kind.name)
    if files[kind.name] then process:map(files[kind.name]):touch() end
    local pages = touch_memory(process, kind)
    process:exit()
    -- The job waits for the disk or for another one.
    lab.think(pages * s.page * (100 - s.busy) // s.busy)
  end

  -- How many of a kind are due with this object, where ten objects need so many.
  local function due(kind)
    local sum = owed[kind.name] + kind.ten
    owed[kind.name] = sum % 10
    return sum // 10
  end

  function build.object(i)
    for _, kind in ipairs(s.tree) do
      for _ = 1, due(kind) do build.process(kind) end
    end
    local cc = task("cc")
    local temporary = lab.file(s.name .. "tmp" .. i, { size = s.temporary * PAGE })
    cc:read(temporary)
    temporary:drop()
    cc:read(lab.file(s.name .. "kept" .. i, { size = s.kept * PAGE }))
    cc:exit()
  end

  function build.jobs(n, objects)
    local jobs = {}
    for i = 1, n do
      jobs[i] = function()
        while done < objects do
          done = done + 1
          build.object(done)
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
