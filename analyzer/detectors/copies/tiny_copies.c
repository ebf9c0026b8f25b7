/*
 * WHAT: many small copies in a row, from the host or to it, where one would do: a struct field by
 *   field, rows of a matrix, parameters one by one. Each call takes the host microseconds, and the
 *   device starts each copy anew.
 * EVIDENCE: a thread made at least eight copies in one stream and one direction, with nothing
 *   enqueued or waited for between them. Each call's own time was more than twice what its bytes
 *   take at the rate of the trace.
 * COST: the time from the first of these calls to the end of the last copy. The fix leaves one call
 *   and one copy of all bytes, and the host's packing of them.
 * FALSE POSITIVES: data that is ready long before the last piece of it cannot begin its way so early.
 *   Where the pieces do not lie close together on the device only cudaMemcpyBatchAsync() takes them
 *   as they are: the low end leaves them.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/evidence/copy_runs.h"
#include "replay/observed/evidence.h"

#include <stdio.h>
#include <stdlib.h>

/* Of an instance: the copies of one thread from its call on; see copy_runs.h. */
struct small_copies {
	const struct trace_call *last;
	size_t count;
	uint64_t bytes;
	int64_t calls_ns, one_ns; /* their calls'; that of one copy of as much */
};

static struct small_copies copies_of(const struct instance *instance)
{
	return instance_detail(instance, struct small_copies);
}

static void find_tiny_copies(const struct observed *observed, struct instances *found)
{
	struct copy_runs runs = copy_runs_find(observed);

	for (size_t i = 0; i < runs.found.count; i++) {
		const struct copy_run *run = &runs.found.items[i];
		int64_t end_ns = max_ns(run->last->end_ns, run->last->operation->end_ns);

		instance_add(found,
			     (struct instance){
				     .span = {run->first->start_ns, end_ns},
				     .site_call = run->first,
				     .call = run->first,
				     .operation = run->last->operation,
				     .is_doubtful = run->is_scattered,
				     .detail = INSTANCE_DETAIL(
					     struct small_copies, run->last, run->count, run->bytes,
					     run->calls_ns,
					     copy_runs_one_ns(observed->model, run, RATE_LIKELY)),
			     });
	}
	copy_runs_free(&runs);
}

static int64_t packing_ns(uint64_t bytes, enum doubt doubt)
{
	if (doubt == DOUBT_DROP)
		return 0;
	return (int64_t)((double)bytes /
			 (doubt == DOUBT_KEEP ? PACK_SLOW_BYTES_PER_NS : PACK_BYTES_PER_NS));
}

/* The last call copies all; the host has all pieces only then. */
static void edit_last(const struct observed *observed, const struct instance *instance,
		      enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	struct small_copies copies = copies_of(instance);
	const struct trace_call *call = copies.last;
	const struct trace_operation *operation = call->operation;
	enum rate_end end = doubt == DOUBT_KEEP	   ? RATE_SLOWEST
			    : doubt == DOUBT_WEIGH ? RATE_LIKELY
						   : RATE_FASTEST;
	int64_t one_ns =
		rates_copy_ns(model->pinned_copies[operation->form->engine], copies.bytes, end);
	int64_t gather_ns = packing_ns(copies.bytes, doubt);

	/* The host is later by that, and so is the copy, or who waits for it. */
	edits_set_call_time(edits, model, call,
			    evidence_of(observed->evidence, call).split.own_ns + gather_ns);
	edits_set_duration(edits, model, operation,
			   max_ns(one_ns, operation->end_ns - operation->start_ns) + gather_ns);
}

/* For each of trace.calls: the number of the instance that begins there, plus one; 0: none.
 * *end_at: after all the instances' calls. The caller must free() the array. */
static uint32_t *find_begins(const struct trace *trace, const struct instance *instances,
			     size_t count, enum doubt doubt, size_t *end_at)
{
	uint32_t *begins = memory_array(trace->call_count, sizeof(*begins));

	*end_at = 0;
	for (size_t i = 0; i < count; i++) {
		size_t last = (size_t)(copies_of(&instances[i]).last - trace->calls);

		if (doubt == DOUBT_KEEP && instances[i].is_doubtful)
			continue;
		begins[instances[i].call - trace->calls] = (uint32_t)i + 1;
		*end_at = last >= *end_at ? last + 1 : *end_at;
	}
	return begins;
}

/* Goes through the calls once: threads copy side by side. */
static void fix_tiny_copies(const struct observed *observed, const struct instance *instances,
			    size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	const struct trace *trace = model->trace;
	struct map threads = {0}; /* thread to its last instance */
	size_t end_at;
	uint32_t *begins = find_begins(trace, instances, count, doubt, &end_at);
	size_t first = end_at ? (size_t)(instances[0].call - trace->calls) : 0;

	for (size_t i = first; i < end_at; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t current;

		if (begins[i])
			map_set(&threads, call->form->thread_id, begins[i] - 1);
		current = map_find(&threads, call->form->thread_id);
		if (current == MAP_NONE || call > copies_of(&instances[current]).last ||
		    !copy_runs_is_small(observed, call))
			continue;
		if (call == copies_of(&instances[current]).last) {
			edit_last(observed, &instances[current], doubt, edits);
			continue;
		}
		edits_drop_call(edits, model, call);
		edits_drop_operation(edits, model, call->operation);
	}
	map_free(&threads);
	free(begins);
}

static void describe_tiny_copy(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	struct small_copies copies = copies_of(instance);
	struct format count, bytes, calls, one;

	(void)observed;
	format_bytes(&bytes, copies.bytes);
	snprintf(text, size, "%s %s copies of %s in all: their calls took %s, one copy takes %s",
		 format_count(&count, copies.count),
		 instance->operation->form->engine == ENGINE_H2D ? "H2D" : "D2H", bytes.text,
		 format_time(&calls, copies.calls_ns), format_time(&one, copies.one_ns));
}

const struct detector detector_tiny_copies = {
	.id = "tiny-copies",
	.title = "Many small copies in a row, where one would do",
	.fix = "Gather the pieces in one pinned buffer and copy that once. For rows of "
	       "equal length cudaMemcpy2DAsync() does it, for other pieces "
	       "cudaMemcpyBatchAsync() (CUDA 12.8).",
	.cost = "in these copies",
	.low_end = "gathering the pieces on the host may take longer",
	.pointers = {DETAIL_POINTER(struct small_copies, last)},
	.find = find_tiny_copies,
	.apply = fix_tiny_copies,
	.describe = describe_tiny_copy,
};
