#include "rewrite/enqueued.h"

#include <string.h>

/* What a function enqueues: the index of its stream's argument, and how many of the first may be memory. */
static const struct {
	const char *name;
	size_t stream, memory;
	bool is_allocation;
} functions[] = {
	{"cudaMemcpyAsync", 4, 2, false},     {"cudaMemsetAsync", 3, 1, false},
	{"cudaMallocAsync", 2, 1, true},      {"cudaFreeAsync", 1, 1, true},
	{"cudaMemcpy2DAsync", 7, 3, false},   {"cudaMemcpy", 4, 2, false},
	{"cudaMemset", 3, 1, false},	      {"cudaMemPrefetchAsync", 3, 1, false},
	{"cudaMemcpyPeerAsync", 5, 3, false},
};

#define FUNCTION_COUNT (sizeof(functions) / sizeof(*functions))

static bool is_default(const struct code *code, struct piece stream)
{
	static const char *const names[] = {"0",
					    "NULL",
					    "nullptr",
					    "cudaStreamLegacy",
					    "cudaStreamDefault",
					    "cudaStreamPerThread"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (code_reads(code, stream, names[i]))
			return true;
	return false;
}

static void set_stream(const struct code *code, struct enqueued *enqueued,
		       const struct piece *arguments, size_t count, size_t index)
{
	if (index < count && !is_default(code, arguments[index]))
		enqueued->stream = arguments[index];
}

static void take_memory(struct enqueued *enqueued, size_t count)
{
	for (size_t i = 0; i < count && i < enqueued->call.count; i++)
		enqueued->memory[enqueued->memory_count++] = enqueued->call.arguments[i];
}

bool enqueued_read(const struct code *code, size_t name, struct enqueued *enqueued)
{
	*enqueued = (struct enqueued){0};
	if (!code_is_name(code->mask[name]) || (name && code_is_name(code->mask[name - 1])) ||
	    !call_read(code, name, &enqueued->call))
		return false;
	if (enqueued->call.configuration_count) {
		enqueued->is_launch = true;
		set_stream(code, enqueued, enqueued->call.configuration,
			   enqueued->call.configuration_count, 3);
		take_memory(enqueued, CALL_ARGUMENTS);
		return true;
	}
	for (size_t i = 0; i < FUNCTION_COUNT; i++) {
		if (!code_is_word(code, name, functions[i].name))
			continue;
		set_stream(code, enqueued, enqueued->call.arguments, enqueued->call.count,
			   functions[i].stream);
		take_memory(enqueued, functions[i].memory);
		enqueued->is_allocation = functions[i].is_allocation;
		return true;
	}
	return false;
}

bool enqueued_next(const struct code *code, struct piece piece, size_t *at,
		   struct enqueued *enqueued)
{
	for (; *at < piece.end; ++*at)
		if (enqueued_read(code, *at, enqueued)) {
			*at = enqueued->call.name.end;
			return true;
		}
	return false;
}

static bool uses_path(const struct code *code, const struct enqueued *enqueued, struct piece path)
{
	for (size_t i = 0; i < enqueued->memory_count; i++)
		if (path_is_in(code, enqueued->memory[i], path))
			return true;
	return false;
}

const char *stream_of(const struct code *code, struct piece function, struct piece path,
		      const struct code_call *except, struct piece *stream, bool *is_unclear)
{
	struct enqueued enqueued;
	size_t at = function.start;
	bool is_memory = false, has_name = true;

	*stream = (struct piece){0};
	*is_unclear = false;
	while (enqueued_next(code, function, &at, &enqueued)) {
		bool has_stream = enqueued.stream.start < enqueued.stream.end;

		if (enqueued.call.name.start == except->name.start ||
		    !uses_path(code, &enqueued, path))
			continue;
		is_memory |= !enqueued.is_launch;
		*is_unclear |= !has_stream || (stream->start < stream->end &&
					       !code_is_same(code, *stream, enqueued.stream));
		has_name &= has_stream &&
			    expression_holds(code, function, enqueued.stream,
					     enqueued.call.name.start, except->name.start);
		*stream = enqueued.stream;
	}
	*is_unclear &= is_memory;
	if (!is_memory)
		return "no copy of the same function says which stream uses the memory";
	if (*is_unclear)
		return "the function uses the memory in several streams, or in the default stream";
	return has_name ? NULL
			: "the stream that uses the memory has no name where the call stands";
}

bool is_sure_wait(const struct code *code, size_t at, struct piece stream, size_t from)
{
	struct statement statement;
	struct code_call call;
	struct piece wrapper;
	bool is_wide = code_is_word(code, at, "cudaDeviceSynchronize");

	if ((!is_wide && !code_is_word(code, at, "cudaStreamSynchronize")) ||
	    !call_read(code, at, &call) || !statement_at(code, at, &statement))
		return false;
	return statement_is_call(code, &statement, &call, &wrapper) && !statement.guard_count &&
	       block_has(code, block_around(code, at), from) &&
	       (is_wide || (call.count == 1 && code_is_same(code, call.arguments[0], stream)));
}

bool enqueued_around(const struct code *code, size_t at, struct enqueued *enqueued)
{
	for (uint32_t open = code->outer[at]; open != CODE_NONE && code->mask[open] == '(';
	     open = code->outer[open]) {
		size_t start = code_skip_back(code, open, 0);

		if (start >= 3 && !strncmp(code->mask + start - 3, ">>>", 3))
			while (start && strncmp(code->mask + start, "<<<", 3) != 0)
				start--;
		start = code_skip_back(code, start, 0);
		while (start && code_is_name(code->mask[start - 1]))
			start--;
		if (enqueued_read(code, start, enqueued))
			return true;
	}
	return false;
}

bool is_in_stream(const struct code *code, size_t at, struct piece stream)
{
	struct enqueued enqueued;

	return enqueued_around(code, at, &enqueued) && enqueued.stream.start &&
	       code_is_same(code, enqueued.stream, stream);
}

bool is_enqueued_next(const struct code *code, struct piece function, struct piece path,
		      struct piece stream, size_t from)
{
	size_t mention = path_find(code, (struct piece){from, function.end}, path);

	return mention < function.end && is_in_stream(code, mention, stream);
}

bool waits_behind(const struct code *code, struct piece function, struct piece piece,
		  struct piece stream)
{
	for (size_t at = piece.end; at < function.end; at++)
		if (code->mask[at] == 'c' && is_sure_wait(code, at, stream, piece.start))
			return true;
	return false;
}
