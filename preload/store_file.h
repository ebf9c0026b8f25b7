/*
 * The file's name and descriptors, kept from doing the program harm. One trace a process.
 *
 * SQLite's descriptors get numbers that the program does not come to: one that closes what it did
 * not open (daemons do), and then opens files of its own, would get our numbers, and SQLite would
 * write into its files. It also keeps the low numbers that it has untraced.
 */
#ifndef STREAMTRACE_STORE_FILE_H
#define STREAMTRACE_STORE_FILE_H

#include <sqlite3.h>

#include <stdbool.h>
#include <stddef.h>

/* Once, before the first file is opened. vfs may be NULL: then descriptors are as SQLite has them.
 */
void store_file_initialize(sqlite3_vfs *vfs);

/* An empty file of mode 0600. What is there is replaced only when it is a regular file, a trace or
 * empty, and nobody writes to it. False with the reason in error[size]. */
bool store_file_create(const char *path, char *error, size_t error_size);

/* True when the program has closed our descriptor, and may have another file under its number:
 * SQLite would try for 10 seconds to lock it. */
bool store_file_is_gone(void);

#endif
