/* Prints accesses that conflict without an order, as text. Failures to write show in ferror(page->out). One thread. */
#ifndef STREAMTRACE_RACE_TEXT_H
#define STREAMTRACE_RACE_TEXT_H

#include "findings/analysis.h"
#include "render/page.h"

/* The first screen's line for the first race that is certain: "RACE: ...". Prints nothing if there is none. */
void print_race_alarm(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis);

/* The section of all races. all: also those that are possible and those that only luck orders; otherwise their number. */
void print_races(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all);

#endif
