-- The small questions that a functional test asks of the controller: which
-- page is counted as what, when is it gone, and what does a tiny limit do?
--
-- Claim: private memory is counted as rss, pages of a file as cache; when all
-- is given up nothing is left; a second page under a limit of one page is
-- refused and counted; memory that cannot be reclaimed under it ends with a
-- kill, while clean pages of a file pass through; a task that moves to a child
-- leaves its pages charged where they were, unless the child asks for them;
-- shared memory is counted as cache; a locked page is unevictable, and two of
-- them do not fit under a limit of one, whatever they are of; what is left of a
-- cache goes when the group is forced to be empty.
-- Source: Linux Test Project, controllers/memcg/functional,
-- memcg_function_test and memcg_stat_test, cases 1 to 23.
-- Simplified: one zone, one CPU; nothing of a starting program is charged.  With
-- swap (-p swap=64M) memory that is not locked may go there instead.
local PAGE = 4096

return scenario {
  name    = "small-functional-set",
  title   = "One page of each kind, and limits of one page",
  kernels = { "v3.3", "v6.18-v1" },

  params = {
    swap = param.size { 0, min = 0, max = "1T", doc = "for memory and shm" },
    seed = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = 1, swap = p.swap }
    local w = {}
    for _, name in ipairs { "count", "anon-1", "file-1", "from", "shm", "lock",
      "lock-anon-1", "lock-file-1", "lock-shm-1", "empty" } do
      w[name] = lab.group(name, name:find("1") and { limit = PAGE } or nil)
      w["in " .. name] = lab.task("in " .. name, { group = w[name] })
    end
    w.to = w.from:group("to")
    w.file = lab.file("data", { size = 2 * PAGE })
    w.shm_file = lab.file("shm", { size = 2 * PAGE, shmem = true })
    w.one, w.two = lab.file("one", { size = PAGE }), lab.file("two", { size = PAGE })
    return w
  end,

  run = function(lab, _, w)
    local function look(group, moment)
      local now = w[group]:stat()
      lab.mark("rss " .. moment, now.rss_pages)
      lab.mark("cache " .. moment, now.cache_pages)
    end
    -- One page of each kind.
    local heap = w["in count"]:map("anon", { pages = 1 })
    heap:touch { write = true }
    lab.drain()
    look("count", "of one private page")
    w["in count"]:read(w.file, { pages = 1 })
    lab.drain()
    look("count", "with a page of a file")
    heap:drop()
    look("count", "without the private page")
    w.file:drop()
    look("count", "of nothing")
    lab.mark("charged with nothing", w.count:stat().charged_pages)
    -- Two pages under a limit of one.
    local _, why = w["in anon-1"]:map("anon", { pages = 2 }):touch { write = true }
    lab.mark("anon: " .. (why or "fits"))
    lab.mark("anon refused", w["anon-1"]:stat().failcnt)
    w["in file-1"]:read(w.one)
    lab.drain()                                -- or the CPU's queue would still hold it
    w["in file-1"]:read(w.two)
    lab.drain()
    lab.mark("file refused", w["file-1"]:stat().failcnt)
    lab.mark("file pages left", w["file-1"]:stat().charged_pages)
    -- One private page, one of a file, one of shared memory.
    local all = w["in shm"]
    all:map("anon", { pages = 1 }):touch { write = true }
    all:read(w.file, { pages = 1 })
    all:map(w.shm_file):touch { pages = 1, write = true }
    lab.drain()
    look("shm", "of one page of each kind")
    lab.mark("shared memory on the anonymous lists",
      w.shm:stat().inactive_anon + w.shm:stat().active_anon)
    -- Locked pages: one by itself, and two under a limit of one.
    local held = w["in lock"]:map("anon", { pages = 1 })
    held:lock()
    lab.drain()
    lab.mark("unevictable when locked", w.lock:stat().unevictable)
    held:unlock()
    lab.drain()
    lab.mark("unevictable when unlocked", w.lock:stat().unevictable)
    local function lock_two(name, what)
      local task = w["in lock-" .. name .. "-1"]
      local map = what == "anon" and task:map("anon", { pages = 2 }) or task:map(what)
      local _, reason = map:lock()
      lab.mark("locking two of " .. name .. ": " .. (reason or "fits"))
      lab.mark("locked two of " .. name, task:alive() and 1 or 0)
    end
    lock_two("anon", "anon")
    lock_two("file", lab.file("to lock", { size = 2 * PAGE }))
    lock_two("shm", lab.file("shm to lock", { size = 2 * PAGE, shmem = true }))
    -- What the tasks of a group leave behind.
    w["in empty"]:read(lab.file("left", { size = 8 * PAGE }))
    w["in empty"]:exit()
    lab.mark("left by its task", w.empty:stat().charged_pages)
    if lab.axis("cgroup") == "v1" then
      w.empty:force_empty()
      lab.mark("left when emptied", w.empty:stat().charged_pages)
    end
    -- A task moves down.
    w["in from"]:map("anon", { pages = 1 }):touch { write = true }
    w["in from"]:move(w.to)
    lab.mark("left behind", w.from:stat().charged_pages)
    lab.mark("taken along", w.to:stat().charged_pages)
    if lab.axis("move_charge") ~= "never" then
      local asks = w.from:group("asks", { move_charge = 1 })
      local mover = lab.task("mover", { group = w.from })
      mover:map("anon", { pages = 3 }):touch { write = true }
      mover:move(asks)
      lab.drain()
      lab.mark("asked for and left behind", w.from:stat().charged_pages - 1)
      lab.mark("asked for and taken along", asks:stat().charged_pages)
    end
  end,

  metrics = {
    killed = metric { unit = "tasks", doc = "by the out-of-memory killer",
      from = function(r) return r.total.oom_kills end },
  },

  expect = function(t, r, p)
    local wanted = {
      { "of one private page", 1, 0 }, { "with a page of a file", 1, 1 },
      { "without the private page", 0, 1 }, { "of nothing", 0, 0 },
    }
    for _, row in ipairs(wanted) do
      t.same("rss " .. row[1], r.mark["rss " .. row[1]], row[2], { label = "published" })
      t.same("cache " .. row[1], r.mark["cache " .. row[1]], row[3], { label = "published" })
    end
    t.same("nothing stays charged", r.mark["charged with nothing"], 0, { label = "published" })
    t.less("a second private page is refused", 0, r.mark["anon refused"], { label = "published" })
    if p.swap == 0 then
      t.same("its task is killed", r.task["in anon-1"].alive, false, { label = "published" })
    end
    t.less("a second page of a file is refused", 0, r.mark["file refused"],
      { label = "published" })
    -- Targets that are saved up to a cluster: out of memory comes before 32 tries.
    -- The stock of 2009 asks for a whole batch, which a limit of one page never takes.
    if r.axis.charge ~= "rfc" and r.axis.scan_batch ~= "reclaim_stat" then
      t.same("but the first makes room", r.mark["file pages left"], 1, { label = "derived" })
      t.same("its task lives", r.task["in file-1"].alive, true, { label = "derived" })
      if p.swap == 0 then
        t.same("with the three that locked four were killed", r.killed, 4, { label = "derived" })
      end
    end
    t.same("rss with shared memory", r.mark["rss of one page of each kind"], 1,
      { label = "published" })
    t.same("cache with shared memory", r.mark["cache of one page of each kind"], 2,
      { label = "published" })
    t.same("shared memory is swap-backed", r.mark["shared memory on the anonymous lists"], 2,
      { label = "derived" })
    t.same("a locked page is unevictable", r.mark["unevictable when locked"], 1,
      { label = "published" })
    t.same("until it is unlocked", r.mark["unevictable when unlocked"], 0, { label = "published" })
    for _, kind in ipairs { "anon", "file", "shm" } do
      t.same("two locked pages of " .. kind .. " do not fit", r.mark["locked two of " .. kind], 0,
        { label = "published" })
    end
    t.same("a cache stays when its tasks end", r.mark["left by its task"], 8,
      { label = "published" })
    if r.axis.cgroup == "v1" then
      t.same("and goes when the group is emptied", r.mark["left when emptied"], 0,
        { label = "published" })
    end
    if r.axis.move_charge ~= "never" then
      t.same("charges go when asked for", r.mark["asked for and taken along"], 3,
        { label = "published" })
      t.same("all of them", r.mark["asked for and left behind"], 0, { label = "published" })
    end
    t.same("charges stay when a task moves", r.mark["left behind"], 1, { label = "published" })
    t.same("and do not go with it", r.mark["taken along"], 0, { label = "published" })
  end,
}
