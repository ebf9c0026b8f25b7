/* Several windows of one recording. */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "replay/observed/timeline_private.h"

#include <math.h>

size_t timeline_window_of(const struct timeline *timeline, int64_t time_ns)
{
	const struct trace *trace = timeline->model->trace;
	size_t low = search(trace->window_count, i, trace->windows[i].start_ns <= time_ns);

	low = low ? low - 1 : 0;
	return trace->is_sample ? trace->windows[low].row : low;
}

/* Of a sample: what of its window belongs to the call. */
static uint32_t part_of(const struct trace *trace, const struct trace_call *call)
{
	uint32_t index = call ? (uint32_t)(call - trace->calls) : 0;
	size_t window = trace_window_with(trace, index);

	return call ? (uint32_t)(2 * window) + (index < trace->windows[window].counted_call)
		    : TIMELINE_NO_PART;
}

static uint32_t *find_parts(const struct model *model)
{
	const struct trace *trace = model->trace;
	uint32_t *parts =
		memory_array(model->operation_count + trace->host_function_count, sizeof(*parts));

	for (size_t i = 0; i < model->operation_count; i++)
		parts[i] = part_of(trace, model->operations[i].operation->call);
	for (size_t i = 0; i < trace->host_function_count; i++)
		parts[model->operation_count + i] = part_of(trace, trace->host_functions[i].call);
	return parts;
}

static void extend_window(struct timeline *timeline, int64_t enqueued_ns, int64_t start_ns,
			  int64_t end_ns)
{
	struct timeline_window *window =
		&timeline->windows[timeline_window_of(timeline, enqueued_ns)];

	window->start_ns = min_ns(window->start_ns, start_ns - timeline->origin_ns);
	window->end_ns = max_ns(window->end_ns, end_ns - timeline->origin_ns);
}

void timeline_find_windows(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;

	if (trace->is_sample)
		timeline->parts = find_parts(timeline->model);
	if (trace->window_count < 2)
		return;
	timeline->windows = memory_array(trace->window_count, sizeof(*timeline->windows));
	for (size_t i = 0; i < trace->window_count; i++)
		timeline->windows[i] = (struct timeline_window){INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < trace->call_count; i++)
		extend_window(timeline, trace->calls[i].start_ns, trace->calls[i].start_ns,
			      trace->calls[i].end_ns);
	for (size_t i = 0; i < trace->operation_count; i++)
		extend_window(timeline, model_enqueue_ns(&trace->operations[i]),
			      trace->operations[i].start_ns, trace->operations[i].end_ns);
}

/* Of what came behind its end nothing is known. */
static int64_t window_ns(const struct timeline *timeline, size_t window, int64_t end_ns)
{
	int64_t start_ns = timeline->windows[window].start_ns;
	int64_t known_ns = timeline->model->trace->windows[window].end_ns - timeline->origin_ns;

	end_ns = min_ns(end_ns, known_ns);
	return end_ns > start_ns ? end_ns - start_ns : 0;
}

int64_t timeline_sum_windows(const struct timeline *timeline, const int64_t *ends_ns)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < timeline->model->trace->window_count; i++)
		sum_ns +=
			window_ns(timeline, i, ends_ns ? ends_ns[i] : timeline->windows[i].end_ns);
	return sum_ns;
}

/* As trace_measure_windows(), in a replay. */
int64_t timeline_sum_sample(const struct timeline *timeline, const struct timeline_part_ends *ends,
			    int64_t *by_window)
{
	const struct trace *trace = timeline->model->trace;
	double sum_ns = 0;

	for (size_t i = 0; i < trace->window_count; i++) {
		int64_t start_ns = max_ns(ends[i].run_up_ns, ends[i].counted_ns), window_ns;

		if (trace->windows[i].goes_on)
			start_ns = max_ns(start_ns, ends[i - 1].all_ns);
		window_ns = max_ns(0, ends[i].all_ns - start_ns);

		if (by_window)
			by_window[i] = window_ns;
		sum_ns += trace->windows[i].weight * (double)window_ns;
	}
	return llround(sum_ns);
}
