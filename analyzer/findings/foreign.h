/*
 * States what cannot be judged in a trace recorded by another tool (trace/theirs_as_ours.sql), and
 * what the replay assumes instead: the rows of foreign.def. One thread.
 */
#ifndef STREAMTRACE_FOREIGN_H
#define STREAMTRACE_FOREIGN_H

#include "findings/not_seen.h"

/* Appends the rows that apply to the list. Appends none if the trace is of libstrace.so. */
void foreign_collect(struct not_seen_list *list, const struct trace *trace);

#endif
