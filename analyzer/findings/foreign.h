/*
 * What cannot be judged in a trace that another tool recorded (trace/theirs_as_ours.sql), and what the
 * replay assumes there instead: the rows of foreign.def. One thread.
 */
#ifndef STREAMTRACE_FOREIGN_H
#define STREAMTRACE_FOREIGN_H

#include "findings/analysis.h"

/* Appends to analysis->not_seen; nothing for a trace of ours. */
void foreign_collect(struct analysis *analysis, const struct trace *trace);

#endif
