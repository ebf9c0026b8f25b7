/*
 * WHAT: the host waits in cudaDeviceSynchronize, cudaStreamSynchronize or cudaEventSynchronize and
 *   then enqueues more work, which so starts later than it could. The line of a loop does so each
 *   time; a wait that came once is the same mistake with the same fix, and has the same id.
 * EVIDENCE: an operation that the call had to wait for ended inside the call, and the same thread
 *   enqueued further work afterwards, so soon that the host cannot have read a result in between,
 *   or is seen not to have touched one (streamtrace run --first-use). Or the thread enqueued a host
 *   function and slept until that had run: in nearly all steps of a loop the function ended before
 *   the thread's next call, which came soon after it, or looks at the thread found it waiting rather
 *   before the function's end than behind it; the device was idle from then on; and the step brought no
 *   result to the host.
 * COST: the host's time in the call up to the end of that operation. The fix also saves what the
 *   calls take by themselves, and those of the line that found the device idle, and what a Python
 *   framework does for such a call: the shorter of the host's times before it and behind it (at
 *   the low end nothing, at the high end the longer one). Where the host slept: the time up to the
 *   host function's end, and what the thread took to wake up.
 * FALSE POSITIVES: a host that reads a word of a large result has the time for it. A wait behind which
 *   the host reads a clock counts as needed; one that reads the processor's counter, or an older trace,
 *   does not show that (the fix says so). A wait before a cudaMemcpy() that waits for the same costs
 *   nothing, and is not reported. One behind which an elapsed time is read is event-timing's.
 */
#include "base/memory.h"
#include "detectors/evidence/host_wait.h"
#include "detectors/waits/function_waits.h"

#include <stdlib.h>

static void judge_wait(const struct model *model, const struct host_wait *wait,
		       struct instances *found)
{
	const struct trace_operation *needed;

	if (!wait->reads_time && !host_wait_is_repeated(wait) &&
	    !host_wait_is_wide(model, wait, &needed))
		host_wait_take(model, wait, found);
}

/* Not every clock reading of the host is seen. A wait that ends equal work each time and gives
 * nothing to read may be made for one. */
static void note_repeats(const struct model *model, struct instances *found)
{
	struct map last = {0}; /* call site to the work before its last wait */

	for (size_t i = 0; i < found->count; i++) {
		struct instance *instance = &found->items[i];
		const struct trace_site *site = instance->call->form->site;
		uint64_t site_at = site ? (uint64_t)(site - model->trace->sites) : UINT64_MAX;
		size_t work = (size_t)host_waited_of(instance).work >> 1; /* not MAP_NONE */

		if (instance->is_doubtful || !work)
			continue;
		instance->takes_other_fix = map_find(&last, site_at) == work;
		map_set(&last, site_at, work);
	}
	map_free(&last);
}

static void find_syncs_in_loop(const struct observed *observed, struct instances *found)
{
	host_wait_each(observed, host_wait_is_sync, judge_wait, found);
	host_wait_add_idle(observed, found);
	function_waits_find(observed, found);
	if (found->count)
		qsort(found->items, found->count, sizeof(*found->items), instance_compare_starts);
	note_repeats(observed->model, found);
}

static void fix_syncs_in_loop(const struct observed *observed, const struct instance *instances,
			      size_t count, enum doubt doubt, struct edits *edits)
{
	host_wait_fix(observed, instances, count, doubt, edits);
	function_waits_fix(observed, instances, count, doubt, edits);
}

static void describe_sync_in_loop(const struct observed *observed, const struct instance *instance,
				  char *text, size_t size)
{
	if (instance->host_function)
		function_waits_describe(observed, instance, text, size);
	else
		host_wait_describe(observed, instance, text, size);
}

const struct detector detector_sync_in_loop = {
	.id = "sync-in-loop",
	.title = "The host synchronizes before it has enqueued the next work",
	.fix = "Enqueue the next work first and synchronize only where the host reads the result. "
	       "Order streams with cudaEventRecord() and cudaStreamWaitEvent().",
	.other_fix = "Enqueue the next work first and synchronize only where the host reads the "
		     "result. If it is there for timing, leave it, or take the times with "
		     "cudaEventRecord() and cudaEventElapsedTime(): they do not block the host.",
	.cost = "blocked",
	.low_end = "the host may need what it waited for; --first-use records when it reads it",
	.pointers = HOST_WAIT_POINTERS,
	.is_of_waits = true,
	.doubt = "the host may have read the result before its next launch",
	.find = find_syncs_in_loop,
	.apply = fix_syncs_in_loop,
	.describe = describe_sync_in_loop,
};
