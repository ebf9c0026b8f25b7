#include "replay/observed/evidence.h"

#include "base/minmax.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "replay/observed/timeline_private.h"

#include <stdlib.h>
#include <string.h>

/* The waits of a call while they are collected, and then its evidence. */
struct row {
	uint32_t call;
	struct model_blocker stream, other; /* until when each blocked it */
	int64_t function_ns;		    /* until when host functions did */
	const struct trace_operation *own;
	bool is_queue;
	struct call_evidence evidence;
};

struct evidence {
	const struct trace *trace;
	int64_t *baselines_ns; /* by index in trace.functions; -1: not known */
	VECTOR(struct row) rows;
	struct map by_call; /* to rows */
};

static struct row *row_of(struct evidence *evidence, uint32_t call)
{
	size_t found = map_find(&evidence->by_call, call);
	struct row *row;

	if (found != MAP_NONE)
		return &evidence->rows.items[found];
	map_add(&evidence->by_call, call, evidence->rows.count);
	row = vector_add(&evidence->rows);
	*row = (struct row){.call = call,
			    .stream = {NULL, INT64_MIN},
			    .other = {NULL, INT64_MIN},
			    .function_ns = INT64_MIN};
	return row;
}

/* Whether the call waited as its stream does: for an event, in the stream that recorded it. */
static bool is_of_own_stream(const struct model *model, const struct trace_call *call,
			     const struct trace_operation *operation)
{
	if (call->form->function->class == CLASS_EVENT_SYNC)
		return true;
	return call->form->has_stream && call->form->function->class != CLASS_DEVICE_SYNC &&
	       model_stream_of(model, call) == operation->form->stream;
}

/* Whether QUEUE_FULL_LAUNCHES operations were pending between the one that the call waited for and
 * the one that it enqueued. */
static bool is_full_queue(const struct timeline *timeline, const struct trace_call *call,
			  const struct timeline_wait *wait)
{
	return call->operation && !wait->is_of_stream &&
	       timeline->to_model[call->operation - timeline->model->trace->operations] >
		       wait->operation + QUEUE_FULL_LAUNCHES;
}

static void add_wait(struct evidence *evidence, const struct timeline *timeline,
		     const struct timeline_wait *wait)
{
	const struct model *model = timeline->model;
	const struct model_operation *item;
	const struct trace_call *call = &evidence->trace->calls[wait->call];
	struct row *row = row_of(evidence, wait->call);

	if (timeline_is_function(timeline, wait->operation)) {
		size_t index = wait->operation - model->operation_count;

		row->function_ns =
			max_ns(row->function_ns, evidence->trace->host_functions[index].end_ns);
		return;
	}
	item = &model->operations[wait->operation];
	if (item->operation->call == call) {
		row->own = item->operation;
		row->stream = model_blocker_at(model, item->stream);
		row->other = model_blocker_at(model, item->barrier);
		row->other.until_ns = max_ns(row->other.until_ns, item->event_ns);
		return;
	}
	row->is_queue |= is_full_queue(timeline, call, wait);
	model_blocker_extend(is_of_own_stream(model, call, item->operation) ? &row->stream
									    : &row->other,
			     item->operation);
}

/* The call's time up to then, as far as *at_ns has not come yet. */
static int64_t pass_time(int64_t *at_ns, int64_t until_ns, int64_t most_ns)
{
	int64_t from_ns = *at_ns;

	*at_ns = max_ns(from_ns, min_ns(until_ns, most_ns));
	return *at_ns - from_ns;
}

static void settle_own_copy(const struct row *row, const struct trace_call *call, int64_t *at_ns,
			    struct evidence_split *split)
{
	bool is_staged = rates_is_staged(row->own) && call->end_ns < row->own->end_ns;

	*at_ns = max_ns(*at_ns, min_ns(row->own->start_ns, call->end_ns));
	*(is_staged ? &split->staging_ns : &split->copy_ns) =
		pass_time(at_ns, row->own->end_ns, call->end_ns);
}

/* The rest is the call's own as far as its like take so long. */
static void settle_rest(const struct evidence *evidence, const struct trace_call *call,
			struct evidence_split *split)
{
	int64_t baseline_ns =
		evidence->baselines_ns[call->form->function - evidence->trace->functions];
	int64_t rest_ns = call->end_ns - call->start_ns - evidence_blocked_ns(split);

	split->own_ns = baseline_ns < 0 ? rest_ns : min_ns(rest_ns, baseline_ns);
	split->unexplained_ns = rest_ns - split->own_ns;
}

static void settle_row(const struct evidence *evidence, struct row *row)
{
	const struct trace_call *call = &evidence->trace->calls[row->call];
	struct evidence_split *split = &row->evidence.split;
	int64_t most_ns = row->own ? min_ns(call->end_ns, row->own->start_ns) : call->end_ns;
	const struct model_blocker *last =
		row->other.operation && row->other.until_ns > row->stream.until_ns ? &row->other
										   : &row->stream;
	int64_t at_ns = call->start_ns;

	if (row->is_queue) {
		split->queue_ns = pass_time(&at_ns, row->stream.until_ns, most_ns) +
				  pass_time(&at_ns, row->other.until_ns, most_ns);
	} else {
		split->stream_ns = pass_time(&at_ns, row->stream.until_ns, most_ns);
		split->other_streams_ns = pass_time(&at_ns, row->other.until_ns, most_ns);
	}
	split->function_ns = pass_time(&at_ns, row->function_ns, most_ns);
	row->evidence.cause =
		last->operation && last->until_ns > call->start_ns ? last->operation : row->own;
	if (row->own)
		settle_own_copy(row, call, &at_ns, split);
	settle_rest(evidence, call, split);
}

struct evidence *evidence_build(const struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	struct evidence *evidence = memory_array(1, sizeof(*evidence));

	evidence->trace = trace;
	evidence->baselines_ns = memory_array(trace->function_count, sizeof(int64_t));
	if (trace->function_count)
		memcpy(evidence->baselines_ns, timeline->baselines_ns,
		       trace->function_count * sizeof(int64_t));
	for (size_t i = 0; i < timeline->wait_count; i++)
		add_wait(evidence, timeline, &timeline->waits[i]);
	for (size_t i = 0; i < evidence->rows.count; i++)
		settle_row(evidence, &evidence->rows.items[i]);
	return evidence;
}

void evidence_free(struct evidence *evidence)
{
	if (!evidence)
		return;
	map_free(&evidence->by_call);
	vector_free(&evidence->rows);
	free(evidence->baselines_ns);
	free(evidence);
}

struct call_evidence evidence_of(const struct evidence *evidence, const struct trace_call *call)
{
	size_t found = map_find(&evidence->by_call, (uint64_t)(call - evidence->trace->calls));
	struct call_evidence alone = {0};

	if (found != MAP_NONE)
		return evidence->rows.items[found].evidence;
	settle_rest(evidence, call, &alone.split);
	return alone;
}

bool evidence_has_wait(const struct evidence *evidence, const struct trace_call *call)
{
	return map_find(&evidence->by_call, (uint64_t)(call - evidence->trace->calls)) != MAP_NONE;
}

int64_t evidence_blocked_ns(const struct evidence_split *split)
{
	return split->stream_ns + split->other_streams_ns + split->function_ns + split->copy_ns +
	       split->staging_ns + split->queue_ns + split->unexplained_ns;
}
