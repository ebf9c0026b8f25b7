/* The times in which the program was recorded. */
#include "trace/loader.h"

#include <string.h>

/* The one window of a run that was recorded as a whole says nothing that its rows do not. */
static bool is_whole_run(const struct trace *trace, bool is_first_of_start)
{
	return trace->window_count == 1 && is_first_of_start &&
	       trace->windows[0].end_ns == INT64_MAX;
}

void trace_read_windows(struct trace_loader *loader)
{
	VECTOR(struct trace_window) windows = {0};
	struct trace *trace = loader->trace;
	bool is_first_of_start = false;
	int64_t after_ns = 0;
	struct windows_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_windows, "ORDER BY id");
	while (rows_next_windows(&rows, &row)) {
		const int64_t end_ns = row_or(row.end_ns, INT64_MAX);

		if (after_ns == INT64_MAX)
			rows_fail(&rows, "the previous window has no end");
		rows_expect(&rows, "start_ns", row.start_ns, after_ns, INT64_MAX);
		rows_expect(&rows, "end_ns", end_ns, row.start_ns, INT64_MAX);
		after_ns = end_ns;
		if (!windows.count)
			is_first_of_start = strcmp(row.cause, "start") == 0;
		*vector_add(&windows) =
			(struct trace_window){.start_ns = row.start_ns, .end_ns = end_ns};
	}
	rows_close(&rows);
	vector_move(&windows, trace->windows, trace->window_count);
	if (is_whole_run(trace, is_first_of_start))
		trace->window_count = 0;
}

/* An open window ends with what it recorded last. */
static int64_t last_ns(const struct trace *trace, int64_t start_ns)
{
	int64_t end_ns = start_ns;
	size_t i;

	for (i = 0; i < trace->call_count; i++)
		if (trace->calls[i].end_ns > end_ns)
			end_ns = trace->calls[i].end_ns;
	for (i = 0; i < trace->operation_count; i++)
		if (trace->operations[i].end_ns > end_ns)
			end_ns = trace->operations[i].end_ns;
	return end_ns;
}

void trace_join_windows(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	int64_t before_ns = 0;
	size_t i;

	for (i = 0; i < trace->window_count; i++) {
		struct trace_window *window = &trace->windows[i];

		if (window->end_ns == INT64_MAX)
			window->end_ns = last_ns(trace, window->start_ns);
		window->before_ns = before_ns;
		before_ns += window->end_ns - window->start_ns;
	}
}
