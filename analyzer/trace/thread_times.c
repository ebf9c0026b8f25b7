/* What the kernel counted of threads (thread_times). */
#include "base/minmax.h"
#include "trace/loader.h"

static int compare_times(const void *a, const void *b)
{
	const struct trace_thread_times *x = a, *y = b;

	return (x->thread_id > y->thread_id) - (x->thread_id < y->thread_id);
}

/* An id that was given to two threads in turn names neither. */
static size_t keep_single(struct trace_thread_times *times, size_t count)
{
	size_t kept = 0;

	for (size_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && times[end].thread_id == times[begin].thread_id;
		     end++)
			;
		if (end == begin + 1)
			times[kept++] = times[begin];
	}
	return kept;
}

void trace_read_thread_times(struct trace_loader *loader)
{
	VECTOR(struct trace_thread_times) times = {0};
	struct thread_times_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_thread_times, "");
	while (rows_next_thread_times(&rows, &row)) {
		const int64_t most_ns = row.end_ns - row.start_ns;

		if (most_ns <= 0)
			continue;
		*vector_add(&times) = (struct trace_thread_times){
			.start_ns = row.start_ns,
			.end_ns = row.end_ns,
			.cpu_ns = min_ns(row.cpu_ns, most_ns),
			.ready_ns = min_ns(row.ready_ns, most_ns - min_ns(row.cpu_ns, most_ns)),
			.runs = row.runs,
			.thread_id = (uint32_t)row.thread_id,
		};
	}
	rows_close(&rows);
	vector_sort(&times, compare_times);
	times.count = keep_single(times.items, times.count);
	vector_move(&times, loader->trace->thread_times, loader->trace->thread_times_count);
}
