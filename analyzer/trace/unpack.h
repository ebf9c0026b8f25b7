/* Calls of a trace's blocks, as rows. */
#ifndef STREAMTRACE_UNPACK_H
#define STREAMTRACE_UNPACK_H

#include <stdint.h>

struct database;

/* Writes the calls that are in blocks as rows of `calls`, in one transaction. Their number, or -1 with
 * the reason in *error, malloc'ed: then the trace is as before. One thread. */
int64_t trace_unpack(const char *path, char **error);

/* The same in a transaction of the caller's, into whatever table the name `calls` means there; the
 * blocks stay. */
int64_t trace_unpack_rows(struct database *database);

#endif
