/* When the host first touched what copies brought (first_uses), joined with calls and
 * operations. */
#include "trace/loader.h"
#include "trace/thread_calls.h"

#include <stdlib.h>

/* The thread's call that was running at the time, or ended then, or NULL; *next: the call after
 * that, or NULL. */
static const struct trace_call *call_at(const struct trace *trace, const struct thread_calls *calls,
					uint32_t thread_id, int64_t time_ns,
					const struct trace_call **next)
{
	size_t index = thread_calls_from(trace, calls, thread_id, time_ns);
	const struct trace_call *call;

	*next = index < calls->count && calls->rows[index].key == thread_id
			? &trace->calls[calls->rows[index].index]
			: NULL;
	if (index == 0 || calls->rows[index - 1].key != thread_id)
		return NULL;
	call = &trace->calls[calls->rows[index - 1].index];
	return call->end_ns >= time_ns ? call : NULL;
}

static bool makes_calls(const struct thread_calls *calls, uint32_t thread_id, size_t index)
{
	return (index < calls->count && calls->rows[index].key == thread_id) ||
	       (index > 0 && calls->rows[index - 1].key == thread_id);
}

/* A touch inside a call counts from the call's start, because what the call does is unknown. */
static void join_touch(const struct trace *trace, const struct thread_calls *calls,
		       uint32_t thread_id, struct trace_first_use *use)
{
	size_t index = thread_calls_from(trace, calls, thread_id, use->touch_ns);
	const struct trace_call *within =
		call_at(trace, calls, thread_id, use->touch_ns, &use->before);

	use->is_of_stranger = !makes_calls(calls, thread_id, index);
	if (!within || within->end_ns == use->touch_ns)
		return;
	use->before = within;
	use->touch_ns = within->start_ns;
}

/* False where the trace lacks the copy, or the call that waited for it. */
static bool take_first_use(const struct trace_loader *loader, const struct first_uses_row *row,
			   const struct thread_calls *calls, struct trace_first_use *use)
{
	const struct trace *trace = loader->trace;
	size_t call = trace_find_correlated(loader, row->correlation_id), site;
	const struct trace_call *next;

	if (call == MAP_NONE || !trace->calls[call].operation)
		return false;
	*use = (struct trace_first_use){
		.copy = trace->calls[call].operation,
		.watched_bytes = (uint64_t)row->watched_bytes,
		.kind = (enum first_use_kind)row->kind,
		.touch_ns = INT64_MAX,
	};
	if (row->wait_ns != ROW_NULL) {
		use->wait = call_at(trace, calls, (uint32_t)row_or(row->wait_thread_id, 0),
				    row->wait_ns, &next);
		if (!use->wait)
			return false; /* outside of the windows */
	}
	if (trace_is_touch(use->kind) && row->touch_ns != ROW_NULL) {
		use->touch_ns = row->touch_ns;
		join_touch(trace, calls, (uint32_t)row_or(row->touch_thread_id, 0), use);
	}
	site = row->site_id == ROW_NULL ? MAP_NONE
					: map_find(&loader->site_map, (uint64_t)row->site_id);
	use->site = site == MAP_NONE ? NULL : &trace->sites[site];
	return true;
}

void trace_read_first_uses(struct trace_loader *loader)
{
	VECTOR(struct trace_first_use) uses = {0};
	struct thread_calls calls = {0};
	struct trace_first_use use;
	struct first_uses_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_first_uses, "ORDER BY id");
	while (rows_next_first_uses(&rows, &row)) {
		if (!calls.rows)
			calls = thread_calls_sort(loader->trace);
		if (take_first_use(loader, &row, &calls, &use))
			*vector_add(&uses) = use;
	}
	rows_close(&rows);
	free(calls.rows);
	vector_move(&uses, loader->trace->first_uses, loader->trace->first_use_count);
	trace_sort_first_uses(loader->trace);
}
