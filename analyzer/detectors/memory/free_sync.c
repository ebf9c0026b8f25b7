/*
 * WHAT: cudaFree, cudaFreeHost or cudaHostUnregister between other work: they wait for the device.
 * EVIDENCE: an operation that was under way when the call began ended inside it, no other did after
 *   it, and the same thread enqueued further work, so soon that it cannot have read a result first.
 * COST: the host's time in the call up to the end of that operation. The fix also saves what the
 *   line's frees take by themselves, all but the last, and the allocations that the freed memory
 *   came from, all but the first of a line.
 * FALSE POSITIVES: memory that has to be given back because there is no room for both.
 */
#include "base/memory.h"
#include "detectors/evidence/host_wait.h"
#include "replay/observed/evidence.h"

static bool is_free(const struct trace_call *call)
{
	return !call->form->has_stream && (call->form->function->class == CLASS_FREE ||
					   call->form->function->class == CLASS_HOST_FREE ||
					   call->form->function->class == CLASS_UNREGISTER);
}

static void judge_wait(const struct model *model, const struct host_wait *wait,
		       struct instances *found)
{
	if (!host_wait_is_repeated(wait))
		host_wait_take(model, wait, found);
}

static void find_free_syncs(const struct observed *observed, struct instances *found)
{
	host_wait_each(observed, is_free, judge_wait, found);
}

static bool is_allocation(const struct trace_call *call)
{
	return call->form->function->class == CLASS_ALLOC ||
	       call->form->function->class == CLASS_HOST_ALLOC ||
	       call->form->function->class == CLASS_REGISTER;
}

/* Whether the fix removes the free: one of the waits, or one at their line that did not wait or
 * that no work follows. A wait that counts as needed stays. */
static bool is_dropped(const struct observed *observed, const struct trace_call *call,
		       const struct map *sites, const struct map *waits)
{
	const struct trace *trace = observed->model->trace;

	if (!is_free(call))
		return false;
	if (map_find(waits, (uint64_t)(call - trace->calls)) != MAP_NONE)
		return true;
	return call->form->site &&
	       map_find(sites, (uint64_t)(call->form->site - trace->sites)) != MAP_NONE &&
	       (!evidence_of(observed->evidence, call).cause ||
		!model_next_of_thread(observed->model, call));
}

/* The fix allocates once and frees at the end: of the frees the last one stays, without its wait if
 * that blocked the host; of the allocations of their memory the first one of each line, for all. */
static void keep_memory(const struct observed *observed, const struct instance *instances,
			size_t count, struct edits *edits)
{
	const struct model *model = observed->model;
	const struct trace *trace = model->trace;
	struct map sites = {0}, waits = {0}, allocations = {0}, kept = {0};
	const struct trace_call *last = NULL;

	for (size_t i = 0; i < count; i++) {
		map_add(&waits, (uint64_t)(instances[i].call - trace->calls), i);
		if (instances[i].call->form->site)
			map_add(&sites, (uint64_t)(instances[i].call->form->site - trace->sites),
				i);
	}
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t found;

		if (is_allocation(call) && call->form->dst)
			map_set(&allocations, call->form->dst, i);
		if (!is_dropped(observed, call, &sites, &waits))
			continue;
		if (last)
			edits_drop_call(edits, model, last);
		last = call;
		found = call->form->dst ? map_find(&allocations, call->form->dst) : MAP_NONE;
		if (found != MAP_NONE && trace->calls[found].form->site &&
		    !map_add(&kept, (uint64_t)(trace->calls[found].form->site - trace->sites), i))
			edits_drop_call(edits, model, &trace->calls[found]);
	}
	if (last && map_find(&waits, (uint64_t)(last - trace->calls)) != MAP_NONE)
		edits_drop_wait(edits, model, last);
	map_free(&sites);
	map_free(&waits);
	map_free(&allocations);
	map_free(&kept);
}

/* For sure is only that no free needs to wait: cudaFreeAsync does not. */
static void fix_free_syncs(const struct observed *observed, const struct instance *instances,
			   size_t count, enum doubt doubt, struct edits *edits)
{
	if (doubt != DOUBT_KEEP) {
		keep_memory(observed, instances, count, edits);
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (!instances[i].is_doubtful)
			edits_drop_wait(edits, observed->model, instances[i].call);
}

static void describe_free_sync(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	describe_call(observed, instance->call, text, size);
}

const struct detector detector_free_sync = {
	.id = "free-sync",
	.title = "Freeing memory between other work synchronizes the whole device",
	.fix = "Allocate once before the loop and free after it. Or use cudaMallocAsync() and "
	       "cudaFreeAsync() in the stream that uses the memory: they do not block the host.",
	.cost = "blocked",
	.low_end = "the host may need what it waited for; --first-use records when it reads it",
	.pointers = HOST_WAIT_POINTERS,
	.is_of_waits = true,
	.doubt = "the host may have read the result before its next launch",
	.find = find_free_syncs,
	.apply = fix_free_syncs,
	.describe = describe_free_sync,
};
