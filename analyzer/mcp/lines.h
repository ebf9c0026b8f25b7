/*
 * Parts what a stranger sends into lines, as the bytes come.
 *
 *	lines_add(&lines, bytes, size);
 *	while ((kind = lines_next(&lines, &line, &size)) != LINE_NONE) ...
 *
 * One thread.
 */
#ifndef STREAMTRACE_MCP_LINES_H
#define STREAMTRACE_MCP_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* A longer line is skipped. A request of this server has a few kB; a list of roots may have more. */
#define LINE_MOST_BYTES ((size_t)1 << 20)

/* Zero-initialize it; lines_free() it. */
struct lines {
	char *bytes;
	size_t start, used, capacity; /* bytes[start..used) was added and not yet returned */
	bool is_skipping;	      /* in a line that is too long */
};

/* LINE_NONE: no line is whole yet. LINE_TOO_LONG: the line's bytes are gone. */
enum line_kind { LINE_NONE, LINE_WHOLE, LINE_TOO_LONG };

/* Adds bytes, which are copied. Of an unfinished line at most LINE_MOST_BYTES + size bytes are kept. */
void lines_add(struct lines *lines, const char *bytes, size_t size);

/* Takes the next line. LINE_WHOLE: *line has *size bytes without the newline, which stay valid until the next
 * lines_add(). */
enum line_kind lines_next(struct lines *lines, const char **line, size_t *size);

/* Frees the bytes; *lines can be used again. */
void lines_free(struct lines *lines);

#endif
