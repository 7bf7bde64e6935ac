-- A sparse file of 100 GiB is read once on a machine of 4 GiB. What does the
-- controller cost, what a group with a limit, and what does it save that a
-- page is on one list instead of two?
--
-- Claim: "system performance for various workloads is unaffected": 71.603 s
-- without the controller and 71.640 s after the series, 79.558 and 77.233 with
-- it, 96.844 and 94.454 in a group of 1 GiB; 10 runs each.
-- Source: Johannes Weiner, the series that begins with "[patch 01/11] mm: memcg:
-- consolidate hierarchy iteration primitives", linux-mm, 12 September 2011.
-- Simplified: no hole is read from a device, so no I/O passes; one CPU does all,
-- kswapd's work too; memory is full of what the run before left, as in nine runs
-- of ten. Which release "vanilla" is was not said; 32 bytes of page_cgroup fit
-- v3.1.
-- Labels: the time of a page is fitted to the row without the controller, the
-- owner's record and the second list to the two rows of the root, the charge
-- below the root to the group's row before the series. The group's row after
-- it and the row without the controller after it are predicted.
local FULL = 100 << 30

-- What the post prints, in seconds, and how the model comes to it.
local ROWS = {
  ["v3.1+memcg=off"] = { root = { 71.603, "calibrated" } },
  ["v3.1+lru=per_memcg+memcg=off"] = { root = { 71.640, "predicted" } },
  ["v3.1"] = { root = { 79.558, "calibrated" }, group = { 96.844, "calibrated" } },
  ["v3.1+lru=per_memcg"] = { root = { 77.233, "calibrated" }, group = { 94.454, "predicted" } },
}

return scenario {
  name    = "sparse-cat-2011",
  title   = "cat of a sparse file on one list and on two",
  kernels = { "v3.1", "v3.1+lru=per_memcg", "v3.1+memcg=off", "v3.1+lru=per_memcg+memcg=off" },

  params = {
    where  = param.choice { "group", { "group", "root" },
                            doc = "a group with a limit, or the root" },
    file   = param.size { "10G", min = "1M", max = "1T", doc = "the published run: 100G" },
    limit  = param.size { "1G", min = "1M", max = "1T", doc = "of the group" },
    ram    = param.size { "4G", min = "64M", max = "1T" },
    page   = param.time { "2578ns", label = "calibrated",
                          doc = "a page without the controller, beside its reclaim" },
    owner  = param.time { "214ns", label = "calibrated", doc = "more with the controller" },
    second = param.time { "89ns", label = "calibrated", doc = "more on two lists" },
    member = param.time { "647ns", label = "calibrated", doc = "more below the root" },
    seed   = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, cpus = 1, page = "4K", knobs = {
      fault_ns = p.page, owner_ns = p.owner, member_ns = p.member, second_list_ns = p.second,
      io_ns = 0, sample_steps = 4096,
    } }
    local held, group = p.ram, nil
    if p.where == "group" and lab.axis("memcg") == "on" then
      held, group = math.min(p.limit, p.ram), lab.group("cat", { limit = p.limit })
    end
    local file = lab.file("sparse", { size = p.file, sparse = true })
    local task = lab.task("cat", { group = group })
    -- What the run before left: the end of the same file.
    local left = math.min(held, p.file)
    task:read(file, { bytes = left, offset = p.file - left, chunk = "4M" })
    return { task = task, file = file }
  end,

  run = function(lab, p, w)
    lab.mark("begin", lab.total().sim_ns)
    w.task:read(w.file, { bytes = p.file, chunk = "4M" })
    lab.mark("pages", p.file // 4096)
  end,

  metrics = {
    ns_per_page = metric { unit = "ns", better = "lower", doc = "run time / pages of the file",
      from = function(r) return (r.total.sim_ns - r.mark.begin) / r.mark.pages end },
    seconds = metric { unit = "s", better = "lower", doc = "of a file of 100 GiB",
      from = function(r)
        return (r.total.sim_ns - r.mark.begin) / r.mark.pages * (FULL // 4096) / 1e9
      end },
  },

  expect = function(t, r, p)
    local row = ROWS[r.kernel] and ROWS[r.kernel][p.where]
    if r.axis.memcg == "off" then row = ROWS[r.kernel] and ROWS[r.kernel].root end
    t.same("every page is read anew", r.total.nr_hits, 0, { label = "derived" })
    t.same("and nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    if row and p.file >= 1 << 30 and p.limit == 1 << 30 and p.ram == 4 << 30 then
      t.near("seconds for 100 GiB", r.seconds, row[1], { rel = 0.005, label = row[2] })
    end
  end,

  compare = function(t, a, b)
    if a.kernel == "v3.1" and b.kernel == "v3.1+lru=per_memcg" then
      t.less("one list takes less time than two", b.seconds, a.seconds, { label = "published" })
    end
  end,
}
