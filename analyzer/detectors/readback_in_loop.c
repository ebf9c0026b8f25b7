/*
 * WHAT: each step of a loop copies a few bytes to the host and waits for them (a loss, a norm, a
 *   residual: tensor.item(), float(x)). The device is idle then until the host has enqueued more.
 * EVIDENCE: a copy to the host of a page at most, made by the same line again and again; the host
 *   waited for it in the call or in the synchronize right after it; and what the thread enqueued
 *   from one such copy to the next was mostly the same, so that the value decided nothing in
 *   between.
 * COST: the host's time from the copy's call to the end of the copy.
 * FALSE POSITIVES: a value that decides what the next kernel is told (a bisection): numbers among
 *   launch arguments are not recorded. The low end keeps every read.
 */
#include "detectors/detector.h"
#include "detectors/host_wait.h"

#include "base/minmax.h"
#include "base/vector.h"

#include <assert.h>
#include <stdio.h>

/* A value that is read to look at it, not data to work on. */
#define MOST_BYTES 4096

/* Fewer steps are no loop. */
#define LEAST_STEPS 8

/* A copy to the host that a call waited for. */
struct readback {
	const struct trace_operation *copy;
	const struct trace_call *waiter; /* NULL: none so far */
	size_t line;			 /* index in readbacks.lines */
};

struct thread_steps {
	uint64_t step;	 /* what it enqueued since its last readback: a hash */
	size_t readback; /* its last, SIZE_MAX: none */
	bool is_behind;	 /* nothing was enqueued since */
};

/* The readbacks of one call stack. */
struct line {
	size_t count, equal_count; /* of them, those whose step was that of the one before */
	uint64_t step;
};

struct readbacks {
	VECTOR(struct readback) all;
	VECTOR(struct line) lines;
	VECTOR(struct thread_steps) threads;
	struct map line_of, thread_of; /* by site, by thread id */
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static size_t line_of(struct readbacks *readbacks, const struct trace_site *site)
{
	size_t found = map_find(&readbacks->line_of, (uint64_t)(uintptr_t)site);

	if (found != MAP_NONE)
		return found;
	found = readbacks->lines.count;
	*vector_add(&readbacks->lines) = (struct line){0};
	map_set(&readbacks->line_of, (uint64_t)(uintptr_t)site, found);
	return found;
}

static struct thread_steps *thread_of(struct readbacks *readbacks, const struct trace_call *call)
{
	size_t found = map_find(&readbacks->thread_of, call->thread_id);

	if (found == MAP_NONE) {
		found = readbacks->threads.count;
		*vector_add(&readbacks->threads) = (struct thread_steps){.readback = SIZE_MAX};
		map_set(&readbacks->thread_of, call->thread_id, found);
	}
	return &readbacks->threads.items[found];
}

static bool is_readback(const struct trace_call *call)
{
	const struct trace_operation *copy = call->operation;

	return copy && call->site && copy->kind == OPERATION_COPY && copy->engine == ENGINE_D2H &&
	       copy->size_bytes <= MOST_BYTES && call->function->class == CLASS_COPY;
}

static void note_readback(struct readbacks *readbacks, struct thread_steps *thread,
			  const struct trace_call *call)
{
	const struct trace_operation *copy = call->operation;
	size_t index = line_of(readbacks, call->site);
	struct line *line = &readbacks->lines.items[index];

	assert(readbacks->lines.items); /* line_of() added it */
	line->equal_count += line->count && line->step == thread->step;
	line->count++;
	line->step = thread->step;
	*vector_add(&readbacks->all) =
		(struct readback){copy, copy->end_ns <= call->end_ns ? call : NULL, index};
	*thread = (struct thread_steps){0, readbacks->all.count - 1, true};
}

static void note_call(struct readbacks *readbacks, const struct trace_call *call)
{
	struct thread_steps *thread = thread_of(readbacks, call);
	struct readback *last;

	if (is_readback(call)) {
		note_readback(readbacks, thread, call);
		return;
	}
	if (thread->is_behind && host_wait_is_sync(call)) {
		last = &readbacks->all.items[thread->readback];
		if (!last->waiter && last->copy->end_ns <= call->end_ns)
			last->waiter = call;
		return;
	}
	if (!call->operation)
		return;
	thread->is_behind = false;
	thread->step = mix(thread->step, (uint64_t)(uintptr_t)call->function);
	thread->step = mix(thread->step, (uint64_t)(uintptr_t)call->operation->name);
	thread->step = mix(thread->step, call->operation->blocks);
	thread->step = mix(thread->step, call->operation->size_bytes);
}

static void take(const struct readback *readback, struct instances *found)
{
	const struct trace_call *call = readback->copy->call;
	int64_t end_ns = min_ns(readback->copy->end_ns, readback->waiter->end_ns);
	struct span whole = {call->start_ns, readback->waiter->end_ns};

	if (end_ns <= call->start_ns)
		return;
	instance_add(found, (struct instance){.span = {call->start_ns, end_ns},
					      .reach = whole,
					      .reach_of_both = whole,
					      .site_call = call,
					      .call = readback->waiter,
					      .operation = readback->copy,
					      .is_doubtful = true,
					      .cause = readback->copy});
}

static void take_loops(struct readbacks *readbacks, struct instances *found)
{
	for (size_t i = 0; i < readbacks->all.count; i++) {
		const struct readback *readback = &readbacks->all.items[i];
		const struct line *line = &readbacks->lines.items[readback->line];

		if (readback->waiter && line->count >= LEAST_STEPS &&
		    line->equal_count * 4 >= line->count * 3)
			take(readback, found);
	}
}

static void find(const struct model *model, struct instances *found)
{
	const struct trace *trace = model->trace;
	struct readbacks readbacks = {0};

	for (size_t i = 0; i < trace->call_count; i++)
		note_call(&readbacks, &trace->calls[i]);
	take_loops(&readbacks, found);
	map_free(&readbacks.line_of);
	map_free(&readbacks.thread_of);
	vector_free(&readbacks.threads);
	vector_free(&readbacks.lines);
	vector_free(&readbacks.all);
}

/* Neither the copy nor the wait for it is there. The last read stays, which a later pass can have
 * found once more, and with DOUBT_KEEP all do. */
static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	for (size_t i = 0; i < count && doubt != DOUBT_KEEP; i++) {
		const struct instance *instance = &instances[i];

		if (instance->operation == instances[count - 1].operation)
			continue;
		edits_drop_operation(edits, model, instance->operation);
		edits_drop_call(edits, model, instance->operation->call);
		if (instance->call == instance->operation->call)
			continue;
		/* What the host does between the two calls is a part of the read, too. */
		edits_drop_call(edits, model, instance->call);
		edits_drop_work(edits, model, instance->call);
	}
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	char copy[160];
	struct format blocked;

	describe_operation(model, instance->operation, copy, sizeof(copy));
	snprintf(text, size, "the host waited %s for %s",
		 format_time(&blocked, instance->span.end_ns - instance->span.start_ns), copy);
}

const struct detector detector_readback_in_loop = {
	.id = "readback-in-loop",
	.title = "The host reads a small result back in each step and waits for it",
	.fix = "Keep the value on the device and read it once every n steps; or copy it to pinned "
	       "memory with cudaMemcpyAsync(), and look at it a step later behind an event.",
	.cost = "blocked",
	.find = find,
	.apply = apply,
	.describe = describe,
};
