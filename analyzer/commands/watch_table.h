/*
 * Shows programs in watch mode: as a table, or as a line each. Failures to write show in ferror(stdout). One thread.
 */
#ifndef STREAMTRACE_WATCH_TABLE_H
#define STREAMTRACE_WATCH_TABLE_H

#include "commands/gpu_share.h"
#include "commands/watch_pages.h"

/* Prints the table on standard output. gpu may be NULL. False: out of memory. */
bool watch_table_print(const struct watched_programs *programs, struct gpu_share *gpu);

/* Prints a line for each program, with the time of the day: for a log. */
void watch_table_log(const struct watched_programs *programs, struct gpu_share *gpu);

#endif
