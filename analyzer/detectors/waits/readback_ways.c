#include "detectors/waits/readback_ways.h"

#include "base/memory.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "detectors/waits/host_reads.h"

#include <stdlib.h>

bool readback_ways_has(const struct instance *instances, size_t count)
{
	bool has_ways = true;

	for (size_t i = 0; i < count; i++)
		has_ways &= !host_read_of(&instances[i]).told &&
			    !host_read_of(&instances[i]).is_value && !instances[i].takes_other_fix;
	return has_ways;
}

/* The reads of a line, by the line's site. */
struct line_reads {
	struct map last, counts; /* index of its last instance; how many there were */
};

static size_t next_of_line(struct line_reads *lines, const struct instance *instance, size_t index,
			   size_t *before)
{
	uint64_t site = (uint64_t)(uintptr_t)instance->site_call->form->site;
	size_t count = map_find(&lines->counts, site);

	*before = map_find(&lines->last, site);
	count = count == MAP_NONE ? 0 : count;
	map_set(&lines->last, site, index);
	map_set(&lines->counts, site, count + 1);
	return count;
}

static void free_lines(struct line_reads *lines)
{
	map_free(&lines->last);
	map_free(&lines->counts);
}

bool readback_ways_rarely(const struct observed *observed, const struct instance *instances,
			  size_t count, struct edits *edits)
{
	struct host_read_work work;
	struct line_reads lines = {0};
	size_t before;

	if (!readback_ways_has(instances, count))
		return false;
	work = host_read_work_around(instances, count);
	for (size_t i = 0; i + 1 < count; i++)
		if ((next_of_line(&lines, &instances[i], i, &before) + 1) % READBACK_EACH)
			host_read_drop(observed->model, &instances[i], &work, DOUBT_WEIGH, edits);
	free_lines(&lines);
	return true;
}

/* The start of each copy behind what it waited for: its stream, or its call. By index in
 * trace.operations; the caller must free() it. */
static int64_t *find_starts(const struct model *model)
{
	int64_t *starts_ns = memory_array(model->trace->operation_count, sizeof(*starts_ns));

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		const struct trace_operation *operation = item->operation;
		int64_t ready_ns = max_ns(item->order_ns, item->barrier_order_ns);

		if (operation->call)
			starts_ns[operation - model->trace->operations] =
				max_ns(0, operation->start_ns -
						  max_ns(ready_ns, operation->call->start_ns));
	}
	return starts_ns;
}

/* The host waits for the line's copy before: that of this step is on its way meanwhile. The device
 * goes from work to copy and back, which the trace shows once: what comes behind the copy counts as
 * starting as late as the copy did. */
static void wait_late(const struct model *model, const struct instance *instance,
		      const struct instance *before, const int64_t *starts_ns, struct edits *edits)
{
	struct host_read read = host_read_of(instance);

	edits_set_duration(edits, model, read.copy,
			   read.copy->end_ns - read.copy->start_ns +
				   starts_ns[read.copy - model->trace->operations]);
	if (read.awaited)
		edits_drop_call(edits, model, read.awaited);
	if (read.copy->call != instance->call)
		edits_drop_wait(edits, model, read.copy->call);
	if (before)
		edits_narrow_wait(edits, model, instance->call, before->operation);
	else
		edits_drop_wait(edits, model, instance->call);
}

static bool read_late(const struct observed *observed, const struct instance *instances,
		      size_t count, bool is_sure, struct edits *edits)
{
	struct line_reads lines = {0};
	int64_t *starts_ns;
	size_t before;

	if (!readback_ways_has(instances, count))
		return false;
	starts_ns = find_starts(observed->model);
	for (size_t i = 0; i + 1 < count; i++) {
		next_of_line(&lines, &instances[i], i, &before);
		if (!is_sure || host_read_of(&instances[i]).is_undecided)
			wait_late(observed->model, &instances[i],
				  before == MAP_NONE ? NULL : &instances[before], starts_ns, edits);
	}
	free(starts_ns);
	free_lines(&lines);
	return true;
}

bool readback_ways_late(const struct observed *observed, const struct instance *instances,
			size_t count, struct edits *edits)
{
	return read_late(observed, instances, count, false, edits);
}

bool readback_ways_sure(const struct observed *observed, const struct instance *instances,
			size_t count, struct edits *edits)
{
	return read_late(observed, instances, count, true, edits);
}

static bool is_behind_graph(const struct instance *instance)
{
	const struct trace_call *before = host_read_of(instance).before;

	return before && before->form->function->class == CLASS_GRAPH_LAUNCH;
}

/* By call: the last operation that it enqueued, plus one. The caller must free() it. */
static uint32_t *find_last_operations(const struct trace *trace)
{
	uint32_t *last = memory_array(trace->call_count, sizeof(*last));

	for (size_t i = 0; i < trace->operation_count; i++)
		if (trace->operations[i].call)
			last[trace->operations[i].call - trace->calls] = (uint32_t)i + 1;
	return last;
}

/* The device takes the node's time behind the last of the step's operations. */
static void decide_in_graph(const struct trace *trace, const struct model *model,
			    const struct trace_call *launch, const uint32_t *last,
			    struct edits *edits)
{
	uint32_t at = last[launch - trace->calls];

	if (at)
		edits_set_duration(edits, model, &trace->operations[at - 1],
				   trace->operations[at - 1].end_ns -
					   trace->operations[at - 1].start_ns + GRAPH_CONDITION_NS);
}

bool readback_ways_conditional(const struct observed *observed, const struct instance *instances,
			       size_t count, struct edits *edits)
{
	const struct model *model = observed->model;
	struct host_read_work work;
	uint32_t *last;
	size_t behind = 0;

	for (size_t i = 0; i < count; i++)
		behind += is_behind_graph(&instances[i]);
	if (!readback_ways_has(instances, count) || behind * 2 <= count)
		return false;
	work = host_read_work_around(instances, count);
	last = find_last_operations(model->trace);
	for (size_t i = 0; i + 1 < count; i++) {
		host_read_drop(model, &instances[i], &work, DOUBT_WEIGH, edits);
		if (is_behind_graph(&instances[i]))
			decide_in_graph(model->trace, model, host_read_of(&instances[i]).before,
					last, edits);
	}
	free(last);
	return true;
}
