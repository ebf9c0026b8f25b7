#include "render/page.h"

#include "base/memory.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define DEFAULT_WIDTH 80
#define LARGEST_WIDTH 100 /* longer lines are hard to read */
#define LARGEST_TABLE 400

static const char blanks[] = " \n";

/* 0: there is no terminal that says so. */
static size_t terminal_width(FILE *out)
{
	struct winsize size;

	if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

/* 0: $COLUMNS is no number of them. */
static size_t environment_width(void)
{
	const char *columns = getenv("COLUMNS");
	char *end = NULL;
	long width = columns ? strtol(columns, &end, 10) : 0;

	return end && end != columns && !*end && width > 0 && width <= LARGEST_TABLE ? (size_t)width
										     : 0;
}

static bool wants_color(FILE *out)
{
	const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(fileno(out)) && !(none && *none) && terminal && *terminal &&
	       strcmp(terminal, "dumb") != 0;
}

struct page page_open(FILE *out)
{
	struct page page = {.out = out, .has_color = wants_color(out)};
	size_t width = terminal_width(out);

	if (!width)
		width = environment_width();
	if (!width)
		width = DEFAULT_WIDTH;
	page.table_width = width < LARGEST_TABLE ? width : LARGEST_TABLE;
	page.width = width < LARGEST_WIDTH ? width : LARGEST_WIDTH;
	page.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	return page;
}

void page_set_style(const struct page *page, enum page_style style)
{
	static const char *const codes[] = {
		[PAGE_PLAIN] = "\033[0m",
		[PAGE_STRONG] = "\033[1m",
		[PAGE_GOOD] = "\033[32m",
	};

	if (page->has_color)
		fputs(codes[style], page->out);
}

static bool is_continued(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The bytes of the character at the start of the text, which does not end there. */
static size_t character_bytes(const char *text)
{
	size_t bytes = 1;

	while (is_continued(text[bytes]))
		bytes++;
	return bytes;
}

/* Some characters of East Asia take two columns. */
static size_t character_width(const struct page *page, const char *text, size_t bytes)
{
	wchar_t wide;
	int width;

	if (bytes == 1 || !page->is_utf8 || mbtowc(&wide, text, bytes) < 0)
		return 1;
	width = wcwidth(wide);
	return width < 0 ? 1 : (size_t)width;
}

size_t page_text_width(const struct page *page, const char *text, size_t bytes)
{
	size_t width = 0, step;

	for (size_t i = 0; i < bytes; i += step) {
		step = character_bytes(text + i);
		width += character_width(page, text + i, step);
	}
	return width;
}

static void put_character(const struct page *page, FILE *out, const char *text, size_t bytes)
{
	if (*text == '\n')
		fputc(' ', out);
	else if (bytes > 1 && !page->is_utf8)
		fputc('?', out);
	else
		fwrite(text, 1, bytes, out);
}

static void put_text(const struct page *page, FILE *out, const char *text, size_t bytes)
{
	size_t step;

	for (size_t i = 0; i < bytes; i += step) {
		step = character_bytes(text + i);
		put_character(page, out, text + i, step);
	}
}

/* What a text that is written to a file in memory becomes. */
static char *in_memory(const struct page *page, const char *before, const char *text, size_t bytes,
		       const char *behind)
{
	char *copy = NULL;
	size_t size;
	FILE *out = open_memstream(&copy, &size);

	if (!out)
		return memory_format("%s", "");
	fputs(before, out);
	put_text(page, out, text, bytes);
	fputs(behind, out);
	if (fclose(out))
		return memory_format("%s", "");
	return copy;
}

char *page_text(const struct page *page, const char *text)
{
	return in_memory(page, "", text, strlen(text), "");
}

static const char *mark_of(const struct page *page)
{
	return page->is_utf8 ? "\xe2\x80\xa6" : "..";
}

char *page_cut_start(const struct page *page, const char *text, size_t width)
{
	const char *mark = mark_of(page), *rest = text;
	size_t left = page_text_width(page, text, strlen(text)), step;

	if (left <= width)
		return page_text(page, text);
	for (left += page_text_width(page, mark, strlen(mark)); *rest && left > width;
	     rest += step) {
		step = character_bytes(rest);
		left -= character_width(page, rest, step);
	}
	return in_memory(page, mark, rest, strlen(rest), "");
}

char *page_cut_end(const struct page *page, const char *text, size_t width)
{
	const char *mark = mark_of(page), *end = text;
	size_t taken = page_text_width(page, mark, strlen(mark)), step, more;

	if (page_text_width(page, text, strlen(text)) <= width)
		return page_text(page, text);
	for (; *end; end += step, taken += more) {
		step = character_bytes(end);
		more = character_width(page, end, step);
		if (taken + more > width)
			break;
	}
	return in_memory(page, "", text, (size_t)(end - text), mark);
}

char *page_cut_middle(const struct page *page, const char *text, size_t width)
{
	size_t left = page_text_width(page, text, strlen(text)), step;
	const char *rest = text;
	char *head, *all;

	if (left <= width)
		return page_text(page, text);
	head = page_cut_end(page, text, (width + 1) / 2);
	width -= page_text_width(page, head, strlen(head));
	for (; *rest && left > width; rest += step) {
		step = character_bytes(rest);
		left -= character_width(page, rest, step);
	}
	all = in_memory(page, head, rest, strlen(rest), "");
	free(head);
	return all;
}

/* Whether the text begins with a unit. Punctuation or the rest of a range may follow it. */
static bool is_unit(const char *text)
{
	static const char *const units[] = {"ns", "us", "ms", "s",  "B",
					    "kB", "MB", "GB", "TB", "%"};
	size_t bytes = strcspn(text, blanks);
	const char *range = memmem(text, bytes, "..", 2);

	if (range)
		bytes = (size_t)(range - text);
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

	while (bytes && is_digit(text[bytes - 1]) && is_unit(text + bytes + blank)) {
		bytes += blank + strcspn(text + bytes + blank, blanks);
		blank = strspn(text + bytes, blanks);
	}
	return bytes;
}

char *page_bind_units(const char *text)
{
	static const char space[] = "\xc2\xa0";
	char *bound = memory_array((sizeof(space) - 1) * strlen(text) + 1, 1), *end = bound;

	for (; *text; text++) {
		if (*text == ' ' && end > bound && is_digit(end[-1]) && is_unit(text + 1))
			end = stpcpy(end, space);
		else
			*end++ = *text;
	}
	return bound;
}

size_t page_longest_word(const struct page *page, const char *text)
{
	size_t most = 0, bytes, width;

	for (text += strspn(text, blanks); *text; text += bytes + strspn(text + bytes, blanks)) {
		bytes = word_bytes(text);
		width = page_text_width(page, text, bytes);
		most = width > most ? width : most;
	}
	return most;
}

/* The bytes of as many characters as fit into the width, at least one of them. */
static size_t fitting_bytes(const struct page *page, const char *text, size_t bytes, size_t width)
{
	size_t fitting = character_bytes(text), taken = character_width(page, text, fitting), step;

	while (fitting < bytes) {
		step = character_bytes(text + fitting);
		taken += character_width(page, text + fitting, step);
		if (taken > width)
			break;
		fitting += step;
	}
	return fitting;
}

/* Prints a word at the start of a line. A word that is wider than a line goes on in the next ones. Returns
 * the column behind it. */
static size_t print_first_word(const struct page *page, int indent, const char *word, size_t bytes)
{
	size_t room = page->width > (size_t)indent ? page->width - (size_t)indent : 1;
	size_t fitting = fitting_bytes(page, word, bytes, room);

	put_text(page, page->out, word, fitting);
	while (fitting < bytes) {
		word += fitting;
		bytes -= fitting;
		fprintf(page->out, "\n%*s", indent, "");
		fitting = fitting_bytes(page, word, bytes, room);
		put_text(page, page->out, word, fitting);
	}
	return (size_t)indent + page_text_width(page, word, fitting);
}

void print_wrapped(const struct page *page, const char *lead, int indent, const char *text)
{
	size_t column = 0, bytes, width;

	fprintf(page->out, "%-*s", indent, lead ? lead : "");
	for (text += strspn(text, blanks); *text; text += bytes + strspn(text + bytes, blanks)) {
		bytes = word_bytes(text);
		width = page_text_width(page, text, bytes);
		if (column && column + 1 + width <= page->width) {
			fputc(' ', page->out);
			put_text(page, page->out, text, bytes);
			column += 1 + width;
			continue;
		}
		if (column)
			fprintf(page->out, "\n%*s", indent, "");
		column = print_first_word(page, indent, text, bytes);
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

void print_apart(const struct page *page, const char *left, const char *right)
{
	size_t left_width = page_text_width(page, left, strlen(left));
	size_t right_width = page_text_width(page, right, strlen(right));

	if (!right_width || left_width + 2 + right_width > page->width) {
		print_wrapped(page, NULL, 0, left);
		if (right_width)
			print_wrapped(page, NULL, 0, right);
		return;
	}
	put_text(page, page->out, left, strlen(left));
	fprintf(page->out, "%*s", (int)(page->width - left_width - right_width), "");
	put_text(page, page->out, right, strlen(right));
	fputc('\n', page->out);
}
