/* What exports are made of: protocol buffers, decimals, and what an operation waited for. */
#include "build_trace.h"
#include "cmocka_test.h"
#include "export/event_causes.h"
#include "export/json_text.h"
#include "export/protobuf.h"
#include "test_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_bytes(struct protobuf *message, const char *bytes, size_t count)
{
	assert_int_equal(message->count, count);
	assert_memory_equal(message->bytes, bytes, count);
	free(message->bytes);
	*message = (struct protobuf){0};
}

/* By the encoding's own examples: 150 is 96 01; tags are the field by 8, and the wire type. */
TEST_IN_FOLDER(test_protobuf)
{
	struct protobuf message = {0};
	size_t outer, inner;

	protobuf_number(&message, 1, 150);
	check_bytes(&message, "\x08\x96\x01", 3);
	protobuf_number(&message, 16, 0);
	check_bytes(&message, "\x80\x01\x00", 3);
	protobuf_number(&message, 1, UINT64_MAX);
	check_bytes(&message, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
	protobuf_text(&message, 2, "testing");
	check_bytes(&message, "\x12\x07testing", 9);
	outer = protobuf_begin(&message, 3);
	inner = protobuf_begin(&message, 4);
	protobuf_number(&message, 1, 1);
	protobuf_end(&message, inner);
	protobuf_end(&message, outer);
	check_bytes(&message, "\x1a\x87\x80\x80\x00\x22\x82\x80\x80\x00\x08\x01", 12);
}

/* A length of more than seven bits. */
TEST_IN_FOLDER(test_long_message)
{
	struct protobuf message = {0};
	size_t part = protobuf_begin(&message, 1);

	for (int i = 0; i < 100; i++)
		protobuf_number(&message, 1, 1);
	protobuf_end(&message, part);
	assert_int_equal(message.count, 205);
	assert_memory_equal(message.bytes, "\x0a\xc8\x81\x80\x00", 5);
	free(message.bytes);
}

static char *written;

static void check_written(FILE *out, const char *expected)
{
	fclose(out);
	assert_string_equal(written, expected);
	free(written);
}

static FILE *open_written(void)
{
	static size_t size;

	return open_memstream(&written, &size);
}

TEST_IN_FOLDER(test_json)
{
	FILE *out = open_written();

	json_us(out, 1234567);
	check_written(out, "1234.567");
	out = open_written();
	json_us(out, 0);
	check_written(out, "0.000");
	out = open_written();
	json_us(out, -5);
	check_written(out, "-0.005");
	out = open_written();
	json_us(out, INT64_MIN);
	check_written(out, "-9223372036854775.808");
	out = open_written();
	json_text(out, "a\"b\\c</script>\x1f");
	check_written(out, "\"a\\\"b\\\\c\\u003c/script>\\u001f\"");
}

/* Stream 13: a copy, an event; stream 14 waits for it, then a copy and one more. The second copy was
 * enqueued before the first ended, the third before the second did. */
static const char waits[] =
	"INSERT INTO metadata VALUES ('event_waits', 'calls'), ('events', 'all');"
	"INSERT INTO functions VALUES (1, 'cudaMemcpyAsync', 'copy'), (2, 'cudaEventRecord', "
	"'event-record'),"
	" (3, 'cudaStreamWaitEvent', 'stream-wait-event');"
	"INSERT INTO contexts VALUES (1, 0, 7);"
	"INSERT INTO streams VALUES (1, 13, 1, 0, 1300, NULL, NULL), (1, 14, 1, 0, 1400, NULL, "
	"NULL);"
	"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, "
	"per_thread_stream,"
	" correlation_id, stream_handle, object) VALUES"
	" (1, 1, 1, 100, 110, 0, 0, 0, 1, 1300, NULL), (2, 1, 2, 120, 130, 0, 0, 0, NULL, 1300, "
	"77),"
	" (3, 1, 3, 140, 150, 0, 0, 0, NULL, 1400, 77), (4, 1, 1, 160, 170, 0, 0, 0, 4, 1400, "
	"NULL),"
	" (5, 1, 1, 180, 190, 0, 0, 0, 5, 1400, NULL), (6, 1, 1, 2000, 2010, 0, 0, 0, 6, 1400, "
	"NULL);"
	"INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id, stream_id, "
	"correlation_id,"
	" copy_kind, src_kind, dst_kind, size_bytes) VALUES"
	" (1, 2, 115, 500, 0, 1, 13, 1, 1, 2, 3, 64), (2, 2, 510, 600, 0, 1, 14, 4, 1, 2, 3, 64),"
	" (3, 2, 610, 700, 0, 1, 14, 5, 1, 2, 3, 64), (4, 2, 2020, 2100, 0, 1, 14, 6, 1, 2, 3, "
	"64);";

TEST_IN_FOLDER(test_causes)
{
	const struct trace_operation *found[CAUSES_MOST];
	struct causes *causes;
	struct model *model;
	struct trace *trace;
	char *error;

	build_trace(path, NULL, waits);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	model = model_build(trace);
	causes = causes_of(model);
	assert_int_equal(causes_find(causes, &trace->operations[0], found), 0);
	assert_int_equal(causes_find(causes, &trace->operations[1], found), 1);
	assert_ptr_equal(found[0], &trace->operations[0]);
	assert_int_equal(causes_find(causes, &trace->operations[2], found), 1);
	assert_ptr_equal(found[0], &trace->operations[1]);
	/* All had ended when the last one came. */
	assert_int_equal(causes_find(causes, &trace->operations[3], found), 0);
	assert_ptr_equal(causes_first_of_call(causes, &trace->calls[3]), &trace->operations[1]);
	assert_null(causes_next_of_call(causes, &trace->operations[1]));
	assert_null(causes_first_of_call(causes, &trace->calls[1]));
	causes_free(causes);
	model_free(model);
	trace_close(trace);
}

/* A graph, launched in stream 13 at 10 behind a copy that ends at 20: a node there, behind it one there and
 * one each in streams 21 and 22, and a last one behind all three. */
static const char branches[] =
	"INSERT INTO functions VALUES (1, 'cudaMemcpyAsync', 'copy'),"
	" (2, 'cudaGraphLaunch', 'graph-launch');"
	"INSERT INTO contexts VALUES (1, 0, 7);"
	"INSERT INTO streams VALUES (1, 13, 1, 0, 1300, NULL, NULL);"
	"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path,"
	" per_thread_stream, correlation_id, stream_handle) VALUES"
	" (1, 1, 1, 1, 2, 0, 0, 0, 1, 1300), (2, 1, 2, 10, 12, 0, 0, 0, 2, 1300);"
	"INSERT INTO graph_nodes (id, source_id, graph_id, kind) VALUES (1, NULL, 1, 0),"
	" (2, NULL, 1, 0), (3, NULL, 1, 0), (4, NULL, 1, 0), (5, NULL, 1, 0);"
	"INSERT INTO graph_edges VALUES (1, 2, 0, 0), (1, 3, 0, 0), (1, 4, 0, 0), (2, 5, 0, 0),"
	" (3, 5, 0, 0), (4, 5, 0, 0);"
	"INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id,"
	" correlation_id, graph_node_id, copy_kind, src_kind, dst_kind, size_bytes) VALUES"
	" (2, 5, 20, 0, 1, 13, 1, NULL, 1, 2, 3, 64), (1, 20, 30, 0, 1, 13, 2, 1, NULL, NULL, "
	"NULL, NULL),"
	" (1, 31, 40, 0, 1, 13, 2, 2, NULL, NULL, NULL, NULL), (1, 32, 42, 0, 1, 21, 2, 3, NULL, "
	"NULL, NULL, NULL),"
	" (1, 33, 44, 0, 1, 22, 2, 4, NULL, NULL, NULL, NULL), (1, 45, 50, 0, 1, 13, 2, 5, NULL, "
	"NULL, NULL, NULL);";

TEST_IN_FOLDER(test_causes_in_a_graph)
{
	const struct trace_operation *found[CAUSES_MOST];
	const struct trace_operation *operations;
	struct causes *causes;
	struct model *model;
	struct trace *trace;
	char *error;

	build_trace(path, NULL, branches);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	operations = trace->operations;
	model = model_build(trace);
	causes = causes_of(model);
	/* The first node behind the copy, its stream's; the branch behind the node. */
	assert_int_equal(causes_find(causes, &operations[1], found), 1);
	assert_ptr_equal(found[0], &operations[0]);
	assert_int_equal(causes_find(causes, &operations[3], found), 1);
	assert_ptr_equal(found[0], &operations[1]);
	/* The last one: of those in other streams the last to end, then its own stream's, then the other. */
	assert_int_equal(causes_find(causes, &operations[5], found), 3);
	assert_ptr_equal(found[0], &operations[4]);
	assert_ptr_equal(found[1], &operations[2]);
	assert_ptr_equal(found[2], &operations[3]);
	causes_free(causes);
	model_free(model);
	trace_close(trace);
}

RUN_TESTS(NULL, NULL)
