/* Which of our files one is, by the id in its header (facts/format.h). Any thread. */
#ifndef STREAMTRACE_FILE_KIND_H
#define STREAMTRACE_FILE_KIND_H

/* FILE_DATABASE: another one of SQLite's. */
enum file_kind { FILE_OTHER, FILE_EMPTY, FILE_DATABASE, FILE_TRACE, FILE_SUMMARY };

/* Of an open file; FILE_OTHER of -1. */
enum file_kind file_kind_of(int file);

/* Of the regular file at path. */
enum file_kind file_kind_at(const char *path);

#endif
