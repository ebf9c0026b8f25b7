/*
 * Traces made by hand: preload/schema.sql plus rows.
 */
#ifndef STREAMTRACE_BUILD_TRACE_H
#define STREAMTRACE_BUILD_TRACE_H

#include <stddef.h>

/* Makes the trace at path anew: small pages, the schema, the rows of tests/cli/FILE (NULL: none),
 * then sql (NULL: none). Ends the program with a message when SQLite refuses something. */
void build_trace(const char *path, const char *file, const char *sql);

/* Runs sql on a database that is there. Ends the program as above. */
void change_trace(const char *path, const char *sql);

/* The same; blanks within quotes, between the bytes of X'..', are for people. */
void change_trace_spaced(const char *path, const char *sql);

/* A file's bytes with a NUL behind them, malloc'ed. Ends the program as above. */
char *read_file(const char *path, size_t *size);

/* What stands before it in a case of tests/detectors is SQL, what stands behind it must be found. */
#define CASE_FOUND "-- Found:\n"

/* The SQL of the case in the file at path, without prelude.sql, malloc'ed: behind that of the file of
 * tests/detectors that its line "-- Base: FILE" names. */
char *read_case(const char *path);

void write_file(const char *path, const void *bytes, size_t size);

/* A new temporary folder, malloc'ed. */
char *make_folder(void);

/* Removes a folder and the files in it. */
void remove_folder(const char *folder);

#endif
