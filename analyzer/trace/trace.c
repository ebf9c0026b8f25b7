#include "base/minmax.h"
#include "base/search.h"
#include "trace/trace_private.h"

#include <math.h>
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
	size_t low =
		search_from(1, trace->window_count, i, trace->windows[i].start_ns <= time_ns) - 1;

	return &trace->windows[low];
}

/* Times of a trace can be anything: no sum of two overflows. */
#define MOST_WEIGHED_NS (INT64_MAX / 4)

static int64_t weigh_time(const struct trace_window *window, int64_t time_ns)
{
	double weighed_ns = window->weight * (double)time_ns;

	if (weighed_ns >= (double)MOST_WEIGHED_NS)
		return MOST_WEIGHED_NS;
	return weighed_ns > 0 ? llround(weighed_ns) : 0;
}

int64_t trace_recorded_ns(const struct trace *trace, int64_t time_ns)
{
	const struct trace_window *window;

	if (!trace->window_count)
		return time_ns;
	window = window_at(trace, time_ns);
	if (trace->is_sample)
		return window->before_ns +
		       weigh_time(window, min_ns(time_ns, window->end_ns) - window->counted_ns);
	if (time_ns <= window->start_ns)
		return window->before_ns;
	if (time_ns > window->end_ns)
		time_ns = window->end_ns;
	return window->before_ns + time_ns - window->start_ns;
}

double trace_weight(const struct trace *trace, int64_t time_ns)
{
	const struct trace_window *window;

	if (!trace->is_sample)
		return 1;
	window = window_at(trace, time_ns);
	return time_ns >= window->counted_ns && time_ns < window->end_ns ? window->weight : 0;
}

size_t trace_window_with(const struct trace *trace, uint32_t call)
{
	return search_from(1, trace->window_count, i, trace->windows[i - 1].end_call < call) - 1;
}

double trace_weight_of_call(const struct trace *trace, uint32_t call)
{
	const struct trace_window *window;

	if (!trace->is_sample)
		return 1;
	window = &trace->windows[trace_window_with(trace, call)];
	return call >= window->counted_call && call != window->end_call ? window->weight : 0;
}

size_t trace_window_of(const struct trace *trace, const struct trace_operation *operation)
{
	uint32_t call = operation->call ? (uint32_t)(operation->call - trace->calls) : 0;

	if (!trace->is_sample)
		return 0;
	return operation->call && trace_weight_of_call(trace, call) > 0
		       ? trace_window_with(trace, call)
		       : SIZE_MAX;
}

/* Neither of the two is more than MOST_WEIGHED_NS. */
static int64_t add_weighed(const struct trace_window *window, int64_t sum_ns, int64_t length_ns)
{
	return min_ns(MOST_WEIGHED_NS, sum_ns + weigh_time(window, length_ns));
}

int64_t trace_weigh_more(const struct trace *trace, size_t window, int64_t sum_ns,
			 int64_t length_ns)
{
	return trace->is_sample ? add_weighed(&trace->windows[window], sum_ns, length_ns)
				: sum_ns + length_ns;
}

static void begin_window(const struct trace *trace, struct trace_window *window)
{
	window->counted_ns = trace->calls[window->counted_call].start_ns;
	window->end_ns = window->end_call == NO_END_CALL ? window->counted_ns
							 : trace->calls[window->end_call].start_ns;
}

/* By what the call enqueued. */
static void extend_window(const struct trace *trace, const struct trace_call *call, int64_t end_ns)
{
	uint32_t index = call ? (uint32_t)(call - trace->calls) : 0;
	struct trace_window *window = &trace->windows[trace_window_with(trace, index)];

	if (!call)
		return;
	if (index < window->counted_call)
		window->counted_ns = max_ns(window->counted_ns, end_ns);
	window->end_ns = max_ns(window->end_ns, end_ns);
}

void trace_measure_windows(struct trace *trace)
{
	struct trace_window *last = &trace->windows[trace->window_count - 1];
	int64_t before_ns = 0;

	for (size_t i = 0; i < trace->window_count; i++)
		begin_window(trace, &trace->windows[i]);
	for (size_t i = 0; i < trace->operation_count; i++)
		extend_window(trace, trace->operations[i].call, trace->operations[i].end_ns);
	for (size_t i = 0; i < trace->host_function_count; i++)
		extend_window(trace, trace->host_functions[i].call,
			      trace->host_functions[i].end_ns);
	for (size_t i = last->counted_call; last->end_call == NO_END_CALL && i < trace->call_count;
	     i++)
		last->end_ns = max_ns(last->end_ns, trace->calls[i].end_ns);
	for (size_t i = 0; i < trace->window_count; i++) {
		struct trace_window *window = &trace->windows[i];

		if (window->goes_on)
			window->counted_ns = max_ns(window->counted_ns, window[-1].end_ns);
		window->before_ns = before_ns;
		before_ns = add_weighed(window, before_ns, window->end_ns - window->counted_ns);
	}
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
