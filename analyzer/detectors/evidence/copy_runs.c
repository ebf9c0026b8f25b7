#include "detectors/evidence/copy_runs.h"

#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/evidence/launch_sequences.h"
#include "replay/observed/evidence.h"

#include <assert.h>

/* A thread's copies so far that may be a run. */
struct open_run {
	struct copy_run run;
	uint64_t low, high; /* on the device; low is 0: not known */
};

struct search {
	const struct observed *observed;
	struct copy_runs runs;
	struct map threads; /* id to index in open */
	VECTOR(struct open_run) open;
	uint32_t last_thread; /* that was asked for last, and its index */
	size_t last_index;
	uint32_t *
		links; /* by index in trace.calls: that of the copy before it in its run, plus one */
};

/* Without what was before it and without what it waited for. */
static int64_t own_ns(const struct observed *observed, const struct trace_call *call)
{
	struct evidence_split split = evidence_of(observed->evidence, call).split;

	return split.own_ns + split.queue_ns;
}

/* The same with its own copy. */
static int64_t time_ns(const struct observed *observed, const struct trace_call *call)
{
	struct evidence_split split = evidence_of(observed->evidence, call).split;

	return split.own_ns + split.queue_ns + split.copy_ns + split.staging_ns;
}

static bool is_host_copy(const struct trace_call *call)
{
	const struct trace_operation *operation = call->operation;

	return call->form->function->class == CLASS_COPY && operation && operation->call == call &&
	       operation->form->kind == OPERATION_COPY &&
	       (operation->form->engine == ENGINE_H2D || operation->form->engine == ENGINE_D2H);
}

bool copy_runs_is_small(const struct observed *observed, const struct trace_call *call)
{
	struct copy_rate rate;

	if (!is_host_copy(call))
		return false;
	rate = observed->model->pinned_copies[call->operation->form->engine];
	return rate.source != RATE_UNKNOWN && rate.bytes_per_ns > 0 &&
	       call->operation->form->size_bytes <= RUN_MOST_BYTES &&
	       (double)call->operation->form->size_bytes / rate.bytes_per_ns * 2 <
		       (double)own_ns(observed, call);
}

int64_t copy_runs_one_ns(const struct model *model, const struct copy_run *run, enum rate_end end)
{
	return rates_copy_ns(model->pinned_copies[run->first->operation->form->engine], run->bytes,
			     end);
}

static uint64_t device_address(const struct trace_call *call)
{
	return call->operation->form->engine == ENGINE_H2D ? call->form->dst : call->form->src;
}

static struct open_run *open_run_of(struct search *search, uint32_t thread)
{
	size_t index;

	if (search->open.count && search->last_thread == thread)
		return &search->open.items[search->last_index];
	index = map_find(&search->threads, thread);
	if (index == MAP_NONE) {
		index = search->open.count;
		map_add(&search->threads, thread, index);
		*vector_add(&search->open) = (struct open_run){0};
	}
	search->last_thread = thread;
	search->last_index = index;
	return &search->open.items[index];
}

static void mark_run(struct search *search, const struct copy_run *run)
{
	const struct trace *trace = search->observed->model->trace;
	uint32_t next = (uint32_t)(run->last - trace->calls) + 1;

	if (!search->runs.is_in)
		search->runs.is_in = memory_array(trace->call_count, sizeof(uint8_t));
	for (; next; next = search->links[next - 1])
		search->runs.is_in[next - 1] = 1;
}

/* Takes what it has if that is a run. */
static void end_run(struct search *search, struct open_run *open)
{
	struct copy_run *run = &open->run;

	if (run->count >= LOOP_LEAST_STEPS) {
		run->is_scattered =
			!open->low || (open->high - open->low) / RUN_MOST_SPREAD > run->bytes;
		*vector_add(&search->runs.found) = *run;
		mark_run(search, run);
	}
	*run = (struct copy_run){0};
}

static void extend_run(struct search *search, struct open_run *open, const struct trace_call *call)
{
	const struct trace_call *calls = search->observed->model->trace->calls;
	uint64_t address = device_address(call), bytes = call->operation->form->size_bytes, end;

	if (__builtin_add_overflow(address, bytes, &end))
		address = 0;
	if (!open->run.count) {
		*open = (struct open_run){.run = {.first = call}, .low = address};
	} else {
		if (!search->links)
			search->links = memory_array(search->observed->model->trace->call_count,
						     sizeof(*search->links));
		search->links[call - calls] = (uint32_t)(open->run.last - calls) + 1;
	}
	open->low = address && open->low ? (address < open->low ? address : open->low) : 0;
	open->high = end > open->high ? end : open->high;
	open->run.last = call;
	open->run.count++;
	open->run.calls_ns += time_ns(search->observed, call);
	if (__builtin_add_overflow(open->run.bytes, bytes, &open->run.bytes))
		open->run.bytes = UINT64_MAX;
}

/* Whether the copy continues the run: the host did no long work of its own in between. */
static bool goes_on(const struct search *search, const struct open_run *open,
		    const struct trace_call *call)
{
	const struct trace *trace = search->observed->model->trace;
	const struct trace_operation_form *form = call->operation->form;
	const struct trace_call *first = open->run.first;

	return open->run.count && form->engine == first->operation->form->engine &&
	       form->stream == first->operation->form->stream &&
	       call->start_ns - open->run.last->end_ns < SEQUENCE_WORK_NS &&
	       (!trace->is_sample ||
		trace_row_with(trace, (uint32_t)(call - trace->calls)) ==
			trace_row_with(trace, (uint32_t)(open->run.last - trace->calls)));
}

struct copy_runs copy_runs_find(const struct observed *observed)
{
	const struct trace *trace = observed->model->trace;
	struct search search = {.observed = observed};

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		struct open_run *open;

		if (call->form->function->class == CLASS_OTHER)
			continue;
		open = open_run_of(&search, call->form->thread_id);
		if (!copy_runs_is_small(observed, call)) {
			end_run(&search, open);
			continue;
		}
		if (!goes_on(&search, open, call))
			end_run(&search, open);
		extend_run(&search, open, call);
	}
	for (size_t i = 0; i < search.open.count; i++)
		end_run(&search, &search.open.items[i]);
	vector_free(&search.open);
	map_free(&search.threads);
	free(search.links);
	return search.runs;
}

void copy_runs_free(struct copy_runs *runs)
{
	vector_free(&runs->found);
	free(runs->is_in);
}
