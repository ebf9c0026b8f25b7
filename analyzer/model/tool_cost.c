#include "model/tool_cost.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/thresholds.h"
#include "model/graph_launches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const enum function_class tool_cost_classes[] = {
	CLASS_LAUNCH,	   CLASS_COPY,	       CLASS_EVENT_RECORD,
	CLASS_STREAM_SYNC, CLASS_STREAM_QUERY, CLASS_OTHER,
};

const char *tool_cost_word(enum function_class class)
{
	switch (class) {
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot)                               \
	case CLASS_##symbol:                                                                       \
		return #name;
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
	default:
		return "other";
	}
}

void tool_cost_key(char key[TOOL_COST_KEY_BYTES], bool via_driver_callback,
		   enum function_class class, enum tool_cost_number number)
{
	static const char *const names[TOOL_COST_NUMBERS] = {
		[TOOL_CUPTI_WARM] = "cupti_%s_%s_warm_ns",
		[TOOL_CUPTI_COLD] = "cupti_%s_%s_cold_ns",
		[TOOL_CALL_WARM] = "call_%s_%s_warm_ns",
		[TOOL_CALL_COLD] = "call_%s_%s_cold_ns",
	};

	snprintf(key, TOOL_COST_KEY_BYTES, names[number],
		 via_driver_callback ? "driver" : "runtime", tool_cost_word(class));
}

static bool is_key_of_path(const char *key, bool via_driver_callback)
{
	char other[TOOL_COST_KEY_BYTES];

	for (int i = 0; tool_cost_classes[i] != CLASS_OTHER; i++) {
		for (int number = 0; number < TOOL_COST_NUMBERS; number++) {
			tool_cost_key(other, via_driver_callback, tool_cost_classes[i],
				      (enum tool_cost_number)number);
			if (strcmp(key, other) == 0)
				return true;
		}
	}
	return false;
}

bool tool_cost_is_key(const char *key)
{
	return is_key_of_path(key, false) || is_key_of_path(key, true) ||
	       strcmp(key, TOOL_KERNEL_GAP_KEY) == 0 || strcmp(key, TOOL_COPY_GAP_KEY) == 0;
}

enum { MOST_TIMES = 4096 };

/* Indexes in trace.calls of launches that loaded their kernel, which made them slow. */
static void find_loading(const struct trace *trace, struct map *loading)
{
	uint32_t *calls = trace_loading_calls(trace);

	for (size_t i = 0; i < trace->overhead_count; i++)
		if (trace->overheads[i].is_loading && calls[i] != TRACE_NO_CALL)
			map_set(loading, calls[i], i);
	free(calls);
}

double tool_cost_typical_ns(const struct trace *trace, bool via_driver_callback,
			    enum function_class class)
{
	int64_t times_ns[MOST_TIMES];
	size_t stride = 1, seen = 0, count = 0;
	struct map loading = {0};

	if (class == CLASS_LAUNCH)
		find_loading(trace, &loading);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (call->form->function->class != class ||
		    call->form->via_driver_callback != via_driver_callback ||
		    (loading.count && map_find(&loading, i) != MAP_NONE) || seen++ % stride)
			continue;
		if (count == MOST_TIMES) {
			/* Every second of those so far, and from now on. */
			for (count = 0; 2 * count < MOST_TIMES; count++)
				times_ns[count] = times_ns[2 * count];
			stride *= 2;
			if ((seen - 1) % stride)
				continue;
		}
		times_ns[count++] = call->end_ns - call->start_ns;
	}
	map_free(&loading);
	if (count < MEAN_LEAST_CALLS)
		return 0;
	sort_ns(times_ns, count);
	return (double)times_ns[count / 4];
}

/* 0 to TOOL_COST_MOST_NS; false: it is not there, or is no such number. */
static bool read_number(const struct trace *trace, const char *key, double *value)
{
	const char *text = trace_metadata(trace, key);
	char *end;

	if (!text || !*text)
		return false;
	*value = strtod(text, &end);
	return !*end && *value >= 0 && *value <= TOOL_COST_MOST_NS;
}

/* Means measured by libstrace.so, for a class; class CLASS_COUNT: all classes. */
struct measured {
	double calls, outside_ns, inside_ns;
};

static void add_sums(struct measured *measured, const struct trace_tool_cost *row)
{
	measured->calls += (double)row->calls;
	measured->outside_ns += (double)row->outside_ns;
	measured->inside_ns += (double)row->inside_ns;
}

static double mean_ns(double sum, double calls)
{
	double value = calls > 0 ? sum / calls : 0;

	return value < TOOL_COST_MOST_NS ? value : TOOL_COST_MOST_NS;
}

static struct measured means_of(const struct measured *sums)
{
	return (struct measured){.calls = sums->calls,
				 .outside_ns = mean_ns(sums->outside_ns, sums->calls),
				 .inside_ns = mean_ns(sums->inside_ns, sums->calls)};
}

/* What is calibrated of a class on a path. */
struct calibrated {
	bool is_known;
	double numbers[TOOL_COST_NUMBERS];
};

/* Where only the driver's calls were calibrated, the runtime's count as they do. */
static struct calibrated calibrated_of(const struct trace *trace, bool via_driver_callback,
				       enum function_class class)
{
	struct calibrated calibrated = {.is_known = class != CLASS_OTHER};
	char key[TOOL_COST_KEY_BYTES];

	for (int i = 0; calibrated.is_known && i < TOOL_COST_NUMBERS; i++) {
		tool_cost_key(key, via_driver_callback, class, (enum tool_cost_number)i);
		calibrated.is_known = read_number(trace, key, &calibrated.numbers[i]);
	}
	return calibrated.is_known || via_driver_callback || class == CLASS_OTHER
		       ? calibrated
		       : calibrated_of(trace, true, class);
}

/* Taken from the class that shows it best, because its calls do not wait. Without any: 1. */
static double pace_of(const struct trace *trace, bool via_driver_callback)
{
	static const enum function_class best[] = {CLASS_LAUNCH, CLASS_EVENT_RECORD,
						   CLASS_STREAM_QUERY, CLASS_COPY};

	for (size_t i = 0; i < sizeof(best) / sizeof(*best); i++) {
		struct calibrated calibrated = calibrated_of(trace, via_driver_callback, best[i]);
		double time_ns = tool_cost_typical_ns(trace, via_driver_callback, best[i]);
		double pace;

		if (!calibrated.is_known || !(time_ns > 0) ||
		    !(calibrated.numbers[TOOL_CALL_WARM] > 0))
			continue;
		pace = time_ns / calibrated.numbers[TOOL_CALL_WARM];
		return pace < TOOL_PACE_LEAST  ? TOOL_PACE_LEAST
		       : pace > TOOL_PACE_MOST ? TOOL_PACE_MOST
					       : pace;
	}
	return 1;
}

/* CUPTI's part of a call. */
struct cupti_cost {
	double ns, doubt_ns; /* ns: -1: it is not known */
};

/* Interpolates between warm and cold as the calls' times do; outside of them, proportional to
 * these. What slows calls need not slow CUPTI: half of the difference counts as uncertain. */
static struct cupti_cost cupti_of(const struct calibrated *calibrated, double pace)
{
	const double *numbers = calibrated->numbers;
	double warm_ns = numbers[TOOL_CUPTI_WARM], cold_ns = numbers[TOOL_CUPTI_COLD];
	double cold_pace = numbers[TOOL_CALL_COLD] / numbers[TOOL_CALL_WARM], cost_ns;

	if (!calibrated->is_known)
		return (struct cupti_cost){.ns = -1};
	if (pace <= 1 || !(cold_pace > 1) || cold_ns <= warm_ns)
		cost_ns = warm_ns * pace;
	else if (pace >= cold_pace)
		cost_ns = cold_ns * pace / cold_pace;
	else
		cost_ns = warm_ns + (cold_ns - warm_ns) * (pace - 1) / (cold_pace - 1);
	return (struct cupti_cost){cost_ns,
				   TOOL_COST_DOUBT * cost_ns + fabs(cold_ns - warm_ns) / 2};
}

/* The calibrated class whose calls CUPTI treats as this one's; CLASS_OTHER: none. */
static enum function_class like_of(enum function_class class)
{
	switch (class) {
	case CLASS_LAUNCH:
	case CLASS_GRAPH_LAUNCH:
	case CLASS_HOST_FUNCTION:
		return CLASS_LAUNCH;
	case CLASS_COPY:
	case CLASS_SET:
		return CLASS_COPY;
	case CLASS_EVENT_RECORD:
	case CLASS_STREAM_WAIT_EVENT:
		return CLASS_EVENT_RECORD;
	case CLASS_STREAM_SYNC:
	case CLASS_EVENT_SYNC:
	case CLASS_DEVICE_SYNC:
		return CLASS_STREAM_SYNC;
	case CLASS_STREAM_QUERY:
	case CLASS_EVENT_QUERY:
		return CLASS_STREAM_QUERY;
	default:
		return CLASS_OTHER;
	}
}

/* What a launch would take in a run that only launches graphs; 0: these do not tell. */
static double launch_of_graphs_ns(const struct trace *trace)
{
	struct graph_launches launches = graph_launches_of(trace);
	double launch_ns = launches.is_paced ? LAUNCH_OF_GRAPH_NODE * launches.node_ns : 0;

	graph_launches_free(&launches);
	return launch_ns;
}

/* A launch of the run, or what one would take. */
static double usual_launch_ns(const struct trace *trace, bool via_driver_callback)
{
	double launch_ns = tool_cost_typical_ns(trace, via_driver_callback, CLASS_LAUNCH);

	if (!(launch_ns > 0))
		launch_ns = tool_cost_typical_ns(trace, !via_driver_callback, CLASS_LAUNCH);
	return launch_ns > 0 ? launch_ns : launch_of_graphs_ns(trace);
}

/* Where CUPTI was not calibrated, by the launches of the run, or else by the nodes of its graphs: of
 * other calls the times are also those of waits and of staging. From the machine with the least to that
 * with the most CUPTI's part is half of what it is in the median, to twice that: half counts as
 * uncertain. */
static struct cupti_cost usual_of(double launch_ns, enum function_class class)
{
	double cost_ns = CUPTI_SHARE_OF_LAUNCH * launch_ns;

	if (class == CLASS_COPY)
		cost_ns *= CUPTI_COPY_OF_LAUNCH;
	else if (class != CLASS_LAUNCH)
		cost_ns *= CUPTI_OTHER_OF_LAUNCH;
	return (struct cupti_cost){cost_ns, cost_ns / 2};
}

/* Whether CUPTI recorded the calls. */
static bool has_cupti(const struct trace *trace)
{
	const char *state = trace_metadata(trace, "cupti");

	return state && strcmp(state, "on") == 0;
}

/* CUPTI's part of each class on a path. */
static void add_cupti(struct tool_costs *costs, const struct trace *trace, bool via_driver_callback)
{
	struct tool_cost *path = costs->costs[via_driver_callback];
	double pace = pace_of(trace, via_driver_callback);
	struct cupti_cost cupti[CLASS_COUNT], least = {.ns = -1};

	for (int i = 0; i < CLASS_COUNT; i++) {
		struct calibrated calibrated =
			calibrated_of(trace, via_driver_callback, like_of((enum function_class)i));

		cupti[i] = cupti_of(&calibrated, pace);
		if (cupti[i].ns >= 0 && (least.ns < 0 || cupti[i].ns < least.ns))
			least = cupti[i];
	}
	costs->has_cupti |= least.ns >= 0;
	if (least.ns < 0 && has_cupti(trace)) {
		double launch_ns = usual_launch_ns(trace, via_driver_callback);

		for (int i = 0; i < CLASS_COUNT; i++)
			cupti[i] = usual_of(launch_ns, like_of((enum function_class)i));
	}
	for (int i = 0; i < CLASS_COUNT; i++) {
		const struct cupti_cost *cost = cupti[i].ns >= 0 ? &cupti[i] : &least;

		if (cost->ns < 0)
			return;
		path[i].inside_ns += cost->ns;
		path[i].doubt_ns += cost->doubt_ns;
	}
}

/* A class without samples costs like the path's others; a path without samples, nothing. Within a
 * class costs vary as widely as they are large. */
static void add_path(struct tool_costs *costs, const struct trace *trace, bool via_driver_callback)
{
	struct measured sums[CLASS_COUNT + 1] = {0};
	struct tool_cost *path = costs->costs[via_driver_callback];

	for (size_t i = 0; i < trace->tool_cost_count; i++) {
		const struct trace_tool_cost *row = &trace->tool_costs[i];

		if (row->via_driver_callback != via_driver_callback)
			continue;
		add_sums(&sums[row->class], row);
		add_sums(&sums[CLASS_COUNT], row);
	}
	if (!(sums[CLASS_COUNT].calls > 0))
		return;
	costs->is_known = true;
	for (int i = 0; i < CLASS_COUNT; i++) {
		sums[i] = means_of(&sums[sums[i].calls > 0 ? i : CLASS_COUNT]);
		path[i] =
			(struct tool_cost){.outside_ns = sums[i].outside_ns,
					   .inside_ns = sums[i].inside_ns,
					   .doubt_ns = (sums[i].outside_ns + sums[i].inside_ns) *
						       (TOOL_COST_DOUBT + 1 / sqrt(sums[i].calls))};
	}
	add_cupti(costs, trace, via_driver_callback);
}

struct tool_costs tool_costs_of(const struct trace *trace)
{
	struct tool_costs costs = {0};

	add_path(&costs, trace, false);
	add_path(&costs, trace, true);
	if (!costs.is_known || !read_number(trace, TOOL_KERNEL_GAP_KEY, &costs.kernel_gap_ns))
		costs.kernel_gap_ns = 0;
	if (!costs.is_known || !read_number(trace, TOOL_COPY_GAP_KEY, &costs.copy_gap_ns))
		costs.copy_gap_ns = 0;
	return costs;
}

struct tool_cost tool_cost_of_call(const struct tool_costs *costs, const struct trace_call *call)
{
	return costs->costs[call->form->via_driver_callback][call->form->function->class];
}
