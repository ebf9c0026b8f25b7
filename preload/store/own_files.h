/*
 * The descriptors that SQLite has open, kept apart from the program's.
 *
 * They get numbers that the program does not use. A program that closes what it did not open (daemons
 * do), and then opens files of its own, would get our numbers, and SQLite would write into its files.
 * The program also keeps the low numbers that it has untraced. And a program may make a file of its own
 * of any number (dup2): before each write, lock (wal_index.c) and close the number must still be
 * the file that was opened. A number that is taken between that look and the write is not seen. Writer
 * thread only, but for the last one.
 */
#ifndef STREAMTRACE_STORE_OWN_FILES_H
#define STREAMTRACE_STORE_OWN_FILES_H

#include <sqlite3.h>

#include <stdbool.h>
#include <sys/stat.h>

/* Once, before the first file is opened. */
void own_files_initialize(sqlite3_vfs *vfs);

/* Duplicates `file`, whose device and inode are those in *status, to a high number, closes it, and returns that
 * number; or `file` itself, where none is free. -1 with errno: the program has made another file of it meanwhile. */
int own_files_move_up(int file, const struct stat *status);

/* True while the number is the file that own_files_move_up() returned. */
bool own_files_has(int file);

/* In a forked child: the descriptors are the parent's, and stay as they are. */
void own_files_after_fork(void);

#endif
