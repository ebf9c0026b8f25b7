#include "rewrite/syntax.h"

#include <string.h>

/* Adds what stands between commas outside of brackets. False: too many. */
static bool split_commas(const struct code *code, struct piece list, struct piece *pieces,
			 size_t *count)
{
	size_t start = list.start;

	*count = 0;
	if (code_skip(code, list.start, list.end) == list.end)
		return true;
	for (size_t i = list.start; i <= list.end; i++) {
		if (i < list.end && code->mask[i] != ',') {
			if (code->partner[i] != CODE_NONE)
				i = code->partner[i];
			continue;
		}
		if (*count == CALL_ARGUMENTS)
			return false;
		pieces[(*count)++] = code_trim(code, (struct piece){start, i});
		start = i + 1;
	}
	return true;
}

/* <...> of a template's arguments without brackets and comparisons; at: where else there is none. */
static size_t skip_template(const struct code *code, size_t at)
{
	size_t end = at + 1;

	if (code->mask[at] != '<' || code->mask[at + 1] == '<')
		return at;
	while (code_is_name(code->mask[end]) || strchr(" \n\t,:*&", code->mask[end]))
		if (!code->mask[end++])
			return at;
	return code->mask[end] == '>' ? end + 1 : at;
}

bool call_read(const struct code *code, size_t name, struct code_call *call)
{
	size_t at = code_name_end(code, name), close;

	*call = (struct code_call){.name = {name, at}};
	at = skip_template(code, code_skip(code, at, code->length));
	at = code_skip(code, at, code->length);
	if (!strncmp(code->mask + at, "<<<", 3)) {
		close = at + 3;
		while (close < code->length && strncmp(code->mask + close, ">>>", 3) != 0) {
			const uint32_t partner = code->partner[close];

			if (code->mask[close] == ';' || (partner != CODE_NONE && partner < close))
				return false;
			close = partner != CODE_NONE ? (size_t)partner + 1 : close + 1;
		}
		if (close >= code->length ||
		    !split_commas(code, (struct piece){at + 3, close}, call->configuration,
				  &call->configuration_count))
			return false;
		at = code_skip(code, close + 3, code->length);
	}
	if (code->mask[at] != '(')
		return false;
	close = code->partner[at];
	call->whole = (struct piece){name, close + 1};
	return split_commas(code, (struct piece){at + 1, close}, call->arguments, &call->count);
}

uint32_t block_around(const struct code *code, size_t at)
{
	uint32_t open = code->outer[at];

	while (open != CODE_NONE && code->mask[open] != '{')
		open = code->outer[open];
	return open;
}

bool block_has(const struct code *code, uint32_t open, size_t at)
{
	return open == CODE_NONE || (open < at && at <= code->partner[open]);
}

/* The start of the word that ends there. */
static size_t word_before(const struct code *code, size_t end)
{
	while (end && code_is_name(code->mask[end - 1]))
		end--;
	return end;
}

static bool is_one_of(const struct code *code, size_t at, const char *const *words)
{
	for (; *words; words++)
		if (code_is_word(code, at, *words))
			return true;
	return false;
}

static const char *const loops[] = {"for", "while", "do", NULL};
static const char *const choices[] = {"if", "else", "switch", "try", "catch", NULL};
static const char *const qualifiers[] = {"const", "noexcept", "override", "final", "mutable", NULL};

/* What a bracket of parameters or of a condition stands behind: its word, or the '[' of a lambda. */
static enum block_kind kind_of_parentheses(const struct code *code, size_t open)
{
	size_t end = code_skip_back(code, open, 0), word = word_before(code, end);

	if (end && code->mask[end - 1] == ']')
		return BLOCK_FUNCTION;
	if (word == end)
		return BLOCK_OTHER;
	if (is_one_of(code, word, loops))
		return BLOCK_LOOP;
	if (is_one_of(code, word, choices) || code_is_word(code, word, "constexpr"))
		return BLOCK_CHOICE;
	return BLOCK_FUNCTION;
}

enum block_kind block_kind(const struct code *code, uint32_t open)
{
	size_t end = code_skip_back(code, open, 0), word = word_before(code, end);

	while (word < end && is_one_of(code, word, qualifiers)) {
		end = code_skip_back(code, word, 0);
		word = word_before(code, end);
	}
	if (!end || strchr(";{}", code->mask[end - 1]))
		return BLOCK_PLAIN;
	if (code->mask[end - 1] == ')')
		return kind_of_parentheses(code, code->partner[end - 1]);
	if (code->mask[end - 1] == ']')
		return BLOCK_FUNCTION; /* [=] { */
	if (word < end && is_one_of(code, word, loops))
		return BLOCK_LOOP;
	if (word < end && is_one_of(code, word, choices))
		return BLOCK_CHOICE;
	return BLOCK_OTHER;
}

/* Where the statement around the position starts: behind a semicolon or a brace. */
static size_t statement_start(const struct code *code, size_t at)
{
	uint32_t block = block_around(code, at);
	size_t least = block == CODE_NONE ? 0 : block + 1;

	while (code->outer[at] != block)
		at = code->outer[at];
	if (code->partner[at] != CODE_NONE && code->partner[at] < at)
		at = code->partner[at];
	while (at > least) {
		char before = code->mask[at - 1];

		if (before == ';' || before == '}')
			break;
		at = code->partner[at - 1] != CODE_NONE ? code->partner[at - 1] : at - 1;
	}
	return at;
}

/* The guard that begins there; empty: none. */
static struct piece read_guard(const struct code *code, size_t at)
{
	static const char *const words[] = {"if", "for", "while", NULL};
	size_t open;

	if (code_is_word(code, at, "else"))
		return (struct piece){at, at + strlen("else")};
	if (!is_one_of(code, at, words))
		return (struct piece){at, at};
	open = code_skip(code, code_name_end(code, at), code->length);
	if (code_is_word(code, open, "constexpr"))
		open = code_skip(code, code_name_end(code, open), code->length);
	if (code->mask[open] != '(')
		return (struct piece){at, at};
	return (struct piece){at, code->partner[open] + (size_t)1};
}

bool statement_at(const struct code *code, size_t at, struct statement *statement)
{
	static const char *const labels[] = {"case", "default", "do", NULL};
	size_t start = code_skip(code, statement_start(code, at), code->length), end;

	*statement = (struct statement){.guarded_start = start};
	for (;;) {
		struct piece guard = read_guard(code, start);

		if (guard.start == guard.end || guard.end > at)
			break;
		if (statement->guard_count ==
		    sizeof(statement->guards) / sizeof(*statement->guards))
			return false;
		statement->guards[statement->guard_count++] = guard;
		start = code_skip(code, guard.end, code->length);
	}
	if (is_one_of(code, start, labels))
		return false;
	for (end = start; end < code->length && code->mask[end] != ';'; end++) {
		if (end > start + STATEMENT_MOST_BYTES || code->mask[end] == '{' ||
		    code->mask[end] == '}')
			return false;
		if (code->partner[end] != CODE_NONE)
			end = code->partner[end];
	}
	statement->piece = (struct piece){start, end + 1};
	return end < code->length && start <= at && at <= end;
}

bool statement_is_call(const struct code *code, const struct statement *statement,
		       const struct code_call *call, struct piece *wrapper)
{
	struct piece own = {statement->piece.start, statement->piece.end - 1};
	struct code_call outer;

	*wrapper = (struct piece){0};
	if (code_is_same(code, own, call->whole))
		return true;
	if (!call_read(code, own.start, &outer) || outer.configuration_count || outer.count != 1 ||
	    !code_is_same(code, outer.arguments[0], call->whole) ||
	    code_skip(code, outer.whole.end, own.end) != own.end)
		return false;
	*wrapper = outer.name;
	return true;
}

/* Whether the statement around the position reaches over the line. */
static bool is_of_line(const struct code *code, size_t at, struct piece line)
{
	struct statement statement;

	return statement_at(code, at, &statement) && statement.piece.start <= line.end &&
	       statement.piece.end > line.start;
}

/* Whether the call begins there: of the function, or a launch if that is NULL. */
static bool is_wanted(const struct code *code, size_t at, const char *function,
		      struct code_call *call)
{
	if (!code_is_name(code->mask[at]) || (at && code_is_name(code->mask[at - 1])))
		return false;
	if (function && !code_is_word(code, at, function))
		return false;
	return call_read(code, at, call) && (function || call->configuration_count);
}

bool call_find(const struct code *code, struct piece line, const char *function,
	       struct code_call *call, const char **why)
{
	size_t first = line.start > STATEMENT_MOST_BYTES ? line.start - STATEMENT_MOST_BYTES : 0;
	size_t last = line.end + STATEMENT_MOST_BYTES < code->length
			      ? line.end + STATEMENT_MOST_BYTES
			      : code->length;
	struct code_call one;
	int found = 0;

	for (size_t at = first; at < last; at++) {
		if (!is_wanted(code, at, function, &one) || !is_of_line(code, at, line))
			continue;
		*call = one;
		found++;
	}
	*why = found ? "the line has the call more than once"
		     : "the call is not written in this line: it is in a macro or in another "
		       "function, or "
		       "the file has changed";
	return found == 1;
}

/* Where the statement around the position starts, with what an `else` in front of it belongs to. */
static size_t chain_start(const struct code *code, size_t at)
{
	size_t start = code_skip(code, statement_start(code, at), code->length), end;

	while (code_is_word(code, start, "else")) {
		end = code_skip_back(code, start, 0);
		if (!end)
			break;
		at = code->mask[end - 1] == '}' ? code->partner[end - 1] : end - 1;
		start = code_skip(code, statement_start(code, at), code->length);
	}
	return start;
}

/* The innermost guard `for (...)` or `while (...)` of the statement or the '{' at the position. */
static bool loop_of_guards(const struct code *code, size_t at, struct piece *loop)
{
	size_t start = chain_start(code, at), end = at;
	struct piece guard = read_guard(code, start);
	bool is_found = false;

	for (; guard.start < guard.end && guard.end <= at; guard = read_guard(code, start)) {
		if (is_one_of(code, guard.start, loops)) {
			loop->start = guard.start;
			is_found = true;
		}
		start = code_skip(code, guard.end, code->length);
	}
	while (code->mask[at] != '{' && end < code->length && code->mask[end] != ';')
		end = code->partner[end] != CODE_NONE && code->partner[end] > end
			      ? code->partner[end] + 1
			      : end + 1;
	loop->end = code->mask[at] == '{' ? code->partner[at] + (size_t)1 : end + 1;
	return is_found;
}

/* From the word of the loop whose block opens there. */
static struct piece loop_of_block(const struct code *code, uint32_t open)
{
	size_t start = code_skip_back(code, open, 0);

	if (start && code->mask[start - 1] == ')')
		start = code_skip_back(code, code->partner[start - 1], 0);
	return (struct piece){word_before(code, start), code->partner[open] + (size_t)1};
}

bool loop_around(const struct code *code, size_t at, struct piece *loop)
{
	if (loop_of_guards(code, at, loop))
		return true;
	for (uint32_t open = block_around(code, at); open != CODE_NONE;
	     open = block_around(code, open)) {
		enum block_kind kind = block_kind(code, open);

		if (kind == BLOCK_FUNCTION || kind == BLOCK_OTHER)
			return false;
		if (kind == BLOCK_LOOP) {
			*loop = loop_of_block(code, open);
			return true;
		}
		if (loop_of_guards(code, open, loop))
			return true;
	}
	return false;
}

bool function_around(const struct code *code, size_t at, struct piece *function)
{
	uint32_t open = block_around(code, at);
	size_t start;

	while (open != CODE_NONE && block_kind(code, open) != BLOCK_FUNCTION &&
	       block_kind(code, open) != BLOCK_OTHER)
		open = block_around(code, open);
	if (open == CODE_NONE || block_kind(code, open) != BLOCK_FUNCTION)
		return false;
	start = code_skip_back(code, open, 0);
	while (start && code->mask[start - 1] != ')' && code->mask[start - 1] != ']')
		start--;
	if (!start)
		return false;
	*function = (struct piece){code->partner[start - 1], code->partner[open] + (size_t)1};
	return function->end - function->start <= FUNCTION_MOST_BYTES &&
	       !memchr(code->mask + function->start, '#', function->end - function->start) &&
	       code_find_word(code, *function, "goto") == function->end;
}
