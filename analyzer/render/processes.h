/*
 * The text reports of several processes: one list of what all of them can save, then the reports.
 */
#ifndef STREAMTRACE_PROCESSES_H
#define STREAMTRACE_PROCESSES_H

#include "findings/analysis.h"
#include "render/page.h"

struct processes;

/* NULL: out of memory. */
struct processes *processes_create(FILE *out);

/* False: out of memory. */
bool processes_add(struct processes *processes, const struct trace *trace,
		   const struct analysis *analysis, bool all);

/* Prints them and frees the processes. False: out of memory. */
bool processes_print(struct processes *processes);

#endif
