/*
 * WHAT: copies from one device to another go through host memory, because peer access was never
 *   enabled between the two: down one link and up the other, piece by piece.
 * EVIDENCE: one call for a copy of 1 MB or more between devices made a copy to the host and one from it. Their
 *   records have all of the bytes and the times of the last piece alone (measured on H200s with driver
 *   580). Or a copy between devices reached less than three quarters of the rate at which one device
 *   copies to pinned host memory; a direct one is at least as fast as that.
 * COST: the time of these copies, and of their calls, which set up each piece: a call takes what a launch does
 *   then, but for the low end. With the fix they take as long as the fastest of the trace between
 *   two devices would; where none is direct, as long as one did that was measured on the machine; where
 *   none was, a sixth of what the copy to the host would take, as over NVLink. At the low end all of that,
 *   unless it was measured.
 * FALSE POSITIVES: devices that cannot reach each other (cudaDeviceCanAccessPeer()): silent where that was
 *   measured. Copies that share a link with others are slow, too.
 */
#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "model/rates.h"

#include <stdio.h>
#include <stdlib.h>

static double rate_of(const struct trace_operation *operation)
{
	return (double)operation->form->size_bytes /
	       (double)max_ns(1, operation->end_ns - operation->start_ns);
}

/* The rate of copies to the host, bytes per ns; 0: not known. */
static double host_rate(const struct model *model)
{
	return model->pinned_copies[ENGINE_D2H].bytes_per_ns;
}

static bool is_peer_copy(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_COPY && operation->form->engine == ENGINE_PEER &&
	       operation->form->size_bytes >= COPY_LARGE_BYTES;
}

static bool is_half(const struct trace_operation *operation, enum engine engine)
{
	return rates_is_peer_half(operation, engine) &&
	       operation->form->size_bytes >= COPY_LARGE_BYTES;
}

static bool is_staged(const struct model *model, const struct trace_operation *operation)
{
	return is_half(operation, ENGINE_D2H) ||
	       (is_peer_copy(operation) &&
		rate_of(operation) < PEER_STAGED_SHARE * host_rate(model));
}

/* From when it could run: of a copy to the host the record has the last piece alone. */
static int64_t begin_ns(const struct model_operation *place)
{
	const struct trace_operation *operation = place->operation;
	int64_t ready_ns = max_ns(model_enqueue_ns(operation), place->order_ns);

	return is_half(operation, ENGINE_D2H) ? min_ns(ready_ns, operation->start_ns)
					      : operation->start_ns;
}

static void find_peer_staged_copies(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	if (model->device_count < 2 || rates_of_peers(model->trace) == 0)
		return;
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *place = &model->operations[i];
		const struct trace_operation *operation = place->operation;

		if (is_staged(model, operation))
			instance_add(found, (struct instance){
						    .span = {begin_ns(place), operation->end_ns},
						    .site_call = operation->call,
						    .operation = operation,
					    });
	}
}

/* Of the direct ones; 0: there is none. */
static double fastest_rate(const struct model *model)
{
	double fastest = 0;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		if (is_peer_copy(operation) && !is_staged(model, operation) &&
		    rate_of(operation) > fastest)
			fastest = rate_of(operation);
	}
	return fastest;
}

static double direct_rate(const struct model *model, enum doubt doubt)
{
	double fastest = fastest_rate(model), measured = rates_of_peers(model->trace);

	if (measured > 0)
		return measured > fastest ? measured : fastest;
	if (doubt == DOUBT_KEEP)
		return host_rate(model);
	return fastest > 0 ? fastest : PEER_NVLINK_TIMES * host_rate(model);
}

/* As long as one that is direct, and it starts as that would. */
static void copy_directly(const struct model *model, const struct instance *instance, double rate,
			  enum doubt doubt, struct edits *edits)
{
	const struct trace_operation *operation = instance->operation;
	int64_t took_ns = instance->span.end_ns - instance->span.start_ns;
	double direct_ns = rate > 0 ? (double)operation->form->size_bytes / rate : (double)took_ns;

	if (doubt == DOUBT_DROP)
		direct_ns = 0;
	edits_set_duration(edits, model, operation,
			   direct_ns < (double)took_ns ? (int64_t)direct_ns : took_ns);
	if (is_half(operation, ENGINE_D2H))
		edits_own_queue(edits, model, operation);
}

static void drop_second_halves(const struct model *model, const bool *is_chosen,
			       struct edits *edits)
{
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		if (is_half(operation, ENGINE_H2D) &&
		    is_chosen[operation->call - model->trace->calls])
			edits_drop_operation(edits, model, operation);
	}
}

/* The time to enqueue an operation: the median of launches; 0: no launches. (Calls of staged copies
 * take longer, because they set the copy up piece by piece.) */
static int64_t enqueue_ns(const struct trace *trace)
{
	int64_t *times = memory_array(trace->call_count, sizeof(*times)), ns;
	size_t count = 0;

	for (size_t i = 0; i < trace->call_count; i++)
		if (trace->calls[i].form->function->class == CLASS_LAUNCH)
			times[count++] = trace->calls[i].end_ns - trace->calls[i].start_ns;
	ns = median_ns(times, count);
	free(times);
	return ns;
}

static void shorten_call(const struct model *model, const struct trace_call *call,
			 int64_t enqueue_ns, struct edits *edits)
{
	if (call && enqueue_ns > 0 && enqueue_ns < call->end_ns - call->start_ns)
		edits_set_call_time(edits, model, call, enqueue_ns);
}

static void fix_peer_staged_copies(const struct observed *observed,
				   const struct instance *instances, size_t count, enum doubt doubt,
				   struct edits *edits)
{
	const struct model *model = observed->model;
	int64_t call_ns = doubt == DOUBT_KEEP ? 0 : enqueue_ns(model->trace);
	bool *is_chosen = memory_array(model->trace->call_count, sizeof(*is_chosen));
	double rate = direct_rate(model, doubt);

	for (size_t i = 0; i < count; i++) {
		copy_directly(model, &instances[i], rate, doubt, edits);
		shorten_call(model, instances[i].operation->call, call_ns, edits);
		if (is_half(instances[i].operation, ENGINE_D2H))
			is_chosen[instances[i].operation->call - model->trace->calls] = true;
	}
	drop_second_halves(model, is_chosen, edits);
	free(is_chosen);
}

static void describe_peer_staged(const struct observed *observed, const struct instance *instance,
				 char *text, size_t size)
{
	const struct trace_operation *operation = instance->operation;
	int64_t took_ns = max_ns(1, instance->span.end_ns - instance->span.start_ns);
	double bytes_per_ns = (double)operation->form->size_bytes / (double)took_ns;
	struct format bytes, took, rate, host;

	snprintf(text, size, "%s took %s: %s a second, to the host it is %s",
		 format_bytes(&bytes, operation->form->size_bytes), format_time(&took, took_ns),
		 format_bytes(&rate, (uint64_t)(bytes_per_ns * 1e9)),
		 format_bytes(&host, (uint64_t)(host_rate(observed->model) * 1e9)));
}

/* The two devices; of the parts of a copy they are not known. */
static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	const struct trace_operation_form *form = instance->operation->form;
	uint32_t from = form->src_device_id, to = form->dst_device_id;

	if (form->engine != ENGINE_PEER)
		return (struct cause){CAUSE_NONE, 0, 0};
	return cause_of_pair(CAUSE_DEVICES, from < to ? from : to, from < to ? to : from);
}

const struct detector detector_peer_staged = {
	.id = "peer-staged",
	.title = "Copies between devices go through host memory",
	.fix = "Call cudaDeviceEnablePeerAccess() on both devices once, where "
	       "cudaDeviceCanAccessPeer() allows it: cudaMemcpyPeerAsync() then copies from one to "
	       "the other directly.",
	.cost = "in these copies",
	.low_end = "the rate of direct copies between the two devices is unknown",
	.find = find_peer_staged_copies,
	.apply = fix_peer_staged_copies,
	.cause = cause_of,
	.describe = describe_peer_staged,
};
