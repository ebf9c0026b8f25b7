#include "trace/private.h"

#include <string.h>

/* The one window of a run that was recorded as a whole says nothing that its rows do not. */
static bool is_whole_run(const struct trace *trace, bool is_first_of_start)
{
	return trace->window_count == 1 && is_first_of_start &&
	       trace->windows[0].end_ns == INT64_MAX;
}

void trace_read_windows(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_window window = {0};
	bool is_first_of_start = false;
	int64_t after_ns = 0;
	struct query query;

	if (trace->schema_version < SCHEMA_WITH_WINDOWS)
		return;
	query_open(&query, &loader->database, "windows",
		   "SELECT start_ns, end_ns, cause FROM windows ORDER BY id");
	while (query_next(&query)) {
		window.start_ns = query_integer(&query, 0, after_ns, TIME_LIMIT_NS);
		window.end_ns =
			query_optional(&query, 1, window.start_ns, TIME_LIMIT_NS, INT64_MAX);
		if (after_ns == INT64_MAX)
			query_fail(&query, "the window before it has no end");
		after_ns = window.end_ns;
		if (!trace->window_count)
			is_first_of_start = strcmp(query_text(&query, 2), "start") == 0;
		trace->windows = memory_grow(trace->windows, trace->window_count,
					     &loader->window_capacity, sizeof(window));
		trace->windows[trace->window_count++] = window;
	}
	query_close(&query);
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

/* The last window that begins by then, or the first one. */
static const struct trace_window *window_at(const struct trace *trace, int64_t time_ns)
{
	size_t low = 0, high = trace->window_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (trace->windows[middle].start_ns <= time_ns)
			low = middle;
		else
			high = middle;
	}
	return &trace->windows[low];
}

int64_t trace_recorded_ns(const struct trace *trace, int64_t time_ns)
{
	const struct trace_window *window;

	if (!trace->window_count)
		return time_ns;
	window = window_at(trace, time_ns);
	if (time_ns <= window->start_ns)
		return window->before_ns;
	if (time_ns > window->end_ns)
		time_ns = window->end_ns;
	return window->before_ns + time_ns - window->start_ns;
}

void trace_clip_to_window(const struct trace *trace, int64_t *start_ns, int64_t *end_ns)
{
	const struct trace_window *window, *behind = trace->windows + trace->window_count;

	if (!trace->window_count)
		return;
	window = window_at(trace, *start_ns);
	if (*start_ns >= window->end_ns && window + 1 < behind)
		window++;
	if (*start_ns < window->start_ns)
		*start_ns = window->start_ns;
	if (*end_ns > window->end_ns)
		*end_ns = window->end_ns;
	if (*end_ns < *start_ns)
		*end_ns = *start_ns;
}
