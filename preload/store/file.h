/* Creates the trace's file under a name that harms no other file. One trace a process. */
#ifndef STREAMTRACE_STORE_FILE_H
#define STREAMTRACE_STORE_FILE_H

#include <sqlite3.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Call once, before the first file is opened. vfs: SQLite's, patched so that descriptors get high
 * numbers (own_files.h); NULL: not patched. */
void store_file_initialize(sqlite3_vfs *vfs);

/* Creates an empty file of mode 0600 at path[size], or if that name is taken at the next free one
 * (trace.db, trace.2.db, trace.3.db), and stores the name in path. A name is taken if its trace is
 * being written, or was begun after since_ns (CLOCK_REALTIME), so belongs to this run. An older
 * trace or older empty file is replaced. Other files and symbolic links are never touched. False:
 * no file could be made; error[error_size] has the reason. */
bool store_file_create(char *path, size_t size, int64_t since_ns, char *error, size_t error_size);

/* Removes the trace created at path, and SQLite's files beside it. */
void store_file_remove(const char *path);

/* Reserves room on the disk, if the file system can, for the rows that tell what a full disk did
 * not take. path: absolute. store_file_give_room(): gives half of it back, or all. */
void store_file_reserve(const char *path);
void store_file_give_room(bool all);

/* True: the program has closed our descriptor, and its number may belong to another file. SQLite
 * would try for 10 seconds to lock that. */
bool store_file_is_gone(void);

/* Call in a forked child: forgets the parent's descriptors without closing them. */
void store_file_after_fork(void);

#endif
