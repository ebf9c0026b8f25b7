#include "render/html_lanes.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "render/html_ranges.h"
#include "render/html_states.h"
#include "replay/observed/evidence.h"
#include "trace/texts.h"

#include <stdlib.h>

struct lane {
	lane_event_vector events;
	uint32_t number; /* the thread's id; a stream's index, behind the trace's of a new one */
	uint32_t device; /* of a stream, index in model.device_ids */
};

typedef VECTOR(struct lane) lane_vector;

/* A run while its lanes are filled. */
struct filling {
	struct html_page *page;
	const struct html_run *run; /* NULL: the measured one */
	int64_t replay_ns;	    /* when the replay begins, on the page */
	lane_vector streams, threads, functions;
	struct map stream_map, thread_map; /* until they are sorted */
	uint32_t new_count;		   /* streams that the fix adds, so far */
	int64_t end_ns;
	json_t *lanes;
};

static struct lane *find_lane(lane_vector *lanes, struct map *map, uint32_t number)
{
	size_t index = map_find(map, number);
	struct lane *lane;

	if (index != MAP_NONE)
		return &lanes->items[index];
	map_add(map, number, lanes->count);
	lane = vector_add(lanes);
	*lane = (struct lane){.number = number};
	return lane;
}

/* span: in this run; measured: in the measured one. */
static void put_event(struct filling *filling, struct lane *lane, struct lane_event event,
		      struct span span, struct span measured)
{
	int64_t page_ns = filling->page->analysis->headline.origin_ns;
	int64_t origin_ns = filling->run ? -filling->replay_ns : page_ns;

	event.base_start_ns = measured.start_ns - page_ns;
	event.base_end_ns = max_ns(measured.end_ns, measured.start_ns) - page_ns;
	event.start_ns = span.start_ns - origin_ns;
	event.end_ns = max_ns(span.end_ns, span.start_ns) - origin_ns;
	event.wait_ns = min_ns(max_ns(event.wait_ns, 0), event.end_ns - event.start_ns);
	filling->end_ns = max_ns(filling->end_ns, event.end_ns);
	if (!filling->run)
		html_count_thing(&filling->page->things, event.thing, event.start_ns, event.end_ns);
	*vector_add(&lane->events) = event;
}

static void put_operation(struct filling *filling, size_t model_index)
{
	struct html_page *page = filling->page;
	const struct model *model = page->analysis->observed.model;
	const struct trace *trace = page->trace;
	const struct trace_operation *operation = model->operations[model_index].operation;
	size_t index = (size_t)(operation - trace->operations);
	uint32_t stream = (uint32_t)(operation->form->stream - trace->streams);
	struct span measured = {operation->start_ns, operation->end_ns}, span = measured;
	bool is_moved = false;
	struct lane *lane;

	if (filling->run) {
		if (filling->run->edits->operations[index] & EDIT_DROP)
			return;
		span = filling->run->times->operations[index];
		is_moved = edits_stream_of(filling->run->edits, model, model_index) != stream;
		stream = edits_stream_of(filling->run->edits, model, model_index);
	}
	lane = find_lane(&filling->streams, &filling->stream_map, stream);
	lane->device = (uint32_t)model_device(model, operation->form->device_id);
	put_event(filling, lane,
		  (struct lane_event){.amount = operation->form->size_bytes,
				      .id = (int64_t)index,
				      .link = operation->call ? operation->call - trace->calls : -1,
				      .thing = html_operation_thing(&page->things, operation),
				      .place = is_moved ? 0 : page->operation_places[index],
				      .class = html_class_of(operation)},
		  span, measured);
}

/* Seen waiting; a time that nothing explains may be the host's own. */
static int64_t call_wait_ns(const struct call_evidence *evidence)
{
	return evidence_blocked_ns(&evidence->split) - evidence->split.unexplained_ns;
}

/* What it waited for; else what it enqueued. */
static int64_t call_link(const struct trace *trace, const struct trace_call *call,
			 const struct call_evidence *evidence)
{
	if (evidence->cause && call_wait_ns(evidence) > 0)
		return evidence->cause - trace->operations;
	return call->operation ? call->operation - trace->operations : -1;
}

static void put_call(struct filling *filling, size_t index)
{
	struct html_page *page = filling->page;
	const struct trace_call *call = &page->trace->calls[index];
	struct call_evidence evidence = evidence_of(page->analysis->observed.evidence, call);
	int64_t wait_ns = call_wait_ns(&evidence);
	struct span measured = {call->start_ns, call->end_ns}, span = measured;

	if (filling->run) {
		if (filling->run->edits->calls[index] & EDIT_GONE)
			return;
		span = filling->run->times->calls[index];
		wait_ns = filling->run->times->waited_ns[index];
	}
	put_event(filling,
		  find_lane(&filling->threads, &filling->thread_map, call->form->thread_id),
		  (struct lane_event){.wait_ns = wait_ns,
				      .id = (int64_t)index,
				      .link = call_link(page->trace, call, &evidence),
				      .thing = html_call_thing(&page->things, call),
				      .place = page->call_places[index],
				      .class = VIEWER_CALL},
		  span, measured);
}

static void put_function(struct filling *filling, size_t index)
{
	struct html_page *page = filling->page;
	const struct trace_host_function *function = &page->trace->host_functions[index];
	struct span measured = {function->start_ns, function->end_ns}, span = measured;

	if (filling->run) {
		/* A replay does not know the time of a host function whose stream is not known. */
		if (!function->stream || filling->run->edits->host_functions[index] & EDIT_NOT_RUN)
			return;
		span = filling->run->times->host_functions[index];
	}
	if (!filling->functions.count)
		*vector_add(&filling->functions) = (struct lane){.number = 0};
	put_event(filling, filling->functions.items,
		  (struct lane_event){.id = (int64_t)index,
				      .link = function->call ? function->call - page->trace->calls
							     : -1,
				      .thing = html_function_thing(&page->things, function),
				      .place = page->function_places[index],
				      .class = VIEWER_FUNCTION},
		  span, measured);
}

#define NO_BASE SIZE_MAX

/* Packs a lane and appends it. Takes over the name; the events are gone
 * afterwards. base: of a replayed run the number of the measured lane, or NO_BASE. places: gets the place of each
 * event of the measured run, by id. */
static void add_lane(struct filling *filling, const char *kind, const char *group, char *name,
		     lane_event_vector *events, size_t base, uint32_t *places)
{
	bool is_based = filling->run && base != NO_BASE;
	json_t *object =
		is_based ? json_pack("{s:I}", "base", (json_int_t)base)
			 : json_pack("{s:s, s:s, s:s}", "kind", kind, "group", group, "name", name);
	struct lane_packs packs = viewer_packs(filling->page->viewer);
	bool is_coarse = filling->run && filling->run->is_coarse;

	lane_pack(object, events, filling->end_ns, !is_coarse || events->count <= LANE_FEW_EVENTS,
		  &packs);
	for (size_t i = 0; !filling->run && i < events->count; i++)
		places[events->items[i].id] = i < UINT32_MAX ? (uint32_t)i + 1 : 0;
	json_array_append_new(filling->lanes, object);
	vector_free(events);
	free(name);
}

/* An engine: the classes of what it runs, as bits. */
struct engine_row {
	const char *name;
	unsigned int classes;
};

static const struct engine_row engines[] = {
	{"compute", 1u << VIEWER_KERNEL | 1u << VIEWER_SET | 1u << VIEWER_COPY},
	{"H2D", 1u << VIEWER_H2D},
	{"D2H", 1u << VIEWER_D2H},
	{"peer", 1u << VIEWER_PEER},
};

/* A device's streams in filling.streams, once they are sorted. */
struct device_lanes {
	size_t first, end;
	const char *group;
};

/* Its events are those of the device's streams, which the page finds there. */
static void add_engine(struct filling *filling, const struct engine_row *engine,
		       const struct device_lanes *device)
{
	json_t *object = json_pack("{s:s, s:s, s:s, s:i}", "kind", "engine", "group", device->group,
				   "name", engine->name, "classes", (int)engine->classes);
	struct lane_packs packs = viewer_packs(filling->page->viewer);
	lane_event_vector events = {0};

	for (size_t i = device->first; i < device->end; i++) {
		const lane_event_vector *of_stream = &filling->streams.items[i].events;

		for (size_t k = 0; k < of_stream->count; k++)
			if (engine->classes >> of_stream->items[k].class & 1)
				*vector_add(&events) = of_stream->items[k];
	}
	if (events.count) {
		lane_pack(object, &events, filling->end_ns, false, &packs);
		json_array_append(filling->lanes, object);
	}
	json_decref(object);
	vector_free(&events);
}

static char *stream_name(struct filling *filling, uint32_t number)
{
	const struct trace *trace = filling->page->trace;

	if (number >= trace->stream_count)
		return memory_format("new stream %u", ++filling->new_count);
	if (trace->streams[number].flag == STREAM_NULL)
		return memory_format("default stream");
	return memory_format("stream %u", trace->streams[number].id);
}

static void add_device(struct filling *filling, const struct device_lanes *device)
{
	struct html_page *page = filling->page;

	for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++)
		add_engine(filling, &engines[i], device);
	for (size_t i = device->first; i < device->end; i++) {
		struct lane *lane = &filling->streams.items[i];
		bool is_new = lane->number >= page->trace->stream_count;

		if (!filling->run)
			page->stream_lanes[lane->number] =
				(uint32_t)json_array_size(filling->lanes);
		add_lane(filling, "stream", device->group, stream_name(filling, lane->number),
			 &lane->events, is_new ? NO_BASE : page->stream_lanes[lane->number],
			 page->operation_places);
	}
}

/* By device; the trace's streams in its order, then new ones. */
static int compare_streams(const void *a, const void *b)
{
	const struct lane *x = a, *y = b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void add_devices(struct filling *filling)
{
	const struct analysis *analysis = filling->page->analysis;
	const lane_vector *streams = &filling->streams;
	struct device_lanes device = {0};

	vector_sort(streams, compare_streams);
	for (; device.first < streams->count; device.first = device.end) {
		uint32_t index = streams->items[device.first].device;
		const char *name =
			index < analysis->device_count ? analysis->devices[index].name : NULL;
		char *group =
			memory_format("Device %u %s", analysis->observed.model->device_ids[index],
				      name ? name : "");

		device.group = group;
		for (device.end = device.first;
		     device.end < streams->count && streams->items[device.end].device == index;)
			device.end++;
		add_device(filling, &device);
		free(group);
	}
}

/* Where lanes beside the calls go. A replay has none: it does not know where they would be. */
static struct html_thread_lanes beside_calls(const struct filling *filling)
{
	struct html_page *page = filling->page;

	return (struct html_thread_lanes){.trace = page->trace,
					  .record = page->analysis->observed.model->host,
					  .things = &page->things,
					  .viewer = page->viewer,
					  .lanes = filling->lanes,
					  .origin_ns = page->analysis->headline.origin_ns,
					  .end_ns = filling->end_ns};
}

/* Above the calls the thread's ranges, below them its states. */
static void add_thread(struct filling *filling, struct lane *lane)
{
	struct html_page *page = filling->page;
	struct html_thread_lanes beside = beside_calls(filling);

	if (!filling->run) {
		html_add_ranges(&beside, lane->number);
		map_add(&page->thread_lanes, lane->number, json_array_size(filling->lanes));
	}
	add_lane(filling, "thread", "Host", trace_text_thread(page->trace, lane->number),
		 &lane->events, map_find(&page->thread_lanes, lane->number), page->call_places);
	if (!filling->run)
		html_add_states(&beside, lane->number);
}

static void add_host(struct filling *filling)
{
	struct html_page *page = filling->page;
	struct html_thread_lanes beside = beside_calls(filling);

	for (size_t i = 0; i < filling->threads.count; i++)
		if (filling->threads.items[i].events.count)
			add_thread(filling, &filling->threads.items[i]);
	if (!filling->run) {
		html_add_other_threads(&beside, &page->thread_lanes);
		page->function_lane = json_array_size(filling->lanes);
	}
	for (size_t i = 0; i < filling->functions.count; i++)
		add_lane(filling, "functions", "Host", memory_format("host functions"),
			 &filling->functions.items[i].events, page->function_lane,
			 page->function_places);
}

/* A replay begins with the first activity, the page with the recording. */
static int64_t replay_start_ns(const struct html_page *page)
{
	const struct trace *trace = page->trace;
	int64_t first_ns = INT64_MAX;

	if (trace->call_count)
		first_ns = trace->calls[0].start_ns;
	if (trace->operation_count)
		first_ns = min_ns(first_ns, trace->operations[0].start_ns);
	return first_ns == INT64_MAX ? 0 : first_ns - page->analysis->headline.origin_ns;
}

static void make_tables(struct html_page *page)
{
	const struct trace *trace = page->trace;

	page->stream_lanes = memory_array(trace->stream_count, sizeof(*page->stream_lanes));
	page->operation_places = memory_array(trace->operation_count, sizeof(uint32_t));
	page->call_places = memory_array(trace->call_count, sizeof(uint32_t));
	page->function_places = memory_array(trace->host_function_count, sizeof(uint32_t));
}

void html_lanes_free(struct html_page *page)
{
	free(page->stream_lanes);
	free(page->operation_places);
	free(page->call_places);
	free(page->function_places);
	map_free(&page->thread_lanes);
}

json_t *html_lanes(struct html_page *page, const struct html_run *run)
{
	const struct model *model = page->analysis->observed.model;
	const char *process = trace_metadata(page->trace, "process_id");
	struct filling filling = {.page = page,
				  .run = run,
				  .replay_ns = replay_start_ns(page),
				  .lanes = json_array()};

	if (!run)
		make_tables(page);
	for (size_t i = 0; i < model->operation_count; i++)
		put_operation(&filling, i);
	/* The main thread comes first, if it makes calls. */
	if (process)
		find_lane(&filling.threads, &filling.thread_map,
			  (uint32_t)strtoul(process, NULL, 10));
	for (size_t i = 0; i < page->trace->call_count; i++)
		put_call(&filling, i);
	for (size_t i = 0; i < page->trace->host_function_count; i++)
		put_function(&filling, i);
	add_devices(&filling);
	add_host(&filling);
	vector_free(&filling.streams);
	vector_free(&filling.threads);
	vector_free(&filling.functions);
	map_free(&filling.stream_map);
	map_free(&filling.thread_map);
	lane_shorten_rows(filling.lanes);
	return json_pack("{s:I, s:o}", "end_ns", (json_int_t)filling.end_ns, "lanes",
			 filling.lanes);
}
