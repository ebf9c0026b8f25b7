/*
 * Prints the text reports of several processes: one list of all findings, then the reports. One thread.
 */
#ifndef STREAMTRACE_PROCESSES_H
#define STREAMTRACE_PROCESSES_H

#include "findings/analysis.h"
#include "render/page.h"

struct processes;

/* Reports that go to out. They are kept in memory until processes_print(). NULL: out of memory. */
struct processes *processes_create(FILE *out);

/* Adds the report of a process. all: folded findings, too. The arguments are not kept. False: out of memory. */
bool processes_add(struct processes *processes, const struct trace *trace,
		   const struct analysis *analysis, bool all);

/* Prints the list, if there are several processes, and the reports; and frees processes, in any case. False: out of
 * memory. */
bool processes_print(struct processes *processes);

#endif
