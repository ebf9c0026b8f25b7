/*
 * Makes pages of the program inaccessible, and accessible again. low and high must be multiples of
 * PAGE_BYTES.
 *
 * Any thread, signal handlers too: only system calls, no lock. Changes errno.
 */
#ifndef STREAMTRACE_FIRST_USE_PAGES_H
#define STREAMTRACE_FIRST_USE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_BYTES 4096u
#define PAGE_UP(x) (((x) + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1))

/* Makes the pages inaccessible. False: failed, perhaps for some of the pages only; the caller must
 * call pages_open(). */
bool pages_close(uintptr_t low, uintptr_t high);

/* Makes pages closed by pages_close() accessible; leaves readable pages of the range as they
 * are. */
void pages_open(uintptr_t low, uintptr_t high);

#endif
