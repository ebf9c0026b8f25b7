/*
 * A table with a row for each finding of one report, or of the reports of several processes as one list.
 * Failures to write show in ferror(page->out). One thread.
 */
#ifndef STREAMTRACE_FINDING_TABLE_H
#define STREAMTRACE_FINDING_TABLE_H

#include "findings/analysis.h"
#include "render/page.h"

struct finding_table;

/* Returns a table without rows, which the caller frees with finding_table_free(). */
struct finding_table *finding_table_create(void);

/* Frees the table. table may be NULL. */
void finding_table_free(struct finding_table *table);

/* Adds a row for each finding that the report shows; all: for folded findings, too. process: the process's name, for
 * a column of its own; NULL: no such column. The arguments are not kept. */
void finding_table_add(struct finding_table *table, const struct trace *trace,
		       const struct analysis *analysis, bool all, const char *process);

/* Prints the rows. If rows have a process, all rows are sorted by saving, the largest first. A narrow page lacks
 * columns that the findings' own blocks repeat. A table without rows prints nothing. False: memory ran out, and
 * nothing is printed. The caller still frees the table. */
bool finding_table_print(struct finding_table *table, const struct page *page);

/* Returns how many findings a report shows; all: folded findings, too. */
size_t finding_table_count(const struct analysis *analysis, bool all);

#endif
