/* Calls of a trace's blocks, as rows. */
#ifndef STREAMTRACE_UNPACK_H
#define STREAMTRACE_UNPACK_H

#include <stdint.h>

/* Writes the calls that are in blocks as rows of `calls`, in one transaction. Their number, or -1 with
 * the reason in *error, malloc'ed: then the trace is as before. One thread. */
int64_t trace_unpack(const char *path, char **error);

#endif
