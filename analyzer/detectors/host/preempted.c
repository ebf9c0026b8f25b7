/*
 * WHAT: the thread that feeds the GPU is ready to run and gets no processor, because other threads
 *   or processes have them all, or a container's quota is used up; the GPU has nothing to do
 *   meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart, or in a
 *   call that waited for nothing on the GPU. Snapshots of the host's threads (table host_states) show
 *   the thread in that time ready to run at a line, and by the kernel's count (schedstat) without a
 *   processor for a part of it, 100 us or more of a call, at least four times. That part counts.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the estimate is for a machine that always has a processor for the thread. Which
 *   other threads or processes ran, or whether a quota was used up, is not known.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "detectors/host/host_parts.h"
#include "replay/idle_pieces.h"
#include "replay/observed/evidence.h"

#include <stdlib.h>

/* A call in which the GPU was idle. */
struct idle_call {
	const struct trace_call *call;
	const struct trace_operation *operation;
	int64_t start_ns, idle_ns; /* of the first idle time, and of all */
};

typedef VECTOR(struct idle_call) idle_calls;

/* Pieces of a call come from its end to its start, one behind the other. */
static void note_call(void *context, const struct idle_piece *piece)
{
	idle_calls *calls = context;
	struct idle_call *last = calls->count ? &calls->items[calls->count - 1] : NULL;

	if (piece->cause != IDLE_LAUNCHING && piece->cause != IDLE_OTHER_CALLS)
		return;
	if (!last || last->call != piece->call) {
		last = vector_add(calls);
		*last = (struct idle_call){piece->call, piece->operation, 0, 0};
	}
	last->start_ns = piece->span.start_ns;
	last->idle_ns += piece->span.end_ns - piece->span.start_ns;
}

static int64_t ready_in_call(const struct observed *observed, const struct idle_call *idle)
{
	const struct trace_call *call = idle->call;
	const struct span span = {call->start_ns, call->end_ns};

	if (idle->idle_ns < SEQUENCE_WORK_NS || evidence_has_wait(observed->evidence, call))
		return 0;
	return host_thread_ready_ns(observed->model->host, call->form->thread_id, span);
}

/* By thread how many of its calls have 100 us or more: whichever call it is in, a processor is missing.
 * ready_ns: by index in calls. */
static struct map count_threads(const idle_calls *calls, const int64_t *ready_ns)
{
	struct map counts = {0};

	for (size_t i = 0; i < calls->count; i++) {
		const uint32_t thread_id = calls->items[i].call->form->thread_id;
		const size_t before = map_find(&counts, thread_id);

		if (ready_ns[i] >= SEQUENCE_WORK_NS)
			map_set(&counts, thread_id, before == MAP_NONE ? 1 : before + 1);
	}
	return counts;
}

static void find_in_calls(const struct observed *observed, struct instances *found)
{
	struct idle_walk *walk =
		idle_walk_create(observed->model, observed->timeline, observed->evidence);
	idle_calls calls = {0};
	struct map counts;
	int64_t *ready_ns;

	idle_walk_each(walk, IDLE_ALL_DEVICES, (struct span){0, INT64_MAX}, note_call, &calls);
	idle_walk_free(walk);
	ready_ns = memory_array(calls.count, sizeof(*ready_ns));
	for (size_t i = 0; i < calls.count; i++)
		ready_ns[i] = ready_in_call(observed, &calls.items[i]);
	counts = count_threads(&calls, ready_ns);
	for (size_t i = 0; i < calls.count; i++) {
		const struct idle_call *idle = &calls.items[i];
		const int64_t idle_ns = min_ns(idle->idle_ns, ready_ns[i]);

		if (ready_ns[i] >= SEQUENCE_WORK_NS &&
		    map_find(&counts, idle->call->form->thread_id) >= REPEAT_LEAST_TIMES)
			instance_add(found,
				     (struct instance){
					     .span = {idle->start_ns, idle->start_ns + idle_ns},
					     .site_call = idle->call,
					     .call = idle->call,
					     .operation = idle->operation,
					     .detail = INSTANCE_DETAIL(struct host_time,
								       .ns = ready_ns[i])});
	}
	map_free(&counts);
	free(ready_ns);
	vector_free(&calls);
}

static void find_preempted(const struct observed *observed, struct instances *found)
{
	host_parts_find(observed, HOST_KIND_PREEMPTED, found);
	if (observed->model->host)
		find_in_calls(observed, found);
}

static void describe_preempted(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	host_parts_describe(observed, instance, "without a processor", text, size);
}

const struct detector detector_preempted = {
	.id = "preempted",
	.title = "The thread that feeds the GPU gets no processor",
	.fix = "Run fewer threads and processes than there are processors: OMP_NUM_THREADS, "
	       "torch.set_num_threads(), fewer workers; or raise the container's limit.",
	.cost = "GPU idle",
	.pointers = {DETAIL_POINTER(struct host_time, since)},
	.find = find_preempted,
	.apply = host_parts_remove,
	.describe = describe_preempted,
};
