/*
 * Advice to the kernel about files and memory, and what else says how an op
 * uses what it names.
 */
#ifndef MEMCGLAB_ENGINE_API_ADVICE_H
#define MEMCGLAB_ENGINE_API_ADVICE_H

/* posix_fadvise(2).  The first is what OP_FADVISE meant when it was the only one. */
enum fadvice {
	FADVICE_DONTNEED, FADVICE_NORMAL, FADVICE_RANDOM, FADVICE_SEQUENTIAL, FADVICE_WILLNEED,
	FADVICE_NOREUSE, NR_FADVICES
};

/* madvise(2).  Advice about the future holds for the whole mapping, whatever the span. */
enum madvice {
	MADVICE_NORMAL, MADVICE_RANDOM, MADVICE_SEQUENTIAL, MADVICE_WILLNEED, MADVICE_DONTNEED,
	MADVICE_FREE, MADVICE_COLD, MADVICE_PAGEOUT, NR_MADVICES
};

#endif
