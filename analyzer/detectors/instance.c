#include "detectors/instance.h"

#include "base/vector.h"
#include "replay/retiming/retimed.h"

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

/* True for NULL, and for a call outside of the sample, which is only named. */
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

static const void *pointer_at(const struct instance *instance, const struct detail_pointer *pointer)
{
	const void *at;

	memcpy(&at, instance->detail.bytes + pointer->offset, sizeof(at));
	return at;
}

/* The call that the pointer leads to; NULL: none. */
static const struct trace_call *call_at(const struct instance *instance,
					const struct detail_pointer *pointer)
{
	const void *at = pointer_at(instance, pointer);

	if (!at || pointer->kind == DETAIL_CALL)
		return at;
	return pointer->kind == DETAIL_OPERATION ? ((const struct trace_operation *)at)->call
						 : ((const struct trace_host_function *)at)->call;
}

bool instance_is_in_slice(const struct instance *instance, const struct detail_pointer *pointers,
			  const struct trace *trace)
{
	const struct trace_call *call = call_of(instance);
	size_t row;

	if (!call)
		return true;
	row = trace_row_with(trace, (uint32_t)(call - trace->calls));
	for (; pointers->kind != DETAIL_END; pointers++)
		if (!pointers->is_anywhere && !is_in_row(trace, call_at(instance, pointers), row))
			return false;
	return true;
}

static void bring_back(struct instance *instance, const struct detail_pointer *pointer,
		       const struct retimed *retimed)
{
	const void *at = pointer_at(instance, pointer);

	at = pointer->kind == DETAIL_CALL	 ? (const void *)retimed_call(retimed, at)
	     : pointer->kind == DETAIL_OPERATION ? (const void *)retimed_operation(retimed, at)
						 : retimed_host_function(retimed, at);
	memcpy(instance->detail.bytes + pointer->offset, &at, sizeof(at));
}

void instance_bring_back(struct instance *instance, const struct detail_pointer *pointers,
			 const struct retimed *retimed)
{
	instance->site_call = retimed_call(retimed, instance->site_call);
	instance->call = retimed_call(retimed, instance->call);
	instance->operation = retimed_operation(retimed, instance->operation);
	instance->cause = retimed_operation(retimed, instance->cause);
	instance->host_function = retimed_host_function(retimed, instance->host_function);
	instance->is_later = true;
	for (; pointers->kind != DETAIL_END; pointers++)
		bring_back(instance, pointers, retimed);
}
