#include "detectors/evidence/host_wait.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "detectors/evidence/framework_work.h"
#include "detectors/evidence/time_reads.h"
#include "model/order.h"
#include "replay/observed/evidence.h"

#include <stdio.h>
#include <string.h>

bool host_wait_is_sync(const struct trace_call *call)
{
	return call->form->function->class == CLASS_DEVICE_SYNC ||
	       call->form->function->class == CLASS_STREAM_SYNC ||
	       call->form->function->class == CLASS_EVENT_SYNC;
}

static uint64_t add_bytes(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static const struct trace_operation *later_to_end(const struct trace_operation *a,
						  const struct trace_operation *b)
{
	return !a || (b && b->end_ns > a->end_ns) ? b : a;
}

/* What is known of the results of a wait while they are gone through. */
struct results {
	uint64_t most_bytes; /* that the host had the time for */
	uint64_t sum_bytes;  /* of those of which no more is known */
	const struct trace_operation *first_guess, *last_guess, *last_used;
};

static void guess_result(struct host_wait *wait, const struct trace_operation *result,
			 uint64_t bytes, struct results *results)
{
	results->sum_bytes = add_bytes(results->sum_bytes, bytes);
	results->last_guess = later_to_end(results->last_guess, result);
	if (bytes > results->most_bytes)
		return;
	wait->is_read = true;
	if (!results->first_guess || result->end_ns <= results->first_guess->end_ns)
		results->first_guess = result;
}

static void add_result(const struct model *model, struct host_wait *wait,
		       const struct trace_operation *result, struct results *results)
{
	uint64_t bytes = model_result_bytes(model, result);
	enum first_use_answer answer = first_use_ask(model, wait->call, wait->next, result);

	if (!bytes || answer == FIRST_USE_NOT_NEEDED)
		return;
	wait->has_result = true;
	wait->last_result = later_to_end(wait->last_result, result);
	if (answer == FIRST_USE_UNKNOWN) {
		guess_result(wait, result, bytes, results);
	} else if (answer == FIRST_USE_NEEDED) {
		wait->is_read = wait->is_used = true;
		results->last_used = later_to_end(results->last_used, result);
	}
}

/* Whether the copy's own call has given the host the result before: it returns when the copy is
 * done. */
static bool was_given(const struct host_wait *wait, const struct trace_operation *result)
{
	const struct trace_call *call = result->call;

	return call && call->form->thread_id == wait->call->form->thread_id &&
	       call->end_ns <= wait->call->start_ns && call->form->function->class == CLASS_COPY &&
	       result->end_ns <= call->end_ns &&
	       (!result->form->is_async || result->form->dst_kind == MEMORY_PAGEABLE);
}

/* The results that the call let the host read, its own copy among them. */
static void find_results(const struct model *model, struct host_wait *wait)
{
	struct results results = {.most_bytes = detector_host_bytes(model, wait->call)};
	const struct trace_operation *own = wait->call->operation, *result;
	size_t cursor = SIZE_MAX;

	wait->work = model_work_between(model, wait->since, wait->call);
	first_use_label_begin(&wait->label);
	if (own) {
		add_result(model, wait, own, &results);
		first_use_label_add(&wait->label, model, wait->call, wait->next, own);
	}
	while ((result = model_result_before(model, wait->since, wait->call, &cursor))) {
		if (was_given(wait, result))
			continue;
		add_result(model, wait, result, &results);
		first_use_label_add(&wait->label, model, wait->call, wait->next, result);
	}
	/* Of results whose use is only guessed, the first counts as the one read, unless there was
	 * time for all. */
	wait->needed = later_to_end(results.last_used, results.sum_bytes <= results.most_bytes
							       ? results.last_guess
							       : results.first_guess);
}

static int64_t ends_in(const struct trace_operation *cause, const struct trace_call *call)
{
	return min_ns(cause->end_ns, call->end_ns);
}

/* A pass over the calls that wait. */
struct passing {
	const struct observed *observed;
	bool (*is_judged)(const struct trace_call *call);
	struct map last_waits; /* thread to index of its call */
	struct map time_reads; /* wait to read */
	size_t next;	       /* index of a call */
};

/* The next call that is judged and that more work follows, *wait but for its results; false: there
 * is none. */
static bool next_judged(struct passing *passing, struct host_wait *wait)
{
	const struct model *model = passing->observed->model;
	const struct trace_call *calls = model->trace->calls;

	while (passing->next < model->trace->call_count) {
		size_t i = passing->next++;
		const struct trace_call *call = &calls[i];
		bool is_judged = passing->is_judged(call);
		size_t last = map_find(&passing->last_waits, call->form->thread_id);

		if (!is_judged && !host_wait_is_sync(call))
			continue;
		*wait = (struct host_wait){.call = call};
		wait->cause = evidence_of(passing->observed->evidence, call).cause;
		if (wait->cause && call->operation && call->operation->end_ns <= call->end_ns)
			wait->cause = call->operation;
		if (!wait->cause && !host_wait_is_sync(call))
			continue;
		map_set(&passing->last_waits, call->form->thread_id, i);
		wait->next = is_judged ? model_next_of_thread(model, call) : NULL;
		wait->since = last == MAP_NONE ? NULL : &calls[last];
		last = map_find(&passing->time_reads, i);
		wait->reads_time = last == MAP_NONE ? NULL : &calls[last];
		if (wait->next)
			return true;
	}
	map_free(&passing->last_waits);
	map_free(&passing->time_reads);
	return false;
}

void host_wait_each(const struct observed *observed,
		    bool (*is_judged)(const struct trace_call *call),
		    void (*take)(const struct model *model, const struct host_wait *wait,
				 struct instances *found),
		    struct instances *found)
{
	const struct model *model = observed->model;
	struct passing passing = {.observed = observed,
				  .is_judged = is_judged,
				  .time_reads = time_reads_find(model->trace)};
	struct host_wait wait;

	while (next_judged(&passing, &wait)) {
		if (!wait.cause)
			continue;
		wait.span = (struct span){wait.call->start_ns, ends_in(wait.cause, wait.call)};
		find_results(model, &wait);
		take(model, &wait, found);
	}
}

/* What takes longer than twice what its like do has waited for something that is not seen. */
static bool is_idle(const struct observed *observed, const struct host_wait *wait)
{
	struct evidence_split split;

	if (wait->cause)
		return false;
	split = evidence_of(observed->evidence, wait->call).split;
	return split.unexplained_ns <= split.own_ns && wait->call->end_ns > wait->call->start_ns;
}

void host_wait_add_idle(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	struct passing passing = {.observed = observed, .is_judged = host_wait_is_sync};
	struct map sites = {0};
	struct host_wait wait;

	for (size_t i = 0; i < found->count; i++)
		if (found->items[i].call->form->site)
			map_add(&sites,
				(uint64_t)(found->items[i].call->form->site - model->trace->sites),
				i);
	while (sites.count && next_judged(&passing, &wait)) {
		const struct trace_site *site = wait.call->form->site;

		if (!site || map_find(&sites, (uint64_t)(site - model->trace->sites)) == MAP_NONE ||
		    !is_idle(observed, &wait))
			continue;
		wait.span = (struct span){wait.call->start_ns, wait.call->start_ns};
		find_results(model, &wait);
		if (!wait.has_result)
			instance_add(found, host_wait_instance(&wait));
	}
	map_free(&sites);
}

bool host_wait_is_repeated(const struct host_wait *wait)
{
	const struct trace_operation *next = wait->next;

	return order_is_behind(next->form->stream, wait->cause->form->stream) &&
	       next->form->kind == OPERATION_COPY && !next->form->is_async &&
	       next->end_ns <= next->call->end_ns;
}

void host_wait_doubt(const struct model *model, const struct host_wait *wait,
		     struct instances *found)
{
	if (!wait->is_used)
		instance_add_doubtful(found, model->trace, wait->span.start_ns,
				      wait->span.end_ns - wait->span.start_ns);
}

bool host_wait_is_for_clock(const struct model *model, const struct host_wait *wait,
			    struct instances *found)
{
	if (!wait->call->form->is_timed)
		return false;
	instance_add_timed(found, model->trace, wait->span.start_ns,
			   wait->span.end_ns - wait->span.start_ns);
	return true;
}

struct instance host_wait_instance(const struct host_wait *wait)
{
	struct span whole = {wait->call->start_ns, wait->call->end_ns};

	/* With the wait goes the call's way back from it. */
	return (struct instance){.span = wait->span,
				 .reach = whole,
				 .reach_of_both = whole,
				 .site_call = wait->call,
				 .operation = wait->next,
				 .cause = wait->cause,
				 .call = wait->call,
				 .is_doubtful = wait->has_result,
				 .detail = INSTANCE_DETAIL(struct host_waited, .work = wait->work,
							   .label = wait->label)};
}

bool host_wait_is_wide(const struct model *model, const struct host_wait *wait,
		       const struct trace_operation **needed)
{
	const struct trace_stream *stream;

	if (wait->call->form->function->class == CLASS_STREAM_SYNC) {
		stream = model_stream_of(model, wait->call);
		if (!stream || stream->flag != STREAM_NULL)
			return false;
	} else if (wait->call->form->function->class != CLASS_DEVICE_SYNC) {
		return false;
	}
	if (!wait->is_read)
		return false;
	*needed = wait->needed;
	return (*needed)->end_ns < wait->span.end_ns &&
	       (*needed)->form->stream != wait->cause->form->stream;
}

void host_wait_take(const struct model *model, const struct host_wait *wait,
		    struct instances *found)
{
	if (wait->is_read)
		host_wait_doubt(model, wait, found);
	else if (!host_wait_is_for_clock(model, wait, found))
		instance_add(found, host_wait_instance(wait));
}

void host_wait_fix(const struct observed *observed, const struct instance *instances, size_t count,
		   enum doubt doubt, struct edits *edits)
{
	for (size_t i = 0; i < count; i++)
		if (!instances[i].host_function &&
		    (doubt != DOUBT_KEEP || !instances[i].is_doubtful))
			edits_drop_call(edits, observed->model, instances[i].call);
	if (doubt != DOUBT_KEEP)
		framework_work_leave_out(observed->model, instances, count, doubt, edits);
}

void host_wait_describe(const struct observed *observed, const struct instance *instance,
			char *text, size_t size)
{
	struct first_use_label label = host_waited_of(instance).label;
	char next[160];
	struct format later;
	int64_t gap_ns = instance->operation->start_ns - instance->span.end_ns;

	if (!instance->cause) {
		snprintf(text, size, "%s took %s with nothing to wait for",
			 instance->call->form->function->name,
			 format_time(&later, instance->call->end_ns - instance->call->start_ns));
		return;
	}
	describe_call(observed, instance->call, text, size);
	snprintf(text + strlen(text), size - strlen(text), "; %s started %s later",
		 describe_cause(observed->model, instance->operation, next, sizeof(next)),
		 format_time(&later, gap_ns > 0 ? gap_ns : 0));
	describe_first_use(observed->model, &label, text, size);
}
