/* A replay that changes the schedule without fixes takes what one with a schedule of its own takes, at
 * every task: thousands of small random runs with random edits. */
#include "random_run.h"
#include "cmocka_test.h"
#include "replay/schedule/replay_base.h"
#include "replay/timeline.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3000, EDITS_EACH = 4 };

static void edit_call(struct program *program, struct edits *edits, uint32_t index)
{
	const struct model *model = &program->model;
	const struct trace_call *call = &program->calls[index];

	if (one_in(program, 3))
		edits_drop_wait(edits, model, call);
	if (one_in(program, 4))
		edits_narrow_wait(edits, model, call,
				  &program->trace_operations[index * OPERATIONS / CALLS / 2]);
	if (one_in(program, 5))
		edits_drop_call(edits, model, call);
	if (one_in(program, 5))
		edits_set_call_time(edits, model, call, below(program, 12));
	if (one_in(program, 5))
		edits_drop_work(edits, model, call);
	if (one_in(program, 5))
		edits_shorten_work(edits, model, call, below(program, 4));
	if (one_in(program, 5))
		edits_keep_work(edits, model, call, below(program, 4));
	if (one_in(program, 5))
		edits_set_work(edits, model, call, below(program, 4));
	if (index && one_in(program, 5))
		edits_work_ahead(edits, model, call, &program->calls[below(program, index)]);
}

static void edit_operation(struct program *program, struct edits *edits, uint32_t index)
{
	const struct model *model = &program->model;
	const struct trace_operation *operation = &program->trace_operations[index];

	if (operation->form->kind == OPERATION_COPY && one_in(program, 2))
		edits_pin(edits, model, operation);
	if (one_in(program, 4))
		edits_double_buffer(edits, model, operation);
	if (one_in(program, 4))
		edits_drop_operation(edits, model, operation);
	if (one_in(program, 4))
		edits_set_duration(edits, model, operation, below(program, 12));
	if (one_in(program, 4))
		edits_make_node(edits, model, operation, 1);
	if (one_in(program, 4))
		edits_own_queue(edits, model, operation);
	if (one_in(program, 4))
		edits_prefer(edits, model, operation);
	if (index && one_in(program, 8))
		edits_issue_behind(edits, model, operation,
				   &program->trace_operations[below(program, index)]);
}

/* For what an event was recorded before: for an earlier wait, or for none. */
static void edit_waits(struct program *program, struct edits *edits)
{
	for (uint32_t i = 0; i < EVENTS; i++)
		if (one_in(program, 4))
			edits_wait_for_earlier(edits, &program->model, &program->events[i],
					       i && one_in(program, 2)
						       ? &program->events[below(program, i)]
						       : NULL);
}

static void edit_streams(struct program *program, struct edits *edits)
{
	const struct model *model = &program->model;
	uint32_t count = STREAMS;

	for (uint32_t i = below(program, 3); i > 0; i--, count++)
		edits_add_stream(edits, model, below(program, STREAMS),
				 one_in(program, 2) ? STREAM_BLOCKING : STREAM_NON_BLOCKING);
	for (uint32_t i = one_in(program, 3) ? OPERATIONS : 0; i < OPERATIONS; i++)
		if (one_in(program, 3))
			edits_move(edits, model, i, below(program, count));
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		if (one_in(program, 3))
			edits->host_functions[i] |= EDIT_TO_THREAD;
}

static struct edits *make_edits(struct program *program)
{
	struct edits *edits = edits_create(&program->model);
	uint32_t rarity = 1 + below(program, 16);

	if (one_in(program, 2))
		edit_streams(program, edits);
	if (one_in(program, 3))
		edit_waits(program, edits);
	for (uint32_t i = 0; i < CALLS; i++)
		if (one_in(program, rarity))
			edit_call(program, edits, i);
	for (uint32_t i = 0; i < OPERATIONS; i++)
		if (one_in(program, rarity))
			edit_operation(program, edits, i);
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		if (one_in(program, rarity))
			edits_drop_host_function(edits, &program->model,
						 &program->trace_functions[i]);
		if (one_in(program, rarity))
			edits_run_at_once(edits, &program->model, &program->trace_functions[i]);
	}
	edits->pinned_end = (enum rate_end)below(program, 3);
	edits->is_best_case = one_in(program, 2);
	return edits;
}

static struct timeline_times make_times(void)
{
	return (struct timeline_times){
		.operations = calloc(OPERATIONS, sizeof(struct span)),
		.calls = calloc(CALLS, sizeof(struct span)),
		.waited_ns = calloc(CALLS, sizeof(int64_t)),
		.host_functions = calloc(FUNCTIONS, sizeof(struct span)),
	};
}

/* A choice of streams has a schedule that others change from the second time on. */
static void assert_same(struct program *program, const struct edits *edits, bool *is_cycle)
{
	struct timeline_times built = make_times(), changed;
	int64_t built_ns = timeline_replay_built(&program->timeline, edits, &built);

	*is_cycle = built_ns < 0;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(timeline_replay_times(&program->timeline, edits, &changed),
				 built_ns);
		assert_memory_equal(changed.operations, built.operations,
				    OPERATIONS * sizeof(struct span));
		assert_memory_equal(changed.calls, built.calls, CALLS * sizeof(struct span));
		assert_memory_equal(changed.waited_ns, built.waited_ns, CALLS * sizeof(int64_t));
		assert_memory_equal(changed.host_functions, built.host_functions,
				    FUNCTIONS * sizeof(struct span));
		timeline_times_free(&changed);
	}
	timeline_times_free(&built);
}

TEST(test_changed_as_built)
{
	size_t cycles = 0;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct program program;

		make_program(&program, round + 1);
		for (int i = 0; i < EDITS_EACH; i++) {
			struct edits *edits = make_edits(&program);
			bool is_cycle;

			assert_same(&program, edits, &is_cycle);
			cycles += is_cycle;
			edits_free(edits);
		}
		free_program(&program);
	}
	/* Most are runs. */
	assert_true(cycles < (size_t)ROUNDS * EDITS_EACH / 4);
}

/* A schedule of which more than half would change is built anew. */
TEST(test_most_are_built)
{
	const size_t half = (CALLS + OPERATIONS) / 2;
	struct program program;
	struct edits *edits;

	make_program(&program, 1);
	edits = edits_create(&program.model);
	for (size_t i = 0; i < half; i++)
		edits->calls[i] = EDIT_GONE;
	assert_true(replay_base_allows(edits, &program.trace));
	edits->calls[half] = EDIT_GONE;
	assert_false(replay_base_allows(edits, &program.trace));
	edits->calls[half] = 0;
	edits->operations[OPERATIONS - 1] = EDIT_DROP;
	assert_false(replay_base_allows(edits, &program.trace));
	edits_free(edits);
	free_program(&program);
}

RUN_TESTS(NULL, NULL)
