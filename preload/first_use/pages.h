/*
 * Pages of the program made inaccessible, and accessible again. Whole pages: low and high are
 * multiples of PAGE_BYTES.
 *
 * Any thread and any signal handler: system calls alone, no lock. errno is the caller's to keep.
 */
#ifndef STREAMTRACE_FIRST_USE_PAGES_H
#define STREAMTRACE_FIRST_USE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_BYTES 4096u
#define PAGE_UP(x) (((x) + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1))

/* False: not all pages could be closed, perhaps some. */
bool pages_close(uintptr_t low, uintptr_t high);

/* Opens what pages_close() has closed; readable pages in the range stay as they are. */
void pages_open(uintptr_t low, uintptr_t high);

#endif
