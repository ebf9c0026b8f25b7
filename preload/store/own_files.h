/*
 * Keeps SQLite's file descriptors apart from the program's, by moving them to high numbers.
 *
 * A program that closes descriptors it did not open (daemons do) and then opens files would get our
 * numbers, and SQLite would write into its files. High numbers also leave the program the low
 * numbers that the program would have untraced. A program may also turn any number into a file of
 * its own (dup2): so before each write, lock (wal_index.c) and close the number is checked to be
 * still our file; a change between the check and the write is not seen. Writer thread only, except
 * own_files_after_fork().
 */
#ifndef STREAMTRACE_STORE_OWN_FILES_H
#define STREAMTRACE_STORE_OWN_FILES_H

#include <sqlite3.h>

#include <stdbool.h>
#include <sys/stat.h>

/* Makes the vfs write, truncate and close through the check above. Call once, before the first file
 * is opened. */
void own_files_initialize(sqlite3_vfs *vfs);

/* Duplicates `file` to a high number, closes it, and returns the new number, or `file` itself if no
 * high one is free. status: device and inode of `file`. -1 with errno: the number was the program's
 * by then, and was not closed. */
int own_files_move_up(int file, const struct stat *status);

/* Whether `file`, a result of own_files_move_up(), still is that file. False for any other
 * number. */
bool own_files_has(int file);

/* Closes `file`, unless the number is the program's by now. -1 is no file. */
void own_files_close(int file);

/* Call in a forked child: forgets the parent's descriptors without closing them. */
void own_files_after_fork(void);

#endif
