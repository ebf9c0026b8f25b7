/*
 * The format of calls.numbers for a copy: a hash of what it carried (preload/schema.sql).
 *
 * The hash covers lines spread over the copy's bytes, or all bytes: always if the copy has at most
 * CONTENT_SMALL_BYTES, otherwise only if its lines repeat those of earlier copies.
 */
#ifndef STREAMTRACE_FACTS_CONTENT_H
#define STREAMTRACE_FACTS_CONTENT_H

#include <stdint.h>

#define CONTENT_LINE_BYTES  64
#define CONTENT_LINES_LEAST 8
#define CONTENT_LINES_MOST  64

/* A smaller copy has no hash: its cost is that of the call, whatever the bytes. */
#define CONTENT_HASHED_LEAST_BYTES 256

/* This bit: all bytes were hashed. The other bits are the hash, never 0. */
#define CONTENT_IS_WHOLE (UINT32_C(1) << 31)

/* Copies up to this size are hashed whole. */
#define CONTENT_SMALL_BYTES (CONTENT_LINE_BYTES * CONTENT_LINES_LEAST)

#endif
