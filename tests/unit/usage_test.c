/*
 * When an engine had room, compared by arithmetic and with a look at each ns; and what kernels take
 * of a device, by the rules of the occupancy calculator.
 */
#include "model/usage.h"
#include "test_forms.h"
#include "cmocka_test.h"

#include <math.h>

#define WHOLE OCCUPANCY_WHOLE

static struct usage_use use(int64_t start_ns, int64_t end_ns, uint32_t share)
{
	return (struct usage_use){{start_ns, end_ns}, {share, share, 0}};
}

static void assert_span(struct span span, int64_t start_ns, int64_t end_ns)
{
	assert_int_equal(span.start_ns, start_ns);
	assert_int_equal(span.end_ns, end_ns);
}

/* Half of it from 10 to 30, all of it from 20 to 30, nothing to 40, a tenth to 50. */
TEST(test_room)
{
	const struct usage_use uses[] = {use(10, 30, WHOLE / 2), use(20, 30, WHOLE / 2),
					 use(40, 50, WHOLE / 10)};
	struct usage usage = {0};
	int64_t work_ns[3];

	usage_build(&usage, uses, 3, work_ns);
	assert_span(usage_from_first_room(&usage, (struct span){12, 60}, WHOLE / 2), 12, 60);
	assert_span(usage_from_first_room(&usage, (struct span){12, 60}, WHOLE), 30, 60);
	assert_span(usage_from_first_room(&usage, (struct span){22, 60}, 1), 30, 60);
	assert_span(usage_from_first_room(&usage, (struct span){22, 30}, 1), 0, 0);
	assert_span(usage_last_room(&usage, (struct span){0, 30}, WHOLE / 2), 0, 20);
	assert_span(usage_last_room(&usage, (struct span){0, 30}, WHOLE), 0, 10);
	assert_span(usage_last_room(&usage, (struct span){22, 60}, WHOLE / 2), 30, 60);
	assert_span(usage_last_room(&usage, (struct span){22, 45}, WHOLE), 30, 40);
	assert_span(usage_last_room(&usage, (struct span){22, 30}, 1), 0, 0);
	assert_int_equal(work_ns[0], 10);
	assert_int_equal(work_ns[1], 5);
	assert_int_equal(work_ns[2], 1);
	usage_free(&usage);
}

/* The last of two waves takes a quarter. */
TEST(test_waves)
{
	const struct usage_use uses[] = {{{0, 40}, {WHOLE, WHOLE / 4, 20}}};
	struct usage usage = {0};
	int64_t work_ns;

	usage_build(&usage, uses, 1, &work_ns);
	assert_span(usage_last_room(&usage, (struct span){0, 40}, WHOLE / 2), 20, 40);
	assert_span(usage_last_room(&usage, (struct span){0, 40}, WHOLE), 0, 0);
	assert_int_equal(work_ns, 40);
	usage_free(&usage);
}

/* What runs side by side although its shares come to three times the engine takes no more than
 * all of it. */
TEST(test_crowd)
{
	const struct usage_use uses[] = {use(0, 30, WHOLE), use(0, 30, WHOLE), use(0, 30, WHOLE),
					 use(30, 60, WHOLE / 3)};
	struct usage usage = {0};
	int64_t work_ns[4];

	usage_build(&usage, uses, 4, work_ns);
	for (int i = 0; i < 4; i++)
		assert_int_equal(work_ns[i], 10);
	usage_free(&usage);
}

#define MOST_USES 200
#define MOST_NS	  1000

static uint32_t random_below(uint64_t *seed, uint32_t limit)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % limit;
}

static bool has_room(const struct usage_use *uses, size_t count, int64_t time_ns, uint32_t share)
{
	int64_t used = share;

	for (size_t i = 0; i < count; i++)
		if (uses[i].span.start_ns <= time_ns && uses[i].span.end_ns > time_ns)
			used += uses[i].span.end_ns - uses[i].occupancy.tail_ns <= time_ns
					? uses[i].occupancy.tail_share
					: uses[i].occupancy.share;
	return used <= WHOLE;
}

static void compare(const struct usage_use *uses, size_t count, struct span span, uint32_t share,
		    const struct usage *usage)
{
	int64_t first_ns = span.start_ns, last_ns = span.end_ns, since_ns;

	while (first_ns < span.end_ns && !has_room(uses, count, first_ns, share))
		first_ns++;
	while (last_ns > span.start_ns && !has_room(uses, count, last_ns - 1, share))
		last_ns--;
	for (since_ns = last_ns;
	     since_ns > span.start_ns && has_room(uses, count, since_ns - 1, share);)
		since_ns--;
	if (first_ns == span.end_ns) {
		assert_span(usage_from_first_room(usage, span, share), 0, 0);
		assert_span(usage_last_room(usage, span, share), 0, 0);
	} else {
		assert_span(usage_from_first_room(usage, span, share), first_ns, span.end_ns);
		assert_span(usage_last_room(usage, span, share), since_ns, last_ns);
	}
}

TEST(test_random)
{
	struct usage_use uses[MOST_USES];
	int64_t work_ns[MOST_USES];
	uint64_t seed = 1;

	for (int turn = 0; turn < 200; turn++) {
		size_t count = 1 + random_below(&seed, MOST_USES - 1);
		struct usage usage = {0};
		int64_t start_ns = 0;

		for (size_t i = 0; i < count; i++) {
			uint32_t share = 1 + random_below(&seed, WHOLE);
			int64_t duration_ns = random_below(&seed, 20);

			start_ns += random_below(&seed, 8);
			uses[i] = (struct usage_use){
				{start_ns, start_ns + duration_ns},
				{share, 1 + random_below(&seed, share),
				 duration_ns ? random_below(&seed, (uint32_t)duration_ns) : 0}};
		}
		usage_build(&usage, uses, count, work_ns);
		for (int i = 0; i < 50; i++) {
			int64_t from_ns = random_below(&seed, MOST_NS);
			struct span span = {from_ns, from_ns + 1 + random_below(&seed, MOST_NS)};

			compare(uses, count, span, 1 + random_below(&seed, WHOLE), &usage);
		}
		usage_free(&usage);
	}
}

/* An H100. */
static struct trace_device device = {.compute_major = 9,
				     .multiprocessors = 100,
				     .max_warps = 64,
				     .max_blocks = 32,
				     .max_shared_bytes = 228 * 1024,
				     .max_registers = 65536};

static struct occupancy of_kernel(uint64_t blocks, uint32_t threads, uint32_t registers,
				  uint32_t shared_bytes)
{
	const struct trace trace = {.devices = &device, .device_count = 1};
	const struct trace_operation operation = {
		.end_ns = 600,
		.form = operation_form(
			(struct trace_operation_form){.kind = OPERATION_KERNEL,
						      .blocks = blocks,
						      .block_threads = threads,
						      .thread_registers = registers,
						      .block_shared_bytes = shared_bytes})};

	return occupancy_of(&trace, &operation);
}

static void assert_room(uint64_t room, uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
	struct occupancy occupancy = of_kernel(1, threads, registers, shared_bytes);

	/* The share of one block is r (2 - r), or its multiprocessor's. */
	assert_int_equal(occupancy.share,
			 fmin(WHOLE / 100, WHOLE / (room * 1e2) * (2 - 1 / (room * 1e2))));
	assert_int_equal(occupancy.tail_share, occupancy.share);
	assert_int_equal(occupancy.tail_ns, 0);
	assert_int_equal(of_kernel(room * 100, threads, registers, shared_bytes).share, WHOLE);
}

TEST(test_limits)
{
	assert_room(32, 32, 16, 0); /* blocks */
	assert_room(8, 256, 16, 0); /* warps */
	assert_room(7, 257, 16, 0); /* 9 warps each */
	assert_room(8, 256, 32, 0); /* registers: all of 65536 */
	assert_room(6, 256, 33, 0); /* 33 x 32 in pieces of 256 are 1280 a warp: 12 a partition */
	assert_room(4, 320, 33, 0); /* 48 warps: 10 each; as one pool they would do for 5 */
	assert_room(4, 64, 16, 56320);		 /* and 1 KB of the driver's: 57344 of 233472 */
	assert_room(32, 64, 16, 6 * 1024);	 /* 7 KB each would leave 32 */
	assert_room(31, 64, 16, 6 * 1024 + 129); /* 7 KB and two pieces of 128 bytes */
	device.compute_major = 7;
	assert_room(32, 64, 16, 7 * 1024);     /* nothing reserved */
	assert_room(31, 64, 16, 7 * 1024 + 1); /* pieces of 256 bytes */
	device.compute_major = 9;
}

TEST(test_kernel_waves)
{
	struct occupancy occupancy = of_kernel(800 * 2 + 200, 256, 16, 0);

	assert_int_equal(occupancy.share, WHOLE);
	assert_int_equal(occupancy.tail_share, 437500); /* a quarter of the room: 1/4 x 7/4 */
	assert_int_equal(occupancy.tail_ns, 200);
	assert_int_equal(of_kernel(800 * 2, 256, 16, 0).tail_ns, 0);
	assert_int_equal(of_kernel(0, 256, 16, 0).share, WHOLE);
	assert_int_equal(of_kernel(1, 4096, 16, 0).share, WHOLE); /* more than fits */
}

/* 800 blocks of 256 threads fit: 8 on each of 100 multiprocessors. Of 1024 threads 200 do. */
TEST(test_kernel_share)
{
	assert_int_equal(of_kernel(400, 256, 16, 0).share, 750000); /* 1/2 x 3/2 */
	assert_int_equal(of_kernel(720, 256, 16, 0).share, 990000); /* 9/10 x 11/10 */
	assert_int_equal(of_kernel(100, 1024, 16, 0).share, 750000);
	/* Each block has a multiprocessor to itself: registers for one. */
	assert_int_equal(of_kernel(50, 1024, 64, 0).share, 500000);
	assert_int_equal(of_kernel(99, 1024, 64, 0).share, 990000);
}

static bool is_wide(uint64_t blocks, size_t device_count)
{
	const struct trace trace = {.devices = &device, .device_count = device_count};
	const struct trace_operation operation = {
		.form = operation_form(
			(struct trace_operation_form){.kind = OPERATION_KERNEL, .blocks = blocks})};

	return occupancy_is_wide(&trace, &operation);
}

TEST(test_wide)
{
	assert_false(is_wide(50, 1));
	assert_true(is_wide(51, 1));
	assert_true(is_wide(1, 0));
}

RUN_TESTS(NULL, NULL)
