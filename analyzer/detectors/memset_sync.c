/*
 * WHAT: a call of cudaMemset for pinned or managed memory: the host waits for the set, and the set, in the
 *   legacy default stream, for all that blocking streams have to do.
 * EVIDENCE: the synchronous set ended inside its call, which returned behind it, and the same thread
 *   enqueued further work afterwards. cudaMemset of device memory does not wait, and is not
 *   reported.
 * COST: the host's time in the call up to the end of the set.
 * FALSE POSITIVES: a host that reads, behind the set, what a kernel wrote or a copy brought. Where it
 *   had the time for that the low end keeps the wait. Another stream that relies on the set needs an
 *   event instead.
 */
#include "detectors/host_wait.h"

#include "base/memory.h"

static bool is_blocking_set(const struct trace_call *call)
{
	const struct trace_operation *set = call->operation;

	return set && set->form->kind == OPERATION_SET && !set->form->is_async &&
	       set->end_ns > call->start_ns && set->end_ns <= call->end_ns;
}

static void judge(const struct model *model, const struct host_wait *wait, struct instances *found)
{
	struct instance instance = host_wait_instance(wait);

	(void)model;
	instance.is_doubtful = wait->is_read;
	instance_add(found, instance);
}

static void find(const struct model *model, struct instances *found)
{
	host_wait_each(model, is_blocking_set, judge, found);
}

/* The set goes to the stream of what its thread enqueued next. */
static void move_set(const struct model *model, size_t index, const struct instance *instance,
		     struct edits *edits)
{
	const struct trace_stream *next = instance->operation->form->stream;

	if (model->operations[index].operation->form->stream->flag == STREAM_NULL)
		edits_move(edits, model, index, (uint32_t)(next - model->trace->streams));
}

static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
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
	       "use "
	       "the memory.",
	.cost = "blocked",
	.find = find,
	.apply = apply,
	.describe = host_wait_describe,
};
