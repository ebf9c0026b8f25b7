/* Threads that take turns, and such that do not. */
#include "cmocka_test.h"
#include "test_forms.h"
#include "model/thread_groups.h"

#include <stdlib.h>

#define MOST 512

struct program {
	struct trace trace;
	struct trace_call calls[MOST];
	struct trace_operation operation; /* of all calls that enqueue something */
};

static void add(struct program *program, uint32_t thread, int64_t start_ns, int64_t end_ns,
		bool enqueues)
{
	program->calls[program->trace.call_count++] = (struct trace_call){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.operation = enqueues ? &program->operation : NULL,
		.form = call_form((struct trace_call_form){.thread_id = thread})};
	program->trace.calls = program->calls;
}

/* Of the first call of each thread. */
static void assert_groups(const struct program *program, const uint32_t *expected)
{
	uint32_t *groups = thread_groups_find(&program->trace);

	for (size_t i = 0; i < program->trace.call_count; i++)
		assert_int_equal(groups[i], expected[program->calls[i].form->thread_id]);
	free(groups);
}

/* Thread 0 launches, 1 or 2 copies, each with a call behind that; 1 and 2 are still in that when 0
 * goes on. */
static void add_turns(struct program *program, int turns, int launches)
{
	int64_t at = 0;

	for (int i = 0; i < turns; i++) {
		uint32_t copier = 1 + i % 2;

		for (int k = 0; k < launches; k++, at += 10)
			add(program, 0, at, at + 4, true);
		add(program, copier, at, at + 4, true);
		add(program, copier, at + 5, at + 12, false);
		at += 10;
		add(program, 0, at, at + 1, false);
		at += 10;
	}
}

TEST(test_turns)
{
	static struct program program;

	program = (struct program){0};
	add_turns(&program, 16, 1);
	assert_groups(&program, (uint32_t[]){0, 0, 0});
	program = (struct program){0};
	add_turns(&program, 6, 1); /* too few */
	assert_groups(&program, (uint32_t[]){0, 1, 2});
	program = (struct program){0};
	add_turns(&program, 12, 31); /* 16 calls a turn on average */
	assert_groups(&program, (uint32_t[]){0, 1, 2});
}

/* Threads 1 and 2 both change with 0, but overlap each other: one of them is left out. */
TEST(test_beside)
{
	static struct program program;

	program = (struct program){0};
	for (int i = 0; i < 20; i++) {
		add(&program, 0, 100 * i, 100 * i + 10, true);
		add(&program, 1, 100 * i + 20, 100 * i + 30, true);
		add(&program, 0, 100 * i + 40, 100 * i + 45, true);
		add(&program, 2, 100 * i + 60, 100 * i + 70, true);
		add(&program, 1, 100 * i + 65, 100 * i + 75, false);
	}
	assert_groups(&program, (uint32_t[]){0, 0, 2});
}

/* Side by side, each in a call half of the time. */
TEST(test_overlap)
{
	static struct program program;

	program = (struct program){0};
	for (int i = 0; i < 40; i++) {
		add(&program, 7, 20 * i, 20 * i + 10, true);
		add(&program, 3, 20 * i + 5, 20 * i + 15, true);
	}
	assert_groups(&program, (uint32_t[]){[7] = 7, [3] = 3});
}

/* As turns, but each by itself: from one to the other it takes any time between 0 and 30. */
TEST(test_any_time)
{
	static struct program program;

	program = (struct program){0};
	for (int i = 0; i < 40; i++) {
		add(&program, 0, 100 * i, 100 * i + 10, true);
		add(&program, 1, 100 * i + 10 + i * 7 % 31, 100 * i + 20 + i * 7 % 31, true);
	}
	assert_groups(&program, (uint32_t[]){0, 1});
	program = (struct program){0};
	for (int i = 0; i < 40; i++) {
		add(&program, 0, 100 * i, 100 * i + 10, true);
		add(&program, 1, 100 * i + 30 + i * 7 % 31, 100 * i + 40 + i * 7 % 31, true);
	}
	assert_groups(&program, (uint32_t[]){0, 0}); /* from 20 to 50 */
}

/* Of more than 64 threads each is by itself. */
TEST(test_many)
{
	static struct program program;
	uint32_t expected[65];

	program = (struct program){0};
	for (uint32_t i = 0; i < 65; i++)
		expected[i] = i;
	for (int i = 0; i < 20; i++) {
		add(&program, 0, 100 * i, 100 * i + 10, true);
		add(&program, 1, 100 * i + 20, 100 * i + 30, true);
	}
	for (uint32_t i = 2; i < 65; i++)
		add(&program, i, 3000 + i, 3000 + i, true);
	assert_groups(&program, expected);
}

RUN_TESTS(NULL, NULL)
