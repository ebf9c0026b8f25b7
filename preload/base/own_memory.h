/*
 * Copies memory of this process that may be gone: a bad address makes a copy fail, and never faults.
 *
 * Through /proc/self/mem, with system calls that any program makes: a sandbox that ends a program
 * for process_vm_readv() does not end it for pread(). One thread (the looker of preload/host).
 */
#ifndef STREAMTRACE_OWN_MEMORY_H
#define STREAMTRACE_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies `bytes` from the address. False: some of them cannot be read; *to is then undefined. */
bool own_memory_read(void *to, uint64_t from, size_t bytes);

/* Opens the file anew if the program has closed it, or uses its number: call now and then. */
void own_memory_check(void);

/* Call in a forked child: the file is the parent's memory. */
void own_memory_after_fork(void);

#endif
