/* Rules that allocate memory in another way. */
#include "rewrite/memory_use.h"
#include "rewrite/rules.h"
#include "trace/trace.h"

#include <string.h>

/* Where a function allocates and frees the memory of a path, and its other mentions. */
struct memory_life {
	struct piece function, path;
	struct code_call allocation, release;
	size_t allocations, releases;
};

/* The call NAME(... whose brackets are the innermost around the position. False: it is none. */
static bool call_around(const struct code *code, size_t at, const char *name,
			struct code_call *call)
{
	uint32_t open = code->outer[at];
	size_t start;

	/* Casts have brackets of their own. */
	while (open != CODE_NONE && code->mask[open] == '(') {
		start = code_skip_back(code, open, 0);
		while (start && code_is_name(code->mask[start - 1]))
			start--;
		if (code_is_word(code, start, name))
			return call_read(code, start, call);
		open = code->outer[open];
	}
	return false;
}

/* Counts the mention, if it is in an allocation or a release. */
static bool is_of_life(const struct code *code, size_t at, struct memory_life *life)
{
	struct code_call call;

	if (call_around(code, at, "cudaMalloc", &call) && call.count == 2 &&
	    path_is_in(code, call.arguments[0], life->path)) {
		life->allocation = call;
		life->allocations++;
		return true;
	}
	if (call_around(code, at, "cudaFree", &call) && call.count == 1) {
		life->release = call;
		life->releases++;
		return true;
	}
	return false;
}

/* Whether both calls are in the same braces, and behind the same conditions without braces. */
static bool is_same_branch(const struct code *code, const struct code_call *a,
			   const struct code_call *b)
{
	struct statement first, second;

	if (block_around(code, a->name.start) != block_around(code, b->name.start) ||
	    !statement_at(code, a->name.start, &first) ||
	    !statement_at(code, b->name.start, &second) || first.guard_count != second.guard_count)
		return false;
	for (size_t i = 0; i < first.guard_count; i++)
		if (!code_is_same(code, first.guards[i], second.guards[i]))
			return false;
	return true;
}

/* NULL: the function allocates the path once, frees it once, and uses it only in the stream. */
static const char *check_life(const struct code *code, struct memory_life *life,
			      struct piece stream)
{
	struct piece rest = life->function;
	size_t place;

	if (!declaration_find(code, life->function, path_root(code, life->path), &place))
		return "several variables have the name of the memory";
	for (; (rest.start = path_find(code, rest, life->path)) < rest.end; rest.start++)
		if (rest.start != place && !is_of_life(code, rest.start, life) &&
		    !is_in_stream(code, rest.start, stream))
			return "the function uses the memory outside of one stream, too";
	if (life->allocations != 1 || life->releases != 1)
		return "the function does not both allocate and free the memory, once each";
	return is_same_branch(code, &life->allocation, &life->release)
		       ? NULL
		       : "the memory is not allocated and freed under the same condition";
}

/* cudaMalloc() and cudaFree() of one function, where only one stream uses the memory. */
const char *rewrite_free_async(struct rewriting *rewriting)
{
	const struct code *code = rewriting->code;
	const char *function = rewriting_function(rewriting), *why;
	bool is_release = !strcmp(function, "cudaFree"), is_unclear;
	struct memory_life life = {0};
	struct code_call call;
	struct piece stream;

	if (!is_release && strcmp(function, "cudaMalloc") != 0)
		return "only cudaMalloc() and cudaFree() are rewritten";
	why = rewriting_find(rewriting, function, is_release ? 1 : 2, &call, &life.function);
	if (why)
		return why;
	if (!path_of(code, call.arguments[0], &life.path))
		return "the memory is no plain variable";
	why = stream_of(code, life.function, life.path, &call, &stream, &is_unclear);
	if (!why)
		why = check_life(code, &life, stream);
	if (why)
		return why;
	if (!expression_holds(code, life.function, stream, life.allocation.name.start,
			      life.release.name.start))
		return "the stream is another one where the memory is allocated or freed";
	patch_add(&rewriting->changes, life.allocation.name, "cudaMallocAsync");
	patch_add(&rewriting->changes,
		  (struct piece){life.allocation.whole.end - 1, life.allocation.whole.end - 1},
		  ", %.*s", PIECE(code, stream));
	patch_add(&rewriting->changes, life.release.name, "cudaFreeAsync");
	patch_add(&rewriting->changes,
		  (struct piece){life.release.whole.end - 1, life.release.whole.end - 1}, ", %.*s",
		  PIECE(code, stream));
	rewriting->needs = "where the program synchronizes between two allocations, the pool keeps "
			   "its memory: "
			   "cudaMemPoolSetAttribute() with a release threshold, once";
	return NULL;
}

/* `T *p = (T *)malloc(n);` or `p = (T *)malloc(n);`, the whole statement. */
static bool read_malloc(const struct code *code, size_t mention, struct piece name,
			struct statement *statement, struct code_call *call)
{
	size_t end = mention + (name.end - name.start), at = code_skip(code, end, code->length);

	if (code->mask[at] != '=' || code->mask[at + 1] == '=' ||
	    code->outer[mention] == CODE_NONE || code->mask[code->outer[mention]] != '{' ||
	    !statement_at(code, mention, statement))
		return false;
	at = code_skip(code, at + 1, code->length);
	if (code->mask[at] == '(')
		at = code_skip(code, code->partner[at] + (size_t)1, code->length);
	return code_is_word(code, at, "malloc") && call_read(code, at, call) && call->count == 1 &&
	       code_skip(code, call->whole.end, code->length) + 1 == statement->piece.end;
}

/* What a function does with a pointer that it has from malloc(). */
struct host_life {
	struct statement allocation;
	struct code_call call;
	size_t place; /* of the name in the allocation */
	size_t allocations, releases, others;
};

/* Adds what the mention is; frees become cudaFreeHost(). */
static void count_mention(struct rewriting *rewriting, struct piece name, size_t at,
			  struct host_life *life)
{
	const struct code *code = rewriting->code;
	size_t after = code_skip(code, at + (name.end - name.start), code->length);
	size_t before = code_skip_back(code, at, 0);
	struct statement statement;
	struct code_call call;

	if (read_malloc(code, at, name, &statement, &call)) {
		life->allocation = statement;
		life->call = call;
		life->place = at;
		life->allocations++;
	} else if (call_around(code, at, "free", &call) && call.count == 1) {
		patch_add(&rewriting->changes, call.name, "cudaFreeHost");
		life->releases++;
	} else if ((code->mask[after] == '=' && code->mask[after + 1] != '=') ||
		   (before && code->mask[before - 1] == '&') ||
		   call_around(code, at, "realloc", &call)) {
		life->others++;
	}
}

static bool returns_name(const struct code *code, struct piece function, struct piece name)
{
	struct piece rest = function, value;

	for (; (rest.start = code_find_word(code, rest, "return")) < rest.end; rest.start++) {
		value = (struct piece){rest.start,
				       rest.start + strcspn(code->mask + rest.start, ";")};
		if (path_find(code, value, name) < value.end)
			return true;
	}
	return false;
}

/* NULL: the function allocates the memory by malloc(), once, and frees it. */
static const char *trace_pointer(struct rewriting *rewriting, struct piece function,
				 struct piece name, struct host_life *life)
{
	const struct code *code = rewriting->code;
	struct piece rest = function;
	size_t place;

	if (!declaration_find(code, function, name, &place) || place == function.end)
		return "how the host's memory is allocated is not in this function";
	for (; (rest.start = path_find(code, rest, name)) < rest.end; rest.start++)
		count_mention(rewriting, name, rest.start, life);
	if (life->allocations != 1 || life->others)
		return "the host's memory is not from one malloc() of this function";
	if (!life->releases)
		return "the function does not free the host's memory itself";
	if (life->allocation.guard_count ||
	    code_is_word(code, life->allocation.piece.start, "static") ||
	    (life->place != place && life->place != life->allocation.piece.start))
		return "the statement with malloc() is not understood";
	return returns_name(code, function, name) ? "the function returns the memory" : NULL;
}

/* The host's side of the copy, and whether it is one. */
static bool host_side(const struct code *code, const struct code_call *call, struct piece *path)
{
	bool is_back = code_reads(code, call->arguments[3], "cudaMemcpyDeviceToHost");

	return (is_back || code_reads(code, call->arguments[3], "cudaMemcpyHostToDevice")) &&
	       path_of(code, call->arguments[is_back ? 0 : 1], path) &&
	       code_is_same(code, path_root(code, *path), *path);
}

/* `T *p = (T *)malloc(n);` becomes `T *p = NULL;` and cudaMallocHost() in the next line. */
static void pin_allocation(struct rewriting *rewriting, const struct host_life *life,
			   struct piece name, struct piece wrapper)
{
	const struct code *code = rewriting->code;
	struct piece own = life->allocation.piece, indent = rewriting_indent(code, own.start);
	struct piece before = {own.start, life->place + (name.end - name.start)};
	bool declares = own.start < life->place;
	const char *open = wrapper.start ? "(" : "";

	patch_add(&rewriting->changes, own,
		  "%.*s%s%.*s%.*s%scudaMallocHost((void **)&%.*s, %.*s)%s;",
		  declares ? (int)(before.end - before.start) : 0, code->text + before.start,
		  declares ? " = NULL;\n" : "", declares ? (int)(indent.end - indent.start) : 0,
		  code->text + indent.start, PIECE(code, wrapper), open, PIECE(code, name),
		  PIECE(code, life->call.arguments[0]), *open ? ")" : "");
}

/* malloc() and free() of the function become cudaMallocHost() and cudaFreeHost(). */
const char *rewrite_pinned_memory(struct rewriting *rewriting)
{
	const struct code *code = rewriting->code;
	const char *function = rewriting_function(rewriting), *why;
	bool is_async = !strcmp(function, "cudaMemcpyAsync");
	struct memory_use use = {.except_wait = SIZE_MAX, .waited_at = SIZE_MAX};
	struct host_life life = {0};
	struct statement statement;
	struct piece wrapper = {0};
	struct code_call call;

	if (!is_async && strcmp(function, "cudaMemcpy") != 0)
		return "only cudaMemcpy() and cudaMemcpyAsync() are rewritten";
	why = rewriting_find(rewriting, function, is_async ? 5 : 4, &call, &use.function);
	if (why)
		return why;
	if (!host_side(code, &call, &use.path))
		return "the host's memory is no plain variable, or the direction is not written in "
		       "the call";
	why = trace_pointer(rewriting, use.function, use.path, &life);
	if (why)
		return why;
	if (is_async) {
		use.stream = call.arguments[4];
		use.from = call.whole.end;
		why = waits_before_use(code, &use);
	}
	if (why)
		return why;
	if (statement_at(code, call.name.start, &statement))
		statement_is_call(code, &statement, &call, &wrapper);
	pin_allocation(rewriting, &life, use.path, wrapper);
	return NULL;
}
