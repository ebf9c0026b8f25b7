/*
 * The buffers that CUPTI fills with activity records.
 *
 * activity_buffers_request() and activity_buffers_complete() run on threads of the program or of
 * CUPTI, and take a short lock, under which CUPTI is never called. The other functions are for the
 * writer thread.
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

/* A buffer for CUPTI; *bytes: its size. Never NULL, because CUPTI before 12.9 crashes on NULL: if
 * too many wait, or without memory, a small discard buffer. */
uint8_t *activity_buffers_request(size_t *bytes);

/* Call when CUPTI returns a buffer. Not NULL: a discard buffer; count its records as lost and give
 * it back. NULL: the writer will take it. */
struct activity_buffer *activity_buffers_complete(uint8_t *records, size_t valid_bytes);

/* All completed buffers, oldest first, linked by `next`. Give each back. */
struct activity_buffer *activity_buffers_take(void);
void activity_buffers_give_back(struct activity_buffer *buffer);

/* Call in a forked child: a thread of the parent may have held the lock. */
void activity_buffers_after_fork(void);

#endif
