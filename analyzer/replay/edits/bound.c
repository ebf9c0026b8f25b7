#include "replay/edits/bound.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->end_ns > y->end_ns) - (x->end_ns < y->end_ns);
}

int64_t bound_covered(const struct trace *trace, const struct span *spans, size_t count)
{
	struct sort_key *keys = memory_array(count, sizeof(*keys));
	int64_t covered_ns = 0, until_ns = INT64_MIN;

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct sort_key){sort_signed(spans[i].start_ns), (uint32_t)i};
	sort_by_key_once(keys, count);
	for (size_t i = 0; i < count; i++) {
		const struct span *span = &spans[keys[i].index];

		if (span->end_ns <= until_ns)
			continue;
		covered_ns += trace_recorded_between(trace, max_ns(span->start_ns, until_ns),
						     span->end_ns);
		until_ns = span->end_ns;
	}
	free(keys);
	return covered_ns;
}

static bool is_inside(const struct trace_operation *operation, struct span window)
{
	return operation->start_ns >= window.start_ns && operation->end_ns <= window.end_ns;
}

/* One engine of one device in the window, from the last operation backwards: the sum of work so
 * far, the least host work before any of these operations, and the largest sum of both. */
struct engine_load {
	int64_t busy_ns, host_ns, floor_ns;
};

struct bounding {
	const struct model *model;
	struct span window;
	/* For bound_most_least_time(): also of windows that end later, with calls that are not in this
	 * one, at the most. */
	bool is_most;
	const struct bound_change *change;
	int64_t *host_ns;	   /* by call: what the host had done by itself before it */
	struct engine_load *loads; /* by device and engine */
};

static struct engine_load *load_of(const struct bounding *bounding,
				   const struct trace_operation *operation)
{
	return &bounding->loads[model_engine_of(bounding->model, operation)];
}

/* What the host did between its calls, up to each of them. With several threads a gap may be one
 * thread waiting for another, so only a single one counts. */
static void measure_host(struct bounding *bounding)
{
	const struct trace *trace = bounding->model->trace;
	const struct trace_call *before = NULL;
	int64_t work_ns = 0, until_ns = INT64_MIN; /* the driver's call ends inside the runtime's */
	bool has_threads = false;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (call->start_ns >= bounding->window.start_ns &&
		    call->end_ns <= bounding->window.end_ns) {
			has_threads |= before && before->form->thread_id != call->form->thread_id;
			if (before)
				work_ns += bound_change_work_ns(
					bounding->change, i,
					max_ns(0, trace_recorded_ns(trace, call->start_ns) -
							  trace_recorded_ns(trace, until_ns)));
			until_ns = max_ns(until_ns, call->end_ns);
			before = call;
		}
		bounding->host_ns[i] = work_ns;
		if (bounding->is_most && before != call)
			bounding->host_ns[i] += max_ns(
				0, call->start_ns - max_ns(until_ns, bounding->window.start_ns));
	}
	if (has_threads)
		memset(bounding->host_ns, 0, trace->call_count * sizeof(*bounding->host_ns));
}

/* The operation's changed duration times its share of the engine; with fills_tails, without what a
 * kernel's last wave leaves to others. */
static int64_t work_of(const struct bounding *bounding, const struct trace_operation *operation)
{
	const struct model *model = bounding->model;
	const struct model_load *load = &model->loads[operation - model->trace->operations];
	const struct occupancy *occupancy = &load->occupancy;
	int64_t tail_ns;

	if (bounding->is_most)
		return max_ns(load->work_ns,
			      (int64_t)((double)(operation->end_ns - operation->start_ns) *
					occupancy->share / OCCUPANCY_WHOLE));
	if (bound_change_is_timed(bounding->change, model, operation))
		return (int64_t)((double)bound_change_duration_ns(bounding->change, model,
								  operation) *
				 occupancy->share / OCCUPANCY_WHOLE);
	if (!bounding->change->fills_tails)
		return load->work_ns;
	tail_ns = (int64_t)((double)occupancy->tail_ns *
			    (occupancy->share - occupancy->tail_share) / OCCUPANCY_WHOLE);
	return max_ns(0, load->work_ns - tail_ns);
}

/* An engine cannot end before the host has done its work up to some call, and then the engine what
 * was enqueued from there on. */
static void measure_busy(struct bounding *bounding)
{
	const struct trace *trace = bounding->model->trace;

	for (size_t i = trace->operation_count; i-- > 0;) {
		const struct trace_operation *operation = &trace->operations[i];
		struct engine_load *load = load_of(bounding, operation);
		int64_t host_ns =
			operation->call ? bounding->host_ns[operation->call - trace->calls] : 0;

		if (!is_inside(operation, bounding->window))
			continue;
		load->busy_ns +=
			trace_weigh_ns(trace, operation->start_ns, work_of(bounding, operation));
		load->host_ns = min_ns(load->host_ns, host_ns);
		load->floor_ns = max_ns(load->floor_ns, load->host_ns + load->busy_ns);
	}
}

/* Those of the operations in the window, as changed; freed by free_chains(). */
static struct chains find_chains(const struct bounding *bounding)
{
	const struct model *model = bounding->model;
	int64_t *durations_ns;
	bool is_all = true;
	struct chains chains;

	for (size_t i = 0; bounding->change->keeps_times && is_all && i < model->operation_count;
	     i++)
		is_all = is_inside(model->operations[i].operation, bounding->window);
	if (bounding->change->keeps_times && is_all)
		return model->chains;
	durations_ns = memory_array(model->operation_count, sizeof(*durations_ns));
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		durations_ns[i] =
			is_inside(operation, bounding->window)
				? bound_change_duration_ns(bounding->change, model, operation)
				: CHAINS_LEFT_OUT;
	}
	chains = chains_find(model, durations_ns);
	free(durations_ns);
	return chains;
}

static void free_chains(const struct bounding *bounding, struct chains chains)
{
	if (chains.engines != bounding->model->chains.engines)
		free(chains.engines);
}

static int64_t least_time(struct bounding *bounding)
{
	const struct model *model = bounding->model;
	size_t load_count = model->device_count * ENGINE_COUNT;
	struct chains chains = find_chains(bounding);
	int64_t least_ns = chains.longest_ns;

	bounding->host_ns = memory_array(model->trace->call_count, sizeof(*bounding->host_ns));
	bounding->loads = memory_array(load_count, sizeof(*bounding->loads));
	for (size_t i = 0; i < load_count; i++)
		bounding->loads[i] = (struct engine_load){.host_ns = INT64_MAX};
	measure_host(bounding);
	measure_busy(bounding);
	for (size_t i = 0; i < load_count; i++) {
		const struct engine_load *load = &bounding->loads[i];
		const struct chain_ends *ends = &chains.engines[i];

		if (ends->is_used)
			least_ns = max_ns(least_ns,
					  ends->tail_ns + max_ns(load->floor_ns,
								 ends->head_ns + load->busy_ns));
	}
	free_chains(bounding, chains);
	free(bounding->loads);
	free(bounding->host_ns);
	return least_ns;
}

int64_t bound_least_time(const struct model *model, struct span window,
			 const struct bound_change *change)
{
	struct bounding bounding = {.model = model, .window = window, .change = change};

	return least_time(&bounding);
}

/* From the first to the last operation or host function of the run, or to the end of later host
 * work that the fix removes. */
static struct span whole_run(const struct trace *trace, int64_t end_ns)
{
	struct span window = {INT64_MAX, end_ns};

	for (size_t i = 0; i < trace->operation_count; i++) {
		window.start_ns = min_ns(window.start_ns, trace->operations[i].start_ns);
		window.end_ns = max_ns(window.end_ns, trace->operations[i].end_ns);
	}
	for (size_t i = 0; i < trace->host_function_count; i++)
		window.end_ns = max_ns(window.end_ns, trace->host_functions[i].end_ns);
	return window;
}

int64_t bound_most_least_time(const struct model *model)
{
	const struct bound_change none = {.keeps_times = true};
	struct bounding bounding = {.model = model, .change = &none, .is_most = true};

	if (!model->operation_count)
		return 0;
	bounding.window = whole_run(model->trace, INT64_MIN);
	return least_time(&bounding);
}

/* The host functions, each from when it was enqueued until it had run, in that order. */
static struct span *function_spans(const struct trace *trace, size_t *count)
{
	struct span *spans = memory_array(trace->host_function_count, sizeof(*spans));

	*count = 0;
	for (size_t i = 0; i < trace->host_function_count; i++)
		if (trace->host_functions[i].stream)
			spans[(*count)++] =
				(struct span){min_ns(trace->host_functions[i].call->start_ns,
						     trace->host_functions[i].start_ns),
					      trace->host_functions[i].end_ns};
	if (*count)
		qsort(spans, *count, sizeof(*spans), compare_spans);
	return spans;
}

/* Adds a span in which something ran: it extends the current stretch, or begins a new one. The
 * window grows to include any stretch in which the spans begin or end. */
static void add_busy(struct span busy, struct span spans, struct span *stretch, struct span *window)
{
	if (busy.start_ns > stretch->end_ns)
		*stretch = busy;
	stretch->end_ns = max_ns(stretch->end_ns, busy.end_ns);
	if (stretch->start_ns <= spans.start_ns && stretch->end_ns > spans.start_ns)
		window->start_ns = min_ns(window->start_ns, stretch->start_ns);
	if (stretch->start_ns < spans.end_ns && stretch->end_ns >= spans.end_ns)
		window->end_ns = max_ns(window->end_ns, stretch->end_ns);
}

/* The stretches of the run in which operations or host functions ran, from that of the first span
 * to that of the last. Before a stretch nothing could have come earlier. */
static struct span busy_stretches(const struct model *model, struct span spans)
{
	struct span window = spans, stretch = {INT64_MIN, INT64_MIN};
	size_t count, next = 0;
	struct span *functions = function_spans(model->trace, &count);

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		struct span busy = {model_enqueue_ns(operation), operation->end_ns};

		for (; next < count && functions[next].start_ns <= busy.start_ns; next++)
			add_busy(functions[next], spans, &stretch, &window);
		add_busy(busy, spans, &stretch, &window);
	}
	for (; next < count; next++)
		add_busy(functions[next], spans, &stretch, &window);
	free(functions);
	return window;
}

static int64_t spare_within(const struct model *model, struct span window,
			    const struct bound_change *change)
{
	return trace_recorded_ns(model->trace, window.end_ns) -
	       trace_recorded_ns(model->trace, window.start_ns) -
	       bound_least_time(model, window, change);
}

int64_t bound_spare(const struct model *model, const struct bound_change *change)
{
	return model->operation_count
		       ? spare_within(model, whole_run(model->trace, INT64_MIN), change)
		       : 0;
}

/* The union of the change's spans: its begin and end, and how much time it covers. False: no
 * spans. */
static bool cover_change(const struct model *model, const struct span *given, size_t count,
			 const struct bound_change *change, struct span *window,
			 int64_t *covered_ns)
{
	struct span *spans = bound_change_spans(change, model, given, &count);

	if (!count)
		return false;
	*covered_ns = bound_covered(model->trace, spans, count);
	*window = spans[0];
	for (size_t i = 1; i < count; i++) {
		window->start_ns = min_ns(window->start_ns, spans[i].start_ns);
		window->end_ns = max_ns(window->end_ns, spans[i].end_ns);
	}
	free(spans);
	return true;
}

/* Whether the whole run, which ends no sooner, surely has so much to spare. */
static bool is_spare(const struct model *model, int64_t end_ns, const struct bound_change *change,
		     int64_t saved_ns)
{
	struct span window;

	if (!change->unblocks_host || change->may_lengthen || !change->most_least_ns)
		return false;
	window = whole_run(model->trace, end_ns);
	return saved_ns <= trace_recorded_ns(model->trace, window.end_ns) -
				   trace_recorded_ns(model->trace, window.start_ns) -
				   change->most_least_ns;
}

/* Whether so much is covered by the given spans alone, without sorting them: what comes after all
 * before it. */
static bool is_covered_in_order(const struct trace *trace, const struct span *spans, size_t count,
				int64_t saved_ns, int64_t *end_ns)
{
	int64_t covered_ns = 0;

	*end_ns = INT64_MIN;
	for (size_t i = 0; i < count; i++) {
		if (spans[i].start_ns > spans[i].end_ns)
			return false;
		if (spans[i].end_ns <= *end_ns)
			continue;
		covered_ns += trace_recorded_between(trace, max_ns(spans[i].start_ns, *end_ns),
						     spans[i].end_ns);
		*end_ns = spans[i].end_ns;
	}
	return count && saved_ns <= covered_ns;
}

bool bound_reaches(const struct model *model, const struct span *given, size_t count,
		   const struct bound_change *change, int64_t saved_ns)
{
	int64_t covered_ns, end_ns;
	struct span window;

	return saved_ns <= 0 ||
	       (is_covered_in_order(model->trace, given, count, saved_ns, &end_ns) &&
		is_spare(model, end_ns, change, saved_ns)) ||
	       (cover_change(model, given, count, change, &window, &covered_ns) &&
		saved_ns <= covered_ns && is_spare(model, window.end_ns, change, saved_ns));
}

int64_t bound_saving(const struct model *model, const struct span *given, size_t count,
		     const struct bound_change *change)
{
	int64_t covered_ns;
	struct span window;

	if (!cover_change(model, given, count, change, &window, &covered_ns))
		return 0;
	if (is_spare(model, window.end_ns, change, covered_ns))
		return max_ns(0, covered_ns);
	window = change->unblocks_host ? whole_run(model->trace, window.end_ns)
				       : busy_stretches(model, window);
	return max_ns(0, min_ns(covered_ns, spare_within(model, window, change)));
}
