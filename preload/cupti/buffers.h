/*
 * The buffers that CUPTI fills with activity records.
 *
 * activity_buffers_take() is for the writer thread. The other functions run on any thread of the
 * program, of CUPTI or ours. All take a short lock, under which CUPTI is never called.
 */
#ifndef STREAMTRACE_ACTIVITY_BUFFERS_H
#define STREAMTRACE_ACTIVITY_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct activity_buffer {
	struct activity_buffer *next;
	size_t valid_bytes;
	bool is_discard; /* its records must be thrown away: too many buffers wait for the writer */
	uint8_t *records;
};

/* Returns a buffer for CUPTI, and its size in *bytes. Never NULL, because CUPTI before 12.9 crashes
 * on NULL. If too many buffers wait for the writer, or memory has run out, the result is a small
 * discard buffer. */
uint8_t *activity_buffers_request(size_t *bytes);

/* Call when CUPTI returns a buffer; records: its first byte. NULL: the writer will take the buffer.
 * Otherwise the result is a discard buffer: the caller must count its records as lost and give it
 * back. */
struct activity_buffer *activity_buffers_complete(uint8_t *records, size_t valid_bytes);

/* activity_buffers_take() returns all completed buffers, oldest first, linked by `next`; NULL:
 * none. The caller must give each back. */
struct activity_buffer *activity_buffers_take(void);
void activity_buffers_give_back(struct activity_buffer *buffer);

/* Call in a forked child: a thread of the parent may have held the lock. */
void activity_buffers_after_fork(void);

#endif
