/*
 * Hashes of memory: of all of it, or of lines spread over it. 64 bits; a difference in any byte that is
 * read changes it but for a chance of 2^-64 or so. For memory that nobody prepares to deceive it.
 */
#ifndef STREAMTRACE_CONTENT_HASH_H
#define STREAMTRACE_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CONTENT_LINE_BYTES  64
#define CONTENT_LINES_LEAST 8
#define CONTENT_LINES_MOST  64

/* In calls.numbers (schema.sql): all bytes were hashed. */
#define CONTENT_IS_WHOLE (UINT32_C(1) << 31)

/* How many lines stand for so many bytes. */
size_t content_line_count(uint64_t bytes);

/* Of that many lines, the first and the last bytes among them; all bytes where there are no more. */
uint64_t content_hash_lines(const void *memory, uint64_t bytes, size_t lines);

uint64_t content_hash(const void *memory, uint64_t bytes);

#endif
