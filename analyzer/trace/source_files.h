/*
 * The source files that a trace names, as they are on this machine. A trace names any file that it likes: open one
 * only on request. Any thread.
 */
#ifndef STREAMTRACE_SOURCE_FILES_H
#define STREAMTRACE_SOURCE_FILES_H

#include "trace/trace.h"

/* Longer files are no source. */
#define SOURCE_FILE_MOST_BYTES (16 << 20)

/* What is known of a file since the trace was recorded. */
enum source_age {
	SOURCE_UNKNOWN, /* the trace says neither when it began nor what the file was */
	SOURCE_SAME,
	SOURCE_CHANGED
};

/* Opens a regular file for reading. *path is its path as it was opened, which the caller must free(): a relative one
 * is below the traced program's working directory, or else below the current folder. -1: there is none, it is longer
 * than SOURCE_FILE_MOST_BYTES, or not below trace->source_folders, links followed; *path is NULL. */
int source_file_open(const struct trace *trace, const char *file, char **path);

/* The hash of the open file's bytes, as the table source_files has it. False: it cannot be read. */
bool source_file_hash(int descriptor, uint64_t *hash);

/* Whether the open file is as it was, by the hash that the trace has of it, else by its time. */
enum source_age source_file_age(const struct trace *trace, const char *file, int descriptor);

/* Returns the text of the open file with a 0 appended, which the caller must free(), and its *size without the 0. NULL:
 * it cannot be read. */
char *source_file_text(int descriptor, size_t *size);

#endif
