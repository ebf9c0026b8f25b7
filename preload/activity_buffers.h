/*
 * The buffers that CUPTI fills with activity records.
 *
 * request and complete run on threads of the program or of CUPTI, take a short lock of their own
 * and never call CUPTI under it; take and give back are the writer thread's.
 */
#ifndef STREAMTRACE_ACTIVITY_BUFFERS_H
#define STREAMTRACE_ACTIVITY_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

struct activity_buffer {
	struct activity_buffer *next;
	size_t valid_bytes;
	uint8_t *records;
};

/* Bytes of each buffer. CUPTI advises 1 to 10 MB; since 13.0 there is one a thread. */
#define ACTIVITY_BUFFER_BYTES ((size_t)2 << 20)

/* Memory for CUPTI, never NULL: before 12.9 it crashes on that. When no memory is to be had it is
 * the discard buffer, whose records are lost and counted. */
uint8_t *activity_buffers_request(void);

/* CUPTI gives a buffer back. False: it was the discard buffer, the caller counts its records. */
int activity_buffers_complete(uint8_t *records, size_t valid_bytes);

/* All completed buffers, oldest first, to be given back one by one. */
struct activity_buffer *activity_buffers_take(void);
void activity_buffers_give_back(struct activity_buffer *buffer);

#endif
