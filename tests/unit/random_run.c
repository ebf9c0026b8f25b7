#include "random_run.h"

#include "replay/schedule/replay_bases.h"
#include "replay/schedule/replay_pool.h"

#include <stdlib.h>

static const struct trace_function functions[] = {
	{"cudaLaunchKernel", CLASS_LAUNCH},	      {"cudaMemcpy", CLASS_COPY},
	{"cudaDeviceSynchronize", CLASS_DEVICE_SYNC}, {"cudaStreamSynchronize", CLASS_STREAM_SYNC},
	{"cudaEventSynchronize", CLASS_EVENT_SYNC},   {"cudaFree", CLASS_FREE},
};

uint32_t below(struct program *program, uint32_t limit)
{
	program->seed = program->seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)program->seed * limit) >> 32);
}

bool one_in(struct program *program, uint32_t count)
{
	return below(program, count) == 0;
}

static void add_calls(struct program *program)
{
	uint32_t last[2] = {NO_CALL, NO_CALL};

	for (uint32_t i = 0; i < CALLS; i++) {
		uint32_t thread = below(program, 2);
		struct timeline_call *row = &program->rows[i];

		program->call_forms[i] = (struct trace_call_form){
			.thread_id = thread,
			.dst = below(program, 2),
			.function =
				&functions[below(program, sizeof(functions) / sizeof(*functions))],
		};
		program->calls[i] = (struct trace_call){
			.start_ns = i * 10,
			.end_ns = i * 10 + 8,
			.form = &program->call_forms[i],
		};
		*row = (struct timeline_call){.before = last[thread],
					      .joins = UINT32_MAX,
					      .gap_ns = below(program, 6),
					      .own_ns = 2 + below(program, 9)};
		row->tool_ns = below(program, 2);
		row->tool_gap_ns = row->gap_ns ? below(program, 2) : 0;
		last[thread] = i;
	}
}

static void add_nodes(struct program *program)
{
	program->model.node_count = 1 + OPERATIONS;
	for (uint32_t i = 0; i < OPERATIONS; i++)
		program->nodes[1 + i] = model_node_of_operation(NODE_NONE, i, 0);
	while (program->model.node_count < NODES) {
		uint32_t count = (uint32_t)program->model.node_count;

		program->nodes[program->model.node_count++] = model_node_of_join(
			1 + below(program, count - 1), 1 + below(program, count - 1), 0);
	}
}

/* The last operation that the node stands for, plus one. */
static uint32_t last_of(const struct program *program, node_index node)
{
	const struct model_node *row = &program->nodes[node];
	uint32_t first, second;

	if (node == NODE_NONE)
		return 0;
	if (!row->is_join)
		return row->other + 1;
	first = last_of(program, row->first);
	second = last_of(program, model_node_second(row));
	return first > second ? first : second;
}

static node_index need(struct program *program, uint32_t operation)
{
	node_index node = below(program, NODES);

	return one_in(program, 2) && last_of(program, node) <= operation ? node : NODE_NONE;
}

static void add_operation(struct program *program, uint32_t i)
{
	struct trace_operation *operation = &program->trace_operations[program->given[i]];
	struct trace_operation_form *form = &program->operation_forms[program->given[i]];
	struct timeline_operation *row = &program->operation_rows[i];
	uint32_t call = i * CALLS / OPERATIONS;

	*form = (struct trace_operation_form){
		.stream = &program->streams[below(program, STREAMS)],
		.channel_id = one_in(program, 2) ? NO_CHANNEL : below(program, 2),
		.size_bytes = one_in(program, 2) ? 100 : 100000,
		.kind = one_in(program, 2) ? OPERATION_KERNEL : OPERATION_COPY,
	};
	form->engine = form->kind == OPERATION_KERNEL ? ENGINE_COMPUTE : ENGINE_H2D;
	*operation = (struct trace_operation){
		.start_ns = program->given[i] * 10,
		.end_ns = program->given[i] * 10 + 6,
		.call = one_in(program, 10) ? NULL : &program->calls[call],
		.form = form,
	};
	program->operations[i] = (struct model_operation){
		.operation = operation, .needs = need(program, i), .reuses = need(program, i)};
	program->to_model[program->given[i]] = i;
	*row = (struct timeline_operation){.enqueue_lag_ns = below(program, 8),
					   .order_lag_ns = below(program, 4),
					   .duration_ns = 6 + below(program, 12),
					   .index = program->given[i],
					   .call = operation->call ? call : NO_CALL,
					   .stream = (uint32_t)(form->stream - program->streams),
					   .share = form->kind == OPERATION_KERNEL ? 400000
										   : SCHEDULE_WHOLE,
					   .tail_share = 200000,
					   .engine = form->engine,
					   .kind = form->kind,
					   .has_order = !one_in(program, 4),
					   .has_barrier = one_in(program, 2),
					   .has_needs = !one_in(program, 4),
					   .has_reuses = !one_in(program, 4)};
	row->release_ns = (int64_t)below(program, 5) - 2;
	row->tail_ns = one_in(program, 2) ? 0 : below(program, 6);
	program->loads[row->index].occupancy =
		(struct occupancy){SCHEDULE_WHOLE, 300000, below(program, 6)};
}

static void add_operations(struct program *program)
{
	for (uint32_t i = 0; i < OPERATIONS; i++)
		program->given[i] = i;
	for (uint32_t i = 0; i + 1 < OPERATIONS; i += 2)
		if (one_in(program, 3)) {
			program->given[i] = i + 1;
			program->given[i + 1] = i;
		}
	for (uint32_t i = 0; i < OPERATIONS; i++)
		add_operation(program, i);
}

static int compare_waits(const void *a, const void *b)
{
	const struct timeline_wait *x = a, *y = b;

	return (x->operation > y->operation) - (x->operation < y->operation);
}

static void add_waits(struct program *program)
{
	for (uint32_t i = 0; i < WAITS; i++) {
		uint32_t item = below(program, OPERATIONS + FUNCTIONS);
		uint32_t from = item < OPERATIONS ? item * CALLS / OPERATIONS : CALLS / 2;

		program->waits[i] =
			(struct timeline_wait){.call = from + below(program, CALLS - from),
					       .operation = item,
					       .lag_ns = (int64_t)below(program, 6) - 2,
					       .is_of_stream = one_in(program, 2)};
	}
	qsort(program->waits, WAITS, sizeof(*program->waits), compare_waits);
}

/* The functions after half of the operations, each behind a record and a wait of an event. */
static void add_steps(struct program *program)
{
	struct model_place *steps = program->steps;
	size_t count = 0;

	for (uint32_t i = 0; i < OPERATIONS; i++) {
		if (i == OPERATIONS / 4)
			steps[count++] = (struct model_place){STEP_RECORD, 0};
		if (i == OPERATIONS / 3)
			steps[count++] = (struct model_place){STEP_RECORD, 1};
		if (i == OPERATIONS / 2)
			for (uint32_t k = 0; k < FUNCTIONS; k++) {
				steps[count++] = (struct model_place){STEP_WAIT, k};
				steps[count++] = (struct model_place){STEP_HOST_FUNCTION, k};
			}
		steps[count++] = (struct model_place){STEP_OPERATION, program->given[i]};
	}
	program->timeline.step_count = count;
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		uint32_t call = CALLS / 3 + below(program, CALLS / 6);

		program->trace_functions[i] = (struct trace_host_function){
			.start_ns = 100,
			.end_ns = 100 + below(program, 20),
			.call = &program->calls[call],
			.stream = &program->streams[below(program, 2)]};
		program->functions[i] =
			(struct timeline_host_function){below(program, 5), !one_in(program, 3)};
	}
	for (uint32_t i = 0; i < EVENTS; i++)
		program->events[i] = (struct trace_event_wait){
			.recorder = &program->streams[below(program, STREAMS)],
			.waiter = &program->streams[below(program, STREAMS)]};
	for (uint32_t i = 0; i < USES; i++) {
		uint32_t item = below(program, OPERATIONS / 2);

		program->uses[i] = (struct trace_first_use){
			.copy = &program->trace_operations[item],
			.before = &program->calls[CALLS - 1 - below(program, 4)],
			.touch_ns = program->trace_operations[item].end_ns + below(program, 20)};
	}
}

static void fill(struct program *program)
{
	/* Kernels of three streams share two hardware queues. */
	static struct trace_metadata_row queues = {"cuda_device_max_connections", "2"};

	program->trace = (struct trace){.metadata = &queues,
					.metadata_count = 1,
					.calls = program->calls,
					.call_count = CALLS,
					.operations = program->trace_operations,
					.operation_count = OPERATIONS,
					.streams = program->streams,
					.stream_count = STREAMS,
					.host_functions = program->trace_functions,
					.host_function_count = FUNCTIONS,
					.event_waits = program->events,
					.event_wait_count = EVENTS,
					.first_uses = program->uses,
					.first_use_count = USES};
	program->model = (struct model){.trace = &program->trace,
					.operations = program->operations,
					.operation_count = OPERATIONS,
					.nodes = program->nodes,
					.loads = program->loads,
					.device_ids = program->device_ids,
					.device_count = 1};
	program->model.pinned_copies[ENGINE_H2D] = (struct copy_rate){
		.bytes_per_ns = 20000, .latency_ns = 2, .slower = 0.2, .faster = 0.1};
	program->timeline = (struct timeline){.model = &program->model,
					      .end_ns = below(program, 2) ? 100 : 1000,
					      .calls = program->rows,
					      .operations = program->operation_rows,
					      .host_functions = program->functions,
					      .has_host_engine = one_in(program, 2),
					      .waits = program->waits,
					      .wait_count = WAITS,
					      .to_model = program->to_model,
					      .given = program->given,
					      .steps = program->steps,
					      .launch_lag_ns = 3,
					      .order_lag_ns = 1,
					      .return_lag_ns = 2,
					      .pool = replay_pool_create(),
					      .bases = replay_bases_create()};
}

void make_program(struct program *program, uint32_t seed)
{
	*program = (struct program){.seed = seed};
	fill(program);
	for (uint32_t i = 0; i < STREAMS; i++)
		program->streams[i] = (struct trace_stream){
			.id = i, .flag = i == 0 ? STREAM_NULL : (enum stream_flag)(1 + i % 2)};
	add_calls(program);
	add_nodes(program);
	add_operations(program);
	add_waits(program);
	add_steps(program);
}

void free_program(struct program *program)
{
	replay_bases_free(&program->timeline, program->timeline.bases);
	replay_pool_free(program->timeline.pool);
}
