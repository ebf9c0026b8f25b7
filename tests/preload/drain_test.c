/* What the writer makes of a ring's records, and what it counts of them once the exit is late: the store and the
 * recorder are played. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_test.h"
#include "life/drain.h"
#include "life/loss_rows.h"
#include "recorder/pack.h"
#include "recorder/recorder.h"
#include "store/store.h"
#include "store/window_rows.h"

enum { THREAD = 7 };

static struct ring *ring;
static char stored[4096]; /* what the store was given, word by word */
static uint64_t lost[LOSS_COUNT];
static int64_t calls; /* stored in blocks */
static int blocks, rings_done;
static bool is_late, is_in_window;

struct ring *recorder_rings(void)
{
	return ring;
}

static void note(const char *word, int64_t number)
{
	const size_t length = strlen(stored);

	snprintf(stored + length, sizeof(stored) - length, "%s%s %lld", length ? ", " : "", word,
		 (long long)number);
}

int64_t store_call_block(struct store *store, const struct packed *packed, uint32_t thread_id)
{
	const int64_t first_id = calls + 1;

	assert_int_equal(thread_id, THREAD);
	calls += packed->calls;
	blocks++;
	return first_id;
}

void store_call_serial(struct store *store, uint32_t thread_id, uint64_t serial, int64_t call_id)
{
	assert_int_equal(serial, (uint64_t)call_id + 100);
}

void store_tool_cost(struct store *store, unsigned function, const struct store_tool_cost *added)
{
	note("outside", added->outside_ns);
	note("inside", added->inside_ns);
	note("entry", added->entry_ns);
}

#define STORE(function, word)                                                                      \
	void function(struct store *store, const struct record *record, uint32_t thread_id)        \
	{                                                                                          \
		assert_int_equal(thread_id, THREAD);                                               \
		note(word, record->kind);                                                          \
	}
STORE(store_correlation, "correlation")
STORE(store_graph_node, "node")
STORE(store_host_function, "function")
STORE(store_nvtx_range, "range")
STORE(store_collective, "collective")
STORE(store_clock_read, "read")

void store_graph_edge(struct store *store, const struct record *record)
{
	note("edge", record->kind);
}

void store_collective_group(struct store *store, const struct record *record)
{
	note("group", record->kind);
}

void store_communicator(struct store *store, const struct record *record)
{
	note("communicator", record->kind);
}

void store_overhead(struct store *store, int64_t kind, int64_t start_ns, int64_t end_ns,
		    int64_t thread_id)
{
	note("overhead", end_ns - start_ns);
}

void store_thread_times(struct store *store, uint32_t thread_id, const struct thread_times *begun,
			const struct thread_times *ended)
{
	note("times", ended->cpu_ns - begun->cpu_ns);
}

struct thread_times thread_times_read(uint32_t thread_id)
{
	return (struct thread_times){.cpu_ns = 1000};
}

void loss_rows_store_of_thread(struct store *store, enum loss loss, uint64_t count,
			       uint32_t thread_id)
{
	assert_int_equal(thread_id, THREAD);
	lost[loss] += count;
}

void window_rows_note_call(int64_t start_ns, uint32_t correlation_id)
{
	note("window's call", correlation_id);
}

bool window_rows_include(uint64_t start_ns, uint64_t end_ns, uint32_t correlation_id)
{
	return is_in_window;
}

static bool ask_late(void)
{
	return is_late;
}

static void count_ring(void)
{
	rings_done++;
}

static const struct drain_rules all = {
	.is_late = ask_late, .after_ring = count_ring, .takes_all = true};
static const struct drain_rules blocks_only = {.is_late = ask_late, .after_ring = count_ring};

static void push(const struct record *record)
{
	struct record *next = ring_reserve(ring);

	assert_non_null(next);
	*next = *record;
	ring_commit(ring);
}

static void push_calls(int count)
{
	for (int i = 0; i < count; i++)
		push(&(struct record){.kind = RECORD_CALL,
				      .start_ns = 1000 + i,
				      .end_ns = 1001 + i,
				      .serial = 101 + (uint64_t)i});
}

/* One of each kind, RECORD_CALL last. */
static void push_kinds(void)
{
	for (int kind = RECORD_CALL + 1; kind <= RECORD_COMMUNICATOR; kind++)
		push(&(struct record){.kind = (uint8_t)kind, .start_ns = 10, .end_ns = 15});
	push(&(struct record){.kind = RECORD_CALL,
			      .start_ns = 20,
			      .end_ns = 30,
			      .has = RECORD_HAS_CORRELATION | RECORD_HAS_TOOL,
			      .correlation = 44,
			      .tool_outside_ns = 3,
			      .tool_inside_ns = 2,
			      .tool_entry_ns = 1,
			      .serial = 101});
}

static int set_up(void **state)
{
	rings_after_fork();
	ring = ring_create();
	ring->thread_id = THREAD;
	ring->state = RING_OWNED;
	stored[0] = '\0';
	memset(lost, 0, sizeof(lost));
	calls = blocks = rings_done = 0;
	is_late = false;
	is_in_window = true;
	drain_after_fork();
	return 0;
}

static uint64_t sum_lost(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < LOSS_COUNT; i++)
		sum += lost[i];
	return sum;
}

TEST_WITH(test_each_kind_is_stored, set_up, NULL)
{
	char expected[500];

	push_kinds();
	assert_true(drain_all(NULL, &all));
	snprintf(
		expected, sizeof(expected),
		"window's call 44, correlation %d, node %d, edge %d, function %d, overhead 5, "
		"range %d, "
		"range %d, range %d, read %d, collective %d, group %d, communicator %d, outside 3, "
		"inside 2, entry 1",
		RECORD_CORRELATION, RECORD_GRAPH_NODE, RECORD_GRAPH_EDGE, RECORD_HOST_FUNCTION,
		RECORD_RANGE_PUSH, RECORD_RANGE_START, RECORD_RANGE_END, RECORD_CLOCK_READ,
		RECORD_COLLECTIVE, RECORD_COLLECTIVE_GROUP, RECORD_COMMUNICATOR);
	assert_string_equal(stored, expected);
	assert_int_equal(calls, 1);
	assert_int_equal(sum_lost(), 0);
	assert_int_equal(rings_done, 1);
}

TEST_WITH(test_between_windows, set_up, NULL)
{
	is_in_window = false;
	push(&(struct record){.kind = RECORD_HOST_FUNCTION});
	push(&(struct record){.kind = RECORD_CLOCK_READ});
	assert_true(drain_all(NULL, &all));
	assert_string_equal(stored, "");
}

/* Each row is a loss of its kind; the time of the tracer's own work is none. */
static void check_late(void)
{
	assert_string_equal(stored, "");
	assert_int_equal(calls, 0);
	assert_int_equal(lost[LOSS_HOST_FUNCTION], 1);
	assert_int_equal(lost[LOSS_CORRELATION], 2);
	assert_int_equal(lost[LOSS_GRAPH_EDGES], 1);
	assert_int_equal(lost[LOSS_RANGE], 3);
	assert_int_equal(lost[LOSS_CLOCK_READ], 1);
	assert_int_equal(lost[LOSS_COLLECTIVE], 3);
}

TEST_WITH(test_each_kind_is_counted_at_a_late_exit, set_up, NULL)
{
	is_late = true;
	push_kinds();
	assert_true(drain_all(NULL, &all));
	check_late();
	assert_int_equal(lost[LOSS_EXIT_TIMEOUT], 1);
	assert_int_equal(sum_lost(), 12);
}

/* The same of what its thread has packed, as there was no more room. */
TEST_WITH(test_what_is_packed_is_counted_at_a_late_exit, set_up, NULL)
{
	int pushed = 0;

	is_late = true;
	push_kinds();
	/* The records fill more segments than a ring has: the thread packs the segments beyond that, and the last one. */
	for (struct record *next; pushed < RING_SEGMENTS_MOST * SEGMENT_RECORDS; pushed++) {
		next = ring_reserve(ring);
		assert_non_null(next);
		*next = (struct record){.kind = RECORD_CALL, .serial = (uint64_t)pushed};
		ring_commit(ring);
	}
	push_kinds();
	for (int i = 0; i < SEGMENT_RECORDS; i++, pushed++)
		push(&(struct record){.kind = RECORD_CALL});
	assert_true(drain_all(NULL, &all));
	assert_int_equal(lost[LOSS_RANGE], 6);
	assert_int_equal(lost[LOSS_COLLECTIVE], 6);
	assert_int_equal(lost[LOSS_EXIT_TIMEOUT], pushed + 2);
}

TEST_WITH(test_few_records_wait, set_up, NULL)
{
	push_calls(1023);
	assert_true(drain_all(NULL, &blocks_only));
	assert_int_equal(calls, 0);
	assert_int_equal(rings_done, 0);
	push(&(struct record){.kind = RECORD_CALL, .start_ns = 1, .end_ns = 2, .serial = 1124});
	assert_true(drain_all(NULL, &blocks_only));
	assert_int_equal(calls, 1024);
	/* A thread that has ended makes no more. */
	push(&(struct record){.kind = RECORD_CALL, .start_ns = 1, .end_ns = 2, .serial = 1125});
	ring->state = RING_ORPHANED;
	ring->ended.cpu_ns = 5;
	assert_true(drain_all(NULL, &blocks_only));
	assert_int_equal(calls, 1025);
	assert_string_equal(stored, "times 5");
	assert_int_equal(ring->state, RING_FREE);
}

TEST_WITH(test_dropped_calls_are_told_once, set_up, NULL)
{
	ring_drop(ring);
	ring_drop(ring);
	drain_all(NULL, &all);
	drain_all(NULL, &all);
	assert_int_equal(lost[LOSS_RING_OVERFLOW], 2);
	push(&(struct record){.kind = RECORD_CALL, .start_ns = 9000, .end_ns = 2, .serial = 101});
	drain_all(NULL, &all);
	assert_int_equal(lost[LOSS_BACKWARD_CALL], 1);
	assert_int_equal(sum_lost(), 3);
}

/* A thread that never comes to the end of packing: the exit does not wait for it for ever, and has what it left. */
TEST_WITH(test_a_thread_that_is_stuck, set_up, NULL)
{
	push_calls(5);
	atomic_store(&ring->current->is_claimed, true);
	drain_to_the_end(NULL, &all);
	assert_int_equal(calls, 5);
	assert_true(ring->is_taken_over);
	/* It goes on: its ring is not read any more. */
	push_calls(1);
	assert_true(drain_all(NULL, &all));
	assert_int_equal(calls, 5);
}

TEST_WITH(test_times_of_threads_that_go_on, set_up, NULL)
{
	drain_thread_times(NULL);
	assert_string_equal(stored, "");
	ring->has_begun = true;
	ring->begun.cpu_ns = 200;
	drain_thread_times(NULL);
	assert_string_equal(stored, "times 800");
	ring->state = RING_ORPHANED;
	drain_thread_times(NULL);
	assert_string_equal(stored, "times 800");
}

RUN_TESTS(NULL, NULL)
