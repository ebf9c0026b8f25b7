/* Tells which of our kinds of file a file is, by the id in its header (facts/format.h). Any
 * thread. */
#ifndef STREAMTRACE_FILE_KIND_H
#define STREAMTRACE_FILE_KIND_H

/* FILE_EMPTY: 0 bytes; FILE_DATABASE: a database of SQLite, but none of ours; FILE_OTHER: anything
 * else, and what cannot be read. */
enum file_kind { FILE_OTHER, FILE_EMPTY, FILE_DATABASE, FILE_TRACE, FILE_SUMMARY };

/* The kind of an open file, by its descriptor, whose offset stays. FILE_OTHER for -1. */
enum file_kind file_kind_of(int file);

/* The kind of the file at path; FILE_OTHER if it is no regular file. */
enum file_kind file_kind_at(const char *path);

#endif
