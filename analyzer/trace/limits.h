/*
 * Restricts what a connection to a trace may do: traces are untrusted, and a small file can
 * describe endless rows. Calls SQLite; one thread for each connection.
 */
#ifndef STREAMTRACE_TRACE_LIMITS_H
#define STREAMTRACE_TRACE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct limits {
	/* Work done, and work allowed: steps of SQLite plus bytes of texts and blobs. */
	uint64_t work, work_most;
};

/* Restricts a new connection (a sqlite3), and fills in *limits. Views and triggers of the file are
 * not used, a value has at most 16 MB, and the work is limited to what reading the file a few times
 * takes. Beyond that, statements end with SQLITE_INTERRUPT. Call before the first statement.
 * file_bytes: of the file and its log. *limits must not move while the connection is open. */
void limits_set(void *connection, struct limits *limits, uint64_t file_bytes);

/* Adds the bytes of a value to the work. False: the limit is exceeded. */
bool limits_take(struct limits *limits, uint64_t bytes);

/* The message for a file that exceeds the limit. */
#define LIMITS_EXCEEDED "is damaged: its tables have more rows than fit into the file"

#endif
