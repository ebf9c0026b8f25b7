/* Several windows of one recording. */
#include "replay/timeline_private.h"

#include "base/memory.h"
#include "base/minmax.h"

size_t timeline_window_of(const struct timeline *timeline, int64_t time_ns)
{
	const struct trace *trace = timeline->model->trace;
	size_t low = 0, high = trace->window_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->windows[middle].start_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}

static void extend(struct timeline *timeline, int64_t enqueued_ns, int64_t start_ns, int64_t end_ns)
{
	struct timeline_window *window =
		&timeline->windows[timeline_window_of(timeline, enqueued_ns)];

	window->start_ns = min_ns(window->start_ns, start_ns - timeline->origin_ns);
	window->end_ns = max_ns(window->end_ns, end_ns - timeline->origin_ns);
}

void timeline_find_windows(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;

	if (trace->window_count < 2)
		return;
	timeline->windows = memory_array(trace->window_count, sizeof(*timeline->windows));
	for (size_t i = 0; i < trace->window_count; i++)
		timeline->windows[i] = (struct timeline_window){INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < trace->call_count; i++)
		extend(timeline, trace->calls[i].start_ns, trace->calls[i].start_ns,
		       trace->calls[i].end_ns);
	for (size_t i = 0; i < trace->operation_count; i++)
		extend(timeline, model_enqueue_ns(&trace->operations[i]),
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
