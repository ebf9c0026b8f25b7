/*
 * The longest chains of operations that need each other (model.h): up to the first operation of an
 * engine, behind its last one, and of all. One thread.
 */
#ifndef STREAMTRACE_MODEL_CHAINS_H
#define STREAMTRACE_MODEL_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

struct model;

/* The least time before an engine's first operation, and after its last one. */
struct chain_ends {
	int64_t head_ns, tail_ns;
	bool is_used; /* false: it has none, and the times mean nothing */
};

/* engines by device and engine; freed with free(). */
struct chains {
	struct chain_ends *engines;
	int64_t longest_ns;
};

/* In place of a duration: the operation takes no time and is neither an engine's first nor its last;
 * what comes after it still comes after what it waits for. */
#define CHAINS_LEFT_OUT INT64_MIN

/* Durations in ns, by index in model.operations. */
struct chains chains_find(const struct model *model, const int64_t *durations_ns);

/* Those with the durations of the trace. */
struct chains chains_of_trace(const struct model *model);

#endif
