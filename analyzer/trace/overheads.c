/* What took a thread's time beside the program's work. */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/sort.h"
#include "trace/loader.h"
#include "trace/thread_calls.h"

#include <stdlib.h>

typedef VECTOR(struct trace_overhead) overhead_vector;

static int compare_overheads(const void *a, const void *b)
{
	const struct trace_overhead *x = a, *y = b;

	if (x->thread_id != y->thread_id)
		return x->thread_id < y->thread_id ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

/* Of what lies in another, or begins in it, only the rest counts. */
static void take_apart(overhead_vector *overheads)
{
	size_t kept = 0;

	for (size_t i = 0; i < overheads->count; i++) {
		struct trace_overhead overhead = overheads->items[i];
		const struct trace_overhead *before = kept ? &overheads->items[kept - 1] : NULL;

		if (before && before->thread_id == overhead.thread_id)
			overhead.start_ns = max_ns(overhead.start_ns, before->end_ns);
		if (overhead.end_ns > overhead.start_ns)
			overheads->items[kept++] = overhead;
	}
	overheads->count = kept;
}

/* 2 to 15 us pass between the loading of a kernel in a runtime launch and the driver's launch. */
#define LAUNCH_BEHIND_NS 20000

/* If only the driver's launch is recorded (a linked-in cudart), the runtime's launch has loaded the
 * kernel before it: lets the call begin at the loading, but not before other threads' calls that
 * are earlier in the trace, because calls are sorted. */
static void begin_at_loading(struct trace *trace, const struct trace_overhead *loading,
			     const struct thread_calls *calls)
{
	size_t row = thread_calls_from(trace, calls, loading->thread_id, loading->end_ns), index;
	struct trace_call *call;

	if (row == calls->count || calls->rows[row].key != loading->thread_id)
		return;
	index = calls->rows[row].index;
	call = &trace->calls[index];
	if (!call->form->via_driver_callback || call->form->function->class != CLASS_LAUNCH ||
	    call->start_ns - loading->end_ns > LAUNCH_BEHIND_NS)
		return;
	if (!index || trace->calls[index - 1].start_ns <= loading->start_ns)
		call->start_ns = loading->start_ns;
}

/* A call that loading lies in, or that ends in it, is no later one. */
static bool is_between_calls(const struct trace *trace, const struct trace_overhead *loading,
			     const struct thread_calls *calls)
{
	const struct trace_call *before =
		thread_calls_before(trace, calls, loading->thread_id, loading->end_ns);

	return !before || before->end_ns <= loading->start_ns;
}

/* Over all threads in the order of ends: a call that begins earlier allows later calls to do so. */
static void find_launches_of_loading(struct trace *trace)
{
	VECTOR(struct sort_key) loads = {0};
	struct thread_calls calls;

	for (size_t i = 0; i < trace->overhead_count; i++)
		if (trace->overheads[i].is_loading)
			*vector_add(&loads) = (struct sort_key){
				(uint64_t)trace->overheads[i].end_ns, (uint32_t)i};
	if (!loads.count)
		return;
	sort_by_key_once(loads.items, loads.count);
	calls = thread_calls_sort(trace);
	for (size_t i = 0; i < loads.count; i++) {
		const struct trace_overhead *overhead = &trace->overheads[loads.items[i].index];

		if (is_between_calls(trace, overhead, &calls))
			begin_at_loading(trace, overhead, &calls);
	}
	free(calls.rows);
	vector_free(&loads);
}

/* Unknown kinds, of a newer streamtrace or CUPTI, count as the tracer's. A full command buffer is
 * the program's: it launched faster than the device worked. */
void trace_read_overheads(struct trace_loader *loader)
{
	overhead_vector overheads = {0};
	struct overheads_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_overheads, "ORDER BY id");
	while (rows_next_overheads(&rows, &row)) {
		if (row.thread_id == ROW_NULL || row.kind == OVERHEAD_COMMAND_BUFFER_FULL)
			continue;
		*vector_add(&overheads) = (struct trace_overhead){
			.start_ns = row.start_ns,
			.end_ns = row.end_ns,
			.thread_id = (uint32_t)row.thread_id,
			.kind = (uint32_t)row.kind,
			.is_loading = row.kind == OVERHEAD_DRIVER_COMPILER ||
				      row.kind == OVERHEAD_MODULE_LOADING ||
				      row.kind == OVERHEAD_LAZY_LOADING,
		};
	}
	rows_close(&rows);
	vector_sort(&overheads, compare_overheads);
	take_apart(&overheads);
	vector_move(&overheads, loader->trace->overheads, loader->trace->overhead_count);
	if (!loader->database.error)
		find_launches_of_loading(loader->trace);
}

/* Assigns the call to those of the thread's loading overheads, from *next on, that began by its
 * end; returns how many. */
static size_t pass_call(const struct trace *trace, uint32_t index, size_t *next, uint32_t *calls)
{
	const struct trace_call *call = &trace->calls[index];
	size_t count = 0;

	for (; *next < trace->overhead_count; (*next)++) {
		const struct trace_overhead *overhead = &trace->overheads[*next];

		if (overhead->thread_id != call->form->thread_id ||
		    overhead->start_ns >= call->end_ns)
			break;
		count += overhead->is_loading;
		if (overhead->is_loading && overhead->start_ns >= call->start_ns)
			calls[*next] = index;
	}
	return count;
}

uint32_t *trace_loading_calls(const struct trace *trace)
{
	uint32_t *calls = memory_array(trace->overhead_count, sizeof(*calls));
	struct map next = {0}; /* of a thread that loads: its overhead */
	size_t left = 0;

	for (size_t i = trace->overhead_count; i-- > 0;) {
		calls[i] = TRACE_NO_CALL;
		if (!trace->overheads[i].is_loading)
			continue;
		map_set(&next, trace->overheads[i].thread_id, i);
		left++;
	}
	for (size_t i = 0; left && i < trace->call_count; i++) {
		size_t first = map_find(&next, trace->calls[i].form->thread_id), at = first;

		if (first == MAP_NONE)
			continue;
		left -= pass_call(trace, (uint32_t)i, &at, calls);
		if (at != first)
			map_set(&next, trace->calls[i].form->thread_id, at);
	}
	map_free(&next);
	return calls;
}
