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

/* A page on out, which stays the caller's. It is as wide as the terminal; if out is none, as $COLUMNS says, else 80
 * columns. Paragraphs are at most 100 columns wide. A terminal gets colour, unless $NO_COLOR is set or $TERM is not
 * set or "dumb". */
struct page page_open(FILE *out);

/* Emphasizes what is printed from here on, until PAGE_PLAIN. Without colour it does nothing. */
enum page_style { PAGE_PLAIN, PAGE_STRONG, PAGE_GOOD };
void page_set_style(const struct page *page, enum page_style style);

/* How many columns the first `bytes` bytes of the text take on the page. They must end with a character. */
size_t page_text_width(const struct page *page, const char *text, size_t bytes);

/* The text with the characters that the page can show. The caller frees it; out of memory gives "". */
char *page_text(const struct page *page, const char *text);

/* Like page_text(); a text wider than width is cut at its start or its end, with a mark ("...") there. */
char *page_cut_start(const struct page *page, const char *text, size_t width);
char *page_cut_end(const struct page *page, const char *text, size_t width);

/* Prints two texts on one line, the second at the right end; on two lines, if they are too wide for one. The second
 * may be "". */
void print_apart(const struct page *page, const char *left, const char *right);

/* The width of the text's longest word, in columns. Lines are only broken between words, unless a word is wider than a
 * line. */
size_t page_longest_word(const struct page *page, const char *text);

/* Prints the text as one paragraph. Each line begins with `indent` spaces; the first has lead instead, which must be
 * at most as wide, or NULL. A newline in the text is printed as a space. A word that is wider than a line is broken.
 * */
void print_wrapped(const struct page *page, const char *lead, int indent, const char *text);

/* Formats a text like printf(), and prints it like print_wrapped(). */
void print_formatted(const struct page *page, const char *lead, int indent, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Prints each line of the text as a paragraph. */
void print_paragraphs(const struct page *page, int indent, const char *text);

/* Prints an empty line, then the text. */
void print_heading(const struct page *page, const char *text);

/* Arguments of print_formatted() for fields ("name      value") and for items of a list ("  - text"). */
#define FIELD_INDENT 10
#define ITEM_LEAD    "  - "
#define ITEM_INDENT  4

#endif
