/*
 * A table of descriptors that the calling thread shares with no other thread of the process.
 *
 * What a thread opens in the process's table takes the lowest free number for a moment: a program
 * that closes descriptor 1 and opens a file for its output would get another number. So a thread of
 * ours that opens files all the time has a table of its own. There the program can neither see nor
 * close what we opened; a forked child does not get it, and no limit that the program has reached
 * counts.
 */
#ifndef STREAMTRACE_HOST_DESCRIPTOR_TABLE_H
#define STREAMTRACE_HOST_DESCRIPTOR_TABLE_H

#include <stdbool.h>

/* Gives the calling thread an empty table of its own. False: the system does not allow it, and the
 * table is still the process's. The copies of the process's descriptors are closed at once, as in a
 * child that calls exec: a pipe whose other end waits for its end must not stay open. */
bool descriptor_table_separate(void);

#endif
