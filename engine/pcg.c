/*
 * page_cgroup layouts as data, and what their arrays cost at boot.
 *
 * A record's size is computed from its fields and the word size, so one
 * table serves 32 and 64 bits: a field is aligned to its own size, but to a
 * word at most, and the whole to its most aligned field.
 *
 * With SPARSEMEM a section with any RAM in it is paid for whole; with
 * FLATMEM every frame from the first to the last byte of RAM is, holes
 * included.  MODEL: one node; FLATMEM pays per node, holes between nodes not.
 *
 * After: include/linux/page_cgroup.h, mm/page_cgroup.c (2.6.28 to 3.18),
 * struct page_cgroup in mm/memcontrol.c (2.6.25 to 2.6.27), and the radix
 * tree proposal of March 2008.
 */
#include "pcg.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RANGE_TEXT_MAX = 48 };	/* longest text of one bound of a range */

/*
 * The layouts in the order of the owner axis.  Fields stand as they do in
 * the kernel's struct, so the sum over them is the struct's own size.
 * MODEL: without lock debugging, which makes the radix tree's lock bigger.
 */
static const struct pcg_layout layouts[] = {
	{
		.name = "slab40",
		.doc = "2.6.25, 2.6.26: one object a charged page, found by a word in struct page",
		.word = true,
		.kmalloc = true,	/* 2.6.26 gave it a cache of its own */
		.field = {
			{ "lru.next", 8, 4, "the memcg's list of its zone", "memcg's list" },
			{ "lru.prev", 8, 4, "", NULL },
			{ "page", 8, 4, "the frame it belongs to", "its frame" },
			{ "mem_cgroup", 8, 4, "who pays", NULL },
			{ "ref_cnt", 4, 4, "cached, mapped, migrating", "users" },
			{ "flags", 4, 4, "", NULL },
		},
	},
	{
		.name = "slab40_27",
		.doc = "2.6.27: the same without the reference count, padded to a word",
		.word = true,
		.field = {
			{ "lru.next", 8, 4, "the memcg's list of its zone", "memcg's list" },
			{ "lru.prev", 8, 4, "", NULL },
			{ "page", 8, 4, "the frame it belongs to", "its frame" },
			{ "mem_cgroup", 8, 4, "who pays", NULL },
			{ "flags", 4, 4, "", NULL },
		},
	},
	{
		.name = "radix",
		.doc = "2008 proposal: chunks of records in a radix tree, no word in struct page",
		.chunked = true,
		.field = {
			{ "lock", 4, 4, "a spinlock of its own", "its spinlock" },
			{ "refcnt", 4, 4, "cached, mapped, migrating", "users" },
			{ "mem_cgroup", 8, 4, "who pays", NULL },
			{ "lru", 16, 8, "next and prev of the memcg's list of its zone",
			  "memcg's list" },
			{ "flags", 4, 4, "", NULL },
			{ "page", 8, 4, "the frame it belongs to", "its frame" },
		},
	},
	{
		.name = "array40",
		.doc = "2.6.28 to 2.6.38: an array of all frames, made at boot",
		.array = true,
		.field = {
			{ "flags", 8, 4, "lock, used, cache, acct", "lock, used, acct" },
			{ "mem_cgroup", 8, 4, "who pays", NULL },
			{ "page", 8, 4, "the frame it belongs to", "its frame" },
			{ "lru.next", 8, 4, "the memcg's list, beside the zone's", "memcg's list" },
			{ "lru.prev", 8, 4, "", NULL },
		},
	},
	{
		.name = "array32",
		.doc = "3.0 to 3.2: the frame is computed, its section or node is in the flags",
		.array = true,
		.field = {
			{ "flags", 8, 4, "lock, used, cache, acct; section or node",
			  "lock, used, node" },
			{ "mem_cgroup", 8, 4, "who pays", NULL },
			{ "lru.next", 8, 4, "the memcg's list, beside the zone's", "memcg's list" },
			{ "lru.prev", 8, 4, "", NULL },
		},
	},
	{
		.name = "array16",
		.doc = "3.3 to 3.18: struct page's own list entry is the memcg's",
		.array = true,
		.field = {
			{ "flags", 8, 4, "lock, used, cache", "lock, used" },
			{ "mem_cgroup", 8, 4, "who pays", NULL },
		},
	},
	{
		.name = "pointer",
		.doc = "3.19 and later: no record, a word in struct page",
		.word = true,
	},
};

/*
 * What a record's size and a section depend on.  Section sizes are those of
 * arch/x86/include/asm/sparsemem.h; a bigger page makes fewer records in a
 * section, not a bigger section.
 */
struct arch_desc {
	const char *name;
	uint32_t word;		/* [bytes] of a pointer */
	uint32_t section_bits;
	uint32_t physical_bits;	/* of an address of RAM, MAX_PHYSMEM_BITS */
	bool flat;		/* FLATMEM can be chosen */
};

static const struct arch_desc archs[NR_PCG_ARCHS] = {
	[PCG_X86_64] = { "x86-64", 8, 27, 46, false },
	[PCG_X86] = { "x86", 4, 26, 32, true },
	[PCG_X86_PAE] = { "x86-pae", 4, 29, 36, true },
};

size_t pcg_layout_count(void)
{
	return sizeof(layouts) / sizeof(layouts[0]);
}

const struct pcg_layout *pcg_layout_at(size_t i)
{
	assert(i < pcg_layout_count());
	return &layouts[i];
}

bytes_t pcg_section_bytes(enum pcg_arch arch)
{
	assert(arch < NR_PCG_ARCHS);
	return (bytes_t)1 << archs[arch].section_bits;
}

/* The next multiple of @unit from @value on, which is @value itself if it is one. */
static uint64_t round_up(uint64_t value, uint64_t unit)
{
	assert(unit > 0);
	return (value + unit - 1) / unit * unit;
}

uint64_t pcg_record_bytes(const struct pcg_layout *layout, enum pcg_arch arch)
{
	uint64_t offset = 0, align = 1;
	uint32_t word;

	assert(layout && arch < NR_PCG_ARCHS);
	word = archs[arch].word;
	for (size_t i = 0; i < PCG_FIELDS_MAX && layout->field[i].name; i++) {
		const struct pcg_field *field = &layout->field[i];
		uint64_t bytes = word == 8 ? field->bytes64 : field->bytes32;
		/* A pair of pointers is aligned as one pointer is. */
		uint64_t needs = bytes < word ? bytes : word;

		offset = round_up(offset, needs) + bytes;
		if (needs > align)
			align = needs;
	}
	/* The tail is padded so that the next record of an array is aligned too. */
	return round_up(offset, align);
}

/* A zeroed machine has pages of the usual size. */
static bytes_t page_bytes(const struct pcg_machine *machine)
{
	return machine->page_bytes ? machine->page_bytes : PAGE_BYTES;
}

/* The product, or the largest number there is: a machine too big to count. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
	return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* The first range that reaches section @from or beyond, by where it starts; NULL if none does. */
static const struct pcg_range *next_range(const struct pcg_machine *machine, uint64_t from)
{
	bytes_t section = pcg_section_bytes(machine->arch);
	const struct pcg_range *best = NULL;

	for (uint32_t i = 0; i < machine->nr_ranges; i++) {
		const struct pcg_range *range = &machine->range[i];

		if (range->start >= range->end || (range->end - 1) / section < from)
			continue;
		if (!best || range->start < best->start)
			best = range;
	}
	return best;
}

uint64_t pcg_sections(const struct pcg_machine *machine)
{
	bytes_t section = pcg_section_bytes(machine->arch);
	uint64_t nr = 0, from = 0;
	const struct pcg_range *range;

	assert(machine->nr_ranges <= PCG_RANGES_MAX);
	/* Said outright: the boot line tells how many there are, the map may be unknown. */
	if (machine->sections)
		return machine->sections;
	while ((range = next_range(machine, from))) {
		uint64_t first = range->start / section, last = (range->end - 1) / section;

		/* Two ranges may share a section, which is paid for once. */
		if (first < from)
			first = from;
		nr += last - first + 1;
		from = last + 1;
	}
	return nr;
}

/* Bytes from the first to the last byte of RAM. */
static bytes_t spanned_bytes(const struct pcg_machine *machine)
{
	bytes_t start = UINT64_MAX, end = 0;

	for (uint32_t i = 0; i < machine->nr_ranges; i++) {
		if (machine->range[i].start < start)
			start = machine->range[i].start;
		if (machine->range[i].end > end)
			end = machine->range[i].end;
	}
	return end > start ? end - start : 0;
}

uint64_t pcg_entries(const struct pcg_machine *machine)
{
	bytes_t page = page_bytes(machine);

	/* FLATMEM knows no sections; only without any map do they stand for one. */
	if (machine->flat && machine->nr_ranges)
		return spanned_bytes(machine) / page;
	/* Every frame of a present section has a record, RAM or hole. */
	return multiply(pcg_sections(machine), pcg_section_bytes(machine->arch) / page);
}

uint64_t pcg_array_bytes(const struct pcg_layout *layout, const struct pcg_machine *machine)
{
	assert(layout && machine);
	/* Slab objects come with charges and words lie in struct page: nothing at boot. */
	if (!layout->array)
		return 0;
	return multiply(pcg_entries(machine), pcg_record_bytes(layout, machine->arch));
}

bytes_t pcg_ram_bytes(const struct pcg_machine *machine)
{
	bytes_t sum = 0;

	if (!machine->nr_ranges)
		return multiply(machine->sections, pcg_section_bytes(machine->arch));
	for (uint32_t i = 0; i < machine->nr_ranges; i++)
		sum += machine->range[i].end - machine->range[i].start;
	return sum;
}

/* Where RAM ends; 0 without a map. */
static bytes_t map_end(const struct pcg_machine *machine)
{
	bytes_t end = 0;

	for (uint32_t i = 0; i < machine->nr_ranges; i++)
		if (machine->range[i].end > end)
			end = machine->range[i].end;
	return end;
}

enum err pcg_machine_check(const struct pcg_machine *machine, struct diag *diag)
{
	const struct arch_desc *arch = &archs[machine->arch];
	bytes_t most = (bytes_t)1 << arch->physical_bits;
	uint64_t sections = most >> arch->section_bits;
	char end[UNITS_TEXT_MAX], limit[UNITS_TEXT_MAX];

	assert(machine->nr_ranges <= PCG_RANGES_MAX);
	if (machine->flat && !arch->flat)
		return diag_fail(diag, ERR_USAGE, "flat: %s has no FLATMEM", arch->name);
	if (machine->flat && machine->sections)
		return diag_fail(diag, ERR_USAGE,
				 "flat: FLATMEM knows no sections, give the memory instead");
	if (machine->sections > sections)
		return diag_fail(diag, ERR_RANGE,
				 "sections: %" PRIu64 " is out of range (1 to %" PRIu64 " on %s)",
				 machine->sections, sections, arch->name);
	if (map_end(machine) > most)
		return diag_fail(diag, ERR_RANGE, "ram: up to %s, but %s can address %s at most",
				 units_format_size(map_end(machine), end), arch->name,
				 units_format_size(most, limit));
	return ERR_OK;
}

/* For diag_nearest(). */
static const char *arch_name_at(const void *ctx, size_t i)
{
	(void)ctx;
	return i < NR_PCG_ARCHS ? archs[i].name : NULL;
}

const char *pcg_arch_name(enum pcg_arch arch)
{
	assert(arch < NR_PCG_ARCHS);
	return archs[arch].name;
}

enum err pcg_arch_find(const char *name, enum pcg_arch *arch, struct diag *diag)
{
	assert(name && arch);
	for (size_t i = 0; i < NR_PCG_ARCHS; i++) {
		if (!strcmp(name, archs[i].name)) {
			*arch = (enum pcg_arch)i;
			return ERR_OK;
		}
	}
	return diag_fail(diag, ERR_NAME, "arch: \"%s\" is not known; the nearest is \"%s\"", name,
			 diag_nearest(name, arch_name_at, NULL));
}

/* Take @map's ranges over.  Given sections would override the new map, so they go. */
static void set_map(struct pcg_machine *machine, const struct pcg_machine *map)
{
	machine->page_bytes = page_bytes(machine);
	machine->sections = 0;
	machine->nr_ranges = map->nr_ranges;
	memcpy(machine->range, map->range, sizeof(machine->range));
}

enum err pcg_machine_ram(struct pcg_machine *machine, bytes_t ram, struct diag *diag)
{
	struct pcg_machine map = { .nr_ranges = 1, .range = { { 0, ram } } };

	assert(machine);
	if (!ram)
		return diag_fail(diag, ERR_USAGE, "ram: a machine needs at least one page");
	if (ram % page_bytes(machine))
		return diag_fail(diag, ERR_USAGE,
				 "ram: %" PRIu64 " is not whole pages of %" PRIu64 " bytes", ram,
				 page_bytes(machine));
	set_map(machine, &map);
	return ERR_OK;
}

/*
 * One bound of a range: @len characters of @text as a size.  What is too
 * long to be a sensible size is refused with the rest.
 */
static bool read_bound(const char *text, size_t len, bytes_t *value, bool *too_large)
{
	char copy[RANGE_TEXT_MAX];

	if (len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	*too_large |= units_too_large(UNIT_SIZE, copy);
	return units_parse(UNIT_SIZE, copy, value);
}

/* Both bounds of the range that @text begins with, @len characters of it. */
static enum err read_range(const char *text, size_t len, struct pcg_range *range, struct diag *diag)
{
	size_t low = strcspn(text, "-,");
	int shown = (int)(len < 64 ? len : 64);
	bool too_large = false;

	if (low < len && read_bound(text, low, &range->start, &too_large) &&
	    read_bound(text + low + 1, len - low - 1, &range->end, &too_large))
		return ERR_OK;
	if (too_large)
		return diag_fail(diag, ERR_USAGE, "ranges: \"%.*s\" is too large", shown, text);
	return diag_fail(diag, ERR_USAGE, "ranges: \"%.*s\" is not a range (write 0-3G,4G-4.75G)",
			 shown, text);
}

/*
 * Check @range, which must begin at @after or later.  Ranges that touch are
 * fine: firmware splits RAM for reasons of its own.
 */
static enum err check_range(const struct pcg_range *range, bytes_t after, bytes_t page,
			    struct diag *diag)
{
	if (range->start >= range->end)
		return diag_fail(diag, ERR_USAGE, "ranges: %" PRIu64 "-%" PRIu64 " is empty",
				 range->start, range->end);
	if (range->start % page || range->end % page)
		return diag_fail(diag, ERR_USAGE,
				 "ranges: %" PRIu64 "-%" PRIu64 " is not whole pages of %" PRIu64
				 " bytes",
				 range->start, range->end, page);
	if (range->start < after)
		return diag_fail(diag, ERR_USAGE,
				 "ranges: %" PRIu64 "-%" PRIu64
				 " overlaps or comes before the range ahead of it",
				 range->start, range->end);
	return ERR_OK;
}

enum err pcg_machine_ranges(struct pcg_machine *machine, const char *text, struct diag *diag)
{
	struct pcg_machine map = { .nr_ranges = 0 };
	bytes_t after = 0;
	const char *p;
	enum err err;

	assert(machine && text);
	p = text;
	for (;;) {
		struct pcg_range *range = &map.range[map.nr_ranges];
		size_t len = strcspn(p, ",");

		if (map.nr_ranges == PCG_RANGES_MAX)
			return diag_fail(diag, ERR_USAGE, "ranges: more than %d ranges",
					 PCG_RANGES_MAX);
		/* Words first, then sense: an unreadable range is not also called empty. */
		err = read_range(p, len, range, diag);
		if (!err)
			err = check_range(range, after, page_bytes(machine), diag);
		if (err)
			return err;
		after = range->end;
		map.nr_ranges++;
		if (!p[len])
			break;
		p += len + 1;
	}
	set_map(machine, &map);
	return ERR_OK;
}
