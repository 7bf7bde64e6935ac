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

/* madvise(2).  Advice about the future parts the mapping, so that it holds for the span alone. */
enum madvice {
	MADVICE_NORMAL, MADVICE_RANDOM, MADVICE_SEQUENTIAL, MADVICE_WILLNEED, MADVICE_DONTNEED,
	MADVICE_FREE, MADVICE_COLD, MADVICE_PAGEOUT, NR_MADVICES
};

/* The words of the manual pages, in lower case and without a prefix. */
const char *fadvice_name(enum fadvice advice);
const char *madvice_name(enum madvice advice);

enum {				/* op.flags */
	OPF_WRITE = 1,		/* the touch writes */
	OPF_RANDOM = 2,		/* of a read: no readahead; of a mapping: MADV_RANDOM; of an open
				   file: POSIX_FADV_RANDOM; of a new one: no readahead ever */
	OPF_DONTCACHE = 4,	/* of a read: RWF_DONTCACHE, what it brought in goes at once */
	OPF_LARGE = 8,		/* of a new file: its file system takes large folios */
	OPF_SEQUENTIAL = 16,	/* of a mapping: MADV_SEQUENTIAL; of an open file too */
	OPF_EXEC = 32,		/* of a mapping: it is executed */
	OPF_READ = 64,		/* of a touch: it only reads; else new memory is written */
	OPF_SHMEM = 128,	/* of a new file: it is one of tmpfs */
	OPF_FREE = 256		/* of kernel objects: they are freed */
};

#endif
