/*
 * WHAT: the host waits for work and then reads how long it took, by cudaEventElapsedTime(), before
 *   it enqueues more: the device runs dry for a number that could be read later.
 * EVIDENCE: the next call of the thread behind the wait reads the time up to the event that was
 *   waited for, or behind a wait for a stream or the device up to any event; further work was
 *   enqueued afterwards, so soon that the host cannot have read a result in between, or it is seen
 *   not to have touched one (streamtrace run --first-use).
 * COST: the host's time in the wait up to the end of what it waited for. The read stays: it takes
 *   less than a microsecond, and comes later.
 * FALSE POSITIVES: a program that decides by the time what it enqueues next, such as one that tries
 *   variants. Where what is enqueued differs from time to time the low end leaves the wait.
 */
#include "base/memory.h"
#include "detectors/evidence/host_wait.h"
#include "detectors/evidence/time_reads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void judge_wait(const struct model *model, const struct host_wait *wait,
		       struct instances *found)
{
	const struct trace_operation *needed;

	if (wait->reads_time && !host_wait_is_repeated(wait) &&
	    !host_wait_is_wide(model, wait, &needed))
		host_wait_take(model, wait, found);
}

/* Makes a wait doubtful whose work differs from that before the line's former wait: the time read
 * may have decided it. */
static void doubt_decisions(const struct model *model, struct instances *found)
{
	struct map last = {0}; /* call site to the work before its last wait */

	for (size_t i = 0; i < found->count; i++) {
		struct instance *instance = &found->items[i];
		const struct trace_site *site = instance->call->form->site;
		uint64_t site_at = site ? (uint64_t)(site - model->trace->sites) : UINT64_MAX;
		size_t work = (size_t)host_waited_of(instance).work >> 1; /* not MAP_NONE */
		size_t before = map_find(&last, site_at);

		if (before != MAP_NONE && before != work)
			instance->is_doubtful = true;
		map_set(&last, site_at, work);
	}
	map_free(&last);
}

static void find_event_timings(const struct observed *observed, struct instances *found)
{
	if (!time_reads_exist(observed->model->trace))
		return;
	host_wait_each(observed, host_wait_is_sync, judge_wait, found);
	if (found->count)
		qsort(found->items, found->count, sizeof(*found->items), instance_compare_starts);
	doubt_decisions(observed->model, found);
}

static void describe_event_timing(const struct observed *observed, const struct instance *instance,
				  char *text, size_t size)
{
	host_wait_describe(observed, instance, text, size);
	snprintf(text + strlen(text), size - strlen(text),
		 "; cudaEventElapsedTime was called next");
}

const struct detector detector_event_timing = {
	.id = "event-timing",
	.title = "The host waits for events to read elapsed times before it enqueues more",
	.fix = "Record the events in the loop, a pair for each iteration, and call "
	       "cudaEventElapsedTime() after the loop; or keep a few pairs and read each before it "
	       "is recorded again.",
	.cost = "blocked",
	.low_end = "the host may need what it waited for; --first-use records when it reads it",
	.pointers = HOST_WAIT_POINTERS,
	.is_of_waits = true,
	.doubt = "the host may have read the result before its next launch, or decides by the time "
		 "what it launches",
	.find = find_event_timings,
	.apply = host_wait_fix,
	.describe = describe_event_timing,
};
