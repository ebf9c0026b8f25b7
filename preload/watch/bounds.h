/*
 * How many incidents may be written: so many an hour (STREAMTRACE_WATCH_HOUR), so many bytes a day
 * (STREAMTRACE_WATCH_DAY), and none on a disk that is nearly full. Writer thread only.
 */
#ifndef STREAMTRACE_WATCH_BOUNDS_H
#define STREAMTRACE_WATCH_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

enum bound { BOUND_NONE, BOUND_HOUR, BOUND_DAY, BOUND_DISK };

/* What forbids to write an incident into the folder now. now_ns: of CLOCK_MONOTONIC, as below. */
enum bound bounds_now(int64_t now_ns, const char *folder);

/* Counts an incident that is being written. */
void bounds_count(int64_t now_ns);

/* Counts bytes that were written, and says whether there may be more. */
bool bounds_add_bytes(int64_t now_ns, int64_t bytes);

/* Call in a forked child. */
void bounds_after_fork(void);

#endif
