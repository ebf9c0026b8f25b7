/*
 * WHAT: a line creates a stream or an event, after one that it had created before was destroyed,
 *   again and again. Neither call waits for the device, and nothing is enqueued meanwhile.
 * EVIDENCE: pairs of a destruction and a later creation, where both streams or events come from the
 *   same call site, and the work in the destroyed stream had ended by then: it could have been
 *   used again. At least so many of a site that it is no start-up.
 * COST: the time in the creations. The fix also saves that of the destructions, and what launches,
 *   copies and event records of other threads took longer beside both than at other times: at least
 *   one and a half times as long, on the average of at least 32 calls each. The low end shortens
 *   only those that took longer than nine in ten of the others.
 * FALSE POSITIVES: a stream that a library creates for each of its own calls is the library's to
 *   keep. A destruction that blocked the host, as behind host functions, keeps its wait.
 */
#include "base/memory.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/evidence/quiet_calls.h"
#include "detectors/loops/beside_calls.h"
#include "replay/observed/evidence.h"
#include "trace/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By index in trace.calls; an index plus one, 0 for none. */
/* Of an instance: the destruction of the one that could have been used again. */
struct churned {
	const struct trace_call *release;
};

struct churn {
	const struct model *model;
	int64_t *ends_ns; /* by index in trace.streams: of its last operation */
	/* For each call site two lists, of its streams and of its events: those destroyed and not
	 * replaced since, in the order of their destruction. */
	uint32_t *first, *last;
	uint32_t *next;		    /* of a destruction: the one behind it in that list */
	uint32_t *counts;	    /* by call site: of pairs */
	struct map streams, events; /* that live: handle to their creation */
	struct instances pairs;
};

static bool is_creation(const struct trace_call *call)
{
	return (call->form->function->class == CLASS_STREAM_CREATE ||
		call->form->function->class == CLASS_EVENT_CREATE) &&
	       !call->form->result && call->form->object && call->form->site;
}

static bool is_destruction(const struct trace_call *call)
{
	return (call->form->function->class == CLASS_STREAM_DESTROY ||
		call->form->function->class == CLASS_EVENT_DESTROY) &&
	       !call->form->result;
}

static bool is_event(const struct trace_call *call)
{
	return call->form->function->class == CLASS_EVENT_CREATE ||
	       call->form->function->class == CLASS_EVENT_DESTROY;
}

static size_t list_of(const struct churn *churn, const struct trace_call *creation)
{
	return 2 * (size_t)(creation->form->site - churn->model->trace->sites) + is_event(creation);
}

static void pass_destruction(struct churn *churn, uint32_t index)
{
	const struct trace_call *calls = churn->model->trace->calls, *call = &calls[index];
	struct map *live = is_event(call) ? &churn->events : &churn->streams;
	uint64_t handle = is_event(call) ? call->form->object : call->form->stream_handle;
	size_t found = map_find(live, handle), list;

	/* A destroyed one is kept under the index of its destruction, which is not a creation's. */
	if (found == MAP_NONE || !is_creation(&calls[found]))
		return;
	map_set(live, handle, index);
	list = list_of(churn, &calls[found]);
	if (churn->last[list])
		churn->next[churn->last[list] - 1] = index + 1;
	else
		churn->first[list] = index + 1;
	churn->last[list] = index + 1;
}

/* Whether what the stream had to do was done by then. An event is free at once. */
static bool is_done(const struct churn *churn, const struct trace_call *destruction,
		    int64_t time_ns)
{
	const struct trace *trace = churn->model->trace;
	const struct trace_stream *stream;

	if (is_event(destruction))
		return true;
	stream = model_stream_of(churn->model, destruction);
	return stream && churn->ends_ns[stream - trace->streams] <= time_ns;
}

/* The one that was destroyed first is the likeliest to be done. */
static void pass_creation(struct churn *churn, uint32_t index)
{
	const struct trace_call *calls = churn->model->trace->calls, *call = &calls[index];
	size_t list = list_of(churn, call);
	uint32_t spare = churn->first[list];

	map_set(is_event(call) ? &churn->events : &churn->streams, call->form->object, index);
	if (!spare || !is_done(churn, &calls[spare - 1], call->start_ns))
		return;
	churn->first[list] = churn->next[spare - 1];
	if (!churn->first[list])
		churn->last[list] = 0;
	churn->counts[call->form->site - churn->model->trace->sites]++;
	instance_add(&churn->pairs, (struct instance){.span = {call->start_ns, call->end_ns},
						      .site_call = call,
						      .call = call,
						      .takes_other_fix = is_event(call),
						      .detail = INSTANCE_DETAIL(
							      struct churned, &calls[spare - 1])});
}

static const struct trace_call *release_of(const struct instance *instance)
{
	return instance_detail(instance, struct churned).release;
}

static struct churn begin_churn(const struct model *model)
{
	const struct trace *trace = model->trace;
	struct churn churn = {
		.model = model,
		.ends_ns = memory_array(trace->stream_count, sizeof(int64_t)),
		.first = memory_array(2 * trace->site_count, sizeof(uint32_t)),
		.last = memory_array(2 * trace->site_count, sizeof(uint32_t)),
		.next = memory_array(trace->call_count, sizeof(uint32_t)),
		.counts = memory_array(trace->site_count, sizeof(uint32_t)),
	};

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		int64_t *end_ns = &churn.ends_ns[operation->form->stream - trace->streams];

		if (operation->end_ns > *end_ns)
			*end_ns = operation->end_ns;
	}
	return churn;
}

static void end_churn(struct churn *churn)
{
	free(churn->pairs.items);
	map_free(&churn->events);
	map_free(&churn->streams);
	free(churn->counts);
	free(churn->next);
	free(churn->last);
	free(churn->first);
	free(churn->ends_ns);
}

/* Whether so many are destroyed that there can be enough pairs. */
static bool can_be_found(const struct trace *trace)
{
	size_t count = 0;

	for (size_t i = 0; i < trace->call_count && count < LOOP_LEAST_TIMES; i++)
		count += is_destruction(&trace->calls[i]);
	return count >= LOOP_LEAST_TIMES;
}

static void find_stream_churn(const struct observed *observed, struct instances *found)
{
	const struct trace *trace = observed->model->trace;
	struct churn churn;

	if (!can_be_found(trace))
		return;
	churn = begin_churn(observed->model);
	for (size_t i = 0; i < trace->call_count; i++) {
		if (is_creation(&trace->calls[i]))
			pass_creation(&churn, (uint32_t)i);
		else if (is_destruction(&trace->calls[i]))
			pass_destruction(&churn, (uint32_t)i);
	}
	for (size_t i = 0; i < churn.pairs.count; i++) {
		const struct instance *pair = &churn.pairs.items[i];

		if (churn.counts[pair->call->form->site - trace->sites] >= LOOP_LEAST_TIMES)
			instance_add(found, *pair);
	}
	end_churn(&churn);
}

/* What launches and the like of other threads took longer while these calls had the driver's locks. */
static void quicken_others(const struct observed *observed, const struct instance *instances,
			   size_t count, enum doubt doubt, struct edits *edits)
{
	const struct trace *trace = observed->model->trace;
	bool *is_one = memory_array(trace->call_count, sizeof(*is_one));
	struct quiet_calls quiet;
	uint32_t *beside;

	for (size_t i = 0; i < count; i++) {
		is_one[instances[i].call - trace->calls] = true;
		is_one[release_of(&instances[i]) - trace->calls] = true;
	}
	beside = beside_calls(trace, is_one);
	quiet = quiet_calls_measure(observed, beside);
	for (size_t i = 0; i < trace->call_count; i++)
		if (quiet_calls_of(&quiet, i))
			quiet_calls_quicken(&quiet, i, doubt, edits);
	quiet_calls_free(&quiet);
	free(beside);
	free(is_one);
}

static void fix_stream_churn(const struct observed *observed, const struct instance *instances,
			     size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	quicken_others(observed, instances, count, doubt, edits);
	for (size_t i = 0; i < count; i++) {
		const struct trace_call *release = release_of(&instances[i]);

		edits_drop_call(edits, model, instances[i].call);
		if (evidence_of(observed->evidence, release).cause)
			edits_set_call_time(edits, model, release, 0);
		else
			edits_drop_call(edits, model, release);
	}
}

static void describe_stream_churn(const struct observed *observed, const struct instance *instance,
				  char *text, size_t size)
{
	const struct trace_call *call = instance->call, *release = release_of(instance);
	struct site site = site_describe(observed->model->trace, release->form->site, NULL);
	const char *slash = site.file ? strrchr(site.file, '/') : NULL;
	struct format time, own;
	char line[64] = "";

	if (site.file)
		snprintf(line, sizeof(line), " (%.32s:%d)", slash ? slash + 1 : site.file,
			 site.line);
	snprintf(text, size, "%s took %s, after %s of an earlier one%s took %s",
		 call->form->function->name, format_time(&time, call->end_ns - call->start_ns),
		 release->form->function->name, line,
		 format_time(&own, release->end_ns - release->start_ns));
}

const struct detector detector_stream_churn = {
	.id = "stream-churn",
	.title = "Streams or events are created and destroyed again and again",
	.fix = "Create the streams once before the loop, with cudaStreamCreateWithFlags(), and "
	       "destroy them after it. Where a function needs them, keep them in its object or in "
	       "a pool for each thread.",
	.other_fix = "Create the events once before the loop, with cudaEventCreateWithFlags(), and "
		     "record them again in each iteration.",
	.cost = "creating",
	.pointers = {DETAIL_POINTER(struct churned, release)},
	.find = find_stream_churn,
	.apply = fix_stream_churn,
	.describe = describe_stream_churn,
};
