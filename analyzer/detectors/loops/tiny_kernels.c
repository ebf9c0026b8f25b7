/*
 * WHAT: a sequence of kernel launches that the program repeats, where the launches take longer than
 *   the kernels: the GPU waits for each of them.
 * EVIDENCE: the same kernels were launched in the same order, grids and streams at least four times,
 *   with nothing between them that a CUDA graph could not take over; and for at least a tenth of
 *   that time, and of the time of at least half of them, no engine was busy, because the next kernel
 *   was not launched yet.
 * COST: the time of the sequences, from their first launch to the end of their last kernel.
 * FALSE POSITIVES: a graph runs with the arguments that it was captured with. Where launches passed
 *   pointers that they had not passed before, the low end copies what those kernels read into fixed
 *   buffers, or sets their nodes' parameters anew, whichever takes less; numbers are not compared.
 *   What a kernel of the sequence left there for a later one is the graph's own. Of JAX's launches
 *   those count as set anew that had other arguments the time before.
 *   The graph keeps the order of the kernels, so no dependence
 *   is in doubt. Host code between the launches that decides what comes next cannot be captured.
 *   Where most of the launches are small copies in a row it is tiny-copies. A sequence in which code
 *   was loaded is left out: the first run of a graph loads it, too.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/evidence/copy_runs.h"
#include "detectors/evidence/launch_sequences.h"
#include "replay/idle_pieces.h"
#include "replay/observed/graph_costs.h"
#include "trace/framework.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* What a call's launch made the GPU wait, by index in trace.calls. */
struct waits {
	const struct trace *trace;
	int64_t *idle_ns;
};

static void note_idle(void *context, const struct idle_piece *piece)
{
	struct waits *waits = context;

	if (piece->operation && piece->operation->call && piece->cause != IDLE_START &&
	    piece->cause != IDLE_DEPENDENCE && piece->cause != IDLE_UNEXPLAINED)
		waits->idle_ns[piece->operation->call - waits->trace->calls] +=
			piece->span.end_ns - piece->span.start_ns;
}

static struct waits find_waits(const struct observed *observed)
{
	const struct trace *trace = observed->model->trace;
	struct waits waits = {trace, memory_array(trace->call_count, sizeof(int64_t))};
	struct idle_walk *walk =
		idle_walk_create(observed->model, observed->timeline, observed->evidence);

	idle_walk_each(walk, IDLE_ALL_DEVICES, (struct span){0, INT64_MAX}, note_idle, &waits);
	idle_walk_free(walk);
	return waits;
}

/* Of an instance: the calls of one thread from its call on. */
struct sequence {
	const struct trace_call *last;
	size_t launches;
	int64_t kernels_ns, idle_ns;	      /* what they took; no GPU was busy */
	int64_t renewed_ns, renewed_calls_ns; /* as in struct launch_sequence, and below */
	uint32_t changed;
};

static struct sequence sequence_of(const struct instance *instance)
{
	return instance_detail(instance, struct sequence);
}

static struct instance instance_of(const struct waits *waits,
				   const struct launch_sequences *sequences,
				   const struct launch_sequence *sequence)
{
	const struct trace_call *calls = waits->trace->calls;
	const struct trace_call *first = &calls[sequences->by_thread[sequence->first]];
	const struct trace_call *last = &calls[sequences->by_thread[sequence->last]];
	struct instance instance = {.span = {first->start_ns, last->end_ns},
				    .site_call = first,
				    .call = first,
				    .is_doubtful = sequence->renewed_calls_ns > 0};
	struct sequence detail = {.last = last,
				  .launches = sequence->launches,
				  .renewed_ns = sequence->renewed_ns,
				  .renewed_calls_ns = sequence->renewed_calls_ns,
				  .changed = (uint32_t)sequence->changed};

	for (size_t i = sequence->first; i <= sequence->last; i++) {
		const struct trace_call *call = &calls[sequences->by_thread[i]];
		const struct trace_operation *operation = call->operation;

		if (i > sequence->first)
			detail.idle_ns += waits->idle_ns[sequences->by_thread[i]];
		if (!operation)
			continue;
		instance.operation = operation;
		detail.kernels_ns += operation->end_ns - operation->start_ns;
		instance.span.end_ns = max_ns(instance.span.end_ns, operation->end_ns);
	}
	instance.detail = INSTANCE_DETAIL_OF(detail);
	return instance;
}

/* Of all copies of a sequence. */
struct total {
	size_t copies, idle_copies, launches, in_runs;
	int64_t idle_ns, all_ns;
};

/* How many of its launches are tiny-copies'. */
static size_t count_in_runs(const struct copy_runs *runs, const struct launch_sequences *sequences,
			    const struct launch_sequence *sequence)
{
	size_t count = 0;

	for (size_t i = sequence->first; runs->is_in && i <= sequence->last; i++)
		count += runs->is_in[sequences->by_thread[i]];
	return count;
}

/* By index in trace.calls: whether code was loaded in it; NULL: in none. Freed with free(). */
static bool *find_loads(const struct trace *trace)
{
	uint32_t *calls = trace_loading_calls(trace);
	bool *loads = NULL;

	for (size_t i = 0; i < trace->overhead_count; i++) {
		if (!trace->overheads[i].is_loading || calls[i] == TRACE_NO_CALL)
			continue;
		if (!loads)
			loads = memory_array(trace->call_count, sizeof(*loads));
		loads[calls[i]] = true;
	}
	free(calls);
	return loads;
}

static bool has_load(const bool *loads, const struct launch_sequences *sequences,
		     const struct launch_sequence *sequence)
{
	bool has_load = false;

	for (size_t i = sequence->first; loads && i <= sequence->last; i++)
		has_load |= loads[sequences->by_thread[i]];
	return has_load;
}

static bool is_idle(int64_t idle_ns, int64_t all_ns)
{
	return (double)idle_ns >= SEQUENCE_IDLE_SHARE * (double)all_ns;
}

static void add_copy(struct total *total, const struct instance *instance)
{
	const int64_t all_ns = instance->span.end_ns - instance->span.start_ns;

	total->copies++;
	total->launches += sequence_of(instance).launches;
	total->idle_ns += sequence_of(instance).idle_ns;
	total->all_ns += all_ns;
	total->idle_copies += is_idle(sequence_of(instance).idle_ns, all_ns);
}

static bool is_held_up(const struct total *total)
{
	return total->copies >= REPEAT_LEAST_TIMES && is_idle(total->idle_ns, total->all_ns) &&
	       2 * total->idle_copies >= total->copies;
}

/* Where most launches are copies one copy does more than a graph of them. */
static bool is_claimed(const struct total *total)
{
	return total->in_runs > total->launches / 2;
}

static void find_tiny_kernels(const struct observed *observed, struct instances *found)
{
	struct launch_sequences sequences = launch_sequences_find(observed);
	struct total *totals = memory_array(sequences.kind_count, sizeof(*totals));
	struct instance *instances = memory_array(sequences.found.count, sizeof(*instances));
	struct waits waits = find_waits(observed);
	struct copy_runs runs = copy_runs_find(observed);
	bool *loads = find_loads(observed->model->trace);

	for (size_t i = 0; i < sequences.found.count; i++) {
		const struct launch_sequence *sequence = &sequences.found.items[i];
		struct total *total = &totals[sequence->kind];

		if (has_load(loads, &sequences, sequence))
			continue;
		instances[i] = instance_of(&waits, &sequences, sequence);
		add_copy(total, &instances[i]);
		total->in_runs += count_in_runs(&runs, &sequences, sequence);
	}
	for (size_t i = 0; i < sequences.found.count; i++) {
		const struct total *total = &totals[sequences.found.items[i].kind];

		if (instances[i].call && is_held_up(total) && !is_claimed(total))
			instance_add(found, instances[i]);
	}
	free(loads);
	copy_runs_free(&runs);
	free(waits.idle_ns);
	free(instances);
	free(totals);
	launch_sequences_free(&sequences);
}

/* A group of threads (model/thread_groups.h) in a pass over all calls. */
struct group {
	const struct instance *instance; /* NULL: none so far */
	const struct trace_call *last;	 /* of the instance */
	const struct trace_call *left;	 /* of its calls the last to return; NULL: none so far */
};

struct groups {
	struct map index; /* of them by id */
	VECTOR(struct group) all;
	uint32_t last_id; /* the one that was asked for last, and its index */
	size_t last;
};

/* The host's work before the call stays if it is more than launching takes. If another thread of
 * the group came before it, the call follows that one, and the time from one thread to the other,
 * which is sometimes long, is removed with the rest. */
static void edit_work(const struct model *model, const struct trace_call *call,
		      const struct group *group, bool is_first, struct edits *edits)
{
	int64_t work_ns = group->left ? max_ns(0, call->start_ns - group->left->end_ns) : 0;
	bool is_handed_over = group->left && group->left->form->thread_id != call->form->thread_id;

	if (is_first && !is_handed_over)
		return;
	if (!is_first && (is_handed_over || work_ns < SEQUENCE_WORK_NS))
		work_ns = 0;
	edits_set_work(edits, model, call, work_ns);
	if (is_handed_over)
		edits_work_ahead(edits, model, call, group->left);
}

/* How a sequence gets pointers that it had not passed before: not at all, by copies into fixed
 * buffers, or by cudaGraphExecKernelNodeSetParams(), which takes no longer than a launch. */
enum renewal { RENEW_NOTHING, RENEW_DATA, RENEW_NODES };

static enum renewal renewal_of(const struct instance *instance, enum doubt doubt)
{
	if (doubt != DOUBT_KEEP || !instance->is_doubtful)
		return RENEW_NOTHING;
	return SEQUENCE_COPY_TIMES * sequence_of(instance).renewed_ns <=
			       sequence_of(instance).renewed_calls_ns
		       ? RENEW_DATA
		       : RENEW_NODES;
}

/* XLA has one graph for a sequence, and sets the arguments of its nodes where they differ from the launch before;
 * elsewhere each set of arguments can have its own graph. */
static int64_t set_anew_ns(const struct instance *instance, enum doubt doubt)
{
	bool is_xla = framework_of(instance->site_call->form->site) == FRAMEWORK_JAX;

	return is_xla && doubt != DOUBT_DROP ? sequence_of(instance).changed * GRAPH_NODE_SET_NS
					     : 0;
}

/* The first launch becomes that of the graph, the other calls are not made. Copies into fixed buffers
 * count with the last operation. */
static void edit_call(const struct model *model, const struct trace_call *call,
		      const struct instance *instance, enum doubt doubt,
		      const struct graph_costs *costs, struct edits *edits)
{
	const enum renewal renewal = renewal_of(instance, doubt);
	const struct trace_operation *operation = call->operation;

	if (renewal == RENEW_DATA && operation && operation == instance->operation)
		edits_set_duration(edits, model, operation,
				   operation->end_ns - operation->start_ns +
					   SEQUENCE_COPY_TIMES * sequence_of(instance).renewed_ns);
	if (call == instance->call) {
		const struct sequence sequence = sequence_of(instance);

		edits_set_call_time(edits, model, call,
				    (renewal == RENEW_NODES ? sequence.renewed_calls_ns
							    : set_anew_ns(instance, doubt)) +
					    costs->launch_ns +
					    costs->node_ns * (int64_t)sequence.launches);
		return;
	}
	edits_drop_call(edits, model, call);
	if (operation)
		edits_make_node(edits, model, operation, costs->between_ns);
}

/* Host functions in a stream that runs nothing else, such as those that give buffers back, become
 * nodes that are ready at once: CUDA's thread runs one after the other. */
static void edit_functions(const struct model *model, struct edits *edits)
{
	const struct trace *trace = model->trace;
	bool *runs = memory_array(trace->stream_count, sizeof(*runs));

	for (size_t i = 0; i < trace->operation_count; i++)
		runs[trace->operations[i].form->stream - trace->streams] = true;
	for (size_t i = 0; i < trace->host_function_count; i++) {
		const struct trace_host_function *function = &trace->host_functions[i];

		if (function->call && function->stream &&
		    !runs[function->stream - trace->streams] &&
		    edits->calls[function->call - trace->calls] & EDIT_GONE)
			edits_run_at_once(edits, model, function);
	}
	free(runs);
}

static struct group *group_of(struct groups *groups, uint32_t id)
{
	size_t found;

	if (groups->all.count && groups->last_id == id)
		return &groups->all.items[groups->last];
	found = map_find(&groups->index, id);
	if (found == MAP_NONE) {
		found = groups->all.count;
		map_add(&groups->index, id, found);
		*vector_add(&groups->all) = (struct group){0};
	}
	groups->last_id = id;
	groups->last = found;
	return &groups->all.items[found];
}

/* For each of trace.calls: the number of the instance that begins there, plus one; 0: none.
 * *end_at: after all the instances' calls, 0 if there are none. The caller must free() the
 * array. */
static uint32_t *find_begins(const struct trace *trace, const struct instance *instances,
			     size_t count, size_t *end_at)
{
	uint32_t *begins = memory_array(trace->call_count, sizeof(*begins));

	*end_at = 0;
	for (size_t i = 0; i < count; i++) {
		size_t last = (size_t)(sequence_of(&instances[i]).last - trace->calls);

		begins[instances[i].call - trace->calls] = (uint32_t)i + 1;
		*end_at = last >= *end_at ? last + 1 : *end_at;
	}
	return begins;
}

/* Goes through the calls once: threads launch side by side. */
static void fix_tiny_kernels(const struct observed *observed, const struct instance *instances,
			     size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	const struct trace *trace = model->trace;
	struct graph_costs costs = graph_costs_of(model, doubt == DOUBT_KEEP);
	struct groups groups = {0};
	size_t end_at;
	uint32_t *begins = find_begins(trace, instances, count, &end_at);

	assert(!end_at || trace->calls); /* instances begin with calls */
	for (size_t i = 0; i < end_at; i++) {
		const struct trace_call *call = &trace->calls[i];
		struct group *group = group_of(&groups, model->thread_groups[i]);

		if (begins[i]) {
			group->instance = &instances[begins[i] - 1];
			group->last = sequence_of(group->instance).last;
		}
		if (group->instance && call <= group->last) {
			edit_work(model, call, group, begins[i] > 0, edits);
			edit_call(model, call, group->instance, doubt, &costs, edits);
		}
		if (!group->left || call->end_ns > group->left->end_ns)
			group->left = call;
	}
	edit_functions(model, edits);
	vector_free(&groups.all);
	map_free(&groups.index);
	free(begins);
}

static void describe_tiny_kernels(const struct observed *observed, const struct instance *instance,
				  char *text, size_t size)
{
	struct format all, kernels, idle;
	const struct span *span = &instance->span;

	(void)observed;
	snprintf(text, size,
		 "%zu launches and their kernels took %s, the kernels alone %s; GPU idle %s",
		 sequence_of(instance).launches, format_time(&all, span->end_ns - span->start_ns),
		 format_time(&kernels, sequence_of(instance).kernels_ns),
		 format_time(&idle, sequence_of(instance).idle_ns));
}

const struct detector detector_tiny_kernels = {
	.id = "tiny-kernels",
	.title = "Kernels are shorter than their launches, in a sequence that repeats",
	.fix = "Capture the sequence in a CUDA graph once (cudaStreamBeginCapture()) and launch it "
	       "with cudaGraphLaunch(). It runs with the same pointers each time: copy what "
	       "changes into fixed buffers.",
	.cost = "in these sequences",
	.low_end = "what new pointers point to may have to be copied for the graph",
	.pointers = {DETAIL_POINTER(struct sequence, last)},
	.find = find_tiny_kernels,
	.apply = fix_tiny_kernels,
	.describe = describe_tiny_kernels,
};
