#include "detectors/memory/first_touches.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "detectors/memory/pool_trims.h"

#include <stdlib.h>
#include <string.h>

/* The index of the first migration that begins at time_ns or later. */
static size_t migration_from(const struct trace *trace, int64_t time_ns)
{
	return search(trace->migration_count, i, trace->migrations[i].start_ns < time_ns);
}

static const struct trace_call *next_of_thread(const struct trace *trace,
					       const struct trace_call *call)
{
	for (const struct trace_call *next = call + 1; next < trace->calls + trace->call_count;
	     next++)
		if (next->form->thread_id == call->form->thread_id)
			return next;
	return NULL;
}

/* When the host first touched new memory between the two calls; INT64_MAX: it did not. */
static int64_t touch_between(const struct trace *trace, const struct trace_call *call,
			     const struct trace_call *next)
{
	for (size_t i = migration_from(trace, call->end_ns);
	     i < trace->migration_count && trace->migrations[i].start_ns < next->start_ns; i++)
		if (trace->migrations[i].kind == MIGRATION_HOST_FAULT)
			return trace->migrations[i].start_ns;
	return INT64_MAX;
}

/* Whether managed memory was on the host when the call began, as far as it has moved. */
static bool is_on_host(const struct trace *trace, const struct trace_call *release)
{
	const size_t index = migration_from(trace, release->start_ns);

	return index && (trace->migrations[index - 1].kind == MIGRATION_TO_HOST ||
			 trace->migrations[index - 1].kind == MIGRATION_HOST_FAULT);
}

static void find_touch(const struct trace *trace, struct instance *instance)
{
	const struct trace_call *call = instance->call, *next = next_of_thread(trace, call);
	struct pool_trims_pair pair = instance_detail(instance, struct pool_trims_pair);
	int64_t touch_ns;

	if (!next || !strstr(call->form->function->name, "Managed") ||
	    !is_on_host(trace, pair.release))
		return;
	touch_ns = touch_between(trace, call, next);
	if (touch_ns == INT64_MAX)
		return;
	pair.touched = next;
	pair.touch_ns = next->start_ns - touch_ns;
	instance->detail = INSTANCE_DETAIL_OF(pair);
}

/* A fault's end is not recorded. The time from the fault to the thread's next call has other work
 * in it, too: the shortest one of the call site counts. */
static void shorten_touches(const struct trace *trace, struct instances *instances)
{
	int64_t *shortest_ns = memory_array(trace->site_count, sizeof(*shortest_ns));

	for (size_t i = 0; i < instances->count; i++) {
		const struct instance *instance = &instances->items[i];
		int64_t touch_ns = instance_detail(instance, struct pool_trims_pair).touch_ns;
		int64_t *site_ns = &shortest_ns[instance->call->form->site - trace->sites];

		if (touch_ns)
			*site_ns = *site_ns ? min_ns(*site_ns, touch_ns) : touch_ns;
	}
	for (size_t i = 0; i < instances->count; i++) {
		struct instance *instance = &instances->items[i];
		struct pool_trims_pair pair = instance_detail(instance, struct pool_trims_pair);

		if (pair.touch_ns)
			pair.touch_ns = shortest_ns[instance->call->form->site - trace->sites];
		instance->detail = INSTANCE_DETAIL_OF(pair);
	}
	free(shortest_ns);
}

void first_touches_find(const struct trace *trace, struct instances *instances)
{
	if (!trace->migration_count)
		return;
	for (size_t i = 0; i < instances->count; i++)
		find_touch(trace, &instances->items[i]);
	shorten_touches(trace, instances);
}

void first_touches_apply(const struct model *model, const struct instance *instances, size_t count,
			 enum doubt doubt, struct edits *edits)
{
	if (doubt == DOUBT_KEEP)
		return;
	for (size_t i = 0; i < count; i++) {
		struct pool_trims_pair pair =
			instance_detail(&instances[i], struct pool_trims_pair);

		if (pair.touched)
			edits_shorten_work(edits, model, pair.touched, pair.touch_ns);
	}
}
