/* How many of the host's processors are free for more threads of the program. Any thread. */
#ifndef STREAMTRACE_HOST_ROOM_H
#define STREAMTRACE_HOST_ROOM_H

#include "trace/trace.h"

struct host_room {
	/* Processors that the program may use, by its affinity and its control group's quota, less those
	 * that its threads used on average; 0 or more. What other processes use is not known. */
	double free_cpus;
	double running; /* threads that looks found running, on average; at least 1 */
};

/* Takes time linear in the host's states. Of a host of which the trace tells nothing
 * WORKERS_UNKNOWN_CPUS may be used. */
struct host_room host_room_of(const struct trace *trace);

#endif
