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

/* How many lines of 64 bytes content_look() (look.h) hashes of a buffer of this size: 8 to 64. */
size_t content_line_count(uint64_t bytes);

/* Hashes `lines` lines of 64 bytes (2 or more), spread evenly, the first and the last 64 bytes
 * included. If the buffer has no more bytes than these lines, the result is that of
 * content_hash(). */
uint64_t content_hash_lines(const void *memory, uint64_t bytes, size_t lines);

/* Hashes all bytes. */
uint64_t content_hash(const void *memory, uint64_t bytes);

/* Gives the hash of content_hash(), and leaves the memory in no cache, if the processor can do
 * that: a copy engine is up to a quarter slower in reading memory that lies in a core's caches. */
uint64_t content_hash_in_passing(const void *memory, uint64_t bytes);

/* Detects whether the processor can do that. Call once, before content_hash_in_passing(). */
void content_hash_initialize(void);

#endif
