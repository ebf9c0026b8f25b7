/*
 * Copies memory of this process that may be gone: a bad address makes a copy fail, and never faults.
 *
 * Through /proc/thread-self/mem, with system calls that any program makes: a sandbox that ends a
 * program for process_vm_readv() does not end it for pread(). One thread, with a table of
 * descriptors of its own (host/descriptor_table.h): the file stays open.
 */
#ifndef STREAMTRACE_OWN_MEMORY_H
#define STREAMTRACE_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies `bytes` from the address. False: some of them cannot be read; *to is then undefined. */
bool own_memory_read(void *to, uint64_t from, size_t bytes);

/* False: nothing can be read, for as long as the process runs. */
bool own_memory_is_readable(void);

/* Call in a forked child, which does not have the file. */
void own_memory_after_fork(void);

#endif
