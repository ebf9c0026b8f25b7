/* Converts the blocks of a trace to rows. One thread. */
#ifndef STREAMTRACE_UNPACK_BLOCKS_H
#define STREAMTRACE_UNPACK_BLOCKS_H

#include "facts/rows.h"

#include <stdint.h>

struct database;

struct trace_unpacked {
	int64_t calls, operations;
};

/* Writes the calls, operations and launch arguments of the trace at path that are in blocks as
 * rows, in one transaction, and removes the blocks. *unpacked: how many calls and operations.
 * Returns 0 with *error NULL, or -1: it failed, the trace is as before, and *error is the reason,
 * which the caller must free(). */
int trace_unpack(const char *path, struct trace_unpacked *unpacked, char **error);

/* Writes the rows that `table` (calls, operations or launch_arguments) has in blocks into the table
 * of that name, inside the caller's transaction. Keeps the blocks. Returns the number of rows; a
 * failure is kept in database->error. */
int64_t trace_unpack_rows(struct database *database, enum row_table table);

#endif
