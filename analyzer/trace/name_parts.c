#include "trace/name_parts.h"

#include <ctype.h>
#include <string.h>

size_t slice_length(struct slice slice)
{
	return (size_t)(slice.end - slice.start);
}

bool slice_is(struct slice slice, const char *text)
{
	return slice_length(slice) == strlen(text) &&
	       !strncmp(slice.start, text, slice_length(slice));
}

static bool begins_with(const char *at, const char *end, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(end - at) >= length && *at == *text && !strncmp(at, text, length);
}

bool slice_begins(struct slice slice, const char *text)
{
	return begins_with(slice.start, slice.end, text);
}

struct slice slice_trim(struct slice slice)
{
	while (slice.start < slice.end && *slice.start == ' ')
		slice.start++;
	while (slice.start < slice.end && slice.end[-1] == ' ')
		slice.end--;
	return slice;
}

bool name_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Behind "operator<<" and its like, whose brackets are none; at itself where there is none. */
static const char *skip_operator(const char *start, const char *at, const char *end)
{
	const char *c = at;

	if (!begins_with(at, end, "operator") || (at > start && name_is_word(at[-1])))
		return at;
	c += strlen("operator");
	if (c < end && name_is_word(*c))
		return at;
	if (begins_with(c, end, "()") || begins_with(c, end, "[]"))
		return c + 2;
	while (c < end && strchr("<>=!+-*/%^&|~,", *c))
		c++;
	return c;
}

/* Behind the bracket that closes the one at `at`, or end. */
const char *name_skip_brackets(const char *at, const char *end)
{
	const char *start = at, *behind;
	int depth = 0;

	while (at < end) {
		behind = skip_operator(start, at, end);
		if (behind > at) {
			at = behind;
			continue;
		}
		if (strchr("(<[{", *at))
			depth++;
		else if (strchr(")>]}", *at) && !(*at == '>' && at > start && at[-1] == '-'))
			depth--;
		at++;
		if (depth == 0)
			break;
	}
	return at;
}

static struct part *current_part(struct parts *parts)
{
	return &parts->items[parts->count - 1];
}

static void begin_part(struct parts *parts, const char *at)
{
	if (parts->count == MOST_PARTS) {
		memmove(parts->items, parts->items + 1, (MOST_PARTS - 1) * sizeof(*parts->items));
		parts->count--;
	}
	parts->items[parts->count++] = (struct part){.name = {at, at}};
}

static void begin_name(struct parts *parts, const char *at)
{
	parts->count = 0;
	begin_part(parts, at);
}

/* Behind what may follow parameters: " const", "&", "[clone .cold]", "[abi:cxx11]". */
static const char *skip_qualifiers(const char *at, const char *end)
{
	static const char *const words[] = {" const", " volatile", "&", " noexcept"};
	bool is_more = true;

	while (is_more && at < end) {
		is_more = false;
		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (begins_with(at, end, words[i])) {
				at += strlen(words[i]);
				is_more = true;
			}
		if (begins_with(at, end, "[") || begins_with(at, end, " [")) {
			at = name_skip_brackets(at + (*at == ' '), end);
			is_more = true;
		}
	}
	return at;
}

/* Reads a bracket in a name: template arguments, parameters, a lambda. Returns where the name
 * continues; NULL: it ends there. */
static const char *read_bracket(struct parts *parts, const char *at, const char *end)
{
	struct part *part = current_part(parts);
	const char *behind = name_skip_brackets(at, end);
	bool is_empty = part->name.end == part->name.start;

	if (*at == '<') {
		part->arguments = (struct slice){at + 1, behind > at + 1 ? behind - 1 : at + 1};
		return behind;
	}
	if (is_empty && (*at == '{' || begins_with(at, end, "(anonymous namespace)"))) {
		part->is_local = true;
		part->name.end = behind;
		return behind;
	}
	if (*at != '(')
		return behind;
	part->is_function = true;
	behind = skip_qualifiers(behind, end);
	/* Otherwise the brackets belong to the return type: decltype (...). */
	return begins_with(behind, end, "::") || (behind < end && *behind == ' ') ? behind : NULL;
}

/* Splits a name, with its return type and parameters, which are left out. */
void name_read(struct slice slice, struct parts *parts)
{
	const char *at = slice.start, *behind;

	begin_name(parts, at);
	while (at && at < slice.end) {
		behind = skip_operator(slice.start, at, slice.end);
		if (behind > at) {
			current_part(parts)->name.end = behind;
			current_part(parts)->is_local = begins_with(at, slice.end, "operator()");
			at = behind;
		} else if (begins_with(at, slice.end, "::")) {
			at += 2;
			begin_part(parts, at);
		} else if (*at == ' ') {
			behind = skip_qualifiers(at, slice.end);
			/* operator< <int> */
			if (begins_with(at, slice.end, " <")) {
				at++;
				continue;
			}
			if (behind == slice.end)
				return;
			at = behind > at ? behind : at + 1;
			begin_name(parts, at);
		} else if (strchr("(<[{", *at)) {
			at = read_bracket(parts, at, slice.end);
		} else {
			at++;
			if (!current_part(parts)->arguments.start)
				current_part(parts)->name.end = at;
		}
	}
}

/* The end of the argument at `at`: a comma or the end. */
const char *name_argument_end(const char *at, const char *end)
{
	const char *start = at;

	while (at < end && *at != ',') {
		const char *behind = skip_operator(start, at, end);

		if (behind > at)
			at = behind;
		else
			at = strchr("(<[{", *at) ? name_skip_brackets(at, end) : at + 1;
	}
	return at;
}
