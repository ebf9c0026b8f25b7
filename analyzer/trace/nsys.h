/*
 * SQLite exports of Nsight Systems, read as traces: nsys_columns.def and theirs_as_ours.sql.
 *
 * The file is not changed: what is made is temporary, of the connection. One thread.
 */
#ifndef STREAMTRACE_TRACE_NSYS_H
#define STREAMTRACE_TRACE_NSYS_H

#include "trace/database.h"

/* Makes the tables of a trace of what the database, which is one of Nsight Systems, has. A failure
 * stays in database->error. */
void nsys_prepare(struct database *database);

/* The text of theirs_as_ours.sql. */
extern const char theirs_as_ours_sql[] __attribute__((visibility("hidden")));

#endif
