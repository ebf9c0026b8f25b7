/* Converts the blocks of a trace to rows. */
#ifndef STREAMTRACE_UNPACK_BLOCKS_H
#define STREAMTRACE_UNPACK_BLOCKS_H

#include "facts/rows.h"

#include <stdint.h>

struct database;

struct trace_unpacked {
	int64_t calls, operations;
};

/* Writes the calls, operations and launch arguments in blocks as rows, in one transaction; stores
 * how many in *unpacked. 0, or -1: failed, the trace is as before, and *error is the reason, to be
 * freed. One thread. */
int trace_unpack(const char *path, struct trace_unpacked *unpacked, char **error);

/* Writes the rows of one of these tables into whatever table has its name, inside the caller's
 * transaction; keeps the blocks. Returns the number of rows. */
int64_t trace_unpack_rows(struct database *database, enum row_table table);

#endif
