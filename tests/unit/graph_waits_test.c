/* Which branches of a launched graph wait for which: streams and the starts of the operations at both ends. */
#include "build_trace.h"
#include "model/model.h"
#include "replay/observed/timeline_private.h"
#include "replay/timeline.h"
#include "test_folder.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

/* A graph's launch in stream 13 at 10 (call 1), and the nodes 201 and up of its executable graph: 201 runs in 13
 * from 20 to 30, 202 in 13 and 203 in 21 from 30 to 40, 204 in 13 from 40 to 50. */
static const char world[] =
	"INSERT INTO functions VALUES (1, 'cudaGraphLaunch', 'graph-launch'),"
	" (2, 'cudaLaunchKernel', 'launch');"
	"INSERT INTO contexts VALUES (1, 0, 7);"
	"INSERT INTO streams (context_id, id, flag, handle) VALUES (1, 7, 3, NULL), (1, 13, 1, "
	"4096);"
	"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path,"
	" per_thread_stream, correlation_id, stream_handle) VALUES (1, 1, 1, 10, 15, 0, 0, 0, 1, "
	"4096);"
	"INSERT INTO graph_nodes (id, source_id, graph_id, kind) VALUES (101, NULL, 1, 0),"
	" (102, NULL, 1, 0), (103, NULL, 1, 0), (104, NULL, 1, 0);"
	"INSERT INTO graph_nodes (id, source_id, graph_id, kind)"
	" SELECT id + 100, id, 2, kind FROM graph_nodes;"
	"INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id,"
	" correlation_id, graph_node_id) VALUES (1, 20, 30, 0, 1, 13, 1, 201),"
	" (1, 30, 40, 0, 1, 13, 1, 202), (1, 30, 40, 0, 1, 21, 1, 203), (1, 40, 50, 0, 1, 13, 1, "
	"204);";

/* From 101 to 102 and 103, and from both to 104. */
static const char edges[] = "INSERT INTO graph_edges VALUES (101, 102, 0, 0), (101, 103, 0, 0),"
			    " (102, 104, 0, 0), (103, 104, 0, 0);";

/* before, behind: starts; 0: none. */
struct expected {
	uint32_t recorder, waiter;
	int64_t before_ns, behind_ns;
};

static int64_t start_of(const struct trace *trace, uint32_t operation)
{
	return operation ? trace->operations[operation - 1].start_ns : 0;
}

static void check(const struct expected *expected, size_t count)
{
	char *error = NULL;
	struct trace *trace = trace_load(path, &error);

	if (error)
		fail_msg("%s", error);
	for (size_t i = 0; i < trace->event_wait_count; i++) {
		const struct trace_event_wait *wait = &trace->event_waits[i];
		size_t k = 0;

		while (k < count && (expected[k].recorder != wait->recorder->id ||
				     expected[k].waiter != wait->waiter->id ||
				     expected[k].before_ns != start_of(trace, wait->before) ||
				     expected[k].behind_ns != start_of(trace, wait->behind)))
			k++;
		if (k == count)
			fail_msg("%u waits for %u, %lld for %lld", wait->waiter->id,
				 wait->recorder->id, (long long)start_of(trace, wait->behind),
				 (long long)start_of(trace, wait->before));
		assert_ptr_equal(wait->recording, wait->waiting);
		assert_int_equal(wait->wait_ns, wait->waiting->start_ns);
		assert_int_equal(wait->record_ns, wait->wait_ns);
	}
	assert_int_equal(trace->event_wait_count, count);
	trace_close(trace);
}

#define CHECK(...)                                                                                 \
	check((const struct expected[]){__VA_ARGS__},                                              \
	      sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected))
#define BEGIN                                                                                      \
	{                                                                                          \
		13, 21, 0, 30                                                                      \
	}
#define END                                                                                        \
	{                                                                                          \
		21, 13, 30, 0                                                                      \
	}

TEST_IN_FOLDER(test_edges_between_streams)
{
	build_trace(path, NULL, world);
	change_trace(path, edges);
	CHECK(BEGIN, {13, 21, 20, 30}, {21, 13, 30, 40}, END);
}

/* Old drivers tell of no edges: what ended last before an operation held it. */
TEST_IN_FOLDER(test_no_edges)
{
	build_trace(path, NULL, world);
	CHECK(BEGIN, {13, 21, 20, 30}, {21, 13, 30, 40}, END);
	change_trace(path, "UPDATE operations SET end_ns = 39 WHERE graph_node_id = 203");
	CHECK(BEGIN, {13, 21, 20, 30}, END);
}

TEST_IN_FOLDER(test_one_stream)
{
	build_trace(path, NULL, world);
	change_trace(path, edges);
	change_trace(path, "UPDATE operations SET stream_id = 13");
	check(NULL, 0);
}

/* All ran in one stream, but not in the launch's. */
TEST_IN_FOLDER(test_another_stream)
{
	build_trace(path, NULL, world);
	change_trace(path, "UPDATE operations SET stream_id = 21");
	CHECK({13, 21, 0, 20}, {21, 13, 40, 0});
}

/* The launch's stream is not known: the edges are. */
TEST_IN_FOLDER(test_unknown_stream)
{
	build_trace(path, NULL, world);
	change_trace(path, edges);
	change_trace(path, "UPDATE calls SET stream_handle = 8192");
	CHECK({13, 21, 20, 30}, {21, 13, 30, 40});
}

TEST_IN_FOLDER(test_default_stream)
{
	build_trace(path, NULL, world);
	change_trace(path, "UPDATE calls SET stream_handle = 0; UPDATE operations SET stream_id = 7"
			   " WHERE stream_id = 13");
	change_trace(path, edges);
	CHECK({7, 21, 0, 30}, {7, 21, 20, 30}, {21, 7, 30, 40}, {21, 7, 30, 0});
}

/* An edge that a wait for a later node of the stream has in it, one that the times contradict, and one of a
 * programmatic launch. */
TEST_IN_FOLDER(test_edges_that_add_nothing)
{
	build_trace(path, NULL, world);
	change_trace(path, "INSERT INTO graph_edges VALUES (101, 103, 0, 0), (102, 103, 0, 0), "
			   "(103, 104, 1, 0)");
	CHECK(BEGIN, {13, 21, 20, 30}, END);
	change_trace(path,
		     "UPDATE operations SET start_ns = 45, end_ns = 48 WHERE graph_node_id = 203");
	CHECK({13, 21, 0, 45}, {13, 21, 30, 45}, {21, 13, 45, 0});
}

/* 104 is an empty node, and the one behind it has an operation. */
TEST_IN_FOLDER(test_through_empty_nodes)
{
	build_trace(path, NULL, world);
	change_trace(path, edges);
	change_trace(
		path,
		"INSERT INTO graph_nodes (id, source_id, graph_id, kind) VALUES (105, NULL, 1, 0),"
		" (205, 105, 2, 0); INSERT INTO graph_edges VALUES (104, 105, 0, 0);"
		"UPDATE operations SET graph_node_id = 205 WHERE graph_node_id = 204");
	CHECK(BEGIN, {13, 21, 20, 30}, {21, 13, 30, 40}, END);
}

/* As above, but 104 is a child graph of nodes without operations. */
TEST_IN_FOLDER(test_through_an_empty_child_graph)
{
	build_trace(path, NULL, world);
	change_trace(path, edges);
	change_trace(
		path,
		"INSERT INTO graph_nodes (id, source_id, graph_id, kind) VALUES (105, NULL, 1, 0),"
		" (205, 105, 2, 0), (106, NULL, 3, 5); INSERT INTO graph_edges VALUES (104, 106, "
		"256, 0),"
		" (104, 105, 0, 0);"
		"UPDATE operations SET graph_node_id = 205 WHERE graph_node_id = 204");
	CHECK(BEGIN, {13, 21, 20, 30}, {21, 13, 30, 40}, END);
}

/* The thread's own default stream is where its other calls' operations are. Before it has any, it is unknown. */
TEST_IN_FOLDER(test_per_thread_stream)
{
	build_trace(path, NULL, world);
	change_trace(path, "UPDATE calls SET stream_handle = 2;"
			   "UPDATE operations SET start_ns = 19 WHERE graph_node_id = 203;");
	check(NULL, 0);
	change_trace(
		path,
		"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result,"
		" api_path, per_thread_stream, correlation_id, stream_handle)"
		" VALUES (2, 1, 2, 60, 61, 0, 0, 1, 2, 0);"
		"INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id,"
		" correlation_id) VALUES (1, 62, 70, 0, 1, 13, 2)");
	CHECK({13, 21, 0, 19}, {21, 13, 19, 0});
}

/* Another thread's call begins before the launch and returns behind it; its kernel came behind the graph. */
static struct model *build_model(struct trace **trace, int64_t kernel_start_ns)
{
	char *error = NULL, sql[400];

	build_trace(path, NULL, world);
	change_trace(path,
		     "DELETE FROM operations WHERE graph_node_id IN (202, 204);"
		     "UPDATE operations SET start_ns = 25, end_ns = 90 WHERE graph_node_id = 203;");
	snprintf(
		sql, sizeof(sql),
		"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path,"
		" per_thread_stream, correlation_id, stream_handle)"
		" VALUES (2, 2, 2, 5, 18, 0, 0, 0, 2, 4096);"
		"INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id,"
		" correlation_id) VALUES (1, %lld, %lld, 0, 1, 13, 2)",
		(long long)kernel_start_ns, (long long)kernel_start_ns + 5);
	change_trace(path, sql);
	*trace = trace_load(path, &error);
	assert_null(error);
	return model_build(*trace);
}

static const struct model_operation *item_of(const struct model *model, int64_t start_ns,
					     uint32_t stream_id)
{
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		if (operation->start_ns == start_ns && operation->form->stream->id == stream_id)
			return &model->operations[i];
	}
	fail_msg("no operation at %lld", (long long)start_ns);
	return NULL;
}

TEST_IN_FOLDER(test_what_comes_behind)
{
	struct trace *trace;
	struct model *model = build_model(&trace, 91);

	assert_int_equal(item_of(model, 91, 13)->order_ns, 90);
	assert_int_equal(item_of(model, 25, 21)->order_ns, INT64_MIN);
	model_free(model);
	trace_close(trace);
}

TEST_IN_FOLDER(test_what_comes_before)
{
	struct trace *trace;
	struct model *model = build_model(&trace, 10);

	assert_int_equal(item_of(model, 10, 13)->order_ns, INT64_MIN);
	assert_int_equal(item_of(model, 20, 13)->order_ns, 15);
	assert_int_equal(item_of(model, 25, 21)->order_ns, 15);
	model_free(model);
	trace_close(trace);
}

/* The host waits for the last node of the launch's stream, at 50, and for the branch, until 90. */
TEST_IN_FOLDER(test_synchronize)
{
	struct timeline *timeline;
	struct model *model;
	struct trace *trace;
	char *error = NULL;

	build_trace(path, NULL, world);
	change_trace(path,
		     "UPDATE operations SET end_ns = 90 WHERE graph_node_id = 203;"
		     "INSERT INTO functions VALUES (3, 'cudaStreamSynchronize', 'stream-sync');"
		     "INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result,"
		     " api_path, per_thread_stream, stream_handle)"
		     " VALUES (2, 1, 3, 16, 95, 0, 0, 0, 4096)");
	trace = trace_load(path, &error);
	assert_null(error);
	model = model_build(trace);
	timeline = timeline_build(model);
	assert_int_equal(timeline->wait_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct timeline_wait *wait = &timeline->waits[i];

		assert_int_equal(wait->call, 1);
		assert_int_equal(wait->lag_ns, 5);
		assert_int_equal(model->operations[wait->operation].operation->end_ns,
				 wait->is_of_stream ? 50 : 90);
	}
	timeline_free(timeline);
	model_free(model);
	trace_close(trace);
}

/* A node that runs twice is in a loop: what its edges would mean is not known. */
TEST_IN_FOLDER(test_loop)
{
	build_trace(path, NULL, world);
	change_trace(path, edges);
	change_trace(path,
		     "UPDATE operations SET graph_node_id = 203 WHERE graph_node_id = 202;"
		     "UPDATE operations SET start_ns = 25 WHERE stream_id = 21;"
		     "UPDATE operations SET end_ns = 38 WHERE stream_id = 13 AND start_ns = 30");
	CHECK({13, 21, 0, 25}, {21, 13, 25, 40}, {21, 13, 25, 0});
}

/* 103 and 106 behind it are in a child graph, 110, that comes behind 101, and before 104. */
TEST_IN_FOLDER(test_child_graph)
{
	build_trace(path, NULL, world);
	change_trace(
		path,
		"INSERT INTO graph_nodes (id, source_id, graph_id, kind) VALUES (106, NULL, 3, 0),"
		" (206, 106, 2, 0), (110, NULL, 1, 4), (210, 110, 2, 4);"
		"INSERT INTO graph_edges VALUES (101, 102, 0, 0), (101, 110, 0, 0), (110, 103, "
		"256, 0),"
		" (103, 106, 0, 0), (102, 104, 0, 0), (110, 104, 0, 0);"
		"UPDATE operations SET end_ns = 35 WHERE graph_node_id = 203;"
		"INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id,"
		" correlation_id, graph_node_id) VALUES (1, 35, 40, 0, 1, 21, 1, 206)");
	CHECK(BEGIN, {13, 21, 20, 30}, {21, 13, 35, 40}, {21, 13, 35, 0});
}

/* Edges that lead round in a circle: a damaged file. 101 is in the child graph 105. */
TEST_IN_FOLDER(test_circle)
{
	build_trace(path, NULL, world);
	change_trace(
		path,
		"INSERT INTO graph_nodes (id, source_id, graph_id, kind) VALUES (105, NULL, 1, 4),"
		" (106, NULL, 1, 4);"
		"INSERT INTO graph_edges VALUES (105, 106, 0, 0), (106, 105, 0, 0), (105, 103, 0, "
		"0),"
		" (106, 103, 256, 0), (103, 105, 0, 0), (105, 101, 256, 0)");
	CHECK(BEGIN, {13, 21, 20, 30}, END);
}

RUN_TESTS(NULL, NULL)
