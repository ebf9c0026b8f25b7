#include "trace/collective_match.h"

#include "base/search.h"
#include "trace/collective_numbers.h"

/* A damaged file could have any number of launches of a graph with any number of collectives. */
#define COLLECTIVES_MOST 16777216

#define NO_LAUNCH SIZE_MAX

/* A kernel launched in a span, or captured there and run later by a launch of the graph. */
struct span_kernel {
	size_t span, launch; /* launch: index of its call, or NO_LAUNCH */
	uint64_t stream_handle;
	size_t kernel;
};

typedef VECTOR(struct span_kernel) kernel_vector;

static const struct trace_call *enqueuing_call(const struct trace_operation *operation)
{
	return operation->form->node_call ? operation->form->node_call : operation->call;
}

static void add_kernel(struct collective_spans *spans, const struct trace *trace, size_t span,
		       size_t kernel, kernel_vector *kernels)
{
	const struct trace_operation *operation = &trace->operations[kernel];
	const bool is_of_graph = operation->form->node_call != NULL;

	spans->items.items[span].has_kernel = true;
	*vector_add(kernels) = (struct span_kernel){
		.span = span,
		.launch = is_of_graph ? (size_t)(operation->call - trace->calls) : NO_LAUNCH,
		.stream_handle = enqueuing_call(operation)->form->stream_handle,
		.kernel = kernel,
	};
}

/* In the spans of their threads. others: of threads without any. */
static void find_kernels(struct collective_spans *spans, const struct trace *trace,
			 kernel_vector *kernels, kernel_vector *others)
{
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t span;

		if (operation->form->kind != OPERATION_KERNEL || !operation->call ||
		    !collective_is_kernel(operation->form->name))
			continue;
		span = collective_spans_find(spans, enqueuing_call(operation));
		if (span != NO_SPAN)
			add_kernel(spans, trace, span, i, kernels);
		else if (!operation->form->node_call &&
			 !collective_spans_have(spans, operation->call->form->thread_id))
			*vector_add(others) = (struct span_kernel){
				.kernel = i,
				.stream_handle = operation->call->form->stream_handle,
			};
	}
}

static int compare_streams(uint64_t a, int64_t a_ns, uint64_t b, int64_t b_ns)
{
	if (a != b)
		return a < b ? -1 : 1;
	return (a_ns > b_ns) - (a_ns < b_ns);
}

/* The last collective called on the stream by then, or SIZE_MAX. sorted: by stream and time. */
static size_t called_before(const struct collective_spans *spans, const struct sort_key *sorted,
			    uint64_t stream_handle, int64_t time_ns)
{
	size_t low = search(spans->collectives.count, i,
			    compare_streams(spans->collectives.items[sorted[i].index].stream_handle,
					    spans->collectives.items[sorted[i].index].start_ns,
					    stream_handle, time_ns) <= 0);

	if (!low || spans->collectives.items[sorted[low - 1].index].stream_handle != stream_handle)
		return SIZE_MAX;
	return sorted[low - 1].index;
}

/* For a communicator that does not block, a thread of NCCL launches the kernel. The program makes
 * no further call before that is done. */
static void find_launched_elsewhere(struct collective_spans *spans, const struct trace *trace,
				    const kernel_vector *others, kernel_vector *kernels)
{
	const size_t count = spans->collectives.count;
	struct sort_key *sorted = memory_array(count, sizeof(*sorted));

	for (size_t i = 0; i < count; i++)
		sorted[i] =
			(struct sort_key){spans->collectives.items[i].stream_handle, (uint32_t)i};
	sort_by_key_once(sorted, count);
	for (size_t i = 0; i < others->count; i++) {
		const struct span_kernel *other = &others->items[i];
		const size_t index = called_before(spans, sorted, other->stream_handle,
						   trace->operations[other->kernel].call->start_ns);
		const size_t span = index == SIZE_MAX ? NO_SPAN : spans->span_of.items[index];

		if (span != NO_SPAN && !spans->items.items[span].has_kernel)
			add_kernel(spans, trace, span, other->kernel, kernels);
	}
	free(sorted);
}

static int compare_places(const struct span_kernel *x, const struct span_kernel *y)
{
	if (x->span != y->span)
		return x->span < y->span ? -1 : 1;
	return (x->launch > y->launch) - (x->launch < y->launch);
}

/* Operations are in the order of time, which on a stream is that of their launches. */
static int compare_kernels(const void *a, const void *b)
{
	const struct span_kernel *x = a, *y = b;
	const int order = compare_places(x, y);

	return order ? order : (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

/* The kernels of the spans' calls, or of one launch of them. */
struct place {
	size_t span, launch;
	size_t first, end; /* in the vector of kernels */
};

typedef VECTOR(struct place) place_vector;

static void find_places(const kernel_vector *kernels, place_vector *places)
{
	struct place *place = NULL;

	for (size_t i = 0; i < kernels->count; i++) {
		const struct span_kernel *kernel = &kernels->items[i];

		if (!place || compare_places(kernel, kernel - 1)) {
			place = vector_add(places);
			*place = (struct place){kernel->span, kernel->launch, .first = i};
		}
		place->end = i + 1;
	}
}

/* Index of the span's first place, or of what stands there. */
static size_t first_of_span(const place_vector *places, size_t span)
{
	return search(places->count, i, places->items[i].span < span);
}

/* The last kernel on the stream, or the last of all: for a group with several streams, NCCL
 * launches one kernel a communicator, on the first of its streams. */
static size_t kernel_on(const kernel_vector *kernels, const struct place *place,
			uint64_t stream_handle)
{
	/* More than some are not one group's kernels, and looking at all would take too long. */
	const size_t least = place->end - place->first > 64 ? place->end - 64 : place->first;

	for (size_t i = place->end; i-- > least;)
		if (kernels->items[i].stream_handle == stream_handle)
			return kernels->items[i].kernel;
	return kernels->items[place->end - 1].kernel;
}

/* The site of a launch; on a framework's own thread, the one with Python's lines (lent_sites.c). */
static const struct trace_site *site_of(const struct trace *trace,
					const struct trace_collective *called, size_t kernel)
{
	const struct trace_site *site = enqueuing_call(&trace->operations[kernel])->form->site;

	return site && site->python_depth && (!called->site || !called->site->python_depth)
		       ? site
		       : called->site;
}

static void add_at(collective_vector *made, const struct trace *trace, const struct place *place,
		   const struct trace_collective *called, size_t kernel)
{
	struct trace_collective *added = vector_add(made);

	*added = *called;
	added->kernel = kernel;
	added->site = site_of(trace, called, kernel);
	if (place->launch == NO_LAUNCH)
		return;
	added->is_replayed = true;
	added->start_ns = trace->calls[place->launch].start_ns;
	added->end_ns = added->enqueued_ns = trace->calls[place->launch].end_ns;
	added->thread_id = trace->calls[place->launch].form->thread_id;
}

/* One for each launch of the graph that it is in, or itself. */
static void make_collectives(collective_vector *made, const struct collective_spans *spans,
			     const struct trace *trace, const kernel_vector *kernels,
			     const place_vector *places, size_t index)
{
	const struct trace_collective *called = &spans->collectives.items[index];
	const size_t span = spans->span_of.items[index];
	size_t at;

	if (!places->items || span == NO_SPAN) {
		*vector_add(made) = *called;
		return;
	}
	at = first_of_span(places, span);
	if (at == places->count || places->items[at].span != span)
		*vector_add(made) = *called;
	for (; at < places->count && places->items[at].span == span; at++) {
		const struct place *place = &places->items[at];

		if (made->count >= COLLECTIVES_MOST)
			return;
		add_at(made, trace, place, called,
		       kernel_on(kernels, place, called->stream_handle));
	}
}

static void sort_by_start(collective_vector *collectives)
{
	struct sort_key *keys = memory_array(collectives->count, sizeof(*keys));

	for (size_t i = 0; i < collectives->count; i++)
		keys[i] =
			(struct sort_key){sort_signed(collectives->items[i].start_ns), (uint32_t)i};
	sort_by_key_once(keys, collectives->count);
	sort_elements(collectives->items, sizeof(*collectives->items), keys, collectives->count);
	free(keys);
}

/* Finds the device of communicators that do not block: NCCL was not asked for it. */
static void find_devices(struct trace *trace)
{
	for (size_t i = 0; i < trace->collective_count; i++) {
		const struct trace_collective *collective = &trace->collectives[i];
		struct trace_communicator *communicator;

		if (collective->communicator == NO_COMMUNICATOR || collective->kernel == NO_KERNEL)
			continue;
		communicator = &trace->communicators[collective->communicator];
		if (communicator->device_id == TRACE_NO_DEVICE)
			communicator->device_id =
				trace->operations[collective->kernel].form->device_id;
	}
}

void collective_match(struct collective_spans *spans, struct trace *trace)
{
	kernel_vector kernels = {0}, others = {0};
	place_vector places = {0};
	collective_vector made = {0};

	if (spans->collectives.count) {
		collective_spans_sort(spans);
		find_kernels(spans, trace, &kernels, &others);
		find_launched_elsewhere(spans, trace, &others, &kernels);
	}
	vector_sort(&kernels, compare_kernels);
	find_places(&kernels, &places);
	for (size_t i = 0; i < spans->collectives.count; i++)
		make_collectives(&made, spans, trace, &kernels, &places, i);
	sort_by_start(&made);
	vector_move(&made, trace->collectives, trace->collective_count);
	collective_numbers_renew(trace);
	find_devices(trace);
	vector_free(&kernels);
	vector_free(&others);
	vector_free(&places);
}
