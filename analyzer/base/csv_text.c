#include "base/csv_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The length in bytes of the beginning that the text has; 0: none. */
static size_t begin_length(const char *text, const char *const *beginnings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(text, beginnings[i], strlen(beginnings[i])))
			return strlen(beginnings[i]);
	return 0;
}

#define BEGIN_LENGTH(text, array) begin_length(text, array, sizeof(array) / sizeof(*(array)))

/* Spreadsheets skip blanks before a formula, and read full-width signs (U+FF1D and others) as plain
 * ones, as Japanese and Chinese input needs. */
static bool is_formula(const char *text)
{
	static const char *const blanks[] = {" ",  "\t", "\r",	     "\n",
					     "\v", "\f", "\xc2\xa0", "\xe3\x80\x80"};
	static const char *const signs[] = {
		"=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
	size_t length;

	while ((length = BEGIN_LENGTH(text, blanks)))
		text += length;
	return BEGIN_LENGTH(text, signs);
}

void csv_text(FILE *out, const char *text)
{
	if (!text || !*text)
		return;
	fputc('"', out);
	if (strchr("\t\r\n", *text) || is_formula(text))
		fputc('\'', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
	fputc('"', out);
}
