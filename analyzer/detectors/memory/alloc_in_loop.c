/*
 * WHAT: a line allocates device or pinned memory of a size that it had allocated before and that
 *   was freed in between, or registers the same memory, again and again. Both calls take long by
 *   themselves, though they wait for nothing. Or a pool of cudaMallocAsync() gives its memory back
 *   at each synchronization, and the next allocation maps it again.
 * EVIDENCE: pairs of a release and a later allocation, where the memory that was released came from
 *   the same call site and had the same size: it could have been kept. At least so many of a site
 *   that it is no start-up. Of pools: a synchronize between the two, behind which the pool had less
 *   than the allocation needs, which took several times as long as releases to the pool.
 * COST: the time in the allocations. The fix also saves that of the releases, and of a synchronize
 *   the time in which it gave memory back; what they wait for is still waited for. Of managed memory it
 *   also saves the page fault of the host's first touch, if that is recorded and the host used the memory
 *   last: the shortest time of the line from such a fault to the next call. The low end leaves it.
 * FALSE POSITIVES: memory that is given back because something else needs the room in between. The
 *   low end leaves out pairs with a new allocation between them. Where releases wait for work that
 *   nothing needs it is free-sync, which has the same fix.
 */
#include "base/memory.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "detectors/detector.h"
#include "detectors/memory/first_touches.h"
#include "detectors/memory/pool_trims.h"
#include "replay/observed/evidence.h"
#include "trace/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By index in trace.calls; an index plus one, 0 for none. */
struct allocating {
	const struct trace *trace;
	uint32_t *groups;   /* an allocation's: those of its site and size have the same */
	uint32_t *spares;   /* by group: the release whose memory is free, the last one first */
	uint32_t *next;	    /* of a release: the one before it in that list */
	uint32_t *released; /* of an allocation: 1 once its memory was released */
	uint32_t *fresh;    /* of a release: how many allocations had found nothing by then */
	uint32_t fresh_count;
	struct map live;    /* address to index of its allocation */
	struct map claimed; /* call sites of releases that are free-sync's */
};

static bool is_allocation(const struct trace_call *call)
{
	return (call->form->function->class == CLASS_ALLOC ||
		call->form->function->class == CLASS_HOST_ALLOC ||
		call->form->function->class == CLASS_REGISTER) &&
	       !call->form->has_stream && !call->form->result && call->form->dst &&
	       call->form->size_bytes && call->form->site;
}

static bool is_release(const struct trace_call *call)
{
	return (call->form->function->class == CLASS_FREE ||
		call->form->function->class == CLASS_HOST_FREE ||
		call->form->function->class == CLASS_UNREGISTER) &&
	       !call->form->has_stream && !call->form->result && call->form->dst;
}

/* By what makes a group. */
static int compare_groups(const void *a, const void *b)
{
	const struct trace_call *x = *(const struct trace_call *const *)a;
	const struct trace_call *y = *(const struct trace_call *const *)b;

	if (x->form->site != y->form->site)
		return x->form->site < y->form->site ? -1 : 1;
	if (x->form->function != y->form->function)
		return x->form->function < y->form->function ? -1 : 1;
	if (x->form->size_bytes != y->form->size_bytes)
		return x->form->size_bytes < y->form->size_bytes ? -1 : 1;
	/* Memory that is registered is the program's: only the same can stay so. */
	return x->form->function->class == CLASS_REGISTER
		       ? (x->form->dst > y->form->dst) - (x->form->dst < y->form->dst)
		       : 0;
}

static void make_groups(struct allocating *allocating)
{
	const struct trace *trace = allocating->trace;
	VECTOR(const struct trace_call *) calls = {0};
	uint32_t group = 0;

	for (size_t i = 0; i < trace->call_count; i++)
		if (is_allocation(&trace->calls[i]))
			*vector_add(&calls) = &trace->calls[i];
	vector_sort(&calls, compare_groups);
	for (size_t i = 0; i < calls.count; i++) {
		group += i && compare_groups(&calls.items[i - 1], &calls.items[i]);
		allocating->groups[calls.items[i] - trace->calls] = group;
	}
	vector_free(&calls);
}

/* Lines whose releases wait are free-sync's, with the same fix. */
static void claim_sites(const struct observed *observed, struct map *claimed)
{
	struct instances waits = {0};

	detector_free_sync.find(observed, &waits);
	for (size_t i = 0; i < waits.count; i++)
		if (waits.items[i].call->form->site)
			map_add(claimed,
				(uint64_t)(waits.items[i].call->form->site -
					   observed->model->trace->sites),
				i);
	free(waits.items);
}

static bool is_claimed(const struct allocating *allocating, const struct trace_call *release)
{
	return release->form->site &&
	       map_find(&allocating->claimed,
			(uint64_t)(release->form->site - allocating->trace->sites)) != MAP_NONE;
}

static void pass_release(struct allocating *allocating, uint32_t index)
{
	const struct trace_call *release = &allocating->trace->calls[index];
	size_t found = map_find(&allocating->live, release->form->dst);
	uint32_t group;

	if (found == MAP_NONE || allocating->released[found])
		return;
	allocating->released[found] = 1;
	group = allocating->groups[found];
	allocating->next[index] = allocating->spares[group];
	allocating->spares[group] = index + 1;
	allocating->fresh[index] = allocating->fresh_count;
}

static void pass_allocation(struct allocating *allocating, uint32_t index, struct instances *pairs)
{
	const struct trace_call *calls = allocating->trace->calls, *call = &calls[index];
	uint32_t group = allocating->groups[index], spare = allocating->spares[group];

	map_set(&allocating->live, call->form->dst, index);
	if (!spare) {
		allocating->fresh_count++;
		return;
	}
	allocating->spares[group] = allocating->next[spare - 1];
	if (is_claimed(allocating, &calls[spare - 1]))
		return;
	instance_add(pairs,
		     (struct instance){
			     .span = {call->start_ns, call->end_ns},
			     .site_call = call,
			     .call = call,
			     .takes_other_fix = call->form->function->class != CLASS_ALLOC,
			     .is_doubtful = allocating->fresh[spare - 1] != allocating->fresh_count,
			     .detail = INSTANCE_DETAIL(struct pool_trims_pair,
						       .release = &calls[spare - 1]),
		     });
}

/* Those of the sites that have enough of them. */
static void add_repeated(const struct trace *trace, const struct instances *pairs,
			 struct instances *found)
{
	uint32_t *counts = memory_array(trace->site_count, sizeof(*counts));

	for (size_t i = 0; i < pairs->count; i++)
		counts[pairs->items[i].call->form->site - trace->sites]++;
	for (size_t i = 0; i < pairs->count; i++)
		if (counts[pairs->items[i].call->form->site - trace->sites] >= LOOP_LEAST_TIMES)
			instance_add(found, pairs->items[i]);
	free(counts);
}

static void find_allocs_in_loop(const struct observed *observed, struct instances *found)
{
	const struct trace *trace = observed->model->trace;
	size_t count = trace->call_count;
	struct instances pairs = {0};
	struct allocating allocating = {
		.trace = trace,
		.groups = memory_array(count, sizeof(uint32_t)),
		.spares = memory_array(count, sizeof(uint32_t)),
		.next = memory_array(count, sizeof(uint32_t)),
		.released = memory_array(count, sizeof(uint32_t)),
		.fresh = memory_array(count, sizeof(uint32_t)),
	};

	make_groups(&allocating);
	claim_sites(observed, &allocating.claimed);
	for (size_t i = 0; i < count; i++) {
		if (is_allocation(&trace->calls[i]))
			pass_allocation(&allocating, (uint32_t)i, &pairs);
		else if (is_release(&trace->calls[i]))
			pass_release(&allocating, (uint32_t)i);
	}
	first_touches_find(trace, &pairs);
	add_repeated(trace, &pairs, found);
	pool_trims_find(observed->model, found);
	free(pairs.items);
	map_free(&allocating.claimed);
	map_free(&allocating.live);
	free(allocating.fresh);
	free(allocating.released);
	free(allocating.next);
	free(allocating.spares);
	free(allocating.groups);
}

/* A release that waits gives way to a synchronize, which takes no time but that. */
static void fix_allocs_in_loop(const struct observed *observed, const struct instance *instances,
			       size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	pool_trims_apply(model, instances, count, edits);
	first_touches_apply(model, instances, count, doubt, edits);
	for (size_t i = 0; i < count; i++) {
		const struct trace_call *release = pool_trims_release(&instances[i]);

		if (pool_trims_is_one(&instances[i]) ||
		    (doubt == DOUBT_KEEP && instances[i].is_doubtful))
			continue;
		edits_drop_call(edits, model, instances[i].call);
		if (evidence_of(observed->evidence, release).cause)
			edits_set_call_time(edits, model, release, 0);
		else
			edits_drop_call(edits, model, release);
	}
}

static int64_t released_in_loop_ns(const struct instance *instance)
{
	const struct trace_call *release = pool_trims_release(instance);

	return pool_trims_is_one(instance) ? 0 : release->end_ns - release->start_ns;
}

static void describe_alloc_in_loop(const struct observed *observed, const struct instance *instance,
				   char *text, size_t size)
{
	const struct trace_call *call = instance->call, *release = pool_trims_release(instance);
	struct site site = site_describe(observed->model->trace, release->form->site, NULL);
	const char *slash = site.file ? strrchr(site.file, '/') : NULL;
	struct format bytes, time, own;
	const int64_t touch_ns = instance_detail(instance, struct pool_trims_pair).touch_ns;
	char line[64] = "";
	size_t used;

	if (site.file)
		snprintf(line, sizeof(line), " (%.32s:%d)", slash ? slash + 1 : site.file,
			 site.line);
	format_bytes(&bytes, call->form->size_bytes);
	format_time(&time, call->end_ns - call->start_ns);
	if (pool_trims_is_one(instance)) {
		snprintf(text, size,
			 "%s of %s took %s, after the pool's memory was given back in %s%s",
			 call->form->function->name, bytes.text, time.text,
			 release->form->function->name, line);
		return;
	}
	used = (size_t)snprintf(text, size, "%s of %s took %s, after %s of as much%s took %s",
				call->form->function->name, bytes.text, time.text,
				release->form->function->name, line,
				format_time(&own, release->end_ns - release->start_ns));
	if (touch_ns && used < size)
		snprintf(text + used, size - used, "; page fault of the host's first touch: %s",
			 format_time(&own, touch_ns));
}

const struct detector detector_alloc_in_loop = {
	.id = "alloc-in-loop",
	.title = "The same memory is allocated and freed again and again",
	.fix = "Allocate once before the loop and free after it. "
	       "Or use cudaMallocAsync() and cudaFreeAsync() with a pool that keeps its memory "
	       "(cudaMemPoolAttrReleaseThreshold).",
	.other_fix = "Allocate or register the pinned memory once before the loop, and release "
		     "it after: pinning "
		     "takes time for each page, each time.",
	.cost = "allocating",
	.low_end = "memory that was allocated in between may be the same",
	.pointers = {DETAIL_POINTER(struct pool_trims_pair, release),
		     DETAIL_POINTER_ANYWHERE(struct pool_trims_pair, touched)},
	.find = find_allocs_in_loop,
	.apply = fix_allocs_in_loop,
	.describe = describe_alloc_in_loop,
	.released_ns = released_in_loop_ns,
};
