/* The file and its name, chosen so that they cannot harm the program. One trace a process. */
#ifndef STREAMTRACE_STORE_FILE_H
#define STREAMTRACE_STORE_FILE_H

#include <sqlite3.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once, before the first file is opened. vfs may be NULL: then descriptors are as SQLite has
 * them. */
void store_file_initialize(sqlite3_vfs *vfs);

/* An empty file of mode 0600 at path[size], or where that is taken at the next free name: trace.db,
 * trace.2.db, trace.3.db; path says which. Taken is a name whose trace is being written, or was
 * begun after since_ns of CLOCK_REALTIME: it belongs to the same run. An older trace, or an older
 * empty file, is replaced. What is no trace, and a symbolic link, is left alone: then, and where
 * no file can be made, false with the reason in error[error_size]. */
bool store_file_create(char *path, size_t size, int64_t since_ns, char *error, size_t error_size);

/* Removes the trace that was created at path, and what SQLite made beside it. */
void store_file_remove(const char *path);

/* Keeps some room on the disk, where the file system can, for the rows that say what a full disk did not take.
 * path: absolute. store_file_give_room(): gives half of it back, or all. */
void store_file_reserve(const char *path);
void store_file_give_room(bool all);

/* True when the program has closed our descriptor, and may have another file under its number:
 * SQLite would try for 10 seconds to lock it. */
bool store_file_is_gone(void);

/* In a forked child: the descriptors are the parent's, and stay as they are. */
void store_file_after_fork(void);

#endif
