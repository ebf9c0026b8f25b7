/*
 * WHAT: cudaFree, cudaFreeHost or cudaHostUnregister between other work: they wait for the device.
 * EVIDENCE: an operation that was under way when the call began ended inside it, no other did after
 *   it, and the same thread enqueued further work, so soon that it cannot have read a result first.
 * COST: the host's time in the call up to the end of that operation; and the time of the
 * allocations that the freed memory came from, all but the first of a line. FALSE POSITIVES: memory
 * that has to be given back because there is no room for both.
 */
#include "host_wait.h"

#include "memory.h"

static bool is_free(const struct trace_call *call)
{
	return !call->has_stream &&
	       (call->function->class == CLASS_FREE || call->function->class == CLASS_HOST_FREE ||
		call->function->class == CLASS_UNREGISTER);
}

static void judge(const struct model *model, const struct host_wait *wait, struct instances *found)
{
	if (host_wait_is_repeated(wait))
		return;
	if (wait->is_read)
		host_wait_doubt(wait, found);
	else
		instance_add(found, host_wait_instance(wait));
}

static void find(const struct model *model, struct instances *found)
{
	host_wait_each(model, is_free, judge, found);
}

static bool is_allocation(const struct trace_call *call)
{
	return call->function->class == CLASS_ALLOC || call->function->class == CLASS_HOST_ALLOC ||
	       call->function->class == CLASS_REGISTER;
}

/* The allocations of the freed memory: the first of each line stays, and serves the others. */
static void drop_allocations(const struct model *model, const struct instance *instances,
			     size_t count, struct edits *edits)
{
	const struct trace *trace = model->trace;
	struct map allocations = {0}, sites = {0}; /* address to call; sites that have one */
	size_t next = 0;

	for (size_t i = 0; i < count; i++) {
		const struct trace_call *call = instances[i].call;
		size_t found;

		for (; &trace->calls[next] < call; next++)
			if (is_allocation(&trace->calls[next]) && trace->calls[next].dst)
				map_set(&allocations, trace->calls[next].dst, next);
		found = call->dst ? map_find(&allocations, call->dst) : MAP_NONE;
		if (found != MAP_NONE && trace->calls[found].site &&
		    !map_add(&sites, (uint64_t)(trace->calls[found].site - trace->sites), i))
			edits_drop_call(edits, model, &trace->calls[found]);
	}
	map_free(&allocations);
	map_free(&sites);
}

/* With the memory kept, one free at the end is left of them all. For sure is only that none needs
 * to wait: cudaFreeAsync does not. */
static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	for (size_t i = 0; i < count; i++) {
		if (doubt == DOUBT_WEIGH && i > 0)
			edits_drop_call(edits, model, instances[i].call);
		else if (doubt == DOUBT_WEIGH || !instances[i].is_doubtful)
			edits_drop_wait(edits, model, instances[i].call);
	}
	if (doubt == DOUBT_WEIGH)
		drop_allocations(model, instances, count, edits);
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	describe_call(model, instance->call, text, size);
}

const struct detector detector_free_sync = {
	.id = "free-sync",
	.title = "Freeing memory between other work waits for the whole device",
	.fix = "Allocate once before the loop and free after it; or cudaMallocAsync() and\n"
	       "cudaFreeAsync() in the stream that uses the memory: they do not wait.",
	.doubt = "the host had time to read the results that the call waited for",
	.edit = {.unblocks_host = true},
	.find = find,
	.apply = apply,
	.describe = describe,
};
