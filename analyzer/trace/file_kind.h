/* Tells which of our kinds of file a file is, by the id in its header (facts/format.h). Any
 * thread. */
#ifndef STREAMTRACE_FILE_KIND_H
#define STREAMTRACE_FILE_KIND_H

/* FILE_DATABASE: another database of SQLite. */
enum file_kind { FILE_OTHER, FILE_EMPTY, FILE_DATABASE, FILE_TRACE, FILE_SUMMARY };

/* The kind of an open file; FILE_OTHER for -1. */
enum file_kind file_kind_of(int file);

/* The kind of the regular file at path. */
enum file_kind file_kind_at(const char *path);

#endif
