/* The numbers of base/thresholds.def as variables: before main() THRESHOLD=NAME=VALUE of the environment sets one.
 * Only with -DSTREAMTRACE_THRESHOLDS=ON, for sensitivity.py. */
#include "base/thresholds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THRESHOLD(type, name, value, unit, meaning, source) type name = value;
#include "base/thresholds.def"
#undef THRESHOLD

__attribute__((constructor)) static void set_threshold(void)
{
	const char *text = getenv("THRESHOLD"), *value = text ? strchr(text, '=') : NULL;

	if (!text)
		return;
#define THRESHOLD(type, name, ...)                                                                 \
	if (value && strncmp(text, #name, (size_t)(value - text)) == 0 && !#name[value - text]) {  \
		name = (type)strtod(value + 1, NULL);                                              \
		return;                                                                            \
	}
#include "base/thresholds.def"
	fprintf(stderr, "no threshold: %s\n", text);
	abort();
}
