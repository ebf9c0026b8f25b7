#include "render/html_places.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "detectors/detector.h"
#include "findings/whatif_run.h"
#include "races/race_words.h"
#include "render/json_parts.h"
#include "render/render.h"
#include "replay/observed/evidence.h"

#include <stdlib.h>

/* Of an event that is no event of the lane. */
#define NO_THING UINT32_MAX

/* So many can be looked at one after the other. */
#define MOST_PLACES 50

/* An event of the measured run: [lane, start, end, thing, id], or null for NULL. */
static json_t *event_at(const struct html_page *page, size_t lane, struct span span, uint32_t thing,
			ptrdiff_t id)
{
	int64_t origin_ns = page->analysis->headline.origin_ns;

	return json_pack("[I, I, I, I, I]", (json_int_t)lane,
			 (json_int_t)(span.start_ns - origin_ns),
			 (json_int_t)(span.end_ns - origin_ns), (json_int_t)thing, (json_int_t)id);
}

static json_t *operation_at(struct html_page *page, const struct trace_operation *operation)
{
	const struct trace *trace = page->trace;

	if (!operation)
		return json_null();
	return event_at(page, page->stream_lanes[operation->form->stream - trace->streams],
			(struct span){operation->start_ns, operation->end_ns},
			html_operation_thing(&page->things, operation),
			operation - trace->operations);
}

static json_t *call_at(struct html_page *page, const struct trace_call *call)
{
	if (!call)
		return json_null();
	return event_at(page, map_find(&page->thread_lanes, call->form->thread_id),
			(struct span){call->start_ns, call->end_ns},
			html_call_thing(&page->things, call), call - page->trace->calls);
}

static json_t *function_at(struct html_page *page, const struct trace_host_function *function)
{
	if (!function)
		return json_null();
	return event_at(page, page->function_lane,
			(struct span){function->start_ns, function->end_ns},
			html_function_thing(&page->things, function),
			function - page->trace->host_functions);
}

static int64_t length_of(const struct instance *instance)
{
	return instance->span.end_ns - instance->span.start_ns;
}

static int compare_lengths(const void *a, const void *b)
{
	const struct instance *const *x = a, *const *y = b;

	if (length_of(*x) != length_of(*y))
		return length_of(*x) < length_of(*y) ? 1 : -1;
	return (*x > *y) - (*x < *y);
}

/* Whether it is the call that waited: the time was lost inside of it. */
static bool is_call_waiting(const struct instance *instance)
{
	const struct trace_call *call = instance->call;

	if (!call || !instance->operation)
		return call;
	return instance->is_later ||
	       (call->start_ns <= instance->span.start_ns && instance->span.end_ns <= call->end_ns);
}

/* The instance's time in the trace: of one that was found later, its span is of a replay. */
static struct span span_in_trace(const struct instance *instance)
{
	if (!instance->is_later)
		return instance->span;
	if (instance->call)
		return (struct span){instance->call->start_ns, instance->call->end_ns};
	if (instance->operation)
		return (struct span){instance->operation->start_ns, instance->operation->end_ns};
	return instance->span;
}

/* What the call waited longest for: its own copy, or what came before that. */
static const struct trace_operation *longest_wait(const struct analysis *analysis,
						  const struct instance *instance)
{
	struct call_evidence evidence = evidence_of(analysis->observed.evidence, instance->call);
	const struct evidence_split *split = &evidence.split;

	if (instance->call->operation &&
	    split->copy_ns > split->stream_ns + split->other_streams_ns + split->function_ns)
		return instance->call->operation;
	return instance->cause ? instance->cause : evidence.cause;
}

/* What the waiter waited for, as an event. */
static json_t *waited_at(struct html_page *page, const struct instance *instance, bool is_call)
{
	if (instance->host_function)
		return function_at(page, instance->host_function);
	return operation_at(page,
			    is_call ? longest_wait(page->analysis, instance) : instance->cause);
}

static json_t *place_object(struct html_page *page, const struct finding *finding,
			    const struct instance *instance)
{
	const struct analysis *analysis = page->analysis;
	bool is_call = is_call_waiting(instance);
	struct span span = span_in_trace(instance);
	char text[512], *range = NULL, *full = NULL;
	json_t *place;

	if (!instance->is_later) {
		finding->detector->describe(&analysis->observed, instance, text, sizeof(text));
		range = render_range(trace_range_of(page->trace, instance_call(instance)));
		full = range ? memory_format("%s, in NVTX range %s", text, range)
			     : memory_format("%s", text);
	}
	place = json_pack("{s:I, s:I, s:o, s:o, s:o}", "start_ns",
			  (json_int_t)(span.start_ns - analysis->headline.origin_ns), "end_ns",
			  (json_int_t)(span.end_ns - analysis->headline.origin_ns), "text",
			  text_or_null(full), "waiter",
			  is_call ? call_at(page, instance->call)
				  : operation_at(page, instance->operation),
			  "waited", waited_at(page, instance, is_call));
	free(full);
	free(range);
	return place;
}

/* The instances, the longest first; freed with free(). */
static const struct instance **sort_instances(const struct finding *finding)
{
	size_t count = finding->instance_count;
	const struct instance **longest = memory_array(count, sizeof(*longest));

	for (size_t i = 0; i < count; i++)
		longest[i] = &finding->instances[i];
	if (count)
		qsort(longest, count, sizeof(*longest), compare_lengths);
	return longest;
}

json_t *html_places(struct html_page *page, const struct finding *finding)
{
	const struct instance **longest = sort_instances(finding);
	json_t *places = json_array();

	for (size_t i = 0; i < finding->instance_count && i < MOST_PLACES; i++)
		json_array_append_new(places, place_object(page, finding, longest[i]));
	free(longest);
	return places;
}

/* A moment in the thread's lane, or null where it has none. */
static json_t *touch_at(const struct html_page *page, const struct trace_copy_watch *touch)
{
	const size_t lane = map_find(&page->thread_lanes, touch->thread_id);

	return lane == MAP_NONE ? json_null()
				: event_at(page, lane, (struct span){touch->end_ns, touch->end_ns},
					   NO_THING, -1);
}

static json_t *second_at(struct html_page *page, const struct race *race)
{
	if (race->touch)
		return touch_at(page, race->touch);
	return race->release ? call_at(page, race->release) : operation_at(page, race->second);
}

static json_t *race_object(struct html_page *page, const struct race *race)
{
	const int64_t end_ns = race->first->end_ns, second_ns = end_ns + race->margin_ns;
	const int64_t origin_ns = page->analysis->headline.origin_ns;
	char *text = race_sentence(page->trace, race);
	struct format margin;
	char *flag = memory_format("%s %s", format_time(&margin, llabs(race->margin_ns)),
				   race->margin_ns < 0 ? "too early" : "apart");
	json_t *place = json_pack("{s:I, s:I, s:s, s:s, s:o, s:o}", "start_ns",
				  (json_int_t)(min_ns(end_ns, second_ns) - origin_ns), "end_ns",
				  (json_int_t)(max_ns(end_ns, second_ns) - origin_ns), "text", text,
				  "flag", flag, "waiter", second_at(page, race), "waited",
				  operation_at(page, race->first));

	free(flag);
	free(text);
	return place;
}

json_t *html_races(struct html_page *page, bool all)
{
	const struct races *races = &page->analysis->races;
	json_t *places = json_array();

	for (size_t i = 0; i < races_shown(races, all); i++)
		json_array_append_new(places, race_object(page, &races->items[i]));
	return places;
}

/* A replay of more takes most of a second. */
#define MOST_REPLAYED 1000000u

/* What it saves to fix the first `count` of the longest, by one replay. */
static int64_t saving_of(const struct html_page *page, const struct finding *finding,
			 const struct instance *const *longest, size_t count)
{
	struct finding some = *finding;
	const struct finding *only = &some;
	int64_t saved_ns;

	some.instances = memory_array(count, sizeof(*some.instances));
	some.instance_count = count;
	for (size_t i = 0; i < count; i++)
		some.instances[i] = *longest[i];
	qsort(some.instances, count, sizeof(*some.instances), instance_compare_starts);
	saved_ns = whatif_estimate(page->analysis, &only, 1, NULL);
	free(some.instances);
	return saved_ns;
}

json_t *html_curve(const struct html_page *page, const struct finding *finding)
{
	size_t count = finding->instance_count;
	const struct instance **longest;
	int64_t saved_ns = 0, all_ns;
	json_t *curve;

	/* What a later pass found saves nothing alone. */
	if (!page->analysis->check.has_estimates || finding->is_folded || finding->pass > 1 ||
	    !finding->detector->apply || count < 2 ||
	    page->trace->operation_count + page->trace->call_count > MOST_REPLAYED)
		return json_null();
	longest = sort_instances(finding);
	curve = json_array();
	all_ns = finding->lost.estimate_ns;
	for (size_t parts = 8, before = 0; parts > 1; parts /= 2) {
		size_t some = (count + parts / 2) / parts;

		if (some == before || some == count || !some)
			continue;
		before = some;
		/* The next wait may go on where one ended: then fewer are as good. */
		saved_ns =
			min_ns(max_ns(saved_ns, saving_of(page, finding, longest, some)), all_ns);
		json_array_append_new(curve,
				      json_pack("[I, I]", (json_int_t)some, (json_int_t)saved_ns));
	}
	json_array_append_new(curve, json_pack("[I, I]", (json_int_t)count, (json_int_t)all_ns));
	free(longest);
	return curve;
}
