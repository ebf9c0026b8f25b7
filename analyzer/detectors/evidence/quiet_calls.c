#include "detectors/evidence/quiet_calls.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "replay/observed/evidence.h"

#include <stdlib.h>

static bool is_judged(const struct observed *observed, const struct trace_call *call)
{
	enum function_class class = call->form->function->class;

	return (class == CLASS_LAUNCH || class == CLASS_EVENT_RECORD ||
		(class == CLASS_COPY && call->form->has_stream)) &&
	       !evidence_of(observed->evidence, call).cause;
}

/* The mean of the sorted times without the longest in a hundred: those were interrupted. */
static int64_t mean_of(const int64_t *times, size_t count)
{
	size_t most = count - count / 100;
	double sum = 0;

	for (size_t i = 0; i < most; i++)
		sum += (double)times[i];
	return (int64_t)(sum / (double)most);
}

/* calls: indexes in trace.calls, `all` of them. */
static void measure_quiet(const struct quiet_calls *measured, const uint32_t *calls, size_t all,
			  int64_t *times, struct quiet *quiet)
{
	const struct trace *trace = measured->observed->model->trace;
	size_t count = 0, beside_count = 0;
	double beside_ns = 0;

	for (size_t i = 0; i < all; i++) {
		const struct trace_call *call = &trace->calls[calls[i]];

		if (measured->beside[calls[i]]) {
			beside_ns += (double)(call->end_ns - call->start_ns);
			beside_count++;
		} else {
			times[count++] = call->end_ns - call->start_ns;
		}
	}
	if (count < COMPARED_LEAST_CALLS || beside_count < COMPARED_LEAST_CALLS)
		return;
	sort_ns(times, count);
	quiet->mean_ns = mean_of(times, count);
	quiet->most_ns = max_ns(quiet->mean_ns, times[count * 9 / 10]);
	quiet->is_slowed =
		beside_ns / (double)beside_count >= SPIN_SLOWER_TIMES * (double)quiet->mean_ns;
}

/* The calls that are judged, function by function, into order; ends: by function, behind its last
 * one there. A trace can have many functions: no pass over the calls for each. */
static void group_calls(const struct observed *observed, uint32_t *order, uint32_t *ends)
{
	const struct trace *trace = observed->model->trace;
	uint32_t begin = 0;

	for (size_t i = 0; i < trace->call_count; i++)
		ends[trace->calls[i].form->function - trace->functions] +=
			is_judged(observed, &trace->calls[i]);
	for (size_t i = 0; i < trace->function_count; i++) {
		uint32_t count = ends[i];

		ends[i] = begin;
		begin += count;
	}
	for (size_t i = 0; i < trace->call_count; i++)
		if (is_judged(observed, &trace->calls[i]))
			order[ends[trace->calls[i].form->function - trace->functions]++] =
				(uint32_t)i;
}

static void measure_all(struct quiet_calls *measured)
{
	const struct trace *trace = measured->observed->model->trace;
	int64_t *times = memory_array(trace->call_count, sizeof(*times));
	uint32_t *order = memory_array(trace->call_count, sizeof(*order));
	uint32_t *ends = memory_array(trace->function_count, sizeof(*ends));

	group_calls(measured->observed, order, ends);
	for (size_t i = 0; i < trace->function_count; i++) {
		uint32_t begin = i ? ends[i - 1] : 0;

		measure_quiet(measured, &order[begin], ends[i] - begin, times,
			      &measured->quiets[i]);
	}
	free(ends);
	free(order);
	free(times);
}

struct quiet_calls quiet_calls_measure(const struct observed *observed, const uint32_t *beside)
{
	struct quiet_calls calls = {
		.observed = observed,
		.beside = beside,
		.quiets =
			memory_array(observed->model->trace->function_count, sizeof(*calls.quiets)),
	};

	measure_all(&calls);
	return calls;
}

void quiet_calls_free(struct quiet_calls *calls)
{
	free(calls->quiets);
}

const struct quiet *quiet_calls_of(const struct quiet_calls *calls, size_t index)
{
	const struct trace *trace = calls->observed->model->trace;
	const struct trace_call *call = &trace->calls[index];
	const struct quiet *quiet = &calls->quiets[call->form->function - trace->functions];

	return calls->beside[index] && quiet->is_slowed && is_judged(calls->observed, call) ? quiet
											    : NULL;
}

void quiet_calls_quicken(const struct quiet_calls *calls, size_t index, enum doubt doubt,
			 struct edits *edits)
{
	const struct trace_call *call = &calls->observed->model->trace->calls[index];
	const struct quiet *quiet = quiet_calls_of(calls, index);
	int64_t own_ns = doubt == DOUBT_KEEP ? quiet->most_ns : quiet->mean_ns;

	if (own_ns < call->end_ns - call->start_ns)
		edits_set_call_time(edits, calls->observed->model, call, own_ns);
}
