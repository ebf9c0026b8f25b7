/*
 * What a trace has, counted, as `streamtrace info` shows it. One thread.
 */
#ifndef STREAMTRACE_INVENTORY_H
#define STREAMTRACE_INVENTORY_H

#include "commands/inventory_graphs.h"
#include "trace/collectives.h"
#include "trace/trace.h"

#include <jansson.h>

struct inventory {
	const struct trace *trace;
	uint64_t file_bytes; /* of the file and the log beside it */
	uint64_t events;     /* rows of the tables that hold events */
	/* Operations by kind, and how many of them have their call. */
	size_t operations[OPERATION_KIND_COUNT], with_call[OPERATION_KIND_COUNT];
	/* Collectives by communicator, as in trace->communicators, and how many of them have their kernel. The last
	 * element counts collectives whose communicator is not known. */
	size_t *collectives, *with_kernel;
	inventory_graphs graphs;
	char *failure; /* why nothing ran on a device (not_seen_failure()); NULL: something did, or it is not known */
};

/* Counts what the trace has, which trace_load_counted() must have made. path: of its file. The caller keeps the trace
 * until inventory_free(). */
struct inventory inventory_count(const struct trace *trace, const char *path);

/* The word of a kind of operations: "kernel". Static. */
const char *inventory_word(size_t kind);

/* Returns the inventory as a JSON object of info_schema (render/render.h), which the caller releases. */
json_t *inventory_json(const struct inventory *inventory);

void inventory_free(struct inventory *inventory);

#endif
