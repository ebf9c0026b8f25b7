#include "detectors/instance.h"

#include "base/vector.h"
#include "replay/retimed.h"

static void add_needed(struct needed_waits *waits, const struct trace *trace, int64_t start_ns,
		       int64_t length_ns)
{
	waits->count += trace_weight(trace, start_ns);
	waits->ns += trace_weigh_ns(trace, start_ns, length_ns);
}

void instance_add_doubtful(struct instances *instances, const struct trace *trace, int64_t start_ns,
			   int64_t length_ns)
{
	add_needed(&instances->doubtful, trace, start_ns, length_ns);
}

void instance_add_timed(struct instances *instances, const struct trace *trace, int64_t start_ns,
			int64_t length_ns)
{
	add_needed(&instances->timed, trace, start_ns, length_ns);
}

void instances_add_needed(struct instances *instances, const struct instances *other)
{
	instances->doubtful.count += other->doubtful.count;
	instances->doubtful.ns += other->doubtful.ns;
	instances->timed.count += other->timed.count;
	instances->timed.ns += other->timed.ns;
}

void instance_add(struct instances *instances, struct instance instance)
{
	if (instance.reach.start_ns == instance.reach.end_ns)
		instance.reach = instance.reach_of_both = instance.span;
	*vector_add(instances) = instance;
}

int64_t instance_gone_ns(const struct instance *instance, const struct model *model,
			 const struct edits *edits)
{
	const struct trace_call *call = instance->call;

	return call && edits->calls[call - model->trace->calls] & EDIT_GONE
		       ? call->end_ns - call->start_ns
		       : 0;
}

const struct trace_call *instance_call(const struct instance *instance)
{
	if (instance->call)
		return instance->call;
	return instance->operation ? instance->operation->call : instance->site_call;
}

int64_t instance_start_ns(const struct instance *instance)
{
	return instance->call	     ? instance->call->start_ns
	       : instance->operation ? instance->operation->start_ns
				     : instance->span.start_ns;
}

int instance_compare_starts(const void *a, const void *b)
{
	int64_t x_ns = instance_start_ns(a), y_ns = instance_start_ns(b);

	return (x_ns > y_ns) - (x_ns < y_ns);
}

/* NULL is in every row of slices, and so is what lies outside of the sample: it is only named. */
static bool is_in_row(const struct trace *trace, const struct trace_call *call, size_t row)
{
	return !call || call < trace->calls || call >= trace->calls + trace->call_count ||
	       trace_row_with(trace, (uint32_t)(call - trace->calls)) == row;
}

static const struct trace_call *call_of(const struct instance *instance)
{
	return instance->call	     ? instance->call
	       : instance->operation ? instance->operation->call
				     : NULL;
}

double instance_weight(const struct instance *instance, const struct trace *trace)
{
	const struct trace_call *call = call_of(instance);

	return call ? trace_weight_of_call(trace, (uint32_t)(call - trace->calls))
		    : trace_weight(trace, instance_start_ns(instance));
}

bool instance_is_in_slice(const struct instance *instance, const struct trace *trace)
{
	const struct trace_call *call = call_of(instance);
	size_t row;

	if (!call)
		return true;
	row = trace_row_with(trace, (uint32_t)(call - trace->calls));
	switch (instance->detail) {
	case DETAIL_RELEASE:
		return is_in_row(trace, instance->release, row);
	case DETAIL_TRANSFER:
		return is_in_row(trace, instance->transfer.other->call, row);
	case DETAIL_WORK:
		return is_in_row(trace, instance->work.since, row);
	case DETAIL_SEQUENCE:
		return is_in_row(trace, instance->sequence.last, row);
	case DETAIL_FAULTS:
		return is_in_row(trace, instance->faults.touched, row);
	case DETAIL_SPIN:
		return is_in_row(trace, instance->spin.last, row);
	case DETAIL_GRAPH:
		return is_in_row(trace, instance->graph.first, row) &&
		       is_in_row(trace, instance->graph.upload, row) &&
		       is_in_row(trace, instance->graph.release, row);
	case DETAIL_COPIES:
		return is_in_row(trace, instance->copies.last, row);
	case DETAIL_READ:
		return is_in_row(trace, instance->operation->call, row) &&
		       is_in_row(trace, instance->read.before, row) &&
		       is_in_row(trace, instance->read.next, row) &&
		       is_in_row(trace, instance->read.first, row);
	default:
		return true;
	}
}

void instance_bring_back(struct instance *instance, const struct retimed *retimed)
{
	instance->site_call = retimed_call(retimed, instance->site_call);
	instance->call = retimed_call(retimed, instance->call);
	instance->operation = retimed_operation(retimed, instance->operation);
	instance->cause = retimed_operation(retimed, instance->cause);
	instance->is_later = true;
	switch (instance->detail) {
	case DETAIL_HOST_WAIT:
		instance->host_wait.needed = retimed_operation(retimed, instance->host_wait.needed);
		instance->host_wait.last_needed =
			retimed_operation(retimed, instance->host_wait.last_needed);
		break;
	case DETAIL_HOST_FUNCTION:
		instance->host_function = retimed_host_function(retimed, instance->host_function);
		break;
	case DETAIL_RELEASE:
		instance->release = retimed_call(retimed, instance->release);
		break;
	case DETAIL_TRANSFER:
		instance->transfer.other = retimed_operation(retimed, instance->transfer.other);
		instance->transfer.fetch = retimed_call(retimed, instance->transfer.fetch);
		break;
	case DETAIL_WORK:
		instance->work.since = retimed_call(retimed, instance->work.since);
		instance->work.before = retimed_call(retimed, instance->work.before);
		break;
	case DETAIL_SPIN:
		instance->spin.last = retimed_call(retimed, instance->spin.last);
		break;
	case DETAIL_SEQUENCE:
		instance->sequence.last = retimed_call(retimed, instance->sequence.last);
		break;
	case DETAIL_FAULTS:
		instance->faults.touched = retimed_call(retimed, instance->faults.touched);
		break;
	case DETAIL_COPIES:
		instance->copies.last = retimed_call(retimed, instance->copies.last);
		break;
	case DETAIL_PAGEABLE_COPY:
		instance->pageable_copy.before =
			retimed_call(retimed, instance->pageable_copy.before);
		break;
	case DETAIL_READ:
		instance->read.before = retimed_call(retimed, instance->read.before);
		instance->read.next = retimed_call(retimed, instance->read.next);
		instance->read.first = retimed_call(retimed, instance->read.first);
		instance->read.told = retimed_host_function(retimed, instance->read.told);
		break;
	case DETAIL_GRAPH:
		instance->graph.first = retimed_call(retimed, instance->graph.first);
		instance->graph.release = retimed_call(retimed, instance->graph.release);
		instance->graph.upload = retimed_call(retimed, instance->graph.upload);
		break;
	case DETAIL_LOAD:
	case DETAIL_LOCAL:
	case DETAIL_NONE:
		break;
	}
}
