-- Writers as the program fio makes them (version 2.0.8 of May 2012): each job
-- writes blocks of a file at random, and draws them from a generator of its
-- own that is seeded with the job's number, so that runs repeat.
--
--   local fio = require "lib.fio"
--   local next_block = fio.blocks { job = 1, blocks = 262144, map = true }
--   fio.write(lab, { task = task, file = file, next = next_block, count = 32768, think = "14us" })
--
-- With a map, a job writes no block twice while others are left; the map is
-- the job's own, also where the file is not.  The generator is the combined
-- Tausworthe generator taus88: P. L'Ecuyer, Mathematics of Computation 65, 1996.
local fio = {}

local SEED, MASK = 0xb1899bed, 0xffffffff
local TRIES = 5                                -- draws before the map is searched for a free block
local START = 53                               -- of the chain of congruences that seeds it

-- The numbers of one job, from 0 to 2^32 - 1.
function fio.generator(job)
  local seed = SEED * job & MASK
  local s1, s2, s3

  local function draw()
    s1 = (s1 & 0xfffffffe) << 12 & MASK ~ ((s1 << 13 & MASK ~ s1) >> 19)
    s2 = (s2 & 0xfffffff8) << 4 & MASK ~ ((s2 << 2 & MASK ~ s2) >> 25)
    s3 = (s3 & 0xfffffff0) << 17 & MASK ~ ((s3 << 3 & MASK ~ s3) >> 11)
    return s1 ~ s2 ~ s3
  end

  -- Each part has a least value, below which it would run dry.
  local function part(before, least)
    local x = before * 69069 & MASK ~ seed
    return x < least and x + least or x
  end

  s1 = part(START, 1)
  s2 = part(s1, 7)
  s3 = part(s2, 15)
  for _ = 1, 6 do draw() end
  return draw
end

-- A function that names the next block that a job writes: from 0, and never the last one, as fio
-- scales its draws by one block too few.
function fio.blocks(of)
  local draw, written, blocks = fio.generator(of.job), {}, of.blocks
  local span = blocks > 1 and blocks - 1 or 1

  local function free_from(block)
    for i = 0, blocks - 1 do
      local at = (block + i) % blocks
      if not written[at] then return at end
    end
    return block                               -- all are written: the map is of no use any more
  end

  return function()
    local block
    for _ = 1, of.map and TRIES or 1 do
      block = span * draw() >> 32
      if not written[block] then break end
    end
    if of.map then
      if written[block] then block = free_from(block) end
      written[block] = true
    end
    return block
  end
end

-- One job: so many writes of 4 KiB each, with the job's own work in between.
function fio.write(lab, job)
  local task, file, next_block, think = job.task, job.file, job.next, job.think
  for _ = 1, job.count do
    task:write(file, { offset = next_block() * 4096, bytes = 4096 })
    lab.think(think)
  end
end

return fio
