-- A test allocates 4 MiB and finds usage 128 KiB above it. Where do the pages
-- come from, and are they in the way of anybody?
--
-- Claim: a CPU charges a batch of pages in advance and hands them out one by
-- one, so usage is above what is there by less than a batch for each CPU that
-- acted; the advance is given back when a limit is in the way and when the
-- group is removed, so it costs nobody a page. Statistics know no such reserve:
-- rss is exact, but from 4.16 to 5.12 (stat_read=batch) a CPU adds to it only
-- when it has gathered more than a batch, so the 33rd page is the first to be
-- seen.
-- Source: linux-test-project/ltp#326: 4194304 bytes of rss, usage 4325376. In
-- mainline since 2.6.33 with batches of 32, of 64 since 6.1 (-p batch=64), and
-- up to seven stocks a CPU since 6.16 (-p slots=7).
-- Simplified: v6.18-v1 with batches of 32 and one stock stands for the kernels
-- of the report, which charge page tables; objects other than the two behind
-- an anonymous mapping are not charged.
local PAGE = 4096

return scenario {
  name    = "charge-reserve",
  title   = "Usage 32 pages too high: what CPUs charge in advance",
  kernels = { "v3.3", "v6.18-v1+stat_read=batch" },

  params = {
    pages = param.int { 1024, min = 1, max = 1000000, doc = "anonymous pages of each task" },
    cpus  = param.int { 1, min = 1, max = 64, doc = "tasks, each on a CPU of its own" },
    batch = param.int { 32, min = 1, max = 64, doc = "pages charged at once" },
    slots = param.int { 1, min = 1, max = 7, doc = "stocks a CPU: 1, since 6.16 up to 7" },
    late  = param.int { 100, min = 64, max = 1000000,
                        doc = "pages for which a second group is left room" },
    seed  = param.seed { 1 },
  },

  setup = function(lab, p)
    lab.machine { ram = "1G", cpus = p.cpus,
                  knobs = { charge_batch = p.batch, stock_slots = p.slots } }
    local w = { both = lab.group("both", { hierarchy = true }) }
    w.test, w.next = w.both:group("test"), w.both:group("next")
    for i = 1, p.cpus do
      w[i] = lab.task("malloc" .. i, { group = w.test, cpu = i - 1 })
    end
    w.late = lab.task("late", { group = w.next })
    return w
  end,

  run = function(lab, p, w)
    -- Page by page up to a batch, and one more.
    local first = w[1]:map("anon", { pages = p.pages })
    local function rss()
      local stat = w.test:stat().memory_stat
      return lab.axis("cgroup") == "v2" and stat.anon or stat.rss
    end
    if p.pages > p.batch then
      first:touch { write = true, pages = p.batch }
      lab.mark("rss, a batch", rss())
      first:touch { write = true, pages = 1, offset = p.batch * PAGE }
      lab.mark("rss, one page more", rss())
    end
    first:touch { write = true }
    for i = 2, p.cpus do
      w[i]:map("anon", { pages = p.pages }):touch { write = true }
    end
    local now, both = w.test:stat(), w.both:stat()
    lab.mark("pages", now.charged_pages)
    lab.mark("usage", now.usage_pages)
    lab.mark("kernel memory", now.kmem_pages)
    lab.mark("in advance", now.stock_pages)
    lab.mark("usage of both", both.usage_pages)
    -- The parent has room for the next group only if the first gives back.
    local kernel = both.kmem_pages > 0 and (p.late + 511) // 512 + 1 or 0
    local needed = both.usage_pages - now.stock_pages - both.stock_pages + p.late + kernel
    w.both:set { limit = needed * PAGE }
    lab.mark("needed", needed)
    w.late:map("anon", { pages = p.late }):touch { write = true }
    lab.mark("in advance at the limit", w.test:stat().stock_pages)
    for i = 1, p.cpus do
      w[i]:exit()
    end
    lab.mark("removed", w.test:remove() and 1 or 0)
  end,

  metrics = {
    advance = metric { unit = "pages", better = "lower", doc = "usage beyond the pages",
      from = function(r) return r.mark["usage"] - r.mark["pages"] end },
  },

  expect = function(t, r, p)
    local pages, kernel = p.pages * p.cpus, r.mark["kernel memory"]
    t.same("usage is the pages, kernel memory, and what was charged in advance",
      r.mark["usage"], pages + kernel + r.mark["in advance"], { label = "derived" })
    t.never("more than a batch a CPU", r.mark["in advance"] > p.batch * p.cpus)
    t.same("the group can be removed with it", r.mark["removed"], 1, { label = "derived" })
    if r.axis.charge == "page" then
      t.same("nothing is charged in advance", r.advance, 0, { label = "derived" })
    end
    if p.pages > p.batch then
      local batched = r.axis.stat_read == "batch"
      t.same(batched and "a batch of pages is not to be seen" or "rss is exact",
        r.mark["rss, a batch"], batched and 0 or p.batch * PAGE, { label = "derived" })
      t.same("with one page more all are seen", r.mark["rss, one page more"],
        (p.batch + 1) * PAGE, { label = "published" })
    end
    if p.cpus > 1 then return end
    t.same("it is given back when a limit is in the way", r.mark["in advance at the limit"], 0,
      { label = "derived" })
    t.same("so all fits", r.task["late"].rss_pages, p.late, { label = "derived" })
    if r.axis.charge == "rfc" and p.late % p.batch > 0 then
      -- The proposal of 2009 tries nothing less than a batch: the last one kills.
      t.same("a batch that does not fit kills", r.total.oom_kills, 1, { label = "derived" })
    else
      -- Several stocks may have held more before.
      t.same("to the last page", r.group["both"].peak_pages,
        math.max(r.mark["needed"], r.mark["usage of both"]), { label = "derived" })
      t.same("and nobody is killed", r.total.oom_kills, 0, { label = "derived" })
    end
    if r.axis.charge ~= "page" and r.axis.kmem == "off" then
      -- The last batch is handed out down to what is left of it.
      t.same("the rest of a batch", r.advance, -p.pages % p.batch, { label = "derived" })
    elseif r.axis.charge ~= "page" then
      -- Two page tables, and a page for the objects behind the mapping.
      local tables = (p.pages + 511) // 512
      t.same("kernel memory", kernel, tables + 1, { label = "derived" })
      t.same("beyond the pages", r.advance,
        -(p.pages + tables + 1) % p.batch + tables + 1, { label = "derived" })
      if p.pages == 1024 and p.batch == 32 then
        t.same("rss", pages * PAGE, 4194304, { label = "published" })
        t.same("usage", r.mark["usage"] * PAGE, 4325376, { label = "published" })
      end
    end
  end,
}
