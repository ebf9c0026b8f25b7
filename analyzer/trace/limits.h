/*
 * What a connection to a trace allows: traces are untrusted, and a small file can describe endless
 * rows. Calls SQLite; one thread a connection.
 */
#ifndef STREAMTRACE_TRACE_LIMITS_H
#define STREAMTRACE_TRACE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct limits {
	uint64_t work, work_most; /* steps of SQLite, and bytes of texts */
};

/* For a new connection (sqlite3), before its first statement: nothing that the file's own schema
 * computes, no value of more than 16 MB, and no more work than it takes to read the file a few times:
 * then the statement ends with SQLITE_INTERRUPT. file_bytes: with its log. limits must not move while
 * the connection is open. */
void limits_set(void *connection, struct limits *limits, uint64_t file_bytes);

/* Adds the bytes of a value to the work. False: that was too much. */
bool limits_take(struct limits *limits, uint64_t bytes);

/* What is to be said of a file that was too much. */
#define LIMITS_EXCEEDED "is damaged: its tables have more rows than fit into the file"

#endif
