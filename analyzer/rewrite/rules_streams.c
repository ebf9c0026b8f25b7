/* Rules that give work to a stream of its own. */
#include "detectors/instance.h"
#include "rewrite/memory_use.h"
#include "rewrite/rules.h"
#include "trace/trace.h"

#include <string.h>

/* NAME(A, B) becomes NAMEAsync(A, B, STREAM). */
static void make_async(struct rewriting *rewriting, const struct code_call *call,
		       struct piece stream)
{
	patch_add(&rewriting->changes, call->name, "%.*sAsync", PIECE(rewriting->code, call->name));
	patch_add(&rewriting->changes, (struct piece){call->whole.end - 1, call->whole.end - 1},
		  ", %.*s", PIECE(rewriting->code, stream));
}

/* Pageable memory blocks the host in any copy. */
static bool is_pinned(const struct trace_call *call)
{
	const struct trace_operation_form *form = call->operation ? call->operation->form : NULL;

	return form && (form->engine == ENGINE_D2H   ? form->dst_kind == MEMORY_PINNED
			: form->engine == ENGINE_H2D ? form->src_kind == MEMORY_PINNED
						     : false);
}

const char *rewrite_blocking_copy(struct rewriting *rewriting)
{
	const struct code *code = rewriting->code;
	struct memory_use use = {.except_wait = SIZE_MAX, .waited_at = SIZE_MAX};
	struct code_call call;
	struct piece device;
	bool is_back, is_unclear;
	const char *why;

	if (strcmp(rewriting_function(rewriting), "cudaMemcpy") != 0)
		return "only cudaMemcpy() is rewritten";
	if (!is_pinned(rewriting->call))
		return "the host's memory is pageable: a copy of it blocks the host in any stream";
	why = rewriting_find(rewriting, "cudaMemcpy", 4, &call, &use.function);
	if (why)
		return why;
	is_back = code_reads(code, call.arguments[3], "cudaMemcpyDeviceToHost");
	if (!is_back && !code_reads(code, call.arguments[3], "cudaMemcpyHostToDevice"))
		return "the copy's direction is not written in the call";
	if (!path_of(code, call.arguments[is_back ? 1 : 0], &device) ||
	    !path_of(code, call.arguments[is_back ? 0 : 1], &use.path))
		return "the memory is no plain variable";
	why = stream_of(code, use.function, device, &call, &use.stream, &is_unclear);
	if (why)
		return why;
	use.from = call.whole.end;
	why = waits_before_use(code, &use);
	if (why)
		return why;
	make_async(rewriting, &call, use.stream);
	return NULL;
}

const char *rewrite_memset_sync(struct rewriting *rewriting)
{
	const struct code *code = rewriting->code;
	const struct trace_operation *set = rewriting->call->operation;
	struct piece function, path, stream;
	struct code_call call;
	bool is_unclear;
	const char *why = rewriting_find(rewriting, "cudaMemset", 3, &call, &function);

	if (why)
		return why;
	if (!path_of(code, call.arguments[0], &path))
		return "the memory is no plain variable";
	why = stream_of(code, function, path, &call, &stream, &is_unclear);
	if (why)
		return why;
	/* Of memory that the host sees, kernels of the stream must be the next to use it. */
	if (!(set && set->form->dst_kind == MEMORY_DEVICE) &&
	    !is_enqueued_next(code, function, path, stream, call.whole.end))
		return "the host may use the memory next";
	make_async(rewriting, &call, stream);
	return NULL;
}

/* The one stream in which the function uses what the launch is given. NULL, or why not. */
static const char *stream_of_launch(const struct code *code, struct piece function,
				    const struct code_call *call, struct piece *stream)
{
	const char *none =
		"no copy of the same function says which stream uses the kernel's memory";
	struct piece path, one;

	*stream = (struct piece){0};
	for (size_t i = 0; i < call->count; i++) {
		bool is_unclear = false;
		const char *why = path_of(code, call->arguments[i], &path)
					  ? stream_of(code, function, path, call, &one, &is_unclear)
					  : none;

		if (why && is_unclear)
			return why;
		if (why)
			continue;
		if (stream->start < stream->end && !code_is_same(code, *stream, one))
			return "the kernel's memory is used in several streams";
		*stream = one;
	}
	return stream->start < stream->end ? NULL : none;
}

const char *rewrite_default_stream(struct rewriting *rewriting)
{
	const struct code *code = rewriting->code;
	struct piece function, stream, *last;
	struct code_call call;
	const char *why;

	if (!strstr(rewriting_function(rewriting), "Launch"))
		return "only launches of kernels are rewritten";
	if (!call_find(code, rewriting->line, NULL, &call, &why))
		return why;
	if (!function_around(code, call.name.start, &function))
		return rewriting_no_function;
	if (call.configuration_count < 2 || call.configuration_count > 4 ||
	    (call.configuration_count == 4 && !code_reads(code, call.configuration[3], "0")))
		return "the launch names a stream";
	why = stream_of_launch(code, function, &call, &stream);
	if (why)
		return why;
	last = &call.configuration[call.configuration_count - 1];
	if (call.configuration_count == 4)
		patch_add(&rewriting->changes, *last, "%.*s", PIECE(code, stream));
	else
		patch_add(&rewriting->changes, (struct piece){last->end, last->end}, "%s, %.*s",
			  call.configuration_count == 2 ? ", 0" : "", PIECE(code, stream));
	return NULL;
}

/* Work of several threads in the legacy default stream: each thread has one of its own, which keeps the order
 * with the legacy stream. */
const char *rewrite_legacy_stream(struct rewriting *rewriting)
{
	const struct trace_operation *waited = rewriting->instance->operation,
				     *cause = rewriting->instance->cause;
	const struct code *code = rewriting->code;
	struct piece function, piece;
	struct enqueued enqueued;
	size_t at = rewriting->line.start, place, end;

	if (!waited || !cause || !waited->call || !cause->call ||
	    waited->call->form->thread_id == cause->call->form->thread_id)
		return "a second stream needs an event wherever its work needs the first one's";
	if (!enqueued_next(code, rewriting->line, &at, &enqueued) ||
	    !function_around(code, enqueued.call.name.start, &function))
		return "the call is not written in this line";
	if (!enqueued.stream.start || !declaration_find(code, function, enqueued.stream, &place) ||
	    place == function.end)
		return "the stream is no variable of the function";
	end = place + strcspn(code->mask + place, ";");
	piece.start = code_find_word(code, (struct piece){place, end}, "cudaStreamLegacy");
	piece.end = piece.start + strlen("cudaStreamLegacy");
	if (piece.start == end)
		return "the stream is not set to cudaStreamLegacy where it is declared";
	patch_add(&rewriting->changes, piece, "cudaStreamPerThread");
	rewriting->needs = "the threads share no memory that the default stream's order protects";
	return NULL;
}
