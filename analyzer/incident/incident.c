#include "incident/incident.h"

#include "base/minmax.h"
#include "trace/collectives.h"
#include "trace/thread_calls.h"

#include <stdlib.h>

/* A part of a step that is larger than a normal one's by this factor is another: copies' bytes and launches vary. */
static const double other_factor = 1.5;

/* Two parts of a step have about as much more than in a normal one. */
static const double about_as_much = 0.8;

/* A copy explains a time that it takes at no more than so many bytes a ns: from cold pageable memory. */
static const double slowest_copy = 0.5;

/* The same of a set of the device's memory. */
static const double slowest_set = 100;

/* Reading from storage explains a time that it takes at no less than so many bytes a ns: from a disk that seeks. */
static const double slowest_read = 0.001;

bool incident_waits(enum function_class class)
{
	switch (class) {
	case CLASS_STREAM_SYNC:
	case CLASS_EVENT_SYNC:
	case CLASS_DEVICE_SYNC:
	case CLASS_COPY:
	case CLASS_SET:
	case CLASS_LAUNCH:
	case CLASS_GRAPH_LAUNCH:
	case CLASS_ALLOC:
	case CLASS_FREE:
	case CLASS_HOST_ALLOC:
	case CLASS_HOST_FREE:
		return true;
	default:
		return false;
	}
}

bool incident_enqueues(enum function_class class)
{
	switch (class) {
	case CLASS_COPY:
	case CLASS_SET:
	case CLASS_LAUNCH:
	case CLASS_GRAPH_LAUNCH:
	case CLASS_HOST_FUNCTION:
		return true;
	default:
		return false;
	}
}

static bool takes_back(enum function_class class)
{
	return class == CLASS_FREE || class == CLASS_HOST_FREE;
}

static bool gives_memory(enum function_class class)
{
	return class == CLASS_ALLOC || class == CLASS_HOST_ALLOC;
}

static bool waits_for_all(enum function_class class)
{
	return class == CLASS_STREAM_SYNC || class == CLASS_EVENT_SYNC ||
	       class == CLASS_DEVICE_SYNC;
}

/* The trace's step with this number that has ended; NULL: none. */
static const struct trace_step *find_step(const struct trace *trace, int64_t number)
{
	for (size_t i = 0; i < trace->step_count; i++)
		if (trace->steps[i].number == number &&
		    trace->steps[i].end_ns > trace->steps[i].start_ns)
			return &trace->steps[i];
	return NULL;
}

static void divide_steps(struct incident *incident)
{
	const struct trace *trace = incident->trace;

	incident->parts = step_parts_create(trace);
	step_parts_add(incident->parts, incident->step, STEP_SLOW);
	for (size_t i = 0; i < trace->step_count; i++) {
		const struct trace_step *step = &trace->steps[i];

		if (step->kind == STEP_NORMAL && step->end_ns > step->start_ns &&
		    step->thread_id == incident->step->thread_id)
			step_parts_add(incident->parts, step, STEP_NORMAL);
	}
	step_parts_settle(incident->parts);
}

static int64_t normal_ns(const struct incident *incident)
{
	double sum_ns = 0;

	if (!incident->parts->normal_count)
		return max_ns(0, incident->row->median_ns);
	for (size_t i = 0; i < incident->parts->count; i++)
		if (!incident->parts->rows[i].is_elsewhere)
			sum_ns += step_part_normal_ns(incident->parts, &incident->parts->rows[i]);
	return (int64_t)sum_ns;
}

/* Work is other than a normal step's by its bytes if it has some, else by its number. */
static bool is_other(const struct incident *incident, const struct step_part *row)
{
	const struct step_parts *parts = incident->parts;

	if (!parts->normal_count || !row->slow.count)
		return false;
	if (!row->normal.count)
		return true;
	if (row->slow.bytes)
		return (double)row->slow.bytes > other_factor * step_part_normal_bytes(parts, row);
	return (double)row->slow.count > other_factor * step_part_normal_count(parts, row);
}

/* Whether the row's copies or sets can have taken the cause's time. */
static bool is_long_copy(const struct incident *incident, const struct step_part *row)
{
	return (double)row->slow.bytes >=
	       (row->function->class == CLASS_SET ? slowest_set : slowest_copy) *
		       (double)incident->cause->extra_ns;
}

/* Copies by their bytes, launches by their number. */
static bool is_more(const struct step_part *row, const struct step_part *than)
{
	if (!than || row->slow.bytes != than->slow.bytes)
		return !than || row->slow.bytes > than->slow.bytes;
	return row->slow.count > than->slow.count;
}

/* What the step enqueued before the call that a normal one does not; NULL: nothing that can have taken long. */
static const struct step_part *find_other_work(const struct incident *incident,
					       const struct trace_call *before)
{
	const struct step_part *most = NULL;

	for (size_t i = 0; i < incident->parts->count; i++) {
		const struct step_part *row = &incident->parts->rows[i];

		if (row->what == PART_CALL && row != incident->cause &&
		    incident_enqueues(row->function->class) && row->first &&
		    row->first->start_ns < before->start_ns && is_other(incident, row) &&
		    (!row->slow.bytes || is_long_copy(incident, row)) && is_more(row, most))
			most = row;
	}
	return most;
}

/* A call that gives memory back, before the call, that a normal step does not make; NULL: none. */
static const struct step_part *find_free(const struct incident *incident,
					 const struct trace_call *before)
{
	for (size_t i = 0; i < incident->parts->count; i++) {
		const struct step_part *row = &incident->parts->rows[i];

		if (row->what == PART_CALL && takes_back(row->function->class) && row->first &&
		    row->first->start_ns < before->start_ns && is_other(incident, row))
			return row;
	}
	return NULL;
}

/* What an operation of the row takes the device in the steps that were recorded with it; 0: not known. */
static int64_t *usual_times(const struct incident *incident)
{
	const struct step_parts *parts = incident->parts;
	const struct trace *trace = incident->trace;
	int64_t *longest_ns = memory_array(parts->count, sizeof(*longest_ns));

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		const struct step_part *row =
			operation->call ? step_parts_of_call(parts, operation->call) : NULL;

		if (row)
			longest_ns[row - parts->rows] =
				max_ns(longest_ns[row - parts->rows],
				       operation->end_ns - operation->start_ns);
	}
	return longest_ns;
}

static void count_collectives(struct incident *incident, int64_t since_ns,
			      const struct trace_call *before)
{
	const struct trace *trace = incident->trace;

	for (size_t i = 0; i < trace->collective_count; i++)
		incident->collective_count += trace->collectives[i].start_ns >= since_ns &&
					      trace->collectives[i].start_ns < before->start_ns;
}

/* Of what was enqueued since the thread's last wait the longest, or else the last. */
static void find_pending(struct incident *incident, const struct trace_call *before)
{
	const struct step_parts *parts = incident->parts;
	const struct trace *trace = incident->trace;
	int64_t *usual_ns = usual_times(incident), since_ns = incident->step->start_ns;

	for (size_t i = (size_t)(before - trace->calls); i-- > 0;) {
		const struct trace_call *call = &trace->calls[i];
		const struct step_part *row;

		if (waits_for_all(call->form->function->class) &&
		    call->form->thread_id == before->form->thread_id)
			since_ns = max_ns(since_ns, call->end_ns);
		if (call->start_ns < since_ns)
			break;
		if (!incident_enqueues(call->form->function->class))
			continue;
		incident->pending_count++;
		row = step_parts_of_call(parts, call);
		if (row && (!incident->other ||
			    usual_ns[row - parts->rows] > usual_ns[incident->other - parts->rows]))
			incident->other = row;
	}
	free(usual_ns);
	count_collectives(incident, since_ns, before);
	if (incident->other)
		incident->reason = REASON_PENDING;
}

static void find_first_launches(struct incident *incident)
{
	const struct trace *trace = incident->trace;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call_form *form = trace->calls[i].form;

		if (form->function->class == CLASS_LAUNCH && form->object &&
		    map_find(&incident->first_launches, form->object) == MAP_NONE)
			map_add(&incident->first_launches, form->object, i);
	}
}

static bool is_first_launch(const struct incident *incident, const struct trace_call *call)
{
	return call->form->function->class == CLASS_LAUNCH && call->form->object &&
	       map_find(&incident->first_launches, call->form->object) ==
		       (size_t)(call - incident->trace->calls);
}

/* The kernel that calls launch like this one: of its handle, or else at the row's line. NULL: the device was not
 * recorded, or it was not launched then. */
static const char *find_kernel(const struct incident *incident, const struct trace_call *like,
			       const struct step_part *row)
{
	const struct trace *trace = incident->trace;
	const char *name = NULL;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		const struct trace_call *call = operation->call;

		if (operation->form->kind != OPERATION_KERNEL || !call ||
		    call->form->function != like->form->function)
			continue;
		if (like->form->object && call->form->object == like->form->object)
			return operation->form->name;
		if (!name && row && step_parts_of_call(incident->parts, call) == row)
			name = operation->form->name;
	}
	return name;
}

/* What the call of the cause waited for, or took its time for. */
static void find_reason(struct incident *incident)
{
	const struct step_part *cause = incident->cause;
	const struct trace_call *call = cause->longest;
	const enum function_class class = cause->function->class;

	if (is_first_launch(incident, call) && !find_other_work(incident, call)) {
		incident->reason = REASON_FIRST_LAUNCH;
		incident->kernel = find_kernel(incident, call, NULL);
		return;
	}
	if (!incident_waits(class))
		return;
	if (gives_memory(class) && (incident->other = find_free(incident, call)))
		incident->reason = REASON_FREED;
	else if (incident_enqueues(class) && is_other(incident, cause) &&
		 is_long_copy(incident, cause))
		incident->reason = REASON_LARGER;
	else if ((incident->other = find_other_work(incident, call)))
		incident->reason =
			incident->other->slow.bytes ? REASON_OTHER_COPY : REASON_OTHER_LAUNCH;
	else
		find_pending(incident, call);
	if (incident->other && incident->other->first)
		incident->kernel = find_kernel(incident, incident->other->first, incident->other);
}

/* A compiled launch first asks the runtime for its kernel, in a call that is not recorded: that reads a module that was not used
 * before into memory. */
static bool find_lookup(struct incident *incident)
{
	const struct step_part *cause = incident->cause;
	const struct trace_call *call;
	struct site site;

	if (cause->what != PART_STATE || cause->kind != HOST_KIND_FAULTS)
		return false;
	call = thread_calls_next(incident->trace, cause->thread_id, cause->span.end_ns);
	if (!call || call->start_ns >= incident->step->end_ns || !is_first_launch(incident, call))
		return false;
	site = site_describe(incident->trace, call->form->site, NULL);
	if (site_compare(&site, &cause->site) != 0)
		return false;
	incident->reason = REASON_LOOKED_UP;
	incident->kernel = find_kernel(incident, call, NULL);
	return true;
}

/* What looks found the thread doing, or nobody looked at, can be reading; a lock or a sleep is not. */
static void find_reads(struct incident *incident)
{
	const struct step_parts *parts = incident->parts;
	const struct step_part *cause = incident->cause;
	const double read = (double)parts->slow_read_bytes;
	const bool can_read =
		cause->what == PART_UNSEEN ||
		(cause->what == PART_STATE && (cause->state->state == HOST_STATE_RUNNING ||
					       cause->state->state == HOST_STATE_INPUT));

	if (can_read && parts->normal_read_count &&
	    read > other_factor * step_parts_normal_read(parts) &&
	    read >= slowest_read * (double)cause->extra_ns)
		incident->reason = REASON_READ;
}

/* Whether the row can be a wait for what another rank does. A call that a normal step does not make, and a kernel's first
 * launch, are the step's own doing. */
static bool is_wait(const struct incident *incident, const struct step_part *row)
{
	if (row->what != PART_CALL || !incident_waits(row->function->class))
		return false;
	if (waits_for_all(row->function->class))
		return true;
	return row->normal.count && !(row->longest && is_first_launch(incident, row->longest));
}

static void find_own(struct incident *incident)
{
	const struct step_part *largest = NULL;

	for (size_t i = 0; i < incident->parts->count; i++) {
		const struct step_part *row = &incident->parts->rows[i];

		if (row->is_elsewhere || row->extra_ns <= 0 || is_wait(incident, row))
			continue;
		incident->own_ns += row->extra_ns;
		if (!largest || row->extra_ns > largest->extra_ns)
			largest = row;
	}
	if (largest)
		incident->late_ns = max_ns(0, largest->span.start_ns - incident->step->start_ns);
}

/* Rows come by what they have more. Of two that have about as much the one that normal steps do not have is the cause:
 * how long a line ran is told by looks, and varies. */
static const struct step_part *largest_part(const struct step_parts *parts)
{
	const struct step_part *first = parts->count ? &parts->rows[0] : NULL;
	const struct step_part *next = parts->count > 1 ? &parts->rows[1] : NULL;

	if (!first || first->is_elsewhere || first->extra_ns <= 0)
		return NULL;
	if (next && !next->is_elsewhere && first->normal.ns > 0 && next->normal.ns <= 0 &&
	    (double)next->extra_ns >= about_as_much * (double)first->extra_ns)
		return next;
	return first;
}

static bool is_longer_call(const struct step_part *row)
{
	return row->what == PART_CALL && !row->is_elsewhere && row->extra_ns > 0;
}

/* By the line of a row: what its calls have more together. */
static int64_t *sum_lines(const struct step_parts *parts)
{
	size_t lines = 0;
	int64_t *sums_ns;

	for (size_t i = 0; i < parts->count; i++)
		if (is_longer_call(&parts->rows[i]) && parts->rows[i].line >= lines)
			lines = parts->rows[i].line + 1;
	sums_ns = memory_array(lines, sizeof(*sums_ns));
	for (size_t i = 0; i < parts->count; i++)
		if (is_longer_call(&parts->rows[i]))
			sums_ns[parts->rows[i].line] += parts->rows[i].extra_ns;
	return sums_ns;
}

/* A line of Python makes several calls: together they can have more than the largest row. */
static void join_line(struct incident *incident)
{
	const struct step_parts *parts = incident->parts;
	int64_t *sums_ns = sum_lines(parts);
	const struct step_part *most = incident->cause;
	int64_t most_ns = most ? most->extra_ns : 0;

	for (size_t i = 0; i < parts->count; i++) {
		const struct step_part *row = &parts->rows[i];

		if (is_longer_call(row) && sums_ns[row->line] > most_ns) {
			most = row;
			most_ns = sums_ns[row->line];
		}
	}
	incident->cause = most;
	if (most && (double)most->extra_ns < about_as_much * (double)most_ns)
		incident->line_ns = most_ns;
	free(sums_ns);
}

static void find_cause(struct incident *incident)
{
	const struct step_parts *parts = incident->parts;

	incident->extra_ns = max_ns(0, parts->slow_ns - normal_ns(incident));
	find_first_launches(incident);
	find_own(incident);
	incident->cause = largest_part(parts);
	join_line(incident);
	if (incident->cause && incident->cause->what == PART_CALL && incident->cause->longest)
		find_reason(incident);
	else if (incident->cause && !find_lookup(incident))
		find_reads(incident);
}

/* When the file ends: later than all that is in it nobody knows. */
static int64_t last_ns(const struct trace *trace, const struct trace_incident *row)
{
	int64_t last_ns = max_ns(row->noticed_ns, row->device_end_ns);

	for (size_t i = 0; row->device_end_ns < 0 && i < trace->call_count; i++)
		last_ns = max_ns(last_ns, trace->calls[i].end_ns);
	return last_ns;
}

static void find_hang(struct incident *incident)
{
	const struct trace *trace = incident->trace;
	const struct trace_incident *row = incident->row;

	incident->hangs_ns = max_ns(0, last_ns(trace, row) - row->entered_ns);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (call->start_ns != row->entered_ns || call->form->thread_id != row->thread_id ||
		    (row->function && call->form->function != row->function))
			continue;
		incident->is_over = true;
		incident->hangs_ns = call->end_ns - call->start_ns;
	}
}

static void find_device(struct incident *incident)
{
	const struct trace *trace = incident->trace;
	const struct trace_incident *row = incident->row;
	struct incident_device *device = &incident->device;

	if (row->device_start_ns >= 0)
		device->recorded_ns = max_ns(0, last_ns(trace, row) - row->device_start_ns);
	device->operation_count = trace->operation_count;
	for (size_t i = 0; i < trace->operation_count; i++)
		if (!device->last || trace->operations[i].end_ns > device->last->end_ns)
			device->last = &trace->operations[i];
}

struct incident *incident_make(const struct trace *trace)
{
	struct incident *incident;

	if (!trace->incident_count)
		return NULL;
	incident = memory_array(1, sizeof(*incident));
	incident->trace = trace;
	incident->row = &trace->incidents[0];
	incident->late_ns = -1;
	incident->step = find_step(trace, incident->row->step);
	if (incident->row->cause == INCIDENT_HANG && incident->row->entered_ns >= 0)
		find_hang(incident);
	find_device(incident);
	if (!incident->step)
		return incident;
	divide_steps(incident);
	find_cause(incident);
	return incident;
}

void incident_free(struct incident *incident)
{
	if (!incident)
		return;
	if (incident->parts)
		step_parts_free(incident->parts);
	map_free(&incident->first_launches);
	free(incident);
}
