#include "rewrite/code.h"

#include "base/memory.h"
#include "base/printable.h"
#include "rewrite/code_mask.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether its lines are safe to print, as a patch in a terminal or in JSON must be. The mark of UTF-8 may be in front. */
static bool is_plain(const char *text, size_t length)
{
	const size_t mark = length >= 3 && !strncmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
	char *lines = memory_format("%s", text + mark), *safe;
	bool is_safe;

	for (char *c = lines; *c; c++)
		*c = (char)(*c == '\n' || *c == '\t' ? ' ' : *c);
	safe = memory_format("%s", lines);
	printable_make(safe);
	is_safe = !strcmp(safe, lines);
	free(safe);
	free(lines);
	return is_safe;
}

static char opener_of(char c)
{
	return c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '\0';
}

static bool is_opener(char c)
{
	return c == '(' || c == '[' || c == '{';
}

/* False: they do not match. */
static bool match_brackets(struct code *code)
{
	uint32_t open = CODE_NONE;

	code->partner = memory_array(code->length + 1, sizeof(*code->partner));
	code->outer = memory_array(code->length + 1, sizeof(*code->outer));
	for (size_t i = 0; i <= code->length; i++) {
		char c = code->mask[i];

		code->partner[i] = CODE_NONE;
		code->outer[i] = open;
		if (is_opener(c)) {
			open = (uint32_t)i;
		} else if (opener_of(c)) {
			if (open == CODE_NONE || code->mask[open] != opener_of(c))
				return false;
			code->partner[i] = open;
			code->partner[open] = (uint32_t)i;
			open = code->outer[open];
			code->outer[i] = open;
		}
	}
	return open == CODE_NONE;
}

bool code_make(struct code *code, const char *text, size_t length, bool is_python)
{
	*code = (struct code){.text = text, .length = length, .is_python = is_python};
	if (length > CODE_MOST_BYTES || memchr(text, '\0', length) || !is_plain(text, length))
		return false;
	code->mask = is_python ? code_mask_python(text, length) : code_mask_c(text, length);
	if (match_brackets(code))
		return true;
	code_free(code);
	return false;
}

void code_free(struct code *code)
{
	free(code->mask);
	free(code->partner);
	free(code->outer);
	*code = (struct code){0};
}

bool code_line(const struct code *code, int line, struct piece *piece)
{
	const char *start = code->text, *end;

	for (int i = 1; i < line && start; i++) {
		start = strchr(start, '\n');
		start = start ? start + 1 : NULL;
	}
	if (!start || line < 1 || !*start)
		return false;
	end = strchr(start, '\n');
	piece->start = (size_t)(start - code->text);
	piece->end = end ? (size_t)(end - code->text) : code->length;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

size_t code_skip(const struct code *code, size_t at, size_t end)
{
	while (at < end && is_blank(code->mask[at]))
		at++;
	return at;
}

size_t code_skip_back(const struct code *code, size_t at, size_t start)
{
	while (at > start && is_blank(code->mask[at - 1]))
		at--;
	return at;
}

struct piece code_trim(const struct code *code, struct piece piece)
{
	piece.start = code_skip(code, piece.start, piece.end);
	piece.end = code_skip_back(code, piece.end, piece.start);
	return piece;
}

bool code_is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

size_t code_name_end(const struct code *code, size_t at)
{
	while (code_is_name(code->mask[at]))
		at++;
	return at;
}

bool code_is_word(const struct code *code, size_t at, const char *word)
{
	size_t length = strlen(word);

	return at + length <= code->length && !strncmp(code->mask + at, word, length) &&
	       !code_is_name(code->mask[at + length]) && !(at && code_is_name(code->mask[at - 1]));
}

size_t code_find_word(const struct code *code, struct piece piece, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = piece.start; i + length <= piece.end; i++)
		if (code->mask[i] == *word && code_is_word(code, i, word))
			return i;
	return piece.end;
}

/* Strings are compared by what they contain, so of the text. */
bool code_is_same(const struct code *code, struct piece a, struct piece b)
{
	for (;;) {
		a.start = code_skip(code, a.start, a.end);
		b.start = code_skip(code, b.start, b.end);
		if (a.start == a.end || b.start == b.end)
			return a.start == a.end && b.start == b.end;
		if (code->text[a.start++] != code->text[b.start++])
			return false;
	}
}

bool code_reads(const struct code *code, struct piece piece, const char *text)
{
	for (; *text; text++) {
		piece.start = code_skip(code, piece.start, piece.end);
		if (piece.start == piece.end || code->text[piece.start++] != *text)
			return false;
	}
	return code_skip(code, piece.start, piece.end) == piece.end;
}
