/*
 * Makes pages of the program inaccessible or read-only, and accessible again. low and high must be
 * multiples of PAGE_BYTES.
 *
 * Any thread, signal handlers too: only system calls, no lock. Changes errno.
 */
#ifndef STREAMTRACE_FIRST_USE_PAGES_H
#define STREAMTRACE_FIRST_USE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_BYTES 4096u
#define PAGE_UP(x) (((x) + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1))

enum pages_access { PAGES_INACCESSIBLE, PAGES_READ_ONLY };

/* Leaves the program this access. False: failed, perhaps for some of the pages only; the caller
 * must call pages_open(). */
bool pages_close(uintptr_t low, uintptr_t high, enum pages_access access);

/* Makes pages closed by pages_close() accessible. access: as given to pages_close(); leaves pages
 * of the range as they are that are readable and should not be, or the other way round. */
void pages_open(uintptr_t low, uintptr_t high, enum pages_access access);

/* The word there; 0: it cannot be read. */
uintptr_t pages_word_at(const uintptr_t *word);

#endif
