/*
 * Which process of streamtrace-mpi reads which file. Any thread.
 */
#ifndef STREAMTRACE_FILE_SHARES_H
#define STREAMTRACE_FILE_SHARES_H

#include <stddef.h>
#include <stdint.h>

/* The process of each of the count files, whose sizes are bytes[]; processes is at least 1. The caller frees the
 * result. The largest file is given out first; each goes to the process with the fewest bytes so far, of equal
 * ones to that with the fewest files, then to the lowest. */
unsigned *spread_files(const uint64_t *bytes, size_t count, unsigned processes);

#endif
