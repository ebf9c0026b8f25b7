/*
 * Prints paragraphs of text that fit the terminal. A number and its unit stay on one line.
 *
 * Texts must be UTF-8 without control characters, as arena_text() makes them. If the locale is not UTF-8,
 * each character that is not ASCII becomes '?'. Failures to write show in ferror(page->out). One thread.
 */
#ifndef STREAMTRACE_PAGE_H
#define STREAMTRACE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Where text is printed, how wide it may be, and what the terminal can show. */
struct page {
	FILE *out;
	size_t width;	    /* of paragraphs, in columns */
	size_t table_width; /* of tables, in columns; >= width */
	bool is_utf8, has_color;
};

/* Returns a page on out, which stays the caller's. The page is as wide as the terminal. If out is no terminal, the
 * width is $COLUMNS, or 80 columns without $COLUMNS. Paragraphs are at most 100 columns wide, tables at most 400. A
 * terminal gets colour, unless $NO_COLOR is set, $TERM is not set, or $TERM is "dumb". */
struct page page_open(FILE *out);

/* Sets the style of what is printed after this call. On a page without colour the call does nothing. */
enum page_style { PAGE_PLAIN, PAGE_STRONG, PAGE_GOOD };
void page_set_style(const struct page *page, enum page_style style);

/* Returns how many columns the first `bytes` bytes of the text take on the page. Those bytes must not end inside a
 * character. */
size_t page_text_width(const struct page *page, const char *text, size_t bytes);

/* Returns the text with '?' for each character that the page cannot show. The caller frees the copy; if memory runs
 * out, it is "". */
char *page_text(const struct page *page, const char *text);

/* Like page_text(). A text wider than `width` columns is cut at its start, its end or its middle; an ellipsis, or ".."
 * without UTF-8, stands for the cut part and counts for the width. */
char *page_cut_start(const struct page *page, const char *text, size_t width);
char *page_cut_end(const struct page *page, const char *text, size_t width);
char *page_cut_middle(const struct page *page, const char *text, size_t width);

/* Prints left at the left end and right at the right end of one line. Texts that are too wide for one line are
 * printed as two paragraphs. right may be "". */
void print_apart(const struct page *page, const char *left, const char *right);

/* Returns a copy in which a no-break space stands between each number and its unit, for a reader that breaks lines at
 * blanks. The caller frees it. */
char *page_bind_units(const char *text);

/* Returns the width of the text's widest word, in columns. A number and its unit are one word. */
size_t page_longest_word(const struct page *page, const char *text);

/* Prints the text as one paragraph. Lines are broken between words; only a word that is wider than a line is broken
 * itself. Each line begins with `indent` spaces. lead replaces the spaces of the first line; it is at most `indent`
 * columns wide, or NULL for none. A newline in the text is printed as a space. */
void print_wrapped(const struct page *page, const char *lead, int indent, const char *text);

/* Formats a text like printf(), and prints it like print_wrapped(). */
void print_formatted(const struct page *page, const char *lead, int indent, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Prints each line of the text as a paragraph, indented by `indent` spaces. */
void print_paragraphs(const struct page *page, int indent, const char *text);

/* Prints an empty line, then the text as a paragraph. */
void print_heading(const struct page *page, const char *text);

/* Arguments of print_formatted() for fields ("name      value") and for items of a list ("  - text"). */
#define FIELD_INDENT 10
#define ITEM_LEAD    "  - "
#define ITEM_INDENT  4

#endif
