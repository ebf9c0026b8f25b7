/* Blocks of a trace as rows. */
#ifndef STREAMTRACE_UNPACK_H
#define STREAMTRACE_UNPACK_H

#include "facts/rows.h"

#include <stdint.h>

struct database;

struct trace_unpacked {
	int64_t calls, operations;
};

/* Writes what is in blocks as rows of `calls`, `operations` and `launch_arguments`, in one transaction, and
 * says how many calls and operations these were. -1 with the reason in *error, malloc'ed: then the trace is
 * as before. One thread. */
int trace_unpack(const char *path, struct trace_unpacked *unpacked, char **error);

/* The same of one of these tables, in a transaction of the caller's, into whatever table its name means
 * there; the blocks stay. Returns the number of rows. */
int64_t trace_unpack_rows(struct database *database, enum row_table table);

#endif
