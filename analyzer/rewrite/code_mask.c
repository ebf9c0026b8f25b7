#include "rewrite/code_mask.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct masking {
	const char *text;
	size_t length, at;
	char *mask;
};

static struct masking masking_begin(const char *text, size_t length)
{
	struct masking masking = {.text = text, .length = length};

	masking.mask = memory_array(length + 1, 1);
	memcpy(masking.mask, text, length);
	return masking;
}

static bool is_at(const struct masking *masking, const char *words)
{
	size_t length = strlen(words);

	return masking->at + length <= masking->length &&
	       !strncmp(masking->text + masking->at, words, length);
}

static void blank_until(struct masking *masking, size_t end)
{
	if (end > masking->length)
		end = masking->length;
	while (masking->at < end)
		masking->mask[masking->at++] = ' ';
}

/* The position of the words from `from` on; the end of the text: they are not there. */
static size_t masking_find(const struct masking *masking, size_t from, const char *words)
{
	const char *found = from <= masking->length ? strstr(masking->text + from, words) : NULL;

	return found ? (size_t)(found - masking->text) : masking->length;
}

/* One character, or what a backslash makes of two. */
static void blank_one(struct masking *masking)
{
	blank_until(masking, masking->at + (masking->text[masking->at] == '\\' ? 2 : 1));
}

/* A string in such quotes, up to its end or that of its line. */
static void mask_quoted(struct masking *masking, char quote)
{
	masking->at++;
	while (masking->at < masking->length && masking->text[masking->at] != quote &&
	       masking->text[masking->at] != '\n')
		blank_one(masking);
	masking->at += masking->at < masking->length;
}

/* Up to the end of the line, and of those that a backslash continues it with. */
static void mask_line(struct masking *masking)
{
	while (masking->at < masking->length && masking->text[masking->at] != '\n')
		blank_one(masking);
}

static void mask_comment(struct masking *masking)
{
	blank_until(masking, masking_find(masking, masking->at + 2, "*/") + 2);
}

/* As mask_line(), and up to the end of a comment that begins in it. */
static void mask_directive(struct masking *masking)
{
	size_t hash = masking->at, name = hash + 1;
	bool is_string = false;

	while (masking->text[name] == ' ' || masking->text[name] == '\t')
		name++;
	while (masking->at < masking->length && masking->text[masking->at] != '\n') {
		if (!is_string && is_at(masking, "//")) {
			mask_line(masking);
		} else if (!is_string && is_at(masking, "/*")) {
			mask_comment(masking);
		} else {
			is_string ^= masking->text[masking->at] == '"';
			blank_one(masking);
		}
	}
	if (strncmp(masking->text + name, "pragma", 6) != 0)
		masking->mask[hash] = '#';
}

/* R"delimiter(...)delimiter" */
static void mask_raw(struct masking *masking)
{
	size_t open = masking_find(masking, masking->at, "(");
	size_t delimiter = masking->at + 2, end;
	char *close = memory_format(")%.*s\"", (int)(open - delimiter), masking->text + delimiter);

	masking->at += 2;
	end = masking_find(masking, open, close);
	free(close);
	blank_until(masking, end == masking->length ? end : end + 1 + (open - delimiter));
	masking->at += masking->at < masking->length;
}

static bool is_line_start(const struct masking *masking)
{
	size_t at = masking->at;

	while (at && (masking->mask[at - 1] == ' ' || masking->mask[at - 1] == '\t'))
		at--;
	return !at || masking->text[at - 1] == '\n';
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_number(const struct masking *masking)
{
	return isdigit((unsigned char)masking->text[masking->at]) &&
	       !(masking->at && is_of_name(masking->mask[masking->at - 1]));
}

/* 1'000: its quotes are no string's. */
static void skip_number(struct masking *masking)
{
	const char *text = masking->text;

	while (is_of_name(text[masking->at]) ||
	       (text[masking->at] == '\'' && is_of_name(text[masking->at + 1])))
		masking->at++;
}

/* R"(, also behind the prefixes of a string's type. */
static bool is_raw(const struct masking *masking)
{
	static const char *const prefixes[] = {"", "u8", "u", "U", "L"};
	size_t start = masking->at;

	if (!is_at(masking, "R\""))
		return false;
	while (start && (isalnum((unsigned char)masking->text[start - 1]) ||
			 masking->text[start - 1] == '_'))
		start--;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strlen(prefixes[i]) == masking->at - start &&
		    !strncmp(masking->text + start, prefixes[i], masking->at - start))
			return true;
	return false;
}

char *code_mask_c(const char *text, size_t length)
{
	struct masking masking = masking_begin(text, length);

	while (masking.at < length) {
		if (is_at(&masking, "//"))
			mask_line(&masking);
		else if (is_at(&masking, "/*"))
			mask_comment(&masking);
		else if (is_number(&masking))
			skip_number(&masking);
		else if (is_raw(&masking))
			mask_raw(&masking);
		else if (text[masking.at] == '"' || text[masking.at] == '\'')
			mask_quoted(&masking, text[masking.at]);
		else if (text[masking.at] == '#' && is_line_start(&masking))
			mask_directive(&masking);
		else
			masking.at++;
	}
	return masking.mask;
}

/* A string of three quotes on each side. */
static void mask_long(struct masking *masking, const char *quotes)
{
	masking->at += 3;
	while (masking->at < masking->length && !is_at(masking, quotes))
		blank_one(masking);
	masking->at += masking->at < masking->length ? 3 : 0;
}

char *code_mask_python(const char *text, size_t length)
{
	struct masking masking = masking_begin(text, length);

	while (masking.at < length) {
		if (text[masking.at] == '#')
			blank_until(&masking, masking_find(&masking, masking.at, "\n"));
		else if (is_at(&masking, "\"\"\"") || is_at(&masking, "'''"))
			mask_long(&masking, text[masking.at] == '"' ? "\"\"\"" : "'''");
		else if (text[masking.at] == '"' || text[masking.at] == '\'')
			mask_quoted(&masking, text[masking.at]);
		else if (is_at(&masking, "\\\n"))
			blank_until(&masking, masking.at + 2);
		else
			masking.at++;
	}
	return masking.mask;
}
