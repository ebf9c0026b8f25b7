/* How many of the host's processors the program may use, and could use more of. Any thread. */
#ifndef STREAMTRACE_HOST_ROOM_H
#define STREAMTRACE_HOST_ROOM_H

#include "trace/trace.h"

/* How many more threads the processors could run all the time; 0 or more. Of a host of which the trace
 * tells nothing: one less than WORKERS_UNKNOWN_CPUS. */
double host_room_cpus(const struct trace *trace);

/* How many processors were in use on average beside one thread, by whomever; at least 1. */
double host_room_others(const struct trace *trace);

#endif
