/*
 * Keeps SQLite's index of the write-ahead log (FILE-shm) in plain memory, without mapping a file
 * into the traced program.
 *
 * SQLite maps the index file, as do readers of a trace being written. If someone truncates the
 * file, or the disk is full, a touch of the mapping raises SIGBUS. So here SQLite gets memory
 * instead. SQLite shares index data only under locks on the file
 * (https://sqlite.org/walformat.html, 2.3). So other processes' changes are read from the file
 * after SQLite has taken a lock, and its own changes are written to the file before it releases
 * one.
 *
 * One database a process, on the thread that uses it. If memory runs out, SQLite's mmap() fails,
 * and with it the statement that needed the index.
 */
#ifndef STREAMTRACE_WAL_INDEX_H
#define STREAMTRACE_WAL_INDEX_H

#include <sqlite3.h>

/* Replaces fcntl(), mmap() and munmap() of SQLite's vfs for the rest of the process. Call once,
 * before the first file is opened. */
void wal_index_initialize(sqlite3_vfs *vfs);

/* Call in a forked child: forgets the parent's index. */
void wal_index_after_fork(void);

#endif
