/*
 * Numbers for the functions of calls.def and driver_calls.def, with their names and classes. Any
 * thread.
 */
#ifndef STREAMTRACE_FUNCTIONS_H
#define STREAMTRACE_FUNCTIONS_H

#include "facts/facts.h"

enum function {
#define CALL(name, variant, class, params, args, keep) FUNCTION_##name,
#include "api/calls.def"
#undef CALL
	FUNCTION_RUNTIME_COUNT,
	FUNCTION_DRIVER_FIRST = FUNCTION_RUNTIME_COUNT,
	/* No function: makes the next name FUNCTION_DRIVER_FIRST. */
	FUNCTION_DRIVER_BEFORE = FUNCTION_DRIVER_FIRST - 1,
#define DRIVER(name, cbid, variant, class, keep) FUNCTION_##cbid,
#include "api/driver_calls.def"
#undef DRIVER
	FUNCTION_COUNT
};

struct function_info {
	const char *name;
	enum function_class class;
};

extern const struct function_info function_infos[FUNCTION_COUNT];

/* The word for the class in column functions.class of schema.sql; static. */
const char *function_class_word(enum function_class class);

#endif
