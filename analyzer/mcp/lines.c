#include "mcp/lines.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void lines_add(struct lines *lines, const char *bytes, size_t size)
{
	size_t kept = lines->used - lines->start;

	if (lines->start)
		memmove(lines->bytes, lines->bytes + lines->start, kept);
	lines->start = 0;
	lines->used = kept + size;
	if (lines->used > lines->capacity) {
		lines->capacity = 2 * lines->used;
		lines->bytes = memory_shrink(lines->bytes, lines->capacity, 1);
	}
	if (size)
		memcpy(lines->bytes + kept, bytes, size);
}

enum line_kind lines_next(struct lines *lines, const char **line, size_t *size)
{
	const size_t left = lines->used - lines->start;
	const char *begin = left ? lines->bytes + lines->start : NULL;
	const char *end = left ? memchr(begin, '\n', left) : NULL;
	const bool was_skipping = lines->is_skipping;

	if (!end) {
		if (was_skipping || left > LINE_MOST_BYTES) {
			lines->is_skipping = true;
			lines->start = lines->used;
		}
		return LINE_NONE;
	}
	*line = begin;
	*size = (size_t)(end - begin);
	lines->start += *size + 1;
	lines->is_skipping = false;
	return was_skipping || *size > LINE_MOST_BYTES ? LINE_TOO_LONG : LINE_WHOLE;
}

void lines_free(struct lines *lines)
{
	free(lines->bytes);
	*lines = (struct lines){0};
}
