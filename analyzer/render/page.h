/*
 * A page of text: paragraphs that fit the terminal. A number and its unit stay on one line.
 */
#ifndef STREAMTRACE_PAGE_H
#define STREAMTRACE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Where a text goes: how wide it may be and what the terminal can show. */
struct page {
	FILE *out;
	size_t width; /* characters */
	bool is_utf8;
};

/* As wide as the terminal, 100 characters at most; 80 where there is none. */
struct page page_open(FILE *out);

/* Prints the text as one paragraph: each line after `indent` spaces, the first after lead, which is
 * as wide, or NULL. A newline in the text is a space. */
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
