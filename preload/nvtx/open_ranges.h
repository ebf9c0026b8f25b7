/*
 * The ranges that are open on a thread, and how they get into its ring.
 *
 * Runs on the program's threads. A thread's memory is mapped at its first range and unmapped when
 * the thread ends.
 */
#ifndef STREAMTRACE_OPEN_RANGES_H
#define STREAMTRACE_OPEN_RANGES_H

#include "recorder/record.h"

#include <stdint.h>

/* nested ranges of a thread; deeper ones are counted as lost */
#define OPEN_RANGES_MOST 64

/* Opens a range on this thread, inside of those open. The function sets kind, id and time_ns. */
void open_ranges_push(union range_record *begin);

/* Ends this thread's innermost open range of the domain (NULL: the default domain). None: no
 * effect. */
void open_ranges_pop(const struct atom *domain);

/* Records this thread's waiting ranges, if the recorder takes ranges by now. */
void open_ranges_send_waiting(void);

/* Call in a forked child: no range is open on the calling thread. */
void open_ranges_after_fork(void);

/* Begins a range that any thread may end, and returns its id for open_ranges_end(). */
uint64_t open_ranges_start(union range_record *begin);
void open_ranges_end(uint64_t id);

#endif
