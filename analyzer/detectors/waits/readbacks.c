#include "detectors/waits/readbacks.h"

#include "base/minmax.h"
#include "base/mix.h"
#include "base/thresholds.h"
#include "detectors/evidence/host_wait.h"

#include <assert.h>

/* Threads that take turns. */
struct group {
	uint64_t step, sizes; /* what it enqueued since its last readback, as in readbacks.h */
	told_kernel_vector kernels; /* in that step */
	size_t readback;	    /* its last, SIZE_MAX: none */
	size_t pending; /* one that the host was told of, but that no thread waited for so far */
	bool is_behind; /* nothing was enqueued since */
	uint32_t enqueuer;
	size_t turn; /* how often another thread began to enqueue */
};

struct thread {
	const struct trace_call *last; /* to return; NULL: none so far */
	const struct trace_call *before_last;
	size_t waited;	  /* the readback whose waiter was its last call, or SIZE_MAX */
	bool has_data;	  /* since its last synchronization it enqueued a larger D2H copy */
	bool is_awaiting; /* its last call synchronized, and gave the host no such copy */
	const struct trace_call *first; /* its first call in the turn, or in one before it */
	size_t turn;
	/* Since its last readback: calls that enqueued behind another one that did, and its own time
	 * before these. */
	size_t enqueued;
	int64_t own_ns;
	bool has_enqueued;
};

struct finding {
	const struct model *model;
	struct readbacks *readbacks;
	VECTOR(struct group) groups;
	VECTOR(struct thread) threads;
	/* By site, by the ids of groups and threads; host functions by the index of their call; the
	 * calls that recorded events last, by the events' handles. */
	struct map line_of, group_of, thread_of, function_of, record_of;
	struct told_kernels told;
};

static size_t line_of(struct finding *finding, const struct trace_site *site)
{
	size_t found = map_find(&finding->line_of, (uint64_t)(uintptr_t)site);

	if (found != MAP_NONE)
		return found;
	found = finding->readbacks->lines.count;
	*vector_add(&finding->readbacks->lines) = (struct readback_line){0};
	map_set(&finding->line_of, (uint64_t)(uintptr_t)site, found);
	return found;
}

static struct group *group_of(struct finding *finding, const struct trace_call *call)
{
	uint32_t id = finding->model->thread_groups[call - finding->model->trace->calls];
	size_t found = map_find(&finding->group_of, id);

	if (found == MAP_NONE) {
		found = finding->groups.count;
		*vector_add(&finding->groups) =
			(struct group){.readback = SIZE_MAX, .pending = SIZE_MAX};
		map_set(&finding->group_of, id, found);
	}
	return &finding->groups.items[found];
}

static struct thread *thread_of(struct finding *finding, const struct trace_call *call)
{
	size_t found = map_find(&finding->thread_of, call->form->thread_id);

	if (found == MAP_NONE) {
		found = finding->threads.count;
		*vector_add(&finding->threads) =
			(struct thread){.waited = SIZE_MAX, .turn = SIZE_MAX};
		map_set(&finding->thread_of, call->form->thread_id, found);
	}
	return &finding->threads.items[found];
}

bool readbacks_is_copy(const struct trace_call *call)
{
	const struct trace_operation *copy = call->operation;

	return copy && call->form->site && copy->form->kind == OPERATION_COPY &&
	       copy->form->engine == ENGINE_D2H && copy->form->size_bytes <= COPY_SMALL_BYTES &&
	       call->form->function->class == CLASS_COPY;
}

/* A value that is a size changes grids and lengths, and with them what kernels are told. True: nothing
 * is changed. */
static bool note_step(struct finding *finding, size_t index, struct group *group,
		      uint64_t read_bytes)
{
	struct readback_line *line = &finding->readbacks->lines.items[index];
	bool is_sized = line->sizes != group->sizes;
	bool is_same = line->count && line->step == group->step;
	enum told told = told_kernels_take(&finding->told, &line->told, index, &group->kernels,
					   read_bytes, is_same);

	line->count++;
	line->step = group->step;
	line->sizes = group->sizes;
	if (!is_same || (!is_sized && told == TOLD_ANEW))
		return false;
	line->equal_count++;
	line->sized_count += is_sized;
	line->value_count += !is_sized && told == TOLD_VALUE;
	return !is_sized && told == TOLD_SAME;
}

/* A majority vote: which line's copy comes before this one's. */
static void note_order(struct readback_line *line, size_t before)
{
	if (!line->lead)
		line->after = before;
	line->lead += line->after == before ? 1 : -1;
}

/* The mean of its own times before calls that enqueue; from now on of the next step. */
static uint32_t take_work(struct thread *thread)
{
	int64_t mean_ns = thread->enqueued ? thread->own_ns / (int64_t)thread->enqueued : 0;

	thread->enqueued = 0;
	thread->own_ns = 0;
	thread->has_enqueued = false;
	return (uint32_t)min_ns(mean_ns, UINT32_MAX);
}

static void note_copy(struct finding *finding, struct group *group, struct thread *thread,
		      const struct trace_call *call)
{
	const struct trace_operation *copy = call->operation;
	size_t index = line_of(finding, call->form->site);
	bool is_undecided;

	assert(finding->readbacks->lines.items); /* line_of() added it */
	is_undecided = note_step(finding, index, group, copy->form->size_bytes);
	if (group->readback != SIZE_MAX) {
		struct readback *last = &finding->readbacks->all.items[group->readback];

		note_order(&finding->readbacks->lines.items[index], last->line);
		last->is_undecided = is_undecided;
	}
	group->kernels.count = 0;
	*vector_add(&finding->readbacks->all) = (struct readback){
		.copy = copy,
		.waiter = copy->end_ns <= call->end_ns ? call : NULL,
		.before = thread->is_awaiting ? thread->before_last : thread->last,
		.awaited = thread->is_awaiting ? thread->last : NULL,
		.line = index,
		.between_ns = take_work(thread)};
	group->step = group->sizes = 0;
	group->readback = finding->readbacks->all.count - 1;
	group->is_behind = true;
}

/* Whether the event that the call waits for was recorded behind the copy's call, as far as known. */
static bool is_recorded_behind(const struct finding *finding, const struct trace_call *copy,
			       const struct trace_call *call)
{
	size_t record = map_find(&finding->record_of, call->form->object);

	return record == MAP_NONE || finding->model->trace->calls + record > copy;
}

/* Whether the synchronization behind the last copy is there for that one. Behind other work it is
 * if it waits for all of the copy's stream and no data came with it. */
static bool is_waiter(const struct finding *finding, const struct readback *last,
		      const struct group *group, const struct thread *thread,
		      const struct trace_call *call)
{
	if (!host_wait_is_sync(call) || last->copy->end_ns > call->end_ns)
		return false;
	if (call->form->function->class == CLASS_EVENT_SYNC &&
	    !is_recorded_behind(finding, last->copy->call, call))
		return false;
	if (group->is_behind)
		return !last->waiter || last->waiter == last->copy->call;
	return !last->waiter && !last->told && !thread->has_data && !call->form->is_timed;
}

/* What comes behind the copy in the thread that made it. */
static void note_behind(struct finding *finding, struct group *group, const struct thread *thread,
			const struct trace_call *call)
{
	const struct trace *trace = finding->model->trace;
	struct readback *last = &finding->readbacks->all.items[group->readback];
	const struct trace_call *made = last->copy->call;
	size_t function;

	if (made->form->thread_id != call->form->thread_id)
		return;
	if (is_waiter(finding, last, group, thread, call)) {
		last->waiter = call;
		last->is_behind_others = !group->is_behind;
		return;
	}
	function = group->is_behind && call->form->function->class == CLASS_HOST_FUNCTION
			   ? map_find(&finding->function_of, (uint64_t)(call - trace->calls))
			   : MAP_NONE;
	if (function == MAP_NONE || last->waiter || last->told ||
	    call->form->stream_handle != made->form->stream_handle ||
	    trace->host_functions[function].start_ns < last->copy->end_ns)
		return;
	last->told = &trace->host_functions[function];
	group->pending = group->readback;
}

/* Whether the call is the first of another thread since the host was told, and that waited. */
static void note_other(struct finding *finding, struct group *group, const struct thread *thread,
		       const struct trace_call *call)
{
	struct readback *pending;
	const struct trace_call *made;

	if (group->pending == SIZE_MAX)
		return;
	pending = &finding->readbacks->all.items[group->pending];
	made = pending->copy->call;
	if (made->form->thread_id == call->form->thread_id)
		return;
	group->pending = SIZE_MAX;
	if (!thread->last || thread->last->end_ns > made->start_ns ||
	    call->start_ns < pending->told->end_ns)
		return;
	pending->waiter = call;
	pending->before = thread->last;
	pending->first = thread_of(finding, made)->first;
}

static void note_enqueued(struct group *group, const struct trace_call *call)
{
	group->is_behind = false;
	if (call->operation->form->kind == OPERATION_KERNEL)
		*vector_add(&group->kernels) =
			(struct told_kernel){call->operation->form->name, call->form->numbers};
	group->step = mix(group->step, (uint64_t)(uintptr_t)call->form->function);
	group->step = mix(group->step, (uint64_t)(uintptr_t)call->operation->form->name);
	group->sizes = mix(group->sizes, call->operation->form->blocks);
	group->sizes = mix(group->sizes, call->operation->form->size_bytes);
}

/* The thread's own time before the call, if it enqueues behind another one. */
static void note_work(struct thread *thread, const struct trace_call *call)
{
	if (thread->has_enqueued) {
		thread->enqueued++;
		thread->own_ns += max_ns(0, call->start_ns - thread->last->end_ns);
	}
	thread->has_enqueued = true;
}

/* A thread's turn begins with its first call after another one has enqueued something. */
static void note_turn(struct group *group, struct thread *thread, const struct trace_call *call)
{
	if (thread->turn != group->turn)
		thread->first = call;
	if (call->operation && group->enqueuer != call->form->thread_id) {
		group->enqueuer = call->form->thread_id;
		group->turn++;
	}
	thread->turn = group->turn;
}

/* What the call means for the thread's next one. */
static void note_last(struct thread *thread, const struct trace_call *call)
{
	bool is_sync = host_wait_is_sync(call);

	thread->is_awaiting =
		is_sync && !thread->has_data && thread->waited == SIZE_MAX && !call->form->is_timed;
	if (is_sync)
		thread->has_data = false;
	else if (call->operation && call->operation->form->engine == ENGINE_D2H)
		thread->has_data |= !readbacks_is_copy(call);
	thread->before_last = thread->last;
	thread->last = call;
}

static void note_call(struct finding *finding, const struct trace_call *call)
{
	struct group *group = group_of(finding, call);
	struct thread *thread = thread_of(finding, call);

	if (thread->last && call->end_ns <= thread->last->end_ns)
		return; /* the driver's inside the runtime's */
	if (thread->waited != SIZE_MAX)
		finding->readbacks->all.items[thread->waited].next = call;
	if (call->form->function->class == CLASS_EVENT_RECORD)
		map_set(&finding->record_of, call->form->object,
			(size_t)(call - finding->model->trace->calls));
	note_turn(group, thread, call);
	note_other(finding, group, thread, call);
	if (readbacks_is_copy(call)) {
		note_copy(finding, group, thread, call);
	} else if (call->operation) {
		note_enqueued(group, call);
		note_work(thread, call);
	} else if (group->readback != SIZE_MAX) {
		note_behind(finding, group, thread, call);
	}
	thread->waited =
		group->readback != SIZE_MAX &&
				finding->readbacks->all.items[group->readback].waiter == call
			? group->readback
			: SIZE_MAX;
	note_last(thread, call);
}

static uint32_t loop_of(const struct readbacks *readbacks, size_t line)
{
	while (readbacks->lines.items[line].loop != line)
		line = readbacks->lines.items[line].loop;
	return (uint32_t)line;
}

/* Joins each line with the one whose copy mostly comes before its own. */
static void find_loops(struct readbacks *readbacks)
{
	for (size_t i = 0; i < readbacks->lines.count; i++)
		readbacks->lines.items[i].loop = (uint32_t)i;
	for (size_t i = 0; i < readbacks->lines.count; i++) {
		const struct readback_line *line = &readbacks->lines.items[i];

		if (line->lead * 2 > line->count)
			readbacks->lines.items[loop_of(readbacks, i)].loop =
				loop_of(readbacks, line->after);
	}
	for (size_t i = 0; i < readbacks->lines.count; i++)
		readbacks->lines.items[i].loop = loop_of(readbacks, i);
}

struct readbacks readbacks_find(const struct model *model)
{
	const struct trace *trace = model->trace;
	struct readbacks readbacks = {0};
	struct finding finding = {.model = model, .readbacks = &readbacks};

	for (size_t i = 0; i < trace->host_function_count; i++)
		if (trace->host_functions[i].call)
			map_set(&finding.function_of,
				(uint64_t)(trace->host_functions[i].call - trace->calls), i);
	for (size_t i = 0; i < trace->call_count; i++)
		note_call(&finding, &trace->calls[i]);
	find_loops(&readbacks);
	told_kernels_free(&finding.told);
	map_free(&finding.record_of);
	map_free(&finding.function_of);
	map_free(&finding.thread_of);
	map_free(&finding.group_of);
	map_free(&finding.line_of);
	for (size_t i = 0; i < finding.groups.count; i++)
		vector_free(&finding.groups.items[i].kernels);
	vector_free(&finding.threads);
	vector_free(&finding.groups);
	return readbacks;
}

void readbacks_free(struct readbacks *readbacks)
{
	for (size_t i = 0; i < readbacks->lines.count; i++)
		vector_free(&readbacks->lines.items[i].told.kernels);
	vector_free(&readbacks->lines);
	vector_free(&readbacks->all);
}
