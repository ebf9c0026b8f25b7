/*
 * WHAT: copies from one device to another go through host memory, because peer access was never
 *   enabled between the two: down one link and up the other, piece by piece.
 * EVIDENCE: a copy between devices of 1 MB or more that reached less than three quarters of the rate at
 *   which one device copies to pinned host memory; a direct one is at least as fast as that. Or one
 *   call for such a copy made copies to the host and from it.
 * COST: the time of these copies. With the fix they take as long as the fastest of the trace between
 *   two devices would; where none is direct, a sixth of what the copy to the host would take, as over
 *   NVLink, and at the low end all of that.
 * FALSE POSITIVES: devices that cannot reach each other (cudaDeviceCanAccessPeer()). Copies that share a
 *   link with others are slow, too.
 */
#include "detectors/detector.h"

#include "base/minmax.h"

#include <stdio.h>
#include <string.h>

/* Of less, what a copy takes to start is too much of its time. */
#define LEAST_BYTES 1000000

/* Of the rate of copies to the host: slower ones are staged, as fast ones are not. */
#define STAGED_SHARE 0.75

/* NVLink of the boards on which devices reach each other, against their links to the host: 300 GB/s
 * against 25 on an A100, 450 against 60 on an H100; about so much of that comes through. */
#define NVLINK_TIMES 6

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
	       operation->form->size_bytes >= LEAST_BYTES;
}

/* A part of a copy between devices. */
static bool is_part(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_COPY && operation->call &&
	       (operation->form->engine == ENGINE_H2D || operation->form->engine == ENGINE_D2H) &&
	       strstr(operation->call->form->function->name, "Peer") &&
	       operation->call->form->size_bytes >= LEAST_BYTES;
}

static bool is_staged(const struct model *model, const struct trace_operation *operation)
{
	return is_part(operation) ||
	       (is_peer_copy(operation) && rate_of(operation) < STAGED_SHARE * host_rate(model));
}

static void find(const struct model *model, struct instances *found)
{
	if (model->device_count < 2)
		return;
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		if (is_staged(model, operation))
			instance_add(found,
				     (struct instance){
					     .span = {operation->start_ns, operation->end_ns},
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
	double fastest = fastest_rate(model);

	if (doubt == DOUBT_KEEP)
		return host_rate(model);
	return fastest > 0 ? fastest : NVLINK_TIMES * host_rate(model);
}

static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	double rate = direct_rate(model, doubt);

	for (size_t i = 0; i < count; i++) {
		const struct trace_operation *operation = instances[i].operation;
		int64_t took_ns = operation->end_ns - operation->start_ns;
		double direct_ns =
			rate > 0 ? (double)operation->form->size_bytes / rate : (double)took_ns;

		if (doubt == DOUBT_DROP)
			direct_ns = 0;
		edits_set_duration(edits, model, operation,
				   direct_ns < (double)took_ns ? (int64_t)direct_ns : took_ns);
	}
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	const struct trace_operation *operation = instance->operation;
	struct format took, rate, host;
	char copy[64];

	describe_operation(model, operation, copy, sizeof(copy));
	snprintf(text, size, "%s took %s: %s a second, to the host it is %s", copy,
		 format_time(&took, operation->end_ns - operation->start_ns),
		 format_bytes(&rate, (uint64_t)(rate_of(operation) * 1e9)),
		 format_bytes(&host, (uint64_t)(host_rate(model) * 1e9)));
}

const struct detector detector_peer_staged = {
	.id = "peer-staged",
	.title = "Copies between devices go through host memory",
	.fix = "Call cudaDeviceEnablePeerAccess() on both devices once, where "
	       "cudaDeviceCanAccessPeer() "
	       "allows it: cudaMemcpyPeerAsync() then copies from one to the other directly.",
	.cost = "in these copies",
	.find = find,
	.apply = apply,
	.describe = describe,
};
