/*
 * The lock of a file, which write(2) holds for all that it does.
 */
#ifndef MEMCGLAB_ENGINE_INODE_LOCK_H
#define MEMCGLAB_ENGINE_INODE_LOCK_H

#include "machine.h"

/**
 * inode_lock_held - a write of @pages pages of @file, which began at @since [ns], is done
 * Time passes for what it copies (inode_hold_ns); then the file's lock is
 * noted as held from @since on.  Nothing happens where locks are not modelled.
 * After: generic_file_aio_write(), mm/filemap.c, v3.5.
 * MODEL: the same lock in every kernel; a task that waits for it keeps its
 * CPU, as one that spins on its owner does; counters' locks that the write
 * takes are noted before it.
 */
void inode_lock_held(struct machine *m, uint32_t file, pages_t pages, ns_t since);

#endif
