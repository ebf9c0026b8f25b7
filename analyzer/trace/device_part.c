/* The part of a watch mode's trace in which the device was recorded. */
#include "base/minmax.h"
#include "base/search.h"
#include "trace/collectives.h"
#include "trace/loader.h"

#include <stdlib.h>
#include <string.h>

/* The first call that was recorded with the device: a call that was under way can have operations, too. */
static size_t first_call(const struct trace *whole, int64_t start_ns)
{
	const struct trace_call *first =
		whole->calls + search(whole->call_count, i, whole->calls[i].start_ns < start_ns);

	for (size_t i = 0; i < whole->operation_count; i++) {
		const struct trace_call *const calls[] = {whole->operations[i].call,
							  whole->operations[i].form->node_call};

		for (size_t k = 0; k < 2; k++)
			if (calls[k] && calls[k] < first)
				first = calls[k];
	}
	return (size_t)(first - whole->calls);
}

static bool is_in(const struct trace *part, const struct trace_call *call)
{
	return call && call >= part->calls;
}

/* Of a wait for an event that was recorded before, all work until then counts (trace.h). */
static void take_event_waits(struct trace *part)
{
	const struct trace *whole = part->whole;
	VECTOR(struct trace_event_wait) waits = {0};

	for (size_t i = 0; i < whole->event_wait_count; i++) {
		struct trace_event_wait wait = whole->event_waits[i];

		if (wait.waiting && !is_in(part, wait.waiting))
			continue;
		if (wait.recording && !is_in(part, wait.recording)) {
			wait.recording = NULL;
			wait.record_ns = wait.wait_ns;
		}
		*vector_add(&waits) = wait;
	}
	vector_move(&waits, part->event_waits, part->event_wait_count);
}

static void take_host_functions(struct trace *part)
{
	const struct trace *whole = part->whole;

	part->host_functions =
		memory_array(whole->host_function_count, sizeof(*part->host_functions));
	for (size_t i = 0; i < whole->host_function_count; i++) {
		struct trace_host_function function = whole->host_functions[i];

		if (!is_in(part, function.call))
			function.call = NULL;
		if (!is_in(part, function.node_call))
			function.node_call = NULL;
		part->host_functions[i] = function;
	}
}

static void take_collectives(struct trace *part, int64_t start_ns)
{
	const struct trace *whole = part->whole;
	VECTOR(struct trace_collective) collectives = {0};

	for (size_t i = 0; i < whole->collective_count; i++)
		if (whole->collectives[i].start_ns >= start_ns)
			*vector_add(&collectives) = whole->collectives[i];
	vector_move(&collectives, part->collectives, part->collective_count);
}

/* Until the file's end where the device's end is not known. */
static int64_t end_of(const struct trace *part, int64_t end_ns, int64_t start_ns)
{
	int64_t last_ns = start_ns;

	if (end_ns >= 0)
		last_ns = max_ns(end_ns, start_ns);
	for (size_t i = 0; i < part->operation_count; i++)
		last_ns = max_ns(last_ns, part->operations[i].end_ns);
	for (size_t i = 0; end_ns < 0 && i < part->call_count; i++)
		last_ns = max_ns(last_ns, part->calls[i].end_ns);
	return last_ns;
}

static void take_metadata(struct trace *part)
{
	const struct trace *whole = part->whole;

	part->metadata = memory_array(whole->metadata_count, sizeof(*part->metadata));
	if (whole->metadata_count)
		memcpy(part->metadata, whole->metadata,
		       whole->metadata_count * sizeof(*part->metadata));
}

struct trace *trace_device_part(struct trace *trace)
{
	const struct trace_incident *incident = trace->incident_count ? &trace->incidents[0] : NULL;
	struct trace *part;
	int64_t start_ns;
	size_t first;

	if (!incident || incident->device_start_ns < 0 || !trace->operation_count)
		return trace;
	start_ns = incident->device_start_ns;
	first = first_call(trace, start_ns);
	part = memory_array(1, sizeof(*part));
	*part = *trace;
	part->whole = trace;
	part->calls += first;
	part->call_count -= first;
	part->first_use_count = part->copy_watch_count = 0; /* the watch mode has none */
	if (part->call_count)
		start_ns = min_ns(start_ns, part->calls[0].start_ns);
	take_metadata(part);
	take_event_waits(part);
	take_host_functions(part);
	take_collectives(part, start_ns);
	part->windows = memory_array(1, sizeof(*part->windows));
	part->windows[0] = (struct trace_window){
		.start_ns = start_ns,
		.end_ns = end_of(part, incident->device_end_ns, start_ns),
	};
	part->window_count = 1;
	return part;
}

struct trace *device_part_free(struct trace *part)
{
	struct trace *whole = part->whole;

	free(part->metadata);
	free(part->event_waits);
	free(part->host_functions);
	free(part->collectives);
	free(part->windows);
	free(part);
	return whole;
}
