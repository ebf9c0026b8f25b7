/* Who accessed memory last, against a list of the last access of each stream. */
#include "cmocka_test.h"
#include "races/accessors.h"

#define STREAMS	 3
#define PIECES	 64
#define ACCESSES 300000
#define BYTES	 16 /* a piece */

struct taken {
	size_t count;
	uint32_t operations[STREAMS];
};

static void take(void *context, const struct accessor *before, const struct accessor *now)
{
	struct taken *taken = context;

	assert_int_not_equal(before->stream, now->stream);
	taken->count++;
	taken->operations[before->stream] = before->operation;
}

/* Nothing orders streams. */
static bool is_unordered(void *context, const struct accessor *before, const struct accessor *now)
{
	return true;
}

/* All write, so that each conflicts with the last of each other stream; far more than are remembered. */
TEST(test_last_of_each_stream_is_remembered)
{
	static uint32_t last[PIECES][STREAMS]; /* operations, plus one */
	struct taken taken;
	struct accessors *accessors =
		accessors_create((struct accessors_user){&taken, take, is_unordered});
	uint32_t random = 20261128;

	for (uint32_t i = 0; i < ACCESSES; i++) {
		struct accessor now = {
			.operation = i, .number = i, .is_written = true, .is_exact = true};
		uint32_t piece;
		size_t others = 0;

		random = random * 1664525u + 1013904223u;
		piece = (random >> 8) % PIECES;
		now.stream = (random >> 20) % STREAMS;
		taken = (struct taken){0};
		accessors_enter(accessors, (uint64_t)piece * BYTES, (uint64_t)(piece + 1) * BYTES,
				&now);
		for (uint32_t stream = 0; stream < STREAMS; stream++) {
			if (stream == now.stream || !last[piece][stream])
				continue;
			others++;
			assert_int_equal(taken.operations[stream], last[piece][stream] - 1);
		}
		assert_int_equal(taken.count, others);
		last[piece][now.stream] = i + 1;
	}
	assert_true(accessors_remembered(accessors) < ACCESSES / 10);
	accessors_free(accessors);
}

RUN_TESTS(NULL, NULL)
