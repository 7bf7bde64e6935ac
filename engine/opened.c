/*
 * Open files.  Advice holds for one open file, as FMODE_RANDOM and the
 * readahead window do.  Follows generic_fadvise(), mm/fadvise.c, v6.18.
 */
#include "opened.h"

#include <assert.h>

struct open_file *opened_find(struct machine *m, uint32_t task, uint32_t file, uint32_t handle)
{
	uint32_t i, nr = m->block.region[REGION_OPEN].used;

	for (i = nr; i-- > 0;)
		if (m->open[i].task == task && m->open[i].file == file &&
		    m->open[i].handle == handle)
			return &m->open[i];
	i = block_take(&m->block, REGION_OPEN, 1);
	if (i == UINT32_MAX) {
		machine_full(m, "too many open files for this version");
		return NULL;
	}
	m->open[i].task = task;
	m->open[i].file = file;
	m->open[i].handle = handle;
	opened_anew(&m->open[i]);
	return &m->open[i];
}

void opened_anew(struct open_file *open)
{
	*open = (struct open_file){
		.task = open->task, .file = open->file, .handle = open->handle,
		.prev_index = UINT64_MAX };
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
