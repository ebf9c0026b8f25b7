#include "detectors/detector.h"

#include "base/thresholds.h"
#include "replay/observed/evidence.h"
#include "trace/short_name.h"
#include "trace/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the thread had for itself between two calls: not what other calls took. A driver's call ends
 * inside the runtime's. */
static int64_t time_between(const struct trace_call *call, const struct trace_call *next)
{
	int64_t time_ns = 0, until_ns = call->end_ns;

	for (const struct trace_call *between = call + 1; between <= next; between++) {
		if (between->form->thread_id != call->form->thread_id)
			continue;
		if (between->start_ns > until_ns)
			time_ns += between->start_ns - until_ns;
		if (between->end_ns > until_ns)
			until_ns = between->end_ns;
	}
	return time_ns;
}

uint64_t detector_host_bytes_in(int64_t time_ns)
{
	uint64_t bytes;

	if (time_ns <= 0)
		return 0;
	return __builtin_mul_overflow((uint64_t)time_ns, HOST_BYTES_PER_NS, &bytes) ? UINT64_MAX
										    : bytes;
}

uint64_t detector_host_bytes(const struct model *model, const struct trace_call *call)
{
	const struct trace_operation *next = model_next_of_thread(model, call);

	return next ? detector_host_bytes_in(time_between(call, next->call)) : UINT64_MAX;
}

uint32_t detector_source_of_data(const struct model *model, const struct model_operation *item)
{
	node_index node = item->needs;

	while (node != NODE_NONE && model->nodes[node].is_join) {
		const struct model_node *join = &model->nodes[node];

		node = join->first > join->other ? join->first : join->other;
	}
	return node == NODE_NONE ? UINT32_MAX : model->nodes[node].other;
}

static const char *copy_direction(const struct trace_operation *operation)
{
	switch (operation->form->engine) {
	case ENGINE_H2D:
		return "H2D";
	case ENGINE_D2H:
		return "D2H";
	case ENGINE_PEER:
		return "peer";
	default:
		return "D2D";
	}
}

/* " (app.cu:12)", " (train.py:30 Model.step)", or nothing where the line is not known. */
static void describe_line(const struct model *model, const struct trace_operation *operation,
			  const char *prefix, char *text, size_t size)
{
	const struct trace_call *call =
		operation->form->node_call ? operation->form->node_call : operation->call;
	struct site site =
		site_describe(model->trace, call ? call->form->site : NULL, operation->form->name);
	const char *slash = site.file ? strrchr(site.file, '/') : NULL;
	const char *inner = site.is_python ? strrchr(site.function, '>') : NULL;

	/* main.<locals>.step */
	inner = inner && inner[1] == '.' ? inner + 2 : site.function;
	if (site.file)
		snprintf(text, size, " (%s%.32s:%d%s%.24s)", prefix, slash ? slash + 1 : site.file,
			 site.line, site.is_python ? " " : "", site.is_python ? inner : "");
	else
		text[0] = '\0';
}

/* A graph's launch stands for all its operations: the line that captured this one identifies it. */
static void describe_node(const struct model *model, const struct trace_operation *operation,
			  char *text, size_t size)
{
	text[0] = '\0';
	if (operation->form->node_call)
		describe_line(model, operation, "graph node of ", text, size);
}

/* " from device 0 to 1" of a copy between devices. */
static const char *describe_ends(const struct trace_operation *operation, char *text, size_t size)
{
	text[0] = '\0';
	if (operation->form->engine == ENGINE_PEER &&
	    operation->form->src_device_id != UINT32_MAX &&
	    operation->form->dst_device_id != UINT32_MAX)
		snprintf(text, size, " from device %u to %u", operation->form->src_device_id,
			 operation->form->dst_device_id);
	return text;
}

const char *describe_operation(const struct model *model, const struct trace_operation *operation,
			       char *text, size_t size)
{
	struct format bytes;
	struct short_name name;
	char node[96], ends[48];

	describe_node(model, operation, node, sizeof(node));
	if (operation->form->is_graph) {
		snprintf(text, size, "a graph");
	} else if (operation->form->kind == OPERATION_KERNEL) {
		snprintf(text, size, operation->form->name ? "kernel \"%s\"%s" : "kernel %s%s",
			 operation->form->name
				 ? short_name(&name, operation->form->name, SHORT_NAME_KERNEL)
				 : "without a name",
			 node);
	} else {
		format_bytes(&bytes, operation->form->size_bytes);
		if (operation->form->kind == OPERATION_COPY)
			snprintf(text, size, "%s %s copy%s%s", bytes.text,
				 copy_direction(operation),
				 describe_ends(operation, ends, sizeof(ends)), node);
		else
			snprintf(text, size, "%s memset%s", bytes.text, node);
	}
	return text;
}

const char *describe_cause(const struct model *model, const struct trace_operation *operation,
			   char *text, size_t size)
{
	const char *article = operation->form->kind == OPERATION_KERNEL ? "" : "the ";

	snprintf(text, size, "%s", article);
	describe_operation(model, operation, text + strlen(article), size - strlen(article));
	return text;
}

const char *describe_stream(const struct trace_operation *operation, char *text, size_t size)
{
	if (operation->form->stream->flag == STREAM_NULL)
		snprintf(text, size, "the default stream");
	else
		snprintf(text, size, "stream %u", operation->form->stream->id);
	return text;
}

/* The parts that are not next to nothing, ", " between them. */
static void describe_parts(const struct trace_call *call, const struct evidence_split *split,
			   char *text, size_t size)
{
	bool has_own_stream = call->form->has_stream || call->operation ||
			      call->form->function->class == CLASS_EVENT_SYNC;
	const struct {
		const char *name;
		int64_t time_ns;
	} parts[] = {
		{"waiting for its stream", split->stream_ns},
		{has_own_stream ? "waiting for other streams" : "waiting for all streams",
		 split->other_streams_ns},
		{"waiting for a host callback", split->function_ns},
		{call->form->function->class == CLASS_SET ? "setting" : "copying", split->copy_ns},
		{"staging", split->staging_ns},
		{"with a full launch queue", split->queue_ns},
		{"unexplained", split->unexplained_ns},
	};
	struct format time;
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && used < size; i++)
		if (parts[i].time_ns > evidence_blocked_ns(split) / 100)
			used += (size_t)snprintf(
				text + used, size - used, "%s%s %s", used ? ", " : "",
				format_time(&time, parts[i].time_ns), parts[i].name);
}

const char *describe_call(const struct observed *observed, const struct trace_call *call,
			  char *text, size_t size)
{
	struct call_evidence evidence = evidence_of(observed->evidence, call);
	char parts[160], cause[160], stream[32], line[96];

	describe_parts(call, &evidence.split, parts, sizeof(parts));
	if (!evidence.cause) {
		snprintf(text, size, "%s blocked %s", call->form->function->name, parts);
		return text;
	}
	describe_line(observed->model, evidence.cause, "", line, sizeof(line));
	snprintf(text, size, "%s blocked %s; last to finish: %s in %s%s",
		 call->form->function->name, parts,
		 describe_cause(observed->model, evidence.cause, cause, sizeof(cause)),
		 describe_stream(evidence.cause, stream, sizeof(stream)),
		 evidence.cause->form->node_call ? "" : line);
	return text;
}
