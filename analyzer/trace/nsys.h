/*
 * Reads SQLite exports of Nsight Systems as traces, by nsys_columns.def and theirs_as_ours.sql.
 *
 * The file is not changed: the tables made are temporary, and belong to the connection. One thread.
 */
#ifndef STREAMTRACE_TRACE_NSYS_H
#define STREAMTRACE_TRACE_NSYS_H

#include "trace/database.h"

/* Makes a trace's tables from those of an export. Call after database_open() that set is_nsys, and
 * before anything is read. A failure is kept in database->error. */
void nsys_prepare(struct database *database);

/* The text of theirs_as_ours.sql. */
extern const char theirs_as_ours_sql[] __attribute__((visibility("hidden")));

#endif
