-- One process replaces itself by the same program, over and over. What does
-- it cost to find each page's page_cgroup in a radix tree instead of through
-- a word in struct page, and what do a look-aside and a prefetch give back?
--
-- Claim: UnixBench execl, index 667.2 with the controller, 653.6 with the
-- tree, 659.7 with a look-aside for each CPU, 661.9 with prefetch, 665.6 with
-- struct page padded to 64 bytes, 723.3 without the controller.
-- Source: KAMEZAWA Hiroyuki and KOSAKI Motohiro, "[-mm] [PATCH 0/4] memcg :
-- radix-tree page_cgroup v2", linux-mm, 27 March 2008; x86-64, 2 CPUs.
-- Simplified: the pages of the program only cost time and look-ups; they are
-- not charged to a group, since none has a limit. How many pages one exec maps
-- and how much memory the machine had was not published. Where the pages lie
-- is a model, which engine/exec.c states, and not fitted to any row.
-- Labels: t0 is fitted to row 6, the costs of a page to row 1, the walk of the
-- tree to row 2, the prefetch to row 4, struct page across cache lines to rows
-- 4 and 5. Only row 3 is predicted: its hits are counted, and a hit's cost is
-- assumed. For version 3 of the set (-p v3=true) the time without the
-- controller alone is fitted; what the controller and patches 1 to 4 add is
-- that of version 2, which makes both 1 % too slow. What its patches 5 and 6 do
-- is not known. For the ia64 machine of another mail (-p ia64=true) that time
-- alone is fitted too; what a charge and a reference cost is that of x86-64.
local BASELINE = 43.0

-- What the post prints, and how the model comes to it.
local ROWS = {
  ["v2.6.25"] = { 2868.8, "calibrated" },
  ["v2.6.25+owner=radix"] = { 2810.3, "calibrated" },
  ["v2.6.25+owner=radix+lookaside=percpu"] = { 2836.9, "predicted" },
  ["v2.6.25+owner=radix+lookaside=prefetch"] = { 2846.0, "calibrated" },
  ["v2.6.25+owner=radix+lookaside=prefetch+page_pad=64"] = { 2862.0, "calibrated" },
  ["v2.6.25+memcg=off"] = { 3110.0, "calibrated" },
}

return scenario {
  name    = "execl-2008",
  title   = "execl with page_cgroups in a radix tree",
  kernels = { "v2.6.25+owner=radix", "v2.6.25+owner=radix+lookaside=percpu",
              "v2.6.25+owner=radix+lookaside=prefetch",
              "v2.6.25+owner=radix+lookaside=prefetch+page_pad=64", "v2.6.25",
              "v2.6.25+memcg=off" },

  params = {
    count = param.int { 3000, min = 1, max = 1000000, doc = "execs, about a second of them" },
    anon  = param.int { 30, min = 0, max = 65536, doc = "anonymous pages of the program" },
    file  = param.int { 85, min = 0, max = 65536, doc = "file pages that it maps" },
    ram   = param.size { "4G", min = "256M", max = "512G", doc = "over which files lie" },
    v3    = param.bool { false, doc = "the kernel of version 3 of the set, of 1 April" },
    t0_v3 = param.time { "315490ns", label = "calibrated",
                         doc = "an exec of it without the controller" },
    ia64  = param.bool { false, doc = "the ia64 machine of May 2008, with 8 CPUs" },
    t0_ia64 = param.time { "374730ns", label = "calibrated",
                           doc = "an exec of it without the controller" },
    seed  = param.seed { 7 },
  },

  setup = function(lab, p)
    local knobs = {}
    if p.v3 then knobs.exec_ns = p.t0_v3 end
    if p.ia64 then knobs.exec_ns = p.t0_ia64 end
    lab.machine { ram = p.ram, cpus = p.ia64 and 8 or 2, page = "4K", knobs = knobs }
    return lab.task("execl", { cpu = 0 })
  end,

  run = function(lab, p, execl)
    execl:exec { count = p.count, anon = p.anon, file = p.file }
    lab.mark("last exec", p.count)
  end,

  metrics = {
    result = metric { unit = "execs/s", better = "higher", doc = "execs per second",
      from = function(r) return r.exec.nr_execs * 1e9 / r.exec.exec_ns end },
    index = metric { unit = "", better = "higher", doc = "UnixBench index, baseline 43.0",
      from = function(r) return r.exec.nr_execs * 1e9 / r.exec.exec_ns / BASELINE * 10 end },
    hit_ratio = metric { unit = "%", better = "higher", doc = "look-ups that the look-aside had",
      from = function(r) return 100 * r.exec.nr_hits / r.exec.nr_lookups end },
  },

  expect = function(t, r, p)
    local lookups = 0
    if r.axis.memcg == "on" and r.axis.owner == "radix" then
      lookups = p.count * 2 * (p.anon + p.file)
    end
    t.same("two look-ups for each page of an exec", r.exec.nr_lookups, lookups,
      { label = "derived" })
    if r.axis.lookaside == "off" then
      t.same("nothing hits without a look-aside", r.exec.nr_hits, 0, { label = "derived" })
    end
    local row = ROWS[r.kernel]
    if row and not p.v3 and not p.ia64 and p.anon == 30 and p.file == 85 then
      t.near("execs per second", r.result, row[1], { rel = 0.007, label = row[2] })
    end
  end,

  -- A is the tree without help, the slowest of the six.
  compare = function(t, a, b)
    if ROWS[a.kernel] and ROWS[b.kernel] and a.kernel == "v2.6.25+owner=radix" then
      t.less("the tree alone is slowest", a.result, b.result, { label = "published" })
    end
  end,
}
