/*
 * SQLite's index of the write-ahead log, FILE-shm, without a mapped file in the traced program.
 *
 * SQLite maps the file, and so do those who read a trace that is being written. What somebody truncates, and
 * what a disk has no room for, is SIGBUS for who touches the mapping. Here SQLite gets memory in its place. All
 * that it shares it shares under locks on the file (https://sqlite.org/walformat.html, 2.3): when it has taken
 * one, what others wrote is read from the file, and before it releases one, what it changed is written there.
 *
 * One database a process, on the thread that uses it.
 */
#ifndef STREAMTRACE_WAL_INDEX_H
#define STREAMTRACE_WAL_INDEX_H

#include <sqlite3.h>

/* Once, before the first file is opened. */
void wal_index_initialize(sqlite3_vfs *vfs);

/* In a forked child: the index is the parent's. */
void wal_index_after_fork(void);

#endif
