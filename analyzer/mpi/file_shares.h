/*
 * Which process of streamtrace-mpi reads which file. Any thread.
 */
#ifndef STREAMTRACE_FILE_SHARES_H
#define STREAMTRACE_FILE_SHARES_H

#include <stddef.h>
#include <stdint.h>

/* Returns for each of the count files the number of the process that reads it, from 0 on. bytes: the files' sizes,
 * in any order. processes: how many processes there are, at least 1. The caller frees the array. Files are given out
 * from the largest to the smallest. A file goes to the process with the fewest bytes so far; between equal processes
 * it goes to the one with the fewest files, then to the lowest number. */
unsigned *spread_files(const uint64_t *bytes, size_t count, unsigned processes);

#endif
