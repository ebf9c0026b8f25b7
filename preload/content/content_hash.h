/*
 * Hashes of memory: of all of it, or of lines spread over it. 64 bits; a difference in any byte that is
 * read changes it but for a chance of 2^-64 or so. For memory that nobody prepares to deceive it.
 */
#ifndef STREAMTRACE_CONTENT_HASH_H
#define STREAMTRACE_CONTENT_HASH_H

#include "facts/content.h"

#include <stddef.h>
#include <stdint.h>

/* How many lines stand for so many bytes. */
size_t content_line_count(uint64_t bytes);

/* Of that many lines, the first and the last bytes among them; all bytes where there are no more. */
uint64_t content_hash_lines(const void *memory, uint64_t bytes, size_t lines);

uint64_t content_hash(const void *memory, uint64_t bytes);

/* The same, and the memory is in no cache then, where the processor can do that: a copy engine takes up to a quarter
 * longer to read what a core has in its own caches. */
uint64_t content_hash_in_passing(const void *memory, uint64_t bytes);

/* What the processor can do; before the first one in passing. */
void content_hash_initialize(void);

#endif
