#include "render/page.h"

#include "base/memory.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_WIDTH 80
#define LARGEST_WIDTH 100 /* longer lines are hard to read */

static const char blanks[] = " \n";

struct page page_open(FILE *out)
{
	struct page page = {.out = out, .width = DEFAULT_WIDTH};
	struct winsize size;

	if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		page.width = size.ws_col < LARGEST_WIDTH ? size.ws_col : LARGEST_WIDTH;
	page.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	return page;
}

/* Characters, not bytes. */
static size_t text_width(const char *text, size_t bytes)
{
	size_t width = 0, i;

	for (i = 0; i < bytes; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

/* Whether the text begins with a unit, whatever closes the sentence behind it. */
static bool is_unit(const char *text)
{
	static const char *const units[] = {"ns", "us", "ms", "s",  "B",
					    "kB", "MB", "GB", "TB", "%"};
	size_t bytes = strcspn(text, blanks);

	while (bytes && strchr(".,;:)", text[bytes - 1]))
		bytes--;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strlen(units[i]) == bytes && !strncmp(text, units[i], bytes))
			return true;
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The bytes of the word that the text begins with; a number and its unit are one word. */
static size_t word_bytes(const char *text)
{
	size_t bytes = strcspn(text, blanks), blank = strspn(text + bytes, blanks);

	if (bytes && is_digit(text[bytes - 1]) && is_unit(text + bytes + blank))
		bytes += blank + strcspn(text + bytes + blank, blanks);
	return bytes;
}

static void print_word(FILE *out, const char *word, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		fputc(word[i] == '\n' ? ' ' : word[i], out);
}

void print_wrapped(const struct page *page, const char *lead, int indent, const char *text)
{
	size_t column = (size_t)indent, bytes, width;
	bool is_first = true;

	fprintf(page->out, "%-*s", indent, lead ? lead : "");
	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		bytes = word_bytes(text);
		width = text_width(text, bytes);
		if (!is_first && column + 1 + width > page->width) {
			fprintf(page->out, "\n%*s", indent, "");
			column = (size_t)indent;
			is_first = true;
		}
		if (!is_first)
			fputc(' ', page->out);
		print_word(page->out, text, bytes);
		column += width + !is_first;
		is_first = false;
		text += bytes;
	}
	fputc('\n', page->out);
}

void print_formatted(const struct page *page, const char *lead, int indent, const char *format, ...)
{
	va_list values, again;
	char *text;
	int length;

	va_start(values, format);
	va_copy(again, values);
	length = vsnprintf(NULL, 0, format, values);
	va_end(values);
	text = memory_array(length > 0 ? (size_t)length + 1 : 1, 1);
	vsnprintf(text, length > 0 ? (size_t)length + 1 : 1, format, again);
	va_end(again);
	print_wrapped(page, lead, indent, text);
	free(text);
}

void print_paragraphs(const struct page *page, int indent, const char *text)
{
	while (*text) {
		size_t bytes = strcspn(text, "\n");

		print_formatted(page, NULL, indent, "%.*s", (int)bytes, text);
		text += bytes + (text[bytes] == '\n');
	}
}

void print_heading(const struct page *page, const char *text)
{
	fputc('\n', page->out);
	print_wrapped(page, NULL, 0, text);
}
