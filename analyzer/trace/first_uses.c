/* When the host first touched what copies brought (first_uses), joined with calls and
 * operations. */
#include "trace/private.h"

#include <stdlib.h>

/* A call in the order of its thread. */
struct thread_call {
	uint32_t thread_id, call;
};

struct thread_calls {
	struct thread_call *rows;
	size_t count;
};

static int compare_calls(const void *a, const void *b)
{
	const struct thread_call *x = a, *y = b;

	if (x->thread_id != y->thread_id)
		return x->thread_id < y->thread_id ? -1 : 1;
	return (x->call > y->call) - (x->call < y->call);
}

static struct thread_calls sort_calls(const struct trace *trace)
{
	struct thread_calls calls = {memory_array(trace->call_count, sizeof(*calls.rows)),
				     trace->call_count};

	for (size_t i = 0; i < trace->call_count; i++)
		calls.rows[i] = (struct thread_call){trace->calls[i].thread_id, (uint32_t)i};
	if (calls.count)
		qsort(calls.rows, calls.count, sizeof(*calls.rows), compare_calls);
	return calls;
}

/* Index in calls.rows of the thread's first call that starts at the time or later, or of what
 * stands there. */
static size_t first_from(const struct trace *trace, const struct thread_calls *calls,
			 uint32_t thread_id, int64_t time_ns)
{
	size_t low = 0, high = calls->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct thread_call *row = &calls->rows[middle];

		if (row->thread_id < thread_id ||
		    (row->thread_id == thread_id && trace->calls[row->call].start_ns < time_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The thread's call that was under way, or ended then, or NULL; *next: the one after that, or
 * NULL. */
static const struct trace_call *call_at(const struct trace *trace, const struct thread_calls *calls,
					uint32_t thread_id, int64_t time_ns,
					const struct trace_call **next)
{
	size_t place = first_from(trace, calls, thread_id, time_ns);
	const struct trace_call *call;

	*next = place < calls->count && calls->rows[place].thread_id == thread_id
			? &trace->calls[calls->rows[place].call]
			: NULL;
	if (place == 0 || calls->rows[place - 1].thread_id != thread_id)
		return NULL;
	call = &trace->calls[calls->rows[place - 1].call];
	return call->end_ns >= time_ns ? call : NULL;
}

static bool makes_calls(const struct thread_calls *calls, uint32_t thread_id, size_t place)
{
	return (place < calls->count && calls->rows[place].thread_id == thread_id) ||
	       (place > 0 && calls->rows[place - 1].thread_id == thread_id);
}

/* A touch inside of a call counts from the call's start: what it does in there is not known. */
static void join_touch(const struct trace *trace, const struct thread_calls *calls,
		       uint32_t thread_id, struct trace_first_use *use)
{
	size_t place = first_from(trace, calls, thread_id, use->touch_ns);
	const struct trace_call *within =
		call_at(trace, calls, thread_id, use->touch_ns, &use->before);

	use->is_of_stranger = !makes_calls(calls, thread_id, place);
	if (!within || within->end_ns == use->touch_ns)
		return;
	use->before = within;
	use->touch_ns = within->start_ns;
}

static void read_first_use(struct trace_loader *loader, struct query *query,
			   const struct thread_calls *calls)
{
	struct trace *trace = loader->trace;
	struct trace_first_use use = {.touch_ns = INT64_MAX};
	const struct trace_call *next;
	size_t call = map_find(&loader->correlation_map, trace_read_id32(query, 0)), site;
	int64_t wait_ns = query_optional(query, 2, 0, TIME_LIMIT_NS, -1), touch_ns, site_id;

	use.watched_bytes = query_bits(query, 1);
	use.kind = (enum first_use_kind)query_integer(query, 4, 0, FIRST_USE_KIND_COUNT - 1);
	touch_ns = query_optional(query, 5, 0, TIME_LIMIT_NS, INT64_MAX);
	site_id = query_optional(query, 7, INT64_MIN, INT64_MAX, INT64_MIN);
	if (call == MAP_NONE || !trace->calls[call].operation)
		return;
	use.copy = trace->calls[call].operation;
	if (wait_ns >= 0) {
		use.wait = call_at(trace, calls, trace_read_id32(query, 3), wait_ns, &next);
		if (!use.wait)
			return; /* outside of the windows */
	}
	if (trace_is_touch(use.kind) && touch_ns != INT64_MAX) {
		use.touch_ns = touch_ns;
		join_touch(trace, calls, trace_read_id32(query, 6), &use);
	}
	site = site_id == INT64_MIN ? MAP_NONE : map_find(&loader->site_map, (uint64_t)site_id);
	use.site = site == MAP_NONE ? NULL : &trace->sites[site];
	trace->first_uses = memory_grow(trace->first_uses, trace->first_use_count,
					&loader->first_use_capacity, sizeof(use));
	trace->first_uses[trace->first_use_count++] = use;
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

void trace_read_first_uses(struct trace_loader *loader)
{
	struct thread_calls calls;
	struct query query;

	if (loader->trace->schema_version < SCHEMA_WITH_FIRST_USES)
		return;
	calls = sort_calls(loader->trace);
	query_open(&query, &loader->database, "first_uses",
		   "SELECT correlation_id, watched_bytes, wait_ns, coalesce(wait_thread_id, 0), "
		   "kind, touch_ns, coalesce(touch_thread_id, 0), site_id FROM first_uses "
		   "ORDER BY id");
	while (query_next(&query))
		read_first_use(loader, &query, &calls);
	query_close(&query);
	free(calls.rows);
	trace_sort_first_uses(loader->trace);
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
