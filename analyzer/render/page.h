/*
 * A page of text: paragraphs that fit the terminal. A number and its unit stay on one line.
 *
 * Texts are UTF-8 without control characters, as arena_text() makes them. Where the locale is not
 * UTF-8, each of their other characters is shown as '?'.
 */
#ifndef STREAMTRACE_PAGE_H
#define STREAMTRACE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Where a text goes: how wide it may be and what the terminal can show. */
struct page {
	FILE *out;
	size_t width;	    /* of paragraphs, in characters */
	size_t table_width; /* at least as wide */
	bool is_utf8, has_color;
};

/* As wide as the terminal, paragraphs 100 characters at most; without a terminal as $COLUMNS says,
 * or 80. In colour on a terminal, unless $NO_COLOR is set or $TERM is "dumb". */
struct page page_open(FILE *out);

/* What is printed next is emphasized, until PAGE_PLAIN. Nothing without colour. */
enum page_style { PAGE_PLAIN, PAGE_STRONG, PAGE_GOOD };
void page_set_style(const struct page *page, enum page_style style);

/* How many columns the first bytes of the text take on this page. */
size_t page_text_width(const struct page *page, const char *text, size_t bytes);

/* The text as the page can show it; malloc'ed. */
char *page_text(const struct page *page, const char *text);

/* The same cut at its start or its end, with a mark there, where it is wider than that. */
char *page_cut_start(const struct page *page, const char *text, size_t width);
char *page_cut_end(const struct page *page, const char *text, size_t width);

/* Two texts on one line, the second at its right end; on two where they are too wide for one. The
 * second may be "". */
void print_apart(const struct page *page, const char *left, const char *right);

/* The columns of the longest word of a text, which is where a paragraph cannot be broken. */
size_t page_longest_word(const struct page *page, const char *text);

/* Prints the text as one paragraph: each line after `indent` spaces, the first after lead, which is
 * as wide, or NULL. A newline in the text is a space. A word that is wider than a line is broken. */
void print_wrapped(const struct page *page, const char *lead, int indent, const char *text);

/* The same for a text that is made like printf() makes it. */
void print_formatted(const struct page *page, const char *lead, int indent, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A paragraph a line of the text. */
void print_paragraphs(const struct page *page, int indent, const char *text);

/* An empty line, then the text. */
void print_heading(const struct page *page, const char *text);

/* Of fields ("name      value") and items ("  - text"), for print_formatted(). */
#define FIELD_INDENT 10
#define ITEM_LEAD    "  - "
#define ITEM_INDENT  4

#endif
