#include "findings/devices.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "detectors/detector.h"
#include "findings/analysis.h"
#include "findings/headline.h"
#include "findings/interval_private.h"
#include "findings/sampling.h"
#include "findings/whatif_run.h"
#include "model/model.h"
#include "replay/timeline.h"

#include <stdlib.h>
#include <string.h>

static void add_operation(const struct trace *trace, const struct trace_operation *operation,
			  struct headline_sweep *sweep)
{
	headline_add(sweep, operation->form->engine, trace_recorded_ns(trace, operation->start_ns),
		     trace_recorded_ns(trace, operation->end_ns));
}

static const char *name_of(const struct trace *trace, uint32_t id)
{
	for (size_t i = 0; i < trace->device_count; i++)
		if (trace->devices[i].id == id)
			return trace->devices[i].name;
	return NULL;
}

/* By device; freed with free(). */
static struct headline_sweep *sweep_devices(const struct model *model, const struct trace *trace,
					    int64_t wall_ns)
{
	/* One more, for ends of copies on devices that ran nothing. */
	struct headline_sweep *sweeps = memory_array(model->device_count + 1, sizeof(*sweeps));

	for (size_t i = 0; i <= model->device_count; i++)
		sweeps[i] = headline_begin(wall_ns);
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t device = model_device(model, operation->form->device_id), from, to;

		add_operation(trace, operation, &sweeps[device]);
		if (operation->form->engine != ENGINE_PEER)
			continue;
		from = model_device(model, operation->form->src_device_id);
		to = model_device(model, operation->form->dst_device_id);
		if (from != device)
			add_operation(trace, operation, &sweeps[from]);
		if (to != device && to != from)
			add_operation(trace, operation, &sweeps[to]);
	}
	return sweeps;
}

static bool is_of_one(const struct trace *trace)
{
	for (size_t i = 1; i < trace->operation_count; i++)
		if (trace->operations[i].form->device_id != trace->operations[0].form->device_id)
			return false;
	return true;
}

/* By device; freed with free(). */
static struct device_load *measure_loads(const struct analysis *analysis)
{
	const struct headline *headline = &analysis->headline;
	const struct model *model = analysis->observed.model;
	struct device_load *loads = memory_array(model->device_count, sizeof(*loads));
	struct headline_sweep *sweeps;

	if (model->device_count == 1 && is_of_one(analysis->whole)) {
		memcpy(loads->busy_ns, headline->busy_ns, sizeof(loads->busy_ns));
		loads->idle_ns = headline->idle_ns;
		loads->overlapped_ns = headline->overlapped_ns;
		return loads;
	}
	sweeps = sweep_devices(model, analysis->whole, headline->wall_ns);
	for (size_t i = 0; i < model->device_count; i++)
		loads[i] = headline_end(&sweeps[i]);
	free(sweeps);
	return loads;
}

static struct span no_span(void)
{
	return (struct span){INT64_MAX, INT64_MIN};
}

int64_t *devices_times(const struct model *model, const struct span *operations)
{
	const struct trace *trace = model->trace;
	size_t windows = trace->is_sample ? trace->window_count : 1;
	size_t count = model->device_count * windows;
	struct span *spans = memory_array(count, sizeof(*spans));
	int64_t *lengths_ns = memory_array(model->device_count, sizeof(*lengths_ns));

	for (size_t i = 0; i < count; i++)
		spans[i] = no_span();
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t window = trace_window_of(trace, operation);
		struct span *span;

		if (window == SIZE_MAX)
			continue;
		span = &spans[model_device(model, operation->form->device_id) * windows + window];
		span->start_ns = min_ns(span->start_ns,
					operations ? operations[i].start_ns : operation->start_ns);
		span->end_ns =
			max_ns(span->end_ns, operations ? operations[i].end_ns : operation->end_ns);
	}
	for (size_t i = 0; i < count; i++)
		if (spans[i].end_ns > spans[i].start_ns)
			lengths_ns[i / windows] =
				trace_weigh_more(trace, i % windows, lengths_ns[i / windows],
						 spans[i].end_ns - spans[i].start_ns);
	free(spans);
	return lengths_ns;
}

/* By how much each device's time gets shorter with the fixes; freed with free(). */
static int64_t *device_savings(const struct analysis *analysis, const int64_t *before_ns,
			       enum doubt doubt)
{
	struct edits *edits = whatif_edits(analysis, &analysis->findings, doubt);
	struct timeline_times times;
	int64_t *saved_ns;

	timeline_replay_times(analysis->observed.timeline, edits, &times);
	saved_ns = devices_times(analysis->observed.model, times.operations);
	timeline_times_free(&times);
	edits_free(edits);
	for (size_t i = 0; i < analysis->observed.model->device_count; i++)
		saved_ns[i] = max_ns(0, before_ns[i] - saved_ns[i]);
	return saved_ns;
}

static int64_t *times_without_fixes(const struct analysis *analysis)
{
	struct edits *none = edits_create(analysis->observed.model);
	struct timeline_times times;
	int64_t *times_ns;

	timeline_replay_times(analysis->observed.timeline, none, &times);
	times_ns = devices_times(analysis->observed.model, times.operations);
	timeline_times_free(&times);
	edits_free(none);
	return times_ns;
}

/* Of several devices. */
static void weigh_each(const struct analysis *analysis, struct device *devices)
{
	int64_t *before_ns = times_without_fixes(analysis);
	int64_t *low_ns = device_savings(analysis, before_ns, DOUBT_KEEP);
	int64_t *estimate_ns = device_savings(analysis, before_ns, DOUBT_WEIGH);
	int64_t *high_ns = device_savings(analysis, before_ns, DOUBT_DROP);

	for (size_t i = 0; i < analysis->observed.model->device_count; i++) {
		struct interval saved = {
			(int64_t)((1 - analysis->check.spread) *
				  (double)min_ns(low_ns[i], estimate_ns[i])),
			estimate_ns[i],
			min_ns((int64_t)((1 + analysis->check.spread) *
					 (double)max_ns(high_ns[i], estimate_ns[i])),
			       before_ns[i])};

		sampling_widen_by(&saved, analysis->findings.sample_error_ns);
		devices[i].lost = range_stated(analysis, &saved);
	}
	free(high_ns);
	free(estimate_ns);
	free(low_ns);
	free(before_ns);
}

struct device *devices_measure(const struct analysis *analysis)
{
	const struct model *model = analysis->observed.model;
	struct device *devices = memory_array(model->device_count, sizeof(*devices));
	struct device_load *loads = measure_loads(analysis);

	for (size_t i = 0; i < model->device_count; i++)
		devices[i] = (struct device){.id = model->device_ids[i],
					     .name = name_of(analysis->whole, model->device_ids[i]),
					     .load = loads[i]};
	free(loads);
	if (model->device_count > 1 && analysis->check.has_estimates &&
	    analysis->findings.count > analysis->findings.folded_count)
		weigh_each(analysis, devices);
	else if (model->device_count == 1)
		devices[0].lost = analysis->findings.lost;
	return devices;
}
