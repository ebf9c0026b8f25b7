/* Rules that drop, move or replace a wait of the host. */
#include "rewrite/memory_use.h"
#include "rewrite/rules.h"
#include "trace/trace.h"

#include <string.h>

/* A wait in a loop, alone in its lines, perhaps with an `if` in front. */
struct looped_wait {
	struct piece function, loop, stream; /* stream: empty: all streams */
	struct piece wrapper;
	struct code_call call;
	struct statement statement;
};

/* Whether the condition of an `if` only reads. */
static bool is_plain_condition(const struct code *code, struct piece guard)
{
	size_t open = guard.start + strcspn(code->mask + guard.start, "(");

	for (size_t at = open + 1; at < guard.end; at++)
		if (code->mask[at] == '(' ||
		    (code->mask[at] == '=' && code->mask[at + 1] != '=' &&
		     !strchr("=!<>", code->mask[at - 1])) ||
		    (strchr("+-", code->mask[at]) && code->mask[at + 1] == code->mask[at]))
			return false;
	return true;
}

/* Whether the piece has its lines for itself, but for comments. */
static bool has_own_lines(const struct code *code, struct piece piece)
{
	size_t start = piece.start, end = piece.end;

	while (start && code->text[start - 1] != '\n')
		if (!strchr(" \t", code->mask[--start]))
			return false;
	while (end < code->length && code->text[end] != '\n')
		if (!strchr(" \t", code->mask[end++]))
			return false;
	return true;
}

/* NULL: the statement can be removed with its guard; else why not. */
static const char *check_removal(const struct code *code, const struct statement *statement)
{
	const struct piece *guard = statement->guards;

	if (!has_own_lines(code, (struct piece){statement->guarded_start, statement->piece.end}))
		return "other code is in the same lines";
	if (statement->guard_count > 1 ||
	    (statement->guard_count &&
	     (!code_is_word(code, guard->start, "if") || !is_plain_condition(code, *guard))) ||
	    code_is_word(code, code_skip(code, statement->piece.end, code->length), "else"))
		return "the wait stands in a condition or a loop without braces";
	return NULL;
}

static const char *find_wait(const struct rewriting *rewriting, struct looped_wait *wait)
{
	const struct code *code = rewriting->code;
	const char *function = rewriting_function(rewriting), *why;
	bool is_wide = !strcmp(function, "cudaDeviceSynchronize");

	if (!is_wide && strcmp(function, "cudaStreamSynchronize") != 0)
		return "only synchronizations with a stream or the device are rewritten";
	*wait = (struct looped_wait){0};
	why = rewriting_find(rewriting, function, is_wide ? 0 : 1, &wait->call, &wait->function);
	if (why)
		return why;
	if (!statement_at(code, wait->call.name.start, &wait->statement) ||
	    !statement_is_call(code, &wait->statement, &wait->call, &wait->wrapper))
		return "the wait is part of a larger expression";
	if (!is_wide)
		wait->stream = wait->call.arguments[0];
	if (!loop_around(code, wait->call.name.start, &wait->loop) ||
	    wait->loop.start < wait->function.start)
		return "the loop is in another function";
	return check_removal(code, &wait->statement);
}

static bool is_host_memory(const struct code *code, const struct enqueued *copy, size_t index)
{
	struct piece kind = copy->call.arguments[copy->call.count - 2];
	bool to_device = code_reads(code, kind, "cudaMemcpyHostToDevice");
	bool to_host = code_reads(code, kind, "cudaMemcpyDeviceToHost");

	return index ? !to_host : !to_device;
}

/* NULL: without the wait the host still uses the copy's memory only behind a wait. */
static const char *check_copy(const struct code *code, const struct looped_wait *wait,
			      const struct enqueued *copy, size_t waited_at)
{
	struct memory_use use = {.function = wait->function,
				 .stream = copy->stream,
				 .from = copy->call.whole.end,
				 .except_wait = wait->call.name.start,
				 .waited_at = waited_at};

	if (copy->call.count < 4)
		return "a copy of the loop is not understood";
	for (size_t i = 0; i < 2; i++) {
		const char *why;

		if (!is_host_memory(code, copy, i))
			continue;
		if (!path_of(code, copy->call.arguments[i], &use.path))
			return "a copy's memory is no plain variable";
		why = waits_before_use(code, &use);
		if (why)
			return why;
	}
	return NULL;
}

/* Memory that host and device share has no copy. */
static bool shares_memory(const struct code *code, const struct looped_wait *wait,
			  const struct enqueued *launch)
{
	struct piece path;

	for (size_t i = 0; i < launch->memory_count; i++)
		if (path_of(code, launch->memory[i], &path) &&
		    host_touches(code, wait->function, wait->loop, path))
			return true;
	return false;
}

/* NULL: the loop shows what is waited for, and the host does not need it in the loop. */
static const char *check_loop(const struct code *code, const struct looped_wait *wait,
			      size_t waited_at)
{
	struct enqueued enqueued;
	size_t at = wait->loop.start;
	bool is_seen = false;

	while (enqueued_next(code, wait->loop, &at, &enqueued)) {
		const char *why = NULL;

		if (!enqueued.stream.start)
			return "the loop has work in the default stream";
		is_seen |= !wait->stream.start || code_is_same(code, enqueued.stream, wait->stream);
		if (code_is_word(code, enqueued.call.name.start, "cudaMemcpyAsync"))
			why = check_copy(code, wait, &enqueued, waited_at);
		else if (enqueued.is_launch && shares_memory(code, wait, &enqueued))
			why = "the host uses an argument of a kernel in the loop";
		else if (!enqueued.is_launch && !enqueued.is_allocation &&
			 !code_is_word(code, enqueued.call.name.start, "cudaMemsetAsync"))
			why = "the loop has copies that are not understood";
		if (why)
			return why;
	}
	return is_seen ? NULL : "the work that it waits for is enqueued by another function";
}

/* The wait behind the loop, in the loop's own indentation. */
static const char *move_wait(struct rewriting *rewriting, const struct looped_wait *wait)
{
	const struct code *code = rewriting->code;
	struct piece indent = rewriting_indent(code, wait->loop.start), own = wait->call.whole;
	struct piece end = {wait->loop.end, wait->loop.end};
	bool is_seen = expression_holds(code, wait->function, wait->stream, own.start, end.end);
	const char *open = wait->wrapper.start ? "(" : "";

	if (indent.end != wait->loop.start ||
	    code_is_word(code, code_skip(code, end.end, code->length), "else"))
		return "the loop is part of another statement";
	if (is_seen)
		patch_add(&rewriting->changes, end, "\n%.*s%.*s", PIECE(code, indent),
			  PIECE(code, wait->statement.piece));
	else
		patch_add(&rewriting->changes, end, "\n%.*s%.*s%scudaDeviceSynchronize()%s;",
			  PIECE(code, indent), PIECE(code, wait->wrapper), open, *open ? ")" : "");
	return NULL;
}

const char *rewrite_sync_in_loop(struct rewriting *rewriting)
{
	const struct code *code = rewriting->code;
	struct looped_wait wait;
	const char *why = find_wait(rewriting, &wait);
	bool is_behind;

	if (why)
		return why;
	is_behind = waits_behind(code, wait.function, wait.loop, wait.stream);
	why = check_loop(code, &wait, is_behind ? SIZE_MAX : wait.loop.end);
	if (!why && !is_behind)
		why = move_wait(rewriting, &wait);
	if (why)
		return why;
	patch_remove_lines(&rewriting->changes, code,
			   (struct piece){wait.statement.guarded_start, wait.statement.piece.end});
	rewriting->needs = "no function that the loop calls reads what its work brings to the host";
	return NULL;
}

/* The event or stream of `while (cudaEventQuery(E) == cudaErrorNotReady)`. */
static bool read_polling(const struct code *code, struct piece loop, struct code_call *query)
{
	size_t open = code_skip(code, loop.start + strlen("while"), loop.end), before;
	struct piece rest;

	if (!code_is_word(code, loop.start, "while") || code->mask[open] != '(')
		return false;
	/* do ... while (...) */
	before = code_skip_back(code, loop.start, 0);
	if (before && code->mask[before - 1] == '}') {
		before = code_skip_back(code, code->partner[before - 1], 0);
		if (before > 1 && code_is_word(code, before - 2, "do"))
			return false;
	}
	if (!call_read(code, code_skip(code, open + 1, loop.end), query) || query->count != 1)
		return false;
	rest = (struct piece){query->whole.end, code->partner[open]};
	return code_reads(code, rest, "==cudaErrorNotReady") &&
	       (code_is_word(code, query->name.start, "cudaEventQuery") ||
		code_is_word(code, query->name.start, "cudaStreamQuery"));
}

/* Whether the loop's body only sleeps. */
static bool only_sleeps(const struct code *code, struct piece loop, const struct code_call *query)
{
	static const char *const sleeps[] = {"std::this_thread::sleep_for(",
					     "std::this_thread::yield(",
					     "sleep_for(",
					     "usleep(",
					     "sched_yield(",
					     "nanosleep(",
					     "_mm_pause("};
	struct piece body = {(size_t)code->partner[code->outer[query->name.start]] + 1, loop.end};
	const char *semicolon;

	body = code_trim(code, body);
	if (code->mask[body.start] == '{')
		body = code_trim(code, (struct piece){body.start + 1, body.end - 1});
	if (body.start == body.end || code_reads(code, body, ";"))
		return true;
	semicolon = memchr(code->mask + body.start, ';', body.end - body.start);
	for (size_t i = 0; i < sizeof(sleeps) / sizeof(*sleeps); i++)
		if (!strncmp(code->mask + body.start, sleeps[i], strlen(sleeps[i])))
			return semicolon == code->mask + body.end - 1;
	return false;
}

const char *rewrite_polling_loop(struct rewriting *rewriting)
{
	const struct code *code = rewriting->code;
	size_t at = code_skip(code, rewriting->line.start, rewriting->line.end);
	struct code_call query;
	struct piece loop;

	/* The line is the loop's first, or in its body. */
	if (code_is_word(code, at, "while")) {
		at = code_skip(code, at + strlen("while"), code->length);
		if (code->mask[at] == '(')
			at = code_skip(code, code->partner[at] + (size_t)1, code->length);
	}
	if (at == rewriting->line.end || !loop_around(code, at, &loop))
		return "the line is in no loop";
	if (!read_polling(code, loop, &query))
		return "the loop does not ask for one event or stream until it is ready";
	if (loop.end - loop.start > STATEMENT_MOST_BYTES || !only_sleeps(code, loop, &query))
		return "the loop does more than to sleep";
	patch_add(&rewriting->changes, loop, "%s(%.*s);",
		  code_is_word(code, query.name.start, "cudaEventQuery") ? "cudaEventSynchronize"
									 : "cudaStreamSynchronize",
		  PIECE(code, query.arguments[0]));
	return NULL;
}
