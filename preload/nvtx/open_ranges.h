/*
 * The ranges that are open on a thread, and their way into its ring.
 *
 * Runs on the program's threads. A thread's memory is mapped at its first range, and unmapped when
 * it ends.
 */
#ifndef STREAMTRACE_OPEN_RANGES_H
#define STREAMTRACE_OPEN_RANGES_H

#include "recorder/record.h"

#include <stdint.h>

/* Ranges in each other; deeper ones are counted as lost. */
#define OPEN_RANGES_MOST 64

/* kind, id and time_ns are set here. */
void open_ranges_push(union range_record *begin);

/* Ends the innermost range of the domain; none is open: no effect. */
void open_ranges_pop(const struct atom *domain);

/* What waits goes into the ring, if that can be by now. */
void open_ranges_send_waiting(void);

/* In a forked child: none is open. */
void open_ranges_after_fork(void);

/* A range that any thread may end; its id. */
uint64_t open_ranges_start(union range_record *begin);
void open_ranges_end(uint64_t id);

#endif
