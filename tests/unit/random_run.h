/* Small random runs as timelines, without a trace: for replays of edits. */
#ifndef STREAMTRACE_RANDOM_RUN_H
#define STREAMTRACE_RANDOM_RUN_H

#include "replay/observed/timeline_private.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	CALLS = 24,
	OPERATIONS = 20,
	STREAMS = 3,
	FUNCTIONS = 2,
	EVENTS = 2,
	USES = 2,
	WAITS = 30,
	NODES = 60
};

struct program {
	struct trace trace;
	struct trace_call calls[CALLS];
	struct trace_call_form call_forms[CALLS];
	struct trace_operation trace_operations[OPERATIONS];
	struct trace_operation_form operation_forms[OPERATIONS];
	struct trace_stream streams[STREAMS];
	struct trace_host_function trace_functions[FUNCTIONS];
	struct trace_event_wait events[EVENTS];
	struct trace_first_use uses[USES];
	struct model model;
	struct model_operation operations[OPERATIONS];
	struct model_node nodes[NODES];
	struct model_load loads[OPERATIONS];
	uint32_t device_ids[1];
	struct timeline timeline;
	struct timeline_call rows[CALLS];
	struct timeline_operation operation_rows[OPERATIONS];
	struct timeline_host_function functions[FUNCTIONS];
	struct timeline_wait waits[WAITS];
	struct model_place steps[OPERATIONS + FUNCTIONS + 2 * EVENTS];
	uint32_t to_model[OPERATIONS], given[OPERATIONS];
	uint32_t seed;
};

/* Pseudo-random, from program->seed on. */
uint32_t below(struct program *program, uint32_t limit);
bool one_in(struct program *program, uint32_t count);

/* The same for the same seed. Its timeline needs no more than free_program(). */
void make_program(struct program *program, uint32_t seed);
void free_program(struct program *program);

#endif
