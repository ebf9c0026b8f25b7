/*
 * Reads SQLite exports of Nsight Systems as traces, by nsys_columns.def and theirs_as_ours.sql.
 *
 * The file is not changed: what is made is temporary, and belongs to the connection. One thread.
 */
#ifndef STREAMTRACE_TRACE_NSYS_H
#define STREAMTRACE_TRACE_NSYS_H

#include "trace/database.h"

/* Makes a trace's tables from those of an export. A failure is kept in database->error. */
void nsys_prepare(struct database *database);

/* The text of theirs_as_ours.sql. */
extern const char theirs_as_ours_sql[] __attribute__((visibility("hidden")));

#endif
