/*
 * Which process reads which file. Any thread.
 */
#ifndef STREAMTRACE_MPI_SPREAD_H
#define STREAMTRACE_MPI_SPREAD_H

#include <stddef.h>
#include <stdint.h>

/* By index the process of each file, malloc'ed: the largest file first, each to the process that has
 * the fewest bytes, of equal ones to the one with the fewest files, then to the lowest. */
unsigned *spread_files(const uint64_t *bytes, size_t count, unsigned processes);

#endif
