/*
 * The files that a command makes: what would cost the user something is refused before any work, and the rest is
 * written whole or not at all (base/output.h). What is wrong is printed. One thread.
 */
#ifndef STREAMTRACE_TARGETS_H
#define STREAMTRACE_TARGETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct target {
	const char *path; /* as the user names it, who owns it; NULL: standard output */
	struct output *output;
	FILE *out;
};

/* EXIT_FINE, or EXIT_USAGE where one of the outputs is one of the inputs, is another one of the outputs, is a trace
 * or a summary, or belongs to a database as its log, its log's index or its journal. NULL among the outputs stands
 * for standard output. */
int targets_check(const char *const *outputs, size_t output_count, const char *const *inputs,
		  size_t input_count);

/* Whether the name is that of the log, its index or the journal of a database that is there. */
bool target_is_of_database(const char *path);

/* EXIT_FINE, or EXIT_UNREADABLE, and then nothing is to be closed. */
int target_open(struct target *target, const char *path);

/* is_made: false leaves the file that was there, if any. Returns status, or EXIT_UNREADABLE where the target could
 * not be written. */
int target_close(struct target *target, bool is_made, int status);

#endif
