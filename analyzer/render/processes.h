/*
 * Prints the text reports of several processes: one list of all findings, then the reports. Failures to write show in
 * ferror() of the file. One thread.
 */
#ifndef STREAMTRACE_PROCESSES_H
#define STREAMTRACE_PROCESSES_H

#include "findings/analysis.h"
#include "render/page.h"

struct processes;

/* Returns a collection of reports that go to out, which must stay open until processes_print(). processes_print()
 * frees the collection. NULL: out of memory. */
struct processes *processes_create(FILE *out);

/* Adds the report of a process, which is kept in memory. all: the report has folded findings, too. The arguments are
 * not kept. False: memory ran out, and the report is incomplete; the caller still calls processes_print(). */
bool processes_add(struct processes *processes, const struct trace *trace,
		   const struct analysis *analysis, bool all);

/* Prints the list of findings if there are several processes, then the reports. Frees processes, also after false.
 * False: memory ran out, and no report is printed. */
bool processes_print(struct processes *processes);

#endif
