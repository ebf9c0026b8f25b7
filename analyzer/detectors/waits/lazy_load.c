/*
 * WHAT: kernels are loaded while the program already runs: CUDA loads a kernel's code, or its module,
 *   when the kernel is first launched, and that launch takes many times as long as later ones.
 * EVIDENCE: CUPTI's records of loading, inside the calls of launches, or right before a launch of the
 *   driver's (a linked-in cudart), which begins with it then. They came after the thread had
 *   begun to repeat itself: it had launched a kernel again behind a wait for the first. And loads lie
 *   between at least four pairs of its waits: what is loaded at the start of the work is not
 *   reported.
 * COST: the time in these launches. The fix takes off what the records say; the high end leaves them
 *   what launches without loading take.
 * FALSE POSITIVES: loading before the loop takes the same time there: it is gained where the loop is
 *   what counts, or where the device has other work then.
 */
#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/evidence/host_wait.h"
#include "replay/observed/evidence.h"

#include <stdio.h>
#include <stdlib.h>

/* A thread with loads, in a pass over all calls. */
struct thread {
	uint64_t waits;	     /* so far */
	uint64_t load_waits; /* waits by its last load, plus one; 0: none so far */
	bool is_steady;
};

struct passing {
	const struct observed *observed;
	struct map loading;    /* index in trace.calls to ns of loading in it */
	size_t end_at;	       /* behind the last of those calls */
	struct map thread_ids; /* to threads */
	VECTOR(struct thread) threads;
	struct map launched; /* kernel and thread to the waits by then */
	struct map claimed;  /* calls that are stack-resize's */
	struct instances loads;
	size_t times; /* pairs of waits with loads between them */
};

static void find_loading(struct passing *passing)
{
	const struct trace *trace = passing->observed->model->trace;
	uint32_t *calls = trace_loading_calls(trace);

	for (size_t i = 0; i < trace->overhead_count; i++) {
		const struct trace_overhead *overhead = &trace->overheads[i];
		size_t before;

		if (!overhead->is_loading || calls[i] == TRACE_NO_CALL)
			continue;
		passing->end_at = calls[i] >= passing->end_at ? calls[i] + 1 : passing->end_at;
		before = map_find(&passing->loading, calls[i]);
		map_set(&passing->loading, calls[i],
			(before == MAP_NONE ? 0 : before) +
				(size_t)(min_ns(overhead->end_ns, trace->calls[calls[i]].end_ns) -
					 overhead->start_ns));
		if (map_find(&passing->thread_ids, overhead->thread_id) != MAP_NONE)
			continue;
		map_add(&passing->thread_ids, overhead->thread_id, passing->threads.count);
		*vector_add(&passing->threads) = (struct thread){0};
	}
	free(calls);
}

/* Launches that waited for more than loading. */
static void find_claimed(struct passing *passing)
{
	struct instances waits = {0};

	detector_stack_resize.find(passing->observed, &waits);
	for (size_t i = 0; i < waits.count; i++)
		map_set(&passing->claimed,
			(uint64_t)(waits.items[i].call - passing->observed->model->trace->calls),
			i);
	free(waits.items);
}

static bool is_wait(const struct observed *observed, const struct trace_call *call)
{
	return host_wait_is_sync(call) || ((call->form->function->class == CLASS_COPY ||
					    call->form->function->class == CLASS_SET) &&
					   evidence_of(observed->evidence, call).cause);
}

/* A kernel that the thread had launched before its last wait: it repeats itself. */
static void note_launch(struct passing *passing, struct thread *thread, size_t index,
			const struct trace_call *call)
{
	uint64_t key = (uint64_t)(uintptr_t)call->operation->form->name << 16 ^ index;
	size_t before = map_find(&passing->launched, key);

	if (before == MAP_NONE)
		map_add(&passing->launched, key, thread->waits);
	else if (before < thread->waits)
		thread->is_steady = true;
}

/* Of an instance: its call took so long for loading, and takes so long without. */
struct load {
	int64_t loading_ns, own_ns;
};

static void note_load(struct passing *passing, struct thread *thread, const struct trace_call *call,
		      int64_t time_ns)
{
	passing->times += thread->load_waits != thread->waits + 1;
	thread->load_waits = thread->waits + 1;
	instance_add(&passing->loads,
		     (struct instance){.span = {call->start_ns, call->end_ns},
				       .site_call = call,
				       .call = call,
				       .operation = call->operation,
				       .detail = INSTANCE_DETAIL(struct load, time_ns, 0)});
}

static void pass_call(struct passing *passing, size_t at)
{
	const struct trace_call *call = &passing->observed->model->trace->calls[at];
	size_t index = map_find(&passing->thread_ids, call->form->thread_id);
	struct thread *thread;
	size_t time_ns;

	if (index == MAP_NONE)
		return;
	thread = &passing->threads.items[index];
	if (is_wait(passing->observed, call))
		thread->waits++;
	if (call->form->function->class != CLASS_LAUNCH || !call->operation ||
	    !call->operation->form->name)
		return;
	time_ns = map_find(&passing->loading, at);
	if (time_ns != MAP_NONE && thread->is_steady && map_find(&passing->claimed, at) == MAP_NONE)
		note_load(passing, thread, call, (int64_t)time_ns);
	note_launch(passing, thread, index, call);
}

static int64_t typical_ns(const struct passing *passing)
{
	const struct trace *trace = passing->observed->model->trace;
	int64_t *times = memory_array(passing->end_at, sizeof(*times)), median;
	size_t count = 0;

	for (size_t i = 0; i < passing->end_at; i++)
		if (trace->calls[i].form->function->class == CLASS_LAUNCH &&
		    map_find(&passing->loading, i) == MAP_NONE &&
		    !evidence_of(passing->observed->evidence, &trace->calls[i]).cause)
			times[count++] = trace->calls[i].end_ns - trace->calls[i].start_ns;
	median = count < TYPICAL_LEAST_TIMES ? INT64_MAX : median_ns(times, count);
	free(times);
	return median;
}

static void add_loads(const struct passing *passing, struct instances *found)
{
	int64_t own_ns = typical_ns(passing);

	for (size_t i = 0; i < passing->loads.count; i++) {
		struct instance instance = passing->loads.items[i];
		struct load load = instance_detail(&instance, struct load);

		load.own_ns =
			min_ns(own_ns, max_ns(0, instance.span.end_ns - instance.span.start_ns -
							 load.loading_ns));
		instance.detail = INSTANCE_DETAIL_OF(load);
		instance_add(found, instance);
	}
}

static void find_lazy_loads(const struct observed *observed, struct instances *found)
{
	struct passing passing = {.observed = observed};

	find_loading(&passing);
	if (passing.threads.count)
		find_claimed(&passing);
	for (size_t i = 0; i < passing.end_at; i++)
		pass_call(&passing, i);
	if (passing.times >= REPEAT_LEAST_TIMES)
		add_loads(&passing, found);
	free(passing.loads.items);
	map_free(&passing.claimed);
	map_free(&passing.launched);
	vector_free(&passing.threads);
	map_free(&passing.thread_ids);
	map_free(&passing.loading);
}

/* A kernel's first launch takes longer for other reasons than loading, too; one is the tracer,
 * which asks for the kernel's parameters. */
static void fix_lazy_loads(const struct observed *observed, const struct instance *instances,
			   size_t count, enum doubt doubt, struct edits *edits)
{
	for (size_t i = 0; i < count; i++) {
		const struct trace_call *call = instances[i].call;
		struct load load = instance_detail(&instances[i], struct load);
		int64_t own_ns = load.own_ns;
		int64_t rest_ns = call->end_ns - call->start_ns - load.loading_ns;

		edits_set_call_time(edits, observed->model, call,
				    doubt == DOUBT_DROP ? own_ns : max_ns(own_ns, rest_ns));
		if (doubt != DOUBT_KEEP && evidence_of(observed->evidence, call).cause)
			edits_drop_wait(edits, observed->model, call);
	}
}

static void describe_lazy_load(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	const struct trace_call *call = instance->call;
	struct load load = instance_detail(instance, struct load);
	struct format time, loading, own;
	char kernel[160];

	snprintf(text, size,
		 "the first launch of %s took %s, %s of it to load code; others take %s",
		 describe_operation(observed->model, instance->operation, kernel, sizeof(kernel)),
		 format_time(&time, call->end_ns - call->start_ns),
		 format_time(&loading, load.loading_ns), format_time(&own, load.own_ns));
}

static bool price_of_lazy_load(const struct model *model, const struct instance *instances,
			       size_t count, int64_t saved_ns, char *text, size_t size)
{
	struct format time;
	int64_t all_ns = 0;

	(void)model;
	(void)saved_ns;
	for (size_t i = 0; i < count; i++)
		all_ns += instance_detail(&instances[i], struct load).loading_ns;
	snprintf(text, size, "the program loads for %s before its loop",
		 format_time(&time, all_ns));
	return true;
}

const struct detector detector_lazy_load = {
	.id = "lazy-load",
	.title = "Kernels are loaded by their first launches, while the program already runs",
	.fix = "Load them before the loop: cudaFuncGetAttributes(&attributes, kernel) for each, or "
	       "a launch in the warm-up. Or set CUDA_MODULE_LOADING=EAGER in the environment, "
	       "which loads all kernels at the start.",
	.cost = "launching",
	.low_end = "the launch may wait for the work before it once the code is loaded, too",
	.find = find_lazy_loads,
	.apply = fix_lazy_loads,
	.describe = describe_lazy_load,
	.price = price_of_lazy_load,
};
