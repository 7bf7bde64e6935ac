-- A container fills /dev/shm up to its limit and is killed. Its pod group stays,
-- and so does what it wrote: does the restart have room?
--
-- Claim: no. Pages of tmpfs are counted as cache, but they lie on the anonymous
-- lists and cannot be dropped: without swap nothing frees them but the file's
-- end. The first kill comes at the limit, the kill frees next to nothing, and
-- each restart is killed at once. Deleting the file, or swap, ends it.
-- Source: kubernetes/kubernetes#128339, #63641; docker/docs#25741.
-- Simplified: the container is one task in the pod's group. With swap
-- (-p swap=8G) nobody is killed.
local PAGE = 4096

return scenario {
  name    = "shm-outlives",
  title   = "tmpfs outlives the container and kills every restart",
  kernels = { "v6.18-v1", "v3.3", "v6.18" },

  params = {
    limit    = param.size { "2G", min = "4M", max = "1T", doc = "limit of the pod" },
    shm      = param.size { "4G", min = "1M", max = "1T", doc = "what is written to /dev/shm" },
    heap     = param.size { "50M", min = "64K", max = "1T", doc = "memory of a restart" },
    swap     = param.size { "0", min = "0", max = "1T", doc = "swap of the machine" },
    restarts = param.int  { 3, min = 1, max = 100, doc = "times that it is started again" },
    seed     = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "8G", cpus = 1, swap = p.swap }
    local w = { pod = lab.group("pod", { limit = p.limit }) }
    w.first = lab.task("first", { group = w.pod })
    w.shm = lab.file("shm", { size = p.shm, shmem = true })
    return w
  end,

  run = function(lab, p, w)
    local function start(name)
      local task = lab.task(name, { group = w.pod })
      task:map("anon", { bytes = p.heap }):touch { write = true }
      lab.mark(name .. " lives", task:alive() and 1 or 0)
      task:exit()
    end
    w.first:write(w.shm)
    lab.mark("first lives", w.first:alive() and 1 or 0)
    local full = w.pod:stat()
    lab.mark("usage after the kill", full.usage_pages)
    lab.mark("shmem", full.shmem_pages)
    lab.mark("cache", full.cache_pages)
    lab.mark("rss", full.rss_pages)
    lab.mark("on the anonymous lists", full.inactive_anon + full.active_anon + full.queued_pages)
    for n = 1, p.restarts do
      start("restart " .. n)
    end
    w.shm:drop()
    start("after the file was deleted")
  end,

  metrics = {
    kills = metric { unit = "tasks", better = "lower", doc = "by the out-of-memory killer",
      from = function(r) return r.total.oom_kills end },
    swapped = metric { unit = "pages", doc = "written to swap",
      from = function(r) return r.total.nr_swapped_out end },
  },

  expect = function(t, r, p)
    local limit, shm = p.limit // PAGE, p.shm // PAGE
    local m = r.mark
    t.never("usage above limit", r.group["pod"].peak_pages > limit)
    t.same("shmem is cache", m["cache"], m["shmem"], { label = "published" })
    t.same("and no rss", m["rss"], 0, { label = "published" })
    t.same("it lies on the anonymous lists", m["on the anonymous lists"], m["shmem"],
      { label = "published" })
    t.same("without the file there is room", m["after the file was deleted lives"], 1,
      { label = "published" })
    if p.swap == 0 and shm > limit and p.heap // PAGE > limit // 50 then
      t.same("the first is killed", m["first lives"], 0, { label = "published" })
      t.near("at the limit", m["usage after the kill"], limit, { rel = 0.02, label = "published" })
      for n = 1, p.restarts do
        t.same("restart " .. n .. " is killed at once", m["restart " .. n .. " lives"], 0,
          { label = "published" })
      end
      t.same("nobody else is", r.kills, 1 + p.restarts, { label = "derived" })
    elseif p.swap >= 2 * p.shm then
      t.same("with swap nobody is killed", r.kills, 0, { label = "published" })
      t.less("but shmem is swapped", 0, r.swapped, { label = "derived" })
    end
  end,
}
