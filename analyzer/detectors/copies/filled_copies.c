#include "detectors/copies/filled_copies.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "detectors/copies/pageable_copies.h"
#include "facts/facts.h"

#include <string.h>

/* The copies of one size at one call site. */
struct group {
	int64_t shortest_ns; /* of the host's times before them: each has a filling in it */
	size_t count;
};

struct copies {
	struct map indexes;
	VECTOR(struct group) groups;
};

/* cupy.asarray() and cupy.array() copy an array that is not pinned into a buffer of CuPy's pool. An
 * array that is pinned they send as it is, with no time before it. */
static bool is_filled_by_framework(const struct trace_site *site)
{
	const struct trace_python_frame *frame;

	if (!site || !site->python_depth)
		return false;
	frame = &site->python_frames[0];
	return frame->framework == FRAMEWORK_CUPY && frame->function &&
	       (!strcmp(frame->function, "asarray") || !strcmp(frame->function, "array"));
}

static bool is_candidate(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_COPY && operation->form->engine == ENGINE_H2D &&
	       operation->form->src_kind == MEMORY_PINNED && operation->form->is_async &&
	       operation->form->size_bytes >= COPY_LARGE_BYTES && operation->call &&
	       is_filled_by_framework(operation->call->form->site);
}

static uint64_t key_of(const struct trace_operation *operation)
{
	return (uint64_t)(uintptr_t)operation->call->form->site * 0x9e3779b97f4a7c15u ^
	       operation->form->size_bytes;
}

/* The host's time since the thread's call before; 0: there is none. */
static int64_t time_before(const struct trace *trace, const struct trace_call *call)
{
	for (const struct trace_call *before = call; before-- > trace->calls;)
		if (before->form->thread_id == call->form->thread_id)
			return max_ns(call->start_ns - before->end_ns, 0);
	return 0;
}

static void note_copy(struct copies *copies, const struct trace *trace,
		      const struct trace_operation *operation)
{
	const int64_t time_ns = time_before(trace, operation->call);
	const uint64_t key = key_of(operation);
	struct group *group;

	if (map_add(&copies->indexes, key, copies->groups.count))
		*vector_add(&copies->groups) = (struct group){.shortest_ns = INT64_MAX};
	group = &copies->groups.items[map_find(&copies->indexes, key)];
	/* The first one has what came before the loop, or nothing, before it. */
	if (group->count++)
		group->shortest_ns = min_ns(group->shortest_ns, time_ns);
}

/* 0: there was no time to fill the buffer. */
static int64_t filling_ns(const struct group *group, uint64_t bytes)
{
	if (group->count < TYPICAL_LEAST_TIMES ||
	    (double)group->shortest_ns < (double)bytes / FILL_FASTEST_BYTES_PER_NS)
		return 0;
	return min_ns(group->shortest_ns, (int64_t)((double)bytes / PACK_SLOW_BYTES_PER_NS));
}

static void add_filled(const struct trace_operation *operation, int64_t filled_ns,
		       struct instances *found)
{
	const struct trace_call *call = operation->call;

	instance_add(found, (struct instance){
				    .span = {call->start_ns - filled_ns, call->start_ns},
				    .reach = {call->start_ns - filled_ns,
					      max_ns(operation->end_ns, call->end_ns)},
				    .reach_of_both = {call->start_ns - filled_ns,
						      max_ns(operation->end_ns, call->end_ns)},
				    .site_call = call,
				    .operation = operation,
				    .call = call,
				    .is_doubtful = true,
				    .detail = INSTANCE_DETAIL(struct pageable_copy,
							      .filled_ns = filled_ns),
			    });
}

void filled_copies_find(const struct observed *observed, struct instances *found)
{
	const struct trace *trace = observed->model->trace;
	struct copies copies = {0};

	for (size_t i = 0; i < trace->operation_count; i++)
		if (is_candidate(&trace->operations[i]))
			note_copy(&copies, trace, &trace->operations[i]);
	for (size_t i = 0; copies.groups.count && i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		const struct group *group;
		int64_t filled_ns;

		if (!is_candidate(operation))
			continue;
		group = &copies.groups.items[map_find(&copies.indexes, key_of(operation))];
		filled_ns = filling_ns(group, operation->form->size_bytes);
		if (filled_ns && time_before(trace, operation->call) >= filled_ns)
			add_filled(operation, filled_ns, found);
	}
	map_free(&copies.indexes);
	vector_free(&copies.groups);
}
