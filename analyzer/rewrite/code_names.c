#include "rewrite/code_names.h"

#include <ctype.h>
#include <string.h>

/* Behind `->` or `.`; at: there is none. */
static size_t skip_member(const struct code *code, size_t at, size_t end)
{
	at = code_skip(code, at, end);
	if (at + 1 < end && code->mask[at] == '-' && code->mask[at + 1] == '>')
		return code_skip(code, at + 2, end);
	return at < end && code->mask[at] == '.' ? code_skip(code, at + 1, end) : at;
}

/* Without what stands in front of the variable: casts, & and brackets around all. */
static struct piece strip_argument(const struct code *code, struct piece argument)
{
	argument = code_trim(code, argument);
	for (;;) {
		size_t close = argument.start < argument.end && code->mask[argument.start] == '('
				       ? code->partner[argument.start]
				       : CODE_NONE;

		if (close != CODE_NONE && close + 1 == argument.end)
			argument = (struct piece){argument.start + 1, close};
		else if (close != CODE_NONE)
			argument.start = close + 1;
		else if (argument.start < argument.end && code->mask[argument.start] == '&')
			argument.start++;
		else
			return argument;
		argument = code_trim(code, argument);
	}
}

bool path_of(const struct code *code, struct piece argument, struct piece *path)
{
	size_t at, next;

	argument = strip_argument(code, argument);
	if (argument.start == argument.end || !code_is_name(code->mask[argument.start]) ||
	    isdigit((unsigned char)code->mask[argument.start]))
		return false;
	at = code_name_end(code, argument.start);
	for (next = skip_member(code, at, argument.end);
	     next < argument.end && next != code_skip(code, at, argument.end) &&
	     code_is_name(code->mask[next]);
	     next = skip_member(code, at, argument.end))
		at = code_name_end(code, next);
	*path = (struct piece){argument.start, at};
	at = code_skip(code, at, argument.end);
	/* The rest may only move along it. */
	return at == argument.end || code->mask[at] == '+' || code->mask[at] == '[';
}

struct piece path_root(const struct code *code, struct piece path)
{
	return (struct piece){path.start, code_name_end(code, path.start)};
}

static bool is_member(const struct code *code, size_t at)
{
	size_t end = code_skip_back(code, at, 0);

	return end && (code->mask[end - 1] == '.' ||
		       (end > 1 && code->mask[end - 1] == '>' && code->mask[end - 2] == '-'));
}

/* Where the text of the piece stands at the position, in the same names; 0: it does not. */
static size_t match_text(const struct code *code, size_t at, struct piece text, size_t end)
{
	while (text.start < text.end) {
		text.start = code_skip(code, text.start, text.end);
		at = code_skip(code, at, end);
		if (text.start == text.end)
			break;
		if (at == end || code->mask[at++] != code->mask[text.start++])
			return 0;
	}
	return at < code->length && code_is_name(code->mask[at]) ? 0 : at;
}

size_t path_find(const struct code *code, struct piece piece, struct piece path)
{
	struct piece root = path_root(code, path);

	for (size_t at = piece.start; at < piece.end; at++) {
		size_t end;

		if (code->mask[at] != code->mask[root.start] ||
		    (at && code_is_name(code->mask[at - 1])) || is_member(code, at))
			continue;
		if (match_text(code, at, path, piece.end))
			return at;
		end = match_text(code, at, root, piece.end);
		if (end &&
		    skip_member(code, end, code->length) == code_skip(code, end, code->length))
			return at;
	}
	return piece.end;
}

bool path_is_in(const struct code *code, struct piece argument, struct piece path)
{
	struct piece own;

	return path_of(code, argument, &own) && code_is_same(code, own, path);
}

/* A type stands in front of the name, and behind it what may follow in a declaration. */
static bool is_declaration(const struct code *code, size_t at, size_t end)
{
	static const char *const others[] = {"return", "else", "delete", "case",   "throw",
					     "new",    "goto", "do",	 "sizeof", NULL};
	size_t before = code_skip_back(code, at, 0), after = code_skip(code, end, code->length),
	       word;

	if (!before || !strchr("=;,)[({:", code->mask[after]))
		return false;
	if (code->mask[after] == '=' && code->mask[after + 1] == '=')
		return false;
	while (before && strchr("*& \t\n", code->mask[before - 1]))
		before--;
	if (before && code->mask[before - 1] == '>')
		return before > 1 && code->mask[before - 2] != '-';
	/* Also of a list: `float *a, *b`. */
	if (before && code->mask[before - 1] == ',' && code->mask[after] != ')' &&
	    code->mask[code->outer[at] == CODE_NONE ? 0 : code->outer[at]] == '{')
		return true;
	for (word = before; word && code_is_name(code->mask[word - 1]);)
		word--;
	if (word == before || isdigit((unsigned char)code->mask[word]))
		return false;
	for (size_t i = 0; others[i]; i++)
		if (code_is_word(code, word, others[i]))
			return false;
	return true;
}

bool declaration_find(const struct code *code, struct piece function, struct piece name,
		      size_t *place)
{
	size_t count = 0;

	*place = function.end;
	for (size_t at = function.start; at < function.end; at++) {
		if (code->mask[at] != code->mask[name.start] || code_is_name(code->mask[at - 1]) ||
		    !match_text(code, at, name, function.end) || is_member(code, at) ||
		    !is_declaration(code, at, code_name_end(code, at)))
			continue;
		*place = at;
		count++;
	}
	return count < 2;
}

/* Where a variable declared there is seen. */
static struct piece scope_of(const struct code *code, struct piece function, size_t place)
{
	uint32_t outer = code->outer[place], block = block_around(code, place);
	struct piece loop;

	if (outer == function.start)
		return function;
	if (outer != CODE_NONE && code->mask[outer] == '(' &&
	    loop_around(code, code_skip(code, code->partner[outer] + (size_t)1, code->length),
			&loop) &&
	    loop.start < outer)
		return loop;
	if (outer != block) /* in a condition or an argument */
		return (struct piece){place, code->partner[outer]};
	return (struct piece){place, block == CODE_NONE ? function.end : code->partner[block]};
}

/* Whether the name at the position is assigned, counted up or down, or its address taken. */
static bool is_changed(const struct code *code, size_t at)
{
	size_t after = code_skip(code, code_name_end(code, at), code->length);
	size_t before = code_skip_back(code, at, 0);
	const char *behind = code->mask + after;

	if (*behind == '=' && behind[1] != '=')
		return true;
	if (!strncmp(behind, "<<=", 3) || !strncmp(behind, ">>=", 3))
		return true;
	if (*behind && strchr("+-*/%&|^", *behind) && (behind[1] == '=' || behind[1] == *behind))
		return behind[0] != '&' && behind[0] != '|' ? true : behind[1] == '=';
	if (before > 1 && strchr("+-", code->mask[before - 1]) &&
	    code->mask[before - 2] == code->mask[before - 1])
		return true;
	return before && code->mask[before - 1] == '&' &&
	       !(before > 1 && code->mask[before - 2] == '&');
}

static bool name_holds(const struct code *code, struct piece function, struct piece name,
		       size_t from, size_t to)
{
	struct piece between = {from < to ? from : to, from < to ? to : from}, scope;
	size_t place;

	if (!declaration_find(code, function, name, &place))
		return false;
	if (place < function.end) {
		scope = scope_of(code, function, place);
		if (!piece_has(scope, from) || !piece_has(scope, to))
			return false;
	}
	for (size_t at = between.start; at < between.end; at++)
		if (code->mask[at] == code->mask[name.start] && !code_is_name(code->mask[at - 1]) &&
		    match_text(code, at, name, between.end) && !is_member(code, at) &&
		    is_changed(code, at))
			return false;
	return true;
}

bool expression_holds(const struct code *code, struct piece function, struct piece expression,
		      size_t from, size_t to)
{
	for (size_t at = expression.start; at < expression.end;) {
		size_t end = code_name_end(code, at);

		if (end == at) {
			/* A call may give something else each time. */
			if (code->mask[at] == '(' || code->mask[at] == '=')
				return false;
			at++;
			continue;
		}
		if (!isdigit((unsigned char)code->mask[at]) && !is_member(code, at) &&
		    !name_holds(code, function, (struct piece){at, end}, from, to))
			return false;
		at = end;
	}
	return true;
}
