/*
 * The files that a command writes. A name whose file the user would miss is refused before any work; other files
 * are written as a whole or not at all (base/output.h). What is wrong is printed. One thread.
 */
#ifndef STREAMTRACE_TARGETS_H
#define STREAMTRACE_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct target {
	const char *path;      /* as the user named it, not copied; NULL: standard output */
	struct output *output; /* NULL: standard output, or closed */
	FILE *out;	       /* what the caller writes to; belongs to the target */
};

/* Returns EXIT_USAGE if an output is the same file as an input or another output, is a trace or a summary, or has the
 * name of a database's log (-wal, -shm, -journal); else EXIT_FINE. NULL among the outputs is standard output. Call
 * before target_open(). */
int targets_check(const char *const *outputs, size_t output_count, const char *const *inputs,
		  size_t input_count);

/* Whether path is the name of a log (-wal, -shm, -journal) of a trace, a summary or another database that exists. */
bool target_is_of_database(const char *path);

/* Opens the target; path NULL: standard output. Returns EXIT_FINE, and target_close() is due; or EXIT_UNREADABLE,
 * and there is nothing to close. */
int target_open(struct target *target, const char *path);

/* is_made true: puts the written file in place. is_made false: drops it, and a file that was there stays. Returns
 * status, or EXIT_UNREADABLE if the file could not be written. A zeroed or closed target may be closed with is_made
 * false. */
int target_close(struct target *target, bool is_made, int status);

#endif
