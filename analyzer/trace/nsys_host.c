#include "trace/nsys_host.h"

#include "base/minmax.h"
#include "facts/facts.h"
#include "trace/nsys_stacks.h"
#include "trace/rows.h"

/* Of host_events, in the order in which those of one time come. */
enum event_kind {
	CUDA_CALL,
	WAIT,
	OFF_READY,
	OFF_BLOCKED,
	ON,
	NATIVE_SAMPLE,
	PYTHON_SAMPLE,
	PYTHON_CALLER
};

struct event {
	int64_t thread_id, start_ns, end_ns, state, object_id, stack;
	enum event_kind kind;
};

/* A shorter wait is part of what the thread does: libstrace.so would hardly see it, either. */
#define WAIT_LEAST_NS 20000

#define TIME_LIMIT_NS (INT64_MAX / 2) /* of a trace's times */

/* Without switches a thread ran from a sample to the next if these are not further apart than this many
 * times the usual distance, and half of that before and behind others. */
#define SAMPLES_APART 1.5

/* Part of a thread's time in one state. start_ns >= until_ns: there is none. */
struct piece {
	int64_t start_ns, until_ns, ready_ns, looks;
	int64_t state, object_id; /* ROW_NULL: no object */
	size_t native, python;	  /* stacks */
};

struct host {
	struct nsys_stacks stacks;
	struct rows states; /* as they are written */
	struct query add_site, add_call;
	struct map sites;  /* by both stacks */
	int64_t around_ns; /* how long a thread without switches runs before and behind a sample */
	/* Of the thread whose events are read: */
	int64_t thread_id, call_end_ns;
	bool is_scheduled; /* switches were seen */
	struct piece running, wait;
	struct { /* up to call_end_ns */
		int64_t id;
		size_t native, python; /* stacks */
	} call;
};

static int64_t site_of(struct host *host, size_t native, size_t python)
{
	size_t site;

	if (native == NSYS_NO_STACK && python == NSYS_NO_STACK)
		return ROW_NULL;
	site = map_find(&host->sites, (uint64_t)native << 32 | python);
	if (site == MAP_NONE) {
		site = host->sites.count;
		map_add(&host->sites, (uint64_t)native << 32 | python, site);
		query_bind_value(&host->add_site, 1, -1 - (int64_t)site, 0);
		query_bind_value(&host->add_site, 2, (int64_t)native, NSYS_NO_STACK);
		query_bind_value(&host->add_site, 3, (int64_t)python, NSYS_NO_STACK);
		query_next(&host->add_site);
	}
	return -1 - (int64_t)site;
}

static void write_piece(struct host *host, const struct piece *piece, int64_t end_ns)
{
	struct host_states_row row = {
		.id = ROW_NULL,
		.thread_id = host->thread_id,
		.start_ns = piece->start_ns,
		.end_ns = end_ns,
		.state = piece->state,
		.looks = max_ns(piece->looks, 1),
		.ready_ns = min_ns(piece->ready_ns, end_ns - piece->start_ns),
		.faults = ROW_NULL,
		.object = ROW_NULL,
		.object_id = piece->object_id,
	};

	if (end_ns <= piece->start_ns)
		return;
	row.site_id = site_of(host, piece->native, piece->python);
	rows_insert(&host->states, &row);
}

/* Ends the running piece, and begins another one; nothing is known of its stack. */
static void restart_running(struct host *host, int64_t end_ns, int64_t start_ns)
{
	const int64_t until_ns = host->running.until_ns;

	write_piece(host, &host->running, min_ns(until_ns, end_ns));
	host->running = (struct piece){.start_ns = max_ns(start_ns, host->call_end_ns),
				       .until_ns = until_ns,
				       .state = HOST_STATE_RUNNING,
				       .object_id = ROW_NULL};
}

/* The thread ran, or was ready to, but for the wait that it is in. */
static void extend_running(struct host *host, struct event *event)
{
	struct piece *running = &host->running;

	event->start_ns = max_ns(event->start_ns, host->wait.until_ns);
	if (event->end_ns <= event->start_ns)
		return;
	if (event->start_ns > running->until_ns)
		restart_running(host, running->until_ns, event->start_ns);
	running->until_ns = max_ns(running->until_ns, event->end_ns);
	if (event->kind == OFF_READY)
		running->ready_ns += event->end_ns - event->start_ns;
}

static void take_wait(struct host *host, const struct event *event)
{
	if (event->start_ns < host->wait.until_ns ||
	    event->end_ns - event->start_ns < WAIT_LEAST_NS)
		return;
	write_piece(host, &host->wait, host->wait.until_ns);
	host->wait = (struct piece){
		.start_ns = max_ns(event->start_ns, host->call_end_ns),
		.until_ns = event->end_ns,
		.state = event->state,
		.object_id = event->object_id,
		.native = nsys_stacks_find(&host->stacks, NSYS_OS_CALL, event->stack)};
	restart_running(host, event->start_ns, event->end_ns);
}

static void take_off(struct host *host, struct event *event)
{
	host->is_scheduled = true;
	host->running.until_ns = min_ns(host->running.until_ns, event->start_ns);
	if (event->kind == OFF_READY || event->end_ns - event->start_ns < WAIT_LEAST_NS)
		extend_running(host, event);
}

static void take_on(struct host *host, struct event *event)
{
	host->is_scheduled = true;
	extend_running(host, event);
}

/* The stack is that of the piece, or begins a new one at the time. */
static void set_stack(struct host *host, size_t *slot, size_t stack, int64_t time_ns)
{
	struct piece *running = &host->running;

	if (*slot != NSYS_NO_STACK && stack != NSYS_NO_STACK && *slot != stack) {
		write_piece(host, running, time_ns);
		running->start_ns = max_ns(running->start_ns, time_ns);
		running->ready_ns = running->looks = 0;
	}
	if (stack != NSYS_NO_STACK)
		*slot = stack;
	running->looks++;
}

/* Of a sample that found the thread running. */
static void run_around(struct host *host, int64_t time_ns)
{
	struct event around = {.start_ns = time_ns - host->around_ns,
			       .end_ns = min_ns(time_ns + host->around_ns, TIME_LIMIT_NS),
			       .kind = ON};

	if (!host->is_scheduled)
		extend_running(host, &around);
}

static void take_native_sample(struct host *host, int64_t time_ns, int64_t id)
{
	run_around(host, time_ns);
	if (time_ns < host->running.until_ns)
		set_stack(host, &host->running.native,
			  nsys_stacks_find(&host->stacks, NSYS_SAMPLE, id), time_ns);
}

/* Nsight Systems samples Python of threads that wait, too. */
static void take_python_sample(struct host *host, int64_t time_ns, int64_t id)
{
	const size_t stack = nsys_stacks_find(&host->stacks, NSYS_PYTHON_SAMPLE, id);

	if (time_ns < host->wait.until_ns) {
		host->wait.looks++;
		if (host->wait.python == NSYS_NO_STACK)
			host->wait.python = stack;
		return;
	}
	if (map_find(&host->stacks.running, (uint64_t)id) != MAP_NONE)
		run_around(host, time_ns);
	if (time_ns < host->running.until_ns)
		set_stack(host, &host->running.python, stack, time_ns);
}

static void take_sample(struct host *host, const struct event *event)
{
	if (event->start_ns < host->call_end_ns)
		restart_running(host, event->start_ns, event->start_ns);
	else if (event->kind == PYTHON_SAMPLE)
		take_python_sample(host, event->start_ns, event->stack);
	else if (event->start_ns >= host->wait.until_ns)
		take_native_sample(host, event->start_ns, event->stack);
}

/* The site of the call before: from its own stack, or from what was seen in it. */
static void write_call(struct host *host)
{
	const int64_t site = site_of(host, host->call.native, host->call.python);

	if (site != ROW_NULL) {
		query_bind_value(&host->add_call, 1, host->call.id, ROW_NULL);
		query_bind_value(&host->add_call, 2, site, ROW_NULL);
		query_next(&host->add_call);
	}
	host->call.native = host->call.python = NSYS_NO_STACK;
}

static void take_call(struct host *host, const struct event *event)
{
	/* A call in a call is a part of it. */
	if (event->start_ns >= host->call_end_ns) {
		write_call(host);
		host->call.id = event->object_id;
		host->call.native = nsys_stacks_find(&host->stacks, NSYS_CUDA_CALL, event->stack);
	}
	host->call_end_ns = max_ns(host->call_end_ns, event->end_ns);
}

/* Of a sample, a call of the C library, or Python's stack, in a call. */
static void note_caller(struct host *host, const struct event *event)
{
	const enum nsys_stack_source source = event->kind == WAIT ? NSYS_OS_CALL : NSYS_SAMPLE;

	if (event->kind >= PYTHON_SAMPLE) {
		if (host->call.python == NSYS_NO_STACK)
			host->call.python =
				nsys_stacks_find(&host->stacks, NSYS_PYTHON_SAMPLE, event->stack);
	} else if (host->call.native == NSYS_NO_STACK) {
		host->call.native = nsys_stacks_caller(
			&host->stacks, nsys_stacks_find(&host->stacks, source, event->stack));
	}
}

static void finish_thread(struct host *host)
{
	write_call(host);
	write_piece(host, &host->running, host->running.until_ns);
	write_piece(host, &host->wait, host->wait.until_ns);
	host->running = host->wait =
		(struct piece){.state = HOST_STATE_RUNNING, .object_id = ROW_NULL};
	host->call_end_ns = 0;
	host->is_scheduled = false;
}

static void take_event(struct host *host, struct event *event)
{
	if (event->thread_id != host->thread_id)
		finish_thread(host);
	host->thread_id = event->thread_id;
	if (event->start_ns < host->call_end_ns &&
	    (event->kind == WAIT || event->kind >= NATIVE_SAMPLE))
		note_caller(host, event);
	switch (event->kind) {
	case CUDA_CALL:
		take_call(host, event);
		break;
	case WAIT:
		take_wait(host, event);
		break;
	case OFF_READY:
	case OFF_BLOCKED:
		take_off(host, event);
		break;
	case ON:
		take_on(host, event);
		break;
	case PYTHON_CALLER: /* says nothing of the time beside its call */
		break;
	default:
		take_sample(host, event);
	}
}

static void read_events(struct host *host)
{
	struct query query;

	query_open(&query, host->stacks.database, "host_events",
		   "SELECT thread_id, start_ns, end_ns, kind, state, object_id, stack "
		   "FROM host_events ORDER BY thread_id, start_ns, kind, state DESC");
	finish_thread(host);
	while (query_next(&query)) {
		struct event event = {
			.thread_id = query_integer(&query, 0, 0, UINT32_MAX),
			.start_ns = query_integer(&query, 1, 0, TIME_LIMIT_NS),
			.end_ns = query_optional(&query, 2, 0, TIME_LIMIT_NS, 0),
			.kind = (enum event_kind)query_integer(&query, 3, CUDA_CALL, PYTHON_CALLER),
			.state = query_optional(&query, 4, 0, HOST_STATE_COUNT - 1, 0),
			.object_id = query_optional(&query, 5, INT64_MIN, INT64_MAX, ROW_NULL),
			.stack = query_optional(&query, 6, INT64_MIN, INT64_MAX, -1),
		};

		take_event(host, &event);
	}
	finish_thread(host);
	query_close(&query);
}

static int64_t find_around_ns(struct database *database)
{
	const int64_t usual_ns =
		database_number(database, "samples",
				"WITH gaps(gap) AS MATERIALIZED (SELECT start - lag(start) OVER"
				" (PARTITION BY kind, globalTid ORDER BY start) FROM host_samples"
				" WHERE kind < 7) "
				"SELECT gap FROM gaps WHERE gap > 0 ORDER BY gap "
				"LIMIT 1 OFFSET (SELECT count(*) / 2 FROM gaps WHERE gap > 0)");

	return usual_ns < TIME_LIMIT_NS / 2 ? (int64_t)(SAMPLES_APART / 2 * (double)usual_ns) : 0;
}

void nsys_host_prepare(struct database *database)
{
	struct host host = {.stacks = {.database = database}};

	rows_open_insert(&host.states, database, TABLE_host_states);
	query_open(&host.add_site, database, "host_sites",
		   "INSERT INTO host_sites VALUES (?, ?, ?)");
	query_open(&host.add_call, database, "called_at", "INSERT INTO called_at VALUES (?, ?)");
	nsys_stacks_read(&host.stacks);
	host.around_ns = find_around_ns(database);
	read_events(&host);
	rows_close(&host.states);
	query_close(&host.add_site);
	query_close(&host.add_call);
	map_free(&host.sites);
	nsys_stacks_free(&host.stacks);
}
