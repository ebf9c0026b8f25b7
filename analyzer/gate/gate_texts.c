#include "gate/gate_texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *text_format(struct arena *arena, const char *format, ...)
{
	va_list values, again;
	const char *kept;
	size_t size;
	char *text;

	va_start(values, format);
	va_copy(again, values);
	size = (size_t)vsnprintf(NULL, 0, format, values) + 1;
	va_end(values);
	text = memory_array(size, 1);
	vsnprintf(text, size, format, again);
	va_end(again);
	kept = arena_text(arena, text);
	free(text);
	return kept;
}
