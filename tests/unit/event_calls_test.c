/* Which stream waits for which event, where only the calls say so. */
#include "build_trace.h"
#include "test_folder.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

/* Functions, by id. */
enum { RECORD = 1, WAIT, BEGIN, END, LAUNCH, CREATE };

static const char world[] =
	"INSERT INTO metadata VALUES ('event_waits', 'calls');"
	"INSERT INTO functions VALUES (1, 'cudaEventRecord', 'event-record'),"
	" (2, 'cudaStreamWaitEvent', 'stream-wait-event'),"
	" (3, 'cudaStreamBeginCapture', 'graph-capture'),"
	" (4, 'cudaStreamEndCapture', 'graph-capture'), (5, 'cudaLaunchKernel', 'launch'),"
	" (6, 'cudaEventCreate', 'event-create');"
	"INSERT INTO contexts VALUES (1, 0, 7), (2, 1, 8);"
	"INSERT INTO streams (context_id, id, flag, handle, created_ns, destroyed_ns) VALUES"
	" (1, 7, 3, NULL, NULL, NULL), (2, 8, 3, NULL, NULL, NULL),"
	" (1, 13, 1, 4096, 1, 500), (1, 15, 1, 4096, 600, NULL), (1, 14, 1, 8192, 1, NULL);"
	/* Thread 2 works in the second context, and then in its own stream of the first. */
	"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path,"
	" per_thread_stream, correlation_id, stream_handle) VALUES"
	" (1, 1, 5, 2, 3, 0, 0, 0, 1, 4096), (2, 2, 5, 2, 3, 0, 0, 0, 2, 0),"
	" (3, 2, 5, 700, 701, 0, 0, 1, 3, 0);"
	"INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id,"
	" correlation_id) VALUES (1, 4, 5, 0, 1, 13, 1), (1, 4, 5, 1, 2, 8, 2),"
	" (1, 702, 703, 0, 1, 20, 3);";

static void open_world(void)
{
	build_trace(path, NULL, world);
}

/* A call of 5 ns at time_ns. */
static void add(int64_t time_ns, int thread_id, int function, int handle, int event, int result)
{
	char sql[300];

	snprintf(sql, sizeof(sql),
		 "INSERT INTO calls (thread_id, function_id, start_ns, end_ns, result, api_path,"
		 " per_thread_stream, stream_handle, object)"
		 " VALUES (%d, %d, %lld, %lld, %d, 0, 0, %d, %d)",
		 thread_id, function, (long long)time_ns, (long long)time_ns + 5, result, handle,
		 event);
	change_trace(path, sql);
}

struct expected {
	uint32_t recorder, waiter;
	int64_t record_ns, wait_ns;
};

static void check(const struct expected *expected, size_t count)
{
	char *error = NULL;
	struct trace *trace = trace_load(path, &error);

	if (error)
		fail_msg("%s", error);
	assert_int_equal(trace->event_wait_count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(trace->event_waits[i].recorder->id, expected[i].recorder);
		assert_int_equal(trace->event_waits[i].waiter->id, expected[i].waiter);
		assert_int_equal(trace->event_waits[i].record_ns, expected[i].record_ns);
		assert_int_equal(trace->event_waits[i].wait_ns, expected[i].wait_ns);
		assert_non_null(trace->event_waits[i].recording);
		assert_int_equal(trace->event_waits[i].waiting->start_ns, expected[i].wait_ns);
	}
	trace_close(trace);
}

#define CHECK(...)                                                                                 \
	check((const struct expected[]){__VA_ARGS__},                                              \
	      sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected))

TEST_IN_FOLDER(test_the_last_record_counts)
{
	open_world();
	add(10, 1, WAIT, 8192, 77, 0); /* never recorded: no wait */
	add(20, 1, RECORD, 4096, 77, 0);
	add(30, 1, WAIT, 8192, 77, 0);
	add(40, 1, RECORD, 8192, 77, 0);
	add(50, 1, RECORD, 8192, 78, 0);
	add(60, 1, WAIT, 4096, 77, 0);
	CHECK({13, 14, 25, 30}, {14, 13, 45, 60});
}

TEST_IN_FOLDER(test_failed_calls_do_nothing)
{
	open_world();
	add(20, 1, RECORD, 4096, 77, 0);
	add(30, 1, RECORD, 8192, 77, 400);
	add(40, 1, WAIT, 8192, 77, 400);
	add(50, 1, WAIT, 8192, 77, 0);
	CHECK({13, 14, 25, 50});
}

TEST_IN_FOLDER(test_handles_are_used_again)
{
	open_world();
	add(20, 1, RECORD, 4096, 77, 0);
	add(610, 1, RECORD, 4096, 78, 0);
	add(620, 1, WAIT, 8192, 77, 0);
	add(630, 1, WAIT, 8192, 78, 0);
	/* Between the two streams nobody has the handle. */
	add(550, 1, RECORD, 4096, 79, 0);
	add(640, 1, WAIT, 8192, 79, 0);
	CHECK({13, 14, 25, 620}, {15, 14, 615, 630});
}

/* Handle 0 is the default stream of the context that the thread works in; 2 is its own. */
TEST_IN_FOLDER(test_default_streams)
{
	open_world();
	add(20, 1, RECORD, 0, 77, 0);
	add(30, 2, WAIT, 0, 77, 0);
	add(710, 2, RECORD, 2, 78, 0);
	add(720, 2, WAIT, 1, 78, 0);
	/* Thread 1 has no stream of its own that the trace knows. */
	add(730, 1, WAIT, 2, 78, 0);
	CHECK({7, 8, 25, 30}, {20, 7, 715, 720});
}

/* What the thread did last says less than the call's own context. */
TEST_IN_FOLDER(test_contexts)
{
	open_world();
	add(20, 1, RECORD, 0, 77, 0);
	add(30, 1, WAIT, 1, 77, 0);
	change_trace(path, "UPDATE calls SET context_id = 2 WHERE start_ns = 20");
	CHECK({8, 7, 25, 30});
}

/* A stream that waits for a captured event takes part in the capture. */
TEST_IN_FOLDER(test_captures)
{
	open_world();
	add(10, 1, BEGIN, 4096, 0, 0);
	add(20, 1, RECORD, 4096, 77, 0);
	add(30, 1, WAIT, 8192, 77, 0);
	add(40, 1, RECORD, 8192, 78, 0);
	add(50, 1, WAIT, 4096, 78, 0);
	add(60, 1, END, 4096, 0, 0);
	add(70, 1, WAIT, 0, 78, 0); /* an error in CUDA, or another event of the handle */
	add(80, 1, RECORD, 8192, 78, 0);
	add(90, 1, WAIT, 4096, 78, 0);
	CHECK({14, 13, 85, 90});
}

/* The capture is invalid, so its end fails: the streams are ordinary ones from then on. */
TEST_IN_FOLDER(test_a_capture_that_fails_ends)
{
	open_world();
	add(5, 1, BEGIN, 4096, 0, 400); /* did not begin */
	add(10, 1, RECORD, 4096, 77, 0);
	add(20, 1, WAIT, 8192, 77, 0);
	add(30, 1, BEGIN, 4096, 0, 0);
	add(40, 1, RECORD, 4096, 78, 0);
	add(50, 1, WAIT, 8192, 78, 0);
	add(60, 1, END, 4096, 0, 901);
	add(70, 1, RECORD, 4096, 79, 0);
	add(80, 1, WAIT, 8192, 79, 0);
	CHECK({13, 14, 15, 20}, {13, 14, 75, 80});
}

/* An event of an earlier capture does not take the stream out of its own. */
TEST_IN_FOLDER(test_two_captures)
{
	open_world();
	add(10, 1, BEGIN, 4096, 0, 0);
	add(20, 1, RECORD, 4096, 77, 0);
	add(30, 1, END, 4096, 0, 0);
	add(35, 1, RECORD, 4096, 78, 0);
	add(40, 1, BEGIN, 8192, 0, 0);
	add(50, 1, WAIT, 8192, 77, 0);
	add(60, 1, WAIT, 8192, 78, 0); /* an edge from outside, not a stream's */
	check(NULL, 0);
}

/* A handle is given out again: the new event was not recorded so far. */
TEST_IN_FOLDER(test_events_are_made_again)
{
	open_world();
	add(20, 1, RECORD, 4096, 77, 0);
	add(25, 1, CREATE, 0, 77, 2); /* made none */
	add(30, 1, WAIT, 8192, 77, 0);
	add(40, 1, CREATE, 0, 77, 0);
	add(50, 1, WAIT, 8192, 77, 0);
	add(60, 1, RECORD, 4096, 77, 0);
	add(70, 1, WAIT, 8192, 77, 0);
	CHECK({13, 14, 25, 30}, {13, 14, 65, 70});
}

/* Where CUPTI recorded events and waits, the calls are not asked. */
TEST_IN_FOLDER(test_cupti_has_them)
{
	open_world();
	add(20, 1, RECORD, 4096, 77, 0);
	add(30, 1, WAIT, 8192, 77, 0);
	CHECK({13, 14, 25, 30});
	change_trace(path, "UPDATE metadata SET value = 'cupti' WHERE key = 'event_waits'");
	check(NULL, 0);
	change_trace(path, "DELETE FROM metadata WHERE key = 'event_waits'");
	check(NULL, 0);
}

RUN_TESTS(NULL, NULL)
