/*
 * page_cgroup: the record that ties a page frame to its memcg.  Layouts by
 * release and word size, and the bytes that a machine pays for them at boot.
 */
#ifndef MEMCGLAB_ENGINE_API_PCG_H
#define MEMCGLAB_ENGINE_API_PCG_H

#include <stdbool.h>

#include "diag.h"
#include "units.h"

enum pcg_arch { PCG_X86_64, PCG_X86, PCG_X86_PAE, NR_PCG_ARCHS };
enum { PCG_RANGES_MAX = 32, PCG_FIELDS_MAX = 6 };

struct pcg_range { bytes_t start, end; };	/* [start, end) of RAM, page aligned */

struct pcg_machine {
	enum pcg_arch arch;
	bool flat;			/* FLATMEM: spanned pages, holes included */
	bytes_t page_bytes;		/* 4096 unless said */
	uint32_t nr_ranges;
	struct pcg_range range[PCG_RANGES_MAX];
	uint64_t sections;		/* if not 0: present sections, overrides the map */
};

struct pcg_field {
	const char *name;		/* "mem_cgroup" */
	uint8_t bytes64, bytes32;
	const char *doc;
	const char *brief;		/* the same in at most 16 letters; NULL: doc is as short */
};

/* How one owner-record layout looks and where it is kept. */
struct pcg_layout {
	const char *name;		/* value of the owner axis: "slab40", "array32" … */
	const char *doc;
	bool array;			/* paid at boot for every frame; else per charged page */
	bool word;			/* struct page holds a pointer for it */
	bool kmalloc;			/* a record is from the general caches, not from its own */
	bool chunked;			/* records come in chunks, leaves of a radix tree */
	struct pcg_field field[PCG_FIELDS_MAX];
};

size_t pcg_layout_count(void);
const struct pcg_layout *pcg_layout_at(size_t i);	/* index = value of AXIS_OWNER */

/* pcg_section_bytes - bytes of physical address space in one section. */
bytes_t pcg_section_bytes(enum pcg_arch arch);

/* pcg_record_bytes - bytes of one record with alignment, 0 if there is none. */
uint64_t pcg_record_bytes(const struct pcg_layout *layout, enum pcg_arch arch);

/* pcg_sections - sections in which any RAM lies (SPARSEMEM). */
uint64_t pcg_sections(const struct pcg_machine *machine);

/* pcg_entries - frames that get a record: present sections' pages, or spanned pages if flat. */
uint64_t pcg_entries(const struct pcg_machine *machine);

/* pcg_array_bytes - bytes allocated at boot; 0 for layouts without an array. */
uint64_t pcg_array_bytes(const struct pcg_layout *layout, const struct pcg_machine *machine);

/* pcg_ram_bytes - RAM in the map (or in the given sections). */
bytes_t pcg_ram_bytes(const struct pcg_machine *machine);

/* pcg_arch_find - by name: x86-64, x86, x86-pae.  Returns: ERR_NAME with the nearest. */
const char *pcg_arch_name(enum pcg_arch arch);
enum err pcg_arch_find(const char *name, enum pcg_arch *arch, struct diag *diag);

/**
 * pcg_machine_ram - a machine with @ram bytes in one range from 0
 * pcg_machine_ranges - "0-3G,4G-4.75G"
 *
 * Both replace the map and forget .sections; .arch, .flat and .page_bytes
 * stay (a .page_bytes of 0 becomes PAGE_BYTES), so start from a zeroed
 * machine.  On failure the machine is untouched.
 * Returns: ERR_USAGE for an unreadable, empty, unordered or overlapping map.
 */
enum err pcg_machine_ram(struct pcg_machine *machine, bytes_t ram, struct diag *diag);
enum err pcg_machine_ranges(struct pcg_machine *machine, const char *text, struct diag *diag);

/**
 * pcg_machine_check - can there be such a machine?
 * Returns: ERR_USAGE for FLATMEM where it cannot be chosen or with sections,
 * ERR_RANGE for more sections or RAM than the architecture can address.
 */
enum err pcg_machine_check(const struct pcg_machine *machine, struct diag *diag);

#endif
