#include "model/tool_cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file is not trusted: no call costs more than this. */
#define MOST_NS 50000.0

/* Samples, and loops that are not the program, are off by some of what they say. */
#define DOUBT 0.15

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

void tool_cost_key(char key[TOOL_COST_KEY_BYTES], enum function_class class,
		   enum tool_cost_number number)
{
	static const char *const names[TOOL_COST_NUMBERS] = {
		[TOOL_CUPTI_WARM] = "cupti_%s_warm_ns",
		[TOOL_CUPTI_COLD] = "cupti_%s_cold_ns",
		[TOOL_ENTRY_WARM] = "entry_%s_warm_ns",
		[TOOL_ENTRY_COLD] = "entry_%s_cold_ns",
	};

	snprintf(key, TOOL_COST_KEY_BYTES, names[number], tool_cost_word(class));
}

bool tool_cost_is_key(const char *key)
{
	char other[TOOL_COST_KEY_BYTES];

	for (int i = 0; tool_cost_classes[i] != CLASS_OTHER; i++) {
		for (int number = 0; number < TOOL_COST_NUMBERS; number++) {
			tool_cost_key(other, tool_cost_classes[i], (enum tool_cost_number)number);
			if (strcmp(key, other) == 0)
				return true;
		}
	}
	return strcmp(key, TOOL_KERNEL_GAP_KEY) == 0;
}

/* 0 to MOST_NS; false: it is not there, or is no such number. */
static bool read_number(const struct trace *trace, const char *key, double *value)
{
	const char *text = trace_metadata(trace, key);
	char *end;

	if (!text || !*text)
		return false;
	*value = strtod(text, &end);
	return !*end && *value >= 0 && *value <= MOST_NS;
}

/* What libstrace.so measured of the class, means; the class CLASS_COUNT: of all classes. */
struct measured {
	double calls, outside_ns, inside_ns, entry_ns;
};

static void add_sums(struct measured *measured, const struct trace_tool_cost *row)
{
	measured->calls += (double)row->calls;
	measured->outside_ns += (double)row->outside_ns;
	measured->inside_ns += (double)row->inside_ns;
	measured->entry_ns += (double)row->entry_ns;
}

static double mean(double sum, double calls)
{
	double value = calls > 0 ? sum / calls : 0;

	return value < MOST_NS ? value : MOST_NS;
}

static struct measured means_of(const struct measured *sums)
{
	return (struct measured){.calls = sums->calls,
				 .outside_ns = mean(sums->outside_ns, sums->calls),
				 .inside_ns = mean(sums->inside_ns, sums->calls),
				 .entry_ns = mean(sums->entry_ns, sums->calls)};
}

/* CUPTI's part of a call. */
struct cupti_cost {
	double ns, doubt_ns; /* ns: -1: it is not known */
};

/* That of a calibrated class in a run where the entry takes so long. What the caches were like is a
 * guess: it may be half as far from warm to cold as they are from each other. */
static struct cupti_cost cupti_of(const struct trace *trace, enum function_class class,
				  double entry_ns)
{
	double numbers[TOOL_COST_NUMBERS], entries_ns, range_ns, share;
	char key[TOOL_COST_KEY_BYTES];

	for (int i = 0; i < TOOL_COST_NUMBERS; i++) {
		tool_cost_key(key, class, (enum tool_cost_number)i);
		if (!read_number(trace, key, &numbers[i]))
			return (struct cupti_cost){.ns = -1};
	}
	entries_ns = numbers[TOOL_ENTRY_COLD] - numbers[TOOL_ENTRY_WARM];
	range_ns = numbers[TOOL_CUPTI_COLD] - numbers[TOOL_CUPTI_WARM];
	if (entries_ns <= 0 || range_ns <= 0)
		return (struct cupti_cost){numbers[TOOL_CUPTI_WARM],
					   DOUBT * numbers[TOOL_CUPTI_WARM]};
	share = (entry_ns - numbers[TOOL_ENTRY_WARM]) / entries_ns;
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	return (struct cupti_cost){numbers[TOOL_CUPTI_WARM] + share * range_ns,
				   DOUBT * numbers[TOOL_CUPTI_WARM] + range_ns / 2};
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

/* CUPTI's part of each class, given the library's on one path. */
static void add_cupti(struct tool_costs *costs, const struct trace *trace,
		      const struct measured *measured, struct tool_cost *path)
{
	struct cupti_cost cupti[CLASS_COUNT], least = {.ns = -1};

	for (int i = 0; i < CLASS_COUNT; i++) {
		enum function_class like = like_of((enum function_class)i);

		cupti[i] = like != CLASS_OTHER ? cupti_of(trace, like, measured[i].entry_ns)
					       : (struct cupti_cost){.ns = -1};
		if (cupti[i].ns >= 0 && (least.ns < 0 || cupti[i].ns < least.ns))
			least = cupti[i];
	}
	if (least.ns < 0)
		return;
	costs->has_cupti = true;
	for (int i = 0; i < CLASS_COUNT; i++) {
		const struct cupti_cost *cost = cupti[i].ns >= 0 ? &cupti[i] : &least;

		path[i].inside_ns += cost->ns;
		path[i].doubt_ns += cost->doubt_ns;
	}
}

/* A class that has no samples costs as the others of its path do; a path without any, nothing. */
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
		path[i] = (struct tool_cost){.outside_ns = sums[i].outside_ns,
					     .inside_ns = sums[i].inside_ns,
					     .doubt_ns = DOUBT *
							 (sums[i].outside_ns + sums[i].inside_ns)};
	}
	add_cupti(costs, trace, sums, path);
}

struct tool_costs tool_costs_of(const struct trace *trace)
{
	struct tool_costs costs = {0};

	add_path(&costs, trace, false);
	add_path(&costs, trace, true);
	if (!costs.is_known || !read_number(trace, TOOL_KERNEL_GAP_KEY, &costs.kernel_gap_ns))
		costs.kernel_gap_ns = 0;
	return costs;
}

struct tool_cost tool_cost_of_call(const struct tool_costs *costs, const struct trace_call *call)
{
	return costs->costs[call->via_driver_callback][call->function->class];
}
