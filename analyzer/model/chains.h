/*
 * Finds the longest chains of operations that need each other (model.h): before each engine's first
 * operation, after its last one, and in the whole run. One thread.
 */
#ifndef STREAMTRACE_MODEL_CHAINS_H
#define STREAMTRACE_MODEL_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

struct model;

/* The least time that must pass before an engine's first operation begins, and after its last one
 * has ended. */
struct chain_ends {
	int64_t head_ns, tail_ns;
	bool is_used; /* false: the engine ran nothing; the times are undefined */
};

/* engines: indexed by device * ENGINE_COUNT + engine (device: an index in model.device_ids). The
 * caller of chains_find() must free() it; that of model.chains belongs to the model. */
struct chains {
	struct chain_ends *engines;
	int64_t longest_ns; /* of the whole run */
};

/* A duration for chains_find(): the operation takes no time, and does not count as an engine's
 * first or last. Later operations still come after what this operation needed. */
#define CHAINS_LEFT_OUT INT64_MIN

/* durations_ns: by index in model.operations, each 0 or more or CHAINS_LEFT_OUT. */
struct chains chains_find(const struct model *model, const int64_t *durations_ns);

/* Like chains_find(), with the durations in the trace. Only for building the model, which keeps the
 * result as model.chains: others use that. */
struct chains chains_of_trace(const struct model *model);

#endif
