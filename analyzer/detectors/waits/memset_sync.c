/*
 * WHAT: a call of cudaMemset for pinned or managed memory: the host waits for the set, and the set, in the
 *   legacy default stream, for all that blocking streams have to do.
 * EVIDENCE: the synchronous set ended inside its call, which returned behind it, and the same thread
 *   enqueued further work afterwards. cudaMemset of device memory does not wait, and is not
 *   reported.
 * COST: the host's time in the call up to the end of the set.
 * FALSE POSITIVES: a host that reads, behind the set, what a kernel wrote or a copy brought. Where it
 *   had the time for that, and does not synchronize with that stream before it uses it again, the
 *   low end keeps the wait. Another stream that relies on the set needs an event instead.
 */
#include "base/memory.h"
#include "detectors/evidence/host_wait.h"

static bool is_blocking_set(const struct trace_call *call)
{
	const struct trace_operation *set = call->operation;

	return set && set->form->kind == OPERATION_SET && !set->form->is_async &&
	       set->end_ns > call->start_ns && set->end_ns <= call->end_ns;
}

static void judge_wait(const struct model *model, const struct host_wait *wait,
		       struct instances *found)
{
	struct instance instance = host_wait_instance(wait);
	struct host_waited waited = host_waited_of(&instance);

	(void)model;
	instance.is_doubtful = wait->is_read;
	waited.needed = wait->needed;
	waited.last_needed = wait->last_result;
	instance.detail = INSTANCE_DETAIL_OF(waited);
	instance_add(found, instance);
}

/* A pass over the calls, from the last on. */
struct passing {
	const struct model *model;
	/* By thread and stream: the thread's next call in the stream; by thread: its next
	 * synchronization with the device. Indexes in trace.calls. */
	struct map next, next_device_sync;
};

static uint64_t key_of(const struct passing *passing, const struct trace_call *call,
		       const struct trace_stream *stream)
{
	return (uint64_t)(stream - passing->model->trace->streams) << 32 | call->form->thread_id;
}

/* Whether the thread synchronizes explicitly with the operation before it uses its stream again. */
static bool is_waited_later(const struct passing *passing, const struct trace_call *call,
			    const struct trace_operation *operation)
{
	const struct trace *trace = passing->model->trace;
	size_t next = map_find(&passing->next, key_of(passing, call, operation->form->stream));
	size_t sync = map_find(&passing->next_device_sync, call->form->thread_id);

	if (sync != MAP_NONE && (next == MAP_NONE || sync < next))
		return true;
	return next != MAP_NONE && host_wait_is_sync(&trace->calls[next]);
}

static void pass_call(struct passing *passing, const struct trace_call *call)
{
	enum function_class class = call->form->function->class;
	const struct trace_stream *stream = NULL;
	size_t index = (size_t)(call - passing->model->trace->calls);

	if (class == CLASS_DEVICE_SYNC)
		map_set(&passing->next_device_sync, call->form->thread_id, index);
	else if (class == CLASS_STREAM_SYNC)
		stream = model_stream_of(passing->model, call);
	else if (call->operation)
		stream = call->operation->form->stream;
	if (stream)
		map_set(&passing->next, key_of(passing, call, stream), index);
}

/* Results that the host waits for itself before it reads them do not need the set's wait. */
static void settle_doubts(const struct model *model, struct instances *found, size_t first)
{
	struct passing passing = {.model = model};
	const struct trace_call *calls = model->trace->calls;
	size_t i = found->count > first ? model->trace->call_count : 0, at = found->count;

	while (i-- > 0 && at > first) {
		struct instance *instance = &found->items[at - 1];
		struct host_waited waited = host_waited_of(instance);

		if (&calls[i] == instance->call) {
			at--;
			if (instance->is_doubtful &&
			    is_waited_later(&passing, &calls[i], waited.needed) &&
			    is_waited_later(&passing, &calls[i], waited.last_needed))
				instance->is_doubtful = false;
		}
		pass_call(&passing, &calls[i]);
	}
	map_free(&passing.next_device_sync);
	map_free(&passing.next);
}

static void find_memset_syncs(const struct observed *observed, struct instances *found)
{
	size_t first = found->count;

	host_wait_each(observed, is_blocking_set, judge_wait, found);
	settle_doubts(observed->model, found, first);
}

/* The set goes to the stream of what its thread enqueued next. */
static void move_set(const struct model *model, size_t index, const struct instance *instance,
		     struct edits *edits)
{
	const struct trace_stream *next = instance->operation->form->stream;

	if (model->operations[index].operation->form->stream->flag == STREAM_NULL)
		edits_move(edits, model, index, (uint32_t)(next - model->trace->streams));
}

static void fix_memset_syncs(const struct observed *observed, const struct instance *instances,
			     size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	struct map sets = {0}; /* operation to instance */

	for (size_t i = 0; i < count; i++) {
		if (doubt == DOUBT_KEEP && instances[i].is_doubtful)
			continue;
		map_add(&sets, (uint64_t)(instances[i].call->operation - model->trace->operations),
			i);
		edits_drop_wait(edits, model, instances[i].call);
	}
	for (size_t i = 0; sets.count && i < model->operation_count; i++) {
		size_t found = map_find(&sets, (uint64_t)(model->operations[i].operation -
							  model->trace->operations));

		if (found != MAP_NONE)
			move_set(model, i, &instances[found], edits);
	}
	map_free(&sets);
}

const struct detector detector_memset_sync = {
	.id = "memset-sync",
	.title = "cudaMemset of host memory blocks the host until the device is done",
	.fix = "Use cudaMemsetAsync(ptr, value, bytes, stream) in the stream of the kernels that "
	       "use the memory.",
	.cost = "blocked",
	.low_end = "the host may need what it waited for; --first-use records when it reads it",
	.pointers = HOST_WAIT_POINTERS,
	.is_of_waits = true,
	.find = find_memset_syncs,
	.apply = fix_memset_syncs,
	.describe = host_wait_describe,
};
