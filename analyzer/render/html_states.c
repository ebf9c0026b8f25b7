#include "render/html_states.h"

#include "base/minmax.h"
#include "base/search.h"
#include "trace/texts.h"

/* As the report says nothing of an idle time below that share of the run. */
#define FOLDED_SHARE 0.01

/* A look is late when it comes after more than this many of the usual distances: the distance varies with what else the
 * machine does. */
#define LATE_LOOK 2

/* The thread's states are [first, end) of the trace's. */
struct thread {
	uint32_t id;
	size_t first, end;
	int64_t active_ns; /* on the page: neither waiting nor asleep */
};

typedef VECTOR(struct thread) thread_vector;

/* A thread's lane while its pieces come in. */
struct joining {
	const struct html_thread_lanes *to;
	int64_t look_ns; /* how far the thread's looks are apart */
	lane_event_vector events;
	struct span long_call; /* the last one */
	/* The event that may go on. */
	bool is_open;
	struct lane_event event;
	uint32_t doing; /* HOST_NOT_SEEN: in calls */
	const struct trace_host_state *last;
	int64_t ready_ns;
};

static void put_event(struct joining *joining, struct lane_event event)
{
	html_count_thing(joining->to->things, event.thing, event.start_ns, event.end_ns);
	*vector_add(&joining->events) = event;
}

static void close_event(struct joining *joining)
{
	struct lane_event event = joining->event, ready = event;

	if (!joining->is_open)
		return;
	joining->is_open = false;
	if (joining->ready_ns > 0) {
		ready.thing =
			html_ready_thing(joining->to->things, joining->to->record, joining->doing);
		ready.class = VIEWER_READY;
		ready.start_ns = max_ns(event.start_ns, event.end_ns - joining->ready_ns);
		event.end_ns = ready.start_ns;
	}
	if (event.end_ns > event.start_ns)
		put_event(joining, event);
	if (joining->ready_ns > 0)
		put_event(joining, ready);
}

static void open_event(struct joining *joining, uint32_t doing, struct span span)
{
	const struct html_thread_lanes *to = joining->to;
	bool is_calls = doing == HOST_NOT_SEEN;

	close_event(joining);
	joining->is_open = true;
	joining->doing = doing;
	joining->last = NULL;
	joining->ready_ns = 0;
	joining->event = (struct lane_event){
		.start_ns = span.start_ns - to->origin_ns,
		.id = -1,
		.link = -1,
		.thing = is_calls ? html_calls_thing(to->things)
				  : html_doing_thing(to->things, to->record, doing),
		.class = is_calls ? VIEWER_CALL
				  : (enum viewer_class)(VIEWER_STATE_RUNNING +
							(unsigned)to->record->doings[doing].state)};
}

/* state: whose looks found it; NULL: those of a long call. */
static void join_piece(struct joining *joining, uint32_t doing, struct span span,
		       const struct trace_host_state *state)
{
	if (!joining->is_open || joining->doing != doing)
		open_event(joining, doing, span);
	joining->event.end_ns = span.end_ns - joining->to->origin_ns;
	if (!state || doing == HOST_NOT_SEEN)
		return;
	if (joining->event.id < 0)
		joining->event.id = state - joining->to->trace->host_states;
	if (state != joining->last)
		joining->event.amount += state->looks;
	joining->last = state;
	joining->ready_ns += host_ready_ns_in(state, span);
}

/* Whether a look found a call, and tells nothing of the piece, which is behind that call: the call is a long one, whose
 * end is known, or the next look came late. */
static bool is_dark(const struct joining *joining, const struct host_piece *piece)
{
	const struct trace_host_state *state = piece->state;

	return piece->kind == HOST_BETWEEN_LOOKS &&
	       (state->start_ns < joining->long_call.end_ns ||
		state->end_ns - state->start_ns > LATE_LOOK * joining->look_ns * state->looks);
}

static void take_piece(void *context, const struct host_piece *piece)
{
	struct joining *joining = context;
	struct span span = piece->span;

	if (piece->kind == HOST_IN_CALL && span.end_ns - span.start_ns >= joining->look_ns) {
		joining->long_call = span;
		join_piece(joining, HOST_NOT_SEEN, span, NULL);
	} else if (piece->kind == HOST_IN_CALL) {
		if (joining->is_open)
			joining->event.end_ns = span.end_ns - joining->to->origin_ns;
	} else if (piece->kind == HOST_UNSEEN || is_dark(joining, piece)) {
		close_event(joining);
	} else {
		join_piece(joining, piece->doing, span, piece->state);
	}
}

static bool is_active(enum host_state state)
{
	return !host_is_wait_for_thread(state) && !host_is_outside(state);
}

static struct thread describe_thread(const struct html_thread_lanes *to, size_t first)
{
	const struct trace *trace = to->trace;
	struct thread thread = {.id = trace->host_states[first].thread_id, .first = first};
	size_t i;

	for (i = first; i < trace->host_state_count && trace->host_states[i].thread_id == thread.id;
	     i++) {
		const struct trace_host_state *state = &trace->host_states[i];
		int64_t start_ns = max_ns(state->start_ns, to->origin_ns);

		if (is_active(state->state))
			thread.active_ns += max_ns(
				0, min_ns(state->end_ns, to->origin_ns + to->end_ns) - start_ns);
	}
	thread.end = i;
	return thread;
}

static int64_t look_distance_ns(const struct trace *trace, const struct thread *thread)
{
	int64_t sum_ns = 0, looks = 0;

	for (size_t i = thread->first; i < thread->end; i++) {
		sum_ns += trace->host_states[i].end_ns - trace->host_states[i].start_ns;
		looks += trace->host_states[i].looks;
	}
	return sum_ns / max_ns(looks, 1);
}

/* The lane's object; NULL: it has no events on the page. */
static json_t *add_thread(const struct html_thread_lanes *to, const struct thread *thread)
{
	struct joining joining = {.to = to, .look_ns = look_distance_ns(to->trace, thread)};
	json_t *object;

	host_record_each(to->record, thread->id,
			 (struct span){to->origin_ns, to->origin_ns + to->end_ns}, take_piece,
			 &joining);
	close_event(&joining);
	if (!joining.events.count)
		return NULL;
	object = html_add_thread_lane(to, "states", trace_text_thread(to->trace, thread->id),
				      &joining.events);
	json_object_set_new(object, "thread", json_integer(thread->id));
	return object;
}

void html_add_states(const struct html_thread_lanes *to, uint32_t thread_id)
{
	const struct trace *trace = to->trace;
	size_t first =
		search(trace->host_state_count, i, trace->host_states[i].thread_id < thread_id);

	if (first < trace->host_state_count && trace->host_states[first].thread_id == thread_id) {
		struct thread thread = describe_thread(to, first);

		add_thread(to, &thread);
	}
}

static int compare_threads(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;

	if (x->active_ns != y->active_ns)
		return x->active_ns > y->active_ns ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Threads without calls that have states, then those that have only ranges. */
static void list_others(const struct html_thread_lanes *to, const struct map *calling,
			thread_vector *others)
{
	const struct trace *trace = to->trace;
	struct map listed = {0};

	for (size_t i = 0; i < trace->host_state_count;) {
		struct thread thread = describe_thread(to, i);

		if (map_find(calling, thread.id) == MAP_NONE && map_add(&listed, thread.id, i))
			*vector_add(others) = thread;
		i = thread.end;
	}
	for (size_t i = 0; i < trace->range_count; i++) {
		uint32_t id = trace->ranges[i].thread_id;

		if (map_find(calling, id) == MAP_NONE && map_add(&listed, id, i))
			*vector_add(others) = (struct thread){.id = id};
	}
	map_free(&listed);
}

void html_add_other_threads(const struct html_thread_lanes *to, const struct map *calling)
{
	thread_vector others = {0};
	double folded_ns = FOLDED_SHARE * (double)to->end_ns;

	list_others(to, calling, &others);
	vector_sort(&others, compare_threads);
	for (size_t i = 0; i < others.count; i++) {
		const struct thread *thread = &others.items[i];
		size_t before = json_array_size(to->lanes);
		bool has_ranges;
		json_t *lane;

		html_add_ranges(to, thread->id);
		has_ranges = json_array_size(to->lanes) > before;
		lane = thread->end > thread->first ? add_thread(to, thread) : NULL;
		if (lane && !has_ranges && (double)thread->active_ns < folded_ns)
			json_object_set_new(lane, "folded", json_true());
	}
	vector_free(&others);
}

json_t *html_state_names(void)
{
	json_t *names = json_array();

	json_array_append_new(names, json_string("ready, without a processor"));
#define HOST_STATE(symbol, number, text) json_array_append_new(names, json_string(text));
#include "facts/host_states.def"
#undef HOST_STATE
	return names;
}
