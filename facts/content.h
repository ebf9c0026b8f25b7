/*
 * The hash of what a copy carried, as calls.numbers has it (preload/schema.sql).
 *
 * It is of lines spread over the copy's bytes, or of all of them: of a copy that has no more than the
 * least number of lines always, else only where its lines repeat those of the copies before.
 */
#ifndef STREAMTRACE_FACTS_CONTENT_H
#define STREAMTRACE_FACTS_CONTENT_H

#include <stdint.h>

#define CONTENT_LINE_BYTES  64
#define CONTENT_LINES_LEAST 8
#define CONTENT_LINES_MOST  64

/* A smaller copy has no hash: it takes as long as its call, which its bytes do not change. */
#define CONTENT_HASHED_LEAST_BYTES 256

/* All bytes were hashed; the other bits are the hash, not 0. */
#define CONTENT_IS_WHOLE (UINT32_C(1) << 31)

/* No larger ones are always hashed whole. */
#define CONTENT_SMALL_BYTES (CONTENT_LINE_BYTES * CONTENT_LINES_LEAST)

#endif
