/*
 * Lines of the host by the GPU idle time behind them: the table of `report --host`, as text, md and csv. Failures to
 * write show in ferror(out). One thread.
 */
#ifndef STREAMTRACE_HOST_LINES_H
#define STREAMTRACE_HOST_LINES_H

#include "render/host_text.h"
#include "render/idle_table.h"

/* The idle time of a device, with the lines that a table shows of it. */
struct host_lines {
	const struct idle_table *table; /* table->host is not NULL */
	struct host_texts texts;
	char *title;	  /* whose time it is: "GPU", "Device 1" */
	size_t row_count; /* the first rows of table->host are shown */
	int64_t other_ns; /* of the rest */
};

/* Fills in *lines for table number `index`, from 0 on: one of the only device, or one for each device. all: show all
 * rows, else those that make up 95 % of the host's time, and 20 at most. False: there is no such table, or the trace
 * has no host states. True: the caller must free(lines->title). */
bool host_lines_choose(struct host_lines *lines, const struct analysis *analysis, size_t index,
		       bool all);

/* Returns the idle time as a sentence without a full stop: "GPU idle 63 ms (31.4 % of the run), 60 ms (95.2 %) of it
 * while the host was busy between calls". The caller frees the text. */
char *host_lines_title(const struct host_lines *lines, const struct analysis *analysis);

/* Columns of the table, and their names. */
enum host_column {
	HOST_GPU_IDLE,
	HOST_OF_IDLE,
	HOST_SEEN_SHARE,
	HOST_GAPS,
	HOST_WHAT,
	HOST_LINE,
	HOST_COLUMNS
};
extern const char *const host_column_names[HOST_COLUMNS];

/* A row as texts, which belong to it. */
struct host_cells {
	char *texts[HOST_COLUMNS];
	char *meanwhile; /* who ran during the line's waits; NULL: it has none */
};

/* How many rows the table has: the lines that are shown, and one for all others. */
size_t host_lines_count(const struct host_lines *lines);

/* Returns a row of the table. The caller must end it by host_cells_free(). */
struct host_cells host_lines_cells(const struct host_lines *lines, size_t index);
void host_cells_free(struct host_cells *cells);

/* Prints the table. False: out of memory. */
bool host_lines_print(const struct page *page, const struct host_lines *lines);

#endif
