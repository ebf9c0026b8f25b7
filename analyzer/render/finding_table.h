/*
 * The findings of a report, a row each; or of the reports of several processes, as one list.
 */
#ifndef STREAMTRACE_FINDING_TABLE_H
#define STREAMTRACE_FINDING_TABLE_H

#include "findings/analysis.h"
#include "render/page.h"

struct finding_table;

struct finding_table *finding_table_create(void);
void finding_table_free(struct finding_table *table);

/* Adds the findings that a report shows; all: folded ones too. process: what the run is called in a
 * column of its own, or NULL. Nothing of the arguments is kept. */
void finding_table_add(struct finding_table *table, const struct trace *trace,
		       const struct analysis *analysis, bool all, const char *process);

/* Prints the rows, those of several processes with the largest saving first. Where the page is
 * narrow, columns are left out that the findings' own blocks have, too; where it is wide there is
 * one more. Nothing where there is no row. False: out of memory. */
bool finding_table_print(struct finding_table *table, const struct page *page);

/* How many findings a report shows. */
size_t finding_table_count(const struct analysis *analysis, bool all);

#endif
