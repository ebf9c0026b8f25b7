/* The rules of the order that CUDA gives, each by itself: which operations come before which. */
#include "cmocka_test.h"
#include "model/order.h"

enum { LEGACY, BLOCKING, OTHER_BLOCKING, NON_BLOCKING, UNKNOWN, FAR_LEGACY, FAR_BLOCKING, STREAMS };

/* Two contexts. */
static struct trace_stream streams[STREAMS] = {
	[LEGACY] = {.context_id = 1, .flag = STREAM_NULL},
	[BLOCKING] = {.context_id = 1, .flag = STREAM_BLOCKING},
	[OTHER_BLOCKING] = {.context_id = 1, .flag = STREAM_BLOCKING},
	[NON_BLOCKING] = {.context_id = 1, .flag = STREAM_NON_BLOCKING},
	[UNKNOWN] = {.context_id = 1, .flag = STREAM_UNKNOWN},
	[FAR_LEGACY] = {.context_id = 2, .flag = STREAM_NULL},
	[FAR_BLOCKING] = {.context_id = 2, .flag = STREAM_BLOCKING},
};

/* Sets of operations, a bit each: what marks stand for. */
struct sets {
	struct order order;
	uint32_t marks[ORDER_EVENT + 1][STREAMS + 2];
	uint32_t current;
	int count;
};

static uint32_t *set_of(struct sets *sets, struct order_mark mark)
{
	return &sets->marks[mark.kind][mark.index];
}

static void join(void *context, struct order_mark into, struct order_mark from)
{
	*set_of(context, into) |= *set_of(context, from);
}

static void add(void *context, struct order_mark into)
{
	struct sets *sets = context;

	*set_of(sets, into) |= sets->current;
}

static void clear(void *context, struct order_mark mark)
{
	*set_of(context, mark) = 0;
}

static struct order_user user_of(struct sets *sets)
{
	return (struct order_user){sets, join, add, clear};
}

/* Two events, and the begin and the end of a branch that CUDA ran in the stream UNKNOWN. */
enum { BRANCH_BEGIN = 2, BRANCH_END, WAITS };
static struct trace_event_wait waits[WAITS] = {
	[BRANCH_BEGIN] = {.behind = 1},
	[BRANCH_END] = {.before = 1, .recorder = &streams[UNKNOWN]},
};
static const struct trace trace = {.streams = streams,
				   .stream_count = STREAMS,
				   .event_waits = waits,
				   .event_wait_count = WAITS};

static void begin(struct sets *sets, const struct order_added *added, size_t added_count)
{
	*sets = (struct sets){0};
	order_init(&sets->order, &trace, added, added_count);
}

/* What the stream's next operation or function comes after; it is the next bit. */
static uint32_t pass(struct sets *sets, uint32_t stream, bool is_function)
{
	struct order_user user = user_of(sets);
	struct order_mark across = order_across(&sets->order, stream);
	uint32_t before = sets->marks[ORDER_STREAM][stream];

	if (across.kind != ORDER_NONE)
		before |= *set_of(sets, across);
	sets->current = before | 1u << sets->count++;
	if (is_function)
		order_host_function(&sets->order, &user, stream);
	else
		order_operation(&sets->order, &user, stream);
	return before;
}

static uint32_t enqueue(struct sets *sets, uint32_t stream)
{
	return pass(sets, stream, false);
}

TEST(test_streams)
{
	struct sets sets;

	begin(&sets, NULL, 0);
	assert_int_equal(enqueue(&sets, BLOCKING), 0);
	assert_int_equal(enqueue(&sets, OTHER_BLOCKING), 0);
	assert_int_equal(enqueue(&sets, BLOCKING), 1 << 0);
	assert_int_equal(enqueue(&sets, OTHER_BLOCKING), 1 << 1);
	order_free(&sets.order);
}

/* Both ways, within a context, for blocking streams alone. */
TEST(test_barrier)
{
	struct sets sets;

	begin(&sets, NULL, 0);
	enqueue(&sets, BLOCKING);
	enqueue(&sets, OTHER_BLOCKING);
	enqueue(&sets, NON_BLOCKING);
	enqueue(&sets, UNKNOWN);
	enqueue(&sets, FAR_BLOCKING);
	assert_int_equal(enqueue(&sets, LEGACY), 1 << 0 | 1 << 1);
	assert_int_equal(enqueue(&sets, BLOCKING), 1 << 0 | 1 << 1 | 1 << 5);
	assert_int_equal(enqueue(&sets, NON_BLOCKING), 1 << 2);
	assert_int_equal(enqueue(&sets, UNKNOWN), 1 << 3);
	assert_int_equal(enqueue(&sets, FAR_BLOCKING), 1 << 4);
	assert_int_equal(enqueue(&sets, FAR_LEGACY), 1 << 4 | 1 << 9);
	order_free(&sets.order);
}

/* An event stands for what an operation there would, and not for what comes later. */
TEST(test_events)
{
	struct sets sets;
	struct order_user user = user_of(&sets);

	begin(&sets, NULL, 0);
	enqueue(&sets, NON_BLOCKING);
	order_record(&sets.order, &user, 0, NON_BLOCKING);
	enqueue(&sets, NON_BLOCKING);
	order_wait(&sets.order, &user, 0, BLOCKING);
	assert_int_equal(enqueue(&sets, BLOCKING), 1 << 0);
	/* Across the barrier, for the waiter's side and in a record. */
	assert_int_equal(enqueue(&sets, LEGACY), 1 << 0 | 1 << 2);
	enqueue(&sets, OTHER_BLOCKING);
	order_record(&sets.order, &user, 1, LEGACY);
	order_wait(&sets.order, &user, 1, UNKNOWN);
	assert_int_equal(enqueue(&sets, UNKNOWN), 1 << 0 | 1 << 2 | 1 << 3 | 1 << 4);
	order_free(&sets.order);
}

TEST(test_wait_alone_extends_its_side)
{
	struct sets sets;
	struct order_user user = user_of(&sets);

	begin(&sets, NULL, 0);
	enqueue(&sets, NON_BLOCKING);
	order_record(&sets.order, &user, 0, NON_BLOCKING);
	order_wait(&sets.order, &user, 0, LEGACY);
	assert_int_equal(enqueue(&sets, BLOCKING), 1 << 0);
	order_free(&sets.order);
}

/* It comes in its stream, and others wait for it as for an operation. */
TEST(test_host_functions)
{
	struct sets sets;

	begin(&sets, NULL, 0);
	enqueue(&sets, BLOCKING);
	assert_int_equal(pass(&sets, BLOCKING, true), 1 << 0);
	assert_int_equal(enqueue(&sets, BLOCKING), 1 << 0 | 1 << 1);
	assert_int_equal(pass(&sets, LEGACY, true), 1 << 0 | 1 << 1 | 1 << 2);
	assert_int_equal(enqueue(&sets, OTHER_BLOCKING), 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3);
	order_free(&sets.order);
}

/* It begins behind what its launch's stream ran, and ends as if it were in it: what a fix has moved away
 * from there is beside both. */
TEST(test_branch_of_a_graph)
{
	const struct order_added added = {NON_BLOCKING, STREAM_NON_BLOCKING};
	struct sets sets;
	struct order_user user = user_of(&sets);

	begin(&sets, &added, 1);
	enqueue(&sets, NON_BLOCKING);
	enqueue(&sets, STREAMS);
	order_record(&sets.order, &user, BRANCH_BEGIN, NON_BLOCKING);
	enqueue(&sets, NON_BLOCKING);
	order_wait(&sets.order, &user, BRANCH_BEGIN, UNKNOWN);
	assert_int_equal(enqueue(&sets, UNKNOWN), 1 << 0);
	order_record(&sets.order, &user, BRANCH_END, UNKNOWN);
	order_wait(&sets.order, &user, BRANCH_END, NON_BLOCKING);
	assert_int_equal(enqueue(&sets, NON_BLOCKING), 1 << 0 | 1 << 2 | 1 << 3);
	assert_int_equal(enqueue(&sets, STREAMS), 1 << 1);
	order_free(&sets.order);
}

/* Two streams in place of one: events of the parent mean both. */
TEST(test_added_streams)
{
	const struct order_added added[] = {{NON_BLOCKING, STREAM_NON_BLOCKING},
					    {NON_BLOCKING, STREAM_BLOCKING}};
	struct sets sets;
	struct order_user user = user_of(&sets);

	begin(&sets, added, 2);
	enqueue(&sets, NON_BLOCKING);
	assert_int_equal(enqueue(&sets, STREAMS), 0);
	assert_int_equal(enqueue(&sets, STREAMS + 1), 0);
	order_record(&sets.order, &user, 0, NON_BLOCKING);
	order_wait(&sets.order, &user, 0, UNKNOWN);
	assert_int_equal(enqueue(&sets, UNKNOWN), 1 << 0 | 1 << 1 | 1 << 2);
	order_record(&sets.order, &user, 1, UNKNOWN);
	order_wait(&sets.order, &user, 1, NON_BLOCKING);
	assert_int_equal(enqueue(&sets, STREAMS), 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3);
	assert_int_equal(order_sibling(&sets.order, NON_BLOCKING), STREAMS + 1);
	assert_int_equal(order_sibling(&sets.order, STREAMS + 1), STREAMS);
	assert_int_equal(order_sibling(&sets.order, STREAMS), 0);
	order_free(&sets.order);
}

TEST(test_of_two_streams)
{
	assert_true(order_is_behind(&streams[BLOCKING], &streams[BLOCKING]));
	assert_true(order_is_behind(&streams[LEGACY], &streams[BLOCKING]));
	assert_true(order_is_behind(&streams[BLOCKING], &streams[LEGACY]));
	assert_false(order_is_behind(&streams[BLOCKING], &streams[OTHER_BLOCKING]));
	assert_false(order_is_behind(&streams[LEGACY], &streams[NON_BLOCKING]));
	assert_false(order_is_behind(&streams[LEGACY], &streams[FAR_BLOCKING]));
	assert_false(order_is_behind(&streams[NON_BLOCKING], &streams[UNKNOWN]));
}

/* A stream of which nothing is known may be a blocking one. */
TEST(test_synchronize)
{
	assert_true(order_sync_covers(&streams[BLOCKING], &streams[BLOCKING]));
	assert_false(order_sync_covers(&streams[BLOCKING], &streams[LEGACY]));
	assert_true(order_sync_covers(&streams[LEGACY], &streams[LEGACY]));
	assert_true(order_sync_covers(&streams[LEGACY], &streams[BLOCKING]));
	assert_true(order_sync_covers(&streams[LEGACY], &streams[UNKNOWN]));
	assert_false(order_sync_covers(&streams[LEGACY], &streams[NON_BLOCKING]));
	assert_false(order_sync_covers(&streams[LEGACY], &streams[FAR_BLOCKING]));
}

RUN_TESTS(NULL, NULL)
