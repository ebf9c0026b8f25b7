#include "detectors/evidence/graph_uploads.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "model/graph_launches.h"

#include <stdlib.h>

/* Of a thread: indexes in trace.calls, plus one; 0: none. */
struct thread {
	size_t enqueued; /* its last call that enqueued something */
	size_t place; /* where an upload fits and none was put: the last call that is the first behind such a call, or a copy that
		       * waits for itself */
	size_t behind; /* the call behind which `place` is: the last before it that enqueued something, or `place` itself */
};

/* A pass over all calls. */
struct passing {
	const struct observed *observed;
	struct graph_launches launches;
	int64_t *
		ready_ns; /* by call: when its stream came to what it enqueued; INT64_MAX: it enqueued nothing */
	struct map thread_ids; /* to threads */
	VECTOR(struct thread) threads;
	struct graph_uploads uploads; /* of all lines */
	uint32_t *counts;	      /* by call site: of uploads */
};

static int64_t own_ns(const struct passing *passing, const struct trace_call *call)
{
	return evidence_of(passing->observed->evidence, call).split.own_ns;
}

/* passing.ready_ns, which the caller must free(). */
static int64_t *find_ready(const struct model *model)
{
	int64_t *ready_ns = memory_array(model->trace->call_count, sizeof(*ready_ns));

	for (size_t i = 0; i < model->trace->call_count; i++)
		ready_ns[i] = INT64_MAX;
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		const struct trace_call *call = item->operation->call;

		if (call && call->operation == item->operation)
			ready_ns[call - model->trace->calls] =
				max_ns(item->order_ns, item->barrier_order_ns);
	}
	return ready_ns;
}

static struct thread *thread_of(struct passing *passing, const struct trace_call *call)
{
	if (map_add(&passing->thread_ids, call->form->thread_id, passing->threads.count))
		*vector_add(&passing->threads) = (struct thread){0, 0, 0};
	return &passing->threads.items[map_find(&passing->thread_ids, call->form->thread_id)];
}

/* The upload of the launch that the call is, in a stream that was idle for more than half of it. */
static int64_t exposed_upload_ns(const struct passing *passing, size_t index)
{
	const struct trace *trace = passing->observed->model->trace;
	const struct trace_call *call = &trace->calls[index];
	const int64_t upload_ns =
		graph_launches_upload_ns(&passing->launches, trace, index, own_ns(passing, call));

	return passing->ready_ns[index] <= call->end_ns - upload_ns / 2 ? upload_ns : 0;
}

static void pass_launch(struct passing *passing, struct thread *thread, size_t index)
{
	const struct trace *trace = passing->observed->model->trace;
	const struct trace_call *call = &trace->calls[index], *place;
	const int64_t upload_ns = exposed_upload_ns(passing, index);

	if (!upload_ns || !thread->place || thread->behind < passing->launches.made[index] ||
	    !call->form->site)
		return;
	place = &trace->calls[thread->place - 1];
	thread->place = 0;
	passing->counts[call->form->site - trace->sites]++;
	*vector_add(&passing->uploads.all) = (struct graph_upload){
		.call = call,
		.place = place,
		.upload_ns = upload_ns,
		.bare_ns = graph_launches_bare_ns(&passing->launches, trace, index,
						  own_ns(passing, call)),
		.place_ns = own_ns(passing, place),
		.nodes = passing->launches.nodes[index]};
}

static void pass_call(struct passing *passing, size_t index)
{
	const struct trace_call *call = &passing->observed->model->trace->calls[index];
	struct thread *thread = thread_of(passing, call);
	bool is_place = !call->operation && thread->enqueued > thread->behind;

	if (passing->launches.made[index])
		pass_launch(passing, thread, index);
	if (call->operation) {
		thread->enqueued = index + 1;
		is_place = evidence_has_wait(passing->observed->evidence, call);
	}
	if (is_place) {
		thread->place = index + 1;
		thread->behind = thread->enqueued;
	}
}

static void find_uploads(struct passing *passing, struct graph_uploads *found)
{
	const struct trace *trace = passing->observed->model->trace;

	passing->ready_ns = find_ready(passing->observed->model);
	passing->counts = memory_array(trace->site_count, sizeof(*passing->counts));
	for (size_t i = 0; i < trace->call_count; i++)
		pass_call(passing, i);
	for (size_t i = 0; i < passing->uploads.all.count; i++) {
		const struct graph_upload *upload = &passing->uploads.all.items[i];

		if (passing->counts[upload->call->form->site - trace->sites] >= LOOP_LEAST_TIMES)
			*vector_add(&found->all) = *upload;
	}
	vector_free(&passing->uploads.all);
	free(passing->counts);
	free(passing->ready_ns);
	vector_free(&passing->threads);
	map_free(&passing->thread_ids);
}

struct graph_uploads graph_uploads_find(const struct observed *observed)
{
	struct passing passing = {.observed = observed,
				  .launches = graph_launches_of(observed->model->trace)};
	struct graph_uploads found = {0};

	if (passing.launches.nodes)
		find_uploads(&passing, &found);
	graph_launches_free(&passing.launches);
	return found;
}

void graph_uploads_free(struct graph_uploads *uploads)
{
	vector_free(&uploads->all);
}
