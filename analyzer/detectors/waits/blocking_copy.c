/*
 * WHAT: cudaMemcpy of pinned or device memory: the host waits for the copy, and the copy, in the
 *   legacy default stream, for all that blocking streams have to do.
 * EVIDENCE: the synchronous copy ended inside its call, and the same thread enqueued further work
 *   so soon that the host can neither have read what was copied out nor written again what was
 *   copied in.
 * COST: the host's time in the call up to the end of the copy.
 * FALSE POSITIVES: a host that reads a word of a large copy has the time for it. Copies of pageable
 *   memory are not reported: the asynchronous form alone does not help them. Many small ones in a row are
 *   tiny-copies.
 */
#include "base/memory.h"
#include "detectors/evidence/copy_runs.h"
#include "detectors/evidence/host_wait.h"

#include <stdlib.h>

static bool is_blocking_copy(const struct trace_call *call)
{
	const struct trace_operation *copy = call->operation;

	return copy && copy->form->kind == OPERATION_COPY && !copy->form->is_async &&
	       (copy->form->engine == ENGINE_D2H || copy->form->engine == ENGINE_H2D) &&
	       copy->form->src_kind != MEMORY_PAGEABLE && copy->form->dst_kind != MEMORY_PAGEABLE &&
	       copy->end_ns > call->start_ns && copy->end_ns <= call->end_ns;
}

static void judge_wait(const struct model *model, const struct host_wait *wait,
		       struct instances *found)
{
	const struct trace_operation *copy = wait->call->operation;
	struct instance instance = host_wait_instance(wait);
	bool is_rewritten = copy->form->engine == ENGINE_H2D &&
			    detector_host_bytes(model, wait->call) >= copy->form->size_bytes;

	if (wait->is_read || is_rewritten) {
		host_wait_doubt(model, wait, found);
		return;
	}
	if (host_wait_is_for_clock(model, wait, found))
		return;
	/* A part of it can have been used; when its source is written again is never seen. */
	instance.is_doubtful |= copy->form->engine == ENGINE_H2D;
	instance_add(found, instance);
}

static void find_blocking_copies(const struct observed *observed, struct instances *found)
{
	struct copy_runs runs = copy_runs_find(observed);
	struct instances all = {0};

	host_wait_each(observed, is_blocking_copy, judge_wait, &all);
	for (size_t i = 0; i < all.count; i++)
		if (!copy_runs_have(&runs, observed->model, all.items[i].call->operation))
			instance_add(found, all.items[i]);
	instances_add_needed(found, &all);
	free(all.items);
	copy_runs_free(&runs);
}

/* The stream where the copy's data is: made by what it needs; used by what comes next. */
static uint32_t stream_of_data(const struct model *model, const struct model_operation *item,
			       const struct instance *instance, const struct edits *edits)
{
	uint32_t source = item->operation->form->engine == ENGINE_D2H
				  ? detector_source_of_data(model, item)
				  : UINT32_MAX;

	return source != UINT32_MAX
		       ? edits_stream_of(edits, model, source)
		       : (uint32_t)(instance->operation->form->stream - model->trace->streams);
}

static void fix_blocking_copies(const struct observed *observed, const struct instance *instances,
				size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	struct map copies = {0}; /* operation to instance */

	for (size_t i = 0; i < count; i++) {
		map_add(&copies,
			(uint64_t)(instances[i].call->operation - model->trace->operations), i);
		if (doubt != DOUBT_KEEP || !instances[i].is_doubtful)
			edits_drop_wait(edits, model, instances[i].call);
	}
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		size_t found =
			map_find(&copies, (uint64_t)(item->operation - model->trace->operations));

		if (found != MAP_NONE && item->operation->form->stream->flag == STREAM_NULL)
			edits_move(edits, model, i,
				   stream_of_data(model, item, &instances[found], edits));
	}
	map_free(&copies);
}

const struct detector detector_blocking_copy = {
	.id = "blocking-copy",
	.title = "A blocking copy whose data the host does not use yet",
	.fix = "Use cudaMemcpyAsync(dst, src, bytes, kind, stream) with pinned host memory in the "
	       "stream of the data, and cudaEventSynchronize() where the host uses the data.",
	.cost = "blocked",
	.low_end = "the host may need the data at once; --first-use records when it reads them",
	.pointers = HOST_WAIT_POINTERS,
	.is_of_waits = true,
	.is_by_size = true,
	.doubt = "the host may have used the data before its next launch",
	.find = find_blocking_copies,
	.apply = fix_blocking_copies,
	.describe = host_wait_describe,
};
