/*
 * WHAT: in each step the thread that feeds the GPU sleeps, or waits for something outside of the
 *   program, and the GPU has nothing to do meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread in that time asleep until
 *   a point in time, or waiting for a child process, a pipe or a socket, at least four times at one
 *   line. Where the thread runs none of the program's code (a framework's thread) and waits for
 *   work, the program's thread counts instead.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the estimate is for a step without the wait. What the process behind a pipe or
 *   socket, or a child process, did meanwhile is not in its trace: the fix says so.
 */
#include "detectors/host/host_parts.h"

#include <inttypes.h>
#include <stdio.h>

static void find_host_wait_in_loop(const struct observed *observed, struct instances *found)
{
	host_parts_find(observed, HOST_KIND_WAIT, found);
}

enum { PROCESS_BYTES = 48 };

/* Whom the thread waited for: "process 4242", "the process behind the pipe". False: not for another
 * process, or it is not known. */
static bool name_process(const struct trace_host_state *state, char text[PROCESS_BYTES])
{
	if (state->state == HOST_STATE_CHILD && state->object > 0)
		snprintf(text, PROCESS_BYTES, "process %" PRId64, state->object);
	else if (state->state == HOST_STATE_CHILD)
		snprintf(text, PROCESS_BYTES, "a child process");
	else if (state->state == HOST_STATE_INPUT && state->name &&
		 (!strcmp(state->name, "pipe") || !strcmp(state->name, "socket")))
		snprintf(text, PROCESS_BYTES, "the process behind the %s", state->name);
	else
		return false;
	return true;
}

static void describe_host_wait_in_loop(const struct observed *observed,
				       const struct instance *instance, char *text, size_t size)
{
	const struct trace_host_state *state = instance_detail(instance, struct host_time).state;
	char process[PROCESS_BYTES], doing[PROCESS_BYTES + 16] = "waiting";

	if (name_process(state, process))
		snprintf(doing, sizeof(doing), "waiting for %s", process);
	else if (state->state == HOST_STATE_ASLEEP)
		snprintf(doing, sizeof(doing), "asleep");
	host_parts_describe(observed, instance, doing, text, size);
}

/* If most of the time is a wait for processes. */
static void assume_process_keeps_up(const struct instance *instances, size_t count, char *text,
				    size_t size)
{
	char first[PROCESS_BYTES] = "", process[PROCESS_BYTES];
	int64_t process_ns = 0, all_ns = 0;
	bool is_one = true;

	for (size_t i = 0; i < count; i++) {
		const struct host_time time = instance_detail(&instances[i], struct host_time);

		all_ns += time.ns;
		if (!name_process(time.state, process))
			continue;
		process_ns += time.ns;
		if (!first[0])
			snprintf(first, sizeof(first), "%s", process);
		is_one &= !strcmp(first, process);
	}
	text[0] = '\0';
	if (2 * process_ns > all_ns)
		snprintf(text, size,
			 "without the wait for %s. What that does is not in this trace: "
			 "streamtrace run "
			 "records child processes that make CUDA calls; perf record -p samples "
			 "others",
			 is_one ? first : "other processes");
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
	.assume = assume_process_keeps_up,
	.describe = describe_host_wait_in_loop,
};
