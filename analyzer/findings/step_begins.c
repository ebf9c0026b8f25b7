#include "findings/step_begins.h"

#include "base/median.h"
#include "base/minmax.h"
#include "base/mix.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "findings/pattern.h"
#include "findings/step_period.h"
#include "trace/thread_calls.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* How often that comes which a user named. */
enum { WANTED_LEAST = 2 };

/* Ranges of one thread whose names differ in numbers only. */
struct group {
	const struct trace_range *first, *last;
	size_t count;
	int64_t total_ns;
	bool has_equal, has_next,
		has_less; /* names: equal to the one before, of a higher number, of a lower one */
};

struct grouping {
	struct map by_key;
	VECTOR(struct group) groups;
};

/* A hash of the name without its numbers, the domain and the thread. */
static uint64_t key_of(const struct trace_range *range)
{
	uint64_t hash = mix(range->thread_id, range->is_pushed);

	for (const char *text = range->domain ? range->domain : ""; *text; text++)
		hash = mix(hash, (unsigned char)*text);
	hash = mix(hash, 0);
	for (const char *text = range->name; *text; text++)
		if (!isdigit((unsigned char)*text))
			hash = mix(hash, (unsigned char)*text);
		else if (!isdigit((unsigned char)text[1]))
			hash = mix(hash, '0');
	return hash;
}

/* Whether the range begins a step if its group does: not inside of another one of the group. */
static bool is_next(const struct group *group, const struct trace_range *range)
{
	return range->start_ns >= group->last->end_ns;
}

static void add_range(struct grouping *grouping, const struct trace_range *range)
{
	size_t at = map_find(&grouping->by_key, key_of(range));
	struct group *group;
	int order;

	if (at == MAP_NONE) {
		map_set(&grouping->by_key, key_of(range), grouping->groups.count);
		*vector_add(&grouping->groups) = (struct group){
			range, range, 1, range->end_ns - range->start_ns, false, false, false};
		return;
	}
	assert(grouping->groups.items); /* it has that number */
	group = &grouping->groups.items[at];
	if (!is_next(group, range))
		return;
	order = strverscmp(group->last->name, range->name);
	group->has_equal |= !order;
	group->has_next |= order < 0;
	group->has_less |= order > 0;
	group->count++;
	group->total_ns += range->end_ns - range->start_ns;
	group->last = range;
}

/* "layer 0", "layer 1", "layer 0" are no steps. */
static bool is_of_steps(const struct group *group)
{
	int64_t span_ns = group->last->end_ns - group->first->start_ns;

	return group->count >= STEPS_NAMED_LEAST && !group->has_less &&
	       !(group->has_equal && group->has_next) &&
	       (double)group->total_ns >= STEPS_COVER * (double)span_ns;
}

static bool is_named_so(const struct group *group)
{
	static const char *const patterns[] = {
#define STEP_NAME(name) "*" name "*",
#include "facts/step_names.def"
#undef STEP_NAME
	};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (pattern_is_like(group->first->name, patterns[i]))
			return true;
	return false;
}

static bool is_better(const struct group *group, const struct group *best)
{
	if (is_named_so(group) != is_named_so(best))
		return is_named_so(group);
	return group->total_ns > best->total_ns;
}

/* "step #"; malloc'ed. */
static char *name_of(const struct group *group)
{
	char *name = memory_format("%s", group->first->name), *end = name;

	for (const char *from = name; group->has_next && *from; from++)
		if (!isdigit((unsigned char)*from))
			*end++ = *from;
		else if (!isdigit((unsigned char)from[1]))
			*end++ = '#';
	if (group->has_next)
		*end = '\0';
	return name;
}

static void take_group(const struct trace *trace, const struct group *group,
		       struct step_begins *begins)
{
	struct group so_far = {.last = group->first};

	begins->range = name_of(group);
	begins->have_ends = true;
	begins->begin_ns = memory_array(group->count, sizeof(*begins->begin_ns));
	begins->end_ns = group->last->end_ns;
	begins->begin_ns[begins->count++] = group->first->start_ns;
	for (const struct trace_range *range = group->first + 1;
	     range < trace->ranges + trace->range_count && begins->count < group->count; range++)
		if (range->name && key_of(range) == key_of(group->first) &&
		    is_next(&so_far, range)) {
			begins->begin_ns[begins->count++] = range->start_ns;
			so_far.last = range;
		}
}

/* pattern: NULL: what looks like steps. */
static bool find_ranges(const struct trace *trace, const char *pattern, struct step_begins *begins)
{
	struct grouping grouping = {0};
	const struct group *best = NULL;

	for (size_t i = 0; i < trace->range_count; i++)
		if (trace->ranges[i].name &&
		    (!pattern || pattern_is_range(&trace->ranges[i], pattern)))
			add_range(&grouping, &trace->ranges[i]);
	for (size_t i = 0; i < grouping.groups.count; i++) {
		const struct group *group = &grouping.groups.items[i];

		if ((pattern ? group->count >= WANTED_LEAST : is_of_steps(group)) &&
		    (!best || is_better(group, best)))
			best = group;
	}
	if (best)
		take_group(trace, best, begins);
	vector_free(&grouping.groups);
	map_free(&grouping.by_key);
	return begins->count > 0;
}

/* The first call of the step's thread in the step; NULL: none. */
static const struct trace_call *first_call_of(const struct trace *trace,
					      const struct trace_step *step)
{
	const struct trace_call *call = thread_calls_next(trace, step->thread_id, step->start_ns);

	return call && call->start_ns < step->end_ns ? call : NULL;
}

static bool find_watched(const struct trace *trace, struct step_begins *begins)
{
	const int64_t from_ns = trace->incident_count ? trace->incidents[0].device_start_ns : -1;
	VECTOR(int64_t) times = {0};

	for (size_t i = 0; from_ns >= 0 && i < trace->step_count; i++) {
		const struct trace_step *step = &trace->steps[i];

		if (step->start_ns < from_ns || step->end_ns <= step->start_ns)
			continue;
		/* Steps are missing between. */
		if (times.count && step->start_ns != begins->end_ns)
			times.count = 0;
		if (!times.count || !begins->call)
			begins->call = first_call_of(trace, step);
		*vector_add(&times) = step->start_ns;
		begins->end_ns = step->end_ns;
	}
	if (times.count < WANTED_LEAST || !begins->call) {
		vector_free(&times);
		*begins = (struct step_begins){0};
		return false;
	}
	begins->have_ends = true;
	vector_move(&times, begins->begin_ns, begins->count);
	return true;
}

/* The calls of the line of the first that is like the pattern, of the same function. */
static bool find_site(const struct trace *trace, const char *pattern, struct step_begins *begins)
{
	VECTOR(int64_t) times = {0};
	struct map known = {0}; /* of a call's form: whether it begins steps */
	struct site first = {0};

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		uint64_t key = (uint64_t)(uintptr_t)call->form;
		size_t is_begin = map_find(&known, key);

		if (is_begin == MAP_NONE) {
			struct site site =
				site_describe(trace, call->form->site,
					      call->operation ? call->operation->form->name : NULL);

			is_begin = begins->call
					   ? call->form->function == begins->call->form->function &&
						     !site_compare(&site, &first)
					   : pattern_is_site(&site, pattern);
			if (is_begin && !begins->call) {
				begins->call = call;
				first = site;
			}
			map_set(&known, key, is_begin);
		}
		if (is_begin)
			*vector_add(&times) = call->start_ns;
	}
	map_free(&known);
	if (times.count < WANTED_LEAST) {
		vector_free(&times);
		return false;
	}
	vector_move(&times, begins->begin_ns, begins->count);
	begins->end_ns = begins->begin_ns[begins->count - 1];
	return true;
}

/* What enqueues the same kind of work. Sizes may differ, and streams take turns. */
static uint64_t symbol_of(const struct trace_call *call)
{
	const struct trace_operation_form *form = call->operation->form;
	uint64_t hash = mix(form->kind, form->engine);

	hash = mix(hash, (uint64_t)(uintptr_t)form->name);
	return mix(hash, (uint64_t)(uintptr_t)call->form->function);
}

/* The thread that enqueues most. */
static uint32_t find_thread(const struct trace *trace)
{
	struct map places = {0};
	VECTOR(size_t) counts = {0};
	uint32_t busiest = 0;
	size_t most = 0;

	for (size_t i = 0; i < trace->call_count; i++) {
		uint32_t thread_id = trace->calls[i].form->thread_id;
		size_t place = map_find(&places, thread_id);

		if (!trace->calls[i].operation)
			continue;
		if (place == MAP_NONE) {
			place = counts.count;
			map_set(&places, thread_id, place);
			*vector_add(&counts) = 0;
		}
		assert(counts.items); /* it has that number */
		if (++counts.items[place] > most) {
			most = counts.items[place];
			busiest = thread_id;
		}
	}
	vector_free(&counts);
	map_free(&places);
	return busiest;
}

static bool find_period(const struct trace *trace, struct step_begins *begins)
{
	const uint32_t thread_id = find_thread(trace);
	VECTOR(uint32_t) symbols = {0};
	VECTOR(int64_t) start_ns = {0};
	VECTOR(uint32_t) calls = {0}; /* indexes */
	struct map numbers = {0};
	struct step_period period = {0};
	uint64_t symbol;
	size_t number;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (!call->operation || call->form->thread_id != thread_id)
			continue;
		symbol = symbol_of(call);
		number = map_find(&numbers, symbol);
		if (number == MAP_NONE) {
			number = numbers.count;
			map_add(&numbers, symbol, number);
		}
		*vector_add(&symbols) = (uint32_t)number;
		*vector_add(&start_ns) = call->start_ns;
		*vector_add(&calls) = (uint32_t)i;
	}
	if (calls.count && step_period_find(symbols.items, start_ns.items, calls.count,
					    (uint32_t)numbers.count, &period)) {
		begins->call = &trace->calls[calls.items[period.begins[0]]];
		begins->begin_ns = memory_array(period.count, sizeof(*begins->begin_ns));
		for (; begins->count < period.count; begins->count++)
			begins->begin_ns[begins->count] =
				start_ns.items[period.begins[begins->count]];
		begins->end_ns = begins->begin_ns[begins->count - 1];
		free(period.begins);
	}
	map_free(&numbers);
	vector_free(&calls);
	vector_free(&start_ns);
	vector_free(&symbols);
	return begins->count > 0;
}

/* The median of the steps but the last. */
static int64_t usual_length_ns(const struct trace *trace, const struct step_begins *begins)
{
	size_t count = begins->count - 1;
	int64_t *lengths_ns = memory_array(count, sizeof(*lengths_ns)), median;

	for (size_t i = 0; i < count; i++)
		lengths_ns[i] =
			trace_recorded_between(trace, begins->work_ns[i], begins->work_ns[i + 1]);
	median = median_ns(lengths_ns, count);
	free(lengths_ns);
	return median;
}

/* A step that enqueued nothing has the time of the next one that did. */
static void order_work(struct step_begins *begins, int64_t last_ns)
{
	for (size_t i = begins->count; i-- > 0; last_ns = begins->work_ns[i])
		begins->work_ns[i] = min_ns(begins->work_ns[i], last_ns);
}

/* Whether so many steps have begun at the time. */
static bool has_begun(const struct step_begins *begins, size_t count, int64_t time_ns)
{
	return (!count || begins->begin_ns[count - 1] <= time_ns) &&
	       (count == begins->count || begins->begin_ns[count] > time_ns);
}

/* When each step's work began, and the last one's ended. What follows a range is of no step; without ranges the last step
 * is no longer than the usual one. */
static void find_work(const struct trace *trace, struct step_begins *begins)
{
	int64_t last_ns = begins->end_ns;
	size_t begun =
		0; /* steps before the operation's call; from one to the next it is mostly the same */

	begins->work_ns = memory_array(begins->count, sizeof(*begins->work_ns));
	for (size_t i = 0; i < begins->count; i++)
		begins->work_ns[i] = INT64_MAX;
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		if (!operation->call)
			continue;
		if (!has_begun(begins, begun, operation->call->start_ns))
			begun = search(begins->count, k,
				       begins->begin_ns[k] <= operation->call->start_ns);
		if (!begun || (begins->have_ends && operation->call->start_ns >= begins->end_ns))
			continue;
		begins->work_ns[begun - 1] =
			min_ns(begins->work_ns[begun - 1], operation->start_ns);
		if (begun == begins->count)
			last_ns = max_ns(last_ns, operation->end_ns);
	}
	order_work(begins, last_ns);
	if (!begins->have_ends)
		last_ns = min_ns(last_ns, begins->work_ns[begins->count - 1] +
						  usual_length_ns(trace, begins));
	begins->end_ns = max_ns(begins->end_ns, last_ns);
}

bool step_begins_find(const struct trace *trace, const char *wanted, struct step_begins *begins)
{
	char *pattern = pattern_of_part(wanted);
	bool is_found;

	*begins = (struct step_begins){0};
	is_found = (!pattern && find_watched(trace, begins)) ||
		   find_ranges(trace, pattern, begins) ||
		   (pattern ? find_site(trace, pattern, begins) : find_period(trace, begins));
	free(pattern);
	if (is_found)
		find_work(trace, begins);
	return is_found;
}

void step_begins_free(struct step_begins *begins)
{
	free(begins->range);
	free(begins->work_ns);
	free(begins->begin_ns);
}
