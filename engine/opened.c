/*
 * Open files.  Advice holds for one open file, as FMODE_RANDOM and the
 * readahead window do.  Follows generic_fadvise(), mm/fadvise.c, v6.18.
 */
#include "opened.h"

#include <assert.h>

/* The newest entry of a task for a file.  Returns: their number if there is none. */
static uint32_t entry_of(const struct machine *m, uint32_t task, uint32_t file, uint32_t handle)
{
	uint32_t i, nr = m->block.region[REGION_OPEN].used;

	for (i = nr; i-- > 0;)
		if (m->open[i].task == task && m->open[i].file == file &&
		    m->open[i].handle == handle)
			return i;
	return nr;
}

static struct open_file *entry_new(struct machine *m, struct open_file open)
{
	uint32_t i = block_take(&m->block, REGION_OPEN, 1);

	assert(open.task && open.file);
	if (i == UINT32_MAX) {
		machine_full(m, "too many open files for this version");
		return NULL;
	}
	open.prev_index = UINT64_MAX;
	m->open[i] = open;
	return &m->open[i];
}

struct open_file *opened_find(struct machine *m, uint32_t task, uint32_t file, uint32_t handle)
{
	uint32_t i = entry_of(m, task, file, handle);

	if (i == m->block.region[REGION_OPEN].used)
		return entry_new(
			m, (struct open_file){ .task = task, .file = file, .handle = handle });
	return &m->open[m->open[i].shared ? m->open[i].shared - 1 : i];
}

static bool is_shared(const struct machine *m, uint32_t entry)
{
	uint32_t i, nr = m->block.region[REGION_OPEN].used;

	for (i = 0; i < nr; i++)
		if (m->open[i].task && m->open[i].shared == entry + 1)
			return true;
	return false;
}

struct open_file *opened_anew(struct machine *m, uint32_t task, uint32_t file, uint32_t handle)
{
	struct open_file fresh = { .task = task, .file = file, .handle = handle };
	uint32_t i = entry_of(m, task, file, handle);

	if (i == m->block.region[REGION_OPEN].used)
		return entry_new(m, fresh);
	if (is_shared(m, i)) {
		m->open[i].task = 0;
		return entry_new(m, fresh);
	}
	fresh.prev_index = UINT64_MAX;
	m->open[i] = fresh;
	return &m->open[i];
}

void opened_fork(struct machine *m, uint32_t parent, uint32_t child)
{
	uint32_t i, nr = m->block.region[REGION_OPEN].used;

	for (i = 0; i < nr; i++) {
		struct open_file copy = m->open[i];

		if (copy.task != parent)
			continue;
		copy = (struct open_file){ .task = child,
					   .file = copy.file,
					   .handle = copy.handle,
					   .shared = copy.shared ? copy.shared : i + 1 };
		if (!entry_new(m, copy))
			return;
	}
}

void opened_advise(struct open_file *open, enum fadvice advice)
{
	assert(advice < NR_FADVICES);
	switch (advice) {
	case FADVICE_NORMAL:
		open->random = open->noreuse = open->twice = false;
		break;
	case FADVICE_RANDOM:
		open->random = true;
		break;
	case FADVICE_SEQUENTIAL:
		open->random = false;
		open->twice = true;
		break;
	case FADVICE_NOREUSE:
		open->noreuse = true;
		break;
	default:
		break;
	}
}
