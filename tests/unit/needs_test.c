/* What the reduced lists of needs say, against all that the model's nodes join, for random operations
 * in random streams. */
#include "replay/schedule/needs.h"
#include "test_forms.h"
#include "cmocka_test.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 60, MOST_NODES = 400, STREAMS = 4, ADDED = 2, FUNCTIONS = 2 };

struct program {
	struct trace trace;
	struct trace_stream streams[STREAMS + ADDED]; /* the added ones are of edits only */
	struct trace_operation trace_operations[MOST_OPERATIONS];
	struct trace_host_function trace_functions[FUNCTIONS];
	struct model model;
	struct model_operation operations[MOST_OPERATIONS];
	struct model_node nodes[MOST_NODES];
	struct timeline timeline;
	struct timeline_operation rows[MOST_OPERATIONS];
	struct timeline_host_function functions[FUNCTIONS];
	struct edits edits;
	uint32_t new_streams[MOST_OPERATIONS];
	edit_mask function_edits[FUNCTIONS];
	uint64_t joined[MOST_NODES]; /* the operations of a node, a bit each */
};

static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)*seed * limit) >> 32);
}

static node_index add_node(struct program *program, struct model_node node, uint64_t joined)
{
	program->nodes[program->model.node_count] = node;
	program->joined[program->model.node_count] = joined;
	return (node_index)program->model.node_count++;
}

/* Of random nodes so far. */
static node_index join_some(struct program *program, uint32_t *seed)
{
	node_index node = random_below(seed, (uint32_t)program->model.node_count);

	for (uint32_t more = random_below(seed, 7); more > 0; more--) {
		node_index other = random_below(seed, (uint32_t)program->model.node_count);

		if (other != node && other != NODE_NONE && node != NODE_NONE &&
		    program->model.node_count < MOST_NODES)
			node = add_node(program, model_node_of_join(node, other, 0),
					program->joined[node] | program->joined[other]);
	}
	return node;
}

static void add_operation(struct program *program, uint32_t *seed, bool is_moved)
{
	size_t index = program->model.operation_count;
	uint32_t stream = random_below(seed, STREAMS);
	struct model_operation *item = &program->operations[index];

	program->trace_operations[index].form =
		operation_form((struct trace_operation_form){.stream = &program->streams[stream]});
	program->new_streams[index] =
		is_moved && !random_below(seed, 3) ? random_below(seed, STREAMS + ADDED) : stream;
	*item = (struct model_operation){.operation = &program->trace_operations[index],
					 .needs = join_some(program, seed),
					 .reuses = join_some(program, seed)};
	program->rows[index] =
		(struct timeline_operation){.has_order = random_below(seed, 8) > 0,
					    .has_needs = random_below(seed, 8) > 0,
					    .has_reuses = random_below(seed, 2),
					    .order_lag_ns = random_below(seed, 8) ? 1 : -1};
	item->node = add_node(program, model_node_of_operation(item->needs, index, 0),
			      UINT64_C(1) << index);
	program->model.operation_count++;
}

static void make_program(struct program *program, uint32_t *seed, bool is_moved)
{
	size_t count = random_below(seed, MOST_OPERATIONS);

	memset(program, 0, sizeof(*program));
	program->trace = (struct trace){.streams = program->streams,
					.stream_count = STREAMS,
					.operations = program->trace_operations,
					.operation_count = count,
					.host_functions = program->trace_functions,
					.host_function_count = random_below(seed, FUNCTIONS + 1)};
	for (size_t i = 0; i < FUNCTIONS; i++) {
		program->trace_functions[i].stream = &program->streams[random_below(seed, STREAMS)];
		program->functions[i].has_order = random_below(seed, 2);
		program->function_edits[i] = random_below(seed, 2) ? EDIT_TO_THREAD : 0;
	}
	program->model = (struct model){.trace = &program->trace,
					.operations = program->operations,
					.nodes = program->nodes};
	add_node(program, (struct model_node){.is_join = true}, 0);
	for (size_t i = 0; i < count && program->model.node_count + 20 < MOST_NODES; i++)
		add_operation(program, seed, is_moved);
	program->timeline = (struct timeline){.model = &program->model,
					      .operations = program->rows,
					      .host_functions = program->functions};
	program->edits = (struct edits){.streams = program->new_streams,
					.host_functions = program->function_edits};
}

/* Whether a host function of the stream may not have waited for what was before it. */
static bool is_loose(const struct program *program, uint32_t stream, bool is_edited)
{
	for (size_t i = 0; i < program->trace.host_function_count; i++)
		if (program->trace_functions[i].stream == &program->streams[stream] &&
		    !program->functions[i].has_order &&
		    !(is_edited && program->function_edits[i] & EDIT_TO_THREAD))
			return true;
	return false;
}

static uint32_t stream_of(const struct program *program, size_t operation, bool is_edited)
{
	return is_edited ? program->new_streams[operation]
			 : (uint32_t)(program->trace_operations[operation].form->stream -
				      program->streams);
}

/* The one before in its stream that the operation waits for; its own index: none. */
static size_t one_before(const struct program *program, size_t operation, bool is_edited)
{
	uint32_t stream = stream_of(program, operation, is_edited);

	if (is_loose(program, stream, is_edited) ||
	    (!program->rows[operation].has_order && stream == stream_of(program, operation, false)))
		return operation;
	for (size_t i = operation; i-- > 0;)
		if (stream_of(program, i, is_edited) == stream)
			return i;
	return operation;
}

/* What has ended when the operation has, by the order of its stream alone. */
static uint64_t ordered(const struct program *program, size_t operation, bool is_edited)
{
	size_t before = one_before(program, operation, is_edited);
	uint64_t ended = UINT64_C(1) << operation;

	return before == operation ? ended : ended | ordered(program, before, is_edited);
}

/* The same, and by what these need. One that can start before what it waits for has ended says nothing of
 * what it needs. */
static void find_ended(const struct program *program, bool is_edited, uint64_t *ended)
{
	for (size_t i = 0; i < program->model.operation_count; i++) {
		bool is_sure = program->rows[i].has_needs && program->rows[i].order_lag_ns >= 0;
		uint64_t passed = ordered(program, i, is_edited);

		if (is_sure)
			passed |= program->joined[program->operations[i].needs];
		ended[i] = passed;
		for (size_t k = 0; k < i; k++)
			if (passed >> k & 1)
				ended[i] |= ended[k];
	}
}

/* The operations of a list, with those of its joins. */
static uint64_t listed(const struct program *program, const struct needs *needs, size_t list)
{
	struct needs_list items = needs_list_at(needs, list);
	size_t count = program->model.operation_count;
	uint64_t operations = 0;

	for (size_t i = 0; i < items.count; i++)
		operations |= items.items[i] < count
				      ? UINT64_C(1) << items.items[i]
				      : listed(program, needs, 2 * count + items.items[i] - count);
	return operations;
}

/* What has ended when all of these have. */
static uint64_t with_ended(const uint64_t *ended, size_t count, uint64_t operations)
{
	uint64_t all = 0;

	for (size_t i = 0; i < count; i++)
		if (operations >> i & 1)
			all |= ended[i];
	return all;
}

/* Nothing is listed that is not needed, and all that is needed has ended by what is listed. */
static void assert_lists(const struct program *program, const struct needs *needs, bool is_edited)
{
	uint64_t ended[MOST_OPERATIONS];
	size_t count = program->model.operation_count;

	find_ended(program, is_edited, ended);
	for (size_t i = 0; i < count; i++) {
		const struct model_operation *item = &program->operations[i];
		size_t before = one_before(program, i, is_edited);
		uint64_t needed = program->rows[i].has_needs ? program->joined[item->needs] : 0;
		uint64_t reused = program->rows[i].has_reuses ? program->joined[item->reuses] : 0;
		uint64_t needs_listed = listed(program, needs, 2 * i);
		uint64_t reuses_listed = listed(program, needs, 2 * i + 1);
		uint64_t known = before == i ? 0 : ended[before];

		known |= with_ended(ended, count, needs_listed);
		assert_int_equal(needs_listed & ~needed, 0);
		assert_int_equal(needed & ~known, 0);
		known |= with_ended(ended, count, reuses_listed);
		assert_int_equal(reuses_listed & ~reused, 0);
		assert_int_equal(reused & ~known, 0);
	}
}

TEST(test_random_needs)
{
	struct program *program = memory_array(1, sizeof(*program));
	uint32_t seed = 20261122;

	for (int i = 0; i < 4000; i++) {
		bool is_edited = i % 2;
		struct needs *needs;

		make_program(program, &seed, is_edited);
		needs = needs_find(&program->timeline, is_edited ? &program->edits : NULL,
				   STREAMS + (is_edited ? ADDED : 0));
		assert_lists(program, needs, is_edited);
		needs_free(needs);
	}
	free(program);
}

/* In one stream the order says it all: nothing is left to list. */
TEST(test_one_stream)
{
	struct program *program = memory_array(1, sizeof(*program));
	uint32_t seed = 1;
	struct needs *needs;

	while (program->model.operation_count < 10)
		make_program(program, &seed, false);
	program->trace.host_function_count = 0;
	for (size_t i = 0; i < program->model.operation_count; i++) {
		form_of(&program->trace_operations[i])->stream = &program->streams[0];
		program->rows[i].has_order = true;
	}
	needs = needs_find(&program->timeline, NULL, STREAMS);
	assert_int_equal(needs->join_count, 0);
	assert_int_equal(needs->first[2 * program->model.operation_count], 0);
	needs_free(needs);
	free(program);
}

/* The last one needs the first one, and the second one in another stream, which needs the first one, too. */
static size_t count_listed(struct program *program, int64_t order_lag_ns)
{
	struct needs *needs;
	size_t count;

	memset(program, 0, sizeof(*program));
	program->trace = (struct trace){.streams = program->streams,
					.stream_count = STREAMS,
					.operations = program->trace_operations,
					.operation_count = 3};
	program->model = (struct model){.trace = &program->trace,
					.operations = program->operations,
					.nodes = program->nodes};
	program->timeline = (struct timeline){.model = &program->model,
					      .operations = program->rows,
					      .host_functions = program->functions};
	add_node(program, (struct model_node){.is_join = true}, 0);
	for (uint32_t i = 0; i < 3; i++) {
		program->trace_operations[i].form = operation_form(
			(struct trace_operation_form){.stream = &program->streams[i]});
		program->operations[i] = (struct model_operation){
			.operation = &program->trace_operations[i],
			.needs = i < 2 ? i : add_node(program, model_node_of_join(1, 2, 0), 3)};
		program->rows[i] = (struct timeline_operation){.has_needs = true,
							       .order_lag_ns = order_lag_ns};
		program->operations[i].node = add_node(
			program, model_node_of_operation(program->operations[i].needs, i, 0), 1);
	}
	program->model.operation_count = 3;
	needs = needs_find(&program->timeline, NULL, STREAMS);
	count = needs_of(needs, 2).count;
	needs_free(needs);
	return count;
}

TEST(test_what_another_needs_is_implied)
{
	struct program *program = memory_array(1, sizeof(*program));

	assert_int_equal(count_listed(program, 0), 1);
	assert_int_equal(count_listed(program, -1), 2);
	free(program);
}

RUN_TESTS(NULL, NULL)
