/*
 * The buffers that CUPTI fills with activity records.
 *
 * request and complete run on threads of the program or of CUPTI, take a short lock of their own
 * and never call CUPTI under it; take and give back are the writer thread's.
 */
#ifndef STREAMTRACE_ACTIVITY_BUFFERS_H
#define STREAMTRACE_ACTIVITY_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct activity_buffer {
	struct activity_buffer *next;
	size_t valid_bytes;
	bool is_discard; /* its records are lost: too many buffers wait for the writer */
	uint8_t *records;
};

/* Memory for CUPTI and its size. Never NULL, for before 12.9 CUPTI crashes on that: beyond a limit,
 * and without memory, it is a small buffer whose records are to be counted and thrown away. */
uint8_t *activity_buffers_request(size_t *bytes);

/* CUPTI gives a buffer back. Not NULL: a discard buffer; the caller counts its records and gives it
 * back. NULL: the writer will take it. */
struct activity_buffer *activity_buffers_complete(uint8_t *records, size_t valid_bytes);

/* All completed buffers, oldest first, to be given back one by one. */
struct activity_buffer *activity_buffers_take(void);
void activity_buffers_give_back(struct activity_buffer *buffer);

/* In a forked child: another thread of the parent may have held the lock. */
void activity_buffers_after_fork(void);

#endif
