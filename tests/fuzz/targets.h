/*
 * What reads files that somebody else made, each as a function of an input: nothing may crash, overflow, leak or
 * not end, and what is said and printed is safe on a terminal. One thread.
 */
#ifndef STREAMTRACE_TESTS_FUZZ_TARGETS_H
#define STREAMTRACE_TESTS_FUZZ_TARGETS_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
	const char *name;
	void (*set_up)(void); /* once, before the first input */
	void (*run)(const uint8_t *bytes, size_t size);
};

#define FUZZ_SET_UP(name) void fuzz_set_up_##name(void);
#define FUZZ_RUN(name)	  void fuzz_run_##name(const uint8_t *bytes, size_t size);
FUZZ_SET_UP(trace)
FUZZ_SET_UP(import)
FUZZ_SET_UP(summary)
FUZZ_SET_UP(texts)
FUZZ_RUN(trace)
FUZZ_RUN(import)
FUZZ_RUN(summary)
FUZZ_RUN(allowed)
FUZZ_RUN(baseline)
FUZZ_RUN(names)
FUZZ_RUN(mcp)
FUZZ_RUN(ptx)
FUZZ_RUN(rewrite)

/* NULL: none has that name. */
const struct fuzz_target *fuzz_target_find(const char *name);

#endif
