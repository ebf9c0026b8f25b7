#include "trace/private.h"

#include <stdlib.h>
#include <string.h>

const char *trace_metadata(const struct trace *trace, const char *key)
{
	for (size_t i = 0; i < trace->metadata_count; i++)
		if (strcmp(trace->metadata[i].key, key) == 0)
			return trace->metadata[i].value;
	return NULL;
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

static int compare_copies(const void *a, const void *b)
{
	const struct trace_first_use *x = a, *y = b;

	return (x->copy > y->copy) - (x->copy < y->copy);
}

void trace_sort_first_uses(struct trace *trace)
{
	if (trace->first_use_count)
		qsort(trace->first_uses, trace->first_use_count, sizeof(*trace->first_uses),
		      compare_copies);
}

const struct trace_first_use *trace_first_use_of(const struct trace *trace,
						 const struct trace_operation *copy)
{
	const struct trace_first_use key = {.copy = copy};

	return trace->first_use_count ? bsearch(&key, trace->first_uses, trace->first_use_count,
						sizeof(*trace->first_uses), compare_copies)
				      : NULL;
}

bool trace_is_touch(enum first_use_kind kind)
{
	switch (kind) {
	case FIRST_USE_READ:
	case FIRST_USE_WRITTEN:
	case FIRST_USE_SYSTEM_CALL:
	case FIRST_USE_GIVEN_UP: /* for all that is known */
		return true;
	default:
		return false;
	}
}

void trace_close(struct trace *trace)
{
	if (!trace)
		return;
	free(trace->functions);
	free(trace->streams);
	free(trace->contexts);
	free(trace->devices);
	free(trace->sites);
	free(trace->calls);
	free(trace->operations);
	free(trace->event_waits);
	free(trace->host_functions);
	free(trace->first_uses);
	free(trace->ranges);
	free(trace->losses);
	free(trace->tool_costs);
	free(trace->overheads);
	free(trace->migrations);
	free(trace->windows);
	free(trace->allocations);
	free(trace->arguments);
	free(trace->metadata);
	free(trace->tables);
	vector_free(&trace->private->arguments);
	vector_free(&trace->private->frames);
	vector_free(&trace->private->python_frames);
	vector_free(&trace->private->demangled);
	map_free(&trace->private->demangled_map);
	for (size_t i = 0; i < CONNECTIONS_MOST; i++) {
		forms_free(&trace->private->call_forms[i]);
		forms_free(&trace->private->operation_forms[i]);
	}
	forms_free(&trace->private->lent_forms);
	arena_free(&trace->private->arena);
	free(trace->private);
	free(trace);
}
