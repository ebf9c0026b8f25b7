/*
 * WHAT: the host waits for the whole device (cudaDeviceSynchronize, or cudaStreamSynchronize of the
 *   legacy default stream), and then reads the result of one stream.
 * EVIDENCE: work in another stream ended inside the call, after the result that was needed. Of the
 *   results since the thread's last wait (copies out, and what kernels write to mapped memory), the
 *   host had time to read some, but not all, before it enqueued more (then the first counts as the
 *   one it read); or none came from that other stream.
 * COST: the host's time in the call from the end of that result to the end of the last work.
 * FALSE POSITIVES: a host that reads a few words of every result needs them all.
 */
#include "detectors/evidence/host_wait.h"

#include <stdio.h>
#include <string.h>

static void judge_wait(const struct model *model, const struct host_wait *wait,
		       struct instances *found)
{
	const struct trace_operation *needed;
	struct instance instance = host_wait_instance(wait);
	struct host_waited waited = host_waited_of(&instance);

	if (host_wait_is_repeated(wait) || !host_wait_is_wide(model, wait, &needed) ||
	    host_wait_is_for_clock(model, wait, found))
		return;
	waited.needed = needed;
	waited.last_needed = wait->last_result;
	instance.detail = INSTANCE_DETAIL_OF(waited);
	if (needed->end_ns > instance.span.start_ns)
		instance.span.start_ns = needed->end_ns;
	instance.reach.start_ns = instance.reach_of_both.start_ns = instance.span.start_ns;
	instance_add(found, instance);
}

static void find_wide_syncs(const struct observed *observed, struct instances *found)
{
	host_wait_each(observed, host_wait_is_sync, judge_wait, found);
}

static void fix_wide_syncs(const struct observed *observed, const struct instance *instances,
			   size_t count, enum doubt doubt, struct edits *edits)
{
	for (size_t i = 0; i < count; i++) {
		struct host_waited waited = host_waited_of(&instances[i]);

		edits_narrow_wait(edits, observed->model, instances[i].call,
				  doubt == DOUBT_KEEP ? waited.last_needed : waited.needed);
	}
}

static void describe_wide_sync(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	struct host_waited waited = host_waited_of(instance);
	char needed[160], stream[32];
	struct format time;

	describe_call(observed, instance->call, text, size);
	snprintf(text + strlen(text), size - strlen(text), "; %s in %s had finished %s earlier",
		 describe_cause(observed->model, waited.needed, needed, sizeof(needed)),
		 describe_stream(waited.needed, stream, sizeof(stream)),
		 format_time(&time, instance->span.end_ns - waited.needed->end_ns));
	describe_first_use(observed->model, &waited.label, text, size);
}

const struct detector detector_wide_sync = {
	.id = "wide-sync",
	.title = "The host waits for all streams but reads the result of one",
	.fix = "cudaEventRecord() after the copy or kernel whose result is read, and "
	       "cudaEventSynchronize() on that event. "
	       "Or cudaStreamSynchronize() of its stream, if nothing else is enqueued there.",
	.cost = "blocked",
	.low_end = "the host may need all that it waited for; --first-use records when it reads "
		   "results",
	.pointers = HOST_WAIT_POINTERS,
	.is_of_waits = true,
	.find = find_wide_syncs,
	.apply = fix_wide_syncs,
	.describe = describe_wide_sync,
};
