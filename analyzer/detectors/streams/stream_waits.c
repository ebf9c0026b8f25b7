#include "detectors/streams/stream_waits.h"

#include "base/memory.h"
#include "base/thresholds.h"
#include "detectors/evidence/copy_runs.h"
#include "detectors/evidence/covered.h"
#include "detectors/streams/spreading.h"

#include <stdio.h>
#include <stdlib.h>

/* Of one call site. */
struct site_waits {
	size_t all, beside; /* beside: while kernels ran that left room */
};

struct finding_waits {
	const struct model *model;
	bool of_small_grids;
	struct copy_runs runs; /* unless of_small_grids */
	/* By index in model.engines, of those that compute: when kernels ran, and when wide ones
	 * did (occupancy.h). */
	struct covered *running, *wide;
	struct site_waits *sites; /* by index in trace.sites; the last one: of no site */
	struct instances waits;
};

static bool is_kernel(const struct trace_operation *operation)
{
	return operation->form->engine == ENGINE_COMPUTE;
}

static struct covered *find_running(const struct model *model, bool has_narrow)
{
	const struct trace *trace = model->trace;
	const size_t engine_count = model->device_count * ENGINE_COUNT;
	struct covered *running = memory_array(engine_count, sizeof(*running));

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		if (is_kernel(operation) && (has_narrow || occupancy_is_wide(trace, operation)))
			covered_add(&running[model_engine_of(model, operation)],
				    (struct span){operation->start_ns, operation->end_ns});
	}
	for (size_t i = 0; i < engine_count; i++)
		covered_end(&running[i]);
	return running;
}

static struct site_waits *site_of(const struct finding_waits *finding,
				  const struct instance *instance)
{
	const struct trace *trace = finding->model->trace;
	const struct trace_call *call = instance->site_call;

	return &finding->sites[call && call->form->site ? (size_t)(call->form->site - trace->sites)
							: trace->site_count];
}

static const struct covered *running_of(const struct finding_waits *finding,
					const struct instance *instance)
{
	return &finding->running[model_engine_of(finding->model, instance->operation)];
}

/* There was room for it all the while: what ran left some. */
static bool is_beside_kernels(const struct finding_waits *finding, const struct instance *instance)
{
	const struct span span = instance->span;

	return is_kernel(instance->operation) &&
	       covered_within(running_of(finding, instance), span) >
		       (span.end_ns - span.start_ns) / 2;
}

/* Whether nothing of the wait but the time in which a kernel starts behind another was free for it: the
 * one ahead left no room. Another stream does not shorten a start. */
static bool is_start(const struct finding_waits *finding, const struct instance *instance)
{
	const struct span span = instance->span;

	return is_kernel(instance->operation) && is_kernel(instance->cause) &&
	       span.end_ns - span.start_ns < BRIEF_NS &&
	       !covered_within(running_of(finding, instance), span);
}

/* Whether kernels on one multiprocessor may slow each other down as much as they gain. */
static bool is_doubtful(const struct finding_waits *finding, const struct instance *instance)
{
	const struct model *model = finding->model;
	const struct covered *wide = &finding->wide[model_engine_of(model, instance->operation)];

	return is_beside_kernels(finding, instance) &&
	       (occupancy_is_wide(model->trace, instance->operation) ||
		covered_within(wide, instance->span));
}

static void take_operation(struct finding_waits *finding, const struct model_operation *item)
{
	const struct model *model = finding->model;
	struct model_wait wait = model_delay_by_stream(model, item);
	struct instance instance = {.span = wait.span,
				    .reach = wait.reach,
				    .reach_of_both = wait.reach_of_both,
				    .site_call = item->operation->call,
				    .operation = item->operation,
				    .cause = model_blocker_at(model, item->stream).operation,
				    .takes_other_fix = item->reuses_buffer};

	if (wait.span.end_ns <= wait.span.start_ns || !instance.cause ||
	    is_start(finding, &instance) ||
	    (copy_runs_have(&finding->runs, model, item->operation) &&
	     copy_runs_have(&finding->runs, model, instance.cause)))
		return;
	site_of(finding, &instance)->all++;
	site_of(finding, &instance)->beside +=
		!spreading_is_of_threads(&instance) && is_beside_kernels(finding, &instance);
	instance.is_doubtful = is_doubtful(finding, &instance);
	instance_add(&finding->waits, instance);
}

static bool is_of_small_grid(const struct site_waits *site)
{
	return site->beside * 2 > site->all;
}

static void free_all(struct finding_waits *finding)
{
	for (size_t i = 0; i < finding->model->device_count * ENGINE_COUNT; i++) {
		covered_free(&finding->running[i]);
		covered_free(&finding->wide[i]);
	}
	free(finding->running);
	free(finding->wide);
	free(finding->sites);
	free(finding->waits.items);
	copy_runs_free(&finding->runs);
}

void stream_waits_find(const struct observed *observed, bool of_small_grids,
		       struct instances *found)
{
	const struct model *model = observed->model;
	struct finding_waits finding = {.model = model, .of_small_grids = of_small_grids};

	if (!of_small_grids)
		finding.runs = copy_runs_find(observed);
	finding.running = find_running(model, true);
	finding.wide = find_running(model, false);
	finding.sites = memory_array(model->trace->site_count + 1, sizeof(*finding.sites));
	/* A site has kernels or others. */
	for (size_t i = 0; i < model->operation_count; i++)
		if (!of_small_grids || is_kernel(model->operations[i].operation))
			take_operation(&finding, &model->operations[i]);
	for (size_t i = 0; i < finding.waits.count; i++) {
		const struct instance *instance = &finding.waits.items[i];

		if (is_of_small_grid(site_of(&finding, instance)) == of_small_grids)
			instance_add(found, *instance);
	}
	free_all(&finding);
}

void stream_waits_describe(const struct observed *observed, const struct instance *instance,
			   char *text, size_t size)
{
	char waiter[160], holder[160], stream[32];

	snprintf(text, size, "%s waited for %s ahead of it in %s",
		 describe_operation(observed->model, instance->operation, waiter, sizeof(waiter)),
		 describe_cause(observed->model, instance->cause, holder, sizeof(holder)),
		 describe_stream(instance->operation, stream, sizeof(stream)));
}
