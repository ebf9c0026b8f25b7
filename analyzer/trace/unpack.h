/* Blocks of a trace as rows. */
#ifndef STREAMTRACE_UNPACK_H
#define STREAMTRACE_UNPACK_H

#include <stdint.h>

struct trace_unpacked {
	int64_t calls, operations;
};

/* Writes the calls and operations that are in blocks as rows of `calls` and `operations`, in one
 * transaction, and says how many these were. -1 with the reason in *error, malloc'ed: then the trace is
 * as before. One thread. */
int trace_unpack(const char *path, struct trace_unpacked *unpacked, char **error);

#endif
