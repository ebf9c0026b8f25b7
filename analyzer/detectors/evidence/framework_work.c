#include "detectors/evidence/framework_work.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"

#include <stdlib.h>

/* Whether Python called a framework for the wait, which is a call. */
static bool is_of_framework(const struct trace *trace, const struct instance *instance)
{
	return !instance->host_function && instance->call->form->site &&
	       framework_of(instance->call->form->site) != FRAMEWORK_NONE &&
	       trace_metadata(trace, "python");
}

/* By index in trace.calls: the call behind it in its thread; TRACE_NO_CALL: none. The caller must
 * free() it. */
static uint32_t *find_next_calls(const struct trace *trace)
{
	uint32_t *next = memory_array(trace->call_count, sizeof(*next));
	struct map last = {0}; /* by thread */

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t before = map_find(&last, call->form->thread_id);

		next[i] = TRACE_NO_CALL;
		if (before != MAP_NONE && call->end_ns <= trace->calls[before].end_ns)
			continue; /* the driver's inside the runtime's */
		if (before != MAP_NONE)
			next[before] = (uint32_t)i;
		map_set(&last, call->form->thread_id, i);
	}
	map_free(&last);
	return next;
}

/* The host's own work around calls that a framework makes for a line. */
struct work_around {
	int64_t before_ns, behind_ns; /* medians, up to SEQUENCE_WORK_NS */
};

static struct work_around measure_around(const struct trace *trace,
					 const struct instance *instances, size_t count,
					 const uint32_t *next)
{
	int64_t *before = memory_array(count, sizeof(*before));
	int64_t *behind = memory_array(count, sizeof(*behind));
	bool *is_fixed = memory_array(trace->call_count, sizeof(*is_fixed));
	struct work_around around;
	size_t befores = 0, behinds = 0;

	for (size_t i = 0; i < count; i++)
		is_fixed[instances[i].call - trace->calls] = is_of_framework(trace, &instances[i]);
	for (size_t i = 0; i < trace->call_count; i++) {
		int64_t gap_ns;

		if (next[i] == TRACE_NO_CALL)
			continue;
		gap_ns = max_ns(0, trace->calls[next[i]].start_ns - trace->calls[i].end_ns);
		if (is_fixed[next[i]])
			before[befores++] = gap_ns;
		if (is_fixed[i])
			behind[behinds++] = gap_ns;
	}
	around = (struct work_around){min_ns(median_ns(before, befores), SEQUENCE_WORK_NS),
				      min_ns(median_ns(behind, behinds), SEQUENCE_WORK_NS)};
	free(is_fixed);
	free(behind);
	free(before);
	return around;
}

/* What a framework does for a call is behind the call before and before the call itself. The wait divides
 * one such time into two: without it the longer one stays, at the high end the shorter one. */
void framework_work_leave_out(const struct model *model, const struct instance *instances,
			      size_t count, enum doubt doubt, struct edits *edits)
{
	const struct trace *trace = model->trace;
	bool is_behind, has_framework = false;
	struct work_around around;
	int64_t gone_ns;
	uint32_t *next;

	for (size_t i = 0; i < count; i++)
		has_framework |= is_of_framework(trace, &instances[i]);
	if (!has_framework)
		return;
	next = find_next_calls(trace);
	around = measure_around(trace, instances, count, next);
	is_behind = doubt == DOUBT_DROP && around.behind_ns > around.before_ns;
	gone_ns = doubt == DOUBT_DROP ? max_ns(around.before_ns, around.behind_ns)
				      : min_ns(around.before_ns, around.behind_ns);

	for (size_t i = 0; i < count; i++) {
		const struct trace_call *call = instances[i].call;
		uint32_t behind = next[call - trace->calls];

		if (!is_of_framework(trace, &instances[i]))
			continue;
		if (!is_behind)
			edits_shorten_work(edits, model, call, gone_ns);
		else if (behind != TRACE_NO_CALL)
			edits_shorten_work(edits, model, &trace->calls[behind], gone_ns);
	}
	free(next);
}
