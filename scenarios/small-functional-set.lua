-- The small questions that a functional test asks of the controller: which
-- page is counted as what, when is it gone, and what does a tiny limit do?
--
-- Claim: private memory is counted as rss, pages of a file as cache; when all
-- is given up nothing is left; a second page under a limit of one page is
-- refused and counted; memory that cannot be reclaimed under it ends with a
-- kill, while clean pages of a file pass through; a task that moves to a child
-- leaves its pages charged where they were.
-- Source: Linux Test Project, controllers/memcg/functional,
-- memcg_function_test and memcg_stat_test, cases 1 to 23.
-- Simplified: one zone, one CPU, no swap; shared memory, locked pages,
-- force_empty and moving charges with a task are left out; nothing of a
-- starting program is charged.
local PAGE = 4096

return scenario {
  name    = "small-functional-set",
  title   = "One page of each kind, and limits of one page",
  kernels = { "v3.3", "v6.18-v1" },

  params = {
    seed = param.seed { 1 },
  },

  setup = function(lab)
    lab.machine { ram = "1G", cpus = 1 }
    local w = {}
    for _, name in ipairs { "count", "anon-1", "file-1", "from" } do
      w[name] = lab.group(name, name:find("1") and { limit = PAGE } or nil)
      w["in " .. name] = lab.task("in " .. name, { group = w[name] })
    end
    w.to = w.from:group("to")
    w.file = lab.file("data", { size = 2 * PAGE })
    w.one, w.two = lab.file("one", { size = PAGE }), lab.file("two", { size = PAGE })
    return w
  end,

  run = function(lab, _, w)
    local function look(group, moment)
      local now = w[group]:stat()
      lab.mark("rss " .. moment, now.inactive_anon + now.active_anon)
      lab.mark("cache " .. moment, now.inactive_file + now.active_file)
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
    -- A task moves down.
    w["in from"]:map("anon", { pages = 1 }):touch { write = true }
    w["in from"]:move(w.to)
    lab.mark("left behind", w.from:stat().charged_pages)
    lab.mark("taken along", w.to:stat().charged_pages)
  end,

  metrics = {
    killed = metric { unit = "tasks", doc = "by the out-of-memory killer",
      from = function(r) return r.total.oom_kills end },
  },

  expect = function(t, r)
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
    t.same("its task is killed", r.task["in anon-1"].alive, false, { label = "published" })
    t.less("a second page of a file is refused", 0, r.mark["file refused"],
      { label = "published" })
    -- Targets that are saved up to a cluster: out of memory comes before 32 tries.
    -- The stock of 2009 asks for a whole batch, which a limit of one page never takes.
    if r.axis.charge ~= "rfc" and r.axis.scan_batch ~= "reclaim_stat" then
      t.same("but the first makes room", r.mark["file pages left"], 1, { label = "derived" })
      t.same("its task lives", r.task["in file-1"].alive, true, { label = "derived" })
      t.same("one task was killed", r.killed, 1, { label = "derived" })
    end
    t.same("charges stay when a task moves", r.mark["left behind"], 1, { label = "published" })
    t.same("and do not go with it", r.mark["taken along"], 0, { label = "published" })
  end,
}
