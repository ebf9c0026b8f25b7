#include "replay/idle_pieces.h"

#include "base/minmax.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/thresholds.h"
#include "model/tool_cost.h"

#include <stdlib.h>

#define NO_CALL UINT32_MAX

/* A call in its thread. */
struct thread_call {
	uint32_t before;  /* the thread's call before it, or NO_CALL */
	uint32_t covered; /* of the calls up to it the one that ends last */
};

/* Of which thread a call is; index in trace.calls. */
struct idle_walk {
	const struct model *model;
	const struct timeline *timeline; /* or NULL */
	const struct evidence *evidence;
	struct thread_call *calls;  /* by index in trace.calls */
	struct sort_key *by_thread; /* by thread, then in order: indexes of calls */
	uint32_t *to_model;	    /* by index in trace.operations */
	bool *is_first_of_kernel;   /* by index in trace.calls: its launch may load the kernel */
};

/* One gap. */
struct gap {
	const struct idle_walk *walk;
	struct span span;
	const struct trace_operation *opener, *operation; /* the last before it, the one behind */
	idle_function piece;
	void *context;
};

static const struct trace *trace_of(const struct idle_walk *walk)
{
	return walk->model->trace;
}

static void chain_calls(struct idle_walk *walk)
{
	const struct trace *trace = trace_of(walk);
	struct map threads = {0};

	for (size_t i = 0; i < trace->call_count; i++) {
		struct thread_call *call = &walk->calls[i];
		size_t before = map_find(&threads, trace->calls[i].form->thread_id);

		*call = (struct thread_call){NO_CALL, (uint32_t)i};
		if (before != MAP_NONE) {
			call->before = (uint32_t)before;
			if (trace->calls[walk->calls[before].covered].end_ns >
			    trace->calls[i].end_ns)
				call->covered = walk->calls[before].covered;
		}
		map_set(&threads, trace->calls[i].form->thread_id, i);
	}
	map_free(&threads);
}

static void sort_by_thread(struct idle_walk *walk)
{
	const struct trace *trace = trace_of(walk);

	for (size_t i = 0; i < trace->call_count; i++)
		walk->by_thread[i] =
			(struct sort_key){trace->calls[i].form->thread_id, (uint32_t)i};
	sort_by_key_once(walk->by_thread, trace->call_count);
}

static void find_first_launches(struct idle_walk *walk)
{
	const struct trace *trace = trace_of(walk);
	struct map kernels = {0};

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_operation *operation = trace->calls[i].operation;

		if (operation && operation->form->name)
			walk->is_first_of_kernel[i] =
				map_add(&kernels, (uint64_t)(uintptr_t)operation->form->name, i);
	}
	map_free(&kernels);
}

struct idle_walk *idle_walk_create(const struct model *model, const struct timeline *timeline,
				   const struct evidence *evidence)
{
	const struct trace *trace = model->trace;
	struct idle_walk *walk = memory_array(1, sizeof(*walk));

	walk->model = model;
	walk->timeline = timeline;
	walk->evidence = evidence;
	walk->calls = memory_array(trace->call_count, sizeof(*walk->calls));
	walk->by_thread = memory_array(trace->call_count, sizeof(*walk->by_thread));
	walk->is_first_of_kernel =
		memory_array(trace->call_count, sizeof(*walk->is_first_of_kernel));
	walk->to_model = memory_array(trace->operation_count, sizeof(*walk->to_model));
	for (size_t i = 0; i < model->operation_count; i++)
		walk->to_model[model->operations[i].operation - trace->operations] = (uint32_t)i;
	chain_calls(walk);
	sort_by_thread(walk);
	find_first_launches(walk);
	return walk;
}

void idle_walk_free(struct idle_walk *walk)
{
	free(walk->to_model);
	free(walk->is_first_of_kernel);
	free(walk->by_thread);
	free(walk->calls);
	free(walk);
}

/* The part inside the gap. Before the first operation only the calls are told apart. */
static void emit_piece(const struct gap *gap, struct span span, enum idle_cause cause,
		       const struct trace_call *from, const struct trace_call *call)
{
	struct idle_piece piece = {.span = {max_ns(span.start_ns, gap->span.start_ns),
					    min_ns(span.end_ns, gap->span.end_ns)},
				   .cause = cause,
				   .from = cause == IDLE_HOST_WORK ? from : NULL,
				   .call = call,
				   .operation = gap->operation};

	if (!gap->opener) {
		piece.call = cause == IDLE_HOST_WORK ? NULL : call;
		piece.from = NULL;
		piece.cause = IDLE_START;
	}
	if (piece.span.end_ns > piece.span.start_ns)
		gap->piece(gap->context, &piece);
}

/* The thread's first overhead that ends after the time. */
static size_t overhead_after(const struct trace *trace, uint32_t thread_id, int64_t time_ns)
{
	return search(trace->overhead_count, i,
		      trace->overheads[i].thread_id < thread_id ||
			      (trace->overheads[i].thread_id == thread_id &&
			       trace->overheads[i].end_ns <= time_ns));
}

/* What the tracer added to the time in the call, or to the work before it. */
static int64_t tool_ns(const struct idle_walk *walk, enum idle_cause cause,
		       const struct trace_call *call, int64_t part_ns)
{
	struct tool_cost cost = tool_cost_of_call(&walk->model->tool_costs, call);
	int64_t call_ns = call->end_ns - call->start_ns;
	double added_ns = cost.outside_ns;

	if (cause != IDLE_HOST_WORK)
		added_ns = call_ns > 0 ? cost.inside_ns * (double)part_ns / (double)call_ns : 0;
	return min_ns(part_ns, (int64_t)added_ns);
}

/* Emits the host's time without the thread's overheads, and without the tracer's part of calls,
 * which is put at the end. */
static void emit_host(const struct gap *gap, struct span span, enum idle_cause cause,
		      const struct trace_call *from, const struct trace_call *call)
{
	const struct trace *trace = trace_of(gap->walk);
	int64_t at_ns = max_ns(span.start_ns, gap->span.start_ns);
	int64_t all_ns = min_ns(span.end_ns, gap->span.end_ns), end_ns;

	if (all_ns <= at_ns)
		return;
	end_ns = all_ns - tool_ns(gap->walk, cause, call, all_ns - at_ns);
	emit_piece(gap, (struct span){end_ns, all_ns}, IDLE_TRACER, NULL, call);
	for (size_t i = overhead_after(trace, call->form->thread_id, at_ns);
	     i < trace->overhead_count && at_ns < end_ns; i++) {
		const struct trace_overhead *overhead = &trace->overheads[i];
		struct span part = {max_ns(overhead->start_ns, at_ns),
				    min_ns(overhead->end_ns, end_ns)};

		if (overhead->thread_id != call->form->thread_id || part.start_ns >= end_ns)
			break;
		emit_piece(gap, (struct span){at_ns, part.start_ns}, cause, from, call);
		emit_piece(gap, part, overhead->is_loading ? IDLE_LOADING : IDLE_TRACER, NULL,
			   call);
		at_ns = part.end_ns;
	}
	emit_piece(gap, (struct span){at_ns, end_ns}, cause, from, call);
}

/* A copy's call can have waited for what ran before the gap, and its copy takes a time to start;
 * behind the copy it waits for that, or copies from the staging buffer. */
static enum idle_cause cause_in_copy(const struct gap *gap, const struct trace_call *call)
{
	if (call->operation && call->operation->end_ns <= gap->span.start_ns)
		return IDLE_BLOCKED;
	return call->operation && call->start_ns < gap->span.start_ns ? IDLE_COPY_START
								      : IDLE_LAUNCHING;
}

static enum idle_cause cause_in(const struct gap *gap, const struct trace_call *call)
{
	switch (call->form->function->class) {
	case CLASS_COPY:
	case CLASS_SET:
		return cause_in_copy(gap, call);
	case CLASS_LAUNCH:
	case CLASS_GRAPH_LAUNCH:
	case CLASS_EVENT_RECORD:
	case CLASS_STREAM_WAIT_EVENT:
	case CLASS_HOST_FUNCTION:
		return IDLE_LAUNCHING;
	case CLASS_STREAM_SYNC:
	case CLASS_EVENT_SYNC:
	case CLASS_DEVICE_SYNC:
	case CLASS_STREAM_QUERY:
	case CLASS_EVENT_QUERY:
		return IDLE_BLOCKED;
	default:
		return call->operation ? IDLE_LAUNCHING : IDLE_OTHER_CALLS;
	}
}

/* In the call. Where it launches a kernel for the first time and takes longer than launches do, the
 * driver loads the kernel, at the beginning. */
static void emit_call(const struct gap *gap, struct span span, uint32_t index)
{
	const struct trace_call *call = &trace_of(gap->walk)->calls[index];
	enum idle_cause cause = cause_in(gap, call);

	if (cause == IDLE_LAUNCHING && gap->walk->is_first_of_kernel[index]) {
		struct call_evidence found = evidence_of(gap->walk->evidence, call);
		int64_t loaded_ns =
			min_ns(span.end_ns, call->start_ns + found.split.unexplained_ns);

		emit_host(gap, (struct span){span.start_ns, loaded_ns}, IDLE_LOADING, NULL, call);
		span.start_ns = max_ns(span.start_ns, loaded_ns);
	}
	emit_host(gap, span, cause, NULL, call);
}

/* The last call of the thread that started before the time, or NO_CALL. */
static uint32_t last_call_before(const struct idle_walk *walk, uint32_t thread_id, int64_t time_ns)
{
	const struct trace *trace = trace_of(walk);
	size_t low = search(trace->call_count, i,
			    walk->by_thread[i].key < thread_id ||
				    (walk->by_thread[i].key == thread_id &&
				     trace->calls[walk->by_thread[i].index].start_ns < time_ns));

	return low && walk->by_thread[low - 1].key == thread_id ? walk->by_thread[low - 1].index
								: NO_CALL;
}

/* When the thread left all its calls up to this one. */
static int64_t left_ns(const struct idle_walk *walk, uint32_t call)
{
	return trace_of(walk)->calls[walk->calls[call].covered].end_ns;
}

/* The call that handed work over to this one (model/host_chain.h), if it returned later than this one's
 * thread's call before; otherwise that one. */
static uint32_t followed_call(const struct idle_walk *walk, uint32_t call)
{
	const struct host_chains *chains = walk->model->host_chains;
	const struct trace_call *calls = trace_of(walk)->calls, *followed = NULL;
	const uint32_t own = walk->calls[call].before;

	if (chains && walk->timeline && host_chains_has(chains, calls[call].form->thread_id))
		followed = timeline_call_before(walk->timeline, &calls[call]);
	return followed && host_chains_has(chains, followed->form->thread_id) &&
			       (own == NO_CALL || followed->end_ns > left_ns(walk, own))
		       ? (uint32_t)(followed - calls)
		       : own;
}

/* The call before this one: its thread's, or if that had returned before the gap, the last call of
 * the thread that enqueued what ran before the gap. If that had returned, too, the one that handed
 * work over. */
static uint32_t call_before(const struct gap *gap, uint32_t call, bool *has_changed)
{
	const struct idle_walk *walk = gap->walk;
	const struct trace_call *calls = trace_of(walk)->calls, *opening;
	uint32_t own = walk->calls[call].before, other;

	if (*has_changed || (own != NO_CALL && left_ns(walk, own) > gap->span.start_ns))
		return own;
	*has_changed = true;
	opening = gap->opener ? gap->opener->call : NULL;
	if (!opening || opening->form->thread_id == calls[call].form->thread_id)
		return followed_call(walk, call);
	other = last_call_before(walk, opening->form->thread_id, calls[call].start_ns);
	return other != NO_CALL && left_ns(walk, other) > gap->span.start_ns
		       ? other
		       : followed_call(walk, call);
}

/* Back from the call, up to the time. */
static void walk_host(const struct gap *gap, uint32_t call, int64_t at_ns)
{
	const struct idle_walk *walk = gap->walk;
	const struct trace_call *calls = trace_of(walk)->calls;
	bool has_changed = false;
	uint32_t next = call;

	for (; call != NO_CALL && at_ns > gap->span.start_ns;
	     next = call, call = call_before(gap, call, &has_changed)) {
		uint32_t covered = walk->calls[call].covered;
		int64_t inside_ns = min_ns(calls[call].end_ns, at_ns);
		int64_t covered_ns = min_ns(calls[covered].end_ns, at_ns);

		emit_host(gap, (struct span){covered_ns, at_ns}, IDLE_HOST_WORK, &calls[covered],
			  &calls[next]);
		emit_call(gap, (struct span){inside_ns, covered_ns}, covered);
		emit_call(gap, (struct span){calls[call].start_ns, inside_ns}, call);
		at_ns = min_ns(at_ns, calls[call].start_ns);
	}
	emit_host(gap, (struct span){gap->span.start_ns, at_ns}, IDLE_HOST_WORK, NULL,
		  &calls[next]);
}

/* When all that it runs after was done, and as far as that was before its start. */
static int64_t ordered_ns(const struct gap *gap)
{
	const struct model *model = gap->walk->model;
	const struct model_operation *item =
		&model->operations[gap->walk->to_model[gap->operation - model->trace->operations]];
	int64_t until_ns = max_ns(item->order_ns, item->barrier_order_ns);

	return min_ns(max_ns(until_ns, model->nodes[item->needs].end_ns), gap->span.end_ns);
}

/* The device has work that is not recorded, such as kernels that a kernel launched, if a kernel is ready
 * for longer. */
static enum idle_cause cause_of_start(const struct gap *gap, int64_t ready_ns)
{
	if (gap->operation->form->kind == OPERATION_COPY)
		return IDLE_COPY_START;
	return gap->span.end_ns - ready_ns <= KERNEL_START_MOST_NS ? IDLE_KERNEL_START
								   : IDLE_UNEXPLAINED;
}

static void walk_gap(const struct gap *gap)
{
	const struct trace_call *call = gap->operation->call;
	int64_t returned_ns, until_ns;

	if (!call) {
		emit_piece(gap, gap->span, IDLE_UNEXPLAINED, NULL, NULL);
		return;
	}
	returned_ns = min_ns(max_ns(call->end_ns, gap->span.start_ns), gap->span.end_ns);
	until_ns = max_ns(returned_ns, ordered_ns(gap));
	emit_piece(gap, (struct span){until_ns, gap->span.end_ns}, cause_of_start(gap, until_ns),
		   NULL, call);
	emit_piece(gap, (struct span){returned_ns, until_ns}, IDLE_DEPENDENCE, NULL, call);
	walk_host(gap, (uint32_t)(call - trace_of(gap->walk)->calls), returned_ns);
}

static void end_gap(struct gap *gap, int64_t at_ns)
{
	gap->span.end_ns = at_ns;
	if (gap->span.end_ns > gap->span.start_ns)
		walk_gap(gap);
}

void idle_walk_each(const struct idle_walk *walk, size_t device, struct span run,
		    idle_function piece, void *context)
{
	const struct trace *trace = trace_of(walk);
	struct gap gap = {
		.walk = walk, .span = {run.start_ns, 0}, .piece = piece, .context = context};

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		if (device != IDLE_ALL_DEVICES &&
		    !model_is_work_of(operation, walk->model->device_ids[device]))
			continue;
		gap.operation = operation;
		end_gap(&gap, operation->start_ns);
		if (!gap.opener || operation->end_ns > gap.span.start_ns) {
			gap.span.start_ns = max_ns(gap.span.start_ns, operation->end_ns);
			gap.opener = operation;
		}
	}
	gap.operation = NULL;
	gap.span.end_ns = run.end_ns;
	emit_piece(&gap, gap.span, gap.opener ? IDLE_END : IDLE_START, NULL, NULL);
}
