/*
 * WHAT: in each step the thread that feeds the GPU sleeps, or waits for something outside of the
 *   program, and the GPU has nothing to do meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread in that time asleep until
 *   a point in time, or waiting for a child process, a pipe or a socket, at least four times at one
 *   line. Where the thread runs none of the program's code (a framework's thread) and waits for
 *   work, the program's thread counts instead.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the estimate is for a step without the wait. What the other side of a pipe did
 *   meanwhile is not known.
 */
#include "detectors/host/host_parts.h"

static void find_host_wait_in_loop(const struct observed *observed, struct instances *found)
{
	host_parts_find(observed, HOST_KIND_WAIT, found);
}

static void describe_host_wait_in_loop(const struct observed *observed,
				       const struct instance *instance, char *text, size_t size)
{
	host_parts_describe(observed, instance, "waiting", text, size);
}

const struct detector detector_host_wait_in_loop = {
	.id = "host-wait-in-loop",
	.title = "The host sleeps, or waits for a process, pipe or socket, in each step",
	.fix = "Wait for the event itself instead of sleeping, or take the wait off the thread "
	       "that feeds the GPU: another one waits, and hands over what came.",
	.cost = "GPU idle",
	.pointers = {DETAIL_POINTER(struct host_time, since)},
	.find = find_host_wait_in_loop,
	.apply = host_parts_remove,
	.describe = describe_host_wait_in_loop,
};
