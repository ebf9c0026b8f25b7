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

/* Opens a range on this thread, inside its innermost open range. Sets kind, id and time_ns of
 * *begin, whose other fields the caller has set; *begin is copied. */
void open_ranges_push(union range_record *begin);

/* Ends this thread's innermost open range of the domain (NULL: the default domain). No effect if
 * the domain has no open range. */
void open_ranges_pop(const struct atom *domain);

/* Records this thread's waiting ranges, if recorder_takes_ranges() (recorder/recorder.h). */
void open_ranges_send_waiting(void);

/* Call in a forked child: forgets the open ranges of the calling thread, the only one there. */
void open_ranges_after_fork(void);

/* open_ranges_start() begins a range that any thread may end, sets *begin like open_ranges_push(),
 * and returns the id for open_ranges_end(). The end of a range whose begin was not recorded has no
 * effect. */
uint64_t open_ranges_start(union range_record *begin);
void open_ranges_end(uint64_t id);

#endif
