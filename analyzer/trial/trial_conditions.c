#include "trial/trial_conditions.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/search.h"
#include "races/host_orders.h"
#include "races/race_words.h"
#include "trace/texts.h"
#include "trial/trial_waits.h"

#include <stdlib.h>
#include <string.h>

/* The waits in question. */
struct waits {
	const struct analysis *analysis;
	const struct trace_call *const *calls;
	size_t count;
};

static bool has_call(const struct waits *waits, const struct trace_call *call)
{
	const size_t first = search(waits->count, i, waits->calls[i]->start_ns < call->start_ns);

	for (size_t i = first; i < waits->count && waits->calls[i]->start_ns == call->start_ns; i++)
		if (waits->calls[i] == call)
			return true;
	return false;
}

/* Why it is not known who relies on waits. malloc'ed; NULL: it is. */
static char *find_unknown(const struct analysis *analysis)
{
	const struct model_seen *seen = &analysis->observed.model->seen;
	const struct races *races = &analysis->races;
	struct format kernels;

	/* libstrace_try.so keeps the order of streams within a device. */
	if (analysis->observed.model->device_count > 1)
		return memory_format("what other devices do with its memory is not known");
	if (races->unseen)
		return memory_format("what relies on its wait is not known: %s", races->unseen);
	if (races->unjudged_launches)
		return memory_format("what relies on its wait is not known: %s",
				     races->graphs_unjudged
					     ? races->graphs_unjudged
					     : "graphs have nodes whose memory is not known");
	if (seen->unseen_kernels)
		return memory_format("what relies on its wait is not known: the memory of %s "
				     "kernels is not known",
				     format_count(&kernels, seen->unseen_kernels));
	return NULL;
}

/* libstrace_try.so lets each stream that the runtime's calls use wait for the copies of cudaMemcpy() before it. */
static bool keeps_order(const struct trace_call *wait, const struct trace_operation *second)
{
	return !strcmp(wait->form->function->name, "cudaMemcpy") && second && second->call &&
	       !second->call->form->via_driver_callback;
}

/* What only one of the waits orders, among accesses of the device. A block whose release waits for its own last use is
 * held until then. */
static char *find_race(const struct waits *waits)
{
	const struct races *races = &waits->analysis->races;

	for (size_t i = 0; i < races->count; i++) {
		const struct race *race = &races->items[i];

		if (race->luck && race->luck != race->release && has_call(waits, race->luck) &&
		    !keeps_order(race->luck, race->second))
			return race_sentence(waits->analysis->observed.model->trace, race);
	}
	return NULL;
}

/* Whether the host surely waited on purpose, before or right behind the call: before anything else is enqueued. */
static bool waits_on_purpose(const struct model *model, const struct host_orders *orders,
			     const struct trace_operation *result, const struct trace_call *call)
{
	const size_t next = search(model->operation_count, i,
				   model_enqueue_ns(model->operations[i].operation) < call->end_ns);

	return host_orders_has_sure_wait(
		orders, result,
		next < model->operation_count ? model_enqueue_ns(model->operations[next].operation)
					      : INT64_MAX);
}

/* A copy whose call returns when it is done. */
static bool waits_for_itself(const struct trace_operation *result)
{
	return result->form->kind == OPERATION_COPY &&
	       (!result->form->is_async || result->form->dst_kind == MEMORY_PAGEABLE);
}

/* Whether the moment, on a thread, is in one of the waits. */
static bool is_in_wait(const struct waits *waits, int64_t time_ns, uint32_t thread_id)
{
	size_t i = search(waits->count, k, waits->calls[k]->start_ns <= time_ns);

	while (i > 0 && waits->calls[i - 1]->form->thread_id != thread_id)
		i--;
	return i > 0 && waits->calls[i - 1]->end_ns >= time_ns;
}

/* The results and sources that were watched whole, and that the host did not touch before another wait than these covered them,
 * or before CUDA wrote others there: the map has their operations' addresses. */
static struct map find_untouched(const struct waits *waits)
{
	const struct trace *trace = waits->analysis->observed.model->trace;
	struct map unread = {0};

	for (size_t i = 0; i < trace->copy_watch_count; i++) {
		const struct trace_copy_watch *watch = &trace->copy_watches[i];

		const bool is_untouched = watch->kind == FIRST_USE_NEVER ||
					  watch->kind == FIRST_USE_OVERWRITTEN ||
					  (watch->kind == FIRST_USE_COVERED &&
					   !is_in_wait(waits, watch->end_ns, watch->thread_id));

		if (watch->copy && is_untouched &&
		    watch->watched_bytes == watch->copy->form->size_bytes)
			map_add(&unread, (uintptr_t)watch->copy, i);
	}
	return unread;
}

/* A copy that reads memory of the host after its call has returned. */
static bool reads_later(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_COPY && operation->form->engine == ENGINE_H2D &&
	       operation->form->src_kind == MEMORY_PINNED;
}

/* The first of the waits that told the host of the result, or that the source was read. NULL: none, or something else had
 * before. */
static const struct trace_call *find_teller(const struct waits *waits,
					    const struct host_orders *orders,
					    const struct trace_operation *result)
{
	const struct model *model = waits->analysis->observed.model;
	const int64_t enqueued_ns = model_enqueue_ns(result);
	size_t i = search(waits->count, k, waits->calls[k]->start_ns < enqueued_ns);

	if (!result->call || waits_for_itself(result) ||
	    (!model_result_bytes(model, result) && !reads_later(result)))
		return NULL;
	while (i < waits->count && waits->calls[i]->end_ns < result->end_ns)
		i++;
	if (i == waits->count || host_orders_luck(orders, result, waits->calls[i]->start_ns) ||
	    waits_on_purpose(model, orders, result, waits->calls[i]))
		return NULL;
	return waits->calls[i];
}

/* "only cudaFree at a.cu:40 waits for the results of cudaMemcpyAsync at a.cu:31"; "... until cudaMemcpyAsync at a.cu:31 has read
 * its source" */
static char *teller_sentence(const struct trace *trace, const struct trace_call *teller,
			     const struct trace_operation *result)
{
	const struct trace_call *call = race_call_of(result);
	const struct site at = site_describe(trace, teller->form->site, NULL);
	const struct site of = site_describe(trace, call->form->site, result->form->name);
	char *where = trace_text_site(trace, &at), *whence = trace_text_site(trace, &of);
	const bool is_source = reads_later(result);
	char *text = memory_format(
		"only %s at %s waits %s %s at %s%s", teller->form->function->name, where,
		is_source ? "until" : "for the results of", call->form->function->name, whence,
		is_source ? " has read its source" : "");

	free(whence);
	free(where);
	return text;
}

/* What the host may read, or write, only because one of the calls waited. */
static char *find_result(const struct waits *waits)
{
	const struct observed *observed = &waits->analysis->observed;
	struct host_orders *orders = host_orders_create(observed);
	struct map untouched = find_untouched(waits);
	char *text = NULL;

	for (size_t i = 0; i < observed->model->operation_count && !text; i++) {
		const struct trace_operation *result = observed->model->operations[i].operation;
		const struct trace_call *teller =
			map_find(&untouched, (uintptr_t)result) == MAP_NONE
				? find_teller(waits, orders, result)
				: NULL;

		if (teller)
			text = teller_sentence(observed->model->trace, teller, result);
	}
	host_orders_free(orders);
	map_free(&untouched);
	return text;
}

char *trial_conditions_unmet(const struct analysis *analysis, const struct trace_call *const *calls,
			     size_t count)
{
	const enum function_class class = calls[0]->form->function->class;
	const struct waits waits = {analysis, calls, count};
	char *text = find_unknown(analysis);

	if (!text && (class == CLASS_DEVICE_SYNC || class == CLASS_STREAM_SYNC))
		return trial_waits_unmet(analysis);
	/* A blocking copy waits for its stream before it reads the source; a fix reads it at once. */
	if (!text && class == CLASS_COPY && analysis->observed.model->trace->host_function_count)
		text = memory_format("a host function may write what it copies");
	if (!text)
		text = find_race(&waits);
	return text ? text : find_result(&waits);
}
