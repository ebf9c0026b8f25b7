#include "detectors/host/host_room.h"

#include "base/thresholds.h"

#include <stdlib.h>

/* 0: the trace does not tell. */
static double number_of(const struct trace *trace, const char *key)
{
	const char *text = trace_metadata(trace, key);
	const double number = text ? strtod(text, NULL) : 0;

	return number > 0 ? number : 0;
}

static double allowed_cpus(const struct trace *trace)
{
	const double known = number_of(trace, "host_cpus");
	const double quota = number_of(trace, "host_quota_ns_per_s") / 1e9;
	const double cpus =
		known >= 1 && known <= SPIN_MOST_CPUS ? known : (double)WORKERS_UNKNOWN_CPUS;

	return quota > 0 && quota < cpus ? quota : cpus;
}

/* On average, as far as looks found threads running; at least 1. */
static double running_threads(const struct trace *trace)
{
	double running_ns = 0, recorded_ns = 0;

	for (size_t i = 0; i < trace->host_state_count; i++) {
		const struct trace_host_state *state = &trace->host_states[i];

		if (state->state == HOST_STATE_RUNNING || state->state == HOST_STATE_GARBAGE)
			running_ns += (double)(state->end_ns - state->start_ns - state->ready_ns);
	}
	if (trace->call_count)
		recorded_ns =
			(double)trace_recorded_between(trace, trace->calls[0].start_ns,
						       trace->calls[trace->call_count - 1].end_ns);
	return recorded_ns > 0 && running_ns > recorded_ns ? running_ns / recorded_ns : 1;
}

struct host_room host_room_of(const struct trace *trace)
{
	const double running = running_threads(trace), cpus = allowed_cpus(trace);

	return (struct host_room){.free_cpus = cpus > running ? cpus - running : 0,
				  .running = running};
}
