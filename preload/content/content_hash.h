/*
 * 64-bit hashes of memory, of all bytes or of lines spread over it. A change of any byte that is
 * read changes the hash, except with a chance of about 2^-64. Not secure against deliberate
 * collisions. Any thread.
 */
#ifndef STREAMTRACE_CONTENT_HASH_H
#define STREAMTRACE_CONTENT_HASH_H

#include "facts/content.h"

#include <stddef.h>
#include <stdint.h>

/* How many lines of 64 bytes are hashed of a buffer of this size. */
size_t content_line_count(uint64_t bytes);

/* Hashes so many lines, the first and last bytes included; all bytes if there are no more. */
uint64_t content_hash_lines(const void *memory, uint64_t bytes, size_t lines);

uint64_t content_hash(const void *memory, uint64_t bytes);

/* Gives the hash of content_hash(), and leaves the memory in no cache, if the processor can do
 * that: a copy engine is up to a quarter slower in reading memory that lies in a core's caches. */
uint64_t content_hash_in_passing(const void *memory, uint64_t bytes);

/* Detects whether it can. Call before content_hash_in_passing(). */
void content_hash_initialize(void);

#endif
