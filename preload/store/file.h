/* Creates the trace's file under a name that harms no other file. One trace at a time. Writer
 * thread only, but for store_file_initialize(), which runs before that thread exists, and
 * store_file_after_fork(). */
#ifndef STREAMTRACE_STORE_FILE_H
#define STREAMTRACE_STORE_FILE_H

#include <sqlite3.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Replaces system calls of SQLite's vfs by ours, so that descriptors get high numbers
 * (own_files.h). Call once, before the first file is opened. vfs: NULL, or one older than version
 * 3, is left alone. */
void store_file_initialize(sqlite3_vfs *vfs);

/* Creates an empty file of mode 0600 at path[size], or if that name is taken at the next free one
 * (trace.db, trace.2.db, trace.3.db), and stores the name in path. A name is taken if the trace of
 * that name is being written, or if its file was created at since_ns (CLOCK_REALTIME) or later:
 * then it belongs to this run. An older trace or older empty file is replaced. Other files and
 * symbolic links are never touched. False: no file could be made; error[error_size] has the
 * reason. */
bool store_file_create(char *path, size_t size, int64_t since_ns, char *error, size_t error_size);

/* Removes the trace created at path, and SQLite's files beside it. */
void store_file_remove(const char *path);

/* Reserves room on the disk, if the file system can, for the rows that tell what a full disk did
 * not take. path: the trace's absolute path. store_file_give_room() gives all of that room back;
 * half of it, if `all` is false. Without room both do nothing. */
void store_file_reserve(const char *path);
void store_file_give_room(bool all);

/* True: the program has closed the database's descriptor. The number may be another file's by now,
 * which SQLite would try for 10 seconds to lock. */
bool store_file_is_gone(void);

/* Call when SQLite has closed the trace: another one may be created. */
void store_file_close(void);

/* Call in a forked child: forgets the parent's descriptors without closing them. */
void store_file_after_fork(void);

#endif
