#include "findings/steady.h"

#include "base/median.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/instance.h"
#include "findings/headline.h"

#include <math.h>
#include <stdlib.h>

/* The parts of each step in which an engine is busy. */
struct busy {
	const struct trace *trace;
	const struct step_begins *steps;
	int64_t *ns; /* by step */
	size_t step; /* those before it have ended */
};

static int64_t begin_of(const struct busy *busy, size_t step)
{
	const struct step_begins *steps = busy->steps;

	return trace_recorded_ns(busy->trace,
				 step < steps->count ? steps->work_ns[step] : steps->end_ns);
}

/* The spans come in order, and do not overlap. */
static void add_span(struct busy *busy, int64_t start_ns, int64_t end_ns)
{
	while (busy->step < busy->steps->count && begin_of(busy, busy->step + 1) <= start_ns)
		busy->step++;
	for (size_t i = busy->step; i < busy->steps->count && begin_of(busy, i) < end_ns; i++)
		busy->ns[i] += max_ns(0, min_ns(end_ns, begin_of(busy, i + 1)) -
						 max_ns(start_ns, begin_of(busy, i)));
}

/* By step. */
static int64_t *measure_busy(const struct trace *trace, const struct step_begins *steps)
{
	struct busy busy = {trace, steps, memory_array(steps->count, sizeof(int64_t)), 0};
	int64_t until_ns = INT64_MIN;

	for (size_t i = 0; i < trace->operation_count; i++) {
		int64_t start_ns = trace_recorded_ns(trace, trace->operations[i].start_ns);
		int64_t end_ns = trace_recorded_ns(trace, trace->operations[i].end_ns);

		start_ns = max_ns(start_ns, until_ns);
		until_ns = max_ns(until_ns, end_ns);
		if (end_ns > start_ns)
			add_span(&busy, start_ns, end_ns);
	}
	return busy.ns;
}

/* Whether the steps of about the median length take most of the time: else it says
 * nothing of what a step takes. */
static bool is_even(const int64_t *lengths_ns, size_t count, int64_t median_ns)
{
	int64_t all_ns = 0, usual_ns = 0;

	for (size_t i = 0; i < count; i++) {
		all_ns += lengths_ns[i];
		if (lengths_ns[i] >= median_ns / 2 && lengths_ns[i] / 2 <= median_ns)
			usual_ns += lengths_ns[i];
	}
	return (double)usual_ns >= STEPS_COVER * (double)all_ns;
}

/* Returns whether the steps are of about one length. */
static bool measure_steps(struct steady *steady, const struct trace *trace)
{
	const struct step_begins *steps = &steady->steps;
	int64_t *idle_ns = measure_busy(trace, steps);
	int64_t *lengths_ns = memory_array(steps->count, sizeof(*lengths_ns));
	const struct busy busy = {.trace = trace, .steps = steps};
	bool are_even;

	for (size_t i = 0; i < steps->count; i++) {
		lengths_ns[i] = begin_of(&busy, i + 1) - begin_of(&busy, i);
		idle_ns[i] = max_ns(0, lengths_ns[i] - idle_ns[i]);
	}
	steady->median_ns = median_ns(lengths_ns, steps->count);
	steady->idle_ns = median_ns(idle_ns, steps->count);
	are_even = is_even(lengths_ns, steps->count, steady->median_ns);
	free(lengths_ns);
	free(idle_ns);
	return are_even;
}

struct steady *steady_find(const struct trace *trace, const char *wanted)
{
	struct step_begins steps;
	struct steady *steady;

	if (!step_begins_find(trace, wanted, &steps))
		return NULL;
	steady = memory_array(1, sizeof(*steady));
	*steady = (struct steady){.steps = steps, .startup_ns = -1};
	/* Steps that nobody named are none. */
	if (!measure_steps(steady, trace) && !steps.have_ends && !wanted) {
		steady_free(steady);
		return NULL;
	}
	if (!trace->window_count)
		steady->startup_ns = max_ns(0, steps.work_ns[0] - headline_origin_ns(trace));
	if (steps.call)
		steady->site = site_describe(
			trace, steps.call->form->site,
			steps.call->operation ? steps.call->operation->form->name : NULL);
	return steady;
}

void steady_free(struct steady *steady)
{
	if (!steady)
		return;
	step_begins_free(&steady->steps);
	free(steady);
}

/* The part of the time that the finding lost in steps. */
static double share_of(const struct analysis *analysis, const struct finding *finding)
{
	const struct step_begins *steps = &analysis->steady->steps;
	double all = 0, in_steps = 0;

	for (size_t k = 0; k < finding_part_count(finding); k++) {
		const struct finding *part = finding_part(finding, k);

		for (size_t i = 0; i < part->instance_count; i++) {
			const struct instance *instance = &part->instances[i];
			int64_t start_ns = instance_start_ns(instance);
			/* The 1 ns more lets an instance count that took no time. */
			double lost = instance_weight(instance, analysis->observed.model->trace) *
				      (double)(instance->span.end_ns - instance->span.start_ns + 1);

			all += lost;
			if (start_ns >= steps->begin_ns[0] && start_ns < steps->end_ns)
				in_steps += lost;
		}
	}
	return all > 0 ? in_steps / all : 0;
}

/* Of each end, so much a step. */
static struct stated part_of(const struct analysis *analysis, const struct stated *lost,
			     double share)
{
	double part = share / (double)analysis->steady->steps.count;

	return (struct stated){llround(part * (double)lost->low_ns),
			       llround(part * (double)lost->estimate_ns),
			       llround(part * (double)lost->high_ns)};
}

struct stated steady_saving(const struct analysis *analysis, const struct finding *finding)
{
	return part_of(analysis, &finding->lost, share_of(analysis, finding));
}

struct stated steady_saving_of_all(const struct analysis *analysis)
{
	double all = 0, in_steps = 0;

	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct finding *finding = &analysis->findings.items[i];
		double saved = (double)finding->lost.estimate_ns;

		if (finding->is_folded || finding->costs_ns || saved <= 0)
			continue;
		all += saved;
		in_steps += saved * share_of(analysis, finding);
	}
	return part_of(analysis, &analysis->findings.lost, all > 0 ? in_steps / all : 0);
}
