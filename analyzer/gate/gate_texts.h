/* Formatted texts in an arena. One thread at a time for each arena. */
#ifndef STREAMTRACE_GATE_TEXTS_H
#define STREAMTRACE_GATE_TEXTS_H

#include "base/memory.h"

/* Formats like printf() and passes the result through arena_text(): one line without control
 * characters. The text lasts as long as the arena. */
const char *text_format(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
