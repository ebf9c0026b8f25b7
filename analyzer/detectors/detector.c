#include "detector.h"

#include "demangle.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

void instance_add(struct instances *instances, struct instance instance)
{
	if (instance.reach.start_ns == instance.reach.end_ns)
		instance.reach = instance.reach_of_both = instance.span;
	instances->items = memory_grow(instances->items, instances->count, &instances->capacity,
				       sizeof(*instances->items));
	instances->items[instances->count++] = instance;
}

#define HOST_BYTES_PER_NS 500u

bool detector_host_had_time(const struct model *model, const struct trace_call *call,
			    uint64_t bytes)
{
	const struct trace_operation *next = model_next_of_thread(model, call);
	uint64_t most_bytes;

	return !next ||
	       __builtin_mul_overflow((uint64_t)(next->call->start_ns - call->end_ns),
				      HOST_BYTES_PER_NS, &most_bytes) ||
	       most_bytes >= bytes;
}

static const char *direction(const struct trace_operation *operation)
{
	switch (operation->engine) {
	case ENGINE_H2D:
		return "H2D";
	case ENGINE_D2H:
		return "D2H";
	case ENGINE_PEER:
		return "to a peer";
	default:
		return "D2D";
	}
}

const char *describe_operation(const struct model *model, const struct trace_operation *operation,
			       char *text, size_t size)
{
	struct format bytes;
	char *name;

	if (operation->kind == OPERATION_KERNEL) {
		name = operation->name ? demangle(operation->name, false) : NULL;
		snprintf(text, size, "kernel %.100s",
			 name		   ? name
			 : operation->name ? operation->name
					   : "without a name");
		free(name);
	} else {
		format_bytes(&bytes, operation->size_bytes);
		if (operation->kind == OPERATION_COPY)
			snprintf(text, size, "copy %s of %s", direction(operation), bytes.text);
		else
			snprintf(text, size, "set of %s", bytes.text);
	}
	return text;
}

const char *describe_stream(const struct trace_operation *operation, char *text, size_t size)
{
	if (operation->stream->flag == STREAM_NULL)
		snprintf(text, size, "the default stream");
	else
		snprintf(text, size, "stream %u", operation->stream->id);
	return text;
}
