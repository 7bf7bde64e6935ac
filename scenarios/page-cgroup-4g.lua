-- The array of page_cgroup records that a machine with 4G allocates at boot.
--
-- Claim: with per-memcg LRU lists only, a record needs no list head of its
-- own, and the array shrinks to half: "vanilla: allocated 31457280 bytes of
-- page_cgroup; patched: allocated 15728640 bytes of page_cgroup".
-- Source: Johannes Weiner, "[patch 01/11] mm: memcg: consolidate hierarchy
-- iteration primitives", linux-mm, 12 September 2011.
-- Simplified: the memory map of that machine is not stated. Its figures are
-- 30 sections of 128 MiB exactly, so that many are taken as present.
local SECTION_PAGES = 32768                    -- of 128 MiB, x86-64

-- Bytes of one record, from the members of struct page_cgroup in each release.
local RECORD = {
  ["v2.6.31"] = 8 + 8 + 8 + 16,                -- flags, owner, page, list head
  ["v3.1"] = 8 + 8 + 16,                       -- flags, owner, list head
  ["v3.3"] = 8 + 8,                            -- flags, owner
}

return scenario {
  name    = "page-cgroup-4g",
  title   = "Bytes of page_cgroup on a 4G machine",
  kernels = { "v3.1", "v3.3" },

  params = {
    ram = param.size { "4G", min = "128M", max = "512G", doc = "RAM that shares are of" },
    sections = param.int { 30, min = 1, max = 4096, doc = "sections of 128 MiB with memory" },
  },

  setup = function(lab, p)
    lab.machine { ram = p.ram, sections = p.sections }
  end,

  run = function(lab, p)
    lab.mark("booted", p.sections)
  end,

  metrics = {
    page_cgroup_bytes = metric { unit = "bytes", better = "lower", doc = "allocated at boot",
      from = function(r) return r.page_cgroup.bytes end },
    page_cgroup_share = metric { unit = "%", better = "lower", doc = "of RAM",
      from = function(r) return 100 * r.page_cgroup.bytes / r.page_cgroup.ram end },
  },

  expect = function(t, r, p)
    local entries = p.sections * SECTION_PAGES
    t.same("a record for each page frame", r.page_cgroup.entries, entries, { label = "derived" })
    local record = RECORD[r.kernel]
    if record then
      t.same("bytes of a record", r.page_cgroup.record_bytes, record, { label = "derived" })
      t.same("bytes of the array", r.page_cgroup_bytes, entries * record, { label = "derived" })
    end
    t.near("its share of RAM", r.page_cgroup_share, 100 * r.page_cgroup_bytes / p.ram,
      { rel = 1e-9, label = "derived" })
    if p.sections == 30 and t.kernel("v3.1") then
      t.same("vanilla, as published", r.page_cgroup_bytes, 31457280, { label = "published" })
    elseif p.sections == 30 and t.kernel("v3.3") then
      t.same("patched, as published", r.page_cgroup_bytes, 15728640, { label = "published" })
    end
  end,

  compare = function(t, a, b)
    if a.kernel == "v3.1" and b.kernel == "v3.3" then
      t.same("half as many", 2 * b.page_cgroup_bytes, a.page_cgroup_bytes,
        { label = "published" })
    end
  end,
}
