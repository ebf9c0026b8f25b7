#include "detector.h"

#include "demangle.h"
#include "memory.h"
#include "site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A graph's launch stands for all its operations: the line that captured this one says which it is.
 */
static void describe_node(const struct model *model, const struct trace_operation *operation,
			  char *text, size_t size)
{
	const struct trace_call *call = operation->node_call;
	struct site site = site_describe(model->trace, call ? call->site : NULL, operation->name);
	const char *slash = site.file ? strrchr(site.file, '/') : NULL;

	if (site.file)
		snprintf(text, size, " (graph node of %.32s:%d)", slash ? slash + 1 : site.file,
			 site.line);
	else
		text[0] = '\0';
}

const char *describe_operation(const struct model *model, const struct trace_operation *operation,
			       char *text, size_t size)
{
	struct format bytes;
	char *name, node[64];

	describe_node(model, operation, node, sizeof(node));
	if (operation->kind == OPERATION_KERNEL) {
		name = operation->name ? demangle(operation->name, false) : NULL;
		snprintf(text, size, "kernel %.90s%s",
			 name		   ? name
			 : operation->name ? operation->name
					   : "without a name",
			 node);
		free(name);
	} else {
		format_bytes(&bytes, operation->size_bytes);
		if (operation->kind == OPERATION_COPY)
			snprintf(text, size, "copy %s of %s%s", direction(operation), bytes.text,
				 node);
		else
			snprintf(text, size, "set of %s%s", bytes.text, node);
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
