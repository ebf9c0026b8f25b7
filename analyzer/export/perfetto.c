/*
 * A trace for ui.perfetto.dev: protocol buffers. What the device did are its records of GPU work, a
 * queue for each stream, with the operations that each waited for; calls are slices on their threads,
 * with the operations that they enqueued and the one that they waited for, their line, and the finding
 * that they belong to; NVTX ranges and what threads did between their calls (perfetto_states.h) are
 * slices on tracks below their threads. Steps are slices on a track of the process. A second process is the same run with all shown fixes in, as replayed.
 *
 * Of several traces each is a sequence of packets, with texts of its own, and a process named by its rank; the runs
 * with the fixes in are left out.
 *
 * Times are those of CLOCK_REALTIME; of a trace from a machine with another clock, what that clock showed is
 * told along the run.
 */
#include "base/mix.h"
#include "detectors/instance.h"
#include "export/perfetto_group.h"
#include "export/perfetto_ranges.h"
#include "export/perfetto_slices.h"
#include "export/perfetto_states.h"
#include "job/machine_clocks.h"
#include "replay/observed/evidence.h"
#include "replay/retiming/retimed.h"
#include "trace/texts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Processes and tracks of the second group, beside those of the first. */
#define AFTER_PROCESS 0x40000000

#define MOST_CLOCK_STEPS    4096
#define LEAST_CLOCK_STEP_NS 100000000

/* Whether the group is the run after the fixes. */
static bool is_after(const struct group *group)
{
	return group->number % 2;
}

static void write_process(const struct group *group)
{
	struct protobuf *packet = &group->packets->packet;
	const char *program = trace_metadata(group->trace, "program");
	char *name = memory_format("%s%s", group->prefix, program ? program : "program");
	size_t track = perfetto_begin_track(group, track_of(group, TRACK_OF_PROCESS, 0), NULL),
	       part;

	part = protobuf_begin(packet, TRACK_PROCESS);
	protobuf_number(packet, PROCESS_PID, group->process_id);
	protobuf_text(packet, PROCESS_NAME, name);
	protobuf_end(packet, part);
	perfetto_end_track(group, track);
	free(name);
}

static void write_thread(const struct group *group, uint32_t thread_id)
{
	struct protobuf *packet = &group->packets->packet;
	size_t track = perfetto_begin_track(group, track_of(group, TRACK_OF_THREAD, thread_id),
					    NULL),
	       part;
	const struct trace *trace = group->exporting->trace;
	char *name = trace_text_thread(trace, thread_id);

	part = protobuf_begin(packet, TRACK_THREAD);
	protobuf_number(packet, THREAD_PID, group->process_id);
	protobuf_number(packet, THREAD_TID, thread_id);
	protobuf_text(packet, THREAD_NAME, name);
	protobuf_end(packet, part);
	protobuf_number(packet, TRACK_PARENT, track_of(group, TRACK_OF_PROCESS, 0));
	perfetto_end_track(group, track);
	free(name);
}

/* The process, its threads and, where there are any, its host callbacks; queues have none. */
static void write_tracks(const struct group *group)
{
	const struct trace *trace = group->trace;
	struct map threads = {0};
	size_t track;

	write_process(group);
	for (size_t i = 0; i < trace->call_count; i++)
		if (map_add(&threads, trace->calls[i].form->thread_id, i))
			write_thread(group, trace->calls[i].form->thread_id);
	for (size_t i = 0; i < trace->range_count; i++)
		if (map_add(&threads, trace->ranges[i].thread_id, i))
			write_thread(group, trace->ranges[i].thread_id);
	for (size_t i = 0; !is_after(group) && i < trace->host_state_count; i++)
		if (map_add(&threads, trace->host_states[i].thread_id, i))
			write_thread(group, trace->host_states[i].thread_id);
	if (trace->host_function_count) {
		track = perfetto_begin_track(group, track_of(group, TRACK_OF_FUNCTIONS, 0),
					     "host callbacks");
		protobuf_number(&group->packets->packet, TRACK_PARENT,
				track_of(group, TRACK_OF_PROCESS, 0));
		perfetto_end_track(group, track);
	}
	map_free(&threads);
}

static void write_finding(const struct group *group, unsigned number)
{
	const struct finding *finding = &group->exporting->analysis->findings.items[number - 1];
	char text[80];

	snprintf(text, sizeof(text), "%u. %s", number, finding->id);
	perfetto_write_text(group, "finding", text);
}

/* What the call enqueued, and what it waited for. */
static void write_correlation(const struct group *group, const struct trace_call *call,
			      const struct trace_operation *cause)
{
	struct protobuf *packet = &group->packets->packet;
	const struct trace_operation *operation = causes_first_of_call(group->causes, call);
	size_t part;

	if (!operation && !cause)
		return;
	part = protobuf_begin(packet, EVENT_GPU_CORRELATION);
	for (; operation; operation = causes_next_of_call(group->causes, operation))
		protobuf_number(packet, CORRELATION_SUBMITTED, event_of(group, operation));
	if (cause)
		protobuf_number(packet, CORRELATION_WAITED, event_of(group, cause));
	protobuf_end(packet, part);
}

static void write_line(const struct group *group, const struct trace_call *call)
{
	const struct site *site = export_site_of(group->sites, call);

	if (site && (site->file || site->function))
		protobuf_number(&group->packets->packet, EVENT_CALLSTACK_IID,
				packets_callstack(group->packets, packets_key(call->form->site),
						  site->function, site->file, site->line));
}

static void write_call(const struct group *group, const struct trace_call *call)
{
	const struct call_evidence evidence = evidence_of(group->observed->evidence, call);
	const int64_t blocked_ns = evidence_blocked_ns(&evidence.split);
	const uint64_t track = track_of(group, TRACK_OF_THREAD, call->form->thread_id);
	const char *name = export_call_name(call);
	size_t part;

	packet_begin(group->packets, call->start_ns);
	part = perfetto_begin_slice(group, track, call->start_ns,
				    packets_name(group->packets, packets_key(name), name));
	if (blocked_ns > 0)
		perfetto_write_number(group, "blocked_ns", (uint64_t)blocked_ns);
	if (call->form->size_bytes)
		perfetto_write_number(group, "bytes", call->form->size_bytes);
	if (call->form->result)
		perfetto_write_number(group, "result", (uint64_t)(int64_t)call->form->result);
	if (group->findings && group->findings[call - group->trace->calls])
		write_finding(group, group->findings[call - group->trace->calls]);
	write_line(group, call);
	write_correlation(group, call, evidence.cause);
	protobuf_number(&group->packets->packet, EVENT_GPU_API, API_CUDA);
	perfetto_end_slice(group, part, track, call->end_ns);
}

static void write_host_function(const struct group *group,
				const struct trace_host_function *function)
{
	static const char name[] = "host callback";
	const uint64_t track = track_of(group, TRACK_OF_FUNCTIONS, 0);
	size_t part;

	packet_begin(group->packets, function->start_ns);
	part = perfetto_begin_slice(group, track, function->start_ns,
				    packets_name(group->packets, packets_key(name), name));
	if (function->call)
		write_line(group, function->call);
	perfetto_end_slice(group, part, track, function->end_ns);
}

/* From the first work of each to that of the next one. */
static void write_steps(const struct group *group)
{
	const struct step_begins *steps = group->exporting->steps;
	const uint64_t track = track_of(group, TRACK_OF_STEPS, 0);
	char name[32];
	size_t part;

	if (!steps)
		return;
	part = perfetto_begin_track(group, track, "steps");
	protobuf_number(&group->packets->packet, TRACK_PARENT,
			track_of(group, TRACK_OF_PROCESS, 0));
	perfetto_end_track(group, part);
	for (size_t i = 0; i < steps->count && !ferror(group->packets->out); i++) {
		snprintf(name, sizeof(name), "step %zu", i + 1);
		packet_begin(group->packets, steps->work_ns[i]);
		part = perfetto_begin_slice(group, track, steps->work_ns[i],
					    packets_name(group->packets, mix(track, i), name));
		perfetto_end_slice(group, part, track, step_begins_until_ns(steps, i));
	}
}

static void number_instances(const struct trace *trace, const struct finding *part, uint16_t number,
			     uint16_t *numbers)
{
	for (size_t i = 0; i < part->instance_count; i++) {
		const struct trace_call *call = part->instances[i].call;

		call = call ? call : part->instances[i].site_call;
		if (call)
			numbers[call - trace->calls] = number;
	}
}

/* The number of the finding that each call belongs to; of several, the one listed first. */
static uint16_t *number_calls(const struct exporting *exporting)
{
	const struct trace *trace = exporting->trace;
	const struct analysis *analysis = exporting->analysis;
	uint16_t *numbers = memory_array(trace->call_count, sizeof(*numbers));

	for (size_t i = analysis->findings.count; i-- > 0;) {
		const struct finding *finding = &analysis->findings.items[i];

		for (size_t k = 0; k < finding_part_count(finding) && i < UINT16_MAX; k++)
			number_instances(trace, finding_part(finding, k), (uint16_t)(i + 1),
					 numbers);
	}
	return numbers;
}

static void write_group(struct group *group)
{
	const struct trace *trace = group->trace;
	FILE *out = group->packets->out;

	group->causes = causes_of(group->observed->model);
	write_tracks(group);
	perfetto_write_ranges(group);
	if (!is_after(group)) {
		perfetto_write_states(group);
		write_steps(group);
	}
	for (size_t i = 0; i < trace->call_count && !ferror(out); i++)
		write_call(group, &trace->calls[i]);
	for (size_t i = 0; i < trace->operation_count && !ferror(out); i++)
		perfetto_write_operation(group, &trace->operations[i]);
	for (size_t i = 0; i < trace->host_function_count; i++)
		write_host_function(group, &trace->host_functions[i]);
	causes_free(group->causes);
}

static uint64_t process_of(const struct trace *trace)
{
	const char *text = trace_metadata(trace, "process_id");
	long number = text ? strtol(text, NULL, 10) : 0;

	return number > 0 && number < AFTER_PROCESS ? (uint64_t)number : 1;
}

/* "rank 3: " of several traces in the file; malloc'ed. */
static char *make_prefix(const struct exporting *exporting)
{
	const char *rank = trace_metadata(exporting->trace, "rank");

	if (exporting->part_count < 2)
		return memory_format("%s", "");
	return rank ? memory_format("rank %s: ", rank)
		    : memory_format("process %llu: ", (unsigned long long)exporting->process_id);
}

/* Between two of them the clock is taken to run as the file's: at 100 ppm 10 us are lost in 100 ms. */
static void tell_clocks(struct packets *packets, const struct exporting *exporting)
{
	int64_t step_ns = exporting->wall_ns / MOST_CLOCK_STEPS;

	step_ns = step_ns > LEAST_CLOCK_STEP_NS ? step_ns : LEAST_CLOCK_STEP_NS;
	for (int64_t at_ns = 0; at_ns <= exporting->wall_ns; at_ns += step_ns) {
		int64_t own_ns = exporting->origin_ns + at_ns;

		packets_tell_clock(packets, own_ns, machine_clock_time(exporting->clock, own_ns));
	}
}

static int64_t origin_of(const struct exporting *exporting)
{
	return exporting->clock ? machine_clock_time(exporting->clock, exporting->origin_ns)
				: exporting->origin_ns;
}

static void write_after(const struct group *run)
{
	struct group after = *run;

	after.observed = retimed_observed(run->exporting->after);
	after.trace = after.observed->model->trace;
	after.findings = NULL;
	after.process_id += AFTER_PROCESS;
	after.first_event += run->trace->operation_count;
	after.number++;
	after.prefix = "after the fixes: ";
	write_group(&after);
}

static void write_perfetto(const struct exporting *exporting, FILE *out)
{
	const struct trace *trace = exporting->trace;
	uint16_t *findings = number_calls(exporting);
	char *prefix = make_prefix(exporting);
	struct export_sites sites;
	struct packets packets;
	struct group run = {
		.packets = &packets,
		.sites = &sites,
		.exporting = exporting,
		.trace = trace,
		.observed = exporting->observed,
		.findings = findings,
		.process_id = exporting->process_id ? exporting->process_id : process_of(trace),
		.first_event = (uint64_t)exporting->part << 40 | 1,
		.number = 2 * (unsigned)exporting->part,
		.prefix = prefix,
	};

	export_sites_begin(&sites, trace);
	packets_begin(&packets, out, (uint32_t)exporting->part + 1, origin_of(exporting));
	if (exporting->clock)
		tell_clocks(&packets, exporting);
	write_group(&run);
	if (exporting->after)
		write_after(&run);
	packets_free(&packets);
	export_sites_end(&sites);
	free(findings);
	free(prefix);
}

const struct exporter exporter_perfetto = {
	.name = "perfetto", .need = EXPORT_FINDINGS, .joins = true, .write = write_perfetto};
