/*
 * Calls and operations of a trace that is made, as blocks: packed by the tracer's own code (preload/recorder/pack.h,
 * preload/store), so that what a benchmark reads is what a program leaves.
 *
 * One thread. Ends the program with a message when SQLite refuses something.
 */
#ifndef STREAMTRACE_TRACE_BLOCKS_H
#define STREAMTRACE_TRACE_BLOCKS_H

#include "facts/rows.h"

#include <sqlite3.h>

struct trace_blocks;

/* Of threads with the ids first_thread, first_thread + 1, ... The database has the schema. */
struct trace_blocks *trace_blocks_open(sqlite3 *database, int64_t first_thread, int64_t threads);

/* The next call of its thread. It has a site, and all columns between that and size_bytes; no arguments
 * where these are ROW_NULL; ids and the columns behind are left out. */
void trace_blocks_call(struct trace_blocks *blocks, const struct calls_row *row);

/* The next operation; name: a kernel's, or NULL. The row's name_id is set. */
void trace_blocks_operation(struct trace_blocks *blocks, struct operations_row *row,
			    const char *name);

/* Stores what is no block yet, and frees the blocks. */
void trace_blocks_close(struct trace_blocks *blocks);

#endif
