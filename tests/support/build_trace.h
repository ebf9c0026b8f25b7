/*
 * Traces made by hand: preload/schema.sql plus rows. A function that fails ends the program with a message. A result
 * is malloc'ed, and the caller frees it. One thread.
 */
#ifndef STREAMTRACE_BUILD_TRACE_H
#define STREAMTRACE_BUILD_TRACE_H

#include <stddef.h>

/* Makes the trace at path anew: small pages and the schema, then the SQL of tests/cli/FILE, then sql. file and sql
 * may be NULL. */
void build_trace(const char *path, const char *file, const char *sql);

/* Runs sql on the database at path. */
void change_trace(const char *path, const char *sql);

/* Runs sql without the blanks inside its quotes: they make the bytes of X'..' readable. */
void change_trace_spaced(const char *path, const char *sql);

/* Returns the file's bytes, with a NUL behind them. size may be NULL; else *size is the number of bytes without the
 * NUL. */
char *read_file(const char *path, size_t *size);

/* In a case of tests/detectors, SQL stands before this line, and what the report must find stands behind it. */
#define CASE_FOUND "-- Found:\n"

/* Returns the SQL of the case at path, without prelude.sql. If the case has a line "-- Base: FILE", the SQL of that
 * file of tests/detectors comes before the case's own. */
char *read_case(const char *path);

/* Makes the file at path, or replaces its bytes. */
void write_file(const char *path, const void *bytes, size_t size);

/* Makes a temporary folder and returns its path. */
char *make_folder(void);

/* Removes a folder with the files and folders in it. A failure is printed, and does not end the program. */
void remove_folder(const char *folder);

#endif
