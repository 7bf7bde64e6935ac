-- Two NUMA nodes, a CPU on each. Where do a group's pages lie, where does the next
-- frame come from when a node is full, and from which node does a limit take pages?
--
-- Claim: a page lies on the node of the CPU that read it while that node has free
-- frames, then on the next; no kswapd runs before all nodes of the zonelist are
-- short. Reclaim for a limit looks at the lists of every node, so what lies idle on
-- one node makes room for a task that reads on the other (to v2.6.31 only as long
-- as a list is long enough for the first priority).
-- Source: v3.3 mm/page_alloc.c, get_page_from_freelist(); v3.3 mm/memcontrol.c,
-- mem_cgroup_select_victim_node(); v6.18 mm/vmscan.c, shrink_zones().
-- Simplified: equal shares of RAM by address, no distances and no interleaving;
-- clean file pages only, no swap.
local PAGE = 4096

return scenario {
  name    = "numa-nodes",
  title   = "Two nodes: where pages lie, and whose make room",
  kernels = { "v3.3", "v6.18" },

  params = {
    ram   = param.size { "512M", min = "128M", max = "64G", doc = "of both nodes together" },
    own   = param.size { "64M", min = "1M", max = "64G", doc = "that each task reads at first" },
    more  = param.size { "224M", min = "1M", max = "64G", doc = "read on by the task on node 0" },
    limit = param.size { "32M", min = "1M", max = "64G", doc = "limit of the second group" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, cpus = 2, nodes = 2 }
    local w = { free = lab.group("free"), tight = lab.group("tight", { limit = p.limit }) }
    for _, name in ipairs { "free", "tight" } do
      for cpu = 0, 1 do
        w[name .. cpu] = lab.task(name .. " on " .. cpu, { group = w[name], cpu = cpu })
      end
    end
    return w
  end,

  run = function(lab, p, w)
    local function look(group, moment)
      lab.drain()
      for node = 0, 1 do
        lab.mark(("%s on node %d %s"):format(group, node, moment),
          w[group]:stat().node[node].inactive_file)
      end
    end
    -- The group with a limit: half of it on each node, then all by one task.
    for cpu = 0, 1 do
      w["tight" .. cpu]:read(lab.file("half " .. cpu, { size = p.limit // 2 }))
    end
    look("tight", "at first")
    w.tight0:read(lab.file("stream", { size = 8 * p.limit }), { chunk = "1M" })
    look("tight", "after the stream")
    -- The group without: each task on its own node, then more than node 0 has.
    for cpu = 0, 1 do
      w["free" .. cpu]:read(lab.file("own " .. cpu, { size = p.own }), { chunk = "1M" })
    end
    look("free", "at first")
    w.free0:read(lab.file("more", { size = p.more }), { chunk = "1M" })
    look("free", "when node 0 is full")
    lab.mark("reclaimed for the machine", lab.total().nr_reclaimed - w.tight:stat().nr_reclaimed)
  end,

  metrics = {
    idle_left = metric { unit = "pages", doc = "of the half on the other node, after the stream",
      from = function(r) return r.mark["tight on node 1 after the stream"] end },
    spilled = metric { unit = "pages", doc = "that were placed on node 1 for want of frames",
      from = function(r)
        return r.mark["free on node 1 when node 0 is full"] - r.mark["free on node 1 at first"]
      end },
  },

  expect = function(t, r, p)
    local tight, free = r.group["tight"], r.group["free"]
    local half, own, more = p.limit // 2 // PAGE, p.own // PAGE, p.more // PAGE
    for _, group in ipairs { tight, free } do
      t.same("the nodes together are the group", group.node[0].inactive_file
        + group.node[1].inactive_file, group.inactive_file, { label = "derived" })
    end
    for node = 0, 1 do
      local n = r.node[node]
      t.same("frames are free, listed or otherwise in use", n.free_pages + n.inactive_file
        + n.active_file <= n.present_pages, true, { label = "derived" })
    end
    local each = p.ram // PAGE // 2
    if 2 * p.own + p.more + p.limit > p.ram * 9 // 10 or p.own + p.more < p.ram // 2 then return end
    -- A few pages make room for the kernel's own: tree nodes, a batch in advance.
    for node = 0, 1 do
      t.near("half on node " .. node, r.mark[("tight on node %d at first"):format(node)], half,
        { rel = 0.05, label = "derived" })
      t.same("each task's pages on its node " .. node,
        r.mark[("free on node %d at first"):format(node)], own, { label = "derived" })
    end
    -- Where small targets are neither saved up nor forced, a cluster from one node is enough for
    -- the first priority, at which a list below 4096 pages is not looked at.
    local blind = r.axis.round == "cluster" and r.axis.scan_batch ~= "reclaim_stat"
    t.less("a limit takes from every node", r.idle_left, blind and 4096 or half // 2,
      { label = "derived" })
    t.same("what does not fit on node 0 lies on node 1",
      r.mark["free on node 0 when node 0 is full"] + r.spilled, own + more, { label = "derived" })
    t.less("and that is what node 0 lacks", own + more + half - each, r.spilled,
      { label = "derived" })
    t.same("nothing is reclaimed for it", r.mark["reclaimed for the machine"], 0,
      { label = "derived" })
  end,
}
