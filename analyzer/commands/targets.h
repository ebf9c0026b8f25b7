/*
 * The files that a command writes. targets_check() refuses, before any work, to replace a file that the user needs:
 * a trace, a summary, an input. Statuses are those of enum exit_status (command.h). Other files are written as a
 * whole or not at all (base/output.h). A function that fails prints the reason. One thread.
 */
#ifndef STREAMTRACE_TARGETS_H
#define STREAMTRACE_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct target {
	const char *path;      /* the caller's text, not copied; NULL: standard output */
	struct output *output; /* NULL: the target is standard output, or closed */
	FILE *out;	       /* what the caller writes to; belongs to the target */
};

/* Returns EXIT_FINE, or EXIT_USAGE if one of the outputs must not be written. Such an output is the same file as an
 * input or another output, is a trace or a summary, or has the name of a database's log (-wal, -shm, -journal). NULL
 * among the outputs is standard output. Call before target_open(). */
int targets_check(const char *const *outputs, size_t output_count, const char *const *inputs,
		  size_t input_count);

/* Whether path is the name of a log (-wal, -shm, -journal) of a trace, a summary or another database that exists. */
bool target_is_of_database(const char *path);

/* Opens the target; path NULL: standard output. Returns EXIT_FINE, and the caller must call target_close(); or
 * EXIT_UNREADABLE, and there is nothing to close. */
int target_open(struct target *target, const char *path);

/* is_made true: puts the written file in place. is_made false: drops the written file, and an older file at path
 * stays. Returns status, or EXIT_UNREADABLE if the file could not be written. A zeroed or closed target may be
 * closed again. */
int target_close(struct target *target, bool is_made, int status);

#endif
