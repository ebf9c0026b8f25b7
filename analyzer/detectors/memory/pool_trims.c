#include "detectors/memory/pool_trims.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/mix.h"
#include "base/thresholds.h"
#include "base/vector.h"

#include <stdlib.h>

/* The allocations of one call site and size: how many were released, and the last one's release
 * (index in trace.calls). */
struct size_group {
	size_t free_count, release;
};

struct trimming {
	const struct trace *trace;
	int64_t served_ns; /* what an allocation takes from memory that the pool has */
	struct map groups; /* call site and size to index in sizes */
	VECTOR(struct size_group) sizes;
	struct map live; /* address to the index of its allocation, or of its release */
	const struct trace_call *trim;
	struct instances pairs;
	uint32_t *counts; /* by call site: of pairs */
};

static bool is_allocation(const struct trace_call *call)
{
	return call->form->function->class == CLASS_ALLOC && call->form->has_stream &&
	       !call->form->result && call->form->dst && call->form->size_bytes && call->form->site;
}

static bool is_release(const struct trace_call *call)
{
	return call->form->function->class == CLASS_FREE && call->form->has_stream &&
	       !call->form->result && call->form->dst;
}

/* An allocation from memory that is there does what a release does, the other way round: it changes
 * the pool's lists. 0: nothing is released. */
static int64_t served_ns_of(const struct trace *trace)
{
	VECTOR(int64_t) times = {0};
	int64_t middle_ns;

	for (size_t i = 0; i < trace->call_count; i++)
		if (is_release(&trace->calls[i]))
			*vector_add(&times) = trace->calls[i].end_ns - trace->calls[i].start_ns;
	middle_ns = median_ns(times.items, times.count);
	vector_free(&times);
	return middle_ns;
}

static struct size_group *group_of(struct trimming *trimming, const struct trace_call *call)
{
	uint64_t key = mix(mix(0, (uint64_t)(call->form->site - trimming->trace->sites)),
			   call->form->size_bytes);
	size_t found = map_find(&trimming->groups, key);

	if (found != MAP_NONE)
		return &trimming->sizes.items[found];
	map_set(&trimming->groups, key, trimming->sizes.count);
	*vector_add(&trimming->sizes) = (struct size_group){0, 0};
	return &trimming->sizes.items[trimming->sizes.count - 1];
}

static void pass_release(struct trimming *trimming, size_t index)
{
	const struct trace_call *calls = trimming->trace->calls;
	size_t found = map_find(&trimming->live, calls[index].form->dst);
	struct size_group *group;

	if (found == MAP_NONE || !is_allocation(&calls[found]))
		return;
	map_set(&trimming->live, calls[index].form->dst, index);
	group = group_of(trimming, &calls[found]);
	group->free_count++;
	group->release = index;
}

/* Whether the pool lacked the room that it had had before: released memory was given back to the
 * device. */
static bool is_growth(const struct trimming *trimming, const struct trace_call *call,
		      const struct size_group *group)
{
	const struct trace_call *trim = trimming->trim;

	return group->free_count && trim && trim > &trimming->trace->calls[group->release] &&
	       trim->form->pool_spare_bytes - 1 < call->form->size_bytes &&
	       (call->end_ns - call->start_ns) / POOL_GROWTH_TIMES > trimming->served_ns;
}

static void pass_allocation(struct trimming *trimming, size_t index)
{
	const struct trace_call *call = &trimming->trace->calls[index];
	struct size_group *group = group_of(trimming, call);

	map_set(&trimming->live, call->form->dst, index);
	if (is_growth(trimming, call, group)) {
		trimming->counts[call->form->site - trimming->trace->sites]++;
		instance_add(
			&trimming->pairs,
			(struct instance){.span = {call->start_ns, call->end_ns},
					  .site_call = call,
					  .call = call,
					  .fix = "Let the pool keep its memory: "
						 "cudaMemPoolSetAttribute() with "
						 "cudaMemPoolAttrReleaseThreshold, once. It is 0 "
						 "otherwise: each synchronization gives all "
						 "that is not in use back to the device.",
					  .detail = INSTANCE_DETAIL(struct pool_trims_pair,
								    .release = trimming->trim)});
	}
	if (group->free_count)
		group->free_count--;
}

static bool is_trimmed(const struct trace *trace)
{
	for (size_t i = 0; i < trace->call_count; i++)
		if (trace->calls[i].form->pool_spare_bytes)
			return true;
	return false;
}

void pool_trims_find(const struct model *model, struct instances *found)
{
	const struct trace *trace = model->trace;
	struct trimming trimming = {.trace = trace};

	if (!is_trimmed(trace))
		return;
	trimming.served_ns = served_ns_of(trace);
	trimming.counts = memory_array(trace->site_count, sizeof(*trimming.counts));
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (call->form->pool_spare_bytes)
			trimming.trim = call;
		else if (is_release(call))
			pass_release(&trimming, i);
		else if (is_allocation(call))
			pass_allocation(&trimming, i);
	}
	for (size_t i = 0; i < trimming.pairs.count; i++) {
		const struct instance *pair = &trimming.pairs.items[i];

		if (trimming.counts[pair->call->form->site - trace->sites] >= LOOP_LEAST_TIMES)
			instance_add(found, *pair);
	}
	free(trimming.pairs.items);
	free(trimming.counts);
	vector_free(&trimming.sizes);
	map_free(&trimming.groups);
	map_free(&trimming.live);
}

bool pool_trims_is_one(const struct instance *instance)
{
	return instance->call->form->has_stream;
}

/* The synchronize waits as it did, and then returns. How long that takes is not known where each of
 * them gives memory back: about as long as another quick call. */
void pool_trims_apply(const struct model *model, const struct instance *instances, size_t count,
		      struct edits *edits)
{
	int64_t served_ns = -1;

	for (size_t i = 0; i < count; i++) {
		if (!pool_trims_is_one(&instances[i]))
			continue;
		if (served_ns < 0)
			served_ns = served_ns_of(model->trace);
		edits_set_call_time(edits, model, instances[i].call, served_ns);
		edits_set_call_time(edits, model, pool_trims_release(&instances[i]), served_ns);
	}
}
