/*
 * A table of findings, a row each: of one report, or of the reports of several processes as one list. One
 * thread.
 */
#ifndef STREAMTRACE_FINDING_TABLE_H
#define STREAMTRACE_FINDING_TABLE_H

#include "findings/analysis.h"
#include "render/page.h"

struct finding_table;

/* A table without rows. Free it with finding_table_free(), which takes NULL, too. */
struct finding_table *finding_table_create(void);
void finding_table_free(struct finding_table *table);

/* Adds the findings that the report shows; all: folded ones, too. process: the text for a column of its own, or
 * NULL. The arguments are not kept. */
void finding_table_add(struct finding_table *table, const struct trace *trace,
		       const struct analysis *analysis, bool all, const char *process);

/* Prints the rows; those of several processes are sorted by saving, the largest first. On a narrow page it leaves out
 * columns that the findings' own blocks repeat. Prints nothing if there are no rows. False: out of memory, and nothing
 * is printed. */
bool finding_table_print(struct finding_table *table, const struct page *page);

/* How many findings a report shows; all: with folded ones. */
size_t finding_table_count(const struct analysis *analysis, bool all);

#endif
