#include "rewrite/memory_use.h"

#include <string.h>

#define NAMES_MOST 8

/* A path to the memory, or the function that it is from; and the statement that says so, whose mention is none. */
struct memory_name {
	struct piece path, statement;
};

struct memory_names {
	struct memory_name items[NAMES_MOST];
	size_t count;
};

enum walk { WALK_ON, WALK_WAITED, WALK_USED };

static enum walk walk_piece(const struct code *code, struct piece piece,
			    const struct memory_use *use, const struct memory_name *name)
{
	size_t mention = path_find(code, piece, name->path);

	for (size_t at = piece.start; at < piece.end; at++) {
		if (at == mention) {
			if (!piece_has(name->statement, at) && !is_in_stream(code, at, use->stream))
				return WALK_USED;
			mention = path_find(code, (struct piece){at + 1, piece.end}, name->path);
		}
		if (code->mask[at] == 'r' && code_is_word(code, at, "return"))
			return WALK_USED;
		if (code->mask[at] == 'c' && at != use->except_wait &&
		    is_sure_wait(code, at, use->stream, use->from))
			return WALK_WAITED;
	}
	return WALK_ON;
}

/* The part of the loop before the copy that may use the memory of the round before; empty: none. */
static struct piece round_before(const struct code *code, struct piece loop,
				 const struct memory_use *use, const struct memory_name *name)
{
	size_t place;

	if (declaration_find(code, use->function, path_root(code, name->path), &place) &&
	    piece_has(loop, place))
		return (struct piece){loop.start, loop.start};
	return (struct piece){loop.start, use->from};
}

static enum walk walk_on(const struct code *code, const struct memory_use *use,
			 const struct memory_name *name)
{
	enum walk walked = WALK_ON;
	size_t at = use->from;
	struct piece loop;

	while (walked == WALK_ON && loop_around(code, at, &loop) &&
	       loop.start > use->function.start) {
		walked = walk_piece(code, (struct piece){at, loop.end}, use, name);
		if (walked == WALK_ON)
			walked = walk_piece(code, round_before(code, loop, use, name), use, name);
		if (walked == WALK_ON && loop.end >= use->waited_at)
			walked = WALK_WAITED;
		at = loop.end;
	}
	return walked == WALK_ON
		       ? walk_piece(code, (struct piece){at, use->function.end}, use, name)
		       : walked;
}

/* Up to the comma or semicolon, from behind the '='. */
static struct piece assigned_value(const struct code *code, size_t at)
{
	size_t end = at;

	while (end < code->length && !strchr(",;)}", code->mask[end]))
		end = code->partner[end] != CODE_NONE && code->partner[end] > end
			      ? code->partner[end] + 1
			      : end + 1;
	return code_trim(code, (struct piece){at, end});
}

/* The function in `(T *)NAME(...)`; empty: the piece is no such call. */
static struct piece called_function(const struct code *code, struct piece piece)
{
	struct code_call call;

	while (piece.start < piece.end && code->mask[piece.start] == '(')
		piece.start = code_skip(code, code->partner[piece.start] + (size_t)1, piece.end);
	return call_read(code, piece.start, &call) && call.name.end > call.name.start &&
			       code_skip(code, call.whole.end, piece.end) == piece.end
		       ? call.name
		       : (struct piece){piece.start, piece.start};
}

/* Each call gives other memory. */
static bool is_new_memory(const struct code *code, struct piece name)
{
	return code_reads(code, name, "malloc") || code_reads(code, name, "calloc");
}

/* Adds what the variable is set to at the '='. False: it is not understood. */
static bool add_source(const struct code *code, size_t statement, size_t equals,
		       struct memory_names *names)
{
	struct piece value = assigned_value(code, equals + 1), path, function;

	if (code_reads(code, value, "NULL") || code_reads(code, value, "nullptr") ||
	    code_reads(code, value, "0"))
		return true;
	function = called_function(code, value);
	if (is_new_memory(code, function))
		return true;
	if (function.start == function.end && !path_of(code, value, &path))
		return false;
	if (names->count == NAMES_MOST)
		return false;
	names->items[names->count++] = (struct memory_name){
		function.start < function.end ? function : path, {statement, value.end}};
	return true;
}

/* Adds what the variable of the name is set to in the function. */
static bool add_sources(const struct code *code, struct piece function, struct piece name,
			struct memory_names *names)
{
	struct piece rest = function;

	for (; (rest.start = path_find(code, rest, name)) < rest.end; rest.start++) {
		size_t after = code_skip(code, rest.start + (name.end - name.start), function.end);

		if (code->mask[after] == '=' && code->mask[after + 1] != '=' &&
		    !add_source(code, rest.start, after, names))
			return false;
	}
	return true;
}

/* Whether another variable is set from the path. */
static bool is_shared(const struct code *code, struct piece function,
		      const struct memory_name *name)
{
	struct piece rest = function;

	for (; (rest.start = path_find(code, rest, name->path)) < rest.end; rest.start++) {
		size_t end = code_skip_back(code, rest.start, function.start);

		while (end && strchr(")&", code->mask[end - 1]))
			end = code_skip_back(
				code, code->mask[end - 1] == ')' ? code->partner[end - 1] : end - 1,
				function.start);
		if (end > 1 && code->mask[end - 1] == '=' && !strchr("=!<>", code->mask[end - 2]) &&
		    !piece_has(name->statement, rest.start))
			return true;
	}
	return false;
}

const char *waits_before_use(const struct code *code, const struct memory_use *use)
{
	struct memory_names names = {.items = {{.path = use->path}}, .count = 1};
	enum walk walked;

	for (size_t i = 0; i < names.count; i++) {
		if (!add_sources(code, use->function, path_root(code, names.items[i].path), &names))
			return "what the host's memory is set from is not understood";
		if (is_shared(code, use->function, &names.items[i]))
			return "another variable of the function has the host's memory, too";
		walked = walk_on(code, use, &names.items[i]);
		if (walked == WALK_USED)
			return "the function uses the host's memory, or returns, before it waits "
			       "for the stream";
		if (walked == WALK_ON)
			return "the function does not wait for the stream before its end";
	}
	return NULL;
}

static bool is_pointer(const struct code *code, struct piece function, struct piece path)
{
	struct piece root = path_root(code, path);
	size_t place;

	if (!code_is_same(code, root, path) || !declaration_find(code, function, root, &place))
		return true;
	if (place == function.end)
		return true;
	place = code_skip_back(code, place, function.start);
	return place && (code->mask[place - 1] == '*' || code->mask[place - 1] == '>');
}

bool host_touches(const struct code *code, struct piece function, struct piece piece,
		  struct piece path)
{
	bool is_pointed = is_pointer(code, function, path);
	struct enqueued work;
	size_t at = piece.start, place;

	if (!declaration_find(code, function, path_root(code, path), &place))
		return true;
	for (; (at = path_find(code, (struct piece){at, piece.end}, path)) < piece.end; at++) {
		size_t after = code_skip(code, at + (path.end - path.start), piece.end);
		size_t before = code_skip_back(code, at, piece.start);
		char in = code->outer[at] != CODE_NONE ? code->mask[code->outer[at]] : '{';

		if (at == place || enqueued_around(code, at, &work))
			continue;
		if (code->mask[after] == '[' || code->mask[after] == '-')
			return true;
		if (is_pointed && before &&
		    (code->mask[before - 1] == '*' ||
		     (in == '(' && strchr("(,", code->mask[before - 1]))))
			return true;
	}
	return false;
}
