#include "detectors/copies/pageable_copies.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/copies/copies_ahead.h"
#include "detectors/copies/kept_sources.h"
#include "detectors/evidence/copy_runs.h"
#include "trace/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t pageable_host_address(const struct trace_operation *operation)
{
	return operation->form->engine == ENGINE_D2H ? operation->call->form->dst
						     : operation->call->form->src;
}

/* As in struct pageable_copy. */
static const struct trace_call *find_sync(const struct trace *trace, const struct trace_call *call)
{
	const struct trace_call *next = call + 1, *end = trace->calls + trace->call_count;
	struct site site, next_site;

	while (next < end && next->form->thread_id != call->form->thread_id)
		next++;
	if (next == end || next->form->function->class != CLASS_STREAM_SYNC || !call->form->site)
		return NULL;
	site = site_describe(trace, call->form->site, NULL);
	next_site = site_describe(trace, next->form->site, NULL);
	return site.line && !site_compare(&site, &next_site) ? next : NULL;
}

/* before: the call of the copy before it to the same host address, or NULL. */
static void add_copy(const struct model *model, const struct model_operation *item,
		     const struct trace_call *before, struct instances *found)
{
	const struct trace_operation *operation = item->operation;
	const struct trace_call *call = operation->call;
	const struct model_blocker stream = model_blocker_at(model, item->stream);
	/* The call and the copy become shorter, whichever ends last. */
	struct span reach = {call->start_ns, max_ns(operation->end_ns, call->end_ns)};
	bool is_fresh = !before && operation->form->engine == ENGINE_D2H &&
			pageable_host_address(operation);

	instance_add(
		found,
		(struct instance){
			.span = {call->start_ns, min_ns(operation->end_ns, call->end_ns)},
			.reach = reach,
			.reach_of_both = reach,
			.site_call = call,
			.operation = operation,
			.cause = stream.until_ns > call->start_ns ? stream.operation : NULL,
			.call = call,
			.detail = INSTANCE_DETAIL(struct pageable_copy, .is_fresh = is_fresh,
						  .sync = operation->form->is_async
								  ? find_sync(model->trace, call)
								  : NULL,
						  .before = before),
		});
}

/* Whether the host may still need to wait for the copy once its memory is pinned: to read what a
 * D2H copy brought, or to overwrite what an H2D copy read and a later one reads again. */
static bool may_be_used(const struct instance *instance)
{
	return instance->operation->form->engine == ENGINE_D2H ||
	       pageable_copy_of(instance).is_reused;
}

/* Whether the host has not had the time for that, or need not: then the call returns at once. */
static bool returns_at_once(const struct model *model, const struct instance *instance,
			    enum doubt doubt)
{
	const struct trace_operation *operation = instance->operation;

	if (!operation->form->is_async)
		return false;
	if (!may_be_used(instance))
		return true;
	return doubt != DOUBT_KEEP &&
	       (doubt != DOUBT_WEIGH || pageable_copy_of(instance).is_kept ||
		detector_host_bytes(model, instance->call) < operation->form->size_bytes);
}

/* Marks the H2D copies whose memory a later copy reads again: the host may have written it in
 * between. */
static void find_reused(const struct model *model, const struct kept_sources *kept,
			struct instances *found)
{
	struct map sources = {0};

	for (size_t i = found->count; i-- > 0;) {
		struct instance *instance = &found->items[i];
		struct pageable_copy copy = pageable_copy_of(instance);

		copy.is_reused = !instance->call->form->src ||
				 !map_add(&sources, instance->call->form->src, i);
		copy.is_kept = instance->operation->form->engine == ENGINE_H2D &&
			       kept_sources_have(kept, instance->operation);
		instance->detail = INSTANCE_DETAIL_OF(copy);
		instance->takes_other_fix = instance->operation->form->is_async &&
					    !returns_at_once(model, instance, DOUBT_WEIGH);
	}
	map_free(&sources);
}

/* Whether the call was there for the copy, or for most of it. A cudaMemcpy() that was staged and
 * returned before would wait longer with pinned memory. */
static bool is_blocking(const struct trace_operation *operation)
{
	int64_t half_ns = (operation->end_ns - operation->start_ns) / 2;

	return operation->start_ns + (operation->form->is_async ? 0 : half_ns) <
	       operation->call->end_ns;
}

/* The call of the last copy to or from the host memory of this one, which then is the last. */
static const struct trace_call *pass_address(struct map *used, const struct trace *trace,
					     const struct trace_operation *operation)
{
	uint64_t address = pageable_host_address(operation);
	size_t before = map_find(used, address);

	map_set(used, address, (size_t)(operation->call - trace->calls));
	return before == MAP_NONE || !address ? NULL : &trace->calls[before];
}

static void find_all(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	struct map used = {0}; /* host addresses of copies so far to their calls */
	struct kept_sources kept = {0};
	struct copy_runs runs = copy_runs_find(observed);

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		const struct trace_call *before;

		if (operation->form->kind != OPERATION_COPY || !operation->call ||
		    (operation->form->engine != ENGINE_H2D &&
		     operation->form->engine != ENGINE_D2H))
			continue;
		before = pass_address(&used, model->trace, operation);
		if (operation->form->engine == ENGINE_H2D)
			kept_sources_pass(&kept, operation);
		if (rates_is_pageable(operation) && is_blocking(operation) &&
		    !copy_runs_have(&runs, model, operation))
			add_copy(model, &model->operations[i], before, found);
	}
	copy_runs_free(&runs);
	map_free(&used);
	find_reused(model, &kept, found);
	kept_sources_free(&kept);
}

void pageable_find(const struct observed *observed, bool is_async, struct instances *found)
{
	struct instances all = {0};

	find_all(observed, &all);
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].operation->form->is_async == is_async)
			instance_add(found, all.items[i]);
	free(all.items);
}

int64_t pageable_fault_ns(const struct model *model, const struct trace_operation *operation)
{
	struct copy_rate rate = rates_of_faults(model->trace);

	return rate.source == RATE_UNKNOWN
		       ? 0
		       : rates_copy_ns(rate, operation->form->size_bytes, RATE_LIKELY);
}

/* Whether the copy went to new memory, by its time: with the staging that ends its call. Where it is
 * not known what that takes, whether it may have: one that took less than the faults did not. */
bool pageable_is_to_new(const struct model *model, const struct instance *instance)
{
	const struct trace_operation *operation = instance->operation;
	struct copy_rate staging = rates_of_staging(model->trace);
	int64_t took_ns = max_ns(operation->end_ns, operation->call->end_ns) - operation->start_ns;
	int64_t faults_ns = pageable_fault_ns(model, operation);

	if (operation->form->engine != ENGINE_D2H)
		return false;
	if (staging.source == RATE_UNKNOWN || !faults_ns)
		return pageable_copy_of(instance).is_fresh &&
		       operation->end_ns - operation->start_ns >= faults_ns;
	return operation->form->size_bytes >= COPY_LARGE_BYTES &&
	       took_ns >= rates_copy_ns(staging, operation->form->size_bytes, RATE_LIKELY) +
				  faults_ns / 2;
}

/* The memory was given back since the copy before: in the longest time that the host had for it
 * between the next calls. */
static void drop_unmapping(const struct model *model, const struct instance *instance,
			   struct edits *edits)
{
	struct copy_rate rate = rates_of_unmapping(model->trace);
	const struct trace_call *call = instance->call, *before = pageable_copy_of(instance).before;
	const struct trace_call *last = before, *chosen = NULL;
	int64_t longest_ns = 0, unmap_ns;

	if (!before || rate.source == RATE_UNKNOWN || !pageable_is_to_new(model, instance))
		return;
	unmap_ns = rates_copy_ns(rate, instance->operation->form->size_bytes, RATE_LIKELY);
	for (size_t i = 1; i <= UNMAP_MOST_CALLS && before + i <= call; i++) {
		const struct trace_call *next = before + i;

		if (next->form->thread_id != call->form->thread_id)
			continue;
		if (next->start_ns - last->end_ns > longest_ns) {
			longest_ns = next->start_ns - last->end_ns;
			chosen = next;
		}
		if (next->end_ns > last->end_ns)
			last = next;
	}
	if (chosen)
		edits_shorten_work(edits, model, chosen, min_ns(unmap_ns, longest_ns));
}

/* With the copy's wait goes that of its line behind it, which is for the same copy. */
static void drop_waits(const struct model *model, const struct instance *instance,
		       struct edits *edits)
{
	const struct trace_call *sync = pageable_copy_of(instance).sync;

	edits_drop_wait(edits, model, instance->call);
	if (sync)
		edits_drop_call(edits, model, sync);
}

static void pin_copies(const struct model *model, const struct instance *instances, size_t count,
		       enum doubt doubt, struct edits *edits)
{
	edits->pinned_end = doubt == DOUBT_KEEP	   ? RATE_SLOWEST
			    : doubt == DOUBT_WEIGH ? RATE_LIKELY
						   : RATE_FASTEST;
	for (size_t i = 0; i < count; i++) {
		if (pageable_copy_of(&instances[i]).filled_ns) {
			if (doubt != DOUBT_KEEP)
				edits_shorten_work(edits, model, instances[i].call,
						   pageable_copy_of(&instances[i]).filled_ns);
			continue;
		}
		edits_pin(edits, model, instances[i].operation);
		if (returns_at_once(model, &instances[i], doubt))
			drop_waits(model, &instances[i], edits);
		if (doubt != DOUBT_KEEP)
			drop_unmapping(model, &instances[i], edits);
	}
}

void pageable_apply(const struct observed *observed, const struct instance *instances, size_t count,
		    enum doubt doubt, struct edits *edits)
{
	pin_copies(observed->model, instances, count, doubt, edits);
	if (doubt != DOUBT_KEEP)
		copies_ahead_apply(observed->model, instances, count, edits);
}

bool pageable_apply_alone(const struct observed *observed, const struct instance *instances,
			  size_t count, struct edits *edits)
{
	pin_copies(observed->model, instances, count, DOUBT_WEIGH, edits);
	return copies_ahead_bytes(instances, count);
}

void pageable_assume(const struct instance *instances, size_t count, char *text, size_t size)
{
	uint64_t bytes = copies_ahead_bytes(instances, count);
	struct format format;

	text[0] = 0;
	if (bytes)
		snprintf(
			text, size,
			"with each copy issued one step ahead, in a second, non-blocking stream "
			"and to a second device buffer (%s); the kernels' stream waits for it with "
			"cudaStreamWaitEvent()",
			format_bytes(&format, bytes));
}

static void describe_fresh(const struct model *model, const struct instance *instance, char *text,
			   size_t size)
{
	size_t used = strlen(text);
	int64_t time_ns = pageable_fault_ns(model, instance->operation);
	struct format time;

	if (!pageable_is_to_new(model, instance) || used >= size)
		return;
	if (pageable_copy_of(instance).is_fresh)
		snprintf(text + used, size - used, ", to memory that no copy used before%s%s%s",
			 time_ns > 0 ? ": " : "", time_ns > 0 ? format_time(&time, time_ns) : "",
			 time_ns > 0 ? " of it were page faults" : "");
	else
		snprintf(text + used, size - used, ", %s%snewly allocated each time",
			 time_ns > 0 ? format_time(&time, time_ns) : "",
			 time_ns > 0 ? " of it page faults: " : "as slow as to memory ");
}

void pageable_describe(const struct observed *observed, const struct instance *instance, char *text,
		       size_t size)
{
	const struct model *model = observed->model;
	const struct trace_operation *operation = instance->operation;
	char copy[64], before[160];
	struct format earlier, own;

	describe_operation(model, operation, copy, sizeof(copy));
	if (pageable_copy_of(instance).filled_ns) {
		snprintf(text, size,
			 "host busy for %s before the %s: %s copied into a pinned "
			 "buffer of its own first",
			 format_time(&own, pageable_copy_of(instance).filled_ns), copy,
			 framework_name(framework_of(instance->call->form->site)));
		return;
	}
	format_time(&own, instance->span.end_ns - operation->start_ns);
	format_time(&earlier, operation->start_ns - instance->span.start_ns);
	if (instance->cause)
		snprintf(text, size, "%s blocked the host: %s behind %s, %s copying", copy,
			 earlier.text,
			 describe_cause(model, instance->cause, before, sizeof(before)), own.text);
	else
		snprintf(text, size, "%s blocked the host: %s until it started, %s copying", copy,
			 earlier.text, own.text);
	describe_fresh(model, instance, text, size);
}

struct cause pageable_cause(const struct model *model, const struct instance *instance)
{
	return cause_of_host_memory(pageable_host_address(instance->operation),
				    instance->operation->form->size_bytes);
}
