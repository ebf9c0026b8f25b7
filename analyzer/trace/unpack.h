/* Blocks of a trace as rows. */
#ifndef STREAMTRACE_UNPACK_H
#define STREAMTRACE_UNPACK_H

#include <stdint.h>

struct trace_unpacked {
	int64_t calls, operations;
};

/* Writes what is in blocks as rows of `calls`, `operations` and `launch_arguments`, in one transaction, and
 * says how many calls and operations these were. -1 with the reason in *error, malloc'ed: then the trace is
 * as before. One thread. */
int trace_unpack(const char *path, struct trace_unpacked *unpacked, char **error);

#endif
